import { definitionOf, type KindDefinition, type LostCreation } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { showsLastWrite, witnessed } from '../judge/events.ts'
import { standingOf } from '../judge/standing.ts'
import { readFrom } from '../read/events.ts'
import type { Observations } from '../read/observe.ts'
import { organizationsOf } from '../read/organizations.ts'
import { entryOf } from '../values/address.ts'
import { isComplete } from '../values/identity.ts'
import type { Declaration, RecordedResource } from '../values/model.ts'
import { isOfSender } from './candidates.ts'
import {
  reachOf,
  SKEW_MS,
  type Fence,
  type LostWrite,
  type SettleEvidence,
  type SettleFacts,
} from './facts.ts'
import { instantOfEvent, typeOfEvent } from '../read/event.ts'

/**
 * Whether the event of a lost creation may still arrive. Otherwise nothing was created: the event of a later write is
 * there, and no other write of ours of that time lacks its event.
 */
export const eventsAreLate = (
  definition: KindDefinition,
  how: LostCreation,
  write: LostWrite,
  evidence: SettleEvidence,
): boolean => {
  const own = ownEvents(definition, write, evidence)
  if (own === undefined) return true
  const { until } = reachOf(write)
  const later = own.events.filter((event) => instantOfEvent(event) > until)
  // If nothing of the kind was written later, a creation must show that creations of the kind have events at all.
  const isFenced = later.some(own.isOfSibling) || (later.length > 0 && creationsShow(how, own))
  const lacksOne = own.siblings.some((record) => {
    const { lastWrite } = record
    const isOfThatTime =
      lastWrite !== null && parseInstant(lastWrite.from) >= parseInstant(write.at) - SKEW_MS
    return isOfThatTime && !own.tellsOf(record)
  })
  return !isFenced || lacksOne
}

/** What the sender of a lost creation has done, and the records of the same kind in the same place. */
interface OwnEvents {
  readonly events: readonly Values[]
  readonly siblings: readonly RecordedResource[]
  readonly isOfSibling: (event: Values) => boolean
  readonly tellsOf: (record: RecordedResource) => boolean
}

/** Undefined if no event names things of the kind. */
const ownEvents = (
  definition: KindDefinition,
  write: LostWrite,
  evidence: SettleEvidence,
): OwnEvents | undefined => {
  const { witness } = definition
  if (isNone(witness)) return undefined
  const nameIn = ({ [witness.event]: name }: Values): string | undefined =>
    typeof name === 'string' ? name : undefined
  const events = evidence.log.events.filter((event) => isOfSender(write, definition, event, evidence))
  const siblings = siblingsOf(definition, write, evidence)
  const names = new Set(siblings.map((record) => witnessed(witness, record)))
  const seen = new Set(events.map(nameIn))
  return {
    events,
    siblings,
    isOfSibling: (event) => names.has(nameIn(event)),
    tellsOf: (record) => seen.has(witnessed(witness, record)),
  }
}

/** Whether an event shows that creations of the kind have events at all. */
const creationsShow = (how: LostCreation, { events, isOfSibling }: OwnEvents): boolean =>
  events.some((event) => isOfSibling(event) && how.types.test(typeOfEvent(event)))

/** Records of the same kind in the same place. */
const siblingsOf = (
  { identity: { scope } }: KindDefinition,
  { kind, expected }: LostWrite,
  { records }: SettleFacts,
): RecordedResource[] =>
  Object.values(records).filter(
    (record) =>
      record.kind === kind && scope.every((name) => record.identity[name] === expected.identity[name]),
  )

/**
 * A write that changes nothing, if one is possible. It goes to a thing that, as far as is known, nobody else has
 * touched, and its event has the key that sent the lost request.
 */
export const fenceFor = (
  definition: KindDefinition,
  how: LostCreation,
  write: LostWrite,
  evidence: SettleEvidence,
): Fence | undefined => {
  const own = ownEvents(definition, write, evidence)
  const tells = own !== undefined && creationsShow(how, own)
  // An event about another kind proves nothing unless creations of this kind are known to have events.
  return fencesNear(write, evidence).find(
    (fence) => (tells || fence.definition === definition) && isUntouched(fence, evidence),
  )
}

/** Fences that are possible for a lost write, regardless of events; those that notify nobody come first. */
export const fencesNear = (
  write: LostWrite,
  facts: SettleFacts & Pick<SettleEvidence, 'lost'>,
): readonly Fence[] => {
  const { definitions, declaration, records } = facts
  const definition = definitionOf(definitions, write.kind)
  if (definition === undefined || isOfAnotherKey(write, facts)) return []
  const siblings = new Set(siblingsOf(definition, write, facts))
  const places = organizationsOf(definition, write.expected, declaration)
  const isAnywhere = definition.identity.scope.length === 0
  const fences = Object.entries(records).flatMap(([address, record]) => {
    const own = definitionOf(definitions, record.kind)
    if (own === undefined || (!siblings.has(record) && (!isAnywhere || own === definition))) return []
    const isNear = organizationsOf(own, record, declaration).some((place) => places.includes(place))
    const ignored = ignoredOf(address, declaration)
    const field = isNear && isFree(address, facts) ? fieldToRepeat(own, record, ignored, facts) : undefined
    const fence = { step: 'fence', definition: own, address, record, ignored } as const
    return field === undefined ? [] : [{ ...fence, field }]
  })
  // Writing roles again may notify a person.
  return fences.toSorted((a, b) => Number(siblings.has(a.record)) - Number(siblings.has(b.record)))
}

/** Whether another key than the current one sent a request: nothing that is sent now tells anything about it. */
export const isOfAnotherKey = ({ by }: LostWrite, { client }: Pick<SettleFacts, 'client'>): boolean =>
  by !== client.publicKey

/** Whether the run may write to the address, and no other request to it is open. */
const isFree = (address: string, { target, lost }: SettleFacts & Pick<SettleEvidence, 'lost'>): boolean =>
  target?.(address) !== false && !lost.some((each) => each.address === address)

/** Fields, any one of which can be written again to learn something, without any other effect. */
const repeatable = ({ establish: { create } }: KindDefinition): readonly string[] => {
  if (isNone(create) || isNone(create.lost)) return []
  return create.lost.by === 'id' ? create.lost.asks : create.lost.repeats
}

/** A field that can be written again with the value it is known to have, if there is one. */
const fieldToRepeat = (
  definition: KindDefinition,
  record: RecordedResource,
  ignored: readonly string[],
  { client }: SettleFacts,
): string | undefined => {
  // Changes by others that a person accepted must stay, and so must values that should have been removed.
  const { unsure, acknowledged, leftover, notFoundAt, lastWrite } = record
  const isKnown = [unsure, acknowledged, leftover, notFoundAt].every((each) => each === undefined)
  // A write by another key would reset what counts as known about the thing.
  if (!isKnown || lastWrite?.by !== client.publicKey || !isComplete(definition, record.identity))
    return undefined
  return repeatable(definition).find((name) => record.applied[name] !== undefined && !ignored.includes(name))
}

/** Fields that the declaration leaves to others. */
const ignoredOf = (address: string, { entries }: Declaration): readonly string[] =>
  entries.find((entry) => entry.address === entryOf(address) || entry.address === address)?.ignoreChanges ??
  []

/**
 * Whether nobody else has touched the thing, as far as events can tell: they were read since its last write, the
 * event of that write is among them, and there is no other.
 */
const isUntouched = ({ definition, record }: Fence, evidence: SettleEvidence): boolean => {
  const { client, complete, declaration, log, since } = evidence
  const isRead = organizationsOf(definition, record, declaration).every(
    (place) => complete.has(place) && (since.get(place) ?? Number.POSITIVE_INFINITY) <= readFrom(record),
  )
  if (!isRead || !showsLastWrite(definition, record, log, client.publicKey)) return false
  const standing = standingOf(definition, record, {
    declaration,
    log,
    ownKey: client.publicKey,
    observed: NOTHING_OBSERVED,
    now: new Date(client.serviceNow()),
  })
  return standing.evidence.level === 'recorded' && standing.changed.length === 0 && !standing.isOver
}

const NOTHING_OBSERVED: Observations = {
  things: new Map(),
  scopes: new Map(),
  absent: new Set(),
  refused: new Map(),
  parts: new Map(),
}
