import type { KindDefinition } from '../../core/definition.ts'
import type { Provenance } from '../../core/expansion.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { Entry } from './model.ts'
import type { Sort } from './sort.ts'

/** One managed thing, as opposed to a declared one: an entry can stand for several instances. */
export interface Instance {
  readonly definition: KindDefinition
  readonly entry: Entry
  readonly address: string
  /** Without the key if the service has yet to assign it. */
  readonly identity: Identity
  readonly desired: Values
  readonly provenance: Provenance
  /** In force, the instance is the entry itself, which is a rule over several things. */
  readonly sort: Sort
  /** Why the entry stands for nothing: its selector matches nothing, or the service does not know its place. */
  readonly unmatched: 'no-match' | 'no-place' | undefined
  /** From this instant on, the instance is no longer created. */
  readonly createBefore: string | undefined
  /** The entry whose selector also matches the thing; it yields because an id beats a selector. */
  readonly takenFrom?: string
  /**
   * Fields that no call writes and that were not read as declared, each with what counts as applied if nothing is
   * recorded yet: what is left to others counts as it is.
   */
  readonly unapplied?: Values
}
