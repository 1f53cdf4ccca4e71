import type { KindDefinition, LostByName } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { witnessed } from '../judge/events.ts'
import { stepAside } from '../plan/replaced.ts'
import { reason } from '../reason.ts'
import type { RecordedResource } from '../values/model.ts'
import { isOfSender, isWithin } from './candidates.ts'
import {
  openAs,
  settledAs,
  spanOfLost,
  whyUnseen,
  type Finding,
  type LostWrite,
  type SettleEvidence,
} from './facts.ts'
import { unnamed } from './unnamed.ts'

/** Settles a creation that events name by a value alone: it was made, or not; its id is learnt later. */
export const settleNamed = (
  write: LostWrite,
  definition: KindDefinition,
  how: LostByName,
  evidence: SettleEvidence,
): Finding => {
  const { witness } = definition
  if (isNone(witness)) return openAs(write, reason('events-not-emitted', { because: witness.none }))
  const unseen = whyUnseen(definition, [write], evidence)
  if (unseen !== undefined) return openAs(write, unseen)
  const name = witnessed(witness, write.expected) ?? ''
  const about = evidence.log.events.filter((event) => event[witness.event] === name)
  const made = about.some(
    (event) =>
      how.types.test(String(event['eventTypeName'])) &&
      isOfSender(write, definition, event, evidence) &&
      isWithin(write, String(event['created'])),
  )
  if (made) return created(write, definition, name, evidence)
  // Somebody else has made it, or it was there before.
  if (about.length > 0) return openAs(write, reason('exists-id-unknown', { name }))
  return unnamed(write, definition, how, evidence, { unproven: reason('no-event-shows-it') })
}

const created = (
  write: LostWrite,
  definition: KindDefinition,
  name: string,
  { client, records }: SettleEvidence,
): Finding => {
  const { address, expected } = write
  const lastWrite = spanOfLost(write, client.serviceNow())
  const resource: RecordedResource = { ...expected, lastWrite, watermark: lastWrite.to }
  const aside = stepAside(definition, address, records[address])
  return settledAs(
    write,
    [...aside, { op: 'put', address, resource }],
    reason('created-id-unknown', { name }),
  )
}
