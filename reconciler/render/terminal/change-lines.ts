import { kindWords } from '@deploymgmt/provider/core'
import { entryOf, isUnverifiable, type Action, type ReasonCode } from '@deploymgmt/provider/engine'
import { displayWidth } from '../../text/display.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import { alikeChanges, alikeOccurrences } from '../wording/alike-changes.ts'
import { isQuiet, toDo, projectCounts } from '../wording/effects.ts'
import { acceptedSentences } from '../wording/acceptances.ts'
import { fieldLines, INDENT, type FieldStyle } from './field-lines.ts'
import { FOLD, fold, LONG, moreLikeIt } from './folded.ts'
import { groupBy } from '../../text/group-by.ts'
import { occurrenceLists, occurrenceOf, spanWords, startAside } from '../wording/occurrences.ts'
import {
  BLANK,
  GLUE,
  hanging,
  indented,
  largest,
  proseLines,
  span,
  widthOf,
  type Line,
} from '../../text/lines.ts'
import { projectBeside } from '../wording/beside-address.ts'
import { changedOutside, nobodySentence, sayNeed, unverifiableSentence } from '../wording/sentences.ts'
import { fileAndLine } from '../document/places.ts'
import { number } from '../../text/number.ts'
import { MARKS, proseRoom, roomOf, type Tone } from '../../text/style.ts'

const ORDER = [
  'create',
  'adopt',
  'update',
  'moved',
  'delete',
  'release',
  'blocked',
  'expired',
  'unverifiable',
  'unchanged',
] as const satisfies readonly (Action | 'unverifiable')[]

// The mark says the same; any other reason is shown.
const SAID_BY_THE_MARK: ReadonlySet<string | undefined> = new Set<ReasonCode>([
  'not-recorded',
  'live-differs',
  'declared-differs',
  'must-be-absent',
  'as-declared',
])

/** Changes by action, with those that change nothing folded, and blank lines around those with details. */
export const changeLines = (changes: readonly ReportedChange[], style: FieldStyle): Line[] => {
  const blocks = ORDER.flatMap((mark) =>
    groupBy(
      changes.filter((change) => markOf(change) === mark),
      ({ kind }) => kind,
    ),
  ).flatMap((group) => blocksOf(group, style))
  const column = placeColumn(
    blocks.flatMap(({ items }) => items),
    style,
  )
  return blocks
    .map(({ items, hidden }) =>
      blockLines(style.all === true ? items : withoutRepeats(items), hidden, column, style),
    )
    .flatMap((lines, index) => (index === 0 ? lines : [BLANK, ...lines]))
}

interface Block {
  readonly items: readonly Item[]
  readonly hidden: readonly ReportedChange[]
}

/** First the changes with an effect, all of them; then the others, in few lines. */
const blocksOf = (group: readonly ReportedChange[], style: FieldStyle): Block[] => {
  if (style.all === true) return [{ items: group.map((change) => itemOf(change, style)), hidden: [] }]
  const effects = group.filter((change) => !isQuiet(change))
  const { alone, together } = toldTogether(effects, alikeEffects)
  const told = [
    ...alone.map((change) => itemOf(change, style)),
    ...together.flatMap((alike) => groupItem(alike, style)),
  ]
  const quiet = groupBy(group.filter(isQuiet), ({ fields }) => String(fields.length > 0)).flatMap((alike) => {
    // What needs nothing is folded anyway, but occurrences can be told whole in few lines.
    const { alone: others, together: repeated } = toldTogether(alike, alikeOccurrences)
    const { shown, hidden } = fold(others)
    return [
      { items: repeated.flatMap((same) => groupItem(same, style)), hidden: [] },
      { items: shown.map((change) => itemOf(change, style)), hidden },
    ]
  })
  return [{ items: told, hidden: [] }, ...quiet].filter(({ items }) => items.length > 0)
}

/** Changes in groups of several, and the others in their order. */
const toldTogether = (
  changes: readonly ReportedChange[],
  groupsOf: (changes: readonly ReportedChange[]) => ReportedChange[][],
): { readonly alone: readonly ReportedChange[]; readonly together: readonly ReportedChange[][] } => {
  const together = groupsOf(changes).filter(({ length }) => length > 1)
  const grouped = new Set(together.flat())
  return { alone: changes.filter((change) => !grouped.has(change)), together }
}

/** Very many that do the same are told as one; otherwise those of one entry and description, which only repeat it. */
const alikeEffects = (changes: readonly ReportedChange[]): ReportedChange[][] =>
  alikeChanges(changes).flatMap((alike) =>
    alike.length > FOLD.over
      ? [alike]
      : groupBy(alike, ({ address, what }) => JSON.stringify([entryOf(address), what])),
  )

/** Items of one kind; those without details have no blank lines between them. */
const blockLines = (
  items: readonly Item[],
  hidden: readonly ReportedChange[],
  column: number,
  style: FieldStyle,
): Line[] => {
  const lines = items.flatMap((item, index) => {
    const above = items[index - 1]
    const gap = above === undefined || above.body.length === 0 ? [] : [BLANK]
    return [...gap, ...itemLines(item, column, style)]
  })
  return hidden.length === 0 ? lines : [...lines, ...hiddenLines(hidden, style)]
}

const markOf = (change: ReportedChange): keyof typeof MARKS =>
  isUnverifiable(change) ? 'unverifiable' : change.action

interface Item {
  readonly head: Line
  /** What stands in parentheses behind the head, or in the next line if there is no room. */
  readonly label?: string | undefined
  readonly place: string | undefined
  /** A description, if the address does not contain it. */
  readonly what: readonly Line[]
  readonly body: readonly Line[]
  readonly hasFields: boolean
}

const itemOf = (change: ReportedChange, style: FieldStyle): Item => {
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
const groupItem = (group: readonly ReportedChange[], style: FieldStyle): Item[] => {
  const [first] = group
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
        ...fieldLines({ ...first, fields: occurrence?.alike ?? first.fields }, style),
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
  const [change] = alike
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

/** Adjacent items without fields that have the same text share it, unless everything is requested. */
const withoutRepeats = (items: readonly Item[]): Item[] =>
  items.map((item, index) => {
    const next = items[index + 1]
    const isSaid = next !== undefined && !item.hasFields && !next.hasFields && isSame(item.body, next.body)
    if (!isSaid) return item
    return { ...item, what: isSame(item.what, next.what) ? [] : item.what, body: [] }
  })

const isSame = (a: readonly Line[], b: readonly Line[]): boolean => JSON.stringify(a) === JSON.stringify(b)

const hiddenLines = (hidden: readonly ReportedChange[], style: FieldStyle): Line[] => {
  const flags = groupBy(
    hidden.flatMap(({ needs }) => needs ?? []),
    ({ flag }) => flag,
  ).map((needs) => `${needs.length} of them need ${needs[0]?.flag ?? ''}`)
  const text = [moreLikeIt(hidden.length), ...flags].join('; ')
  return indented(4, hanging(text, proseRoom(style) - 4, flags.length > 0 ? 'warn' : 'dim'))
}

/** However wide the terminal is, a position stays close to what it locates. */
const PLACE_EDGE = 85

const placeColumn = (items: readonly Item[], style: FieldStyle): number => {
  const edge = Math.min(roomOf(style), PLACE_EDGE)
  const longestPlace = largest(items.map(({ place }) => displayWidth(place ?? '')))
  const longestHead = largest(items.map((item) => widthOf(headOf(item, style).head)))
  return Math.max(edge - longestPlace, Math.min(longestHead + 2, roomOf(style) - longestPlace))
}

/** The head with its label, or by itself with what belongs into the next line. */
const headOf = (
  { head, label }: Item,
  style: FieldStyle,
): { readonly head: Line; readonly below: readonly string[] } => {
  if (label === undefined) return { head, below: [] }
  const whole = [...head, span(`  ${label}`)]
  return widthOf(whole) <= roomOf(style) ? { head: whole, below: [] } : { head, below: [label] }
}

const itemLines = (item: Item, column: number, style: FieldStyle): Line[] => {
  const { head, below } = headOf(item, style)
  const body = [...item.what, ...item.body]
  const place = item.place ?? ''
  const used = widthOf(head)
  const gap = Math.max(2, column - used)
  if (below.length === 0 && used + gap + displayWidth(place) <= roomOf(style))
    return [[...head, ...(place === '' ? [] : [span(' '.repeat(gap)), span(place, 'dim')])], ...body]
  const next = [place, ...below].filter((each) => each !== '').join('  ')
  return [head, ...indented(INDENT, next === '' ? [] : [[span(next, 'dim')]]), ...body]
}
