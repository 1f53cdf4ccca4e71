import { DeploymgmtError } from './deploymgmt-error.ts'

/** The file of the private certificate authority cannot be used. */
export class CaFileError extends DeploymgmtError {
  static readonly code = 'DM-CA-FILE'
  static readonly meaning =
    'The file named as certificate authority cannot be read, or holds no certificate in PEM form.'
  static readonly remedy = 'Name a readable PEM file in DEPLOYMGMT_CA_FILE.'

  override readonly code = CaFileError.code

  constructor(what: string, options: { where?: string; hint?: string } = {}) {
    super(what, { hint: CaFileError.remedy, ...options })
  }
}
