import type { FieldType } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import type { ValueOptions } from '../../text/values.ts'

/** How a field's values are shown: of which kind it is, its definition says what they are. */
export interface FieldOptions extends ValueOptions {
  /** None of what no definition knows. */
  readonly kind: string | undefined
}

/** The options for the values of one field. */
export const ofField = ({ kind, ...options }: FieldOptions, path: string): ValueOptions => ({
  ...options,
  type: fieldType(kind, path),
})

/** Whether a value that looks like an instant is one, as far as the type of its field tells. */
export const mayBeInstant = (kind: string | undefined, path: string): boolean => {
  const type = fieldType(kind, path)
  return type === undefined || type.is === 'instant'
}

/** What a field's values are; nothing where no definition tells. */
const fieldType = (kind: string | undefined, path: string): FieldType | undefined => {
  const fields = fieldsOfKind(kind)
  if (fields === undefined) return undefined
  return path
    .replaceAll(/\[[^\]]*\]/g, '')
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
