import type { KindDefinition } from '../../core/definition.ts'
import type { Acquainted } from '../judge/created.ts'
import type { JudgeContext } from '../judge/standing.ts'
import type { Lists } from '../read/shared-lists.ts'
import { belongsToOne, isReplaced } from '../values/address.ts'
import type { Declaration, Entry, Records } from '../values/model.ts'

export interface RunInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** Whether an address is planned; an entry's own address stands for all of its instances. */
  readonly target?: (address: string) => boolean
  /** Whether an entry can stand for something that is planned, so it is looked at; as `target` where left out. */
  readonly looksAt?: (entry: string) => boolean
  /** Drift looks at all that is recorded, a plan at what it may have to write. */
  readonly look: 'for-plan' | 'at-all'
  /** Plan as of this instant (service time), as an earlier run did; the service's present where left out. */
  readonly now?: Date
  /** See `ObserveInput.byLists`. */
  readonly byLists?: boolean
  /** See `ObserveInput.lists`. */
  readonly lists?: Lists
  /**
   * What nobody declares is looked for as well (`unmanagedOf`): by lists, of which all is kept, and by what events tell
   * beside what is documented.
   */
  readonly widely?: boolean
  /** What events tell of values is read, too; as `widely` where left out. */
  readonly whole?: boolean
  /** See `ObserveInput.allParts`. */
  readonly allParts?: boolean
  /** What is created is compared with what is known; not at all where it is left out. */
  readonly acquainted?: Acquainted
  /** Kinds whose lists prove the credentials where nothing else has; those of `definitions` where left out. */
  readonly provenBy?: readonly KindDefinition[]
  /** See `JudgeContext.sent`. */
  readonly sent?: JudgeContext['sent']
}

/** The entries that a run looks at, and those it leaves alone. */
export const splitByTarget = (input: RunInput, whole: Declaration) => {
  const { target, looksAt = target } = input
  const takers = kindsLeft(input, whole)
  const isLooked = ({ address, kind }: Entry): boolean => (looksAt?.(address) ?? true) || takers.has(kind)
  const others = whole.entries.filter((entry) => !isLooked(entry))
  return { declaration: { ...whole, entries: whole.entries.filter(isLooked) }, others }
}

/** Kinds of what is to be released: an entry that is not planned may have it under another name. */
const kindsLeft = ({ target, records, look }: RunInput, { entries }: Declaration): ReadonlySet<string> => {
  if (target === undefined || look !== 'for-plan') return new Set()
  const isDeclared = belongsToOne(entries.map(({ address }) => address))
  const left = Object.entries(records).filter(
    ([address]) => target(address) && !isDeclared(address) && !isReplaced(address),
  )
  return new Set(left.map(([, { kind }]) => kind))
}
