import type { DeploymgmtError } from '../../errors/index.ts'
import type { EarlierWrite, Learnt, Made, RecordedResource, Records, WriteSpan } from './model.ts'

/** A change of what is recorded. */
export type Effect =
  | { readonly op: 'put'; readonly address: string; readonly resource: RecordedResource }
  /** With the span of the last write, where that is not the one of the record. */
  | { readonly op: 'drop'; readonly address: string; readonly lastWrite?: WriteSpan }
  | { readonly op: 'move'; readonly from: string; readonly to: string }
  /** What was sent may have changed a thing that is not recorded. */
  | ({ readonly op: 'wrote' } & EarlierWrite)
  /** A person has said of a thing that it is not ours. */
  | ({ readonly op: 'disown' } & Made)

/** What a door keeps. */
export interface Memory {
  readonly resources: Record<string, RecordedResource>
  /** Our own recent writes to things that are not recorded; never empty. */
  unrecorded?: readonly EarlierWrite[]
  /** Things that were recorded once, or that a person has said not to be ours; never empty. */
  known?: readonly Made[]
}

/** What is written down before a request leaves. Never a secret. */
export interface Intent {
  readonly address: string
  readonly kind: string
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** The fields that the body holds, by the definition's names. */
  readonly fields: readonly string[]
  /** Service time, ISO 8601. */
  readonly at: string
  /** The public key that sends it. */
  readonly by?: string | undefined
  /** The record that a success leads to, as far as it is known before the answer. */
  readonly expected: RecordedResource
}

/** An intent that is written down. */
export interface Intended {
  /** By which the calls of a ledger name it. */
  readonly n: number
  /** Service time, ISO 8601: its own, also where it was written down before its turn came. */
  readonly at: string
}

/**
 * Where a door keeps its memory while it writes. An intent is durable when its call resolves; everything else is
 * durable before any intent that is written down later. A call that rejects means that nothing more may be sent.
 */
export interface Ledger {
  readonly records: Records
  /** Our own recent writes to things that are not recorded. */
  readonly unrecorded?: readonly EarlierWrite[]
  intent(intent: Intent): Promise<Intended>
  /** `closes`: earlier intents of the same thing, whose outcome this answer tells as well. */
  answered(
    intent: number,
    status: number,
    effects: readonly Effect[],
    closes: readonly number[],
  ): Promise<void>
  /** The request certainly had no effect. */
  refused(intent: number, error: DeploymgmtError): Promise<void>
  /** The request never left. */
  withdrawn(intent: number): Promise<void>
  /** The request may have had its effect. */
  unknown(intent: number, error: DeploymgmtError): Promise<void>
  /** Changes of what is recorded that need no request. */
  effects(effects: readonly Effect[]): Promise<void>
  /** Something that an answer has shown of the service itself, and of a kind. */
  learnt(kind: string, fact: Learnt): Promise<void>
}
