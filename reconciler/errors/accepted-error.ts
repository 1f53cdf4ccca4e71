import type { ManifestFinding } from './finding.ts'
import { FindingsError } from './findings-error.ts'

/** Everything that is wrong in a file of accepted drift, at once. */
export class AcceptedError extends FindingsError {
  static override readonly code = 'DM-ACCEPTED'
  static override readonly meaning =
    'The file of accepted drift cannot be read, or has an entry that is not valid. All findings are listed with file, line and column.'
  static override readonly remedy =
    'Correct the marked places, or take the entry out and accept the drift again with deploymgmt drift accept.'

  protected override readonly nothing = 'Nothing was sent'

  constructor(findings: readonly ManifestFinding[]) {
    super(findings, 'the file of accepted drift')
  }
}
