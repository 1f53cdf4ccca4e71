/** Where something is in a document: names and indexes. */
export type Path = readonly (string | number)[]

/** `apiKeys.reporting.roles[0]` */
export const pathText = (path: Path): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
