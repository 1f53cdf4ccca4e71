import type { Values } from '../../core/index.ts'

/**
 * An object of Terraform's by the definition's names: what is known of it, and the paths of what is not known
 * yet (`select.eventTypeName`, `roles.0.orgId`). What is null is left out; an element of a list or a map is null.
 */
export interface Plain {
  readonly values: Values
  readonly unknown: ReadonlySet<string>
}

export const known = (values: Values): Plain => ({ values, unknown: new Set() })

/** Whether something stands there, known or not. */
export const isGiven = ({ values, unknown }: Plain, key: string): boolean =>
  values[key] !== undefined || unknown.has(key)

/** Whether it is known, with all that is within it; what is not given is known not to be. */
export const isKnown = ({ unknown }: Plain, key: string): boolean =>
  ![...unknown].some((path) => isWithin(path, key))

/** With other values; undefined takes one away. */
export const withValues = ({ values, unknown }: Plain, more: Values): Plain => ({
  values: { ...values, ...more },
  unknown: new Set([...unknown].filter((path) => !Object.keys(more).some((key) => isWithin(path, key)))),
})

export const withUnknown = (plain: Plain, keys: readonly string[]): Plain => {
  const { values, unknown } = withValues(plain, Object.fromEntries(keys.map((key) => [key, undefined])))
  return { values, unknown: new Set([...unknown, ...keys]) }
}

export const isWithin = (path: string, key: string): boolean => path === key || path.startsWith(`${key}.`)
