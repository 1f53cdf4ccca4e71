/** The reasons why the service can refuse to start. The codes are stable. */
export const serviceStartErrorCodes = [
  'DM-SERVE-SETTING',
  'DM-SERVE-FIXTURE',
  'DM-SERVE-FIXTURE-FILE',
  'DM-SERVE-HOST',
  'DM-SERVE-PORT',
  'DM-SERVE-DATA',
  'DM-SERVE-DATA-CORRUPT',
  'DM-SERVE-DATA-VERSION',
  'DM-SERVE-DATA-IN-USE',
] as const

export type ServiceStartErrorCode = (typeof serviceStartErrorCodes)[number]

/** A problem that the person who starts the service can fix: what failed, where, and what to do. */
export class ServiceStartError extends Error {
  readonly code: ServiceStartErrorCode

  constructor(code: ServiceStartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ServiceStartError'
    this.code = code
  }
}
