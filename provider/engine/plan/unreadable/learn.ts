import { isNone } from '../../../core/operation.ts'
import { reason } from '../../reason.ts'
import type { Instance } from '../../values/instance.ts'
import type { Change, FieldChange, RecordedResource } from '../../values/model.ts'

/** Fields to send before a guarded field whose live value is unknown: their answer shows the value to guard. */
export const learnFirst = (
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

export const learnNotes = (learnBy: readonly string[], names: readonly string[]): Pick<Change, 'notes'> => {
  const later = names.filter((name) => !learnBy.includes(name))
  return learnBy.length === 0 || later.length === 0
    ? {}
    : { notes: [reason('sent-first', { fields: learnBy, later })] }
}
