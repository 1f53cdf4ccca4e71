import type { KindDefinition } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import { quietUpTo, readAgainFromAt, readFrom, type EventLog } from '../read/events.ts'
import { isComplete } from '../values/identity.ts'
import { idNotTold, isUnproven } from './identified.ts'
import { organizationsOf } from '../read/organizations.ts'
import { reason, type Reason } from '../reason.ts'
import type { Declaration, Evidence, RecordedResource } from '../values/model.ts'
import { afterOwnWrite, foreignEvents, showsEvents } from './events.ts'

export interface EvidenceContext {
  readonly declaration: Declaration
  readonly log: EventLog
  readonly ownKey: string
}

/**
 * How well the recorded values of a thing that no endpoint shows are known.
 *
 * @param because why it is not shown
 */
export const recordedEvidence = (
  definition: KindDefinition,
  record: RecordedResource,
  context: EvidenceContext,
  because: readonly Reason[] = unreadable(definition),
): Evidence => {
  const since = record.lastWrite?.to ?? record.watermark
  const events = foreignEvents(definition, record, context.log, context.ownKey)
  if (events.length > 0) return { level: 'suspect', since, events }
  if (isUnproven(definition, record)) {
    const { key } = definition.identity
    return { level: 'unknown', since, notes: [reason('not-shown-as-ours', { field: key })] }
  }
  const { unsure } = record
  const unread = unreadEvents(definition, record, context)
  const lacks = unread === undefined ? {} : ({ eventsUnread: true } as const)
  if (unsure !== undefined) {
    const notes = [reason('last-write-unknown', { fields: unsure })]
    return { level: 'unknown', since, ...lacks, unsure, notes }
  }
  if (record.lastWrite === null && record.answer === null) return { level: 'unknown', since, notes: because }
  return {
    level: 'recorded',
    since,
    ...lacks,
    notes: [
      ...because,
      ...(isComplete(definition, record.identity) ? [] : [idNotTold(definition)]),
      unread ?? silence(definition, record, context),
    ],
  }
}

/** Why some events that could tell of a thing were not read; undefined if all were. */
export const unreadEvents = (
  definition: KindDefinition,
  record: RecordedResource,
  { log, declaration }: Pick<EvidenceContext, 'log' | 'declaration'>,
): Reason | undefined => {
  if (isNone(definition.witness)) return undefined
  const places = organizationsOf(definition, record, declaration)
  if (places.some((id) => !log.read.has(id))) return reason('events-unread')
  const since = log.readAt === undefined ? readFrom(record) : readAgainFromAt(record, places, log.readAt)
  return places.some((id) => (log.partly.get(id) ?? since) > since) ? reason('events-partly-read') : undefined
}

/** Why no event is reported. If not even our own last write is visible, the absence of other events says nothing. */
const silence = (
  definition: KindDefinition,
  record: RecordedResource,
  { log, declaration, ownKey }: EvidenceContext,
): Reason => {
  if (isNone(definition.witness)) return reason('events-not-emitted', { because: definition.witness.none })
  const places = organizationsOf(definition, record, declaration)
  if (places.length === 0) return reason('nowhere-to-look')
  if (isAccepted(record) || isUpToLater(record)) return reason('events-accepted', { until: record.watermark })
  if (!wasShown(record, places, log) && !showsEvents(definition.witness, record, log))
    return reason('no-event-visible')
  const count = afterOwnWrite(definition, record, log, ownKey)
  return count === 0 ? reason('no-event-since') : reason('no-event-since-but-near', { count })
}

/** An event of the last write was visible, and need not be read again. */
const wasShown = (record: RecordedResource, places: readonly string[], { readAt }: EventLog): boolean =>
  readAt !== undefined && quietUpTo(record, places, readAt) !== undefined

/** A person has accepted everything up to so long after the last write that its own events are no longer read. */
const isUpToLater = (record: RecordedResource): boolean =>
  record.lastWrite !== null && readFrom(record) > parseInstant(record.lastWrite.to)

const unreadable = ({ observe }: KindDefinition): Reason[] =>
  'reason' in observe ? [reason('unreadable', { because: observe.reason })] : []

/**
 * Whether a person has accepted what others did after the last write. Events that the write itself settled are
 * within its span, and do not count.
 */
export const isAccepted = ({ acknowledged = [], watermark, lastWrite }: RecordedResource): boolean =>
  acknowledged.length > 0 &&
  (lastWrite === null ||
    lastWrite.isAccepted === true ||
    parseInstant(watermark) > parseInstant(lastWrite.to))
