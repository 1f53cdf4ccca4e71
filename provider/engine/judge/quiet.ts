import { definitionOf, isReadable, type KindDefinition } from '../../core/definition.ts'
import { formatInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import { readAgainFromAt } from '../read/events.ts'
import { organizationsOf } from '../read/organizations.ts'
import type { ReasonCode } from '../reason.ts'
import { isComplete } from '../values/identity.ts'
import type { RecordedResource, Records } from '../values/model.ts'
import { witnessed } from './events.ts'
import { recordedEvidence, unreadEvents, type EvidenceContext } from './evidence.ts'

/** So many events cost four requests: less than a new serial of the state, which makes saved plans stale. */
export const cheapToRead = { events: 2_000 }

/**
 * The records of things that no endpoint shows, and of which many events tell nothing: with the instant up to which
 * that is so. The others are left out.
 *
 * @param context what a run has read, before it wrote anything
 */
export const foundQuiet = (
  definitions: readonly KindDefinition[],
  records: Records,
  context: EvidenceContext,
): Record<string, RecordedResource> => {
  const { log, declaration } = context
  const { readAt } = log
  if (readAt === undefined) return {}
  const eventsIn = Map.groupBy(log.events, ({ orgId }) => orgId)
  const isDear = (org: string): boolean => (eventsIn.get(org)?.length ?? 0) > cheapToRead.events
  const quiet = Object.entries(records).flatMap(([address, record]) => {
    const definition = definitionOf(definitions, record.kind)
    if (definition === undefined || isReadable(definition)) return []
    const places = organizationsOf(definition, record, declaration)
    const since = readAgainFromAt(record, readAt)
    const isRead = places.every((org) => (log.from.get(org) ?? Number.POSITIVE_INFINITY) <= since)
    if (!places.some(isDear) || !isRead || since >= readAt || !isQuiet(definition, record, context)) return []
    const { watermark, lastWrite } = record
    const written = lastWrite === null ? {} : { written: lastWrite.to }
    return [[address, { ...record, quiet: { upTo: formatInstant(readAt), watermark, ...written } }] as const]
  })
  return Object.fromEntries(quiet)
}

/** Whether nothing about a thing is in doubt, and events would have shown it if it were. */
const isQuiet = (definition: KindDefinition, record: RecordedResource, context: EvidenceContext): boolean => {
  const { witness } = definition
  if (isNone(witness) || witnessed(witness, record) === undefined) return false
  if (record.unsure !== undefined || record.notFoundAt !== undefined) return false
  if (!isComplete(definition, record.identity)) return false
  if (unreadEvents(definition, record, context) !== undefined) return false
  const { level, notes = [] } = recordedEvidence(definition, record, context)
  if (level === 'suspect') return false
  return record.lastWrite === null || notes.some(({ code }) => SURE.includes(code))
}

const SURE: readonly ReasonCode[] = ['no-event-since', 'events-accepted']
