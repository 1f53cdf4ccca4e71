import type { KindDefinition } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import { pickBy, type Values } from '../../core/values.ts'
import type { Thing } from '../read/listed.ts'
import { thingIn, type Observations } from '../read/observe.ts'
import { reason, type Reason, type EventSeen } from '../reason.ts'
import { differing } from '../values/compare.ts'
import { identityKey } from '../values/identity.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { Actor, Evidence, FieldChange, Made, RecordedResource, ToldValue } from '../values/model.ts'
import { actorOf } from './actor.ts'
import { isAccepted, recordedEvidence, unreadEvents, type EvidenceContext } from './evidence.ts'
import { acceptedFields, allEvents, fieldsOf, foreignEvents } from './events.ts'
import { toldValueOf } from './told-value.ts'
import { writableFields } from '../values/wire.ts'

/** All that a record is judged by. */
export interface JudgeContext extends EvidenceContext {
  readonly observed: Observations
  /** Service time. */
  readonly now: Date
  /** What the calling key has made, as events say, and nobody knows: nothing is created beside it. */
  readonly strangers?: readonly Made[]
  /** What writes with an unknown outcome have sent there, and what was there before: nobody else made what is so now. */
  readonly sent?: (address: string) => readonly Values[]
}

/**
 * What is known of one recorded thing: what it is now, by which evidence, and who changed it. Plans, drift
 * reports, refreshes, acceptances and settlements are projections of this, and judge nothing themselves.
 */
export interface Standing {
  readonly definition: KindDefinition
  readonly record: RecordedResource
  /** What an endpoint has shown of it in this run; `unseen` where none was asked, or none exists. */
  readonly live: Thing | 'missing' | 'unseen'
  /** Fields with a list of their own, as they were read. */
  readonly parts: Readonly<Record<string, readonly unknown[]>> | 'missing' | 'unseen'
  /** What is no longer as it was last applied, among what was read or answered: from what was applied to what is live. */
  readonly changed: readonly FieldChange[]
  readonly evidence: Evidence
  /** Why the value of a field is in doubt: an event speaks of it, or the outcome of its last write is not known. */
  readonly doubt: (field: string) => Reason | undefined
  /** The fields that no endpoint shows, and that a person has accepted as somebody else may have left them. */
  readonly accepted: readonly string[]
  /** The fields that events since the last write speak of. */
  readonly touched: readonly string[]
  /** The fields that one event speaks of. */
  readonly touchedBy: (event: EventSeen) => readonly string[]
  /** Whether lists of their own show every field that was applied, but for those that are ignored. */
  readonly isShownWhole: (ignored: readonly string[]) => boolean
  /** The answer to our last write has said that it is not there, and nothing since says otherwise. */
  readonly isNotFound: boolean
  /** It has ended, by the values that were last written. */
  readonly isOver: boolean
  /** What an event that is not our own says that a field was given. */
  readonly told: (field: string) => ToldValue | undefined
  /** Why nobody is named if no event shows it. */
  readonly untold: Reason
  /** Who is likely to have changed all of these fields; of none of them, the thing. */
  readonly actor: (fields: readonly string[]) => Actor | undefined
}

export const standingOf = (
  definition: KindDefinition,
  record: RecordedResource,
  context: JudgeContext,
): Standing => {
  const key = identityKey(definition, record.identity)
  const live = thingIn(context.observed, definition, record.identity) ?? 'unseen'
  const parts = context.observed.parts.get(key) ?? 'unseen'
  const evidence = evidenceOf(definition, record, live, context)
  const events = evidence.events ?? []
  const touched = events.length === 0 ? [] : fieldsOf(definition, events)
  return {
    definition,
    record,
    live,
    parts,
    changed: changedIn(definition, withoutOlder(definition, record, events), { live, parts }),
    evidence,
    accepted:
      evidence.level !== 'read' && isAccepted(record) ? acceptedFields(definition, record, context.log) : [],
    touched,
    touchedBy: (event) => fieldsOf(definition, [event]),
    doubt: (field) => doubtOf(field, touched, record),
    isShownWhole: (ignored) => isShownWhole(definition, record, ignored),
    isNotFound: parts === 'unseen' && isNotFound(record, events),
    isOver: hasEnded({ definition }, record.applied, context.now),
    told: (field) => toldValueOf(definition, record, { events, log: context.log }, field),
    untold: unreadEvents(definition, record, context) ?? untoldIn(record),
    actor: (fields) =>
      actorOf(
        definition,
        { events, all: allEvents(definition, record, context.log, context.ownKey), left: leftBy(record) },
        fields,
        typeof live === 'string' ? {} : live.values,
      ),
  }
}

const doubtOf = (
  field: string,
  touched: readonly string[],
  { unsure }: RecordedResource,
): Reason | undefined => {
  if (touched.includes(field)) return reason('may-have-changed')
  return unsure?.includes(field) === true ? reason('outcome-unknown') : undefined
}

/** What the last write has certainly left. */
const leftBy = ({ applied, unsure }: RecordedResource): Values =>
  pickBy(applied, (_, name) => unsure?.includes(name) !== true)

/** Without what the answer to our last write has shown of fields that an event since then is about. */
const withoutOlder = (
  definition: KindDefinition,
  record: RecordedResource,
  events: readonly EventSeen[],
): RecordedResource => {
  const { overridden, lastWrite } = record
  if (overridden === undefined || lastWrite === null) return record
  // Events are of whole seconds: one of the second of the answer may be of after it.
  const answeredAt = Math.floor(parseInstant(lastWrite.to) / 1000) * 1000
  const newer = events.filter(({ created }) => parseInstant(created) >= answeredAt)
  if (newer.length === 0) return record
  const about = fieldsOf(definition, newer)
  return { ...record, overridden: pickBy(overridden, (_, name) => !about.includes(name)) }
}

const untoldIn = (record: RecordedResource): Reason =>
  isAccepted(record) ? reason('told-and-accepted', { until: record.watermark }) : reason('nobody-told')

/** Whether somebody else can have written a field since it was last seen. */
export const isDoubted = ({ touched, accepted }: Standing, field: string): boolean =>
  touched.includes(field) || accepted.includes(field)

/** What identifies a thing that, by an answer at this time, does not exist. */
export const answered = (since?: string): Evidence => ({
  level: 'recorded',
  ...(since === undefined ? {} : { since }),
})

const isNotFound = ({ notFoundAt }: RecordedResource, events: readonly EventSeen[]): boolean =>
  notFoundAt !== undefined && !events.some(({ created }) => parseInstant(created) > parseInstant(notFoundAt))

const evidenceOf = (
  definition: KindDefinition,
  record: RecordedResource,
  live: Standing['live'],
  context: JudgeContext,
): Evidence => {
  if (definition.observe.how !== 'everything') return recordedEvidence(definition, record, context)
  if (live === 'unseen') {
    const since = record.lastWrite?.to ?? record.watermark
    return { level: 'recorded', since, notes: [reason('not-looked-at')] }
  }
  const events = foreignEvents(definition, record, context.log, context.ownKey)
  return { level: 'read', ...(events.length > 0 ? { events } : {}) }
}

const isShownWhole = (
  definition: KindDefinition,
  { applied }: RecordedResource,
  ignored: readonly string[],
): boolean => {
  const { observe } = definition
  return (
    observe.how === 'parts' &&
    Object.keys(observe.parts).some((name) => applied[name] !== undefined) &&
    writableFields(definition).every((name) => ignored.includes(name) || applied[name] === undefined)
  )
}

/** Fields whose live value, as it was read or answered, is no longer what was last applied. */
export const changedIn = (
  definition: KindDefinition,
  { applied, overridden }: RecordedResource,
  { live, parts }: Pick<Standing, 'live' | 'parts'>,
): readonly FieldChange[] => {
  const before =
    definition.observe.how === 'everything' || overridden === undefined
      ? NONE
      : differing(definition, Object.keys(overridden), applied, overridden)
  const seen =
    typeof live === 'string' ? NONE : differing(definition, writableFields(definition), live.values, applied)
  const apart = typeof parts === 'string' ? NONE : differing(definition, Object.keys(parts), parts, applied)
  // Asked of each record, and most are as they were applied.
  return before.length + seen.length + apart.length === 0 ? NONE : turned([...before, ...seen, ...apart])
}

const NONE: readonly FieldChange[] = []

/** `differing` goes from what is live to what was applied; what changed goes the other way. */
const turned = (fields: readonly FieldChange[]): FieldChange[] =>
  fields.map(({ path, before, after }) => ({ path, before: after, after: before }))
