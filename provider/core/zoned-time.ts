import { formatInstant, isInstant } from './instant.ts'
import { nearest } from './nearest.ts'
import { DAY_MS } from './recurrence/duration.ts'
import { canonicalZone, instantsShownAs, offsetAt, wallClockAt } from './recurrence/zone.ts'

/** A local time with its zone, as in RFC 9557: the instant in UTC, or what is wrong with it. */
export type ZonedTime =
  /**
   * `utc` has another offset only for a year that four digits cannot write in UTC. `zone`: the IANA time zone; left out
   * if the text has only an offset.
   */
  | { readonly is: 'instant'; readonly utc: string; readonly zone?: string }
  | { readonly is: 'no-zone'; readonly zone: string; readonly meant: string | undefined }
  /** A tag that is marked with `!` must be understood; `meant`: the text without it. */
  | { readonly is: 'unknown-tag'; readonly tag: string; readonly meant: string }
  /** Clocks skip this time; `meant`: as long after the change as this is after the beginning of the gap. */
  | { readonly is: 'left-out'; readonly local: string; readonly zone: string; readonly meant: string }
  /** Clocks show this time twice; `meant`: both, with the offsets that distinguish them. */
  | { readonly is: 'twice'; readonly local: string; readonly zone: string; readonly meant: readonly string[] }
  | { readonly is: 'another-offset'; readonly offset: string; readonly meant: readonly string[] }

const form =
  /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?(?=\[)(?:\[!?([^[\]=]+)\])?((?:\[!?[a-z_][a-z\d_-]*=[A-Za-z\d]+(?:-[A-Za-z\d]+)*\])*)$/

/**
 * Parses `2026-12-05T02:00:00[Europe/Madrid]`, also with an offset before the zone; undefined if it is no such text.
 */
export const zonedTime = (text: string): ZonedTime | undefined => {
  const [, day = '', time = '', fraction = '', offset, name, tags = ''] = form.exec(text) ?? []
  const local = `${day}T${time}`
  if (!isInstant(`${local}${offset ?? 'Z'}`) || (offset ?? name) === undefined) return undefined
  const tag = notUnderstood(tags)
  if (tag !== undefined) return { is: 'unknown-tag', tag, meant: text.replace(tag, '') }
  const read = inZone(text, local, offset, name)
  const precisely = (at: string): string => at.replace(/T[\d:]+/, `$&${fraction}`)
  switch (read.is) {
    case 'instant':
      return { ...read, utc: precisely(read.utc) }
    case 'left-out':
      return { ...read, meant: precisely(read.meant) }
    case 'twice':
    case 'another-offset':
      return { ...read, meant: read.meant.map(precisely) }
    default:
      return read
  }
}

/**
 * The first tag that is marked with `!` and not understood. Unmarked tags may be ignored. All dates are in the ISO
 * calendar, so `u-ca=iso8601` is understood, unless another tag asks for another calendar.
 */
const notUnderstood = (tags: string): string | undefined => {
  const all = tags.match(/\[[^\]]+\]/g) ?? []
  const isIso = all.every((tag) => !/^\[!?u-ca=/.test(tag) || tag.endsWith('=iso8601]'))
  return all.find((tag) => tag.startsWith('[!') && !(isIso && tag.startsWith('[!u-ca=')))
}

const inZone = (
  text: string,
  local: string,
  offset: string | undefined,
  name: string | undefined,
): ZonedTime => {
  if (name === undefined) return { is: 'instant', utc: inUtc(local, offset) }
  const isOffset = /^[+-]/.test(name) && isInstant(`${local}${name}`)
  const zone = isOffset ? name : canonicalZone(name)
  if (zone === undefined) {
    const meant = nearest(name, [...Intl.supportedValuesOf('timeZone'), 'UTC'])
    return { is: 'no-zone', zone: name, meant: meant && text.replace(name, meant) }
  }
  // In RFC 9557, Z and -00:00 give the instant and say nothing about local time.
  if (offset === 'Z' || offset === '-00:00')
    return { is: 'instant', utc: `${local}Z`, ...(isOffset ? {} : { zone: name }) }
  if (isOffset)
    return offset === undefined || offset === zone
      ? { is: 'instant', utc: inUtc(local, zone) }
      : { is: 'another-offset', offset, meant: [`${local}${zone}[${name}]`] }
  const found = instantsShownAs(local, zone)
  const meant = found.map((at) => `${local}${offsetAt(at, zone)}[${name}]`)
  const [first, second] = found
  if (first === undefined) return leftOut(local, zone, name)
  if (offset !== undefined) {
    const at = found.find((each) => offsetAt(each, zone) === offset)
    return at === undefined
      ? { is: 'another-offset', offset, meant }
      : { is: 'instant', utc: inFourDigits(at, `${local}${offset}`), zone: name }
  }
  return second === undefined
    ? { is: 'instant', utc: inFourDigits(first, `${local}${offsetAt(first, zone)}`), zone: name }
    : { is: 'twice', local, zone: name, meant }
}

const inUtc = (local: string, offset = 'Z'): string =>
  inFourDigits(Date.parse(`${local}${offset}`), `${local}${offset}`)

/** The instant in UTC; as it is written if four digits cannot write its year there. */
const inFourDigits = (at: number, written: string): string => {
  const utc = formatInstant(at)
  return isInstant(utc) ? utc : written
}

const leftOut = (local: string, zone: string, name: string): ZonedTime => {
  // The offset from before the change gives a time that is that much after the change.
  const asUtc = Date.parse(`${local}Z`)
  const before = asUtc - (Date.parse(`${wallClockAt(asUtc - DAY_MS, zone)}Z`) - (asUtc - DAY_MS))
  return { is: 'left-out', local, zone: name, meant: `${wallClockAt(before, zone)}[${name}]` }
}

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/
const MINUTE_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?=Z|[+-])/

/**
 * The last millisecond at which something holds that ends with a day (in UTC) or at an instant (possibly a local time
 * with its zone); undefined if the text is neither.
 */
export const endOf = (until: string): number | undefined => {
  if (DAY_FORM.test(until))
    return isInstant(`${until}T00:00:00Z`) ? Date.parse(until) + DAY_MS - 1 : undefined
  const time = zonedTime(until)
  const text = time?.is === 'instant' ? time.utc : until.replace(MINUTE_FORM, '$&:00')
  return isInstant(text) ? Date.parse(text) : undefined
}
