import type { Values } from '../../core/index.ts'
import type { Reason, ReasonCode } from '../../engine/index.ts'

/** What is said once for all resources: what it is about, and what tells two of them apart. */
export type SaidKey =
  /** Why the provider is not configured: by whatever needs a client, and by the reads of a plan. */
  | readonly ['not-configured']
  | readonly ['not-read-unconfigured']
  /** The cause of failures: by its explanation, and by the errors of a plan, which cannot be applied then. */
  | readonly ['cause', cause: string]
  | readonly ['plan-failed', cause: string]
  /** A place that does not exist. */
  | readonly ['place-missing', names: readonly string[]]
  /** That no organization is known, or that the events of some were read. */
  | readonly ['no-organization']
  | readonly ['watched-by', orgIds: readonly string[]]
  /** Of one resource, by its kind and values: that nothing is sent for it any more. */
  | readonly ['expired', code: ReasonCode, kind: string, values: Values]
  /** Of one resource, by the key of its state: that something blocks it, a note, or that it was changed outside. */
  | readonly ['blocked', code: ReasonCode, stateKey: string]
  | readonly ['noted', note: Reason, stateKey: string]
  | readonly ['changed-outside', stateKey: string]

/** What has been said since the provider was configured and is to be said only once. */
export class SaidOnce {
  readonly #keys = new Set<string>()

  has(key: SaidKey): boolean {
    return this.#keys.has(JSON.stringify(key))
  }

  add(key: SaidKey): void {
    this.#keys.add(JSON.stringify(key))
  }

  /** Whether it is said for the first time; from now on, it is not. */
  isFirst(key: SaidKey): boolean {
    const isNew = !this.has(key)
    this.add(key)
    return isNew
  }
}
