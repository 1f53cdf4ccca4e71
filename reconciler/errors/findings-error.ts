import { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { ManifestFinding } from './finding.ts'
import { countFindings, renderFindings } from './finding-lines.ts'

/** Everything that is wrong in files that a person wrote, at once. */
export abstract class FindingsError extends DeploymgmtError {
  /** In order of file, line and column; warnings among them. */
  readonly findings: readonly ManifestFinding[]

  /** @param what the files are, as the subject of a sentence */
  constructor(findings: readonly ManifestFinding[], what: string) {
    const first = findings.find(({ severity }) => severity === 'error')
    super(`${what} has ${countFindings(findings)}`, {
      where: first && `${first.file}:${first.line}:${first.column}`,
    })
    this.findings = findings
  }

  /** All findings with their lines; the code and how many there are come last, where the eye rests. */
  render(options: { color?: boolean } = {}): string {
    return `${renderFindings(this.findings, options)}\n\nError ${this.code}: ${this.message}. ${this.nothing}.`
  }

  override describe(): string {
    return this.render()
  }

  /** What has not been done for it. */
  protected abstract readonly nothing: string
}
