import {
  DeadlineError,
  RateLimitedError,
  ServiceFailureError,
  UnreachableError,
  type DeploymgmtError,
} from '@deploymgmt/provider/errors'

/** Whether a later attempt may succeed. */
export const isPassing = (error: unknown): error is DeploymgmtError =>
  [UnreachableError, DeadlineError, ServiceFailureError, RateLimitedError].some(
    (each) => error instanceof each,
  )
