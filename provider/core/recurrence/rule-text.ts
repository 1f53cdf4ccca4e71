import { nearest } from '../nearest.ts'

/** The parts of a recurrence rule (RFC 5545, section 3.3.10), each as it is written. */
export type RuleParts = ReadonlyMap<string, string>

/** A rule in the local time of a zone. */
export interface LocalRule {
  readonly rule: RuleParts
  readonly timezone: string
  /** Local date and time of the first occurrence, `20261206T020000`; undefined if the rule does not depend on it. */
  readonly anchor: string | undefined
}

/** The largest COUNT, and the most occurrences that may lie within one horizon. */
export const MOST_OCCURRENCES = 1000

const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'] as const
const WEEKDAYS = 'MO|TU|WE|TH|FR|SA|SU'

/** What each part may hold. */
const NUMBERS: Readonly<Record<string, { from: number; to: number; signed?: true }>> = {
  BYSECOND: { from: 0, to: 59 },
  BYMINUTE: { from: 0, to: 59 },
  BYHOUR: { from: 0, to: 23 },
  BYMONTHDAY: { from: 1, to: 31, signed: true },
  BYYEARDAY: { from: 1, to: 366, signed: true },
  BYWEEKNO: { from: 1, to: 53, signed: true },
  BYMONTH: { from: 1, to: 12 },
  BYSETPOS: { from: 1, to: 366, signed: true },
}
const NAMES = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST', ...Object.keys(NUMBERS)]

/** Splits the text and checks each part. Returns the parts, or messages about everything that is wrong. */
export const parseRule = (text: string): RuleParts | readonly string[] => {
  const body = text.replace(/^RRULE:/i, '').toUpperCase()
  if (/^(?:DTSTART|EXDATE|RDATE|EXRULE)\b/.test(body))
    return ['only a rule is allowed here; from gives its first occurrence, and timezone its zone']
  const parts = new Map<string, string>()
  const nameless: string[] = []
  const wrong: string[] = []
  for (const part of body.split(';')) {
    const [name = '', value, ...more] = part.split('=')
    if (value === undefined || value === '' || more.length > 0)
      nameless.push(`"${part}" is not part of a rule; parts are NAME=VALUE with a semicolon between them`)
    else if (!NAMES.includes(name)) nameless.push(unknownPart(name))
    else if (parts.has(name)) wrong.push(`${name} is given twice`)
    else {
      wrong.push(...checkPart(name, value))
      parts.set(name, value)
    }
  }
  // A part that could not be parsed may be the one that seems to be missing.
  const all = [...nameless, ...wrong, ...(nameless.length > 0 ? [] : checkTogether(parts))]
  return all.length > 0 ? all : parts
}

export const isRule = (read: RuleParts | readonly string[]): read is RuleParts => !Array.isArray(read)

const unknownPart = (name: string): string => {
  const meant = nearest(name, NAMES)
  return `a rule has no part ${name}${meant === undefined ? '.' : `; did you mean ${meant}?`} It takes ${NAMES.join(', ')}`
}

const checkPart = (name: string, value: string): string[] => {
  if (name === 'FREQ') return asList(checkFrequency(value))
  if (name === 'INTERVAL')
    return /^[1-9]\d{0,5}$/.test(value) ? [] : [`INTERVAL=${value} is not a whole number of at least 1`]
  if (name === 'COUNT')
    return /^[1-9]\d*$/.test(value) && Number(value) <= MOST_OCCURRENCES
      ? []
      : [`COUNT=${value} is not a whole number from 1 to ${MOST_OCCURRENCES}`]
  if (name === 'UNTIL') return asList(checkUntil(value))
  if (name === 'WKST') return asList(checkWeekday(name, value, `^(?:${WEEKDAYS})$`))
  const form = `^(?:[+-]?[1-9]\\d?)?(?:${WEEKDAYS})$`
  return value
    .split(',')
    .flatMap((item) => asList(name === 'BYDAY' ? checkWeekday(name, item, form) : checkNumber(name, item)))
}

const asList = (wrong: string | undefined): string[] => (wrong === undefined ? [] : [wrong])

const checkWeekday = (name: string, value: string, form: string): string | undefined => {
  if (new RegExp(form).test(value)) return undefined
  const days = WEEKDAYS.split('|')
  const [, ordinal = '', word = ''] = /^([+-]?\d*)(.*)$/s.exec(value) ?? []
  // `SUN` and `SUNDAY`: calendars write two letters.
  const meant = days.find((day) => word.startsWith(day))
  const suggestion = meant === undefined || meant === word ? '' : `did you mean ${ordinal}${meant}? `
  return `${name}=${value} is not a day of the week; ${suggestion}there are ${days.join(', ')}`
}

const checkFrequency = (value: string): string | undefined => {
  if ((FREQUENCIES as readonly string[]).includes(value)) return undefined
  if (value === 'MINUTELY' || value === 'SECONDLY')
    return `FREQ=${value} is too frequent for windows; HOURLY is the most frequent`
  const meant = nearest(value, FREQUENCIES)
  return `FREQ=${value} is not a frequency${meant === undefined ? '.' : `; did you mean ${meant}?`} There are ${FREQUENCIES.join(', ')}`
}

const checkNumber = (name: string, value: string): string | undefined => {
  const limits = NUMBERS[name]
  if (limits === undefined) return undefined
  const isNumber = (limits.signed === true ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/).test(value)
  const amount = limits.signed === true ? Math.abs(Number(value)) : Number(value)
  if (isNumber && amount >= limits.from && amount <= limits.to) return undefined
  const range = `${limits.from} to ${limits.to}`
  return `${name}=${value} is out of range: ${range}${limits.signed === true ? `, or -${limits.to} to -${limits.from}` : ''}`
}

/** A date includes its whole day in the zone; an instant is in UTC, as RFC 5545 requires beside a zone. */
const checkUntil = (value: string): string | undefined => {
  const [, year, month, day, time] =
    /^(\d{4})(\d\d)(\d\d)(?:T([01]\d|2[0-3])[0-5]\d[0-5]\dZ)?$/.exec(value) ?? []
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (year !== undefined && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day))
    return undefined
  const local = /^\d{8}T\d{6}$/.test(value) && time === undefined
  return local
    ? `UNTIL=${value} has to be in UTC, ending with Z, or only a date`
    : `UNTIL=${value} is neither a date such as 20261231 nor an instant such as 20261231T230000Z`
}

const checkTogether = (parts: RuleParts): string[] => [
  ...(parts.has('FREQ') ? [] : [`FREQ is missing: one of ${FREQUENCIES.join(', ')}`]),
  ...(parts.has('COUNT') && parts.has('UNTIL')
    ? ['COUNT and UNTIL both say where the rule ends; keep one of them']
    : []),
  ...(parts.get('FREQ') === 'YEARLY' ? besideDays(parts) : []),
]

/**
 * Days of a year that RFC 5545 limits by one another, and the library does not: it opens windows on other days, too.
 * BYMONTH limits all of them.
 */
const besideDays = (parts: RuleParts): string[] => {
  const pairs: [string, string][] = [
    ['BYYEARDAY', 'BYWEEKNO'],
    ['BYYEARDAY', 'BYMONTHDAY'],
    ['BYYEARDAY', 'BYDAY'],
    ['BYWEEKNO', 'BYMONTHDAY'],
  ]
  const isNumbered = !parts.has('BYMONTH') && /\d/.test(parts.get('BYDAY') ?? '')
  return [
    ...pairs.filter((pair) => pair.every((name) => parts.has(name))),
    ...(isNumbered && parts.has('BYMONTHDAY') ? [['BYMONTHDAY', 'BYDAY with a number']] : []),
  ].map(([one, other]) => `a YEARLY rule takes either ${one} or ${other}; keep one of them`)
}

/** Why the rule needs a first occurrence; undefined if no part depends on one. */
export const needsAnchor = (parts: RuleParts): string | undefined => {
  const has = (...names: string[]): boolean => names.some((name) => parts.has(name))
  const freq = parts.get('FREQ')
  if (Number(parts.get('INTERVAL') ?? 1) > 1)
    return `INTERVAL=${parts.get('INTERVAL') ?? ''} counts from a first occurrence`
  if (has('COUNT')) return `COUNT=${parts.get('COUNT') ?? ''} counts from a first occurrence`
  if (freq === 'WEEKLY' && !has('BYDAY')) return 'a WEEKLY rule without BYDAY takes its day from there'
  if ((freq === 'MONTHLY' || freq === 'YEARLY') && !has('BYDAY', 'BYMONTHDAY', 'BYYEARDAY'))
    return `a ${freq} rule without BYDAY and BYMONTHDAY takes its day from there`
  return undefined
}

/** Whether the rule says its hours; otherwise they come from the first occurrence. */
export const saysHour = (parts: RuleParts): boolean => parts.has('BYHOUR') || parts.get('FREQ') === 'HOURLY'

/** What to do about a rule without an hour. */
export const noHour = (first = 'from'): string =>
  `the rule names no hour: add BYHOUR, or give ${first} with a time`

/** A calendar repeats after 28 years, and after 40 if a leap day is left out in between. */
export const LONGEST_SEARCH_YEARS = 40

export const NEVER = `the rule never comes true: nothing occurs before its end, or within ${LONGEST_SEARCH_YEARS} years`

/** The library's message about a rule, reworded if it is about the library. */
export const inOurWords = (message: string): string =>
  isGivenUp(message)
    ? 'the rule has too many steps between its first occurrence and what is asked for; let it count from a later day (from, or anchor), or take a FREQ with fewer steps'
    : message

/** Whether a search was given up: only the library's message tells; `recurrence.test.ts` notices if that changes. */
export const isGivenUp = (message: string): boolean => /^Maximum .* exceeded/.test(message)

/** How many times a day the rule can name at most. */
export const timesADay = (parts: RuleParts): number => {
  const many = (name: string): number => new Set((parts.get(name) ?? '0').split(',')).size
  const hours = parts.has('BYHOUR') || parts.get('FREQ') !== 'HOURLY' ? many('BYHOUR') : 24
  return hours * many('BYMINUTE') * many('BYSECOND')
}

export const textOfRule = (parts: RuleParts): string =>
  [...parts].map(([name, value]) => `${name}=${value}`).join(';')

/** The rule as the library reads it, counting from a local time. */
export const textFrom = (first: string, rule: RuleParts, timezone: string): string =>
  `DTSTART;TZID=${timezone}:${first}\nRRULE:${textOfRule(withMinute(first, rule))}`

/** The rule with the minute that it takes from where it counts: elapsed hours lose it where clocks move by half an hour. */
export const withMinute = (first: string, rule: RuleParts): RuleParts =>
  rule.get('FREQ') === 'HOURLY' && !rule.has('BYMINUTE')
    ? new Map([...rule, ['BYMINUTE', String(Number(first.slice(11, 13)))]])
    : rule

/**
 * Where a rule counts from if nothing in it depends on that: a midnight well before a day, which costs less than one
 * long ago.
 */
export const wellBefore = (day: Date): string =>
  `${String(day.getUTCFullYear() - 1).padStart(4, '0')}0101T000000`
