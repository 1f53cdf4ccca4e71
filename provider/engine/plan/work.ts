import type { ReleaseWay } from '../../core/definition.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { Reason } from '../reason.ts'
import type { Instance } from '../values/instance.ts'
import type { Change, Need, RecordedResource } from '../values/model.ts'

/**
 * What carrying out a change means: the inner side of a plan, derived anew in every run and never saved. `aside` is
 * the address to which the record of another thing at this address moves, and where it waits for its release.
 */
export type Work =
  /** Nothing, or only bookkeeping: a record of what was seen. */
  | { readonly do: 'keep'; readonly put?: RecordedResource; readonly aside?: string }
  | { readonly do: 'create'; readonly instance: Instance; readonly aside?: string }
  /** Writes fields of a recorded thing, or of one that comes under management. */
  | {
      readonly do: 'write'
      readonly instance: Instance
      readonly fields: readonly string[]
      /** Sent first and by themselves, because the answer shows what the others have to be compared with. */
      readonly learnBy: readonly string[]
      readonly record: RecordedResource | undefined
      /** Events that were seen before, with the fields that they are about. The write settles them. */
      readonly settles: readonly { readonly id: string; readonly fields: readonly string[] }[]
      /** Live values as read, or as a first adoption saw them; null if nothing has shown them. */
      readonly seen: Values | null
      readonly aside?: string
    }
  /** Sends nothing: a thing comes under management, or edited settings are recorded. */
  | { readonly do: 'record'; readonly put: RecordedResource; readonly aside?: string }
  | {
      readonly do: 'delete'
      readonly instance: Instance
      readonly identity: Identity
      readonly aside?: string
    }
  | {
      readonly do: 'release'
      readonly record: RecordedResource
      readonly way: Extract<ReleaseWay, { way: 'send' }>
      /** Addresses of the replacements that this plan creates. The thing stays while one of them has no record. */
      readonly instead?: readonly string[]
      /** Ids of events that were seen before. The release settles them. */
      readonly settles: readonly string[]
      /** What nobody could find out later. */
      readonly notes: readonly Reason[]
    }
  /** `notes` tell what nobody could find out later. */
  | { readonly do: 'drop'; readonly notes?: readonly Reason[] }
  /** `put` is the record at its new address, if the entry changes it. */
  | {
      readonly do: 'move'
      readonly from: string
      readonly put?: RecordedResource
      /** Set if the record that has the new address is of a thing that may go on: it would be forgotten otherwise. */
      readonly aside?: string
    }

/** A change as shown, and the work that carries it out. */
export interface PlannedChange {
  readonly change: Change
  readonly work: Work
  /**
   * Set if the change may take access from the calling key that other changes need: why, and the flag without which
   * it cannot.
   */
  readonly takesFromCaller?: Need
}
