import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The source of a secret is missing. */
export class SecretError extends DeploymgmtError {
  static readonly code = 'DM-SECRET'
  static readonly meaning = 'A secret that a manifest refers to cannot be read.'
  static readonly remedy = 'Set the environment variable, or check the file that the manifest names.'
  readonly code = SecretError.code
}
