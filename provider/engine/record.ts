import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../core/values.ts'
import type { Instance } from './expand.ts'
import { formatInstant } from './compare.ts'
import type { RecordedResource } from './model.ts'

/** Desired values as they may be kept: no secret, and no reference to one. */
export const keepable = ({ definition, desired }: Pick<Instance, 'definition' | 'desired'>): Values =>
  Object.fromEntries(
    Object.entries(desired).filter(
      ([name, value]) => value !== undefined && definition.fields[name]?.type.is !== 'secret',
    ),
  )

/** The record of an instance that has just come under management, before any write. */
export const newRecord = (instance: Instance, { now }: { readonly now: Date }): RecordedResource => ({
  kind: instance.definition.kind,
  identity: instance.identity,
  applied: keepable(instance),
  answer: null,
  adopted: null,
  ...settingsOf(instance),
  lastWrite: null,
  watermark: formatInstant(now.getTime()),
})

/** What an entry says about its records, kept because it still counts when the entry is gone. */
export const settingsOf = ({ entry }: Instance): Pick<RecordedResource, 'onRemove' | 'protect'> => ({
  onRemove: entry.onRemove,
  ...(entry.protect ? { protect: true } : {}),
})

/** Whether the record says something else than the entry does now, apart from what was applied. */
export const isStale = (instance: Instance, record: RecordedResource): boolean =>
  record.onRemove !== instance.entry.onRemove ||
  (record.protect ?? false) !== instance.entry.protect ||
  !isDeepStrictEqual(record.applied, keepable(instance))
