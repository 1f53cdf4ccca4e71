import { isNone, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import { actorText, sayMoment } from '@deploymgmt/provider/words'
import type { Changed, Told } from '@deploymgmt/provider/engine'
import { comment, entryLines, flow } from './yaml.ts'

/** An entry that is to be written. */
export interface Written {
  readonly section: string
  /** Under which heading it stands: a project, or nothing for what is in none. */
  readonly group: string
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
  readonly remarks: readonly string[]
  readonly changed?: Changed | undefined
  /** How many things it stands for. */
  readonly things: number
}

/** The same for what events alone tell of: it stands there as a comment. */
export interface WrittenTold extends Pick<Written, 'section' | 'group' | 'name' | 'values'> {
  readonly told: Told
  /** It is the key that calls. */
  readonly isCaller: boolean
}

export interface ManifestText {
  readonly name: string
  readonly head: readonly string[]
  /** In which order sections and headings stand. */
  readonly sections: readonly string[]
  readonly groups: readonly string[]
  readonly entries: readonly Written[]
  readonly told: readonly WrittenTold[]
  readonly now: Date
}

const HOW =
  'What is commented out is known by events alone: put in what is missing, take the "# " away, and it is managed.'

/** A manifest that people keep. */
export const manifestText = ({ name, head, sections, groups, entries, told, now }: ManifestText): string => {
  const isDeclared = (section: string): boolean => entries.some((each) => each.section === section)
  // What nobody has to read first is known by events alone.
  const ordered = [...sections.filter(isDeclared), ...sections.filter((section) => !isDeclared(section))]
  const parts = ordered.flatMap((section) => {
    const own = entries.filter((each) => each.section === section)
    const known = told.filter((each) => each.section === section)
    if (own.length + known.length === 0) return []
    const within = groups
      .map((group) => groupLines(group, own, known, now))
      .filter(({ length }) => length > 0)
    // A line between headings, and none before the first.
    return ['', `${section}:`, ...within.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))]
  })
  const all = told.length === 0 ? head : [...head, HOW]
  return [...all.map(comment), 'version: 1', `name: ${flow(name)}`, ...parts, ''].join('\n')
}

const groupLines = (
  group: string,
  entries: readonly Written[],
  told: readonly WrittenTold[],
  now: Date,
): string[] => {
  const own = entries.filter((each) => each.group === group)
  const known = told.filter((each) => each.group === group)
  if (own.length + known.length === 0) return []
  return [
    // Two signs, so that no remark is read as a part of it.
    ...(group === '' ? [] : [`  #${comment(group)}`]),
    ...own.flatMap(({ name, values, remarks, changed }) => [
      ...(remarks.length === 0 ? [] : [`  ${comment([...remarks, ...changeOf(changed)].join('; '))}`]),
      ...entryLines(name, values),
    ]),
    ...known.flatMap((each) => toldLines(each, now)),
  ]
}

/** Without its number signs it is an entry, and its comments stay comments. */
const toldLines = ({ name, values, told, isCaller }: WrittenTold, now: Date): string[] => {
  const { open } = told.definition.adoption.told ?? { open: {} }
  const { fields } = told.definition
  const lines = Object.keys(fields).flatMap((field): string[] => {
    const value = values[field]
    if (value !== undefined) return [`    ${field}: ${flow(value)}`]
    return open[field] === undefined ? [] : [`    ${field}: ${comment(`to be put here: ${open[field]}`)}`]
  })
  const caller = isCaller ? ', the key that this command calls with' : ''
  return [`  ${name}: ${comment(evidenceOf(told, caller, now))}`, ...lines].map(
    (line) => `  # ${line.slice(2)}`,
  )
}

/** By which event it is known. */
const evidenceOf = ({ definition, event, count, value, values }: Told, caller: string, now: Date): string => {
  const often = count === 1 ? '' : `${count} events, the last `
  return `${flow(value)}${caller}${isInForce(definition, values, now) ? ', in force now' : ''}, told by ${often}${eventText(event)}`
}

/** Whether what has an end has begun: what is over is not told of. */
const isInForce = ({ lifetime }: KindDefinition, values: Values, now: Date): boolean => {
  const begins = isNone(lifetime) ? undefined : values[lifetime.dates[0] ?? '']
  return typeof begins === 'string' && Date.parse(begins) <= now.getTime()
}

const changeOf = (changed: Changed | undefined): string[] =>
  changed === undefined
    ? []
    : [`${changed.turnedOff ? 'turned off' : 'last changed'} by ${eventText(changed.event)}`]

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
