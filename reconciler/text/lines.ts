import { clip } from '@deploymgmt/provider/core/text'
import { characters, displayWidth, visible } from './display.ts'
import { paint, type Style, type Tone } from './style.ts'

/**
 * Text is laid out as lines of spans, and painted last: layout does not depend on colour, and everything that
 * reaches a terminal is escaped.
 */
export interface Span {
  readonly text: string
  readonly tone?: Tone | undefined
}
export type Line = readonly Span[]

export const span = (text: string, tone?: Tone): Span => ({ text: visible(text), tone })
export const line = (...parts: readonly (Span | string)[]): Line =>
  parts.map((part) => (typeof part === 'string' ? span(part) : part))
export const BLANK: Line = []

export const widthOf = (spans: Line): number => spans.reduce((sum, { text }) => sum + displayWidth(text), 0)

export const largest = (numbers: readonly number[]): number =>
  numbers.reduce((most, each) => Math.max(most, each), 0)

const DOT: Span = { text: ' · ', tone: 'dim' }

/** Figures separated by ` · `, over several lines if necessary; further lines may be shorter. */
export const dotted = (figures: readonly Line[], room: number, setBack = 0): Line[] =>
  figures.reduce<Line[]>((lines, figure) => {
    const last = lines.at(-1)
    if (last === undefined) return [figure]
    const longer = [...last, DOT, ...figure]
    const left = lines.length === 1 ? room : room - setBack
    return widthOf(longer) <= left ? [...lines.slice(0, -1), longer] : [...lines, figure]
  }, [])

/** By how much the further lines of a head are indented. */
export const SET_BACK = 2

/** The same for the first line of a report, whose further lines are indented. */
export const headLines = (figures: readonly Line[], room: number): Line[] => {
  const [first = [], ...others] = dotted(figures, room, SET_BACK)
  return [first, ...indented(SET_BACK, others)]
}

export const indented = (by: number, lines: readonly Line[]): Line[] =>
  lines.map((each) => (each.length === 0 ? each : [span(' '.repeat(by)), ...each]))

/** The lines as text, without a final line break. */
export const printedLines = (lines: readonly Line[], style: Pick<Style, 'color'>): string =>
  lines.map((each) => printLine(each, style)).join('\n')

const printLine = (spans: Line, style: Pick<Style, 'color'>): string => {
  const last = spans.findLastIndex(({ text }) => text.trimEnd() !== '')
  return spans
    .slice(0, last + 1)
    .map(({ text, tone }, index) => paint(visible(index === last ? text.trimEnd() : text), tone, style))
    .join('')
}

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/** The text in at most this many columns, with `…` if it was cut. */
export const cut = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of characters(text)) {
    used += displayWidth(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** The same for text of any length, as it is shown: the part that is cut in any case is not measured, which is slow. */
export const cutLong = (text: string, width: number): string => cut(visible(clip(text, width * 2)), width)

/** Prose in at most this many columns: cut behind a sentence or a word, and not within parentheses. */
export const cutProse = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  const kept = cut(text, width - 1)
  const whole = /^.*[.?](?= )/s.exec(kept)?.[0] ?? ''
  if (displayWidth(whole) > width / 2) return `${whole} …`
  const words = kept.replace(/\s+\S*…$/, '…').replace(/\s*\([^()]*…$/, '…')
  return words === '…' ? kept : words.replace(/[,:;]…$/, '…')
}

/**
 * Paragraphs wrapped at spaces. A word that is too long stays whole, because it may be an id. So does what may be
 * pasted: a value in braces, with its field, and a command with its flags, of which a shell would run each part.
 */
export const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap((each) => wrapOne(visible(each), width))

const wrapOne = (text: string, width: number): string[] => {
  const lines: string[] = []
  let current = ''
  for (const word of text.replaceAll(PASTED, (pasted) => pasted.replaceAll(' ', GLUE)).split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`
    if (current !== '' && displayWidth(longer) > width) {
      lines.push(current)
      current = word
    } else current = longer
  }
  return [...lines, current].map((each) => each.replaceAll(GLUE, ' '))
}

/** A word of a command line, with its quotes; the first ones do not end a clause. */
const WORD = String.raw`(?:'[^']*'|[^\s'])+`
const NAME = String.raw` (?!-)${WORD}(?<![.,:;)])`
const FLAG = String.raw` --?[a-z](?:${WORD})?(?: (?!-)${WORD})?`
const ABOUT_A_THING = String.raw` state (?:accept|disown|forget|mv|resolve|show|unlock)${NAME}`

/**
 * `projectIds: { all: true, except: [search] }`, `{ section: users, id: … }`, commands that name a thing or have
 * flags, and flags after a colon. A word too many is no harm.
 */
const PASTED = new RegExp(
  String.raw`(?:\b\w+: )?\{ \w+: [^{}]* \}|\bdeploymgmt(?:${ABOUT_A_THING}|(?:${NAME}){1,4}?(?=${FLAG}))(?:${FLAG})*|\bdeploymgmt(?: (?:state|drift|get))? [a-z]+\b|(?<=: )${FLAG.trimStart()}(?:${FLAG})*`,
  'g',
)

/** A space that does not break; printed as an ordinary one. */
export const GLUE = '\u00A0'

/** A paragraph with a hanging indent, so that the start of the next one is visible. */
export const hanging = (text: string, width: number, tone?: Tone): Line[] => {
  const [first = '', ...others] = wrap(unbroken(text), width)
  const rest = others.length === 0 ? [] : wrap(others.join(' '), width - 2)
  return [[span(first, tone)], ...rest.map((each) => [span(`  ${each}`, tone)])]
}

/** The least indent of the rest of a folded line: more than what stands below an error. */
const FOLD = 4

/** A line that does not fit the terminal, folded as prose; an excerpt of a file fits. Keeps its indent. */
export const foldedLines = (text: string, { columns, prose }: FoldRoom): string[] => {
  if (displayWidth(text) <= columns) return [text]
  const indent = /^ */.exec(text)?.[0] ?? ''
  const [first = '', ...others] = wrap(text.slice(indent.length), prose - indent.length)
  const further = Math.max(FOLD, indent.length + 2)
  const rest = others.length === 0 ? [] : wrap(others.join(' '), prose - further)
  return [indent + first, ...rest.map((each) => ' '.repeat(further) + each)]
}

interface FoldRoom {
  readonly columns: number
  /** The most columns of prose. */
  readonly prose: number
}

/** A wrapped paragraph as lines. */
export const proseLines = (text: string, width: number): Line[] => paragraphs(unbroken(text), width)

/** A line break in a sentence is part of a name, and does not start a new line. */
const unbroken = (text: string): string => text.replaceAll('\n', String.raw`\n`)

/** Wrapped paragraphs, with their own line breaks. */
export const paragraphs = (text: string, width: number): Line[] =>
  wrap(text, width).map((each) => [span(each)])
