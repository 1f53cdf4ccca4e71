/** One call of the API, as data for docs, coverage tests, plans and the client. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base URL; `{name}` stands for a path parameter of that name. */
  readonly path: string
  /** The endpoint's number in the API's specification. */
  readonly endpoint: number
  /** Whether the answer is a list envelope. */
  readonly many: boolean
  /** For a write: what the API's description asks of the calling key, as the object of "needs". */
  readonly keyNeeds?: string
}

const operation = (
  method: Operation['method'],
  path: string,
  endpoint: number,
  more: Partial<Pick<Operation, 'many' | 'keyNeeds'>> = {},
): Operation => Object.freeze({ method, path, endpoint, many: false, ...more })

export const get = (path: string, endpoint: number) => operation('GET', path, endpoint)
export const getList = (path: string, endpoint: number) => operation('GET', path, endpoint, { many: true })
export const post = (path: string, endpoint: number) => operation('POST', path, endpoint)
export const patch = (path: string, endpoint: number, keyNeeds?: string) =>
  operation('PATCH', path, endpoint, keyNeeds === undefined ? {} : { keyNeeds })
export const del = (path: string, endpoint: number) => operation('DELETE', path, endpoint)

/**
 * What a definition says if the API has no call: the reason, as a fragment, and sentences about what a person can do
 * instead.
 */
export interface None {
  readonly none: string
  readonly byHand: string | undefined
}
export const none = (reason: string, byHand?: string): None => ({ none: reason, byHand })
export const isNone = (word: unknown): word is None =>
  typeof word === 'object' && word !== null && 'none' in word

/**
 * A word of a definition that a planned change relies on.
 * @throws TypeError if the definition lacks it: a defect, because no plan does what its kind cannot
 */
export const relyOn = <T>(word: T | None, kind: string, what: string): T => {
  if (isNone(word)) throw new TypeError(`${kind} has no ${what}`)
  return word
}

/** The names in a path's braces, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')

/**
 * The path with its parameters filled in and encoded.
 * @throws TypeError if a parameter is missing, because a definition and its identity disagree
 */
export const fillPath = (path: string, parameters: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (typeof value !== 'string' || value === '') throw new TypeError(`no value for {${name}} in ${path}`)
    return encodeURIComponent(value)
  })
