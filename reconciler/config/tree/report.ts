import { nearest } from '@deploymgmt/provider/core'
import { clip } from '@deploymgmt/provider/core/text'
import { visible } from '../../text/display.ts'
import { excerptOf, HIDDEN } from './excerpt.ts'
import type { ManifestFinding } from '../../errors/finding.ts'
import { pathKey, pathText, type Path } from './path.ts'
import type { Source } from './source.ts'

/** A range of a file; nodes are spans. */
export interface Span {
  readonly source: Source
  readonly start: number
  readonly end: number
}

export interface Remark {
  readonly severity?: 'error' | 'warning'
  readonly path: Path
  readonly message: string
  readonly suggestion?: string | undefined
  readonly allowed?: readonly string[] | undefined
  readonly also?: Span | undefined
  readonly reasonCode?: string | undefined
}

/** The maximum number of compared words: thousands of wrong names in a large manifest must not take minutes. */
const COMPARISONS = 100_000

/** Collects findings. Excerpts are cut at the end, when everything to hide is known. */
export class Report {
  readonly #remarks: (Remark & { at: Span })[] = []
  readonly #spellings = new Map<string, string | undefined>()
  readonly #wrong = new Set<string>()
  readonly #meant = new Set<string>()
  /** The secret that no message may quote. */
  readonly #secret: string | undefined
  #errorCount = 0
  #compared = 0

  constructor(secret?: string) {
    this.#secret = secret
  }

  add(at: Span, remark: Remark): void {
    if (remark.severity !== 'warning') {
      this.#errorCount += 1
      for (const [index] of remark.path.entries()) this.#wrong.add(pathKey(remark.path.slice(0, index + 1)))
    }
    this.#remarks.push({ ...remark, at })
  }

  /** Adds everything that another report has collected; `note` follows its first message. */
  take(other: Report, note = ''): void {
    for (const [index, { at, ...remark }] of other.#remarks.entries())
      this.add(at, index === 0 ? { ...remark, message: `${remark.message}${note}` } : remark)
  }

  /** An independent copy. */
  copy(): Report {
    const copy = new Report(this.#secret)
    copy.take(this)
    for (const meant of this.#meant) copy.#meant.add(meant)
    return copy
  }

  get errors(): number {
    return this.#errorCount
  }

  /** Whether nothing wrong or misspelt was found, so that no path has to be checked. */
  get isClean(): boolean {
    return this.#wrong.size === 0 && this.#meant.size === 0
  }

  /** Whether there is an error at this path, or below it. */
  hasErrorIn(path: Path): boolean {
    return this.#wrong.has(pathKey(path))
  }

  /** The most similar valid spelling; cached, because the same mistake can occur a thousand times. */
  nearest(word: string, candidates: readonly string[]): string | undefined {
    const key = [word, candidates.length, candidates[0], candidates.at(-1)].join('\0')
    const known = this.#spellings.get(key)
    // Candidates from which others were left out look the same by their number.
    if (known === undefined ? this.#spellings.has(key) : candidates.includes(known)) return known
    this.#compared += candidates.length
    if (this.#compared > COMPARISONS) return undefined
    const found = nearest(word, candidates)
    this.#spellings.set(key, found)
    return found
  }

  /** Records that a key at this place was meant to be `name`, which is then not missing. */
  noteMeant(path: Path, name: string): void {
    this.#meant.add(pathKey([...path, name]))
  }
  wasMeant(path: Path, name: string): boolean {
    return this.#meant.has(pathKey([...path, name]))
  }

  #without(text: string): string {
    return this.#secret === undefined ? text : text.replaceAll(this.#secret, HIDDEN)
  }

  /** All findings in order of file, line and column, without duplicates. */
  findings(): ManifestFinding[] {
    for (const source of new Set(this.#remarks.map(({ at }) => at.source)))
      source.hidden.sort((a, b) => a.start - b.start)
    const seen = new Set<string>()
    return this.#remarks
      .map((remark) => finding(remark, (text) => this.#without(text)))
      .filter((one) => {
        const key = [one.file, one.line, one.column, one.path, one.message].join('\0')
        return seen.has(key) ? false : seen.add(key)
      })
      .toSorted((a, b) =>
        a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1,
      )
  }
}

const finding = (
  { at, severity, path, message, suggestion, allowed, also, reasonCode }: Remark & { at: Span },
  safe: (text: string) => string,
): ManifestFinding => ({
  ...at.source.position(at.start),
  severity: severity ?? 'error',
  path: shortened(visible(safe(pathText(at.source.dialect?.pathOf(path) ?? path)))),
  message: visible(safe(`${message}${remarkOn(at, path)}`)),
  ...(reasonCode === undefined ? {} : { reasonCode }),
  ...(suggestion === undefined ? {} : { suggestion: visible(safe(suggestion)) }),
  ...(allowed === undefined ? {} : { allowed: allowed.map((each) => visible(safe(each))) }),
  ...(also === undefined ? {} : { also: also.source.position(also.start) }),
  ...(at.source.showsNoLine || at.source.text.trim() === ''
    ? {}
    : { excerpt: excerptOf(at.source, at.start, at.end) }),
})

const remarkOn = ({ source }: Span, path: Path): string => {
  const remark = source.dialect?.remarkOn(path)
  return remark === undefined ? '' : ` (${remark})`
}

const shortened = (text: string): string => (text.length > 200 ? clip(text, 199) : text)
