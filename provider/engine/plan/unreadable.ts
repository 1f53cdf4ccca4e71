import { hasEnded } from '../values/lifetime.ts'
import { planParts } from './parts.ts'
import { plainly } from './plainly.ts'
import { isNone } from '../../core/operation.ts'
import { missingFrom, narrows, same } from '../values/compare.ts'
import { changeOf, differing, READ, requestOf, UNKNOWN } from './change.ts'
import { actorOf, recordedEvidence } from '../judge/evidence.ts'
import { fieldsOf } from '../read/events.ts'
import type { Instance } from './expand.ts'
import { fillSentence, isComplete, placeKey } from '../values/identity.ts'
import type { Change, Evidence, FieldChange, RecordedResource } from '../values/model.ts'
import type { PlanContext } from './context.ts'
import { noSuchPlace } from './readable.ts'
import { isStale, newRecord, refreshed } from './record.ts'
import { sendable } from '../values/wire.ts'
import type { PlannedChange } from './work.ts'

/** Plans an instance of a kind that no endpoint shows: the record and later events decide. */
export const planUnreadable = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: PlanContext,
): PlannedChange[] => {
  const parts = planParts(instance, context)
  if (parts === 'missing') return [notFound(instance, context)]
  const own = record === undefined ? planNew(instance, context) : planKnown(instance, record, context)
  return [...own, ...parts]
}

const planNew = (instance: Instance, context: PlanContext): PlannedChange[] => {
  const { definition, identity } = instance
  const { create } = definition.establish
  if (isComplete(definition, identity) || isNone(create)) return [planAdoption(instance, context)]
  if (hasEnded(instance, instance.desired, context.now))
    return [expired(instance, 'declared, never recorded and already over')]
  return [planCreation(instance, 'declared, not recorded', context)]
}

const planCreation = (instance: Instance, reason: string, { observed }: PlanContext): PlannedChange => {
  const { definition, desired, identity } = instance
  if (observed.absent.has(placeKey(definition, identity))) return noSuchPlace(instance)
  const { create } = definition.establish
  const names = [...definition.identity.scope, ...sendable(definition.fields)]
  const fields = differing(definition, names, {}, desired)
  const requests = isNone(create) ? [] : [requestOf(create.operation, identity)]
  const change = changeOf(instance, { action: 'create', reason, fields, evidence: UNKNOWN, requests })
  return { change, work: { do: 'create', instance } }
}

const planAdoption = (instance: Instance, context: PlanContext): PlannedChange => {
  const { definition, desired, identity } = instance
  const { adopt } = definition.establish
  if (isNone(adopt)) return blocked(instance, adopt.none, UNKNOWN)
  const { requires } = adopt
  if (requires !== undefined && desired[requires.field] !== true)
    return {
      ...blocked(instance, `adopting needs ${requires.field}: true, since ${requires.because}`, UNKNOWN),
    }
  const declared = writable(instance).filter((name) => desired[name] !== undefined)
  if (declared.length === 0 || isNone(definition.write)) {
    const reason = 'declared, not recorded; nothing of it is written'
    const evidence = declaresParts(instance) ? READ : UNKNOWN
    return {
      change: changeOf(instance, { action: 'adopt', reason, evidence }),
      work: { do: 'adopt', put: newRecord(instance, context) },
    }
  }
  const learnBy = adopt.learnBy.filter((name) => declared.includes(name))
  const request = requestOf(definition.write.operation, identity)
  return {
    change: changeOf(instance, {
      action: 'adopt',
      reason: 'declared, not recorded; its values have never been seen',
      fields: declared.map((path) => ({ path, before: null, after: desired[path] })),
      evidence: UNKNOWN,
      requests: [request],
      ...learnNotes(learnBy, declared),
    }),
    work: { do: 'write', instance, fields: declared, learnBy, record: undefined, seen: null },
  }
}

const planKnown = (instance: Instance, record: RecordedResource, context: PlanContext): PlannedChange[] => {
  const { definition, desired, entry } = instance
  const evidence =
    declaresParts(instance) && writable(instance).every((name) => desired[name] === undefined)
      ? READ
      : recordedEvidence(definition, record, context)
  if (hasEnded(instance, record.applied, context.now))
    return [
      evidence.level === 'suspect' && hasEnded(instance, desired, context.now)
        ? prolonged(instance, record, evidence)
        : planAfterEnd(instance, record, context),
    ]
  const frozen = planFrozen(instance, record, evidence)
  const names = writable(instance).filter((name) => !entry.ignoreChanges.includes(name))
  const fields = fieldsToWrite(instance, record, evidence, names)
  if (fields.length > 0) return [...frozen, planUpdate(instance, record, fields, evidence)]
  const left = planLeftover(instance, record, evidence)
  const put = isStale(instance, record) ? refreshed(instance, record) : undefined
  const [blockedFirst, ...others] = [...frozen, ...left]
  if (blockedFirst !== undefined) {
    // What the entry says of its removal is recorded all the same; what is blocked does not count as applied.
    const settings = put === undefined ? {} : { put: { ...put, applied: record.applied } }
    return [{ ...blockedFirst, work: { do: 'keep', ...settings } }, ...others]
  }
  const reason = evidence.level === 'read' ? 'live is as declared' : 'as last applied; cannot be verified'
  const change = changeOf(instance, {
    action: 'unchanged',
    reason,
    before: record.applied,
    evidence,
    ...(evidence.level === 'suspect' ? undeclaredNote : lagNotes(instance, record)),
  })
  return [{ change, work: { do: 'keep', ...(put === undefined ? {} : { put }) } }]
}

const undeclaredNote: Pick<Change, 'notes'> = {
  notes: ['an event is about fields that are not declared here; deploymgmt state accept settles it'],
}

/** Why the live value of a field is not what was recorded; such a field is asserted again, edited or not. */
const doubt = (
  { definition }: Instance,
  record: RecordedResource,
  { events }: Evidence,
): ((path: string) => string | undefined) => {
  const touched = events === undefined ? [] : fieldsOf(definition, events)
  return (path) => {
    if (touched.includes(path)) return 'may have been changed outside; no endpoint shows it'
    return record.unsure?.includes(path) === true ? 'the outcome of its last write is not known' : undefined
  }
}

/** Fields that are declared otherwise than known, or whose value is in doubt. */
const fieldsToWrite = (
  instance: Instance,
  record: RecordedResource,
  evidence: Evidence,
  names: readonly string[],
): FieldChange[] => {
  const { definition, desired } = instance
  // What was never applied may have been seen: an answer shows fields that were not sent.
  const edited = differing(definition, names, { ...record.answer, ...record.applied }, desired)
  const doubtOf = doubt(instance, record, evidence)
  return names.flatMap((path): FieldChange[] => {
    const change = edited.find((each) => each.path === path)
    const note = desired[path] === undefined ? undefined : doubtOf(path)
    if (note === undefined) return change === undefined ? [] : [change]
    return [{ ...(change ?? { path, before: null, after: desired[path] }), note }]
  })
}

const planUpdate = (
  instance: Instance,
  record: RecordedResource,
  fields: readonly FieldChange[],
  evidence: Evidence,
): PlannedChange => {
  const { definition, entry, identity } = instance
  const narrowing = fields.filter(({ path, before, after }) => {
    const field = definition.fields[path]
    return field !== undefined && before !== null && narrows(field, before, after)
  })
  const paths = fields.map(({ path }) => path)
  const actor = evidence.events === undefined ? undefined : actorOf(definition, evidence.events, paths)
  const details = { before: record.applied, fields, evidence, ...(actor === undefined ? {} : { actor }) }
  if ((entry.protect && narrowing.length > 0) || isNone(definition.write)) {
    const reason = isNone(definition.write)
      ? definition.write.none
      : `protected: ${narrowing.map(({ path }) => path).join(', ')} would be narrowed, and the entry says protect: true`
    return { change: changeOf(instance, { ...details, action: 'blocked', reason }), work: { do: 'keep' } }
  }
  const known = { ...record.identity, ...identity }
  const learnBy = learnFirst(instance, record, fields)
  return {
    change: changeOf(instance, {
      ...details,
      action: 'update',
      reason: reasonOf(evidence, fields),
      requests: [requestOf(definition.write.operation, known)],
      ...learnNotes(learnBy, paths),
    }),
    work: {
      do: 'write',
      instance: { ...instance, identity: known },
      fields: paths,
      learnBy,
      settles: (evidence.events ?? []).map((event) => ({
        id: event.id,
        fields: fieldsOf(definition, [event]),
      })),
      record,
      seen: null,
    },
  }
}

/** Fields to send before a guarded one whose live value is not known: their answer shows what is to be guarded. */
const learnFirst = (
  { definition, desired, entry }: Instance,
  record: RecordedResource,
  fields: readonly FieldChange[],
): readonly string[] => {
  const { adopt } = definition.establish
  const guarded = definition.guards.map(({ field }) => field)
  const unseen = fields.some(
    ({ path, note }) => guarded.includes(path) && (note !== undefined || record.answer?.[path] === undefined),
  )
  if (!unseen || isNone(adopt)) return []
  return adopt.learnBy.filter((name) => desired[name] !== undefined && !entry.ignoreChanges.includes(name))
}

const learnNotes = (learnBy: readonly string[], names: readonly string[]): Pick<Change, 'notes'> => {
  const later = names.filter((name) => !learnBy.includes(name))
  if (learnBy.length === 0 || later.length === 0) return {}
  const which = later.join(', ')
  return {
    notes: [`${learnBy.join(', ')} is sent first and alone; its answer decides whether ${which} is sent`],
  }
}

const reasonOf = ({ level }: Evidence, fields: readonly FieldChange[]): string => {
  if (level === 'suspect')
    return 'an event since the last write is about it; the declared values are asserted again'
  return fields.every(({ note }) => note === undefined)
    ? 'declared differs from what was last applied'
    : 'the outcome of its last write is not known; the declared values are asserted again'
}

/** Fields that only a creation takes, edited afterwards. */
const planFrozen = (instance: Instance, record: RecordedResource, evidence: Evidence): PlannedChange[] => {
  const { definition, desired, entry } = instance
  // An adopted thing may declare later what its answer has shown.
  const known = { ...record.answer, ...record.applied }
  const names = Object.keys(definition.fields).filter(
    (name) =>
      definition.fields[name]?.change === 'create-only' &&
      known[name] !== undefined &&
      !entry.ignoreChanges.includes(name),
  )
  const fields = differing(definition, names, known, desired)
  if (fields.length === 0) return []
  const reason = `${fields.map(({ path }) => path).join(', ')} can be given by the creation alone; this API has no call to change it`
  const byHand =
    'By hand: change it at the service and then accept it with deploymgmt state accept; or put the old value back.'
  return [
    {
      change: changeOf(instance, {
        action: 'blocked',
        reason,
        byHand,
        fields,
        before: record.applied,
        evidence,
      }),
      work: { do: 'keep' },
    },
  ]
}

/** What a write should have removed, and the answer still showed. */
const planLeftover = (instance: Instance, record: RecordedResource, evidence: Evidence): PlannedChange[] => {
  const left = Object.entries(record.leftover ?? {}).filter(([name, value]) => {
    const field = instance.definition.fields[name]
    return field !== undefined && missingFrom(field, value, instance.desired[name]).length > 0
  })
  if (left.length === 0) return []
  const fields = left.map(([path, value]) => ({
    path,
    before: value,
    after: instance.desired[path] ?? null,
    note: 'still in the answer after its removal',
  }))
  const reason = `the service kept what was removed from ${left.map(([name]) => name).join(', ')}`
  const byHand = 'By hand: remove it at the service, then deploymgmt state accept; or declare it again.'
  return [
    {
      change: changeOf(instance, {
        action: 'blocked',
        reason,
        byHand,
        fields,
        before: record.applied,
        evidence,
      }),
      work: { do: 'keep' },
    },
  ]
}

/** Declared and not in the answer yet, or in the answer and never declared: for a person to know. */
const lagNotes = ({ definition, desired }: Instance, record: RecordedResource): Pick<Change, 'notes'> => {
  const lagging = Object.entries(definition.fields).filter(
    ([name, field]) => field.lags && record.answer?.[name] !== undefined,
  )
  const notes = lagging.flatMap(([name, field]) => {
    const plain = plainly(field)
    const invited = missingFrom(field, desired[name], record.answer?.[name])
    const others = missingFrom(field, record.answer?.[name], desired[name])
    return [
      ...(invited.length > 0
        ? [`invited, not accepted when last seen: ${invited.map(plain).join('; ')}`]
        : []),
      ...(others.length > 0 ? [`also has, never declared: ${others.map(plain).join('; ')}`] : []),
    ]
  })
  return notes.length === 0 ? {} : { notes }
}

const planAfterEnd = (instance: Instance, record: RecordedResource, context: PlanContext): PlannedChange => {
  const { definition, desired } = instance
  const moved = sendable(definition.fields).some((name) => {
    const field = definition.fields[name]
    return field?.type.is === 'instant' && !same(field, record.applied[name], desired[name])
  })
  if (moved && !hasEnded(instance, desired, context.now))
    return planCreation(
      instance,
      'it has ended, and its dates were moved into the future: a new one',
      context,
    )
  return expired(
    instance,
    'it has ended; nothing can change it',
    recordedEvidence(instance.definition, record, context),
  )
}

/** It should be over, and someone has changed it since: it may go on, and nothing here knows until when. */
const prolonged = (instance: Instance, record: RecordedResource, evidence: Evidence): PlannedChange => {
  const actor = actorOf(instance.definition, evidence.events ?? [], [])
  return {
    change: changeOf(instance, {
      action: 'blocked',
      reason:
        'it should have ended, and an event since the last write is about it: it may have been prolonged',
      byHand:
        'Look at it at the service. Taking it out of the manifest ends it; deploymgmt state accept leaves it as it is.',
      before: record.applied,
      evidence,
      ...(actor === undefined ? {} : { actor }),
    }),
    work: { do: 'keep' },
  }
}

const expired = (instance: Instance, reason: string, evidence: Evidence = UNKNOWN): PlannedChange => ({
  change: changeOf(instance, { action: 'expired', reason, evidence }),
  work: { do: 'keep' },
})

const writable = ({ definition }: Instance): readonly string[] =>
  isNone(definition.write) ? [] : definition.write.fields

const declaresParts = ({ definition, desired }: Instance): boolean =>
  definition.observe.how === 'parts' &&
  Object.keys(definition.observe.parts).some((name) => desired[name] !== undefined)

const notFound = (instance: Instance, context: PlanContext): PlannedChange => {
  const { create } = instance.definition.establish
  const why = isNone(create) ? create : { none: '', byHand: undefined }
  const planned = blocked(instance, `not found at the service. ${why.none}`, READ)
  const byHand =
    why.byHand === undefined ? {} : { byHand: fillSentence(why.byHand, instance.identity, context.nameOf) }
  return { ...planned, change: { ...planned.change, ...byHand } }
}

const blocked = (instance: Instance, reason: string, evidence: Evidence): PlannedChange => ({
  change: changeOf(instance, { action: 'blocked', reason, evidence }),
  work: { do: 'keep' },
})
