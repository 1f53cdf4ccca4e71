import type { ManifestFinding } from './finding.ts'
import { FindingsError } from './findings-error.ts'

/** All mistakes in a file of accepted drift. */
export class AcceptedError extends FindingsError {
  static override readonly code = 'DM-ACCEPTED'
  static override readonly meaning =
    'The file of accepted drift cannot be read, or contains an invalid entry. All findings are listed with file, line and column.'
  static override readonly remedy =
    'Correct the marked places, or remove the entry, and let deploymgmt drift accept write it again.'

  protected override readonly nothing = 'Nothing was sent'

  constructor(findings: readonly ManifestFinding[]) {
    super(findings, 'the file of accepted drift')
  }
}
