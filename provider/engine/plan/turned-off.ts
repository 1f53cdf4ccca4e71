import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { valuesOf } from '../values/compare.ts'
import type { Change, FieldChange } from '../values/model.ts'
import type { PlannedChange } from './work.ts'

/** Marks changes that switch off something that is on, as far as that is known. */
export const withTurnedOff = (
  planned: readonly PlannedChange[],
  definitions: readonly KindDefinition[],
): PlannedChange[] =>
  planned.map((each) =>
    isTurnedOff(each.change, definitions) ? { ...each, change: { ...each.change, turnsOff: true } } : each,
  )

const isTurnedOff = ({ kind, fields }: Change, definitions: readonly KindDefinition[]): boolean => {
  const definition = definitionOf(definitions, kind)
  return definition !== undefined && turnsOff(definition, fields)
}

/** Whether these field changes switch the thing off. */
export const turnsOff = (
  { adoption: { isOff } }: KindDefinition,
  fields: readonly FieldChange[],
): boolean => {
  if (fields.length === 0) return false
  const known = fields.filter(({ before }) => before !== null && before !== undefined)
  return isOff(valuesOf(known, 'after')) && !isOff(valuesOf(known, 'before'))
}
