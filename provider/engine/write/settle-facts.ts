import type { KindDefinition } from '../../core/definition.ts'
import type { Values } from '../../core/values.ts'
import type { EngineClient } from '../read/client.ts'
import type { Reason } from '../reason.ts'
import type { Effect, Intent } from '../values/ledger.ts'
import type { Declaration, Records, WriteSpan } from '../values/model.ts'
import { spanOfUnknown } from '../values/span.ts'

/** A write whose answer was lost, as its ledger kept the intent. */
export interface LostWrite extends Pick<
  Intent,
  'address' | 'kind' | 'method' | 'path' | 'fields' | 'at' | 'by' | 'expected'
> {
  /** The ledger's number of the intent. */
  readonly n: number
  /** For how long it was under way before it was given up, in milliseconds; not known after a crash. */
  readonly tookMs?: number
}

/** A lost write that evidence settles. */
export interface Settled {
  readonly n: number
  readonly effects: readonly Effect[]
  readonly how: Reason
  /** For what begins anew with nothing recorded: when the lost request can have had its effect. */
  readonly lost?: { readonly address: string; readonly span: WriteSpan }
}

/** What a person has to decide, with the evidence there is. */
export interface Unsettled {
  readonly write: LostWrite
  readonly because: Reason | undefined
}

export interface SettleFacts {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly client: EngineClient
}

/** What one settling knows. */
export interface SettleEvidence extends SettleFacts {
  readonly lost: readonly LostWrite[]
  readonly events: readonly Values[]
  /** Whether no event of the time in question was left unread. */
  readonly complete: boolean
}

/** Clocks and the ends of a request are seconds apart at most; an event of ours lies this close. */
export const SKEW_MS = 5_000

/** Within when a request can have had its effect, whose answer was lost. */
export const spanOfLost = (write: LostWrite, now = Number.POSITIVE_INFINITY): WriteSpan =>
  spanOfUnknown(write, now)
