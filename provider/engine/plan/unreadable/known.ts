import type { KindDefinition } from '../../../core/definition.ts'
import { answered, type JudgeContext, type Standing } from '../../judge/standing.ts'
import { reason, type Reason } from '../../reason.ts'
import { asArray, differing, isSameName, missingFrom } from '../../values/compare.ts'
import { isComplete } from '../../values/identity.ts'
import type { Instance } from '../../values/instance.ts'
import type { Change, Evidence, FieldChange, RecordedResource } from '../../values/model.ts'
import { isStale, refreshed } from '../../values/record.ts'
import { createOnlyFields, writableFields } from '../../values/wire.ts'
import { asDeclared } from '../as-declared.ts'
import { blocked, changeOf, READ, withActor } from '../change.ts'
import { planCreation } from '../creation.ts'
import { isRenewed } from '../renewed.ts'
import type { PlannedChange } from '../work.ts'
import { expired, notFound } from './gone.ts'
import { laggingIn } from '../../values/lagging.ts'
import { fieldsToWrite, planUpdate } from './update.ts'

/** Plans by the record and by later events. */
export const planKnown = (instance: Instance, standing: Standing, context: JudgeContext): PlannedChange[] => {
  const { definition, entry } = instance
  const { record } = standing
  const evidence = standing.isShownWhole(entry.ignoreChanges) ? READ : standing.evidence
  if (standing.isOver) return [planOver(instance, standing, context)]
  if (standing.isNotFound)
    return [
      withActor(
        notFound(instance, { before: record.applied, evidence: answered(record.notFoundAt) }),
        standing.remover(),
      ),
    ]
  const frozen = planFrozen(instance, record, evidence)
  const names = writableFields(definition).filter((name) => !entry.ignoreChanges.includes(name))
  const fields = fieldsToWrite(instance, standing, names)
  if (fields.length > 0)
    return frozen.some(({ change }) => declaresAnotherName(definition, change))
      ? frozen.map((planned) => withheld(planned, fields))
      : [...frozen, planUpdate(instance, standing, fields)]
  const left = planLeftover(instance, record, evidence)
  if (frozen.length + left.length > 0) return [...frozen, ...left]
  const put = isStale(instance, record) ? refreshed(instance, record) : undefined
  const shown = typeof standing.parts === 'string' ? {} : standing.parts
  const change = changeOf(instance, {
    action: 'unchanged',
    reason:
      evidence.level === 'read'
        ? asDeclared(instance, entry.ignoreChanges, shown)
        : reason('as-last-applied'),
    before: record.applied,
    evidence,
    ...(evidence.level === 'suspect'
      ? { notes: [standing.isToldGone ? reason('told-gone') : reason('event-about-undeclared')] }
      : lagNotes(instance, record)),
  })
  return [{ change, work: { do: 'keep', ...(put === undefined ? {} : { put }) } }]
}

/** Plans a thing that, by its last write, has ended. A later event may say otherwise. */
const planOver = (instance: Instance, standing: Standing, context: JudgeContext): PlannedChange => {
  const { definition, identity } = instance
  const { record, evidence } = standing
  if (!isRenewed(instance, record, context.now))
    return standing.mayBeProlonged
      ? prolonged(instance, standing)
      : expired(instance, reason('ended'), evidence)
  // A new thing would get another id than the entry declares.
  if (isComplete(definition, identity)) {
    const because = reason('ended-and-named', { field: definition.identity.declaredAs })
    return blocked(instance, because, { before: record.applied, evidence })
  }
  return planCreation(instance, reason('ended-and-moved'), context)
}

/** The thing should be over, but someone has changed it since: it may go on, and its end is unknown. */
const prolonged = (instance: Instance, { record, evidence, actor: actorOf }: Standing): PlannedChange => {
  const actor = actorOf([])
  return blocked(instance, reason('ended-or-prolonged'), {
    before: record.applied,
    evidence,
    ...(actor === undefined ? {} : { actor }),
  })
}

/** Whether the declared name is another one than the thing has: the recorded id may be that of somebody else. */
const declaresAnotherName = ({ identity }: KindDefinition, { fields }: Change): boolean =>
  fields.some(({ path, before, after }) => identity.unique.includes(path) && !isSameName(before, after))

/** A blocked change beside which nothing is written, which says so. */
const withheld = (planned: PlannedChange, fields: readonly FieldChange[]): PlannedChange => {
  const { change } = planned
  const note = reason('withheld', { fields: fields.map(({ path }) => path) })
  return { ...planned, change: { ...change, notes: [...(change.notes ?? []), note] } }
}

/** Create-only fields that were edited later. */
const planFrozen = (instance: Instance, record: RecordedResource, evidence: Evidence): PlannedChange[] => {
  const { definition, desired, entry } = instance
  // Values that the answer to an adoption has shown may be declared later.
  const known = { ...record.answer, ...record.applied }
  const names = createOnlyFields(definition).filter(
    (name) => known[name] !== undefined && !entry.ignoreChanges.includes(name),
  )
  const fields = differing(definition, names, known, desired)
  const because = reason('create-only', { fields: fields.map(({ path }) => path) })
  return fields.length === 0 ? [] : [blocked(instance, because, { fields, before: record.applied, evidence })]
}

/** What a write should have removed, and the answer still showed. */
const planLeftover = (instance: Instance, record: RecordedResource, evidence: Evidence): PlannedChange[] => {
  const { definition, desired, entry } = instance
  const fields = Object.entries(record.leftover ?? {}).flatMap(([path, before]): FieldChange[] => {
    if (entry.ignoreChanges.includes(path)) return []
    const [field, after] = [definition.fields[path], desired[path]]
    if (field === undefined || missingFrom(field, before, after).length === 0) return []
    // The rest is not to be added: it was applied.
    const rest = missingFrom(field, record.applied[path], before)
    return [
      { path, before: [...rest, ...asArray(before)], after: after ?? null, note: reason('still-in-answer') },
    ]
  })
  const because = reason('kept-after-removal', { fields: fields.map(({ path }) => path) })
  return fields.length === 0 ? [] : [blocked(instance, because, { fields, before: record.applied, evidence })]
}

/** Notes for a person: elements that are still invited, and those that nobody declared. */
const lagNotes = (instance: Instance, { answer, leftover }: RecordedResource): Pick<Change, 'notes'> => {
  const notes = laggingIn(instance, answer ?? {}, leftover).flatMap(({ name, invited, others }): Reason[] => {
    // Without an answer that shows the field, nothing is known to be invited.
    if (answer?.[name] === undefined) return []
    return [
      ...(invited.length > 0 ? [reason('invited', { elements: invited })] : []),
      ...(others.length > 0 ? [reason('never-declared', { elements: others })] : []),
    ]
  })
  return notes.length === 0 ? {} : { notes }
}
