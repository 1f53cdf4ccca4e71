import { isReadable, type KindDefinition } from '../../core/definition.ts'
import type { Values } from '../../core/values.ts'
import { same } from '../values/compare.ts'
import type { EvidenceLevel, RecordedResource } from '../values/model.ts'
import { type Standing } from './standing.ts'
import { unshownIn, writableIn } from '../values/wire.ts'

/** Whether a kept value of a field is the one last written, with no leftover of what was removed. */
export const isAsWritten = (
  { fields }: KindDefinition,
  { applied, leftover }: RecordedResource,
  name: string,
  value: unknown,
): boolean => leftover?.[name] === undefined && same(fields[name], value, applied[name])

const areAsWritten = (definition: KindDefinition, record: RecordedResource, kept: Values): boolean =>
  writableIn(definition, kept).every((name) => isAsWritten(definition, record, name, kept[name]))

/**
 * How well the kept values of a thing are known. A thing that is over takes no writes, so its values may never have
 * been sent.
 */
export const evidenceOfKept = (
  { definition, record, evidence, isOver }: Standing,
  kept: Values,
): EvidenceLevel => (isOver && !areAsWritten(definition, record, kept) ? 'unknown' : evidence.level)

/** The same right after a write, by the record alone, because readings are from before the write. */
export const evidenceAfterWrite = (
  definition: KindDefinition,
  record: RecordedResource | undefined,
  kept: Values = {},
): EvidenceLevel => {
  if (record?.unsure !== undefined) return 'unknown'
  if (isReadable(definition))
    return unshownIn(definition, record?.applied ?? {}, record?.answer ?? {}).length > 0 ? 'recorded' : 'read'
  if (record === undefined || record.lastWrite === null) return 'unknown'
  return areAsWritten(definition, record, kept) ? 'recorded' : 'unknown'
}
