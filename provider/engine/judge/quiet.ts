import { definitionOf, isReadable, type KindDefinition } from '../../core/definition.ts'
import { formatInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import { omit } from '../../core/values.ts'
import { instantOfEvent } from '../read/event.ts'
import { isNotedAhead, readAgainFromAt, type EventLog } from '../read/events.ts'
import { organizationsOf } from '../read/organizations.ts'
import type { ReasonCode } from '../reason.ts'
import { isComplete } from '../values/identity.ts'
import type { RecordedResource, Records } from '../values/model.ts'
import { witnessed } from './events.ts'
import { recordedEvidence, unreadEvents, type EvidenceContext } from './evidence.ts'

/**
 * So many events cost four requests: less than a new serial of the state, which makes saved plans stale. It can be
 * changed because random histories are short.
 */
export const cheapToRead = { events: 2_000 }

/**
 * The records of things that no endpoint shows, and of which many events tell nothing: with the instant up to which
 * that is so. Also those in which such an instant no longer holds: without it. The others are left out.
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
  const isDear = dearIn(log)
  const noted = (definition: KindDefinition, record: RecordedResource): RecordedResource | undefined => {
    const orgs = organizationsOf(definition, record, declaration)
    const since = readAgainFromAt(record, orgs, readAt)
    const isRead = orgs.every((org) => (log.from.get(org) ?? Number.POSITIVE_INFINITY) <= since)
    if (!orgs.some((org) => isDear(org, since)) || !isRead || since >= readAt) return undefined
    if (!isQuiet(definition, record, context)) return undefined
    const { watermark, lastWrite } = record
    const written = lastWrite === null ? {} : { written: lastWrite.to }
    return { ...record, quiet: { upTo: formatInstant(readAt), orgs, watermark, ...written } }
  }
  return Object.fromEntries(
    Object.entries(records).flatMap(([address, record]) => {
      const definition = definitionOf(definitions, record.kind)
      if (definition === undefined || isReadable(definition)) return []
      const now = noted(definition, record) ?? withoutAhead(record, readAt)
      return now === undefined ? [] : [[address, now]]
    }),
  )
}

/** Whether many of the events that were read of an organization are from after an instant, epoch ms. */
const dearIn = ({ events }: EventLog): ((org: string, since: number) => boolean) => {
  const times = new Map(
    [...Map.groupBy(events, ({ orgId }) => String(orgId))].map(([org, of]) => [
      org,
      of.map(instantOfEvent).toSorted((a, b) => b - a),
    ]),
  )
  return (org, since) => (times.get(org)?.[cheapToRead.events] ?? Number.NEGATIVE_INFINITY) >= since
}

/** Once the clock has passed what was noted before it was set back, the note would hide what was done meanwhile. */
const withoutAhead = (record: RecordedResource, now: number): RecordedResource | undefined =>
  record.quiet !== undefined && isNotedAhead(record.quiet, now) ? omit(record, 'quiet') : undefined

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
