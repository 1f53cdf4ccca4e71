import type { SaidDrift, SaidUnmanaged } from '../document/document.ts'
import { isGone } from '../document/gone.ts'

type Thing =
  | Pick<SaidDrift, 'verdict' | 'reasonCode' | 'silences' | 'owns'>
  | Pick<SaidUnmanaged, 'silences' | 'isInForce' | 'endsAt' | 'owns'>

/**
 * What nobody declared and keeps alerts quiet now hides all else; an owner more or less can do all else; then what will
 * keep them quiet, and what is gone, which protects nobody any more.
 */
const rankOf = (thing: Thing | undefined): number => {
  if (thing === undefined) return LAST
  const isSilence = thing.silences === true
  if (isSilence && 'isInForce' in thing) return 0
  if (thing.owns === true) return 1
  if ('verdict' in thing) return thing.verdict === 'drifted' && isGone(thing) ? 3 : isSilence ? 4 : LAST
  return isSilence ? 2 : LAST
}
const LAST = 5

/** Whether it stands above all that is neither gone nor about owners, and does not keep alerts quiet. */
export const isWorst = (thing: Thing): boolean => rankOf(thing) < LAST

/** When a silence in force ends; others have no order among themselves. */
const endOf = (thing: Thing | undefined): number =>
  thing !== undefined && 'isInForce' in thing && thing.endsAt !== undefined ? Date.parse(thing.endsAt) : 0

/**
 * Silences in force that nobody declares, the one that lasts longest first, then owners, other silences that nobody
 * declares, what is gone, what else has drifted of silences, and the others; within each as in the document.
 */
export const worstFirst = <T>(items: readonly T[], thingOf: (item: T) => Thing | undefined): T[] =>
  items.toSorted((a, b) => {
    const [one, other] = [thingOf(a), thingOf(b)]
    return rankOf(one) - rankOf(other) || endOf(other) - endOf(one)
  })
