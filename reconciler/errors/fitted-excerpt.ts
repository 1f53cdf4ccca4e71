import { characters, displayWidth } from '../text/display.ts'
import { cut } from '../text/lines.ts'
import type { Excerpt } from './finding.ts'

/**
 * The excerpt in at most so many columns, with what is marked in the middle: if a terminal wrapped the line, the carets
 * would stand under something else.
 */
export const fittedExcerpt = ({ text, indent, width }: Excerpt, room: number): Excerpt => {
  const before = Math.max(1, Math.floor((room - width) / 2))
  const isNearStart = indent <= before || indent + width < room
  // The dots take one column.
  const dropped = isNearStart ? '' : startOf(text, indent - before + 1)
  const shown = isNearStart ? text : `…${text.slice(dropped.length)}`
  const left = isNearStart ? indent : indent - displayWidth(dropped) + 1
  return { text: cut(shown, room), indent: left, width: Math.min(width, room - left) }
}

/** The characters of the first columns: all that begin in them. */
const startOf = (text: string, columns: number): string => {
  let [start, used] = ['', 0]
  for (const { segment } of characters(text)) {
    if (used >= columns) break
    start += segment
    used += displayWidth(segment)
  }
  return start
}
