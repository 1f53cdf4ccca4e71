import type { SaidDrift, SaidUnmanaged } from './document.ts'
import { isGone } from './gone.ts'

type Thing = Pick<SaidDrift, 'verdict' | 'reasonCode' | 'silences'> | Pick<SaidUnmanaged, 'silences'>

/** What is gone protects nobody any more, and what keeps alerts quiet hides all else. */
const rankOf = (thing: Thing | undefined): number => {
  if (thing === undefined) return 2
  if ('verdict' in thing && thing.verdict === 'drifted' && isGone(thing)) return 0
  return thing.silences === true ? 1 : 2
}

/** Whether it stands above all that is neither gone nor keeps alerts quiet. */
export const isWorst = (thing: Thing): boolean => rankOf(thing) < 2

/** What is gone, then what keeps alerts quiet, then the others; else as in the document. */
export const worstFirst = <T>(items: readonly T[], thingOf: (item: T) => Thing | undefined): T[] =>
  items.toSorted((a, b) => rankOf(thingOf(a)) - rankOf(thingOf(b)))
