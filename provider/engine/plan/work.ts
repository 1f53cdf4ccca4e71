import type { ReleaseWay } from '../../core/definition.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { Reason } from '../reason.ts'
import type { Instance } from './expand.ts'
import type { Change, RecordedResource } from '../values/model.ts'

/**
 * What carrying out a change means; a plan's inner side, derived again for every run and never saved. `displaced` is where
 * the record of another thing at the address steps aside to, for its release later.
 */
export type Work =
  /** Nothing, or bookkeeping alone: a record that says what was seen. */
  | { readonly do: 'keep'; readonly put?: RecordedResource; readonly displaced?: string }
  | { readonly do: 'create'; readonly instance: Instance; readonly displaced?: string }
  /** Write fields: of a thing that comes under management, or of a recorded one. */
  | {
      readonly do: 'write'
      readonly instance: Instance
      readonly fields: readonly string[]
      /** Sent first and alone, because its answer shows what the others have to be compared with. */
      readonly learnBy: readonly string[]
      readonly record: RecordedResource | undefined
      /** Events that were seen before, with the fields they speak of: the write answers them. */
      readonly settles?: readonly { readonly id: string; readonly fields: readonly string[] }[]
      /** Live values before the first write of an adopted thing. */
      readonly seen: Values | null
      readonly displaced?: string
    }
  /** With no request: the thing comes under management, or what its entry says of its removal is recorded again. */
  | { readonly do: 'record'; readonly put: RecordedResource; readonly displaced?: string }
  | {
      readonly do: 'delete'
      readonly instance: Instance
      readonly identity: Identity
      readonly displaced?: string
    }
  | {
      readonly do: 'release'
      readonly record: RecordedResource
      readonly way: Extract<ReleaseWay, { way: 'send' }>
      /** What its entry has instead, and this plan makes: it stays while one of these addresses has no record. */
      readonly instead?: readonly string[]
      /** Ids of events that were seen before. */
      readonly seen?: readonly string[]
    }
  /** `note` is what nobody could find out later. */
  | { readonly do: 'drop'; readonly note?: Reason }
  /** `put` is the record under its new address, where the entry says something else of it now. */
  | {
      readonly do: 'move'
      readonly from: string
      readonly put?: RecordedResource
      /** What is recorded at the new address and is over, but may yet go on: it would be forgotten otherwise. */
      readonly displaced?: string
    }

/** A change as shown, and what it takes to carry it out. */
export interface PlannedChange {
  readonly change: Change
  readonly work: Work
  /** It may take from the calling key what the other changes need: the flag without which it takes nothing. */
  readonly takesFromCaller?: string
}
