import { styleText } from 'node:util'
import type { Action } from '@deploymgmt/provider/engine'

/** How to write for a person: everything that depends on where it is read. */
export interface Style {
  readonly color: boolean
  /** Columns of the terminal; what cannot be broken may be longer. */
  readonly width: number
  /** What "in 15 days" counts from. */
  readonly now: Date
  /** Flags that a command to copy needs to mean the same declaration and state. */
  readonly sameFlags?: string
  /** What people call projects, by their ids. */
  readonly names?: ReadonlyMap<string, string>
  /** Ids that stand whole at the head of what is written: elsewhere they can be short. */
  readonly atHead?: readonly string[]
}

const FORMATS = {
  add: 'green',
  take: 'cyan',
  change: 'yellow',
  remove: 'red',
  move: 'blue',
  alarm: ['bold', 'red'],
  warn: ['bold', 'yellow'],
  doubt: 'magenta',
  dim: 'dim',
  strong: 'bold',
} as const satisfies Record<string, Parameters<typeof styleText>[0]>

export type Tone = keyof typeof FORMATS

/** The caller has decided about colour; the stream's own opinion does not count. */
export const paint = (text: string, tone: Tone | undefined, { color }: Pick<Style, 'color'>): string =>
  color && tone !== undefined && text !== ''
    ? styleText(asFormat(FORMATS[tone]), text, { validateStream: false })
    : text

type Format = Parameters<typeof styleText>[0]
const asFormat = (format: Format | readonly string[]): Format => format as Format

export interface Mark {
  readonly symbol: string
  readonly tone: Tone
}

/** What a line is about. A symbol is never shared, so that nothing is lost without colour. */
export const MARKS: Readonly<Record<Action | 'unverifiable', Mark>> = {
  create: { symbol: '+', tone: 'add' },
  // Into management and out of it: a pair.
  adopt: { symbol: '>', tone: 'take' },
  release: { symbol: '<', tone: 'remove' },
  update: { symbol: '~', tone: 'change' },
  moved: { symbol: '→', tone: 'move' },
  delete: { symbol: '-', tone: 'remove' },
  blocked: { symbol: '!', tone: 'warn' },
  expired: { symbol: '·', tone: 'dim' },
  unverifiable: { symbol: '?', tone: 'doubt' },
  unchanged: { symbol: ' ', tone: 'dim' },
}

/** Prose wider than this is hard to read, however wide the terminal is. */
const PROSE = 100
/** A terminal narrower than this gets lines that it has to wrap itself. */
const NARROWEST = 40

export const roomOf = ({ width }: Pick<Style, 'width'>): number => Math.max(width, NARROWEST)
export const proseRoom = (style: Pick<Style, 'width'>): number => Math.min(roomOf(style), PROSE)
