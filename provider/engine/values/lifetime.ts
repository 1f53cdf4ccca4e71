import type { KindDefinition } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'

/** Whether values describe something that is over at an instant. */
export const hasEnded = (
  { definition }: { readonly definition: KindDefinition },
  values: Values,
  now: Date,
): boolean => {
  const { lifetime } = definition
  return !isNone(lifetime) && parseInstant(String(values[lifetime.endsAt])) <= now.getTime()
}
