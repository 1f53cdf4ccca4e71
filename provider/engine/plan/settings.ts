import type { Entry, FieldChange, RecordedResource } from '../values/model.ts'
import { reason } from '../reason.ts'
import { changeOf } from './change.ts'
import type { Instance } from './expand.ts'
import { withSettings } from './record.ts'
import type { PlannedChange } from './work.ts'

/**
 * What an entry says of its removal counts by its record alone, once the entry is gone. That it says something
 * else now is a change like any other, though nothing is sent for it.
 */
export const withSettingsChanged = (
  instance: Instance,
  record: RecordedResource | undefined,
  planned: readonly PlannedChange[],
): readonly PlannedChange[] => {
  // An entry in force, and a thing that must not exist, are released without reading either.
  if (record === undefined || instance.inForce || instance.absent) return planned
  const fields = settingChanges(record, instance.entry)
  if (fields.length === 0) return planned
  const carrier = planned.find(({ change, work }) => work.do === 'write' || change.action === 'unchanged')
  if (carrier !== undefined)
    return planned.map((each) => (each === carrier ? carrying(each, fields, instance, record) : each))
  // What is over, forgotten or made again takes its record along; what is blocked keeps it.
  if (planned.some(({ change }) => change.action !== 'blocked')) return planned
  const evidence = planned[0]?.change.evidence ?? { level: 'recorded' }
  const change = changeOf(instance, {
    action: 'update',
    reason: reason('settings-differ'),
    before: record.applied,
    fields,
    evidence,
  })
  return [...planned, { change, work: { do: 'record', put: withSettings(instance, record) } }]
}

const settingChanges = (
  { onRemove, protect = false }: RecordedResource,
  entry: Pick<Entry, 'onRemove' | 'protect'>,
): readonly FieldChange[] => {
  if (onRemove === entry.onRemove && protect === entry.protect) return NONE
  return [
    ...(onRemove === entry.onRemove ? [] : [{ path: 'onRemove', before: onRemove, after: entry.onRemove }]),
    ...(protect === entry.protect ? [] : [{ path: 'protect', before: protect, after: entry.protect }]),
  ]
}
const NONE: readonly FieldChange[] = []

/** A write records them with what it writes; what needs no write is recorded again. */
const carrying = (
  { change, work }: PlannedChange,
  fields: readonly FieldChange[],
  instance: Instance,
  record: RecordedResource,
): PlannedChange => {
  const shown = { ...change, fields: [...change.fields, ...fields] }
  if (work.do !== 'keep') return { change: shown, work }
  const put = work.put ?? withSettings(instance, record)
  // It stays unverified, though it is counted as a change.
  const notes = change.evidence.level === 'read' ? change.notes : [change.reason, ...(change.notes ?? [])]
  return {
    change: {
      ...shown,
      action: 'update',
      reason: reason('settings-differ'),
      ...(notes === undefined ? {} : { notes }),
    },
    work: { do: 'record', put },
  }
}
