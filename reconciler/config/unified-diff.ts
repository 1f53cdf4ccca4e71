import { posix } from 'node:path'
import type { Source } from './source.ts'

interface OfLine {
  readonly source: Source
  /** Counted from 0. */
  readonly line: number
}
/** A stretch within a line, by offsets in the text, or all that stands there in place of the line. */
export type LineEdit = OfLine &
  (
    | { readonly start: number; readonly end: number; readonly text: string }
    | { readonly lines: readonly string[] }
  )

const AROUND = 3

/** The line of an offset, from 0, as a patch counts: by line feeds alone. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length - 1

/**
 * A unified diff of one file that `git apply` and `patch -p0` take in the folder that the file is named from; nothing
 * where its name or what stands around the change is not fit for one.
 */
export const diffOf = (source: Source, edits: readonly LineEdit[]): string | undefined => {
  const name = nameOf(source.file)
  const lines = source.text.split('\n')
  const numbers = edits.map(({ line }) => line)
  if (name === undefined || numbers.length === 0 || /\r(?!\n)/.test(source.text)) return undefined
  // Behind the last line feed there is no line.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length
  const from = Math.max(0, Math.min(...numbers) - AROUND)
  const to = Math.min(count, Math.max(...numbers) + AROUND + 1)
  if (isHidden(source, lines, from, to)) return undefined
  const byLine = Map.groupBy(edits, ({ line }) => line)
  const hunk = lines.slice(from, to).flatMap((text, index) => {
    const at = from + index
    const own = byLine.get(at)
    const end = at === lines.length - 1 ? ['\\ No newline at end of file'] : []
    if (own === undefined) return [` ${text}`, ...end]
    const added = edited(text, startOf(lines, at), own)
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

const startOf = (lines: readonly string[], line: number): number =>
  lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0)

const isHidden = ({ hidden }: Source, lines: readonly string[], from: number, to: number): boolean => {
  const [start, end] = [startOf(lines, from), startOf(lines, to)]
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
