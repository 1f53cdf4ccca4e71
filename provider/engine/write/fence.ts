import type { KindDefinition, LostCreation } from '../../core/definition.ts'
import type { Values } from '../../core/values.ts'
import { foreignEvents } from '../judge/events.ts'
import { parseInstant } from '../values/compare.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { RecordedResource } from '../values/model.ts'
import { isOfSender } from './candidates.ts'
import { reachOf, SKEW_MS, type Fence, type LostWrite, type SettleEvidence } from './settle-facts.ts'

/**
 * Whether the event of a lost creation may just not be there yet, or never will be. It would be there if one of
 * a later write in the same place is, and if no other write of ours of that time lacks its own.
 */
export const eventsAreLate = (
  definition: KindDefinition,
  how: LostCreation,
  write: LostWrite,
  evidence: SettleEvidence,
): boolean => {
  const ours = evidence.events.filter((event) => isOfSender(write, definition, event, evidence))
  const named = new Set(ours.map((event) => event[how.idInEvent]))
  const { until } = reachOf(write)
  const siblings = siblingsOf(definition, write, evidence).map(({ record }) => record)
  const ids = new Set(siblings.map(({ identity }) => identity[definition.identity.key]))
  const isLater = (event: Values) => parseInstant(String(event['created'])) > until
  const isFenced = ours.some((event) => isLater(event) && ids.has(String(event[how.idInEvent])))
  const lacksOne = siblings.some(
    ({ identity, lastWrite }) =>
      lastWrite !== null &&
      parseInstant(lastWrite.from) >= parseInstant(write.at) - SKEW_MS &&
      !named.has(identity[definition.identity.key]),
  )
  return !isFenced || lacksOne
}

/** What is recorded of the same kind in the same place. */
const siblingsOf = (
  { identity: { scope } }: KindDefinition,
  { kind, expected }: LostWrite,
  { records }: SettleEvidence,
): { readonly address: string; readonly record: RecordedResource }[] =>
  Object.entries(records).flatMap(([address, record]) =>
    record.kind === kind && scope.every((name) => record.identity[name] === expected.identity[name])
      ? [{ address, record }]
      : [],
  )

/** A write that changes nothing, where one is possible: to a thing that nobody else has touched. */
export const fenceFor = (
  definition: KindDefinition,
  how: LostCreation,
  write: LostWrite,
  evidence: SettleEvidence,
): Fence | undefined => {
  const now = new Date(evidence.client.serviceNow())
  const log = { events: evidence.events, read: new Set<string>(), warnings: [] }
  for (const { address, record } of siblingsOf(definition, write, evidence)) {
    const field = how.asks.find((name) => record.applied[name] !== undefined)
    const isKnown = record.unsure === undefined && record.lastWrite !== null
    const isOver = hasEnded({ definition }, record.applied, now)
    if (field === undefined || !isKnown || isOver || record.identity[definition.identity.key] === undefined)
      continue
    if (foreignEvents(definition, record, log, evidence.client.publicKey).length > 0) continue
    return { step: 'fence', definition, address, record, field }
  }
  return undefined
}
