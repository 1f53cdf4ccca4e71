import type { KindDefinition } from './definition.ts'
import type { Values } from './values.ts'

/** By which of its fields the selector of an entry stands for nothing that is added later; nothing if it does not. */
export const boundOf = ({ adoption, expand }: KindDefinition, values: Values): string | undefined => {
  const selector = values[expand.members?.by ?? ''] as Values | undefined
  const by = adoption.bound?.by
  return by !== undefined && selector?.[by] !== undefined ? by : undefined
}
