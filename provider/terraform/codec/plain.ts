import type { Values } from '../../core/index.ts'

/**
 * A Terraform object by the definition's names: its known values, and the paths of those that are not known yet
 * (`select.eventTypeName`, `roles.0.orgId`). Null values are left out, but an element of a list or a map is null.
 */
export interface Plain {
  readonly values: Values
  readonly unknown: ReadonlySet<string>
}

export const known = (values: Values): Plain => ({ values, unknown: new Set() })

/** Whether a value is set, known or not. */
export const isGiven = ({ values, unknown }: Plain, key: string): boolean =>
  values[key] !== undefined || unknown.has(key)

/** Whether a value is known, including everything within it; a value that is not set counts as known. */
export const isKnown = ({ unknown }: Plain, key: string): boolean =>
  ![...unknown].some((path) => isWithin(path, key))

/** With other values; undefined removes one. */
export const withValues = ({ values, unknown }: Plain, more: Values): Plain => ({
  values: { ...values, ...more },
  unknown: new Set([...unknown].filter((path) => !Object.keys(more).some((key) => isWithin(path, key)))),
})

export const withUnknown = (plain: Plain, keys: readonly string[]): Plain => {
  const { values, unknown } = withValues(plain, Object.fromEntries(keys.map((key) => [key, undefined])))
  return { values, unknown: new Set([...unknown, ...keys]) }
}

export const isWithin = (path: string, key: string): boolean => path === key || path.startsWith(`${key}.`)
