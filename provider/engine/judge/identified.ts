import type { KindDefinition, LostByName } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Identity } from '../../core/values.ts'
import { reason, type Reason } from '../reason.ts'
import type { EventLog } from '../read/events.ts'
import { isComplete } from '../values/identity.ts'
import type { RecordedResource } from '../values/model.ts'
import { isWithinSpan } from '../values/span.ts'
import { sureOf } from '../values/sure.ts'
import { witnessed } from './events.ts'
import { writableIn } from '../values/wire.ts'
import { timeOfEvent, typeOfEvent } from '../read/event.ts'

/**
 * The record of a created thing whose id no answer has told, with the id that events or the entry tell now. An
 * event that the thing itself caused has both its name and its id. An id that a person declares is not taken on
 * trust: all fields are written again.
 */
export const identified = (
  definition: KindDefinition,
  record: RecordedResource,
  { events }: EventLog,
  declared: Identity = {},
): RecordedResource => {
  if (isComplete(definition, record.identity)) return record
  const identity = { ...record.identity, ...declared }
  if (isComplete(definition, identity))
    return { ...record, identity, unsure: writableIn(definition, record.applied) }
  const known = isUnproven(definition, record) ? proven(definition, record, events) : record
  const id = known === undefined ? undefined : idToldBy(definition, known, events)
  return id === undefined
    ? (known ?? record)
    : { ...(known ?? record), identity: { ...identity, [definition.identity.key]: id } }
}

/**
 * The thing is known to exist only because a second creation was refused. Somebody else may have made it, with
 * other values.
 */
export const isUnproven = (definition: KindDefinition, { identity, unsure }: RecordedResource): boolean =>
  unsure !== undefined && !isComplete(definition, identity)

/** If an event shows that our key made the thing at that time, it is ours with everything that was sent. */
const proven = (
  { establish: { create }, witness }: KindDefinition,
  record: RecordedResource,
  events: EventLog['events'],
): RecordedResource | undefined => {
  const { lastWrite } = record
  if (isNone(create) || isNone(create.lost) || isNone(witness) || lastWrite === null) return undefined
  const { types } = create.lost
  const isOurs = events.some(
    (event) =>
      event[witness.event] === witnessed(witness, record) &&
      event['publicKey'] === lastWrite.by &&
      types.test(typeOfEvent(event)) &&
      isWithinSpan(lastWrite, timeOfEvent(event)),
  )
  return isOurs ? sureOf(record) : undefined
}

/** The one id that events tell. Two ids mean two things of the same name, one after the other. */
const idToldBy = (
  { establish: { create }, witness }: KindDefinition,
  record: RecordedResource,
  events: EventLog['events'],
): string | undefined => {
  if (isNone(create) || isNone(create.lost) || isNone(witness) || create.lost.by !== 'name') return undefined
  const name = witnessed(witness, record)
  if (name === undefined) return undefined
  const [id, ...others] = idsTold(create.lost, name, events)
  return others.length === 0 ? id : undefined
}

/** The ids of the actors that caused events under a name. */
export const idsTold = ({ actor }: LostByName, name: string, events: EventLog['events']): string[] => [
  ...new Set(
    events
      .filter((event) => event[actor.name] === name)
      .map((event) => event[actor.id])
      .filter((id) => typeof id === 'string'),
  ),
]

/** Why a created thing whose id is not known yet cannot be changed. */
export const idNotTold = ({ establish: { create }, identity: { key } }: KindDefinition): Reason =>
  reason('id-not-told', {
    field: key,
    because: isNone(create) || isNone(create.lost) || create.lost.by !== 'name' ? '' : create.lost.because,
  })
