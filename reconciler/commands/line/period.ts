import { InvalidArgumentError } from 'commander'
import { DAY_MS } from '../../text/instants.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS }

const SHORT = /^(?<amount>\d{1,7})(?<unit>[smhd])$/u
/** ISO 8601, as in a manifest; years and months have no fixed length. */
const ISO =
  /^P(?=\d|T\d)(?:(?<d>\d{1,5})D)?(?:T(?=\d)(?:(?<h>\d{1,5})H)?(?:(?<m>\d{1,7})M)?(?:(?<s>\d{1,7})S)?)?$/u

/** Milliseconds of `90s` or `PT1M30S`; undefined if the text is no duration. */
const timeOf = (text: string): number | undefined => {
  const { amount, unit = '' } = SHORT.exec(text)?.groups ?? {}
  if (amount !== undefined) return Number(amount) * (UNITS[unit] ?? 0)
  const parts = ISO.exec(text)?.groups
  if (parts === undefined) return undefined
  return Object.entries(UNITS).reduce((sum, [name, length]) => sum + Number(parts[name] ?? 0) * length, 0)
}

/** No timer of Node lasts longer than 24 days, and a mistyped `90d` should not silence a quarter. */
const LONGEST = 7 * DAY_MS

/** How long a command waits, or a window is open. */
export const period = (text: string): number => {
  const time = timeOf(text)
  if (time === undefined || time > LONGEST)
    throw new InvalidArgumentError('It has to be a time up to 7 days, such as 30s, 5m, 1h, 7d or PT1H.')
  return time
}

/** How long something has existed. */
export const age = (text: string): number => {
  const time = timeOf(text)
  if (time === undefined) throw new InvalidArgumentError('It has to be a time, such as 90m, 24h, 7d or P7D.')
  return time
}
