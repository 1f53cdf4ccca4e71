import { STATUS_CODES } from 'node:http'

/** The body of an error answer. */
export interface ErrorBody {
  readonly detail: string
  readonly error: number
  readonly errorCode: string
  readonly parameters: readonly (string | number)[]
  readonly reason: string
}

/** An answer other than success. `kind` lets a setting change the status of a whole class. */
export class ApiError extends Error {
  readonly status: number
  readonly errorCode: string
  readonly parameters: readonly (string | number)[]
  readonly kind: 'validation' | 'permission' | 'other'
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    errorCode: string,
    detail: string,
    options: {
      parameters?: readonly (string | number)[]
      kind?: 'validation' | 'permission'
      headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(detail)
    this.name = 'ApiError'
    this.status = status
    this.errorCode = errorCode
    this.parameters = options.parameters ?? []
    this.kind = options.kind ?? 'other'
    this.headers = options.headers ?? {}
  }
}

/** A request that is not valid. Values are never repeated in the detail, since they can be secrets. */
export function invalid(
  errorCode: string,
  detail: string,
  parameters: readonly (string | number)[] = [],
): ApiError {
  return new ApiError(400, errorCode, detail, { parameters, kind: 'validation' })
}

/** A caller without the role that is needed. */
export function forbidden(errorCode: string, detail: string): ApiError {
  return new ApiError(401, errorCode, detail, { kind: 'permission' })
}

/** Something that does not exist. */
export function notFound(errorCode: string, detail: string, parameters: readonly string[] = []): ApiError {
  return new ApiError(404, errorCode, detail, { parameters })
}

/** The body for an error with the status that is sent. */
export function errorBody(error: ApiError, status: number): ErrorBody {
  return {
    detail: error.message,
    error: status,
    errorCode: error.errorCode,
    parameters: error.parameters,
    reason: STATUS_CODES[status] ?? 'Error',
  }
}
