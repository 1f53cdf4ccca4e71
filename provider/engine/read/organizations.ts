import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { FieldType } from '../../core/field.ts'
import { asArray } from '../values/compare.ts'
import type { Declaration, RecordedResource } from '../values/model.ts'
import type { Values } from '../../core/values.ts'

/** The organizations whose events may be about a recorded thing: that of its place, or those that its values name. */
export const organizationsOf = (
  { fields, identity: { scope } }: KindDefinition,
  { identity, applied }: Pick<RecordedResource, 'identity' | 'applied'>,
  { orgIds, organizations }: Declaration,
): readonly string[] => {
  const named = namedIn({ is: 'object', fields }, { ...applied, ...identity }, organizations)
  if (scope.length === 0) return [...new Set([...orgIds, ...named])]
  return named.length === 0 ? orgIds : named
}

/** The organizations that values name. That of a project comes from the declaration. */
const namedIn = (
  type: FieldType,
  value: unknown,
  organizations: Declaration['organizations'],
): readonly string[] => {
  if (type.is === 'id' && type.place !== undefined && typeof value === 'string') {
    const named = type.place === 'organization' ? value : organizations.get(value)
    // A service may answer an empty id, which names no organization.
    return named === undefined || named === '' ? [] : [named]
  }
  if (type.is === 'set' || type.is === 'list')
    return asArray(value).flatMap((item) => namedIn(type.of, item, organizations))
  if (type.is !== 'object' || typeof value !== 'object' || value === null) return []
  return Object.entries(type.fields).flatMap(([name, field]) =>
    namedIn(field.type, (value as Values)[name], organizations),
  )
}

/** The organizations that a declaration names, and those of its projects. */
export const organizationsIn = ({ orgIds, organizations }: Declaration): string[] => [
  ...new Set([...orgIds, ...organizations.values()].filter((org) => org !== '')),
]

type Placed = Pick<RecordedResource, 'kind' | 'identity' | 'applied'>

/**
 * For each organization, from when on its events matter to the given records, each of which comes with its own
 * instant.
 */
export const eventsWanted = (
  definitions: readonly KindDefinition[],
  records: readonly (readonly [record: Placed, from: number])[],
  declaration: Declaration,
): Map<string, number> => {
  const since = new Map<string, number>()
  for (const [record, from] of records) {
    const definition = definitionOf(definitions, record.kind)
    for (const id of definition === undefined ? [] : organizationsOf(definition, record, declaration))
      since.set(id, Math.min(since.get(id) ?? Number.POSITIVE_INFINITY, from))
  }
  return since
}
