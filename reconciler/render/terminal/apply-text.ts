import { asSentence } from '@deploymgmt/provider/core'
import { sectionOf } from '@deploymgmt/provider/engine'
import { INTERRUPTED } from '@deploymgmt/provider/errors'
import type { ChangeStatus } from '../../apply/result.ts'
import type { ApplyFinished, ApplySummary } from '../document/apply-events.ts'
import { laidOut, shownGroups, type Count } from './counts.ts'
import { actingCounts, DONE, hasDone } from '../wording/effects.ts'
import type { ReportedError } from '../document/failure.ts'
import { addressBlock, fold, moreLikeIt } from './folded.ts'
import { groupBy } from '../../text/group-by.ts'
import { withProject } from '../wording/beside-address.ts'
import { unverifiableGroups } from '../wording/grouped-addresses.ts'
import { took } from '../../text/instants.ts'
import {
  BLANK,
  dotted,
  hanging,
  headLines,
  indented,
  line,
  pad,
  printedLines,
  proseLines,
  SET_BACK,
  span,
  widthOf,
  type Line,
} from '../../text/lines.ts'
import { titleOf } from './head.ts'
import { warningLines } from './warning-lines.ts'
import type { Reports, ReportStyle } from '../document/reports.ts'
import { resolveLines } from './resolve-lines.ts'
import { runAgain, SETTLED_BY_APPLY, whereToLook } from '../wording/resolve-commands.ts'
import { counted } from '../wording/sentences.ts'
import { MARKS, proseRoom, roomOf, type Mark, type Style, type Tone } from '../../text/style.ts'

const ENDED: Readonly<Record<Exclude<ChangeStatus, 'done'>, Mark>> = {
  blocked: MARKS.blocked,
  failed: { symbol: '✗', tone: 'alarm' },
  unsaved: { symbol: '◌', tone: 'alarm' },
  unknown: { symbol: '‽', tone: 'alarm' },
  expired: MARKS.expired,
  skipped: { symbol: '·', tone: 'dim' },
}

const WORD_ROOM = 10
const NOTE_INDENT = 4 + WORD_ROOM

/** One event for a person; undefined if the progress line says the same. */
export const renderApplyEvent = (
  { document: event }: Reports['apply'],
  style: ReportStyle,
): string | undefined => {
  if (event.type === 'started' || event.type === 'settled') return undefined
  return event.type === 'summary'
    ? renderSummary(event, style)
    : printedLines(finishedLines(event, style), style)
}

const finishedLines = (event: ApplyFinished, style: Style): Line[] => {
  const { status, action, error } = event
  const address = withProject(event.address, style.names)
  const mark = status === 'done' ? MARKS[action] : ENDED[status]
  // What was done follows the address, except for its first word, or is below if there is no room.
  const [word = '', ...others] = status === 'done' ? hasDone(event).split(' ') : [status]
  const more = others.join(' ')
  const room = proseRoom(style) - NOTE_INDENT
  const fits = more === '' || NOTE_INDENT + address.length + 1 + more.length <= roomOf(style)
  const remarks = [
    ...(fits ? [] : [more]),
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
    ...event.notes,
  ]
  return [
    [
      span(`  ${mark.symbol} `, mark.tone),
      span(pad(word, WORD_ROOM), mark.tone),
      span(address),
      ...(fits && more !== '' ? [span(` ${more}`, 'dim')] : []),
    ],
    ...indented(
      NOTE_INDENT,
      remarks.flatMap((remark) => hanging(remark, room, status === 'done' ? 'dim' : undefined)),
    ),
  ]
}

/** The end of an apply: what a person has to do now comes first, and the counts last, where the eye rests. */
const renderSummary = (summary: ApplySummary, style: ReportStyle): string => {
  const { shownAbove } = style
  const rest = shownAbove === undefined ? restLines(summary, style) : []
  const warnings = summary.warnings.filter((each) => shownAbove?.warnings.includes(each) !== true)
  const blocks = [...openBlocks(summary, style), ...unknownBlocks(summary, style), rest]
  const last = [warningLines(warnings, style), goesOn(summary, style)]
  const shown = [...blocks, ...last].filter((lines) => lines.length > 0)
  const cost = `${counted(summary.requestsSent, 'request')} · ${took(summary.seconds)}`
  const exit = summary.exitCode === 0 ? [] : [line(`exit code ${summary.exitCode}`)]
  const groups = applyCounts(summary)
  const counts = shownGroups(groups)
  const room = roomOf(style)
  if (shown.length === 0 && counts.every((each) => widthOf(each) <= room - SET_BACK)) {
    const ended = counts.length === 0 ? [line('nothing to do')] : counts
    return printedLines(headLines([titleOf('apply'), ...ended, line(cost), ...exit], room), style)
  }
  const lines = [
    ...headLines([titleOf('apply'), line(cost)], room),
    BLANK,
    ...shown.flatMap((each) => [...each, BLANK]),
    ...(counts.length === 0 ? dotted([line('nothing to do'), ...exit], room) : laidOut(groups, exit, room)),
  ]
  return printedLines(lines, style)
}

/** Blocked and failed changes in full; unrecorded ones by name; those that were not started in few lines. */
const openBlocks = ({ blocked, problems }: ApplySummary, style: ReportStyle): Line[][] => {
  const of = (...statuses: ChangeStatus[]) => problems.filter(({ status }) => statuses.includes(status))
  const errorOf = errorsOnce(style)
  return [
    ...groupBy(blocked, ({ address }) => sectionOf(address)).flatMap((group) => blockedBlocks(group, style)),
    ...groupBy(of('failed'), (event) => `${sectionOf(event.address)} ${event.error?.code ?? ''}`)
      .flat()
      .map((event) =>
        block(ENDED.failed, withProject(event.address, style.names), [
          ...errorOf(event),
          ...said(event.notes, style),
        ]),
      ),
    inFewLines(ENDED.unsaved, of('unsaved'), { ...style, all: true }),
    inFewLines(ENDED.skipped, of('skipped', 'expired'), style),
  ]
}

/** How to go on after an interrupt, which leaves nothing half done. */
const goesOn = ({ exitCode, byStatus }: ApplySummary, { sameFlags = '', ...style }: ReportStyle): Line[] =>
  exitCode === INTERRUPTED && byStatus.skipped > 0
    ? proseLines(`deploymgmt apply${sameFlags} goes on where this one stopped.`, proseRoom(style))
    : []

/** Those with the same text share it, as in a plan; a terminal folds many of them. */
const blockedBlocks = (blocked: ApplySummary['blocked'], style: ReportStyle): Line[][] => {
  const room = proseRoom(style) - BODY
  const inFull = ({ address, reason, byHand }: ApplySummary['blocked'][number]): Line[] =>
    block(MARKS.blocked, withProject(address, style.names), said([reason, byHand], style))
  if (style.all === true) return blocked.map(inFull)
  return groupBy(blocked, ({ reason, byHand }) => JSON.stringify([reason, byHand])).map((group) => {
    const { shown, hidden } = fold(group, { all: style.isTerminal !== true })
    const more = hidden.length === 0 ? [] : hanging(moreLikeIt(hidden.length, shownAfterwards(style)), room)
    return [
      ...shown
        .slice(0, -1)
        .flatMap(({ address }) => block(MARKS.blocked, withProject(address, style.names), [])),
      ...shown.slice(-1).flatMap(inFull),
      ...indented(BODY, more),
    ]
  })
}

const inFewLines = (mark: Mark, events: readonly ApplyFinished[], style: ReportStyle): Line[] =>
  groupBy(events, ({ status, notes }) => [status, ...notes].join('; ')).flatMap((group) =>
    addressBlock(
      mark,
      group.map(({ address }) => withProject(address, style.names)),
      [group[0]?.status, ...(group[0]?.notes ?? [])].join(', '),
      { ...style, shownBy: shownAfterwards(style) },
    ),
  )

/** After an apply, only this command shows everything. */
const shownAfterwards = ({ sameFlags = '' }: Style): string => `deploymgmt plan${sameFlags} --all`

const BODY = 6

const block = (mark: Mark, address: string, body: readonly Line[]): Line[] => [
  [span(`  ${mark.symbol} `, mark.tone), span(address, 'strong')],
  ...indented(BODY, body),
]

const said = (texts: readonly (string | undefined)[], style: Style): Line[] =>
  texts.flatMap((text) => (text === undefined || text === '' ? [] : hanging(text, proseRoom(style) - BODY)))

/** An error in full: what failed, where, and what to do. The place is not wrapped, so that it can be copied. */
const errorLines = (error: ReportedError | undefined, style: Style): Line[] =>
  error === undefined
    ? []
    : [
        ...said([`Error ${error.code}: ${error.message}`], style),
        ...(error.where === undefined ? [] : [line(error.where)]),
        ...said([error.hint], style),
      ]

/**
 * If the state cannot be written, everything under way fails for the same reason, which is given in full only once.
 */
const errorsOnce = (style: Style): ((event: ApplyFinished) => Line[]) => {
  const told = new Map<string, string>()
  return ({ address, error }) => {
    const key = JSON.stringify(error)
    const before = told.get(key)
    if (error !== undefined && before !== undefined)
      return said([`Error ${error.code}: the same as for ${before}`], style)
    if (error !== undefined) told.set(key, address)
    return errorLines(error, style)
  }
}

/**
 * Each separately, however many there are, because each can need a person. The hint of an error is left out: it is
 * about a retry, and there is none.
 */
const unknownBlocks = ({ problems }: ApplySummary, style: Style): Line[][] =>
  problems
    .filter(({ status }) => status === 'unknown')
    .map(({ address, action, error, notes, until }) =>
      block(ENDED.unknown, withProject(address, style.names), [
        ...errorLines(error === undefined ? undefined : { ...error, hint: '' }, style),
        ...said(notes, style),
        ...proseLines(`It may have taken effect. ${whatNow(action, until, style)}`, proseRoom(style) - BODY),
        ...resolveLines(address, { wasCreation: action === 'create', until }, style),
      ]),
    )

const whatNow = (action: string, until: string | undefined, { atHead, sameFlags = '' }: Style): string => {
  if (action !== 'create') return asSentence(SETTLED_BY_APPLY)
  return until === undefined ? `Look at ${whereToLook(atHead)}, then say:` : runAgain(until, sameFlags)
}

const restLines = ({ unverifiable }: ApplySummary, style: ReportStyle): Line[] =>
  unverifiableGroups(unverifiable, style.names).flatMap(({ told, why }) =>
    addressBlock(MARKS.unverifiable, told, why, { ...style, shownBy: shownAfterwards(style) }),
  )

const one = (count: number, label: string, tone?: Tone): Count[] => [{ count, label, tone }]

const applyCounts = ({
  done,
  written,
  released,
  turnedOff,
  byStatus,
  unverifiable,
  unchanged,
}: ApplySummary): Count[][] => [
  actingCounts(
    DONE,
    (action) => ({
      all: done[action] ?? 0,
      writes: written[action] ?? 0,
      ...(action === 'release' ? { ways: released } : {}),
    }),
    turnedOff,
  ).map(({ action, ...each }) => ({ ...each, tone: MARKS[action].tone })),
  one(byStatus.blocked, 'blocked', MARKS.blocked.tone),
  one(byStatus.failed, 'failed', ENDED.failed.tone),
  one(byStatus.unknown, 'of unknown outcome', ENDED.unknown.tone),
  one(byStatus.unsaved, 'done but not recorded', ENDED.unsaved.tone),
  one(byStatus.skipped, 'skipped'),
  one(byStatus.expired, 'expired'),
  one(unverifiable.length, 'not verifiable', MARKS.unverifiable.tone),
  one(unchanged, 'in sync'),
]
