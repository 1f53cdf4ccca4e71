import { meant, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'

type Part = (value: string) => boolean

const list =
  (each: Part): Part =>
  (value) =>
    value.split(',').every(each)
const between =
  (least: number, most: number): Part =>
  (value) =>
    /^\d{1,4}$/.test(value) && Number(value) >= least && Number(value) <= most
const eitherWay =
  (most: number): Part =>
  (value) =>
    /^[+-]?\d{1,3}$/.test(value) && Math.abs(Number(value)) >= 1 && Math.abs(Number(value)) <= most
const DAY = /^(?:[+-]?\d{1,2})?(?:MO|TU|WE|TH|FR|SA|SU)$/

/** The parts of a rule (RFC 5545, 3.3.10). The library leaves out values that it cannot take, silently. */
const PARTS: Readonly<Record<string, Part>> = {
  FREQ: (value) => /^(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY|MINUTELY|SECONDLY)$/.test(value),
  INTERVAL: between(1, 9999),
  COUNT: between(1, 9999),
  UNTIL: (value) => /^\d{8}T\d{6}Z$/.test(value),
  BYSECOND: list(between(0, 59)),
  BYMINUTE: list(between(0, 59)),
  BYHOUR: list(between(0, 23)),
  BYDAY: list((value) => DAY.test(value)),
  BYMONTHDAY: list(eitherWay(31)),
  BYYEARDAY: list(eitherWay(366)),
  BYWEEKNO: list(eitherWay(53)),
  BYMONTH: list(between(1, 12)),
  BYSETPOS: list(eitherWay(366)),
  WKST: (value) => /^(?:MO|TU|WE|TH|FR|SA|SU)$/.test(value),
}

/** The parts by name, in capitals, without the `RRULE:` that calendars put before them. */
export const ruleParts = (rule: string): readonly (readonly [string, string])[] =>
  rule
    .replace(/^RRULE:/i, '')
    .split(';')
    .map((part) => {
      const [name = '', ...value] = part.toUpperCase().split('=')
      return [name.trim(), value.join('=').trim()] as const
    })

export const checkRule = (property: string, rule: string): Problem[] => {
  const at = (message: string): Problem => problem(property, message)
  if (/\n|^DTSTART/i.test(rule.trim())) return [at('give one rule alone; `from` and `anchor` say when it starts')]
  const parts = ruleParts(rule)
  const names = parts.map(([name]) => name)
  const found = parts.flatMap(([name, value], index) => {
    const part = PARTS[name]
    if (part === undefined) return [at(`"${name}" is no part of a rule${meant(name, Object.keys(PARTS))}`)]
    if (names.indexOf(name) < index) return [at(`${name} is there twice`)]
    if (name === 'UNTIL' && !part(value)) return [at(`UNTIL=${value} is no time in UTC such as 20270101T000000Z`)]
    return part(value) ? [] : [at(`${name}=${value} is out of range`)]
  })
  if (!names.includes('FREQ')) found.push(at('FREQ is missing, such as FREQ=WEEKLY'))
  if (names.includes('COUNT') && names.includes('UNTIL'))
    found.push(at('COUNT and UNTIL exclude each other (RFC 5545)'))
  return found
}
