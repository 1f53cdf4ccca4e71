import type { SaidDrift, SaidUnmanaged } from './document.ts'
import { isGone } from './gone.ts'

type Thing = Pick<SaidDrift, 'verdict' | 'reasonCode' | 'silences'> | Pick<SaidUnmanaged, 'silences'>

/** What nobody declared and keeps alerts quiet hides all else; then what is gone, which protects nobody any more. */
const rankOf = (thing: Thing | undefined): number => {
  if (thing === undefined) return 3
  const isSilence = thing.silences === true
  if ('verdict' in thing) return thing.verdict === 'drifted' && isGone(thing) ? 1 : isSilence ? 2 : 3
  return isSilence ? 0 : 3
}

/** Whether it stands above all that is neither gone nor keeps alerts quiet. */
export const isWorst = (thing: Thing): boolean => rankOf(thing) < 3

/** Silences that nobody declares, what is gone, other silences, then the others; else as in the document. */
export const worstFirst = <T>(items: readonly T[], thingOf: (item: T) => Thing | undefined): T[] =>
  items.toSorted((a, b) => rankOf(thingOf(a)) - rankOf(thingOf(b)))
