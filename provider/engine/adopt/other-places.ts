import type { KindDefinition } from '../../core/definition.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { Spot } from './candidates.ts'

/** A place that is not declared by an entry, with what the entry would stand for there. */
export interface OtherPlace {
  readonly place: Identity
  /** How many things it would stand for. */
  readonly found: number
  readonly off: number
  /** Whether some of them are declared already, or known. */
  readonly isKnown: boolean
}

/** What an entry's values would stand for in places that it does not declare. */
export const inOtherPlaces = (
  definition: KindDefinition,
  values: Values,
  spots: readonly Spot[],
): readonly OtherPlace[] =>
  spots.map((spot): OtherPlace => {
    const there = meantBy(definition, values, spot)
    return {
      place: spot.place,
      found: there.length,
      off: there.filter((live) => definition.adoption.isOff(live)).length,
      isKnown: there.some((live) => !spot.free.has(String(live[definition.identity.key]))),
    }
  })

const meantBy = (
  { expand, identity: { key, declaredAs } }: KindDefinition,
  values: Values,
  { all }: Spot,
): readonly Values[] => {
  const by = expand.members?.by
  if (by === undefined || values[by] === undefined)
    return all.filter((live) => live[key] === values[declaredAs])
  const instances = expand.instances({ values, live: all, recorded: [], now: new Date(0) })
  const keys = new Set(instances.flatMap((each) => (each.is === 'instance' ? (each.key ?? []) : [])))
  return all.filter((live) => keys.has(String(live[key])))
}
