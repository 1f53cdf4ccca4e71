const timestampPattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})?$/

const firstInstant = Date.parse('0000-01-01T00:00:00Z')

/** The last instant that has a year of four digits. */
export const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** How instants are written in answers (`open.timestampForm`). */
export type TimestampForm = 'shortest' | 'milliseconds'

/** Numbers that a pattern has found. */
type Parts = [number, number, number, number, number, number]

/**
 * Reads an ISO 8601 date and time as milliseconds since the epoch. A value without a zone is UTC.
 * Days that do not exist, leap seconds and hour 24 are refused.
 */
export const parseTimestamp = (text: string): number | undefined => {
  const match = timestampPattern.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Parts
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  // A month or day that rolled over was not a real one.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  date.setUTCHours(hour, minute, second, milliseconds)
  const offset = zoneOffset(match[8])
  if (offset === undefined) return undefined
  const instant = date.getTime() - offset
  // An offset can lead out of the years that four digits can write.
  return instant < firstInstant || instant > lastInstant ? undefined : instant
}

const zoneOffset = (zone: string | undefined): number | undefined => {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** Whether a timestamp is written with a fraction of a second (`open.fractionalTimestamps`). */
export const isFractional = (text: string): boolean => /:\d{2}\.\d/.test(text)

/** Writes an instant in UTC with `Z`. */
export const formatTimestamp = (instant: number, form: TimestampForm = 'shortest'): string => {
  const text = new Date(instant).toISOString()
  return form === 'shortest' ? text.replace('.000Z', 'Z') : text
}

const durationPattern = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?)?$/

/** Reads an ISO 8601 duration of weeks, days, hours, minutes and seconds as milliseconds. */
export const parseDuration = (text: string): number | undefined => {
  const match = durationPattern.exec(text)
  if (!match || !/\d/.test(text) || text.endsWith('T')) return undefined
  const [weeks, days, hours, minutes, seconds] = match.slice(1, 6).map((part) => Number(part ?? 0)) as Parts
  const wholeSeconds = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  const total = wholeSeconds * 1000 + Number((match[6] ?? '').padEnd(3, '0'))
  return Number.isSafeInteger(total) ? total : undefined
}
