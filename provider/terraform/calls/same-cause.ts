import {
  AuthRejectedError,
  AuthUnsupportedError,
  DeadlineError,
  RedirectError,
  RequestError,
  TlsError,
  UnreachableError,
} from '../../errors/index.ts'

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
 * Reads that many resources share also fail for one cause. A write that may have been done always gets its own
 * explanation.
 * @param said what was said since the provider was configured; the cause is added
 */
export const explainedBefore = (error: unknown, said: Set<string>): string | undefined => {
  const known = causeOf(error)
  return known !== undefined && !isFirst(known.cause, said) ? known.code : undefined
}

/**
 * Whether a plan has an error of this cause already, from another resource. It cannot be applied, and says no more with
 * one error for each of three hundred. What a data source met may be no more than the warning of a check block.
 */
export const hasFailedThePlan = (error: unknown, said: Set<string>): boolean => {
  const known = causeOf(error)
  return known !== undefined && !isFirst(`the plan: ${known.cause}`, said)
}

/** A reading that many share fails for one cause, too. A write that may have been done is never one of many. */
const causeOf = (error: unknown): { readonly code: string; readonly cause: string } | undefined => {
  if (!(error instanceof RequestError)) return undefined
  const { code } = error
  const isRead = error.method === 'GET'
  const isOfAll = CAUSES.some((each) => error instanceof each)
  if (!isRead && (!isOfAll || error.outcome === 'unknown')) return undefined
  return { code, cause: isOfAll ? code : `${code} ${error.where ?? error.path}` }
}

export const isFirst = (cause: string, said: Set<string>): boolean => {
  const isNew = !said.has(cause)
  said.add(cause)
  return isNew
}
