import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** One way in which a value does not fit its schema; pointers are JSON pointers into the value. */
export type SchemaProblem =
  | { readonly kind: 'unknown' | 'missing'; readonly pointer: string; readonly field: string }
  | { readonly kind: 'enum'; readonly pointer: string; readonly allowed: readonly unknown[] }
  | { readonly kind: 'empty' | 'other'; readonly pointer: string; readonly message: string }

/**
 * The first problem of a value, unknown fields before others; undefined when it fits. The library stops after some
 * errors, so none of them may be passed over on the grounds that another says the same.
 */
export function findProblem(schema: TSchema, value: unknown): SchemaProblem | undefined {
  const errors = Value.Errors(schema, value)
  const unknownField = errors.find(({ keyword }) => keyword === 'boolean')
  if (unknownField) {
    const parts = unknownField.instancePath.split('/')
    const field = unescape(parts.pop() ?? '')
    return { kind: 'unknown', pointer: parts.join('/'), field }
  }
  const error = errors[0]
  if (!error) return undefined
  const { instancePath: pointer, message } = error
  switch (error.keyword) {
    case 'additionalProperties':
      return { kind: 'unknown', pointer, field: error.params.additionalProperties[0] ?? '' }
    case 'required':
      return { kind: 'missing', pointer, field: error.params.requiredProperties[0] ?? '' }
    case 'enum':
      return { kind: 'enum', pointer, allowed: error.params.allowedValues }
    case 'minProperties':
      return { kind: 'empty', pointer, message }
    default:
      return { kind: 'other', pointer, message }
  }
}

/** The names that a JSON pointer goes through. */
export function pointerParts(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescape)
}

function unescape(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
