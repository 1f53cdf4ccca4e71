import { kindWords } from '@deploymgmt/provider/core'
import { isUnverifiable, type ReasonCode } from '@deploymgmt/provider/engine'
import type { ReportedChange } from '../document/plan-model.ts'
import { toDo, projectCounts } from '../wording/effects.ts'
import { acceptedSentences } from '../wording/acceptances.ts'
import { asOne } from '../wording/alike-changes.ts'
import { fieldLines, INDENT, type FieldStyle } from './field-lines.ts'
import { fold, LONG, moreLikeIt } from './folded.ts'
import { occurrenceLists, occurrenceOf, spanWords, startAside, withoutTimes } from '../wording/occurrences.ts'
import { GLUE, hanging, indented, proseLines, span, widthOf, type Line } from '../../text/lines.ts'
import { projectBeside } from '../wording/beside-address.ts'
import { changedOutside, nobodySentence, sayNeed, unverifiableSentence } from '../wording/sentences.ts'
import { fileAndLine } from '../document/places.ts'
import { number } from '../../text/number.ts'
import { MARKS, proseRoom, roomOf, type Tone } from '../../text/style.ts'

// The mark says the same; any other reason is shown.
const SAID_BY_THE_MARK: ReadonlySet<string> = new Set<ReasonCode>([
  'not-recorded',
  'live-differs',
  'declared-differs',
  'must-be-absent',
  'as-declared',
])

/** What a change is shown as. */
export const markOf = (change: ReportedChange): keyof typeof MARKS =>
  isUnverifiable(change) ? 'unverifiable' : change.action

/** A change, or several that are told together, before they are laid out. */
export interface Item {
  readonly head: Line
  /** What stands in parentheses behind the head, or in the next line if there is no room. */
  readonly label?: string | undefined
  readonly place: string | undefined
  /** A description, if the address does not contain it. */
  readonly what: readonly Line[]
  readonly body: readonly Line[]
  readonly hasFields: boolean
}

/** One change by itself. */
export const itemOf = (change: ReportedChange, style: FieldStyle): Item => {
  const mark = MARKS[markOf(change)]
  const label = labelOf(change, style)
  return {
    head: [
      span(`  ${mark.symbol} `, mark.tone),
      span(change.address, change.action === 'unchanged' ? undefined : 'strong'),
    ],
    label: label === undefined ? undefined : `(${label})`,
    place: fileAndLine(change.declaredAt),
    what: whatLines(change.what, style),
    body: [...fieldLines(change, style), ...remarks([change], style)],
    hasFields: change.fields.length > 0,
  }
}

const whatLines = (what: string | undefined, style: FieldStyle): Line[] =>
  what === undefined ? [] : indented(INDENT, hanging(what, proseRoom(style) - INDENT))

/** The common text of many changes: how many and where, the fields, then the addresses. */
export const groupItem = (group: readonly ReportedChange[], style: FieldStyle): Item[] => {
  const first = asOne(group)
  if (first === undefined) return []
  const mark = MARKS[markOf(first)]
  const title = `${number(group.length)} ${kindWords(first.kind)}s ${isUnverifiable(first) ? 'not verifiable' : toDo(first)}`
  const projects = projectsIn(group, style)
  const head = [span(`  ${mark.symbol} `, mark.tone), span(title, 'strong')]
  const whole = projects === '' ? head : [...head, span(` · ${projects.replaceAll(GLUE, ' ')}`)]
  const fits = widthOf(whole) <= roomOf(style)
  const room = proseRoom(style) - INDENT
  const places = new Set(group.map(({ declaredAt }) => fileAndLine(declaredAt)))
  const occurrence = occurrenceOf(first)
  const isOneThing = new Set(group.map(({ what }) => what)).size === 1
  return [
    {
      head: fits ? whole : head,
      place: places.size === 1 ? fileAndLine(first.declaredAt) : undefined,
      what: isOneThing ? whatLines(first.what, style) : [],
      body: [
        ...(fits ? [] : indented(INDENT, hanging(projects, room))),
        ...fieldLines(withoutTimes(first), style),
        ...remarks(group, style),
        ...(occurrence === undefined
          ? indented(INDENT, proseLines(addressesOf(group, isOneThing, style), room))
          : occurrenceLines(group, style)),
      ],
      hasFields: true,
    },
  ]
}

/** Each occurrence in a line, without those that would scroll away on a terminal. */
const occurrenceLines = (group: readonly ReportedChange[], style: FieldStyle): Line[] => {
  const lists = occurrenceLists(
    group,
    occurrenceOf,
    (change, occurrence) => {
      const removed = removedPart(change)
      const aside = startAside(occurrence, style.now)
      return `${spanWords(occurrence)}  ${removed === undefined ? aside : `(${removed}, ${aside.slice(1)}`}`
    },
    style.names,
  )
  const room = proseRoom(style) - INDENT
  return indented(
    INDENT,
    lists.flatMap(({ title, lines }) => {
      const { shown, hidden } = fold(lines, { all: style.isTerminal !== true, room: LONG })
      return [
        ...proseLines(`${title}:`, room),
        ...indented(
          2,
          shown.flatMap((each) => hanging(each, room - 2)),
        ),
        ...(hidden.length === 0 ? [] : indented(2, hanging(moreLikeIt(hidden.length), room - 2, 'dim'))),
      ]
    }),
  )
}

/** The addresses, without those that would scroll away on a terminal. */
const addressesOf = (
  group: readonly ReportedChange[],
  isOneThing: boolean,
  { isTerminal }: FieldStyle,
): string => {
  const isFolded = isTerminal === true && group.length > LONG.over
  const shown = (isFolded ? group.slice(0, LONG.shown) : group).map((change) => {
    const parts = [removedPart(change), isOneThing ? undefined : change.what].filter(
      (part) => part !== undefined,
    )
    return parts.length === 0 ? change.address : `${change.address} (${parts.join(', ')})`
  })
  return shown.join(', ') + (isFolded ? ` ${moreLikeIt(group.length - LONG.shown)}` : '')
}

/** `payments 3, search 3`, if there are several projects. */
const projectsIn = (group: readonly ReportedChange[], { names, isTerminal }: FieldStyle): string => {
  if (names === undefined || names.size < 2) return ''
  const told = projectCounts(group).map(([id, count]) => `${names.get(id) ?? id}${GLUE}${number(count)}`)
  return isTerminal === true && told.length > LONG.shown ? `${number(told.length)} projects` : told.join(', ')
}

/** The target of a removal, if the address does not contain it: the last part of its path. */
const labelOf = (change: ReportedChange, { names }: FieldStyle): string | undefined => {
  const parts = [removedPart(change), projectOf(change, names)]
  const said = parts.filter((part) => part !== undefined)
  return said.length === 0 ? undefined : said.join(', ')
}

const removedPart = ({ action, address, requests }: ReportedChange): string | undefined => {
  const [request] = requests
  if (request === undefined || (action !== 'delete' && action !== 'release')) return undefined
  const last = request.path.split('/').at(-1) ?? ''
  return last === '' || address.includes(last) ? undefined : last
}

/** The project, if there are several and no field below shows it. */
const projectOf = (
  { before, after, fields }: ReportedChange,
  names: FieldStyle['names'],
): string | undefined =>
  fields.some(({ path }) => path === 'projectId')
    ? undefined
    : projectBeside((after ?? before)?.['projectId'], names)

/** Everything else about changes that are told together, a paragraph each. */
const remarks = (alike: readonly ReportedChange[], style: FieldStyle): Line[] => {
  const change = asOne(alike)
  if (change === undefined) return []
  const room = proseRoom(style) - INDENT
  const say = (text: string, tone?: Tone): Line[] => indented(INDENT, hanging(text, room, tone))
  return [
    ...(isUnverifiable(change) ? say(unverifiableSentence(change.evidence)) : reasonLines(change, say)),
    ...(change.byHand === undefined ? [] : say(change.byHand)),
    ...whoSentences(change, alike).flatMap((text) => say(text)),
    ...acceptedSentences(change).flatMap((text) => say(text, 'warn')),
    ...(change.notes ?? []).flatMap((note) => say(note, 'dim')),
    ...(change.needs ?? []).flatMap((need) => say(sayNeed(need, style), 'warn')),
  ]
}

const whoSentences = (change: ReportedChange, alike: readonly ReportedChange[]): string[] => {
  const { actor, evidence } = change
  if (actor !== undefined) return changedOutside(alike)
  if (isUnverifiable(change)) return []
  // A thing that was read may differ only because the manifest was edited.
  if (evidence.level === 'read') return evidence.note === undefined ? [] : [evidence.note]
  return nobodySentence(evidence)
}

const reasonLines = ({ reasonCode, reason }: ReportedChange, say: (text: string) => Line[]): Line[] =>
  SAID_BY_THE_MARK.has(reasonCode) ? [] : say(reason)
