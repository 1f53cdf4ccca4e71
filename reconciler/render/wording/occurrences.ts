import { definitionOf } from '@deploymgmt/provider/core'
import { entryOf, parseAddress } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { duration, instantOf, relative, showTime } from '../../text/instants.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import type { ReportedField } from '../document/reported.ts'
import { groupBy } from '../../text/group-by.ts'
import { localTime } from './local-time.ts'

/** One thing that a rule makes of an entry. */
export interface Occurrence {
  readonly entry: string
  /** The project, if the address contains it. */
  readonly project: string | undefined
  /** The start as the address spells it. */
  readonly key: string
  readonly start: number
  readonly end: number
  /** The time zone in which the rule is declared. */
  readonly zone: string | undefined
  /** In milliseconds: `2 h each`. Clock changes make some longer. */
  readonly length: number
  /** The length before, if the change is of one that exists. */
  readonly lengthBefore: number | undefined
  /** The fields that the rule does not fill, without the place. */
  readonly alike: readonly ReportedField[]
}

/** Undefined if no rule makes the changed thing; an occurrence is identified by its start. */
export const occurrenceOf = ({
  kind,
  address,
  before,
  after,
  fields,
  zones = {},
}: Pick<ReportedChange, 'kind' | 'address' | 'before' | 'after' | 'fields' | 'zones'>):
  | Occurrence
  | undefined => {
  const definition = definitionOf(kinds, kind)
  const [from, to] = definition?.expand.instead?.of ?? []
  const entry = entryOf(address)
  if (definition === undefined || from === undefined || to === undefined || entry === address)
    return undefined
  const spanOf = (values: ReportedChange['after']): readonly [start: number, end: number] | undefined => {
    const [start, end] = [instantOf(values?.[from]), instantOf(values?.[to])]
    return start === undefined || end === undefined ? undefined : [start, end]
  }
  const [was, is] = [spanOf(before), spanOf(after) ?? spanOf(before)]
  const [key = '', project, ...others] = parseAddress(address).keys.toReversed()
  if (is === undefined || instantOf(key) !== is[0] || others.length > 0) return undefined
  // One that is at another time than its address says, is told by itself.
  if (was !== undefined && was[0] !== is[0]) return undefined
  const apart = new Set([from, to, ...definition.identity.scope])
  return {
    entry,
    project,
    key,
    start: is[0],
    end: is[1],
    zone: Object.values(zones)[0],
    length: is[1] - is[0],
    lengthBefore: was === undefined ? undefined : was[1] - was[0],
    alike: fields.filter(({ path }) => !apart.has(path)),
  }
}

/** A change with only the fields that all occurrences of its rule share. */
export const withoutTimes = (change: ReportedChange): ReportedChange => {
  const occurrence = occurrenceOf(change)
  return occurrence === undefined ? change : { ...change, fields: occurrence.alike }
}

/** `2035-01-07T01:00:00Z → 03:00 UTC`, which begins as the address ends. */
export const spanWords = ({ key, start, end }: Occurrence): string => `${key} → ${endWords(start, end)}`

/** `2035-01-07 01:00 → 03:00 UTC (02:00 Europe/Madrid)`. */
export const timesWords = ({ start, end, zone }: Occurrence): string =>
  `${showTime(start).replace(/ UTC$/, '')} → ${endWords(start, end)}${zone === undefined ? '' : ` (${localTime(start, zone)})`}`

/** The time from the first to the last of them: `2 h each, from 2035-01-07 01:00 UTC to 2035-01-28 03:00 UTC`. */
export const extentWords = (occurrences: readonly Occurrence[]): string[] => {
  const inOrder = occurrences.toSorted((one, other) => one.start - other.start)
  const [first, last] = [inOrder[0], inOrder.at(-1)]
  if (first === undefined || last === undefined) return []
  const lengths = new Set(occurrences.map(lengthWords))
  const each = lengths.size === 1 ? `${lengthWords(first)}, ` : ''
  return [`${each}from ${showTime(first.start)} to ${showTime(last.end)}`]
}

/** `3 h each (2 h before)`. */
const lengthWords = ({ length, lengthBefore = length }: Occurrence): string =>
  `${duration(length)} each${lengthBefore === length ? '' : ` (${duration(lengthBefore)} before)`}`

/** The end, without the day if it is that of the start. */
const endWords = (start: number, end: number): string => {
  const [day, until] = [showTime(start).slice(0, 11), showTime(end)]
  return until.startsWith(day) ? until.slice(day.length) : until
}

/** `(02:00 Europe/Madrid, in 6 days)`. */
export const startAside = ({ start, zone }: Occurrence, now: Date): string =>
  `(${zone === undefined ? '' : `${localTime(start, zone)}, `}${relative(start, now)})`

interface Listed {
  /** `maintenanceWindows.weekly[PROJECT/START] in each of payments, search, 2 h each`. */
  readonly title: string
  /** A line for each occurrence, or for that of several projects. */
  readonly lines: readonly string[]
}

/** The occurrences of a group of changes, each in a line, with those of several projects that are the same in one. */
export const occurrenceLists = <T>(
  group: readonly T[],
  of: (each: T) => Occurrence | undefined,
  lineOf: (each: T, occurrence: Occurrence) => string,
  names: ReadonlyMap<string, string> = new Map(),
): Listed[] => {
  const told = group.flatMap((each) => {
    const occurrence = of(each)
    return occurrence === undefined ? [] : [{ occurrence, line: lineOf(each, occurrence) }]
  })
  const inProjects = groupBy(told, ({ occurrence }) => occurrence.project ?? '').map((those) =>
    those.toSorted((one, other) => one.occurrence.start - other.occurrence.start),
  )
  const linesOf = (those: typeof told): string[] => those.map(({ line }) => line)
  return groupBy(inProjects, (those) => JSON.stringify(linesOf(those))).flatMap((alike) => {
    const [those = []] = alike
    const [first] = those
    if (first === undefined) return []
    const projects = alike.flatMap(([each]) => each?.occurrence.project ?? [])
    const called = projects.map((id) => names.get(id) ?? id)
    return [{ title: titleOf(first.occurrence, called), lines: linesOf(those) }]
  })
}

const titleOf = (occurrence: Occurrence, projects: readonly string[]): string =>
  `${addressedIn(occurrence.entry, projects)}, ${lengthWords(occurrence)}`

/** How the addresses of occurrences are spelled: `maintenanceWindows.weekly[PROJECT/START] in each of payments, search`. */
export const addressedIn = (entry: string, projects: readonly string[]): string => {
  const [project, ...others] = projects
  const place = project === undefined ? '' : others.length === 0 ? `${project}/` : 'PROJECT/'
  return `${entry}[${place}START]${others.length === 0 ? '' : ` in each of ${projects.join(', ')}`}`
}
