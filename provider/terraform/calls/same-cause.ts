import {
  AuthRejectedError,
  AuthUnsupportedError,
  DeadlineError,
  RedirectError,
  RequestError,
  TlsError,
  UnreachableError,
} from '../../errors/index.ts'

/** What stands in the way of all requests alike. */
const CAUSES = [
  AuthRejectedError,
  AuthUnsupportedError,
  DeadlineError,
  RedirectError,
  TlsError,
  UnreachableError,
] as const

/**
 * The code of a failure whose cause was explained already, by the first that met it; the others say only where. A
 * reading that many share fails for one cause, too. A write that may have been done is never one of many.
 *
 * @param said what was said since the provider was configured; the cause is added
 */
export const explainedBefore = (error: unknown, said: Set<string>): string | undefined => {
  if (!(error instanceof RequestError)) return undefined
  const isRead = error.method === 'GET'
  const isOfAll = CAUSES.some((each) => error instanceof each)
  if (!isRead && (!isOfAll || error.outcome === 'unknown')) return undefined
  const cause = isOfAll ? error.code : `${error.code} ${error.where ?? error.path}`
  if (said.has(cause)) return error.code
  said.add(cause)
  return undefined
}
