import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { witnessed } from '../judge/events.ts'
import { differing } from '../values/compare.ts'
import { sendable } from '../values/wire.ts'
import type { SentBefore } from '../write/send.ts'
import { reachOf, spanOfAll, type LostWrite, type SettleEvidence } from './facts.ts'

/**
 * The earlier requests that a second creation of the same thing would settle. Undefined unless this version of the
 * service is known to refuse an existing name, none of these requests can still take effect, and the plan sends the
 * same.
 */
export const sentBefore = (
  sent: readonly LostWrite[],
  definition: KindDefinition,
  evidence: SettleEvidence,
): SentBefore | undefined => {
  const { client, learnt, target } = evidence
  const fact = learnt?.[definition.kind]
  // A service that tells no version may be a different one now.
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

/** Whether the declaration still has everything that was sent, except secrets, and still asks for a creation. */
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

/** Whether a record of that name exists: it takes the place of what is declared, and nothing is sent. */
const isRecorded = (
  { expected }: LostWrite,
  { kind, witness }: KindDefinition,
  { records }: SettleEvidence,
): boolean =>
  !isNone(witness) &&
  Object.values(records).some(
    (record) => record.kind === kind && witnessed(witness, record) === witnessed(witness, expected),
  )
