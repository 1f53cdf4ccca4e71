import { isReadable, type KindDefinition, type ReleaseWay } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { pickBy, type Values } from '../../core/values.ts'
import { identified, idNotTold } from '../judge/identified.ts'
import { mayBeOwn } from '../judge/sent.ts'
import { changedIn, standingOf, type JudgeContext, type Standing } from '../judge/standing.ts'
import { reason, type Reason } from '../reason.ts'
import { asArray, differing } from '../values/compare.ts'
import { isComplete } from '../values/identity.ts'
import { sortOf } from '../values/sort.ts'
import { isLongOver, KEPT_DAYS } from '../values/lifetime.ts'
import type { FieldChange, RecordedResource } from '../values/model.ts'
import { changeOfRecord, READ, requestOf, type Details } from './change.ts'
import { withdrawn } from '../values/lagging.ts'
import type { PlannedChange, Work } from './work.ts'
import { isAbsent, isListed } from '../read/observe.ts'

/** A record that nothing declares any more. */
interface Undeclared {
  readonly definition: KindDefinition
  readonly address: string
  readonly recorded: RecordedResource
  /** Another address that now stands for the thing. */
  readonly claimedAt: string | undefined
  /** Whether the entry that the record came from is still declared, if for other things. */
  readonly ofEntry: boolean
  /** Whether it is still declared in the place of the record. */
  readonly isDeclaredThere: boolean
  /** Whether it is released in another way than its entry says. */
  readonly isOverruled: boolean
}

/** Plans its release, in the way that was recorded. */
export const planUndeclared = (
  { definition, address, recorded, claimedAt, ofEntry, isDeclaredThere, isOverruled }: Undeclared,
  context: JudgeContext,
): PlannedChange => {
  const record = identified(definition, recorded, context.log)
  const standing = standingOf(definition, record, context)
  const evidence = standing.evidence.level === 'read' ? READ : standing.evidence
  const planned: Planning = (because, work, details = {}) => ({
    change: changeOfRecord(definition, address, record, {
      action: work.do === 'keep' ? 'blocked' : 'release',
      reason: because,
      evidence,
      ...details,
    }),
    work,
  })
  // A later event may have prolonged a thing that should be over. It is released as one whose end is unknown.
  const isProlonged = standing.isOver && standing.mayBeProlonged
  const left = { ofEntry, isProlonged, isOverruled }
  const drop = (because: Reason) => planned(because, { do: 'drop' })
  if (sortOf(record) !== 'present') return drop(reason('undeclared-forgotten'))
  if (claimedAt !== undefined) return drop(reason('undeclared-declared-elsewhere', { address: claimedAt }))
  if (standing.isOver && !isProlonged)
    return planOver(standing, { isDeclaredThere, now: context.now }, planned)
  const way = wayOf(definition, record)
  if (way.way === 'forget') {
    // An entry that stands no longer has it because the thing is gone.
    const gone = isDeclaredThere ? reason('gone-forgotten') : reason('undeclared-gone', left)
    const stays = reason('undeclared-left', { ...left, ...keepsOf(definition, record) })
    return planForgotten(standing, isGone(standing, context) ? gone : stays, planned)
  }
  const dated = withoutDoubtfulDates(standing, isProlonged ? withoutEnd(definition, record) : record)
  const known = withOwnAsRead(standing, dated)
  const body = way.body(known, context.now)
  if (body === undefined) return drop(reason('undeclared-nothing-to-restore', left))
  const settles = (evidence.events ?? []).map(({ id }) => id)
  const sent = { known, way, body, settles, left }
  const kept = whyNotSent(standing, sent)
  return kept === undefined ? planSent(standing, sent, planned) : drop(kept)
}

const planOver = (
  { definition, record, evidence }: Standing,
  { isDeclaredThere, now }: Pick<Undeclared, 'isDeclaredThere'> & Pick<JudgeContext, 'now'>,
  planned: Planning,
): PlannedChange => {
  // An unread event may say that the thing was prolonged. The record is dropped once events can be read, or once the
  // thing is long over.
  const isKept = evidence.eventsUnread === true && !isLongOver(definition, record.applied, now)
  if (isKept)
    return planned(reason('should-have-ended', { days: KEPT_DAYS }), { do: 'keep' }, { action: 'expired' })
  const because = isDeclaredThere ? reason('ended-by-itself') : reason('undeclared-ended')
  return planned(because, { do: 'drop' }, { action: 'expired' })
}

/**
 * Whether the service said that the thing does not exist, or the list of its place was read and does not contain it, or
 * the place itself is gone.
 */
const isGone = ({ definition, record, live, isNotFound }: Standing, { observed }: JudgeContext): boolean => {
  if (!isReadable(definition)) return isNotFound
  if (live !== 'unseen') return live === 'missing'
  const { identity } = record
  return isListed(observed, definition, identity) || isAbsent(observed, definition, identity)
}

interface Left {
  readonly ofEntry: boolean
  readonly isProlonged: boolean
  readonly isOverruled: boolean
}

type Planning = (because: Reason, work: Work, details?: Partial<Details>) => PlannedChange

const planForgotten = (
  { definition, record }: Standing,
  because: Reason,
  planned: Planning,
): PlannedChange => {
  const notes = idForgotten(definition, record)
  return planned(because, { do: 'drop', notes }, { notes })
}

/** What another way of release would take away: rights should not be left to somebody by oversight. */
const keepsOf = (
  { release }: KindDefinition,
  { applied }: RecordedResource,
): { readonly keeps?: { readonly field: string; readonly onRemove: string } } => {
  const [keeps] = Object.entries(release).flatMap(([onRemove, way]) =>
    way.way === 'send' && way.empties !== undefined && asArray(applied[way.empties]).length > 0
      ? [{ field: way.empties, onRemove }]
      : [],
  )
  return keeps === undefined ? {} : { keeps }
}

interface Sent {
  /** The record without the values that are no longer certain. */
  readonly known: RecordedResource
  readonly way: SendWay
  readonly body: Values
  readonly settles: readonly string[]
  readonly left: Left
}

const planSent = (
  { definition, record }: Standing,
  { known, way, body, settles, left }: Sent,
  planned: Planning,
): PlannedChange => {
  const { write } = definition
  if (isNone(write)) return planned(reason('cannot-write', { because: write.none }), { do: 'drop' })
  if (!isComplete(definition, record.identity)) return planned(idNotTold(definition), { do: 'keep' })
  if (record.protect === true) return planned(reason('undeclared-protected'), { do: 'keep' })
  const { onRemove } = record
  const remaining = remainingAfter(record, way)
  if (remaining !== undefined) {
    const { path: field } = remaining
    return planned(
      reason('undeclared-kept', { ...left, onRemove, field }),
      { do: 'keep' },
      { fields: [remaining] },
    )
  }
  // What a release leaves there, without anything, may be needed again by its id.
  const notes = way.empties === undefined ? [] : idForgotten(definition, record)
  return planned(
    reason('undeclared-released', { ...left, onRemove }),
    { do: 'release', record: known, way, settles, notes },
    {
      fields: fieldsReleased(definition, known, body),
      requests: [requestOf(write.operation, record.identity)],
      notes: [
        reason('release-does', { summary: way.summary }),
        ...withdrawn({ definition, desired: body }, Object.keys(body), known),
        ...notes,
      ],
      onRemove,
    },
  )
}

/** Leaves out the dates: an end of "now" would differ in every plan. */
const fieldsReleased = (
  definition: KindDefinition,
  { applied }: RecordedResource,
  body: Values,
): readonly FieldChange[] => {
  const { lifetime } = definition
  const dates = isNone(lifetime) ? [] : lifetime.dates
  const names = Object.keys(body).filter((name) => !dates.includes(name))
  return differing(definition, names, applied, body)
}

/** A note with the id, if no list shows it: it would be lost with the record. */
const idForgotten = (definition: KindDefinition, { identity }: RecordedResource): readonly Reason[] => {
  const { key, assigned } = definition.identity
  const id = identity[key]
  return id === undefined || assigned === 'never' || isReadable(definition)
    ? []
    : [reason('id-forgotten', { field: key, id })]
}

type SendWay = Extract<ReleaseWay, { way: 'send' }>

/** A leftover of an earlier release, which must not be sent again. A leftover of a narrowing does not count. */
const remainingAfter = ({ applied, leftover }: RecordedResource, { empties }: SendWay) => {
  if (empties === undefined || asArray(applied[empties]).length > 0) return undefined
  const before = leftover?.[empties]
  return before === undefined ? undefined : { path: empties, before, after: [] }
}

const withoutEnd = ({ lifetime }: KindDefinition, record: RecordedResource): RecordedResource => {
  if (isNone(lifetime)) return record
  const { [lifetime.endsAt]: _, ...applied } = record.applied
  return { ...record, applied, unsure: [...(record.unsure ?? []), lifetime.endsAt] }
}

/**
 * Drops dates that a lost answer or an event leaves open. The end stays, since the record has the latest one
 * possible. A thing whose start may have been moved into the future must not be given an end before it.
 */
const withoutDoubtfulDates = (
  { definition: { lifetime }, doubt }: Standing,
  record: RecordedResource,
): RecordedResource => {
  if (isNone(lifetime)) return record
  const open = lifetime.dates.filter((name) => name !== lifetime.endsAt && doubt(name) !== undefined)
  return { ...record, applied: pickBy(record.applied, (_, name) => !open.includes(name)) }
}

/** If live is what a write with an unknown outcome may have left, it counts as applied. */
const withOwnAsRead = (
  { definition, live, record, touched }: Standing,
  known: RecordedResource,
): RecordedResource => {
  if (typeof live === 'string') return known
  const isOwn = (value: unknown, name: string): boolean =>
    mayBeOwn(definition, record, name, value) && !touched.includes(name)
  return { ...known, applied: { ...known.applied, ...pickBy(live.values, isOwn) } }
}

/** The recorded way, or the definition's first one if this version does not know the recorded name. */
export const wayOf = (definition: KindDefinition, record: RecordedResource): ReleaseWay => {
  const ways = definition.release
  const way = ways[record.onRemove] ?? Object.values(ways)[0]
  if (way === undefined) throw new TypeError(`${definition.kind} declares no way of release`)
  return way
}

/** Why nothing is sent. What adoption saw may be restored only while live is still what we last wrote. */
const whyNotSent = (
  { definition, live, evidence }: Standing,
  { known, way, body, left }: Sent,
): Reason | undefined => {
  if (way.ifUntouched !== true) return undefined
  if (typeof live === 'string') return reason('undeclared-gone', left)
  // A value can have been left to others from the beginning.
  const unwritten = Object.keys(body).filter((name) => known.applied[name] === undefined)
  if (unwritten.length > 0) return reason('undeclared-not-written', { ...left, fields: unwritten })
  const isChanged =
    evidence.level === 'suspect' || changedIn(definition, known, { live, parts: 'unseen' }).length > 0
  return isChanged ? reason('undeclared-changed-since', left) : undefined
}
