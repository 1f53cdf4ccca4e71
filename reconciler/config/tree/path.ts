/** Where something is in a document: names and indexes. */
export type Path = readonly (string | number)[]

/** A text that identifies the path, as a key of maps and sets. */
export const pathKey = (path: Path): string => path.join('\0')

/** `apiKeys.reporting.roles[0]` */
export const pathText = (path: Path): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
