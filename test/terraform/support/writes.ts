/** In no order: two engines go about their work in parallel, each in its own way. */
export const writesIn = (log: readonly { method: string; path: string; status: number }[]): string[] =>
  log
    .filter(({ method, status }) => method !== 'GET' && status !== 401)
    .map(({ method, path }) => `${method} ${path}`)
    .toSorted((a, b) => a.localeCompare(b))
