import { displayWidth, visible } from './display.ts'
import type { Excerpt } from './finding.ts'
import type { Source } from './source.ts'

const LONGEST = 120
const BEFORE = 60
const HIDDEN = '********'

/** The line that holds `start`, cut to what fits, with every hidden range replaced. */
export const excerptOf = (source: Source, start: number, end: number): Excerpt => {
  const line = source.lineRange(start)
  const within = source.hidden.find((range) => range.start < start && range.end > start)
  // A mark within what is hidden would tell where in it: all of it is marked.
  if (within !== undefined && within.start >= line.start) return excerptOf(source, within.start, within.end)
  const last = Math.min(Math.max(end, start + 1), Math.max(line.end, start + 1))
  const before = shown(source, line.start, start)
  const marked = shown(source, start, last)
  const after = shown(source, last, line.end)
  const width = Math.max(1, displayWidth(marked))
  if (displayWidth(before + marked + after) <= LONGEST)
    return { text: before + marked + after, indent: displayWidth(before), width }
  return cut(before, marked, after)
}

const cut = (before: string, marked: string, after: string): Excerpt => {
  const head = before.length > BEFORE ? `…${before.slice(-BEFORE)}` : before
  const middle = marked.length > BEFORE ? `${marked.slice(0, BEFORE)}…` : marked
  const room = Math.max(0, LONGEST - head.length - middle.length)
  const tail = middle === marked ? after : ''
  return {
    text: head + middle + (tail.length > room ? `${tail.slice(0, room)}…` : tail),
    indent: displayWidth(head),
    width: Math.max(1, displayWidth(middle)),
  }
}

/** A range of one line, safe to show. A hidden part is replaced by stars that do not tell its length. */
const shown = (source: Source, start: number, end: number): string => {
  let [text, at] = ['', start]
  for (const range of source.hidden) {
    if (range.end <= at || range.start >= end) continue
    text += visible(source.text.slice(at, Math.max(at, range.start))) + HIDDEN
    at = Math.max(at, range.end)
  }
  return text + visible(source.text.slice(at, Math.max(at, end)))
}
