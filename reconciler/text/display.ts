import { clip, unseenSpeltOut } from '@deploymgmt/provider/core/text'

/**
 * Manifest text on a terminal: invisible characters are spelt out, because they could move the cursor or reverse the
 * text, and widths are in terminal columns.
 */

/** The text without control characters; a tab becomes a space. */
export const visible = (text: string): string => unseenSpeltOut(text.replaceAll('\t', ' '))

/** Whether any of it shows in a report. */
export const canBeSeen = (text: string): boolean => /[^\p{Z}\p{C}]/u.test(text)

/** A value in quotes, shortened if it is long. */
export const quoted = (text: string): string => {
  const short = text.length > 60 ? clip(text, 57) : text
  return `"${visible(short.replaceAll('\n', '\\n'))}"`
}

/**
 * Splits text into visible characters. Created on demand: few texts need it, and it takes a sixth of Node's start.
 */
let segmenter: Intl.Segmenter | undefined
export const characters = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

const WIDE =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]/u

// Latin letters, dashes, quotes, dots and arrows: one column each, and no joining with neighbours.
const PLAIN = /^[\u0020-\u007E\u00A0-\u00AC\u00AE-\u02FF\u2010-\u2027\u2190-\u21FF]*$/

/** The width of the text on a terminal, in columns. */
export const displayWidth = (text: string): number => {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of characters(text))
    width += WIDE.test(segment) ? 2 : /^\p{M}+$/u.test(segment) ? 0 : 1
  return width
}

/** Text that needs no quotes in a shell. */
const PLAIN_WORD = { posix: /^[A-Za-z0-9_./:@%+=,-]+$/, windows: /^[A-Za-z0-9_./:\\+=-]+$/ }

/**
 * One quoted word of a command to copy: nothing in it is interpreted, neither the brackets of an address nor text
 * from the service. On Windows it suits both shells if possible: only PowerShell accepts single quotes, and keeps
 * `$` out of double ones.
 */
export const shellWord = (text: string, platform: string = process.platform): string => {
  if (platform !== 'win32')
    return PLAIN_WORD.posix.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
  if (PLAIN_WORD.windows.test(text)) return text
  return /["$`]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text.replace(/\\+$/, '$&$&')}"`
}
