import type { DeploymgmtError } from '../../errors/index.ts'
import type { RecordedResource, Records } from './model.ts'

/** A change of what is recorded. */
export type Effect =
  | { readonly op: 'put'; readonly address: string; readonly resource: RecordedResource }
  | { readonly op: 'drop'; readonly address: string }
  | { readonly op: 'move'; readonly from: string; readonly to: string }

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

/**
 * Where a door keeps its memory while it writes. Each call resolves when what it says is durable; one that
 * rejects means that nothing more may be sent.
 */
export interface Ledger {
  readonly records: Records
  /** Answers a number for the calls below. */
  intent(intent: Intent): Promise<number>
  answered(intent: number, status: number, effects: readonly Effect[]): Promise<void>
  /** The request certainly had no effect. */
  refused(intent: number, error: DeploymgmtError): Promise<void>
  /** The request may have had its effect. */
  unknown(intent: number, error: DeploymgmtError): Promise<void>
  /** Changes of what is recorded that need no request. */
  effects(effects: readonly Effect[]): Promise<void>
}
