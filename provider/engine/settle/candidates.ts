import type { KindDefinition, LostById } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import type { Values } from '../../core/values.ts'
import { eventsOf } from '../judge/by-field.ts'
import { senderOf } from '../judge/sender.ts'
import { same } from '../values/compare.ts'
import { SPAN_MARGIN_MS } from '../values/span.ts'
import { fromAnswer, sendable } from '../values/wire.ts'
import type { Made, RecordedResource } from '../values/model.ts'
import { reachOf, type LostWrite, type SettleEvidence } from './facts.ts'
import { timeOfEvent, typeOfEvent } from '../read/event.ts'

/** A thing that an event of the calling key names as new, and that is not recorded. */
export interface Candidate {
  readonly id: string
  /** When the event says that it was made. */
  readonly at: string
  /** Other values that the event tells, by field. */
  readonly told: Values
}

/** Things that, according to events, were made while one of these requests could take effect; oldest first. */
export const candidatesOf = (
  definition: KindDefinition,
  how: LostById,
  pool: readonly LostWrite[],
  evidence: SettleEvidence,
): Candidate[] => {
  const known = excludedIds(definition, evidence)
  const found = new Map<string, Candidate>()
  for (const event of evidence.log.events) {
    const id = event[how.idInEvent]
    const at = timeOfEvent(event)
    if (typeof id !== 'string' || known.has(id) || !how.types.test(typeOfEvent(event))) continue
    if (!pool.some((write) => isOfSender(write, definition, event, evidence) && isWithin(write, at))) continue
    found.set(id, { id, at, told: fromAnswer(definition, event[how.told], {}).values })
  }
  return [...found.values()].toSorted((a, b) => parseInstant(a.at) - parseInstant(b.at))
}

/** Whether the event of a recorded creation tells its values as they were sent: the format is not documented. */
export const tellsTrue = (
  definition: KindDefinition,
  { idInEvent, told, types }: LostById,
  { log: { events }, records }: SettleEvidence,
): boolean =>
  Object.values(records).some((record) => {
    const id = record.kind === definition.kind ? record.identity[definition.identity.key] : undefined
    const about = eventsOf(events, idInEvent, id)
    const event = about.find((each) => types.test(typeOfEvent(each)))
    if (id === undefined || event === undefined) return false
    const { values } = fromAnswer(definition, event[told], {})
    return Object.keys(values).length > 0 && fits(definition, { expected: record }, values)
  })

/**
 * Ids that cannot be candidates: recorded here or elsewhere, recorded until lately, or already bound to a lost
 * creation.
 */
const excludedIds = (
  { identity: { key } }: KindDefinition,
  { records, lost, unrecorded = [], elsewhere = [] }: SettleEvidence,
) =>
  new Set([
    ...[...Object.values(records), ...unrecorded, ...elsewhere].map(({ identity }) => identity[key]),
    ...lost.map(({ bound }) => bound?.id),
  ])

/**
 * Whether an event is by the key that sent a request, or by the person who owns that key, and is about the place that
 * the request was for.
 */
export const isOfSender = (
  write: LostWrite,
  definition: KindDefinition,
  event: Values,
  { persons }: Pick<SettleEvidence, 'persons'>,
): boolean => {
  const person = persons.get(write.by)
  const isOfPerson = person !== undefined && event['publicKey'] === undefined && event['username'] === person
  return (event['publicKey'] === write.by || isOfPerson) && isOfPlace(write, definition, event)
}

const isOfPlace = (
  { expected: { identity } }: LostWrite,
  { identity: { scope }, fields }: KindDefinition,
  event: Values,
): boolean => scope.every((name) => event[fields[name]?.wire ?? name] === identity[name])

/** Ids of things that persons made while a request could take effect, if one of them may own the key that sent it. */
export const madeByPersons = (
  write: LostWrite,
  definition: KindDefinition,
  { idInEvent, types }: LostById,
  evidence: SettleEvidence,
): string[] => {
  const { events } = evidence.log
  if (evidence.persons.has(write.by)) return []
  const sender = senderOf(events, write.by)
  const known = excludedIds(definition, evidence)
  const ids = events.flatMap((event) => {
    const isCreation = types.test(typeOfEvent(event)) && isOfPlace(write, definition, event)
    const isPossible = isCreation && isWithin(write, timeOfEvent(event))
    return isPossible && sender(event) === 'untold' ? [String(event[idInEvent])] : []
  })
  return ids.filter((id) => !known.has(id))
}

/**
 * Whether a request can have made a thing at this instant: not before the request was written down, nor long after it
 * was given up. Service time is known to a second or two, and not at all if the service's clock was set back.
 */
export const isWithin = (write: LostWrite, created: string): boolean => {
  const { from, until } = reachOf(write)
  const at = parseInstant(created)
  return at >= from - SPAN_MARGIN_MS && at <= until
}

/** Whether a lost creation can have made a thing, judging by the place and values that an event tells. */
export const canHaveMade = (
  definition: KindDefinition,
  write: LostWrite,
  { kind, identity, at }: Made,
  told: Values,
): boolean => {
  const { expected } = write
  const isThere = Object.keys(identity).every(
    (name) => name === definition.identity.key || identity[name] === expected.identity[name],
  )
  return (
    write.method === 'POST' &&
    kind === write.kind &&
    kind === definition.kind &&
    isThere &&
    isFree(write, identity[definition.identity.key]) &&
    isWithin(write, at) &&
    fits(definition, write, told)
  )
}

/** A creation that is bound to one thing cannot have made another. */
const isFree = ({ bound }: LostWrite, id: string | undefined): boolean =>
  bound === undefined || bound.denied === true || bound.id === id

/** Whether the values told of a thing are those that a creation sent, except for the field `without`. */
export const fits = (
  definition: KindDefinition,
  { expected: { applied } }: { readonly expected: Pick<RecordedResource, 'applied'> },
  told: Values,
  { without, whole = false }: { readonly without?: string; readonly whole?: boolean } = {},
): boolean =>
  sendable(definition.fields).every((name) => {
    const field = definition.fields[name]
    if (field === undefined || name === without || (!whole && told[name] === undefined)) return true
    return same(field, told[name], applied[name])
  })

/** Whether creations all sent the same fields: then whatever one of them sent can be written over. */
export const sendAlike = ({ fields }: KindDefinition, writes: readonly LostWrite[]): boolean => {
  const names = sendable(fields)
  const sent = writes.map(({ expected: { applied } }) => names.filter((name) => applied[name] !== undefined))
  return new Set(sent.map(String)).size <= 1
}
