import { check, isAdvice } from '../../core/check/index.ts'
import type { KindDefinition } from '../../core/definition.ts'
import type { Values } from '../../core/values.ts'
import { writableFields } from '../values/wire.ts'

/**
 * Whether a manifest accepts these values. A type that this version does not know cannot be declared, even if the
 * service has it.
 */
export const isDeclarable = ({ fields }: KindDefinition, values: Values): boolean =>
  Object.entries(values).every(([name, value]) => {
    const field = fields[name]
    return field !== undefined && check(field.type, value).every((problem) => isAdvice(problem))
  })

/** The fields that an entry needs and that what was read does not show. */
export const unshownNeeds = (definition: KindDefinition, shown: Values): readonly string[] =>
  writableFields(definition).filter(
    (name) => definition.fields[name]?.need === 'always' && shown[name] === undefined,
  )
