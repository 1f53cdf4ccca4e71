import { definitionOf, type FieldType } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { instantOf } from '../../text/instants.ts'
import type { ValueOptions } from '../../text/values.ts'
import type { ReportedChange } from './plan-model.ts'

/** How a field's values are shown: the definition of the kind determines their type. */
export interface FieldOptions extends ValueOptions {
  /** Undefined if no definition has the kind. */
  readonly kind: string | undefined
}

/** The options for the values of one field. */
export const ofField = ({ kind, ...options }: FieldOptions, path: string): ValueOptions => ({
  ...options,
  type: fieldType(kind, path),
  isExact: true,
})

/** Whether a value that looks like an instant is one, as far as the type of its field is known. */
export const mayBeInstant = (kind: string | undefined, path: string): boolean => {
  const type = fieldType(kind, path)
  return type === undefined || type.is === 'instant'
}

/** For the end of a period among the values of a change: its start. */
export const startOf = (
  path: string,
  { kind, after }: Pick<ReportedChange, 'kind' | 'after'>,
): number | undefined => {
  if (!/^end(?=[A-Z]|$)/.test(path)) return undefined
  const start = path.replace(/^end/, 'start')
  return mayBeInstant(kind, start) ? instantOf(after?.[start]) : undefined
}

/** The type of a field; undefined if no definition has it. */
const fieldType = (kind: string | undefined, path: string): FieldType | undefined => {
  const fields = fieldsOfKind(kind)
  if (fields === undefined) return undefined
  return path
    .replaceAll(/\[[^[\]]*\]/g, '')
    .split('.')
    .reduce<FieldType | undefined>(
      (type, name) => {
        const inner = type?.is === 'set' || type?.is === 'list' ? type.of : type
        return inner?.is === 'object' ? inner.fields[name]?.type : undefined
      },
      { is: 'object', fields },
    )
}

export const fieldsOfKind = (name: string | undefined) => kinds.find(({ kind }) => kind === name)?.fields

/**
 * Where there is no room for all fields, the first are those that a reviewer decides about: what only a creation sets,
 * and the place of a new thing, come last.
 */
export const decidedFirst = <T extends { readonly path: string; readonly before?: unknown }>(
  fields: readonly T[],
  kind: string,
): T[] => {
  const definition = definitionOf(kinds, kind)
  const isLast = ({ path, before = null }: T): boolean =>
    definition?.fields[path]?.change === 'create-only' ||
    (before === null && definition?.identity.scope.includes(path) === true)
  return fields.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
}
