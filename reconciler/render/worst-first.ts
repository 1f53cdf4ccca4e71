import type { SaidDrift, SaidUnmanaged } from './document.ts'
import { isGone } from './gone.ts'

type Thing =
  | Pick<SaidDrift, 'verdict' | 'reasonCode' | 'silences'>
  | Pick<SaidUnmanaged, 'silences' | 'isInForce' | 'endsAt'>

/**
 * What nobody declared and keeps alerts quiet hides all else, what does so now before what will; then what is gone,
 * which protects nobody any more.
 */
const rankOf = (thing: Thing | undefined): number => {
  if (thing === undefined) return 4
  const isSilence = thing.silences === true
  if ('verdict' in thing) return thing.verdict === 'drifted' && isGone(thing) ? 2 : isSilence ? 3 : 4
  if (!isSilence) return 4
  return 'isInForce' in thing ? 0 : 1
}

/** Whether it stands above all that is neither gone nor keeps alerts quiet. */
export const isWorst = (thing: Thing): boolean => rankOf(thing) < 4

/** When a silence in force ends; others have no order among themselves. */
const endOf = (thing: Thing | undefined): number =>
  thing !== undefined && 'isInForce' in thing && thing.endsAt !== undefined ? Date.parse(thing.endsAt) : 0

/**
 * Silences that nobody declares, those in force first and of these the one that lasts longest, what is gone, other
 * silences, then the others; else as in the document.
 */
export const worstFirst = <T>(items: readonly T[], thingOf: (item: T) => Thing | undefined): T[] =>
  items.toSorted((a, b) => {
    const [one, other] = [thingOf(a), thingOf(b)]
    return rankOf(one) - rankOf(other) || endOf(other) - endOf(one)
  })
