import type { Field } from '../../core/field.ts'
import { textOf, type Values } from '../../core/values.ts'

/** An element as a person reads it: the parts of an object in the order of its definition. */
export const plainly =
  (field: Field | undefined) =>
  (value: unknown): string => {
    const type = field?.type
    const of = type?.is === 'set' ? type.of : type
    if (of === undefined) return textOf(value)
    if (of.is !== 'object') return String(value)
    const parts = Object.keys(of.fields).map((name) => (value as Values)[name])
    return parts.flatMap((part) => (part === undefined ? [] : [textOf(part)])).join(' ')
  }
