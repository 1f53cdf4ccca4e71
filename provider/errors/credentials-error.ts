import { DeploymgmtError } from './deploymgmt-error.ts'

/** The key pair is missing or cannot be one of the service. */
export class CredentialsError extends DeploymgmtError {
  static override readonly code = 'DM-CREDENTIALS'
  static override readonly meaning =
    'The public or the private key is missing, or contains characters that no key has, such as a trailing line break.'
  static override readonly remedy =
    'Set DEPLOYMGMT_PUBLIC_KEY, and DEPLOYMGMT_PRIVATE_KEY or DEPLOYMGMT_PRIVATE_KEY_FILE.'
}
