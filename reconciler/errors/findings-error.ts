import { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { ManifestFinding } from './finding.ts'
import { countFindings, renderFindings, type FindingsLook } from './finding-lines.ts'

/** All mistakes in files that a person has written. */
export abstract class FindingsError extends DeploymgmtError {
  /** In order of file, line and column, including warnings. */
  readonly findings: readonly ManifestFinding[]
  readonly #hintBesides: string

  /** @param what describes the files, as the subject of a sentence @param besides errors that are not in a file */
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

  /** All findings with their lines, warnings before errors; code and count come last, where the eye rests. */
  render(options: FindingsLook = {}): string {
    const inOrder = this.findings.toSorted((a, b) => Number(isError(a)) - Number(isError(b)))
    return `${renderFindings(inOrder, options)}\n\nError ${this.code}: ${this.message}. ${this.nothing}.${this.#hintBesides}`
  }

  override describe(): string {
    return this.render()
  }

  /** What was not done because of them. */
  protected abstract readonly nothing: string
}

const isError = ({ severity }: ManifestFinding): boolean => severity === 'error'
