import type { Finding, Rule, Sentence } from './rule.ts'
import type { Expansion, Expanded } from './expansion.ts'
import { object, string } from './field.ts'
import { after, DAY_MS, parseDuration } from './recurrence/duration.ts'
import { leftOutBetween } from './recurrence/left-out.ts'
import {
  everOccurs,
  occurrencesBetween,
  refusalOf,
  type Occurrence,
  type Occurrences,
} from './recurrence/occurrences.ts'
import { needsAnchor, NEVER, type LocalRule } from './recurrence/rule-text.ts'
import {
  DEFAULT_HORIZON,
  isFindings,
  scheduleParts,
  readSchedule,
  wholeOf,
  type Parts,
  type Schedule,
} from './recurrence/schedule.ts'
import { formatInstant } from './instant.ts'
import { inManifest, sentence } from './sentence.ts'
import type { Values } from './values.ts'

const FIELDS = {
  rrule: string('Recurrence rule of RFC 5545, without DTSTART.').like(
    'FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0;BYSECOND=0',
  ),
  timezone: string('IANA time zone of the rule.').like('Europe/Madrid'),
  duration: string('Length of each occurrence, as an ISO 8601 duration.').like('PT2H'),
  horizon: string('How far ahead occurrences are created, as an ISO 8601 duration.').or(DEFAULT_HORIZON),
  from: string(
    'Date or local time from which the rule counts; needed if the rule depends on it (INTERVAL, COUNT).',
  )
    .like('2026-01-04T02:00')
    .optional(),
}

/** The field by which an entry recurs. It is only for the engine; the instances have instants of their own. */
export const schedule = (summary: string) => object(FIELDS, summary).local().optional()

interface RecurrenceWords {
  /** The field with the start of an occurrence: the key of its instance. */
  readonly key: string
  /** The field with its end. */
  readonly end: string
  /** The way of release of an occurrence that the rule no longer has. */
  readonly dropped: string
}

/**
 * The entry is one thing with instants of its own, or a schedule replaces them and the entry is one thing for each
 * occurrence up to a rolling horizon.
 */
export const recurrence = (field: string, words: RecurrenceWords): Expansion => ({
  reads: () => 'one',
  looksAt: [],
  instead: { field, of: [words.key, words.end] },
  dropped: words.dropped,
  leftOut: ({ values: { [field]: declared }, now }) => {
    const read = declared === undefined ? [] : readSchedule(declared as Values)
    if (isFindings(read)) return undefined
    const times = leftOutBetween(read, now, after(now, read.horizon))
    return times.length === 0 ? undefined : { times, zone: read.timezone }
  },
  instances({ values, now, recorded }) {
    const declared = values[field] as Values | undefined
    if (declared === undefined)
      return [{ is: 'instance', provenance: 'named', identity: {}, desired: values }]
    const read = readSchedule(declared)
    if (isFindings(read)) return [{ is: 'refused', reason: read.map(inManifest).join('; ') }]
    const known = recorded.map((record) => Date.parse(String(record[words.key])))
    const current = currentOccurrences(read, now, known)
    if (typeof current === 'string') return [{ is: 'refused', reason: current }]
    const { [field]: _, ...rest } = values
    const horizon = after(now, read.horizon)
    return current.map(({ start, end }): Expanded => {
      const key = formatInstant(start.getTime())
      const desired = { ...rest, [words.key]: key, [words.end]: formatInstant(end.getTime()) }
      // An occurrence that has begun, or is beyond the horizon, is kept if it is recorded, and never created.
      const createBefore = start > horizon ? formatInstant(now.getTime()) : key
      return { is: 'instance', key, provenance: 'scheduled', identity: {}, desired, createBefore }
    })
  },
})

/** A schedule must be valid, and cannot be combined with the instants that it replaces. */
export const recurs = (field: string, words: RecurrenceWords): readonly Rule[] => [
  {
    over: 'presence',
    reads: [field, words.key, words.end],
    check: (values) =>
      [words.key, words.end]
        .filter((name) => values[field] !== undefined && values[name] !== undefined)
        .map((name) => ({ path: [name], text: `{.${field}} takes its place; keep one of the two` })),
  },
  { over: 'mapping', field, check: checkSchedule },
]

const checkSchedule = (declared: Values, isSound: (name: string) => boolean): readonly Finding[] => {
  // An unknown name may be a misspelling of a field that seems to be omitted.
  const hasOthers = Object.keys(declared).some((name) => !Object.hasOwn(FIELDS, name))
  const isTold = (name: string): boolean =>
    isSound(name) && (declared[name] !== undefined || (MAY_BE_LEFT_OUT.has(name) && !hasOthers))
  const parts = scheduleParts(declared, isTold)
  const findings = [...parts.findings, ...impossible(parts)]
  const read = wholeOf(parts)
  if (read === undefined || findings.length > 0 || !isTold('from')) return findings
  // Without the service its time is unknown; a rule that is too dense is so within any horizon.
  const first = new Date(read.anchor === undefined ? SOME_DAY : dayOf(read.anchor))
  const some = occurrencesBetween(read, first, after(first, read.horizon))
  return typeof some === 'string' ? [{ path: ['rrule'], ...sentence`${some}` }] : []
}

const MAY_BE_LEFT_OUT: ReadonlySet<string> = new Set(['horizon', 'from'])

/**
 * What is wrong with a rule that can be read, whatever its zone and duration; some rules depend on where they count
 * from.
 */
const impossible = ({ rule, timezone = 'UTC', anchor }: Parts): readonly Finding[] => {
  if (rule === undefined || (anchor === undefined && needsAnchor(rule) !== undefined)) return []
  const refusal = refusalOf({ rule, timezone, anchor })
  if (refusal !== undefined) return [{ path: ['rrule'], ...sentence`the rule breaks RFC 5545: ${refusal}` }]
  if (everOccurs({ rule, timezone, anchor })) return []
  return [{ path: ['rrule'], ...whyNever({ rule, timezone, anchor }) }]
}

/** UTC skips no time: a rule that comes true there asks for times that the clocks of its zone never show. */
const whyNever = ({ rule, timezone, anchor }: LocalRule): Sentence => {
  // An end in UTC is another local time in each zone.
  const endsAlike = rule.get('UNTIL')?.endsWith('Z') !== true
  return endsAlike && everOccurs({ rule, timezone: 'UTC', anchor })
    ? sentence`the rule never comes true: clocks in ${timezone} are put forward past each time that it asks for; take an hour that every day has`
    : { text: NEVER }
}

const SOME_DAY = '2026-01-01'
const dayOf = (anchor: string): string => anchor.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3')

/**
 * Occurrences that are not over, up to the horizon. Recorded ones beyond it stay as long as the rule has them: a
 * shorter horizon ends nothing.
 */
const currentOccurrences = (read: Schedule, now: Date, known: readonly number[]): Occurrences => {
  const horizon = after(now, read.horizon)
  const length = parseDuration(read.duration)
  // A day of a zone has up to 25 hours, so the search for windows of days starts a little earlier.
  const longest = length === undefined ? 0 : length.days * (DAY_MS + DAY_MS / 12) + length.seconds * 1000
  const near = occurrencesBetween(read, new Date(now.getTime() - longest), horizon)
  if (typeof near === 'string') return near
  const far: Occurrence[] = []
  for (const start of new Set(known.filter((at) => at > horizon.getTime()))) {
    const there = occurrencesBetween(read, new Date(start), new Date(start))
    if (typeof there === 'string') return there
    far.push(...there)
  }
  return [...near, ...far].filter(({ end }) => end > now)
}
