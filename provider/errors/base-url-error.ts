import { DeploymgmtError } from './deploymgmt-error.ts'

/** The base URL cannot be one of the service. */
export class BaseUrlError extends DeploymgmtError {
  static readonly code = 'DM-BASE-URL'
  static readonly meaning =
    'The base URL is not the address of the API: it must be an http or https URL that ends with /api/public/v1.0, without credentials, query or fragment.'
  static readonly remedy =
    'Set DEPLOYMGMT_BASE_URL, for example to https://deploymgmt.example.com/api/public/v1.0.'

  override readonly code = BaseUrlError.code

  constructor(what: string, options: { where?: string; hint?: string } = {}) {
    super(what, { hint: BaseUrlError.remedy, ...options })
  }
}
