import type { KindDefinition } from '../../core/index.ts'
import { standingOf, type RecordedResource, type Run, type Standing } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import { recordFrom } from './entry.ts'

/** The standing of a resource by its record, or by its attributes alone if it was not written yet. */
export const standingIn = (
  definition: KindDefinition,
  { values }: Plain,
  record: RecordedResource | undefined,
  run: Run,
): Standing => standingOf(definition, record ?? recordFrom(definition, values, run.now.toISOString()), run)
