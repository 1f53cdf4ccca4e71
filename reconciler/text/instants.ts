import { instantOf } from '@deploymgmt/provider/core/text'

export { instantOf, sayMoment } from '@deploymgmt/provider/core/text'

/** `2026-12-05 02:00 UTC`, with seconds if they are not zero. */
export const showTime = (at: number | Date): string => {
  const iso = new Date(at).toISOString()
  const seconds = iso.slice(16, 19)
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}${seconds === ':00' ? '' : seconds} UTC`
}

/** The same with a fraction of a second, which can be all that differs between two values. */
export const showExactTime = (at: number): string => {
  const iso = new Date(at).toISOString()
  return at % SECOND === 0 ? showTime(at) : `${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`
}

/** An instant of a document for a person; other text stays as it is. */
export const showInstant = (text: string): string => {
  const at = instantOf(text)
  return at === undefined ? text : showTime(at)
}

/** A sentence of a document for a person, with formatted instants. */
export const showInstants = (sentence: string): string =>
  sentence.replaceAll(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z(?!\w)/g, showInstant)

/** Only the day, for "as recorded on". */
export const showDay = (text: string): string => {
  const at = instantOf(text)
  return at === undefined ? text : new Date(at).toISOString().slice(0, 10)
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY_MS = 24 * HOUR

/** `in 15 days`, `3 h ago`, `in 40 s`, `now`. */
export const relative = (at: number, now: Date): string => {
  const ms = at - now.getTime()
  if (Math.abs(ms) < SECOND) return 'now'
  const amount = rounded(Math.abs(ms))
  return ms > 0 ? `in ${amount}` : `${amount} ago`
}

const rounded = (ms: number): string => {
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`
  if (ms < DAY_MS) return `${Math.round(ms / HOUR)} h`
  const days = Math.round(ms / DAY_MS)
  if (days < 60) return days === 1 ? '1 day' : `${days} days`
  return days < 730 ? `${Math.round(days / 30.44)} months` : `${Math.round(days / 365.25)} years`
}

/** An exact length: `2 h`, `1 h 30 min`, `2 days 4 h`, `1 s`. */
export const duration = (ms: number): string => {
  const parts = [
    [Math.floor(ms / DAY_MS), 'days'],
    [Math.floor((ms % DAY_MS) / HOUR), 'h'],
    [Math.floor((ms % HOUR) / MINUTE), 'min'],
    [Math.floor((ms % MINUTE) / 1000), 's'],
  ] as const
  const shown = parts.filter(([amount]) => amount > 0)
  if (shown.length === 0) return '0 s'
  return shown
    .map(([amount, unit]) => `${amount} ${unit === 'days' && amount === 1 ? 'day' : unit}`)
    .join(' ')
}

/** How long a command took: `0.31 s`, `12.4 s`, `3 min 5 s`. */
export const took = (seconds: number): string => {
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  return duration(Math.round(seconds) * 1000)
}
