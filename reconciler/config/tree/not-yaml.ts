import { quoted } from '../../text/display.ts'
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
    'a merge conflict begins here: keep one side, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>'
  return { at: conflict.index, why }
}

const remedy = (source: Source, at: number, reason: string): string => {
  const { start, end } = source.lineRange(at)
  const line = source.text.slice(start, end)
  if (/^ *\t/.test(line)) return '; indent with spaces, not with tabs'
  if (isWithinBrackets(reason) && /(^|[^"'])\$\{/.test(line))
    return '; within { } and [ ] an expression has to be quoted: "${…}"'
  if (isWithinBrackets(reason) && /[\s:,][\d.:TZ+-]{1,40}\[[^\]"']{0,80}\]/.test(line))
    return '; within { } and [ ] a time with its zone has to be quoted: "2026-12-05T02:00:00[Europe/Madrid]"'
  if (reason === 'deficient indentation')
    return '; a quote, [ or { above it is open, and what stands in it has to be indented: close it, or indent this line'
  const name = /^[ -]*([\w.-]+:)\s/.exec(source.text.slice(start, at))?.[1]
  // Behind a name, nothing is wrong with the indentation.
  if (reason === 'bad indentation of a mapping entry' && name !== undefined)
    return `; if what follows ${quoted(name)} is a text, quote all of it`
  return ''
}

/** Only the library's sentence says what it was reading; `yaml.test.ts` fails if it changes. */
const isWithinBrackets = (reason: string): boolean => reason.includes('flow collection')
