import type { KindDefinition } from '../../core/definition.ts'
import type { Judged } from './verdict.ts'
import { changesHolders, isHolder } from '../plan/guards.ts'
import { turnsOff } from '../plan/turned-off.ts'
import type { Drift, RecordedResource } from '../values/model.ts'

/** Marks, for each field and for the whole, what weighs more than other drift. */
export const weighed = (
  definition: KindDefinition,
  { identity, answer, applied }: RecordedResource,
  { verdict, fields }: Judged,
): Pick<Drift, 'fields' | 'owns' | 'turnsOff'> => {
  // If the whole thing is gone, no field tells what it held.
  if (fields.length === 0)
    return verdict === 'drifted' && isHolder(definition, identity, answer ?? applied)
      ? { fields, owns: true }
      : { fields }
  const told = fields.map((field) => ({
    ...field,
    ...(changesHolders(definition, identity, field) ? { owns: true as const } : {}),
    ...(turnsOff(definition, [field]) ? { turnsOff: true as const } : {}),
  }))
  return {
    fields: told,
    ...(told.some(({ owns }) => owns) ? { owns: true } : {}),
    ...(told.some((field) => field.turnsOff) ? { turnsOff: true } : {}),
  }
}
