import { isObject, type Field, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import type { Checked } from './checked.ts'
import { organizationIn } from '../evaluation/inherited.ts'

/** The organization that a manifest declares for everything, as a value. */
export const organizationSaid = ({ root, value, evaluator }: Checked): unknown =>
  organizationIn({ root, valueAt: evaluator.valueAt })?.path.reduce<unknown>(
    (at, step) => (isObject(at) ? at[String(step)] : undefined),
    value,
  )

/**
 * The values of a manifest in which that organization is added to elements that declare none, such as organization
 * roles.
 */
export const withOrganization = (checked: Checked): unknown => {
  const orgId = organizationSaid(checked)
  if (orgId === undefined || !isObject(checked.value)) return checked.value
  const sections = checked.kinds.flatMap((kind): [string, unknown][] => {
    const section = (checked.value as Values)[kind.section]
    const fields = Object.entries(kind.fields).filter(([, field]) => impliedIn(field).length > 0)
    return fields.length === 0
      ? []
      : [[kind.section, withIn(section, (entry) => filled(entry, fields, orgId))]]
  })
  return { ...checked.value, ...Object.fromEntries(sections) }
}

const withIn = (value: unknown, change: (item: Values) => unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, isObject(item) ? change(item) : item]),
      )
    : value

const filled = (entry: Values, fields: readonly (readonly [string, Field])[], orgId: unknown): Values => ({
  ...entry,
  ...Object.fromEntries(
    fields.flatMap(([name, field]): [string, unknown][] => {
      const elements = entry[name]
      if (!Array.isArray(elements)) return []
      const implied = impliedIn(field)
      const each = (element: unknown): unknown => {
        if (!isObject(element)) return element
        const left = implied.filter(
          ([key, { impliedFor }]) => element[key] === undefined && impliedFor?.(element),
        )
        return { ...element, ...Object.fromEntries(left.map(([key]) => [key, orgId])) }
      }
      return [[name, elements.map(each)]]
    }),
  ),
})

/** The fields of its elements that can be implied. */
const impliedIn = ({ type }: KindDefinition['fields'][string]): [string, Field][] =>
  (type.is === 'set' || type.is === 'list') && type.of.is === 'object'
    ? Object.entries(type.of.fields).filter(([, { impliedFor }]) => impliedFor !== undefined)
    : []
