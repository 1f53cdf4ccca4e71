import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { Fields } from '../../core/field.ts'
import { placeIdsIn } from '../../core/place-ids.ts'
import type { Declaration, RecordedResource } from '../values/model.ts'
import type { Values } from '../../core/values.ts'

/** The organizations whose events may be about a recorded thing: that of its place, or those that its values name. */
export const organizationsOf = (
  { fields, identity: { scope } }: KindDefinition,
  { identity, applied }: Pick<RecordedResource, 'identity' | 'applied'>,
  { orgIds, organizations }: Declaration,
): readonly string[] => {
  const named = namedIn(fields, { ...applied, ...identity }, organizations)
  if (scope.length === 0) return [...new Set([...orgIds, ...named])]
  return named.length === 0 ? orgIds : named
}

/** The organizations that values name. That of a project comes from the declaration. */
const namedIn = (
  fields: Fields,
  values: Values,
  organizations: Declaration['organizations'],
): readonly string[] =>
  placeIdsIn(fields, values).flatMap(({ place, id }) => {
    const named = place === 'organization' ? id : organizations.get(id)
    // A service may answer an empty id, which names no organization.
    return named === undefined || named === '' ? [] : [named]
  })

/** The organizations that a declaration names, and those of its projects. */
export const organizationsIn = ({ orgIds, organizations }: Declaration): string[] => [
  ...new Set([...orgIds, ...organizations.values()].filter((org) => org !== '')),
]

/** The wanted organizations, each from as early on as it is wanted for other records, too. */
export const asFarBackAs = (
  others: ReadonlyMap<string, number>,
  wanted: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> =>
  new Map([...wanted].map(([org, from]) => [org, Math.min(from, others.get(org) ?? from)]))

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
