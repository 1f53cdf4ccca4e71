import { clip } from '@deploymgmt/provider/core/text'
import { displayWidth, visible } from '../../text/display.ts'
import type { Excerpt } from '../../errors/finding.ts'
import type { Source } from './source.ts'

const LONGEST = 120
const BEFORE = 60
/** How much of a line is searched; a whole manifest can be one line. */
const NEAR = 500
export const HIDDEN = '********'

/** The line that contains `start`, cut to size, with every hidden range replaced. */
export const excerptOf = (source: Source, start: number, end: number): Excerpt => {
  const line = source.lineRange(start)
  const within = source.hidden.find((range) => range.start < start && range.end > start)
  // A mark within a hidden range would reveal a position in it, so the whole range is marked.
  if (within !== undefined && within.start >= line.start) return excerptOf(source, within.start, within.end)
  // The error can be at the end of a line, where there is nothing to see.
  const first = Math.min(start, line.end)
  const last = Math.max(first, Math.min(Math.max(end, first + 1), line.end, first + NEAR))
  const before = shown(source, Math.max(line.start, first - NEAR), first)
  const marked = shown(source, first, last)
  const after = shown(source, last, Math.min(line.end, last + NEAR))
  if ((before + marked + after).length > LONGEST) return cut(before, marked, after)
  const width = Math.max(1, displayWidth(marked))
  return { text: before + marked + after, indent: displayWidth(before), width }
}

const cut = (before: string, marked: string, after: string): Excerpt => {
  const head = before.length > BEFORE ? `…${before.slice(-BEFORE).replace(RESTS, '')}` : before
  const middle = clip(marked, BEFORE)
  const room = Math.max(0, LONGEST - head.length - middle.length)
  const tail = middle === marked ? clip(after, room) : ''
  return { text: head + middle + tail, indent: displayWidth(head), width: Math.max(1, displayWidth(middle)) }
}

/** What belongs to the character before it: half of a pair, an accent, a selector, what a joiner joins. */
const RESTS = /^(?:[\p{Cs}\p{M}\p{EMod}]|\u200D\p{Extended_Pictographic}?)+/u

/** A range of one line, safe to show. Hidden parts become stars that do not reveal the length. */
const shown = (source: Source, start: number, end: number): string => {
  let [text, at] = ['', start]
  for (const range of source.hidden) {
    if (range.end <= at || range.start >= end) continue
    text += written(source.text.slice(at, Math.max(at, range.start))) + HIDDEN
    at = Math.max(at, range.end)
  }
  return text + written(source.text.slice(at, Math.max(at, end)))
}

/** A tab, which can be the error, must not look like a space. */
const written = (text: string): string => visible(text.replaceAll('\t', '→'))
