import type { DeploymgmtError } from '../../errors/index.ts'
import type { Learnt, RecordedResource, Records } from './model.ts'

/** A change of what is recorded. */
export type Effect =
  | { readonly op: 'put'; readonly address: string; readonly resource: RecordedResource }
  | { readonly op: 'drop'; readonly address: string }
  | { readonly op: 'move'; readonly from: string; readonly to: string }

/**
 * Brings changes to a table of records, in place and in order: all of them or none.
 * @throws RangeError where one drops or moves what is not there, or moves onto what is.
 */
export const applyEffects = (records: Record<string, RecordedResource>, effects: readonly Effect[]): void => {
  refuseImpossible(records, effects)
  for (const effect of effects) {
    if (effect.op === 'put') records[effect.address] = effect.resource
    else if (effect.op === 'drop') delete records[effect.address]
    else {
      const moved = records[effect.from]
      if (moved !== undefined) records[effect.to] = moved
      delete records[effect.from]
    }
  }
}

const refuseImpossible = (records: Records, effects: readonly Effect[]): void => {
  const changed = new Map<string, boolean>()
  const isThere = (address: string) => changed.get(address) ?? Object.hasOwn(records, address)
  for (const effect of effects) {
    if (effect.op === 'put') changed.set(effect.address, true)
    else {
      const gone = effect.op === 'drop' ? effect.address : effect.from
      if (!isThere(gone)) throw new RangeError(`nothing is recorded at ${gone}`)
      changed.set(gone, false)
    }
    if (effect.op === 'move') {
      if (isThere(effect.to)) throw new RangeError(`something is recorded at ${effect.to} already`)
      changed.set(effect.to, true)
    }
  }
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

/**
 * Where a door keeps its memory while it writes. Each call resolves when what it says is durable; one that
 * rejects means that nothing more may be sent.
 */
export interface Ledger {
  readonly records: Records
  /** Answers a number for the calls below. */
  intent(intent: Intent): Promise<number>
  /** `closes`: earlier intents of the same thing, whose outcome this answer tells as well. */
  answered(
    intent: number,
    status: number,
    effects: readonly Effect[],
    closes: readonly number[],
  ): Promise<void>
  /** The request certainly had no effect. */
  refused(intent: number, error: DeploymgmtError): Promise<void>
  /** The request may have had its effect. */
  unknown(intent: number, error: DeploymgmtError): Promise<void>
  /** Changes of what is recorded that need no request. */
  effects(effects: readonly Effect[]): Promise<void>
  /** Something that an answer has shown of the service itself, and of a kind. */
  learnt(kind: string, fact: Learnt): Promise<void>
}
