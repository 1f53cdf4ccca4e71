import type { KindDefinition } from '../../core/index.ts'
import { standingOf, type RecordedResource, type Run, type Standing } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import { fieldValues, importedRecord } from './entry.ts'

/** The standing of a resource by its record, or by its attributes alone if it was not written yet. */
export const standingIn = (
  definition: KindDefinition,
  { values }: Plain,
  record: RecordedResource | undefined,
  run: Run,
): Standing => standingOf(definition, record ?? unwritten(definition, values, run), run)

const unwritten = (definition: KindDefinition, values: Plain['values'], { now }: Run): RecordedResource => ({
  ...importedRecord(definition, values, now.toISOString()),
  applied: fieldValues(definition, values),
})
