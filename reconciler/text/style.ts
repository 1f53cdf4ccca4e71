import { styleText } from 'node:util'
import type { Action } from '@deploymgmt/provider/engine'

/** How to write for a person: everything that depends on where it is read. */
export interface Style {
  readonly color: boolean
  /** Columns of the terminal; unbreakable text may be longer. */
  readonly width: number
  /** The reference time for "in 15 days". */
  readonly now: Date
  /** The flags with which a command to copy means the same declaration and state. */
  readonly sameFlags?: string
  /** The flags of an apply that allow what otherwise needs them. */
  readonly allowed?: ReadonlySet<string>
  /** What people call projects, by id. */
  readonly names?: ReadonlyMap<string, string>
  /** Ids that are shown in full at the beginning of the output, so that they can be short elsewhere. */
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

/** The caller decides about colour, not the stream. */
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

/** What a line is about. Each symbol is unique, so that nothing is lost without colour. */
export const MARKS: Readonly<Record<Action | 'unverifiable', Mark>> = {
  create: { symbol: '+', tone: 'add' },
  // A pair: into management, and out of it.
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

/** Wider prose is hard to read, however wide the terminal is. */
const PROSE = 100
/** A narrower terminal has to wrap lines itself. */
const NARROWEST = 40

export const roomOf = ({ width }: Pick<Style, 'width'>): number => Math.max(width, NARROWEST)
export const proseRoom = (style: Pick<Style, 'width'>): number => Math.min(roomOf(style), PROSE)
