import {
  AuthRejectedError,
  AuthUnsupportedError,
  DeadlineError,
  RedirectError,
  RequestError,
  TlsError,
  UnreachableError,
} from '../../errors/index.ts'
import type { SaidOnce } from '../connection/said-once.ts'

/** Failures that affect all requests alike. */
const CAUSES = [
  AuthRejectedError,
  AuthUnsupportedError,
  DeadlineError,
  RedirectError,
  TlsError,
  UnreachableError,
] as const

/**
 * The code of a failure whose cause was already explained by the first error with it; later errors only say where.
 * Reads that many resources share also fail for one cause. A failed write does not come here: it always gets its own
 * explanation.
 * @param saidOnce gets the cause
 */
export const explainedBefore = (error: unknown, saidOnce: SaidOnce): string | undefined => {
  const known = causeOf(error)
  return known !== undefined && !saidOnce.isFirst(['cause', known.cause]) ? known.code : undefined
}

/**
 * Passes over a failure if the plan already has an error of the same cause from another resource: the plan cannot be
 * applied, and one error for each of three hundred resources says no more. Errors of data sources do not count, because
 * in a check block they are only warnings.
 * @param otherwise the result then
 */
export const failingOnce = async <T>(work: Promise<T>, saidOnce: SaidOnce, otherwise: T): Promise<T> => {
  try {
    return await work
  } catch (error) {
    const known = causeOf(error)
    if (known === undefined || saidOnce.isFirst(['plan-failed', known.cause])) throw error
    return otherwise
  }
}

const causeOf = (error: unknown): { readonly code: string; readonly cause: string } | undefined => {
  if (!(error instanceof RequestError)) return undefined
  const { code } = error
  const isOfAll = CAUSES.some((each) => error instanceof each)
  // Without the query: events that are read from another instant on fail for the same cause.
  const [path] = error.path.split('?')
  return { code, cause: isOfAll ? code : `${code} ${path}` }
}
