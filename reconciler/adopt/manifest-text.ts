import { asSentence, isNone, parseInstant, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import { actorText, sayMoment } from '@deploymgmt/provider/words'
import { newestFirstBy, type Changed, type EventThing } from '@deploymgmt/provider/engine'
import { commentLine, comments, entryLines, flow } from './yaml.ts'

/** A change to something in a project. */
export interface ChangedIn extends Changed {
  readonly project: string
}

/** An entry to write. */
export interface Written {
  readonly section: string
  /** Its heading: a project, or empty if it is in none. */
  readonly group: string
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
  readonly remarks: readonly string[]
  /** Whether the remarks were shortened. */
  readonly isCut: boolean
  readonly changes: readonly ChangedIn[]
  /** The number of things that it stands for, and of their projects. */
  readonly things: number
  readonly places: number
  /** Whether it also covers projects that are named later. */
  readonly forAll: boolean
  /** The field of its selector that excludes things that are added later, with a description. */
  readonly bound?: { readonly by: string; readonly says: string } | undefined
  /** Whether it has a selector. */
  readonly selects: boolean
}

/** The same for a thing that only events show: it is written as a comment. */
export interface WrittenTold extends Pick<Written, 'section' | 'group' | 'name' | 'values'> {
  readonly told: EventThing
  /** Set for the calling key. */
  readonly isCaller: boolean
}

export interface ManifestText {
  readonly name: string
  readonly head: readonly string[]
  /** By section: what its entries mean for a project that is added to them. */
  readonly whereAdded: Readonly<Record<string, string>>
  /** The order of sections and headings. */
  readonly sections: readonly string[]
  readonly groups: readonly string[]
  /** The heading that is omitted, because the whole file is about it. */
  readonly plain: string
  readonly entries: readonly Written[]
  readonly told: readonly WrittenTold[]
  readonly now: Date
}

const HOW =
  'What is commented out is known only from events. To manage it, fill in what is missing and remove the "# ".'

const COMMENTS = 'Comments show what was found; only fields are compared.'
const CUT = ' Where one is cut short, deploymgmt inventory lists all.'

/** Explains what entries do not show: what they will stand for later. */
const standingFor = (entries: readonly Written[]): string[] => {
  const [bound] = entries.flatMap((each) => each.bound?.by ?? [])
  const sayings = [
    ...(entries.some(({ forAll }) => forAll)
      ? ['An entry for all projects also covers those that you name later']
      : []),
    ...(entries.some((each) => each.selects && each.bound === undefined)
      ? ['a selector also covers what is added later, and sets it as its entry says']
      : []),
  ]
  const text = sayings.join('; ')
  return [
    ...(text === '' ? [] : [asSentence(text)]),
    ...(bound === undefined
      ? []
      : [
          `A selector with ${bound} covers only what existed by then: nothing that is added later is turned off. Remove ${bound}, and it is.`,
        ]),
  ]
}

const EXCEPTION = [
  'An id beats a selector: declare an exception by its id, in an entry of its own.',
  'deploymgmt inventory --format csv lists ids.',
]

/** A manifest for people to keep. */
export const manifestText = ({
  name,
  head,
  sections,
  groups,
  plain,
  entries,
  told,
  whereAdded,
  now,
}: ManifestText): string => {
  const isDeclared = (section: string): boolean => entries.some((each) => each.section === section)
  // Things that are known only from events come last, because nobody has to read them first.
  const ordered = [...sections.filter(isDeclared), ...sections.filter((section) => !isDeclared(section))]
  const parts = ordered.flatMap((section) => {
    const own = entries.filter((each) => each.section === section)
    const known = told.filter((each) => each.section === section)
    if (own.length + known.length === 0) return []
    const within = groups
      .map((group) => groupLines({ group, plain, added: whereAdded[section], now }, own, known))
      .filter(({ length }) => length > 0)
    // A blank line between headings, and none before the first.
    return ['', `${section}:`, ...within.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))]
  })
  const isRemarked = entries.some(({ remarks }) => remarks.length > 0)
  const remarked = isRemarked ? [`${COMMENTS}${entries.some(({ isCut }) => isCut) ? CUT : ''}`] : []
  const exception = entries.some(({ selects }) => selects) ? EXCEPTION : []
  const all = [
    ...head,
    ...standingFor(entries),
    ...exception,
    ...remarked,
    ...(told.length === 0 ? [] : [HOW]),
  ]
  return [...all.flatMap((each) => comments(each)), 'version: 1', `name: ${flow(name)}`, ...parts, ''].join(
    '\n',
  )
}

interface Heading extends Pick<ManifestText, 'plain' | 'now'> {
  readonly group: string
  /** What the entries of its section mean for a project that is added to them. */
  readonly added: string | undefined
}

const groupLines = (
  { group, plain, added, now }: Heading,
  entries: readonly Written[],
  told: readonly WrittenTold[],
): string[] => {
  const own = entries.filter((each) => each.group === group)
  const known = told.filter((each) => each.group === group)
  if (own.length + known.length === 0) return []
  return [
    ...(group === plain ? [] : heading(group)),
    ...(added === undefined ? [] : addedLines(own, added)),
    ...own.flatMap((each) => [...remarkLines(each), ...entryLines(each.name, each.values)]),
    ...known.flatMap((each) => toldLines(each, now)),
  ]
}

/** Two number signs, so that no remark looks like a part of it. */
const heading = (text: string): string[] => comments(text, { indent: '  ', sign: '##' })

const remarkLines = ({ group, remarks, changes, bound }: Written): string[] => {
  const all = [...remarks, ...changesOf(changes, group), ...(bound === undefined ? [] : [bound.says])]
  return all.length === 0 ? [] : comments(all.join('; '), { indent: '  ' })
}

/** Explains what a person who adds the name of a project would not see. */
const addedLines = (entries: readonly Written[], added: string): string[] => {
  if (entries.some(({ forAll }) => forAll))
    return [
      ...heading(`A project that is named later is one of them: ${added}.`),
      // Text to paste is not wrapped.
      ...heading('To leave it out: projectIds: { all: true, except: [NAME] }'),
    ]
  return entries.some(({ values }) => values['projectIds'] !== undefined)
    ? heading(`In a project that is added to one of these: ${added}.`)
    : []
}

/** Without its number signs it is an entry, and its comments stay comments. */
const toldLines = ({ name, values, told, isCaller }: WrittenTold, now: Date): string[] => {
  const { open } = told.definition.adoption.told ?? { open: {} }
  const { fields } = told.definition
  const lines = Object.keys(fields).flatMap((field): string[] => {
    const value = values[field]
    if (value !== undefined) return [`    ${field}: ${flow(value)}`]
    return open[field] === undefined ? [] : [`    ${field}: ${commentLine(`to be put here: ${open[field]}`)}`]
  })
  const caller = isCaller ? ', the key that this command uses: managing it here can lock the command out' : ''
  return [`  ${name}: ${commentLine(evidenceOf(told, caller, now))}`, ...lines].map(
    (line) => `  # ${line.slice(2)}`,
  )
}

/** The event from which it is known. */
const evidenceOf = (
  { definition, event, count, value, values }: EventThing,
  caller: string,
  now: Date,
): string => {
  const often = count === 1 ? '' : `${count} events, the last `
  return `${flow(value)}${caller}${isInForce(definition, values, now) ? ', in force now' : ''}, known from ${often}${eventText(event)}`
}

/** Whether something with an end has started; things that are over are left out. */
const isInForce = ({ lifetime }: KindDefinition, values: Values, now: Date): boolean => {
  const begins = isNone(lifetime) ? undefined : values[lifetime.dates[0] ?? '']
  return typeof begins === 'string' && parseInstant(begins) <= now.getTime()
}

const FEW = 3

/** Each change if there are few, the newest if there are many. */
const changesOf = (changes: readonly ChangedIn[], group: string): string[] => {
  const newest = newestFirstBy(changes, ({ event }) => event['created'])
  const [more, said] =
    changes.length > FEW ? [`, the last of ${changes.length} such events`, newest.slice(0, 1)] : ['', newest]
  return said.map(({ event, turnedOff, project }) => {
    const where = project === group ? '' : ` in ${project}`
    return `${turnedOff ? 'turned off' : 'last changed'}${where} by ${eventText(event)}${more}`
  })
}

/** `ALERT_CONFIG_DISABLED_AUDIT by key "oncall", 2026-11-18 09:12:00 UTC, event 5dc9…`. */
const eventText = (event: Values): string => {
  const text = (field: string): string | undefined =>
    typeof event[field] === 'string' ? event[field] : undefined
  const [publicKey, username] = [text('publicKey'), text('username')]
  const who = actorText({
    ...(publicKey === undefined ? {} : { publicKey }),
    ...(username === undefined ? {} : { username }),
  })
  return `${text('eventTypeName') ?? ''} by ${who}, ${sayMoment(text('created') ?? '')}, event ${text('id') ?? ''}`
}
