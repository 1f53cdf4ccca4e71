import { DeploymgmtError } from './deploymgmt-error.ts'

/** The key pair is missing or cannot be one of the service. */
export class CredentialsError extends DeploymgmtError {
  static readonly code = 'DM-CREDENTIALS'
  static readonly meaning =
    'The public or the private key is missing, or holds characters that no key has, such as a line break at its end.'
  static readonly remedy =
    'Set DEPLOYMGMT_PUBLIC_KEY, and DEPLOYMGMT_PRIVATE_KEY or DEPLOYMGMT_PRIVATE_KEY_FILE.'

  override readonly code = CredentialsError.code

  constructor(what: string, options: { where?: string; hint?: string } = {}) {
    super(what, { hint: CredentialsError.remedy, ...options })
  }
}
