import { DeploymgmtError } from './deploymgmt-error.ts'

/** The file of the private certificate authority cannot be used. */
export class CaFileError extends DeploymgmtError {
  static override readonly code = 'DM-CA-FILE'
  static override readonly meaning =
    'The certificate authority file cannot be read, or does not contain a PEM certificate.'
  static override readonly remedy = 'Name a readable PEM file in DEPLOYMGMT_CA_FILE.'
}
