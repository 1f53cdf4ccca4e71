import { isReadable, type KindDefinition } from '../../core/definition.ts'
import { meaningAnother } from '../plan/meaning-another.ts'
import type { KnownThings } from '../judge/created.ts'
import type { JudgeContext } from '../judge/standing.ts'
import type { Target } from '../plan/input.ts'
import { NO_LISTS, type Lists } from '../read/shared-lists.ts'
import { belongsToOne, isReplaced } from '../values/address.ts'
import type { Declaration, Entry, RecordedResource, Records } from '../values/model.ts'

/** What a run plans, and what is known of it before anything is read. */
export interface RunInput extends RunReads {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** See `PlanInput.target`. */
  readonly target?: Target | undefined
  /** The instant (service time) as of which to plan, if an earlier run has planned as of it; by default, now. */
  readonly now?: Date
  /** What creations are compared with, besides the records; without it, they are not compared at all. */
  readonly knownThings?: KnownThings
  /** See `JudgeContext.sent`. */
  readonly sent?: JudgeContext['sent']
}

/** How much a run reads for it, and how. */
export interface RunReads {
  /** Drift looks at everything recorded, a plan only at what it may have to write. */
  readonly look: 'for-plan' | 'at-everything'
  /** Also read what `unmanagedOf` needs: whole lists, and the undocumented details of events. */
  readonly withUnmanaged?: boolean
  /** See `ObserveInput.byLists`; by default, as `withUnmanaged`. */
  readonly byLists?: boolean
  /** Also read the values that events tell; by default, as `withUnmanaged`. */
  readonly withRaw?: boolean
  /** See `ObserveInput.allParts`. */
  readonly allParts?: boolean
  /** See `ObserveInput.lists`. */
  readonly lists?: Lists
  /** Kinds whose lists can show that the credentials are right, if nothing else has; by default, `definitions`. */
  readonly provenBy?: readonly KindDefinition[]
}

/** What a run reads, with the defaults. */
export const readsOf = ({
  definitions,
  look,
  withUnmanaged = false,
  byLists = withUnmanaged,
  withRaw = withUnmanaged,
  allParts = false,
  lists = NO_LISTS,
  provenBy = definitions,
}: RunInput): Required<RunReads> => ({
  look,
  withUnmanaged,
  byLists,
  withRaw,
  allParts,
  lists,
  provenBy,
})

/** Splits the entries into those that a run plans and the others, which only keep what they claim. */
export const splitByTarget = (input: RunInput, whole: Declaration) => {
  const releasing = kindsToRelease(input, whole)
  const isIncluded = ({ address, kind }: Entry): boolean =>
    (input.target?.looksAt(address) ?? true) || releasing.has(kind)
  const others = whole.entries.filter((entry) => !isIncluded(entry))
  return { declaration: { ...whole, entries: whole.entries.filter(isIncluded) }, others }
}

/** Kinds with records that nothing declares: an entry that is not planned may stand for such a thing under another name. */
const kindsToRelease = (
  { target, records, definitions }: RunInput,
  { entries }: Declaration,
): ReadonlySet<string> => {
  if (target === undefined) return new Set()
  const isLeft = undeclaredBy(definitions, entries)
  const left = Object.entries(records).filter(
    ([address, record]) => target.includes(address) && isLeft(address, record),
  )
  return new Set(left.map(([, { kind }]) => kind))
}

/**
 * Whether nothing declares what is recorded at an address, so that an entry may take it over under another name. What
 * waits for its release because it was replaced is never taken over.
 */
export const undeclaredBy = (
  definitions: readonly KindDefinition[],
  entries: readonly Entry[],
): ((address: string, record: RecordedResource) => boolean) => {
  const isDeclared = belongsToOne(entries.map(({ address }) => address))
  // What can be read is claimed by whatever declares it, planned or not.
  const isAnother = meaningAnother(
    definitions.filter((definition) => !isReadable(definition)),
    entries,
  )
  return (address, record) => !isReplaced(address) && (!isDeclared(address) || isAnother(address, record))
}
