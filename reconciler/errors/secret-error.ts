import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The source of a secret is missing, or its value is in a place where it would be shown. */
export class SecretError extends DeploymgmtError {
  static override readonly code = 'DM-SECRET'
  static override readonly meaning =
    'A secret that a manifest refers to cannot be read, is a credential of the command itself, or is also declared as the value of another field.'
  static override readonly remedy = 'Set the environment variable, or check the file that the manifest names.'
}
