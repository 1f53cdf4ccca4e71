import type { KindDefinition, LostByName } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { witnessed } from '../judge/events.ts'
import { stepAside } from '../plan/replaced.ts'
import { reason, type Reason } from '../reason.ts'
import { formatInstant } from '../values/compare.ts'
import type { RecordedResource } from '../values/model.ts'
import { isOfSender, isWithin } from './candidates.ts'
import { eventsAreLate, fenceFor, isOfAnotherKey } from './fence.ts'
import {
  reachOf,
  settledAs,
  spanOfLost,
  whyUnseen,
  type Finding,
  type LostWrite,
  type SettleEvidence,
} from './settle-facts.ts'

/** Settles a creation that events name by a value alone: it was made, or not; its id is learnt later. */
export const settleNamed = (
  write: LostWrite,
  definition: KindDefinition,
  how: LostByName,
  evidence: SettleEvidence,
): Finding => {
  const { witness } = definition
  if (isNone(witness)) return { write, because: reason('events-not-emitted', { because: witness.none }) }
  const unseen = whyUnseen(definition, [write], evidence)
  if (unseen !== undefined) return { write, because: unseen }
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
  if (about.length > 0) return { write, because: reason('exists-id-unknown', { name }) }
  const { until } = reachOf(write)
  if (evidence.client.serviceNow() <= until)
    return { write, because: reason('can-still-happen', { until: formatInstant(until) }) }
  if (!eventsAreLate(definition, how, write, evidence)) return settledAs(write, [], reason('not-created'))
  const step = fenceFor(write, evidence)
  if (step === undefined) return { write, because: unproven(write, evidence) }
  return { ...settledAs(write, [], reason('to-be-made-sure')), write, step }
}

const unproven = (write: LostWrite, evidence: SettleEvidence): Reason =>
  isOfAnotherKey(write, evidence)
    ? reason('sent-with-another-key', { key: write.by ?? '' })
    : reason('no-event-shows-it')

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
