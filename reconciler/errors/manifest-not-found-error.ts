import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A file or folder that `--file` names, or the default manifest, cannot be opened. */
export class ManifestNotFoundError extends DeploymgmtError {
  static override readonly code = 'DM-MANIFEST-NOT-FOUND'
  static override readonly meaning =
    'A manifest does not exist or cannot be opened, or a folder contains none.'
  static override readonly remedy =
    'Name the file or folder with --file, or let deploymgmt init write a first manifest.'
}
