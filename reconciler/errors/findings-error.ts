import { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { ManifestFinding } from './finding.ts'
import { countFindings, renderFindings } from './finding-lines.ts'

/** Everything that is wrong in files that a person wrote, at once. */
export abstract class FindingsError extends DeploymgmtError {
  /** In order of file, line and column; warnings among them. */
  readonly findings: readonly ManifestFinding[]
  readonly #hintBesides: string

  /**
   * @param what the files are, as the subject of a sentence
   * @param besides what else is wrong, and stands in no file
   */
  constructor(findings: readonly ManifestFinding[], what: string, besides?: DeploymgmtError) {
    const first = findings.find(isError)
    const more = besides === undefined ? '' : `; besides, ${besides.message}`
    super(`${what} has ${countFindings(findings)}${more}`, {
      where: first && `${first.file}:${first.line}:${first.column}`,
      hint: besides?.hint,
      cause: besides,
    })
    this.findings = findings
    this.#hintBesides = besides === undefined ? '' : `\n  ${besides.hint}`
  }

  /** All findings with their lines, warnings before errors; the code and how many come last, where the eye rests. */
  render(options: { color?: boolean } = {}): string {
    const inOrder = this.findings.toSorted((a, b) => Number(isError(a)) - Number(isError(b)))
    return `${renderFindings(inOrder, options)}\n\nError ${this.code}: ${this.message}. ${this.nothing}.${this.#hintBesides}`
  }

  override describe(): string {
    return this.render()
  }

  /** What has not been done for it. */
  protected abstract readonly nothing: string
}

const isError = ({ severity }: ManifestFinding): boolean => severity === 'error'
