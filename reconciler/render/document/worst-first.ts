import { type ReportedDrift, type ReportedUnmanaged, isGone } from './drift-model.ts'
import { parseInstant } from '@deploymgmt/provider/core'
import type { ReportedDriftedField } from './reported.ts'

/** The severity of things and fields is defined only here: all formats use these orders. */

type Thing =
  | Pick<ReportedDrift, 'verdict' | 'reasonCode' | 'silences' | 'owns' | 'turnsOff'>
  | Pick<ReportedUnmanaged, 'silences' | 'isInForce' | 'endsAt' | 'owns'>

/**
 * Unmanaged silences that are in force come first, because they hide everything else; then owners, who can do
 * everything else; then things that are turned off, future silences, and things that are gone, which no longer
 * protect anybody.
 */
const rankOf = (thing: Thing | undefined): number => {
  if (thing === undefined) return LAST
  const isSilence = thing.silences === true
  if (isSilence && 'isInForce' in thing) return 0
  if (thing.owns === true) return 1
  if (!('verdict' in thing)) return isSilence ? 3 : LAST
  if (thing.turnsOff === true) return 2
  return thing.verdict === 'drifted' && isGone(thing) ? 4 : isSilence ? 5 : LAST
}
const LAST = 6

/** Whether it ranks above ordinary drift and ordinary unmanaged things. */
export const isWorst = (thing: Thing): boolean => rankOf(thing) < LAST

/** When a silence in force ends; other things have no order among themselves. */
const endOf = (thing: Thing | undefined): number =>
  thing !== undefined && 'isInForce' in thing && thing.endsAt !== undefined ? parseInstant(thing.endsAt) : 0

/**
 * Unmanaged silences in force, the longest first; then owners, things that were turned off, other unmanaged
 * silences, things that are gone, other drift of silences, and the rest; within each, in the order of the document.
 */
export const worstFirst = <T>(items: readonly T[], thingOf: (item: T) => Thing | undefined): T[] =>
  items.toSorted((a, b) => {
    const [one, other] = [thingOf(a), thingOf(b)]
    return rankOf(one) - rankOf(other) || endOf(other) - endOf(one)
  })

/** If there is only room for some fields, those of an owner and those that turn something off are shown. */
export const gravestFirst = (fields: readonly ReportedDriftedField[]): readonly ReportedDriftedField[] =>
  fields.toSorted((a, b) => weightOf(b) - weightOf(a))

const weightOf = ({ owns, turnsOff }: ReportedDriftedField): number =>
  owns === true ? 2 : turnsOff === true ? 1 : 0

/** A drift reduced to some of its fields, which then determine its severity. */
export const withFields = (drift: ReportedDrift, fields: readonly ReportedDriftedField[]): ReportedDrift => {
  const { owns: _, turnsOff: __, ...others } = drift
  return {
    ...others,
    fields,
    ...(fields.some(({ owns }) => owns) ? { owns: true } : {}),
    ...(fields.some(({ turnsOff }) => turnsOff) ? { turnsOff: true } : {}),
  }
}
