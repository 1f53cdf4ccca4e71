import {
  AuthRejectedError,
  AuthUnsupportedError,
  DeadlineError,
  RedirectError,
  RequestError,
  TlsError,
  UnreachableError,
} from '../errors/index.ts'

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
 * write that may have been done is never one of many.
 *
 * @param said what was said since the provider was configured; the cause is added
 */
export const explainedBefore = (error: unknown, said: Set<string>): string | undefined => {
  if (!(error instanceof RequestError) || !CAUSES.some((each) => error instanceof each)) return undefined
  if (error.method !== 'GET' && error.outcome === 'unknown') return undefined
  if (said.has(error.code)) return error.code
  said.add(error.code)
  return undefined
}
