import { formatInstant, isInstant } from './instant.ts'
import { nearest } from './nearest.ts'
import { DAY_MS } from './recurrence/duration.ts'
import { canonicalZone, instantsShownAs, offsetAt, wallClockAt } from './recurrence/zone.ts'

/** A local time that is said with its zone, as RFC 9557 writes it: the instant in UTC, or what is wrong with it. */
export type ZonedTime =
  | { readonly is: 'instant'; readonly utc: string; readonly zone: string }
  | { readonly is: 'no-zone'; readonly zone: string; readonly meant: string | undefined }
  /** Clocks are moved over it; `meant`: as late after the change as it was meant after the hour that is left out. */
  | { readonly is: 'left-out'; readonly local: string; readonly zone: string; readonly meant: string }
  /** Clocks show it twice; `meant`: both, with the offsets that tell them apart. */
  | { readonly is: 'twice'; readonly local: string; readonly zone: string; readonly meant: readonly string[] }
  | { readonly is: 'another-offset'; readonly offset: string; readonly meant: readonly string[] }

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)?\[([^[\]]+)\]$/

/** Reads `2026-12-05T02:00:00[Europe/Madrid]`, also with an offset before the zone; nothing if it is no such text. */
export const zonedTime = (text: string): ZonedTime | undefined => {
  const [, local = '', offset, name = ''] = form.exec(text) ?? []
  if (!isInstant(`${local}Z`)) return undefined
  const zone = canonicalZone(name)
  if (zone === undefined) {
    const meant = nearest(name, [...Intl.supportedValuesOf('timeZone'), 'UTC'])
    return { is: 'no-zone', zone: name, meant: meant && text.replace(name, meant) }
  }
  // In RFC 9557, Z tells the instant and says nothing of local time.
  if (offset === 'Z') return { is: 'instant', utc: `${local}Z`, zone: name }
  const found = instantsShownAs(local, zone)
  const meant = found.map((at) => `${local}${offsetAt(at, zone)}[${name}]`)
  const [first, second] = found
  if (first === undefined) return leftOut(local, zone, name)
  if (offset !== undefined) {
    const at = found.find((each) => offsetAt(each, zone) === offset)
    return at === undefined
      ? { is: 'another-offset', offset, meant }
      : { is: 'instant', utc: formatInstant(at), zone: name }
  }
  return second === undefined
    ? { is: 'instant', utc: formatInstant(first), zone: name }
    : { is: 'twice', local, zone: name, meant }
}

const leftOut = (local: string, zone: string, name: string): ZonedTime => {
  // With the offset from before the change, it is shown that much after the change.
  const asUtc = Date.parse(`${local}Z`)
  const before = asUtc - (Date.parse(`${wallClockAt(asUtc - DAY_MS, zone)}Z`) - (asUtc - DAY_MS))
  return { is: 'left-out', local, zone: name, meant: `${wallClockAt(before, zone)}[${name}]` }
}
