import { STATUS_CODES } from 'node:http'

/** Every code of an error answer. The API description has none; these are typical of this class of service. */
export const errorCodes = [
  // HTTP errors.
  'BAD_REQUEST',
  'METHOD_NOT_ALLOWED',
  'MISDIRECTED_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'RESOURCE_NOT_FOUND',
  'UNSUPPORTED_MEDIA_TYPE',
  'URI_TOO_LONG',
  // Query and body.
  'ATTRIBUTE_READ_ONLY',
  'FRACTIONAL_TIMESTAMP',
  'INVALID_ATTRIBUTE',
  'INVALID_ENUM_VALUE',
  'INVALID_JSON',
  'INVALID_JSON_ATTRIBUTE',
  'INVALID_QUERY_PARAMETER',
  'MISSING_ATTRIBUTE',
  'MISSING_ONE_OF_ATTRIBUTES',
  // Authentication and permissions.
  'CANNOT_ADD_GLOBAL_ROLE',
  'CANNOT_DEMOTE_LAST_ORG_OWNER',
  'IP_ADDRESS_NOT_ON_ACCESS_LIST',
  'NOT_IN_GROUP',
  'NOT_ORG_ADMIN',
  'NOT_USER_ADMIN',
  'NO_CURRENT_USER',
  'RATE_LIMITED',
  'USER_UNAUTHORIZED',
  // Missing resources.
  'ACCESS_LIST_NOT_FOUND',
  'ALERT_CONFIG_NOT_FOUND',
  'ALERT_NOT_FOUND',
  'API_KEY_NOT_FOUND',
  'EVENT_NOT_FOUND',
  'GROUP_NOT_FOUND',
  'HOST_NOT_FOUND',
  'INTEGRATION_NOT_FOUND',
  'INVALID_AGENT_TYPE_NAME',
  'INVALID_ALERT_CONFIG_ID',
  'INVALID_ALERT_ID',
  'INVALID_ALERT_STATUS',
  'INVALID_EVENT_ID',
  'INVALID_GROUP_ID',
  'INVALID_MAINTENANCE_WINDOW_ID',
  'INVALID_ORG_ID',
  'INVALID_USER_ID',
  'MAINTENANCE_WINDOW_NOT_FOUND',
  'ORG_NOT_FOUND',
  'USER_NOT_FOUND',
  // Invalid writes.
  'CANNOT_UPDATE_ENDED_MAINTENANCE_WINDOW',
  'INVALID_ROLE_FOR_ORG',
  'INVALID_USERNAME',
  'MAINTENANCE_WINDOW_START_DATE_AFTER_END_DATE',
  'MISSING_MAINTENANCE_WINDOW_ALERT_TYPE_NAME',
  'MISSING_MAINTENANCE_WINDOW_END_DATE',
  'MISSING_MAINTENANCE_WINDOW_START_DATE',
  'ROLE_NEEDS_GROUP_ID',
  'ROLE_NEEDS_NO_GROUP_ID',
  'ROLE_NEEDS_NO_ORG_ID',
  'ROLE_NEEDS_ORG_ID',
  'USER_ALREADY_EXISTS',
  'WEAK_PASSWORD',
  // Failures of the service, and requested ones.
  'FAULT',
  'UNEXPECTED_ERROR',
  // Only the control interface.
  'CONTROL_TOKEN',
  'LOOPBACK_ONLY',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** The body of an error answer. */
interface ErrorBody {
  readonly detail: string
  readonly error: number
  readonly errorCode: string
  readonly parameters: readonly (string | number)[]
  readonly reason: string
}

/** An answer other than success. With `kind`, a setting can change the status of a whole class. */
export class ApiError extends Error {
  readonly status: number
  readonly errorCode: ErrorCode
  readonly parameters: readonly (string | number)[]
  readonly kind: 'validation' | 'permission' | 'other'
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    errorCode: ErrorCode,
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

/** An invalid request. The detail never contains values, because they can be secrets. */
export const invalid = (
  errorCode: ErrorCode,
  detail: string,
  parameters: readonly (string | number)[] = [],
): ApiError => new ApiError(400, errorCode, detail, { parameters, kind: 'validation' })

/** A caller without the required role. */
export const forbidden = (errorCode: ErrorCode, detail: string): ApiError =>
  new ApiError(401, errorCode, detail, { kind: 'permission' })

/** Something that does not exist. */
export const notFound = (
  errorCode: ErrorCode,
  detail: string,
  parameters: readonly string[] = [],
): ApiError => new ApiError(404, errorCode, detail, { parameters })

/** The body for an error with the status that is sent. */
export const errorBody = (error: ApiError, status: number): ErrorBody => ({
  detail: error.message,
  error: status,
  errorCode: error.errorCode,
  parameters: error.parameters,
  reason: STATUS_CODES[status] ?? 'Error',
})
