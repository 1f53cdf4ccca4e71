import type { Client } from '../../api/types.ts'
import type { DataSourceDefinition } from '../../core/data-source.ts'
import { AuthRejectedError, ForbiddenError, type RequestFacts } from '../../errors/index.ts'

/**
 * Adds to a refused request what the calling key needs for it. The API answers 401 both for wrong credentials and
 * for a missing role, and a single request cannot tell which it was.
 */
export const withKeyNeeds = (
  error: unknown,
  { keyNeeds }: Pick<DataSourceDefinition, 'keyNeeds'>,
  { baseUrl }: Pick<Client, 'baseUrl'>,
): unknown => {
  // A role is no advice against a proxy.
  if (error instanceof ForbiddenError && !error.mayBeOfProxy)
    return new ForbiddenError(error.message, {
      ...factsOf(error, baseUrl),
      keyNeeds: keyNeeds ?? null,
    })
  if (error instanceof AuthRejectedError && keyNeeds !== undefined)
    return new AuthRejectedError(error.message, {
      ...factsOf(error, baseUrl),
      hint: AuthRejectedError.advice(keyNeeds),
    })
  return error
}

const factsOf = (error: ForbiddenError | AuthRejectedError, baseUrl: string): RequestFacts => {
  const { method, path, status, outcome, serviceErrorCode, retryAfterMs } = error
  return { method, url: baseUrl + path, path, status, outcome, serviceErrorCode, retryAfterMs, cause: error }
}
