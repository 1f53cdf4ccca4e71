import { isReadable, partsOf, type KindDefinition } from '../../core/definition.ts'
import { parseInstant, wholeSecond } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import { pickBy, type Values } from '../../core/values.ts'
import type { Thing } from '../read/listed.ts'
import { thingIn, type Observations } from '../read/observe.ts'
import { reason, type Reason, type EventSeen } from '../reason.ts'
import { differing } from '../values/compare.ts'
import { identityKey } from '../values/identity.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { Actor, Evidence, FieldChange, Made, RecordedResource, ToldValue } from '../values/model.ts'
import { actorOf, removerOf, tellsEnd } from './actor.ts'
import { isAccepted, recordedEvidence, unreadEvents, type EvidenceContext } from './evidence.ts'
import { acceptedFields, allEvents, fieldsOf, foreignEvents } from './events.ts'
import { toldValueOf } from './told-value.ts'
import { unshownIn, writableFields, writableIn } from '../values/wire.ts'

export interface JudgeContext extends EvidenceContext {
  readonly observed: Observations
  /** Service time. */
  readonly now: Date
  /** Strangers that the calling key made: nothing is created beside them. */
  readonly strangers?: readonly Made[]
  /**
   * By address, the values that writes with an unknown outcome sent, and those that were there before. Live values
   * among them are nobody else's doing. `'deletion'` if such a write deletes the thing.
   */
  readonly sent?: (address: string) => readonly (Values | 'deletion')[]
}

/**
 * Everything known of one recorded thing: what it is now, by which evidence, and who changed it. Plans, drift
 * reports, refreshes, acceptances and settlements are projections of this, and judge nothing themselves.
 */
export interface Standing {
  readonly definition: KindDefinition
  readonly record: RecordedResource
  /** What an endpoint showed in this run; `unseen` if none was asked, or none exists. */
  readonly live: Thing | 'missing' | 'unseen'
  /** Fields with lists of their own, as read. */
  readonly parts: Readonly<Record<string, readonly unknown[]>> | 'missing' | 'unseen'
  /**
   * Fields read or answered whose value is no longer what was last applied: `before` is the applied value, `after`
   * the live one.
   */
  readonly changed: readonly FieldChange[]
  readonly evidence: Evidence
  /** Why a field's value is in doubt: an event is about it, or the outcome of its last write is unknown. */
  readonly doubt: (field: string) => Reason | undefined
  /** The fields that no endpoint shows, and whose value somebody else may have left and a person has accepted. */
  readonly accepted: readonly string[]
  /** The fields that foreign events are about. */
  readonly touched: readonly string[]
  /** Whether lists of their own show every applied field, except the ignored ones. */
  readonly isShownWhole: (ignored: readonly string[]) => boolean
  /** The answer to our last write said that the thing does not exist, and no later event says otherwise. */
  readonly isNotFound: boolean
  /** The thing has ended, according to the last written values. */
  readonly isOver: boolean
  /** A later event, which says neither that it is gone nor an end that is over, may have put off its end. */
  readonly mayBeProlonged: boolean
  /** The value that a foreign event says a field was given. */
  readonly told: (field: string) => ToldValue | undefined
  /** Why some events that could tell of it were not read. */
  readonly unread: Reason | undefined
  /** The reason to give if no event shows an actor. */
  readonly untold: Reason
  /** Who likely changed all of these fields, or the thing as a whole if none are given. */
  readonly actor: (fields: readonly string[]) => Actor | undefined
  /** The newest foreign event says that the thing is gone, and nothing that was read shows it. */
  readonly isToldGone: boolean
  /** Who has removed the thing, if an event says that it is gone. */
  readonly remover: () => Actor | undefined
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
  const unread = unreadEvents(definition, record, context)
  const isShown = typeof live === 'object' || typeof parts === 'object'
  const told = (field: string) => toldValueOf(definition, record, { events, log: context.log }, field)
  const isToldGone = !isShown && tellsEnd(definition, events[0])
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
    doubt: (field) => doubtOf(field, { touched, record, isToldGone }),
    isShownWhole: (ignored) => isShownWhole(definition, record, ignored),
    isNotFound: parts === 'unseen' && isNotFound(record, events),
    isOver: hasEnded(definition, record.applied, context.now),
    mayBeProlonged:
      evidence.level === 'suspect' &&
      !isToldGone &&
      !isToldOver(definition, events, { told, now: context.now }),
    told,
    unread,
    untold: unread ?? untoldIn(record),
    actor: (fields) =>
      actorOf(
        definition,
        { events, all: allEvents(definition, record, context.log, context.ownKey), left: leftBy(record) },
        fields,
        typeof live === 'string' ? {} : live.values,
      ),
    isToldGone,
    remover: () => removerOf(definition, events),
  }
}

/** Whether the newest event gives the thing an end that is over. */
const isToldOver = (
  definition: KindDefinition,
  [newest]: readonly EventSeen[],
  { told, now }: Pick<Standing, 'told'> & Pick<JudgeContext, 'now'>,
): boolean => {
  const { lifetime } = definition
  if (isNone(lifetime) || newest === undefined) return false
  const end = told(lifetime.endsAt)
  return end?.eventId === newest.id && hasEnded(definition, { [lifetime.endsAt]: end.value }, now)
}

const doubtOf = (
  field: string,
  { touched, record, isToldGone }: Pick<Standing, 'touched' | 'record' | 'isToldGone'>,
): Reason | undefined => {
  if (touched.includes(field)) return isToldGone ? reason('may-be-gone') : reason('may-have-changed')
  return record.unsure?.includes(field) === true ? reason('outcome-unknown') : undefined
}

/** The values that the last write certainly left. */
const leftBy = ({ applied, unsure }: RecordedResource): Values =>
  pickBy(applied, (_, name) => unsure?.includes(name) !== true)

/** Drops overridden fields that a later event is about, because the answer that showed them is older. */
const withoutOlder = (
  definition: KindDefinition,
  record: RecordedResource,
  events: readonly EventSeen[],
): RecordedResource => {
  const { overridden, lastWrite } = record
  if (overridden === undefined || lastWrite === null) return record
  // Events have a precision of one second: one in the second of the answer may be later than it.
  const answeredAt = wholeSecond(parseInstant(lastWrite.to))
  const newer = events.filter(({ created }) => parseInstant(created) >= answeredAt)
  if (newer.length === 0) return record
  const about = fieldsOf(definition, newer)
  return { ...record, overridden: pickBy(overridden, (_, name) => !about.includes(name)) }
}

const untoldIn = (record: RecordedResource): Reason =>
  isAccepted(record) ? reason('told-and-accepted', { until: record.watermark }) : reason('nobody-told')

/** Whether somebody else may have written a field since it was last seen. */
export const isDoubted = ({ touched, accepted }: Standing, field: string): boolean =>
  touched.includes(field) || accepted.includes(field)

/** The evidence that a thing does not exist, by an answer at this time. */
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
  if (!isReadable(definition)) return recordedEvidence(definition, record, context)
  if (live === 'unseen') {
    const since = record.lastWrite?.to ?? record.watermark
    return { level: 'recorded', since, notes: [reason('not-looked-at')] }
  }
  const unshown = unshownOf(definition, record, live)
  if (unshown.length > 0)
    return recordedEvidence(definition, record, context, [reason('not-shown', { fields: unshown })])
  const events = foreignEvents(definition, record, context.log, context.ownKey)
  return { level: 'read', ...(events.length > 0 ? { events } : {}) }
}

/** Applied fields that a reading of the thing leaves out. */
export const unshownOf = (
  definition: KindDefinition,
  { applied }: RecordedResource,
  live: Standing['live'],
): readonly string[] => (typeof live === 'string' ? [] : unshownIn(definition, applied, live.values))

const isShownWhole = (
  definition: KindDefinition,
  { applied }: RecordedResource,
  ignored: readonly string[],
): boolean =>
  Object.keys(partsOf(definition)).some((name) => applied[name] !== undefined) &&
  writableIn(definition, applied).every((name) => ignored.includes(name))

/**
 * Fields whose live value, as read or answered, is no longer what was last applied. What a reading does not show says
 * nothing.
 */
export const changedIn = (
  definition: KindDefinition,
  { applied, overridden }: RecordedResource,
  { live, parts }: Pick<Standing, 'live' | 'parts'>,
): readonly FieldChange[] => {
  const before =
    isReadable(definition) || overridden === undefined
      ? NONE
      : differing(definition, Object.keys(overridden), applied, overridden)
  const seen = typeof live === 'string' ? NONE : shownOtherwise(definition, live, applied)
  const apart = typeof parts === 'string' ? NONE : differing(definition, Object.keys(parts), parts, applied)
  // This runs for every record, and most have not changed.
  return before.length + seen.length + apart.length === 0 ? NONE : turned([...before, ...seen, ...apart])
}

const NONE: readonly FieldChange[] = []

/**
 * Fields of a thing that is read whose live value is not the one last seen. Somebody may have changed a field to
 * another value and back to what was last applied.
 */
export const seenOtherwise = (
  definition: KindDefinition,
  { answer }: RecordedResource,
  live: Standing['live'],
): readonly FieldChange[] =>
  typeof live === 'string' || answer === null || !isReadable(definition)
    ? NONE
    : shownOtherwise(definition, live, answer)

/** Fields that a reading shows, and with another value. */
const shownOtherwise = (
  definition: KindDefinition,
  { values }: Thing,
  known: Values,
): readonly FieldChange[] =>
  differing(definition, writableFields(definition), values, known).filter(
    ({ path }) => values[path] !== undefined,
  )

/** `differing` goes from live to applied; a change goes the other way. */
const turned = (fields: readonly FieldChange[]): FieldChange[] =>
  fields.map(({ path, before, after }) => ({ path, before: after, after: before }))
