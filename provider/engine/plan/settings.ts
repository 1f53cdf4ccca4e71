import type { Instance } from '../values/instance.ts'
import type { Entry, FieldChange, RecordedResource } from '../values/model.ts'
import { withSettings } from '../values/record.ts'
import { reason } from '../reason.ts'
import { changeOf, isOfIgnored } from './change.ts'
import type { PlannedChange } from './work.ts'

/**
 * Adds edited settings to the plan. Once the entry is gone, only the record says how to release the thing, so an
 * edit counts as a change although nothing is sent for it.
 */
export const withSettingsChanged = (
  instance: Instance,
  record: RecordedResource | undefined,
  planned: readonly PlannedChange[],
): readonly PlannedChange[] => {
  // Entries in force and things that must not exist are released without reading either setting.
  if (record === undefined || instance.sort !== 'present') return planned
  const fields = settingChanges(record, instance.entry)
  if (fields.length === 0) return planned
  const carrier = planned.find(({ change, work }) => work.do === 'write' || change.action === 'unchanged')
  if (carrier !== undefined)
    return planned.map((each) => (each === carrier ? carrying(each, fields, instance, record) : each))
  // A thing that is over, forgotten or created anew takes its record with it. A blocked one keeps its record.
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

/** A write records the settings together with its fields. Otherwise only the record is put again. */
const carrying = (
  { change, work }: PlannedChange,
  fields: readonly FieldChange[],
  instance: Instance,
  record: RecordedResource,
): PlannedChange => {
  const shown = { ...change, fields: [...change.fields, ...fields] }
  if (work.do !== 'keep') return { change: shown, work }
  const put = work.put ?? withSettings(instance, record)
  // The thing stays unverified, or differs in what is left to others, although it now counts as a change.
  const stays = change.evidence.level !== 'read' || isOfIgnored(change.reason)
  const notes = stays ? [change.reason, ...(change.notes ?? [])] : change.notes
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
