import type { Finding } from '../definition.ts'
import { isInstant } from '../instant.ts'
import { nearest } from '../nearest.ts'
import { sentence } from '../sentence.ts'
import { textOf, type Values } from '../values.ts'
import { parseDuration, refusalOfLength, type Duration } from './duration.ts'
import { isRule, needsAnchor, noHour, parseRule, saysHour, type RuleParts } from './rule-text.ts'
import { canonicalZone, isShown, wallClockAt } from './zone.ts'

/** A schedule that was read: everything about it that does not depend on the time of day. */
export interface Schedule {
  readonly rule: RuleParts
  readonly timezone: string
  /** Of each occurrence, as it is written: the calendar of the zone counts its days. */
  readonly duration: string
  readonly horizon: Duration
  /** Local date and time of the first occurrence, `20261206T020000`. */
  readonly anchor: string | undefined
}

export const DEFAULT_HORIZON = 'P30D'

/** Reads the fields of a schedule; findings say at which of them it is wrong. */
export const readSchedule = (values: Values): Schedule | readonly Finding[] => {
  const { rrule, timezone, duration, horizon = DEFAULT_HORIZON, from: first } = values
  const from = first === undefined ? undefined : textOf(first)
  const findings: Finding[] = []
  const wrong = (path: string, message: string): undefined => {
    findings.push({ path: [path], ...sentence`${message}` })
  }
  const rule = ruleOf(textOf(rrule), wrong)
  const zone = zoneOf(textOf(timezone), wrong)
  const length = lengthOf(textOf(duration), wrong)
  const reach = horizonOf(textOf(horizon), wrong)
  const anchor = from === undefined ? undefined : anchorOf(from, zone, wrong)
  if (rule !== undefined && anchor === undefined && from === undefined) checkUnanchored(rule, wrong)
  if (rule !== undefined && anchor !== undefined && !saysHour(rule) && from?.includes('T') !== true)
    wrong('rrule', noHour())
  if (rule === undefined || zone === undefined || length === undefined || reach === undefined) return findings
  return findings.length > 0
    ? findings
    : { rule, timezone: zone, duration: length, horizon: reach, anchor: anchor }
}

export const isFindings = (read: Schedule | readonly Finding[]): read is readonly Finding[] =>
  Array.isArray(read)

type Wrong = (path: string, message: string) => undefined

const ruleOf = (text: string, wrong: Wrong): RuleParts | undefined => {
  const rule = parseRule(text)
  if (isRule(rule)) return rule
  for (const message of rule) wrong('rrule', message)
  return undefined
}

const checkUnanchored = (rule: RuleParts, wrong: Wrong): void => {
  const why = needsAnchor(rule)
  if (why !== undefined)
    wrong('rrule', `${why}: give from, the date or the local time from which the rule counts`)
  else if (!saysHour(rule)) wrong('rrule', noHour())
}

const lengthOf = (text: string, wrong: Wrong): string | undefined => {
  const refusal = refusalOfLength(text)
  return refusal === undefined ? text : wrong('duration', refusal)
}

const horizonOf = (text: string, wrong: Wrong): Duration | undefined => {
  const horizon = parseDuration(text)
  if (horizon === undefined)
    return wrong('horizon', `"${text}" is no ISO 8601 duration of at least a second, such as P30D`)
  const days = horizon.years * 366 + horizon.months * 31 + horizon.days + horizon.seconds / 86_400
  return days > MOST_YEARS * 366
    ? wrong('horizon', `a horizon of ${text} is too far; it has at most ${MOST_YEARS} years`)
    : horizon
}
const MOST_YEARS = 10

const zoneOf = (name: string, wrong: Wrong): string | undefined => {
  const known = canonicalZone(name)
  if (known !== undefined) return known
  const meant = nearest(name, [...Intl.supportedValuesOf('timeZone'), 'UTC'])
  return wrong(
    'timezone',
    `"${name}" is no IANA time zone, such as Europe/Madrid${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  )
}

const localForm = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?)?$/

/** `from` as the local time that a rule starts with; an instant is turned into the zone's time. */
const anchorOf = (text: string, zone: string | undefined, wrong: Wrong): string | undefined => {
  const [, date, time = '00:00', seconds = ':00'] = localForm.exec(text) ?? []
  if (date !== undefined && isInstant(`${date}T${time}${seconds}Z`)) {
    const local = `${date}T${time}${seconds}`
    return zone === undefined || isShown(local, zone)
      ? compact(local)
      : wrong('from', `${text} does not exist in ${zone}: clocks are moved over it`)
  }
  if (isInstant(text)) return zone === undefined ? undefined : compact(wallClockAt(Date.parse(text), zone))
  return wrong('from', `"${text}" is no date such as 2026-01-04, and no local time such as 2026-01-04T02:00`)
}

const compact = (local: string): string => local.replaceAll(/[-:]/g, '')
