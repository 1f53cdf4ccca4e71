import { characters, displayWidth, visible } from './display.ts'
import { paint, type Style, type Tone } from './style.ts'

/**
 * Text is laid out as lines of spans and painted last: a layout cannot depend on colour, and nothing
 * reaches a terminal unescaped.
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

/** Figures with ` · ` between them, over several lines where one has no room; the further ones may have less of it. */
export const dotted = (figures: readonly Line[], room: number, setBack = 0): Line[] =>
  figures.reduce<Line[]>((lines, figure) => {
    const last = lines.at(-1)
    if (last === undefined) return [figure]
    const longer = [...last, DOT, ...figure]
    const left = lines.length === 1 ? room : room - setBack
    return widthOf(longer) <= left ? [...lines.slice(0, -1), longer] : [...lines, figure]
  }, [])

const SET_BACK = 2

/** The same for the first line of a report, whose further lines are set back. */
export const headLines = (figures: readonly Line[], room: number): Line[] => {
  const [first = [], ...others] = dotted(figures, room, SET_BACK)
  return [first, ...indented(SET_BACK, others)]
}

export const indented = (by: number, lines: readonly Line[]): Line[] =>
  lines.map((each) => (each.length === 0 ? each : [span(' '.repeat(by)), ...each]))

/** The lines as text, without a line break at the end. */
export const print = (lines: readonly Line[], style: Pick<Style, 'color'>): string =>
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

/** The text in at most so many columns, with `…` where it was cut. */
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

/**
 * Paragraphs broken at spaces; a word that is too long stays whole, since it may be an id or a command, and so does
 * what a field holds in braces, since it may be pasted.
 */
export const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap((each) => wrapOne(visible(each), width))

const wrapOne = (text: string, width: number): string[] => {
  const lines: string[] = []
  let current = ''
  for (const word of text.replaceAll(FIELD, (field) => field.replaceAll(' ', GLUE)).split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`
    if (current !== '' && displayWidth(longer) > width) {
      lines.push(current)
      current = word
    } else current = longer
  }
  return [...lines, current].map((each) => each.replaceAll(GLUE, ' '))
}

/** `projectIds: { all: true, except: [search] }`. */
const FIELD = /\b\w+: \{ [^{}]* \}/g

/** Keeps two words on one line; printed as a space. */
export const GLUE = '\u00A0'

/** A paragraph whose further lines are set back, so that the next one is seen to begin. */
export const hanging = (text: string, width: number, tone?: Tone): Line[] => {
  const [first = '', ...others] = wrap(unbroken(text), width)
  const rest = others.length === 0 ? [] : wrap(others.join(' '), width - 2)
  return [[span(first, tone)], ...rest.map((each) => [span(`  ${each}`, tone)])]
}

/** A wrapped paragraph as lines. */
export const prose = (text: string, width: number): Line[] => paragraphs(unbroken(text), width)

/** A line break in a sentence is what somebody has called something, and makes no line of its own. */
const unbroken = (text: string): string => text.replaceAll('\n', String.raw`\n`)

/** Wrapped paragraphs as lines: for a text that is shown as it is meant. */
export const paragraphs = (text: string, width: number): Line[] =>
  wrap(text, width).map((each) => [span(each)])
