import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { witnessed } from '../judge/events.ts'
import { differing } from '../values/compare.ts'
import { sendable } from '../values/wire.ts'
import type { SentBefore } from '../write/send.ts'
import { reachOf, spanOfAll, type LostWrite, type SettleEvidence } from './facts.ts'

/**
 * What a second creation of the same thing follows, where it tells what became of the first: this service, in this
 * version, has refused a name that exists, none of them can take effect any more, and the plan sends the same.
 */
export const sentBefore = (
  sent: readonly LostWrite[],
  definition: KindDefinition,
  evidence: SettleEvidence,
): SentBefore | undefined => {
  const { client, learnt, target } = evidence
  const fact = learnt?.[definition.kind]
  // What tells no version may be another service now.
  if (fact?.serviceVersion === undefined || fact.serviceVersion !== client.serviceVersion) return undefined
  const now = client.serviceNow()
  const isSendable = sent.every(
    (write) =>
      reachOf(write).until < now &&
      target?.(write.address) !== false &&
      isDeclared(write, definition, evidence) &&
      !isRecorded(write, definition, evidence),
  )
  const span = spanOfAll(sent, now)
  return isSendable && span !== undefined ? { intents: sent.map(({ n }) => n), span } : undefined
}

/** Whether the declaration still says all that was sent, secrets apart, and has it created. */
const isDeclared = (
  { address, expected }: LostWrite,
  { identity: { key }, fields }: KindDefinition,
  { declaration }: SettleEvidence,
): boolean => {
  const entry = declaration.entries.find((each) => each.address === address)
  if (entry === undefined || entry.waiting !== undefined || entry.values[key] !== undefined) return false
  const names = sendable(fields).filter((name) => fields[name]?.type.is !== 'secret')
  return differing({ fields }, names, expected.applied, entry.values).length === 0
}

/** A record of that name takes the place of what is declared, and nothing is sent. */
const isRecorded = (
  { expected }: LostWrite,
  { kind, witness }: KindDefinition,
  { records }: SettleEvidence,
): boolean =>
  !isNone(witness) &&
  Object.values(records).some(
    (record) => record.kind === kind && witnessed(witness, record) === witnessed(witness, expected),
  )
