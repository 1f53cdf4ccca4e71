import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { Place } from '../../core/field.ts'
import type { Identity } from '../../core/values.ts'
import { declaredIdentity, scopeKey } from './identity.ts'
import type { Declaration } from './model.ts'

/** Ids of the places that a declaration names. */
export type Places = Readonly<Record<Place, ReadonlySet<string>>>

/** Places that have names, places that entries are in, and organizations that the declaration tells. */
export const placesIn = (
  definitions: readonly KindDefinition[],
  { entries, projectNames, organizations, orgIds }: Declaration,
): Places => {
  const places = {
    project: new Set([...projectNames.keys(), ...organizations.keys()]),
    organization: new Set([...organizations.values(), ...orgIds].filter((id) => id !== '')),
  }
  for (const { kind, values } of entries) {
    const definition = definitionOf(definitions, kind)
    for (const name of definition?.identity.scope ?? []) {
      const [place, id] = [placeNamedIn(definition, name), values[name]]
      if (place !== undefined && typeof id === 'string') places[place].add(id)
    }
  }
  return places
}

const placeNamedIn = (definition: KindDefinition | undefined, name: string): Place | undefined => {
  const type = definition?.fields[name]?.type
  return type?.is === 'id' ? type.place : undefined
}

/** The scopes of a kind's things within these places. For a kind that is nested deeper, only entries tell. */
export const scopesOf = (
  definition: KindDefinition,
  places: Places,
  { entries }: Pick<Declaration, 'entries'>,
): Identity[] => {
  const [name = '', ...deeper] = definition.identity.scope
  const place = placeNamedIn(definition, name)
  const own = entries
    .filter(({ kind }) => kind === definition.kind)
    .map(({ values }) => declaredIdentity(definition, values))
  const whole =
    place === undefined || deeper.length > 0 ? [] : [...places[place]].map((id) => ({ [name]: id }))
  return [...new Map([...whole, ...own].map((scope) => [scopeKey(definition, scope), scope])).values()]
}
