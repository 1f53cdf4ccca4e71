import type { KindDefinition, LostCreation } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { foreignEvents, witnessed } from '../judge/events.ts'
import { readFrom } from '../read/events.ts'
import { organizationsOf } from '../read/organizations.ts'
import { parseInstant } from '../values/compare.ts'
import { isComplete } from '../values/identity.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { RecordedResource } from '../values/model.ts'
import { isOfSender } from './candidates.ts'
import { reachOf, SKEW_MS, type Fence, type LostWrite, type SettleEvidence } from './settle-facts.ts'

/**
 * Whether the event of a lost creation may just not be there yet, or never will be. It would be there if that of
 * a later write is, and if no other write of ours of that time lacks its own.
 */
export const eventsAreLate = (
  definition: KindDefinition,
  how: LostCreation,
  write: LostWrite,
  evidence: SettleEvidence,
): boolean => {
  const { witness } = definition
  if (isNone(witness)) return true
  const ours = evidence.events.filter((event) => isOfSender(write, definition, event, evidence))
  const siblings = siblingsOf(definition, write, evidence)
  const names = new Set(siblings.map((record) => witnessed(witness, record)))
  const isOfSibling = (event: Values) => names.has(textOf(event[witness.event]))
  const { until } = reachOf(write)
  const later = ours.filter((event) => parseInstant(String(event['created'])) > until)
  // Where nothing of the kind was written later, one of its creations has to show that they have events at all.
  const isFenced =
    later.some(isOfSibling) ||
    (later.length > 0 &&
      ours.some((event) => isOfSibling(event) && how.types.test(String(event['eventTypeName']))))
  const seen = new Set(ours.map((event) => textOf(event[witness.event])))
  const lacksOne = siblings.some((record) => {
    const { lastWrite } = record
    const isOfThatTime =
      lastWrite !== null && parseInstant(lastWrite.from) >= parseInstant(write.at) - SKEW_MS
    return isOfThatTime && !seen.has(witnessed(witness, record))
  })
  return !isFenced || lacksOne
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** What is recorded of the same kind in the same place. */
const siblingsOf = (
  { identity: { scope } }: KindDefinition,
  { kind, expected }: LostWrite,
  { records }: SettleEvidence,
): RecordedResource[] =>
  Object.values(records).filter(
    (record) =>
      record.kind === kind && scope.every((name) => record.identity[name] === expected.identity[name]),
  )

/**
 * A write that changes nothing, where one is possible: to a thing that nobody else has touched, of the kind and
 * the place itself before all others whose events are in the same list.
 */
export const fenceFor = (
  definition: KindDefinition,
  write: LostWrite,
  evidence: SettleEvidence,
): Fence | undefined => {
  const siblings = new Set(siblingsOf(definition, write, evidence))
  const places = organizationsOf(definition, write.expected, evidence.declaration)
  const fences = Object.entries(evidence.records).flatMap(([address, record]) => {
    const own = evidence.definitions.find(({ kind }) => kind === record.kind)
    if (own === undefined || (own === definition && !siblings.has(record))) return []
    const [place = ''] = organizationsOf(own, record, evidence.declaration)
    // Of what happened before the events that were read, nobody knows here whether it changed the thing.
    const isSeen = (evidence.since.get(place) ?? Number.POSITIVE_INFINITY) <= readFrom(record)
    const field = isSeen && places.includes(place) ? fieldToRepeat(own, record, evidence) : undefined
    return field === undefined ? [] : [{ step: 'fence', definition: own, address, record, field } as const]
  })
  const ofItsOwn = fences.find(({ record }) => siblings.has(record))
  const others = definition.identity.scope.length === 0 ? fences : []
  // One of another kind first: roles that are written again may be told to a person.
  return others.find((fence) => fence.definition !== definition) ?? ofItsOwn ?? others[0]
}

/** The fields of which one can be written again to learn something, and nothing else comes of it. */
export const repeatable = ({ establish: { create } }: KindDefinition): readonly string[] => {
  if (isNone(create) || isNone(create.lost)) return []
  return 'asks' in create.lost ? create.lost.asks : create.lost.repeats
}

/** The field that a recorded thing can be given once more, with the value that it is known to have. */
const fieldToRepeat = (
  definition: KindDefinition,
  record: RecordedResource,
  { client, events }: SettleEvidence,
): string | undefined => {
  const field = repeatable(definition).find((name) => record.applied[name] !== undefined)
  // What others changed, and a person accepted, stays as it is.
  const isKnown =
    record.unsure === undefined &&
    record.acknowledged === undefined &&
    record.lastWrite !== null &&
    isComplete(definition, record.identity)
  const isOver = hasEnded({ definition }, record.applied, new Date(client.serviceNow()))
  if (!isKnown || isOver) return undefined
  const log = { events, read: new Set<string>(), warnings: [] }
  return foreignEvents(definition, record, log, client.publicKey).length > 0 ? undefined : field
}
