import { DeploymgmtError } from './deploymgmt-error.ts'

/** The file of the private certificate authority cannot be used. */
export class CaFileError extends DeploymgmtError {
  static override readonly code = 'DM-CA-FILE'
  static override readonly meaning =
    'The file named as certificate authority cannot be read, or holds no certificate in PEM form.'
  static override readonly remedy = 'Name a readable PEM file in DEPLOYMGMT_CA_FILE.'
}
