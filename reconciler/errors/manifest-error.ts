import { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { ManifestFinding } from './finding.ts'
import { countFindings, renderFindings } from './finding-lines.ts'

/** Everything that is wrong in the manifests, at once. Nothing has been sent. */
export class ManifestError extends DeploymgmtError {
  static override readonly code = 'DM-MANIFEST'
  static override readonly meaning =
    'A manifest cannot be read, or declares what cannot be declared. All findings are listed with file, line and column.'
  static override readonly remedy =
    'Correct the marked places; deploymgmt validate checks them without sending anything, and deploymgmt schema makes an editor complete them.'

  /** In order of file, line and column; warnings among them. */
  readonly findings: readonly ManifestFinding[]

  constructor(findings: readonly ManifestFinding[]) {
    const first = findings.find(({ severity }) => severity === 'error')
    super(`the manifest has ${countFindings(findings).replace(/\.$/, '')}`, {
      where: first && `${first.file}:${first.line}:${first.column}`,
    })
    this.findings = findings
  }

  /** All findings with their lines; the code and how many there are come last, where the eye rests. */
  render(options: { color?: boolean } = {}): string {
    return `${renderFindings(this.findings, options)}\n\nError ${this.code}: ${this.message}. Nothing was sent.`
  }

  override describe(): string {
    return this.render()
  }
}
