import { boundOf } from '../../core/bound.ts'
import type { Absence } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { isAsSent, mayBeOwn } from '../judge/sent.ts'
import { seenOtherwise, standingOf, type JudgeContext } from '../judge/standing.ts'
import { whatSelected } from '../judge/what.ts'
import type { Thing } from '../read/listed.ts'
import { thingIn } from '../read/observe.ts'
import { lacking, reason, type Lacking, type Reason } from '../reason.ts'
import { differing } from '../values/compare.ts'
import { isComplete } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { perDefinition } from '../values/per-definition.ts'
import { isStale, newRecord, refreshed } from '../values/record.ts'
import { sureOf } from '../values/sure.ts'
import type { FieldChange, RecordedResource } from '../values/model.ts'
import { asDeclared } from './as-declared.ts'
import {
  blocked,
  changeOf,
  keyNote,
  narrowed,
  placeMissing,
  READ,
  requestOf,
  UNKNOWN,
  withActor,
} from './change.ts'
import { planCreation } from './creation.ts'
import { planKnown } from './unreadable/known.ts'
import type { PlannedChange } from './work.ts'
import { writableFields } from '../values/wire.ts'

/**
 * Plans an instance of a kind that can be read: live values decide. About fields that are not shown, the record and
 * later events do, as for a kind that cannot be read.
 */
export const planReadable = (
  declared: Instance,
  record: RecordedResource | undefined,
  context: JudgeContext,
): PlannedChange[] => {
  const instance = withRecordedKey(declared, record)
  const thing = thingIn(context.observed, instance.definition, instance.identity) ?? 'missing'
  if (instance.sort === 'absent') return [planAbsent(instance, record, thing, context)]
  if (thing === 'missing')
    return [
      canBeMade(declared)
        ? planCreation(declared, notThere(record), context)
        : withRemover(planMissing(instance, record), instance, record, context),
    ]
  const { definition, desired } = instance
  const ignored = ignoredOf(instance, record, thing, context)
  const written = writableFields(definition)
  const names = ignored.length === 0 ? written : written.filter((name) => !ignored.includes(name))
  const fields = differing(definition, names, thing.values, desired)
  if (fields.length === 0) return [planEqual(instance, { record, thing, ignored, context })]
  const isUnseen = fields.every(({ path }) => thing.values[path] === undefined)
  return isUnseen && record !== undefined
    ? planKnown(instance, standingOf(definition, record, context), context)
    : [planDifferent(instance, { record, thing, fields, isUnseen, context })]
}

/** A thing whose key the service assigned is looked for by the key that is recorded. */
const withRecordedKey = (instance: Instance, record: RecordedResource | undefined): Instance =>
  record === undefined || isComplete(instance.definition, instance.identity)
    ? instance
    : { ...instance, identity: { ...record.identity, ...instance.identity } }

/** Whether a creation would make what the entry names: a new thing never gets an id that somebody has declared. */
const canBeMade = ({ definition, identity }: Instance): boolean =>
  !isNone(definition.establish.create) &&
  (definition.identity.assigned === 'never' || !isComplete(definition, identity))

const notThere = (record: RecordedResource | undefined): Reason =>
  record === undefined ? reason('not-recorded') : reason('missing', { found: 'nothing' })

/**
 * The ignored fields that others may change, which they may from adoption on. If the answer to the adoption was
 * lost, a value that our write may have left or found is not theirs, unless an event says so.
 */
const ignoredOf = (
  { definition, entry: { ignoreChanges } }: Instance,
  record: RecordedResource | undefined,
  { values }: Thing,
  context: JudgeContext,
): readonly string[] => {
  if (record === undefined || ignoreChanges.length === 0) return NONE
  if (record.answer !== null) return ignoreChanges
  const { touched } = standingOf(definition, record, context)
  return ignoreChanges.filter(
    (name) => touched.includes(name) || !mayBeOwn(definition, record, name, values[name]),
  )
}
const NONE: readonly string[] = []

/** Plans a thing that must exist and does not, and that no creation would make. */
export const planMissing = (instance: Instance, record: RecordedResource | undefined): PlannedChange => {
  const { definition, desired, entry, identity, unmatched } = instance
  const { adopt, create } = definition.establish
  if (unmatched === 'no-place') return placeMissing(instance)
  const found = unmatched ?? 'nothing'
  const by = isNone(adopt) ? undefined : adopt.mayBeMissing
  if (by !== undefined && desired[by] === true) {
    const forgotten = record !== undefined
    return {
      change: changeOf(instance, {
        action: forgotten ? 'release' : 'unchanged',
        reason: reason('missing-allowed', { found, by, forgotten }),
        evidence: READ,
        ...(forgotten ? { before: record.applied, after: null } : {}),
      }),
      work: { do: forgotten ? 'drop' : 'keep' },
    }
  }
  const late = boundNote(instance)
  const what = whatSelected(definition, desired)
  const lacks = isNone(create) ? lacking(create, { ...desired, ...identity, what }) : {}
  // Something added by hand would be another thing.
  const { step: _, ...unaided } = lacks as Partial<Lacking>
  return blocked(
    instance,
    reason('missing', {
      found,
      ...(late.length === 0 ? lacks : unaided),
      ...(by === undefined ? {} : { allowedBy: by }),
      ...(entry.among === undefined ? {} : { among: entry.among }),
    }),
    { ...keyNote(instance), ...noted(late) },
  )
}

/** Adds to what a gone thing blocks who has removed it. */
const withRemover = (
  planned: PlannedChange,
  { definition }: Instance,
  record: RecordedResource | undefined,
  context: JudgeContext,
): PlannedChange => {
  if (record === undefined || planned.change.action !== 'blocked') return planned
  return withActor(planned, standingOf(definition, record, context).remover())
}

const noted = (notes: readonly Reason[]): { readonly notes?: readonly Reason[] } =>
  notes.length === 0 ? {} : { notes }

/** Something added by hand does not help a selector that leaves out what is added later. */
const boundNote = ({ definition, entry, unmatched }: Instance): Reason[] => {
  const by = unmatched === 'no-match' ? boundOf(definition, entry.values) : undefined
  return by === undefined ? [] : [reason('added-too-late', { by })]
}

const planAbsent = (
  instance: Instance,
  record: RecordedResource | undefined,
  thing: Thing | 'missing',
  context: JudgeContext,
): PlannedChange => {
  const { identity, provenance, address } = instance
  if (thing === 'missing') {
    const put = record === undefined ? { put: newRecord(instance, context) } : {}
    const because = reason('absent-as-declared')
    return {
      change: changeOf(instance, { action: 'unchanged', reason: because, evidence: READ }),
      work: { do: 'keep', ...put },
    }
  }
  const before = { ...thing.values, ...identity }
  const way = deletionOf(instance)
  if ('code' in way) return blocked(instance, way, { before, after: null })
  const isUnlisted = provenance === 'unlisted'
  return {
    change: changeOf(instance, {
      action: 'delete',
      reason: isUnlisted ? reason('not-listed') : reason('must-be-absent'),
      before,
      after: null,
      evidence: READ,
      requests: [requestOf(way.operation, identity)],
      notes: [reason('deletion-is-final')],
      ...(isUnlisted
        ? { needs: [{ flag: way.unlisted, because: reason('deletes-unlisted', { address }) }] }
        : {}),
    }),
    work: { do: 'delete', instance, identity },
  }
}

/** How the thing is deleted, or the reason why it is not: the API cannot, or its entry protects it. */
const deletionOf = ({ definition, identity, entry }: Instance): Absence | Reason => {
  const { absence } = definition
  if (isNone(absence)) return reason('cannot-delete', lacking(absence, identity))
  const key = identity[definition.identity.key] ?? ''
  if (!absence.deletable.includes(key)) {
    const { endpoint } = absence.operation
    return reason('key-not-deletable', { endpoint, key, step: { text: absence.byHand, of: identity } })
  }
  return entry.protect ? reason('protected-from-deletion') : absence
}

/** A thing that was read, with its record. */
interface ReadThing {
  readonly record: RecordedResource | undefined
  readonly thing: Thing
  readonly context: JudgeContext
}

const planEqual = (
  instance: Instance,
  { record, thing, ignored, context }: ReadThing & { readonly ignored: readonly string[] },
): PlannedChange => {
  const seen = ownValues(instance, thing)
  if (record === undefined) {
    const put = { ...newRecord(instance, context), answer: seen, adopted: seen }
    const because = reason('not-recorded-as-declared')
    return {
      change: changeOf(instance, { action: 'adopt', reason: because, before: seen, evidence: READ }),
      work: { do: 'record', put },
    }
  }
  const known = sureOf(record)
  const isKept = record.unsure === undefined && record.answer !== null && !isStale(instance, record)
  const put = isKept ? {} : { put: { ...refreshed(instance, known), answer: seen } }
  const because = asDeclared(instance, ignored, thing.values)
  return {
    change: changeOf(instance, { action: 'unchanged', reason: because, before: seen, evidence: READ }),
    work: { do: 'keep', ...put },
  }
}

const whyNotRecorded = (isUnseen: boolean): Reason =>
  isUnseen ? reason('not-recorded-never-seen') : reason('not-recorded-differs')

interface Different extends ReadThing {
  readonly fields: readonly FieldChange[]
  /** Whether the reading shows none of them. */
  readonly isUnseen: boolean
}

const planDifferent = (
  instance: Instance,
  { record, thing, fields, isUnseen, context }: Different,
): PlannedChange => {
  const { definition, entry, identity } = instance
  if (isNone(definition.write)) return planMissing(instance, record)
  const seen = ownValues(instance, thing)
  const evidence = isUnseen ? UNKNOWN : READ
  const details = { before: seen, fields, evidence, ...attribution(instance, record, context) }
  const narrowing = narrowed(instance, fields)
  if (entry.protect && narrowing.length > 0)
    return blocked(instance, reason('protected-from-narrowing', { fields: narrowing }), details)
  return {
    change: changeOf(instance, {
      ...details,
      action: record === undefined ? 'adopt' : 'update',
      reason: record === undefined ? whyNotRecorded(isUnseen) : reason('live-differs'),
      requests: [requestOf(definition.write.operation, identity)],
    }),
    work: {
      do: 'write',
      instance,
      fields: fields.map(({ path }) => path),
      learnBy: [],
      record,
      settles: [],
      seen,
    },
  }
}

/** Who made live differ from what was last applied or seen, or a note that nothing tells. */
const attribution = (
  { definition, address }: Instance,
  record: RecordedResource | undefined,
  context: JudgeContext,
) => {
  if (record === undefined) return {}
  const { changed, live, actor: actorOf, evidence, untold } = standingOf(definition, record, context)
  const fields = changed.length > 0 ? changed : seenOtherwise(definition, record, live)
  const actor = fields.length === 0 ? undefined : actorOf(fields.map(({ path }) => path))
  if (actor !== undefined) return { actor, evidence }
  if (changed.length === 0) return {}
  return isAsSent(definition, { address, record }, changed, context)
    ? { evidence }
    : { evidence: { ...evidence, notes: [untold] } }
}

const ownValues = ({ definition, identity }: Instance, thing: Thing): Values => {
  const own: Record<string, unknown> = {}
  for (const name of plainFields(definition)) {
    const value = thing.values[name] ?? identity[name]
    if (value !== undefined) own[name] = value
  }
  return own
}

const plainFields = perDefinition(({ fields }) =>
  Object.keys(fields).filter((name) => fields[name]?.type.is !== 'secret'),
)
