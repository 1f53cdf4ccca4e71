import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The file of --output or --out, or stdout, cannot be written. */
export class OutputError extends DeploymgmtError {
  static override readonly code = 'DM-OUTPUT'
  static override readonly meaning = 'The output, or the file it goes to, cannot be written.'
  static override readonly remedy = 'Check the path, its permissions and the free disk space.'
}
