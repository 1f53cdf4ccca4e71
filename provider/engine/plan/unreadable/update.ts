import { isNone } from '../../../core/operation.ts'
import { fieldsOf } from '../../judge/events.ts'
import { idNotTold } from '../../judge/identified.ts'
import type { Standing } from '../../judge/standing.ts'
import { reason, type Reason } from '../../reason.ts'
import { differing } from '../../values/compare.ts'
import { isComplete } from '../../values/identity.ts'
import type { Instance } from '../../values/instance.ts'
import type { Change, FieldChange } from '../../values/model.ts'
import { blocked, changeOf, narrowed, requestOf } from '../change.ts'
import type { PlannedChange } from '../work.ts'
import { learnFirst, learnNotes } from './learn.ts'
import { withdrawn } from '../../values/lagging.ts'

/** Fields whose declared value differs from the known one, or whose value is in doubt. */
export const fieldsToWrite = (
  { definition, desired, identity }: Instance,
  { record, doubt }: Standing,
  names: readonly string[],
): FieldChange[] => {
  const isUnnamed = !isComplete(definition, { ...record.identity, ...identity })
  // A field that was never applied may have been seen, because answers show fields that were not sent.
  const edited = differing(definition, names, { ...record.answer, ...record.applied }, desired)
  return names.flatMap((path): FieldChange[] => {
    const change = edited.find((each) => each.path === path)
    const doubted = desired[path] === undefined ? undefined : doubt(path)
    // A doubt alone is no reason to write to a thing whose id is not known yet.
    const note = isUnnamed && doubted?.code === 'outcome-unknown' ? undefined : doubted
    if (note === undefined) return change === undefined ? [] : [change]
    return [{ ...(change ?? { path, before: null, after: desired[path] }), note }]
  })
}

/** The write of such fields, or the reason why they are not written. */
export const planUpdate = (
  instance: Instance,
  standing: Standing,
  own: readonly FieldChange[],
): PlannedChange => {
  const { definition } = instance
  const { write } = definition
  const { record, evidence } = standing
  const learnBy = learnFirst(instance, record, own)
  const fields = [...own, ...overAccepted(instance, standing, own, learnBy)]
  const paths = fields.map(({ path }) => path)
  const named = { ...instance, identity: { ...record.identity, ...instance.identity } }
  const details = detailsOf(standing, fields)
  if (isNone(write)) return blocked(instance, reason('cannot-write', { because: write.none }), details)
  const hindrance = hindranceOf(named, fields)
  const { notes: learning = [] } = learnNotes(learnBy, paths)
  const notes = [...learning, ...withdrawn(instance, paths, record)]
  if (hindrance !== undefined)
    return blocked(instance, hindrance, standing.isToldGone ? withToldGone(details) : details)
  return {
    change: changeOf(instance, {
      ...details,
      action: 'update',
      reason: reasonOf(standing, fields),
      requests: [requestOf(write.operation, named.identity)],
      ...(notes.length > 0 ? { notes } : {}),
    }),
    work: {
      do: 'write',
      instance: named,
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

/** Blocked for another reason: who has deleted it did not bring that about. */
const withToldGone = ({ before, fields, evidence }: Details): Details => ({
  before,
  fields,
  evidence,
  notes: [reason('told-gone')],
})

/** The fields sent to learn from also overwrite accepted values, as the others do. */
const overAccepted = (
  { desired }: Instance,
  { accepted }: Standing,
  own: readonly FieldChange[],
  learnBy: readonly string[],
): FieldChange[] =>
  learnBy
    .filter((name) => accepted.includes(name) && !own.some(({ path }) => path === name))
    .map((path) => ({ path, before: null, after: desired[path] }))

/** Why these fields are not written, although the kind has a write. */
const hindranceOf = (instance: Instance, fields: readonly FieldChange[]): Reason | undefined => {
  const { definition, entry, identity } = instance
  const narrowing = narrowed(instance, fields)
  if (entry.protect && narrowing.length > 0) return reason('protected-from-narrowing', { fields: narrowing })
  return isComplete(definition, identity) ? undefined : idNotTold(definition)
}

type Details = Pick<Change, 'before' | 'fields' | 'evidence' | 'actor' | 'notes'>

/** What a change shows of these fields, and who changed them. */
const detailsOf = (
  { record, evidence, actor: actorOf, remover, isToldGone, accepted, touched, told: toldOf }: Standing,
  fields: readonly FieldChange[],
): Details => {
  // Fields that are only declared differently were not changed by anyone else.
  const inDoubt = fields.map(({ path }) => path).filter((name) => touched.includes(name))
  const actor = isToldGone ? remover() : inDoubt.length === 0 ? undefined : actorOf(inDoubt)
  // The live value of a doubted field is unknown, so the last applied value is no "before".
  const shown = fields.map((field) => {
    const isAccepted = field.note === undefined && accepted.includes(field.path)
    const { note } = isAccepted ? { note: reason('may-be-as-accepted') } : field
    if (note === undefined) return field
    const told = toldOf(field.path)
    return { ...field, note, before: null, ...(told === undefined ? {} : { told }) }
  })
  return { before: record.applied, fields: shown, evidence, ...(actor === undefined ? {} : { actor }) }
}

const reasonOf = (
  { evidence: { level }, isToldGone, record: { overridden = {} } }: Standing,
  fields: readonly FieldChange[],
): Reason => {
  if (isToldGone) return reason('told-gone')
  if (level === 'suspect') return reason('asserted-after-event')
  if (fields.some(({ path }) => overridden[path] !== undefined)) return reason('live-differs')
  return fields.every(({ note }) => note === undefined)
    ? reason('declared-differs')
    : reason('asserted-after-lost-answer')
}
