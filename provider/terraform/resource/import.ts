import { camelToSnake, importFormat, type Block, type KindDefinition } from '../../core/index.ts'
import { errorAt } from '../diagnostics.ts'
import { defaultRelease } from './entry.ts'
import { toAttribute } from '../codec/values.ts'
import type { Diagnostic } from '../wire/common-messages.ts'
import type { TerraformObject, TerraformValue } from '../wire/value.ts'

/** The state that an import begins with: what the id says, and nulls; the reading that follows fills in the rest. */
export const importResource = (
  definition: KindDefinition,
  { attributes }: Block,
  id: string,
): { readonly state: TerraformObject } | { readonly problem: Diagnostic } => {
  const names = [...definition.identity.scope, definition.identity.key]
  const parts = id.split('/')
  if (parts.length !== names.length || parts.some((part) => part === ''))
    return {
      problem: errorAt(
        undefined,
        `"${id}" is not an import id of this resource`,
        `It is ${importFormat(definition)}.`,
      ),
    }
  const told: Record<string, TerraformValue> = Object.fromEntries(
    names.map((name, index) => [camelToSnake(name), parts[index] ?? null]),
  )
  const key = parts.at(-1) ?? ''
  const own = {
    ...told,
    id: definition.identity.assigned === 'never' ? id : key,
    on_remove: defaultRelease(definition),
    evidence: 'unknown',
  }
  const defaults = attributes.map(({ name, field }): [string, TerraformValue] => [
    name,
    field === undefined ? null : toAttribute(field.type, field.default),
  ])
  return { state: { ...Object.fromEntries(defaults), ...own } }
}
