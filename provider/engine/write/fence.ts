import type { KindDefinition, LostCreation } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { foreignEvents, witnessed } from '../judge/events.ts'
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
    const isNear = organizationsOf(own, record, evidence.declaration).some((place) => places.includes(place))
    const field = isNear ? fieldToRepeat(own, record, evidence) : undefined
    return field === undefined ? [] : [{ step: 'fence', definition: own, address, record, field } as const]
  })
  const ofItsOwn = fences.find(({ record }) => siblings.has(record))
  return ofItsOwn ?? (definition.identity.scope.length === 0 ? fences[0] : undefined)
}

/** The field that a recorded thing can be given once more, with the value that it is known to have. */
const fieldToRepeat = (
  definition: KindDefinition,
  record: RecordedResource,
  { client, events }: SettleEvidence,
): string | undefined => {
  const { create } = definition.establish
  if (isNone(create) || isNone(create.lost) || !('asks' in create.lost)) return undefined
  const field = create.lost.asks.find((name) => record.applied[name] !== undefined)
  const isKnown =
    record.unsure === undefined && record.lastWrite !== null && isComplete(definition, record.identity)
  const isOver = hasEnded({ definition }, record.applied, new Date(client.serviceNow()))
  if (!isKnown || isOver) return undefined
  const log = { events, read: new Set<string>(), warnings: [] }
  return foreignEvents(definition, record, log, client.publicKey).length > 0 ? undefined : field
}
