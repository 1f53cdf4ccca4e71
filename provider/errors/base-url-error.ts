import { DeploymgmtError } from './deploymgmt-error.ts'

/** The base URL cannot be one of the service. */
export class BaseUrlError extends DeploymgmtError {
  static override readonly code = 'DM-BASE-URL'
  static override readonly meaning =
    'The base URL is not the address of the API: it must be an http or https URL that ends with /api/public/v1.0, without credentials, query or fragment.'
  static override readonly remedy =
    'Set DEPLOYMGMT_BASE_URL, for example to https://deploymgmt.example.com/api/public/v1.0.'
}
