import { isNone } from '../../core/operation.ts'
import { pickBy } from '../../core/values.ts'
import { identified, idNotTold, isUnproven } from '../judge/identified.ts'
import { answered, standingOf, type JudgeContext, type Standing } from '../judge/standing.ts'
import { lacking, reason, type Reason } from '../reason.ts'
import { differing, elementOf, missingFrom } from '../values/compare.ts'
import { isComplete, mayBeIn, placeKey } from '../values/identity.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { Change, Evidence, FieldChange, RecordedResource } from '../values/model.ts'
import { sendable, writableFields } from '../values/wire.ts'
import { adoptionLacks } from './adopting.ts'
import { blocked, changeOf, READ, requestOf, UNKNOWN } from './change.ts'
import type { Instance } from './expand.ts'
import { planParts } from './parts.ts'
import { narrowed, placeMissing } from './readable.ts'
import { isStale, newRecord, refreshed } from './record.ts'
import type { PlannedChange } from './work.ts'

/** Plans an instance of a kind that no endpoint shows: the record and later events decide. */
export const planUnreadable = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: JudgeContext,
): PlannedChange[] => {
  const parts = planParts(instance, context)
  if (parts === 'missing') {
    const isNowhere = context.observed.absent.has(placeKey(instance.definition, instance.identity))
    return [isNowhere ? placeMissing(instance) : notFound(instance)]
  }
  const counted = withoutUnapplied(instance, record, parts)
  const own = record === undefined ? [planNew(counted, context)] : planRecorded(counted, record, context)
  return [...own, ...parts]
}

/** What was learnt of its id meanwhile is recorded with whatever else becomes of it. */
const planRecorded = (
  instance: Instance,
  record: RecordedResource,
  context: JudgeContext,
): PlannedChange[] => {
  const { definition, identity } = instance
  const lacks = isUnproven(definition, record) ? adoptionLacks(definition, instance.desired) : undefined
  if (lacks !== undefined && isComplete(definition, identity))
    return [blocked(instance, lacks, { before: record.applied, evidence: UNKNOWN })]
  const known = identified(definition, record, context.log, identity)
  const planned = planKnown(instance, standingOf(definition, known, context), context)
  if (known === record) return planned
  return planned.map(({ change, work }) => ({
    change,
    work: work.do === 'keep' ? { ...work, put: work.put ?? known } : work,
  }))
}

/** A part that was never as it is declared, and that nothing here can write, does not count as applied. */
const withoutUnapplied = (
  instance: Instance,
  record: RecordedResource | undefined,
  parts: readonly PlannedChange[],
): Instance => {
  const names = parts.flatMap(({ change }) => change.fields.map(({ path }) => path))
  const never = names.filter((name) => record?.applied[name] === undefined)
  return never.length === 0
    ? instance
    : { ...instance, desired: pickBy(instance.desired, (_, name) => !never.includes(name)) }
}

const notFound = (instance: Instance, details?: Pick<Change, 'before' | 'evidence'>): PlannedChange => {
  const { create } = instance.definition.establish
  const lacks = isNone(create) ? lacking(create, instance.identity) : {}
  return blocked(instance, reason('not-found', lacks), details)
}

const planNew = (instance: Instance, context: JudgeContext): PlannedChange => {
  const { definition, identity, desired } = instance
  const { create } = definition.establish
  if (!isNone(create) && hasEnded(instance, desired, context.now))
    return expired(instance, reason('ended-before-creation'))
  if (isComplete(definition, identity) || isNone(create)) return planAdoption(instance, context)
  return planCreation(instance, reason('not-recorded'), context)
}

const planCreation = (
  instance: Instance,
  because: Reason,
  { observed, strangers = [] }: JudgeContext,
): PlannedChange => {
  const { definition, desired, identity } = instance
  if (observed.absent.has(placeKey(definition, identity))) return placeMissing(instance)
  const { key, declaredAs } = definition.identity
  const there = strangers.filter(
    (each) => each.kind === definition.kind && mayBeIn(definition, each.identity, identity),
  )
  if (there.length > 0) {
    const ids = there.map((each) => each.identity[key] ?? '')
    return blocked(instance, reason('beside-strangers', { field: declaredAs, ids }), { evidence: UNKNOWN })
  }
  const { create } = definition.establish
  const names = [...definition.identity.scope, ...sendable(definition.fields)]
  const fields = differing(definition, names, {}, desired)
  const requests = isNone(create) ? [] : [requestOf(create.operation, identity)]
  const details = { action: 'create', reason: because, fields, evidence: UNKNOWN, requests } as const
  return { change: changeOf(instance, details), work: { do: 'create', instance } }
}

const planAdoption = (instance: Instance, context: JudgeContext): PlannedChange => {
  const { definition, desired, identity } = instance
  const { adopt } = definition.establish
  if (isNone(adopt))
    return blocked(instance, reason('cannot-adopt', { because: adopt.none }), { evidence: UNKNOWN })
  const lacks = adoptionLacks(definition, desired)
  if (lacks !== undefined) return blocked(instance, lacks, { evidence: UNKNOWN })
  const declared = writableFields(definition).filter((name) => desired[name] !== undefined)
  if (declared.length === 0 || isNone(definition.write)) {
    const because = reason('not-recorded-not-written')
    const evidence = declaresParts(instance) ? READ : UNKNOWN
    return {
      change: changeOf(instance, { action: 'adopt', reason: because, evidence }),
      work: { do: 'record', put: newRecord(instance, context) },
    }
  }
  const learnBy = adopt.learnBy.filter((name) => declared.includes(name))
  return {
    change: changeOf(instance, {
      action: 'adopt',
      reason: reason('not-recorded-never-seen'),
      fields: declared.map((path) => ({ path, before: null, after: desired[path] })),
      evidence: UNKNOWN,
      requests: [requestOf(definition.write.operation, identity)],
      ...learnNotes(learnBy, declared),
    }),
    work: { do: 'write', instance, fields: declared, learnBy, record: undefined, seen: null },
  }
}

const planKnown = (instance: Instance, standing: Standing, context: JudgeContext): PlannedChange[] => {
  const { definition, entry } = instance
  const { record } = standing
  const evidence = standing.isShownWhole(entry.ignoreChanges) ? READ : standing.evidence
  if (standing.isOver) return [planOver(instance, standing, context)]
  if (standing.isNotFound)
    return [notFound(instance, { before: record.applied, evidence: answered(record.notFoundAt) })]
  const frozen = planFrozen(instance, record, evidence)
  const names = writableFields(definition).filter((name) => !entry.ignoreChanges.includes(name))
  const fields = fieldsToWrite(instance, standing, names)
  if (fields.length > 0) return [...frozen, planUpdate(instance, standing, fields)]
  const left = planLeftover(instance, record, evidence)
  if (frozen.length + left.length > 0) return [...frozen, ...left]
  const put = isStale(instance, record) ? refreshed(instance, record) : undefined
  const change = changeOf(instance, {
    action: 'unchanged',
    reason: evidence.level === 'read' ? reason('as-declared') : reason('as-last-applied'),
    before: record.applied,
    evidence,
    ...(evidence.level === 'suspect'
      ? { notes: [reason('event-about-undeclared')] }
      : lagNotes(instance, record)),
  })
  return [{ change, work: { do: 'keep', ...(put === undefined ? {} : { put }) } }]
}

/** Fields that are declared otherwise than known, or whose value is in doubt. */
const fieldsToWrite = (
  { definition, desired, identity }: Instance,
  { record, doubt }: Standing,
  names: readonly string[],
): FieldChange[] => {
  const isUnnamed = !isComplete(definition, { ...record.identity, ...identity })
  // What was never applied may have been seen: an answer shows fields that were not sent.
  const edited = differing(definition, names, { ...record.answer, ...record.applied }, desired)
  return names.flatMap((path): FieldChange[] => {
    const change = edited.find((each) => each.path === path)
    const doubted = desired[path] === undefined ? undefined : doubt(path)
    // Nothing is written because of a doubt alone to what nobody can name yet.
    const note = isUnnamed && doubted?.code === 'outcome-unknown' ? undefined : doubted
    if (note === undefined) return change === undefined ? [] : [change]
    return [{ ...(change ?? { path, before: null, after: desired[path] }), note }]
  })
}

const planUpdate = (instance: Instance, standing: Standing, own: readonly FieldChange[]): PlannedChange => {
  const { write } = instance.definition
  const { record, evidence, touchedBy } = standing
  const learnBy = learnFirst(instance, record, own)
  const fields = [...own, ...overAccepted(instance, standing, own, learnBy)]
  const paths = fields.map(({ path }) => path)
  const named = { ...instance, identity: { ...record.identity, ...instance.identity } }
  const details = detailsOf(standing, fields)
  if (isNone(write)) return blocked(instance, reason('cannot-write', { because: write.none }), details)
  const hindrance = hindranceOf(named, fields)
  if (hindrance !== undefined) return blocked(instance, hindrance, details)
  return {
    change: changeOf(instance, {
      ...details,
      action: 'update',
      reason: reasonOf(evidence, fields, record),
      requests: [requestOf(write.operation, named.identity)],
      ...learnNotes(learnBy, paths),
    }),
    work: {
      do: 'write',
      instance: named,
      fields: paths,
      learnBy,
      settles: (evidence.events ?? []).map((event) => ({ id: event.id, fields: touchedBy(event) })),
      record,
      seen: null,
    },
  }
}

/** What is sent to learn of the others writes over what was accepted, as they do. */
const overAccepted = (
  { desired }: Instance,
  { accepted }: Standing,
  own: readonly FieldChange[],
  learnBy: readonly string[],
): FieldChange[] =>
  learnBy
    .filter((name) => accepted.includes(name) && !own.some(({ path }) => path === name))
    .map((path) => ({ path, before: null, after: desired[path] }))

/** Why these fields are not written, where something could. */
const hindranceOf = (instance: Instance, fields: readonly FieldChange[]): Reason | undefined => {
  const { definition, entry, identity } = instance
  const narrowing = narrowed(instance, fields)
  if (entry.protect && narrowing.length > 0) return reason('protected-from-narrowing', { fields: narrowing })
  return isComplete(definition, identity) ? undefined : idNotTold(definition)
}

/** What is shown of these fields, and of who has changed them. */
const detailsOf = (
  { record, evidence, actor: actorOf, accepted, touched }: Standing,
  fields: readonly FieldChange[],
): Pick<Change, 'before' | 'fields' | 'evidence' | 'actor'> => {
  // What is declared anew is nobody else's doing.
  const inDoubt = fields.map(({ path }) => path).filter((name) => touched.includes(name))
  const actor = inDoubt.length === 0 ? undefined : actorOf(inDoubt)
  // Of what is in doubt nobody knows what is there: the last applied value is none to compare with.
  const shown = fields.map((field) => {
    const isAccepted = field.note === undefined && accepted.includes(field.path)
    const told = isAccepted ? { ...field, note: reason('may-be-as-accepted') } : field
    return told.note === undefined ? told : { ...told, before: null }
  })
  return { before: record.applied, fields: shown, evidence, ...(actor === undefined ? {} : { actor }) }
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
  return learnBy.length === 0 || later.length === 0
    ? {}
    : { notes: [reason('sent-first', { fields: learnBy, later })] }
}

const reasonOf = (
  { level }: Evidence,
  fields: readonly FieldChange[],
  { overridden = {} }: RecordedResource,
): Reason => {
  if (level === 'suspect') return reason('asserted-after-event')
  if (fields.some(({ path }) => overridden[path] !== undefined)) return reason('live-differs')
  return fields.every(({ note }) => note === undefined)
    ? reason('declared-differs')
    : reason('asserted-after-lost-answer')
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
  const because = reason('create-only', { fields: fields.map(({ path }) => path) })
  return fields.length === 0 ? [] : [blocked(instance, because, { fields, before: record.applied, evidence })]
}

/** What a write should have removed, and the answer still showed. */
const planLeftover = (instance: Instance, record: RecordedResource, evidence: Evidence): PlannedChange[] => {
  const fields = Object.entries(record.leftover ?? {}).flatMap(([path, before]): FieldChange[] => {
    const [field, after] = [instance.definition.fields[path], instance.desired[path]]
    return field === undefined || missingFrom(field, before, after).length === 0
      ? []
      : [{ path, before, after: after ?? null, note: reason('still-in-answer') }]
  })
  const because = reason('kept-after-removal', { fields: fields.map(({ path }) => path) })
  return fields.length === 0 ? [] : [blocked(instance, because, { fields, before: record.applied, evidence })]
}

/** Declared and not in the answer yet, or in the answer and never declared: for a person to know. */
const lagNotes = ({ definition, desired }: Instance, record: RecordedResource): Pick<Change, 'notes'> => {
  const notes = Object.entries(definition.fields).flatMap(([name, field]): Reason[] => {
    if (!field.lags || record.answer?.[name] === undefined) return []
    const invited = missingFrom(field, desired[name], record.answer[name]).map(elementOf(field))
    const others = missingFrom(field, record.answer[name], desired[name]).map(elementOf(field))
    return [
      ...(invited.length > 0 ? [reason('invited', { elements: invited })] : []),
      ...(others.length > 0 ? [reason('never-declared', { elements: others })] : []),
    ]
  })
  return notes.length === 0 ? {} : { notes }
}

/** It has ended by itself, as far as is known: what was last written says so, and an event may say otherwise. */
const planOver = (instance: Instance, standing: Standing, context: JudgeContext): PlannedChange => {
  const { definition, desired } = instance
  const { record, evidence } = standing
  const isDesiredOver = hasEnded(instance, desired, context.now)
  if (evidence.level === 'suspect' && isDesiredOver) return prolonged(instance, standing)
  const { lifetime } = definition
  const dates = isNone(lifetime) ? [] : lifetime.dates
  const isMoved = differing(definition, dates, record.applied, desired).length > 0
  return isMoved && !isDesiredOver
    ? planCreation(instance, reason('ended-and-moved'), context)
    : expired(instance, reason('ended'), evidence)
}

/** It should be over, and someone has changed it since: it may go on, and nothing here knows until when. */
const prolonged = (instance: Instance, { record, evidence, actor: actorOf }: Standing): PlannedChange => {
  const actor = actorOf([])
  return blocked(instance, reason('ended-or-prolonged'), {
    before: record.applied,
    evidence,
    ...(actor === undefined ? {} : { actor }),
  })
}

const expired = (instance: Instance, because: Reason, evidence: Evidence = UNKNOWN): PlannedChange => ({
  change: changeOf(instance, { action: 'expired', reason: because, evidence }),
  work: { do: 'keep' },
})

const declaresParts = ({ definition, desired }: Instance): boolean =>
  definition.observe.how === 'parts' &&
  Object.keys(definition.observe.parts).some((name) => desired[name] !== undefined)
