import type { Action } from '@deploymgmt/provider/engine'
import type { ApplyError, ApplyEvent, ApplyFinished, ApplyStatus, ApplySummary } from './apply-events.ts'
import { countLine, type Count } from './counts.ts'
import { addressBlock, unverifiableGroups } from './groups.ts'
import { took } from './instants.ts'
import { BLANK, indented, pad, print, prose, span, type Line } from './lines.ts'
import { titleOf, warningLines, type ReportStyle } from './plan-text.ts'
import { resolveCommands } from './resolve.ts'
import { counted, sentences } from './sentences.ts'
import { MARKS, proseRoom, type Mark, type Style, type Tone } from './style.ts'

const DONE: Readonly<Record<Action, string>> = {
  create: 'created',
  adopt: 'adopted',
  update: 'changed',
  moved: 'renamed',
  delete: 'deleted',
  release: 'released',
  blocked: 'blocked',
  expired: 'expired',
  unchanged: 'in sync',
}

const ENDED: Readonly<Record<Exclude<ApplyStatus, 'done'>, Mark>> = {
  blocked: MARKS.blocked,
  failed: { symbol: '✗', tone: 'alarm' },
  unknown: { symbol: '?', tone: 'alarm' },
  expired: MARKS.expired,
  skipped: { symbol: '·', tone: 'dim' },
}

const WORD_ROOM = 10
const NOTE_INDENT = 4 + WORD_ROOM

/** One event for a person; undefined where it says nothing that the progress line does not. */
export const renderApplyEvent = (event: ApplyEvent, style: ReportStyle): string | undefined => {
  if (event.type === 'started') return undefined
  return event.type === 'summary'
    ? renderApplySummary(event, style)
    : print(finishedLines(event, style), style)
}

const finishedLines = (event: ApplyFinished, style: Style): Line[] => {
  const { status, action, address, error } = event
  const mark = status === 'done' ? MARKS[action] : ENDED[status]
  const word = status === 'done' ? DONE[action] : status
  const room = proseRoom(style) - NOTE_INDENT
  const remarks = [...(error === undefined ? [] : [`${error.code}: ${error.message}`]), ...event.notes]
  return [
    [span(`  ${mark.symbol} `, mark.tone), span(pad(word, WORD_ROOM), mark.tone), span(address)],
    ...indented(
      NOTE_INDENT,
      remarks.flatMap((remark) => prose(remark, room, status === 'done' ? 'dim' : undefined)),
    ),
  ]
}

/** How it ended: what a person has to do now first, and the counts last, where the eye rests. */
export const renderApplySummary = (summary: ApplySummary, style: ReportStyle): string => {
  const { problems } = summary
  const blocks = [
    ...summary.blocked.map((thing) =>
      block(MARKS.blocked, thing.address, [sentences(thing.reason), thing.byHand], style),
    ),
    ...problems
      .filter(({ status }) => status !== 'unknown' && status !== 'done')
      .map((event) => problemBlock(event, style)),
    ...problems.filter(({ status }) => status === 'unknown').map((event) => unknownBlock(event, style)),
    restBlock(summary, style),
    warningLines(summary.warnings, style),
  ].filter((lines) => lines.length > 0)
  const cost = `${counted(summary.requestsSent, 'request')} · ${took(summary.seconds)}`
  return print(
    [
      [...titleOf('apply'), span(` · ${cost}`)],
      BLANK,
      ...blocks.flatMap((lines) => [...lines, BLANK]),
      [
        ...withFallback(applyCounts(summary)),
        ...(summary.exitCode === 0 ? [] : [span(` · exit code ${summary.exitCode}`)]),
      ],
    ],
    style,
  )
}

const withFallback = (counts: Line): Line => (counts.length === 0 ? [span('Nothing was to be done')] : counts)

const BODY = 6

const block = (
  mark: Mark,
  address: string,
  texts: readonly (string | undefined)[],
  style: Style,
  more: readonly Line[] = [],
): Line[] => {
  const room = proseRoom(style) - BODY
  const said = texts.flatMap((text) => (text === undefined || text === '' ? [] : prose(text, room)))
  return [
    [span(`  ${mark.symbol} `, mark.tone), span(address, 'strong')],
    ...indented(BODY, [...said, ...more]),
  ]
}

const problemBlock = ({ status, address, error, notes }: ApplyFinished, style: Style): Line[] =>
  block(
    status === 'done' ? MARKS.unchanged : ENDED[status],
    address,
    [
      status === 'failed' ? undefined : `${status}.`,
      ...errorTexts(error),
      ...notes.map((note) => sentences(note)),
    ],
    style,
  )

const unknownBlock = ({ address, error, notes }: ApplyFinished, style: Style): Line[] =>
  block(
    ENDED.unknown,
    address,
    [
      'The request left, and nothing tells whether it took effect. Look at the service, then say which:',
      ...errorTexts(error),
      ...notes.map((note) => sentences(note)),
    ],
    style,
    resolveCommands(address),
  )

/** An error in full: what failed, where, and what to do. */
const errorTexts = (error: ApplyError | undefined): string[] =>
  error === undefined
    ? []
    : [
        `Error ${error.code}: ${error.message}`,
        ...[error.where, error.hint].filter((text) => text !== undefined),
      ]

const restBlock = ({ unverifiable }: ApplySummary, style: ReportStyle): Line[] =>
  unverifiableGroups(unverifiable).flatMap(({ addresses, why }) =>
    addressBlock(MARKS.unverifiable, addresses, why, style),
  )

const ORDER = ['create', 'adopt', 'update', 'moved', 'delete', 'release'] as const

const applyCounts = ({ done, byStatus, unverifiable, unchanged }: ApplySummary): Line => {
  const one = (count: number, label: string, tone?: Tone): Count[] => [{ count, label, tone }]
  return countLine(
    ORDER.map((action) => ({ count: done[action] ?? 0, label: DONE[action], tone: MARKS[action].tone })),
    one(byStatus.blocked, 'blocked', MARKS.blocked.tone),
    one(byStatus.failed, 'failed', ENDED.failed.tone),
    one(byStatus.unknown, 'of unknown outcome', ENDED.unknown.tone),
    one(byStatus.skipped, 'skipped'),
    one(byStatus.expired, 'expired'),
    one(unverifiable.length, 'not verifiable', MARKS.unverifiable.tone),
    one(unchanged, 'in sync'),
  )
}
