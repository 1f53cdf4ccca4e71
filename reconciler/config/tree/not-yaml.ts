import { quoted } from '../../text/display.ts'
import { ODD_SPACE } from './odd-space.ts'
import type { Source } from './source.ts'

interface Explained {
  readonly at: number
  readonly why: string
}

/** Where a file stops being YAML, and why, in words that tell what to do about the usual mistakes. */
export const explained = (source: Source, at: number, reason: string): Explained => {
  const conflict = /^<{7}(?=[ \r\n]|$)/m.exec(source.text)
  if (conflict === null) return { at, why: `${reason}${remedy(source, at, reason)}` }
  const why =
    'a merge conflict begins here: keep one side, and remove the lines that begin with <<<<<<<, |||||||, ======= and >>>>>>>'
  return { at: conflict.index, why }
}

const remedy = (source: Source, at: number, reason: string): string => {
  const { start, end } = source.lineRange(at)
  const line = source.text.slice(start, end)
  // JSON may be indented with tabs, and so may what stands within brackets.
  if (/^ *\t/.test(line) && !isWithinBrackets(reason)) return '; indent with spaces, not with tabs'
  if (isWithinBrackets(reason) && /(^|[^"'])\$\{/.test(line))
    return '; within { } and [ ] an expression has to be quoted: "${…}"'
  if (isWithinBrackets(reason) && /[\s:,][\d.:TZ+-]{1,40}\[[^\]"']{0,80}\]/.test(line))
    return '; within { } and [ ] a time with its zone has to be quoted: "2026-12-05T02:00:00[Europe/Madrid]"'
  if (reason === 'deficient indentation')
    return '; a quote, [ or { above it is open, and what stands in it has to be indented: close it, or indent this line'
  if (!NOT_A_PAIR.has(reason)) return ''
  const name = /^[ -]*([\w.-]+:)\s/.exec(source.text.slice(start, at))?.[1]
  // Behind a name, nothing is wrong with the indentation.
  if (name !== undefined) return `; if what follows ${quoted(name)} is a text, quote all of it`
  return strayLine(source, start)
}

/** What the library says where it expects `NAME: VALUE`, also if a line above is the mistake. */
const NOT_A_PAIR: ReadonlySet<string> = new Set([
  'bad indentation of a mapping entry',
  'can not read a block mapping entry; a multiline key may not be an implicit key',
  "expected ':' after a mapping key",
])

/** Where an ordinary space would be syntax; elsewhere it can be meant. */
const SPACED_ODDLY = new RegExp(`(?:^ *|[:-])${ODD_SPACE.source}`)

/** YAML joins a line that is no pair to the next one, and only finds that one wrong. */
const strayLine = (source: Source, start: number): string => {
  for (const { text, number } of linesUpTo(source, start)) {
    if (SPACED_ODDLY.test(text)) return `; line ${number} has a no-break space: use ordinary spaces`
    if (!/^\s*(?:#|- |-$|.*:(?:\s|$))/.test(text))
      return `; look at line ${number}: it begins neither with "NAME: " nor with "- "`
  }
  return ''
}

/** The line that begins at an offset, and the one above it that is not empty. */
const linesUpTo = (source: Source, start: number): { text: string; number: number }[] => {
  const { end } = source.lineRange(start)
  const lines = source.text.slice(0, end).split(/\r\n|\r|\n/)
  const found = lines
    .map((text, index) => ({ text, number: index + 1 }))
    .filter(({ text }) => text.trim() !== '')
  return found.slice(-2).toReversed()
}

/** Only the library's sentence says what it was reading; `yaml.test.ts` fails if it changes. */
const isWithinBrackets = (reason: string): boolean => reason.includes('flow collection')
