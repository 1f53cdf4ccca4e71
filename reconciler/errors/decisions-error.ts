import type { ManifestFinding } from './finding.ts'
import { FindingsError } from './findings-error.ts'

/** All mistakes in a list of decisions, of which nothing was recorded. */
export class DecisionsError extends FindingsError {
  static override readonly code = 'DM-DECISIONS'
  static override readonly meaning =
    'A list of decisions for `state resolve --from` cannot be read, or decides something that is not open. All findings are listed with file, line and column, and nothing in the list is recorded.'
  static override readonly remedy =
    'Correct the marked places. Each item is an address with `created: ID` or `notCreated: true`; deploymgmt state list shows what is open.'

  protected override readonly nothing = 'Nothing was recorded'

  constructor(findings: readonly ManifestFinding[]) {
    super(findings, 'the list of decisions')
  }
}
