import type { ManifestFinding } from './finding.ts'
import { FindingsError } from './findings-error.ts'
import type { WordsError } from './together.ts'

/** All mistakes in the manifests. Nothing was sent. */
export class ManifestError extends FindingsError {
  static override readonly code = 'DM-MANIFEST'
  static override readonly meaning =
    'A manifest cannot be read, or declares something that cannot be declared. All findings are listed with file, line and column.'
  static override readonly remedy =
    'Correct the marked places; deploymgmt validate checks them without sending anything, and deploymgmt schema lets an editor complete what you type.'

  protected override readonly nothing = 'Nothing was sent'

  readonly #besides: WordsError | undefined

  /** @param besides errors in the command line */
  constructor(findings: readonly ManifestFinding[], besides?: WordsError) {
    super(findings, 'the manifest', besides)
    this.#besides = besides
  }

  /** The same error without some of its warnings. */
  without(isLeftOut: (finding: ManifestFinding) => boolean): ManifestError {
    return new ManifestError(
      this.findings.filter((each) => !isLeftOut(each)),
      this.#besides,
    )
  }
}
