import type { Finding } from '../rule.ts'
import { isInstant } from '../instant.ts'
import { nearest } from '../nearest.ts'
import { didYouMean } from '../text.ts'
import { sentence } from '../sentence.ts'
import { textOf, type Values } from '../values.ts'
import { parseDuration, refusalOfLength, type Duration } from './duration.ts'
import {
  isRule,
  needsAnchor,
  noHour,
  parseRule,
  saysHour,
  type LocalRule,
  type RuleParts,
} from './rule-text.ts'
import { canonicalZone, isShown, wallClockAt } from './zone.ts'

/** A schedule that was read: everything about it that does not depend on the current time. */
export interface Schedule extends LocalRule {
  /** The duration of each occurrence, as it is written: the calendar of the zone counts its days. */
  readonly duration: string
  readonly horizon: Duration
}

export const DEFAULT_HORIZON = 'P30D'

/** What could be read of a schedule, and what is wrong with which of its fields. */
export interface Parts extends Pick<Schedule, 'anchor'> {
  readonly rule: RuleParts | undefined
  readonly timezone: string | undefined
  readonly duration: string | undefined
  readonly horizon: Duration | undefined
  readonly findings: readonly Finding[]
}

/** @param isTold whether a field's value, or its omission, is known and valid by itself; other fields are skipped */
export const scheduleParts = (values: Values, isTold: (name: string) => boolean): Parts => {
  const { rrule, timezone, duration, horizon = DEFAULT_HORIZON, from: first } = values
  const from = first === undefined || !isTold('from') ? undefined : textOf(first)
  const findings: Finding[] = []
  const wrong = (path: string, message: string): undefined => {
    findings.push({ path: [path], ...sentence`${message}` })
  }
  const rule = isTold('rrule') ? ruleOf(textOf(rrule), wrong) : undefined
  const zone = isTold('timezone') ? zoneOf(textOf(timezone), wrong) : undefined
  const length = isTold('duration') ? lengthOf(textOf(duration), wrong) : undefined
  const reach = isTold('horizon') ? horizonOf(textOf(horizon), wrong) : undefined
  const anchor = from === undefined ? undefined : anchorOf(from, zone, wrong)
  if (rule !== undefined && isTold('from')) {
    if (from === undefined) checkUnanchored(rule, wrong)
    if (anchor !== undefined && !saysHour(rule) && from?.includes('T') !== true) wrong('rrule', noHour())
  }
  return { rule, timezone: zone, duration: length, horizon: reach, anchor, findings }
}

/** The schedule, if it is complete and nothing is wrong. */
export const wholeOf = ({
  rule,
  timezone,
  duration,
  horizon,
  anchor,
  findings,
}: Parts): Schedule | undefined =>
  rule === undefined ||
  timezone === undefined ||
  duration === undefined ||
  horizon === undefined ||
  findings.length > 0
    ? undefined
    : { rule, timezone, duration, horizon, anchor }

/** Reads the fields of a schedule; findings say which of them is wrong. */
export const readSchedule = (values: Values): Schedule | readonly Finding[] => {
  const parts = scheduleParts(values, () => true)
  return wholeOf(parts) ?? parts.findings
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
    return wrong('horizon', `"${text}" is not an ISO 8601 duration of at least one second, such as P30D`)
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
  return wrong('timezone', `"${name}" is not an IANA time zone, such as Europe/Madrid${didYouMean(meant)}`)
}

const localForm = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?)?$/

/** `from` as the local time at which a rule starts; an instant is converted to the zone's time. */
const anchorOf = (text: string, zone: string | undefined, wrong: Wrong): string | undefined => {
  const [, date, time = '00:00', seconds = ':00'] = localForm.exec(text) ?? []
  if (date !== undefined && isInstant(`${date}T${time}${seconds}Z`)) {
    const local = `${date}T${time}${seconds}`
    return zone === undefined || isShown(local, zone)
      ? compact(local)
      : wrong('from', `${text} does not exist in ${zone}: clocks skip it`)
  }
  if (isInstant(text)) return zone === undefined ? undefined : compact(wallClockAt(Date.parse(text), zone))
  return wrong('from', `"${text}" is no date such as 2026-01-04, and no local time such as 2026-01-04T02:00`)
}

const compact = (local: string): string => local.replaceAll(/[-:]/g, '')
