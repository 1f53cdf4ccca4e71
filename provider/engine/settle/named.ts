import type { KindDefinition, LostByName } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { witnessed } from '../judge/events.ts'
import { idsTold } from '../judge/identified.ts'
import { putInstead } from '../plan/replaced.ts'
import { reason } from '../reason.ts'
import type { RecordedResource } from '../values/model.ts'
import { isWithinSpan } from '../values/span.ts'
import { sentBefore } from './again.ts'
import { isOfSender, isWithin } from './candidates.ts'
import {
  openAs,
  provisionalAs,
  settledAs,
  spanOfAll,
  whyUnseen,
  type SettleFinding,
  type LostWrite,
  type SettleEvidence,
} from './facts.ts'
import { unnamed } from './unnamed.ts'
import { timeOfEvent, typeOfEvent } from '../read/event.ts'

/**
 * Settles a creation that events name only by a value: they tell whether it happened, and the id is learnt later. The
 * creation may have been sent more than once.
 */
export const settleNamed = (
  writes: readonly LostWrite[],
  definition: KindDefinition,
  how: LostByName,
  evidence: SettleEvidence,
): SettleFinding[] => {
  const sent = writes.toSorted((a, b) => a.n - b.n)
  const last = sent.at(-1)
  if (last === undefined) return []
  const found = settleLast(last, sent, { definition, how, evidence })
  return [...sent.slice(0, -1).map((write) => like(found, write)), found]
}

/** What is found out about one of several requests for one thing is true of the others. */
const like = (found: SettleFinding, write: LostWrite): SettleFinding => {
  if (found.is === 'open') return openAs(write, found.because)
  return found.is === 'settled'
    ? settledAs(write, [], found.how)
    : provisionalAs(write, [], found.how, undefined)
}

interface Named {
  readonly definition: KindDefinition
  readonly how: LostByName
  readonly evidence: SettleEvidence
}

const settleLast = (last: LostWrite, sent: readonly LostWrite[], named: Named): SettleFinding => {
  const { definition, how, evidence } = named
  const { witness } = definition
  if (isNone(witness)) return openAs(last, reason('events-not-emitted', { because: witness.none }))
  const name = witnessed(witness, last.expected) ?? ''
  const about = evidence.log.events.filter((event) => event[witness.event] === name)
  const made = about.some(
    (event) =>
      how.types.test(typeOfEvent(event)) &&
      !isOfForgotten(last, event, evidence) &&
      sent.some(
        (write) => isOfSender(write, definition, event, evidence) && isWithin(write, timeOfEvent(event)),
      ),
  )
  if (made) return created(sent, last, name, named)
  // Somebody else made it, or it existed before.
  if (about.length > 0)
    return openAs(last, reason('exists-id-unknown', { name, ids: idsTold(how, name, evidence.log.events) }))
  const before = sentBefore(sent, definition, evidence)
  if (before !== undefined)
    return provisionalAs(last, [], reason('to-be-sent-again', { name }), { step: 'again', before })
  const unseen = whyUnseen(definition, [last], evidence)
  if (unseen !== undefined) return openAs(last, unseen)
  return unnamed(last, { definition, how, unproven: reason('no-event-shows-it') }, evidence)
}

/** Whether an event may be about a thing of the kind that was written at that time and is no longer recorded. */
const isOfForgotten = (
  { kind }: LostWrite,
  event: Values,
  { unrecorded = [] }: Pick<SettleEvidence, 'unrecorded'>,
): boolean =>
  unrecorded.some(({ kind: of, lastWrite }) => of === kind && isWithinSpan(lastWrite, timeOfEvent(event)))

const created = (
  sent: readonly LostWrite[],
  last: LostWrite,
  name: string,
  { definition, evidence: { client, records } }: Named,
): SettleFinding => {
  const { address, expected } = last
  const lastWrite = spanOfAll(sent, client.serviceNow()) ?? null
  const resource: RecordedResource = {
    ...expected,
    lastWrite,
    watermark: lastWrite?.to ?? expected.watermark,
  }
  const effects = putInstead(definition, address, resource, records)
  return settledAs(last, effects, reason('created-id-unknown', { name }))
}
