import type { Absence } from '../../core/definition.ts'
import { isNone, type None } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { narrows } from '../values/compare.ts'
import { changeOf, differing, READ, requestOf } from './change.ts'
import { actorOf } from '../judge/evidence.ts'
import { foreignEvents } from '../read/events.ts'
import { NO_SUCH_PLACE, type Instance } from './expand.ts'
import { fillSentence, identityKey } from '../values/identity.ts'
import type { FieldChange, RecordedResource } from '../values/model.ts'
import type { Thing } from '../read/observe.ts'
import type { PlanContext } from './context.ts'
import { isStale, newRecord, refreshed } from './record.ts'
import type { PlannedChange } from './work.ts'

/** Plans an instance of a kind whose things are read: live values decide. */
export const planReadable = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: PlanContext,
): PlannedChange => {
  const thing = context.observed.things.get(identityKey(instance.definition, instance.identity)) ?? 'missing'
  if (instance.absent) return planAbsent(instance, record, thing, context)
  if (thing === 'missing') return planMissing(instance, record, context)
  const { definition, entry, desired } = instance
  const writable = isNone(definition.write) ? [] : definition.write.fields
  const ignored = record === undefined ? [] : entry.ignoreChanges
  const names = writable.filter((name) => !ignored.includes(name))
  const fields = differing(definition, names, thing.values, desired)
  if (fields.length === 0) return planEqual(instance, record, thing, context)
  return planDifferent(instance, record, thing, fields, context)
}

/** The thing that must exist does not, and the API cannot make one. */
export const planMissing = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: PlanContext,
): PlannedChange => {
  const { definition, desired } = instance
  const { adopt, create } = definition.establish
  if (instance.unmatched === NO_SUCH_PLACE) return noSuchPlace(instance)
  const mayBe = isNone(adopt) ? undefined : adopt.mayBeMissing
  if (mayBe !== undefined && desired[mayBe] === true) {
    const reason = `${instance.unmatched ?? 'not found'}, which ${mayBe} allows`
    const gone = record === undefined ? undefined : { before: record.applied, after: null }
    return {
      change: changeOf(instance, {
        action: gone === undefined ? 'unchanged' : 'release',
        reason: gone === undefined ? reason : `${reason}; forgotten`,
        evidence: READ,
        ...gone,
      }),
      work: { do: gone === undefined ? 'keep' : 'drop' },
    }
  }
  const why: None = isNone(create) ? create : { none: 'It was not found.', byHand: undefined }
  return {
    change: changeOf(instance, {
      action: 'blocked',
      reason: `${instance.unmatched ?? 'declared present, not found'}; ${lowerFirst(why.none)}`,
      evidence: READ,
      ...(why.byHand === undefined
        ? {}
        : { byHand: fillSentence(why.byHand, { ...desired, ...instance.identity }, context.nameOf) }),
      ...idNote(instance),
    }),
    work: { do: 'keep' },
  }
}

/** Nothing that is added by hand can have the id that is declared. */
const idNote = ({ definition, identity, unmatched }: Instance) => {
  const { key } = definition.identity
  return unmatched !== undefined || definition.fields[key]?.type.is !== 'id' || identity[key] === undefined
    ? {}
    : { notes: [`check ${key} first: what is added by hand has an id of its own, to be declared then`] }
}

/** A typing error in a project's id must not pass as "nothing is there". */
export const noSuchPlace = (instance: Instance): PlannedChange => ({
  change: changeOf(instance, {
    action: 'blocked',
    reason: `${NO_SUCH_PLACE}: ${Object.values(instance.identity).join(', ')}`,
    byHand: 'Check the id; or take the entry out if the place is gone.',
    evidence: READ,
  }),
  work: { do: 'keep' },
})

const lowerFirst = (sentence: string) =>
  /^(?:This|No|The|It)\b/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence

const planAbsent = (
  instance: Instance,
  record: RecordedResource | undefined,
  thing: Thing | 'missing',
  context: PlanContext,
): PlannedChange => {
  const { identity, provenance } = instance
  if (thing === 'missing') {
    const put = record?.absent === true ? {} : { put: { ...newRecord(instance, context), absent: true } }
    const reason = 'must not be there, and is not'
    return {
      change: changeOf(instance, { action: 'unchanged', reason, evidence: READ }),
      work: { do: 'keep', ...put },
    }
  }
  const before = { ...thing.values, ...identity }
  const way = deletionOf(instance)
  if (isNone(way)) {
    const { none: reason, byHand } = way
    const step = byHand === undefined ? {} : { byHand: fillSentence(byHand, identity, context.nameOf) }
    const change = changeOf(instance, {
      action: 'blocked',
      reason,
      before,
      after: null,
      evidence: READ,
      ...step,
    })
    return { change, work: { do: 'keep' } }
  }
  return {
    change: changeOf(instance, {
      action: 'delete',
      reason: provenance === 'unlisted' ? 'not among the types that may be there' : 'must not be there',
      before,
      after: null,
      evidence: READ,
      requests: [requestOf(way.operation, identity)],
      notes: ['a deletion cannot be undone'],
      ...(provenance === 'unlisted' ? { needs: [unlisted(instance)] } : {}),
    }),
    work: { do: 'delete', instance, identity },
  }
}

/** How it is deleted, or what keeps it: the API, or its own entry. */
const deletionOf = ({ definition, identity, entry }: Instance): Absence | None => {
  const { absence } = definition
  if (isNone(absence)) return absence
  const key = identity[definition.identity.key] ?? ''
  if (!absence.deletable.includes(key))
    return {
      none: `endpoint ${absence.operation.endpoint} does not list ${key}, so that this API cannot delete it`,
      byHand: absence.byHand,
    }
  return entry.protect
    ? {
        none: 'protected: declared with protect: true, so that nothing removes it',
        byHand: 'Take protect: true away to let it be deleted.',
      }
    : absence
}

const unlisted = ({ address }: Instance) => ({
  flag: '--allow-delete',
  because: `${address} would be deleted because it is not listed`,
})

const planEqual = (
  instance: Instance,
  record: RecordedResource | undefined,
  thing: Thing,
  context: PlanContext,
): PlannedChange => {
  const seen = ownValues(instance, thing)
  if (record === undefined) {
    const put = { ...newRecord(instance, context), answer: seen, adopted: seen }
    const reason = 'declared, not recorded; live is as declared'
    return {
      change: changeOf(instance, { action: 'adopt', reason, before: seen, evidence: READ }),
      work: { do: 'adopt', put },
    }
  }
  const stale = isStale(instance, record)
  const put = { ...refreshed(instance, record), answer: seen }
  const change = changeOf(instance, {
    action: 'unchanged',
    reason: 'live is as declared',
    before: seen,
    evidence: READ,
  })
  return { change, work: { do: 'keep', ...(stale ? { put } : {}) } }
}

const planDifferent = (
  instance: Instance,
  record: RecordedResource | undefined,
  thing: Thing,
  fields: readonly FieldChange[],
  context: PlanContext,
): PlannedChange => {
  const { definition, entry, identity } = instance
  if (isNone(definition.write)) return planMissing(instance, record, context)
  const seen = ownValues(instance, thing)
  const narrowing = fields.filter(({ path, before, after }) => {
    const field = definition.fields[path]
    return field !== undefined && narrows(field, before, after)
  })
  const details = { before: seen, fields, evidence: READ, ...attribution(instance, record, thing, context) }
  if (entry.protect && narrowing.length > 0) {
    const reason = `protected: ${narrowing.map(({ path }) => path).join(', ')} would be narrowed, and the entry says protect: true`
    return { change: changeOf(instance, { ...details, action: 'blocked', reason }), work: { do: 'keep' } }
  }
  return {
    change: changeOf(instance, {
      ...details,
      action: record === undefined ? 'adopt' : 'update',
      reason:
        record === undefined ? 'declared, not recorded; live differs' : 'live differs from what is declared',
      requests: [requestOf(definition.write.operation, identity)],
    }),
    work: { do: 'write', instance, fields: fields.map(({ path }) => path), learnBy: [], record, seen },
  }
}

/** Who changed it, where live is no longer what was last applied. */
const attribution = (
  { definition }: Instance,
  record: RecordedResource | undefined,
  thing: Thing,
  context: PlanContext,
) => {
  if (record === undefined) return {}
  const writable = isNone(definition.write) ? [] : definition.write.fields
  const changed = differing(definition, writable, thing.values, record.applied).map(({ path }) => path)
  if (changed.length === 0) return {}
  const events = foreignEvents(definition, record, context.log, context.ownKey)
  const actor = actorOf(definition, events, changed)
  return actor === undefined ? {} : { actor, evidence: { level: 'read' as const, events } }
}

const ownValues = ({ definition, identity }: Instance, thing: Thing): Values => {
  const known = Object.keys(definition.fields).filter((name) => definition.fields[name]?.type.is !== 'secret')
  return Object.fromEntries(
    known.flatMap((name) => {
      const value = thing.values[name] ?? identity[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
