import { posix } from 'node:path'
import type { Source } from './source.ts'

/** A stretch within a line, by offsets in the text, or all that stands in place of the line that `start` is on. */
export type LineEdit = { readonly source: Source; readonly start: number } & (
  | { readonly end: number; readonly text: string }
  | { readonly lines: readonly string[] }
)

const AROUND = 3

/** A file as a patch counts its lines, from 0 and by line feeds alone. */
interface Lines {
  readonly texts: readonly string[]
  /** Offsets at which they begin. */
  readonly starts: readonly number[]
  /** Behind the last line feed there is no line. */
  readonly count: number
  /** Whether what ends a line here ends it elsewhere too. */
  readonly isPlain: boolean
}

/**
 * Makes unified diffs of one file each that `git apply` and `patch -p0` take in the folder that the file is named from;
 * nothing where its name or what stands around the change is not fit for one. A file is cut into lines once.
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

const lineAt = ({ starts }: Lines, offset: number): number => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

const diffOf = (source: Source, lines: Lines, edits: readonly LineEdit[]): string | undefined => {
  const name = nameOf(source.file)
  const byLine = Map.groupBy(edits, ({ start }) => lineAt(lines, start))
  const numbers = [...byLine.keys()]
  if (name === undefined || numbers.length === 0) return undefined
  const from = Math.max(0, Math.min(...numbers) - AROUND)
  const to = Math.min(lines.count, Math.max(...numbers) + AROUND + 1)
  if (isHidden(source, lines, from, to)) return undefined
  const hunk = lines.texts.slice(from, to).flatMap((text, index) => {
    const at = from + index
    const own = byLine.get(at)
    const end = at === lines.texts.length - 1 ? ['\\ No newline at end of file'] : []
    if (own === undefined) return [` ${text}`, ...end]
    const added = edited(text, lines.starts[at] ?? 0, own)
    return [`-${text}`, ...end, ...added.map((each) => `+${each}`), ...(added.length === 0 ? [] : end)]
  })
  const counted = (marks: string): number => hunk.filter((each) => marks.includes(each[0] ?? '')).length
  return [
    `--- ${name}`,
    `+++ ${name}`,
    `@@ -${from + 1},${counted(' -')} +${from + 1},${counted(' +')} @@`,
    ...hunk,
    '',
  ].join('\n')
}

/** With a dot in front, one part can be stripped off it, and none has to be. */
const nameOf = (file: string): string | undefined => {
  const path = posix.normalize(file.replaceAll('\\', '/'))
  const isFit = !/^(?:\/|\.\.(?:\/|$)|[A-Za-z]:)/.test(path) && /^[\p{L}\p{N} ./@+_-]+$/u.test(path)
  return isFit ? `./${path}${path.includes(' ') ? '\t' : ''}` : undefined
}

const isHidden = ({ hidden, text }: Source, { starts }: Lines, from: number, to: number): boolean => {
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
