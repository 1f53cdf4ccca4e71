import type { KindDefinition } from './definition.ts'
import type { Values } from './values.ts'

/** The field by which an entry's selector excludes what is added later; undefined if it does not. */
export const boundOf = ({ adoption, expand }: KindDefinition, values: Values): string | undefined => {
  const selector = values[expand.members?.by ?? ''] as Values | undefined
  const by = adoption.bound?.by
  return by !== undefined && selector?.[by] !== undefined ? by : undefined
}
