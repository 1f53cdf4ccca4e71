import type { SaidDrift, SaidUnmanaged } from './drift-model.ts'
import type { SaidDriftedField } from './said.ts'
import { isGone } from './gone.ts'

/** How grave things and fields are is said here alone: all formats show them in these orders. */

type Thing =
  | Pick<SaidDrift, 'verdict' | 'reasonCode' | 'silences' | 'owns' | 'turnsOff'>
  | Pick<SaidUnmanaged, 'silences' | 'isInForce' | 'endsAt' | 'owns'>

/**
 * What nobody declared and keeps alerts quiet now hides all else; an owner more or less can do all else; then what is
 * off, what will keep alerts quiet, and what is gone, which protects nobody any more.
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

/** Whether it stands above all that is neither gone nor off nor about owners, and does not keep alerts quiet. */
export const isWorst = (thing: Thing): boolean => rankOf(thing) < LAST

/** When a silence in force ends; others have no order among themselves. */
const endOf = (thing: Thing | undefined): number =>
  thing !== undefined && 'isInForce' in thing && thing.endsAt !== undefined ? Date.parse(thing.endsAt) : 0

/**
 * Silences in force that nobody declares, the one that lasts longest first, then owners, what was turned off, other
 * silences that nobody declares, what is gone, what else has drifted of silences, and the others; within each as in
 * the document.
 */
export const worstFirst = <T>(items: readonly T[], thingOf: (item: T) => Thing | undefined): T[] =>
  items.toSorted((a, b) => {
    const [one, other] = [thingOf(a), thingOf(b)]
    return rankOf(one) - rankOf(other) || endOf(other) - endOf(one)
  })

/** Where there is room for some fields alone, that of an owner is seen, and that which turns something off. */
export const gravestFirst = (fields: readonly SaidDriftedField[]): readonly SaidDriftedField[] =>
  fields.toSorted((a, b) => weightOf(b) - weightOf(a))

const weightOf = ({ owns, turnsOff }: SaidDriftedField): number =>
  owns === true ? 2 : turnsOff === true ? 1 : 0

/** A drift as some of its fields alone have it: how grave it is, these say. */
export const withFields = (drift: SaidDrift, fields: readonly SaidDriftedField[]): SaidDrift => {
  const { owns: _, turnsOff: __, ...others } = drift
  return {
    ...others,
    fields,
    ...(fields.some(({ owns }) => owns) ? { owns: true } : {}),
    ...(fields.some(({ turnsOff }) => turnsOff) ? { turnsOff: true } : {}),
  }
}
