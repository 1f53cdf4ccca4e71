import { camelToSnake, isNone, type Field, type KindDefinition } from '@deploymgmt/provider/core'

/** Fields of a kind by their attributes' names; what goes by the clock is no attribute. */
export const attributesOf = (kind: KindDefinition): ReadonlyMap<string, { name: string; field: Field }> =>
  new Map(
    Object.entries(kind.fields)
      .filter(([name]) => name !== kind.expand.instead?.field)
      .map(([name, field]) => [camelToSnake(name), { name, field }]),
  )

/** Attributes that the provider tells, and that are known to Terraform alone. */
export const toldAttributes = (kind: KindDefinition): readonly string[] => [
  'id',
  'evidence',
  ...(kind.observe.how === 'everything' ? ['present'] : []),
  ...(isNone(kind.lifetime) ? [] : ['ended']),
  ...(kind.expand.shows === undefined ? [] : [camelToSnake(kind.expand.shows.as)]),
]
