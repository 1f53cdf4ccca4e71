import type { DeploymgmtError } from '../../errors/index.ts'
import type { EarlierWrite, Learnt, Made, RecordedResource, Records, WriteSpan } from './model.ts'

/** A change of what is recorded. */
export type Effect =
  | { readonly op: 'put'; readonly address: string; readonly resource: RecordedResource }
  /** With the span of the last write, if it is not the one of the record. */
  | { readonly op: 'drop'; readonly address: string; readonly lastWrite?: WriteSpan }
  | { readonly op: 'move'; readonly from: string; readonly to: string }
  /** Something was sent that may have changed a thing that is not recorded. */
  | ({ readonly op: 'wrote' } & EarlierWrite)
  /** A person has said that a thing is not ours. */
  | ({ readonly op: 'disown' } & Made)

export const put = (address: string, resource: RecordedResource): Effect => ({ op: 'put', address, resource })

/** Keeps a write of ours to a thing that is not recorded yet: events about it are ours. */
export const wrote = ({ kind, identity }: RecordedResource, lastWrite: WriteSpan): Effect => ({
  op: 'wrote',
  kind,
  identity,
  lastWrite,
})

/** Moves the old record out of the way; goes with the effects that write the new one. */
export const moveAside = (address: string, aside: string | undefined): Effect[] =>
  aside === undefined ? [] : [{ op: 'move', from: address, to: aside }]

/** What a door keeps. */
export interface Memory {
  readonly resources: Record<string, RecordedResource>
  /** Our own recent writes to things that are not recorded; never empty. */
  unrecorded?: readonly EarlierWrite[]
  /** Things that were recorded once, or that a person has disowned; never empty. */
  known?: readonly Made[]
}

/** What is written down before a request leaves. Never a secret. */
export interface Intent {
  readonly address: string
  readonly kind: string
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** The fields that the body contains, by the definition's names. */
  readonly fields: readonly string[]
  /** Service time, ISO 8601. */
  readonly at: string
  /** The public key that sends the request. */
  readonly by: string
  /** The record that success leads to, as far as it is known before the answer. */
  readonly expected: RecordedResource
}

/** An intent that has been written down. */
export interface Intended {
  /** The number by which calls of the ledger refer to it. */
  readonly n: number
  /** Service time, ISO 8601: that of the intent itself, even if it was written ahead. */
  readonly at: string
}

/**
 * Where a door keeps its memory while it writes. An intent is durable when its call resolves; everything else is
 * durable before any later intent. After a call rejects, nothing more may be sent.
 */
export interface Ledger {
  readonly records: Records
  /** Our own recent writes to things that are not recorded. */
  readonly unrecorded?: readonly EarlierWrite[]
  intent(intent: Intent): Promise<Intended>
  /** `closes`: earlier intents of the same thing whose outcome this answer tells as well. */
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
  /** The request may have taken effect. */
  unknown(intent: number, error: DeploymgmtError): Promise<void>
  /** Changes of what is recorded that need no request. */
  effects(effects: readonly Effect[]): Promise<void>
  /** A fact that an answer showed about the service and a kind. */
  learnt(kind: string, fact: Learnt): Promise<void>
}
