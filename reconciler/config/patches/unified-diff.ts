import { posix } from 'node:path'
import { lineOf, type Source } from '../tree/source.ts'

/** A range within a line, by offsets in the text, or a replacement of the line that contains `start`. */
export type LineEdit = { readonly source: Source; readonly start: number } & (
  | { readonly end: number; readonly text: string }
  | { readonly lines: readonly string[] }
)

const AROUND = 3

/** The lines of a file as patch tools count them: from 0, and separated only by line feeds. */
interface Lines {
  readonly texts: readonly string[]
  /** Offsets of their starts. */
  readonly starts: readonly number[]
  /** There is no line after the last line feed. */
  readonly count: number
  /** Whether all line endings are line endings for patch tools, too. */
  readonly isPlain: boolean
}

/**
 * Makes unified diffs of one file each that `git apply` and `patch -p0` accept in the folder from which the file is
 * named; undefined if its name or the surrounding lines are unsuitable. A file is split into lines once.
 */
export const differ = (): ((source: Source, edits: readonly LineEdit[]) => string | undefined) => {
  const known = new Map<Source, Lines>()
  return (source, edits) => {
    const lines = known.get(source) ?? linesOf(source)
    known.set(source, lines)
    return lines.isPlain ? diffOf(source, lines, edits) : undefined
  }
}

const linesOf = ({ text }: Source): Lines => {
  const texts = text.split('\n')
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const count = texts.at(-1) === '' ? texts.length - 1 : texts.length
  return { texts, starts, count, isPlain: !/\r(?!\n)/.test(text) }
}

/** Changed lines by number, with the edits of each. */
type Changed = ReadonlyMap<number, readonly LineEdit[]>

const diffOf = (source: Source, lines: Lines, edits: readonly LineEdit[]): string | undefined => {
  const name = nameOf(source.file)
  const changed: Changed = Map.groupBy(edits, ({ start }) => lineOf(lines.starts, start))
  const ranges = rangesOf(lines, [...changed.keys()])
  if (name === undefined || ranges.length === 0) return undefined
  if (ranges.some((range) => isHidden(source, lines, range))) return undefined
  // How many lines the previous hunks have added or removed.
  let shift = 0
  const hunks = ranges.map((range) => {
    const hunk = hunkOf(lines, changed, range)
    const counted = (marks: string): number => hunk.filter((each) => marks.includes(each[0] ?? '')).length
    const [before, after] = [counted(' -'), counted(' +')]
    const head = `@@ -${range.from + 1},${before} +${range.from + 1 + shift},${after} @@`
    shift += after - before
    return [head, ...hunk].join('\n')
  })
  return [`--- ${name}`, `+++ ${name}`, ...hunks, ''].join('\n')
}

/** A range of lines; the end is exclusive. */
interface Range {
  readonly from: number
  readonly to: number
}

/** The ranges of a diff: changed lines and their context, merged if they touch. */
const rangesOf = ({ count }: Lines, changed: readonly number[]): Range[] => {
  const ranges: Range[] = []
  for (const line of changed.toSorted((a, b) => a - b)) {
    const [from, to] = [Math.max(0, line - AROUND), Math.min(count, line + AROUND + 1)]
    const last = ranges.at(-1)
    if (last !== undefined && from <= last.to) ranges[ranges.length - 1] = { from: last.from, to }
    else ranges.push({ from, to })
  }
  return ranges
}

const hunkOf = (lines: Lines, changed: Changed, { from, to }: Range): string[] =>
  lines.texts.slice(from, to).flatMap((text, index) => {
    const at = from + index
    const own = changed.get(at)
    const end = at === lines.texts.length - 1 ? ['\\ No newline at end of file'] : []
    if (own === undefined) return [` ${text}`, ...end]
    const added = edited(text, lines.starts[at] ?? 0, own)
    return [`-${text}`, ...end, ...added.map((each) => `+${each}`), ...(added.length === 0 ? [] : end)]
  })

/** With a leading dot, stripping one part of the path is possible but not necessary. */
const nameOf = (file: string): string | undefined => {
  const path = posix.normalize(file.replaceAll('\\', '/'))
  const isFit = !/^(?:\/|\.\.(?:\/|$)|[A-Za-z]:)/.test(path) && /^[\p{L}\p{N} ./@+_-]+$/u.test(path)
  return isFit ? `./${path}${path.includes(' ') ? '\t' : ''}` : undefined
}

const isHidden = ({ hidden, text }: Source, { starts }: Lines, { from, to }: Range): boolean => {
  const [start, end] = [starts[from] ?? 0, starts[to] ?? text.length]
  return hidden.some((range) => range.start < end && range.end > start)
}

const edited = (text: string, start: number, edits: readonly LineEdit[]): string[] => {
  const whole = edits.find((edit) => 'lines' in edit)
  const ending = text.endsWith('\r') ? '\r' : ''
  if (whole !== undefined && 'lines' in whole) return whole.lines.map((each) => `${each}${ending}`)
  const inLine = edits.flatMap((edit) => ('text' in edit ? [edit] : []))
  return [
    inLine
      .toSorted((a, b) => b.start - a.start)
      .reduce(
        (all, edit) => all.slice(0, edit.start - start) + edit.text + all.slice(edit.end - start),
        text,
      ),
  ]
}
