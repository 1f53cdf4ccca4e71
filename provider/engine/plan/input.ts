import type { KindDefinition } from '../../core/definition.ts'
import type { JudgeContext } from '../judge/standing.ts'
import type { Reason } from '../reason.ts'
import type { Entry, Records } from '../values/model.ts'

/** A part of all addresses. */
export interface Target {
  /** An entry's own address stands for all of its instances. */
  readonly includes: (address: string) => boolean
  /** Whether to look at an entry because it may stand for something that is included. */
  readonly looksAt: (entry: string) => boolean
}

/** These addresses alone. */
export const targetOfThese = (addresses: ReadonlySet<string>): Target => {
  const has = (address: string): boolean => addresses.has(address)
  return { includes: has, looksAt: has }
}

export interface PlanInput extends JudgeContext {
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  /** What is planned; everything if left out. */
  readonly target?: Target | undefined
  /** Entries that are declared but not planned in this run. What they claim remains theirs. */
  readonly others?: readonly Entry[]
  /** Further notes of the run. */
  readonly notes?: readonly Reason[]
}
