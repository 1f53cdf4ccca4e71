import type { KindDefinition, Values } from '@deploymgmt/provider/core'
import {
  spanOfUnknown,
  type Declaration,
  type Effect,
  type EngineClient,
  type Records,
  type WriteSpan,
} from '@deploymgmt/provider/engine'
import type { IntentDetail } from './apply/ledger.ts'
import type { OpenIntent } from './state/index.ts'

/** A write of unknown outcome that evidence settles. */
export interface Settled {
  readonly n: number
  readonly effects: readonly Effect[]
  readonly how: string
  /** For what begins anew with nothing recorded: when the request that was lost can have had its effect. */
  readonly lost?: { readonly address: string; readonly span: WriteSpan }
}

/** What a person has to decide, with the evidence there is. */
export interface Unsettled {
  readonly intent: OpenIntent
  readonly evidence: string
}

export interface Facts {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly client: EngineClient
}

/** What one settling knows. */
export interface Evidence extends Facts {
  readonly unknown: readonly OpenIntent[]
  readonly events: readonly Values[]
  /** Whether no event of the time in question was left unread. */
  readonly complete: boolean
}

/** Clocks and the ends of a request are seconds apart at most; an event of ours lies this close. */
export const SKEW_MS = 5_000

export const detailOf = (intent: OpenIntent): IntentDetail => intent.detail as IntentDetail

/** Within when a request can have had its effect, whose answer was lost. */
export const spanOf = (intent: OpenIntent, now: number): WriteSpan => {
  const { sentAt, fields, by } = detailOf(intent)
  return spanOfUnknown({ at: sentAt, fields, by }, now)
}
