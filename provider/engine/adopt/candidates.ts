import { elementKey } from '../../core/check/index.ts'
import type { KindDefinition } from '../../core/definition.ts'
import type { Identity, Values } from '../../core/values.ts'
import { isDeclarable } from './declarable.ts'

/** A thing that nobody declares, in the form that its kind's functions take. */
export interface Free {
  readonly key: string
  readonly live: Values
  /** What an entry declares of the thing besides its identity. */
  readonly declared: Values
}

/** A place with all things in it, and by key those that nobody declares. */
export interface Spot {
  readonly place: Identity
  readonly all: readonly Values[]
  readonly free: ReadonlyMap<string, Free>
}

/** A selector, with what its entry would declare. */
export interface SelectorCandidate {
  readonly selector: Values
  readonly declared: Values
  /** How narrow the selector is; 0 is the broadest. */
  readonly level: number
  readonly isOff: boolean
  /** Its matches in each place. */
  readonly matches: ReadonlyMap<Spot, Match>
}

/**
 * The things that a selector matches in a place: those that are as its entry declares, and those that need an entry
 * by id.
 */
export interface Match {
  readonly alike: readonly Free[]
  readonly unlike: readonly Free[]
}

/** Every selector for a free thing, with all its matches. */
export const candidatesIn = (
  definition: KindDefinition,
  spots: readonly Spot[],
  { isOff, more }: { readonly isOff: boolean; readonly more: Values },
): SelectorCandidate[] => {
  const found = new Map<string, SelectorCandidate & { readonly matches: Map<Spot, Match> }>()
  for (const spot of spots) {
    const tried = new Set<string>()
    for (const { live, declared } of spot.free.values()) {
      if (definition.adoption.isOff(live) !== isOff) continue
      for (const [level, selects] of definition.adoption.selectors(live).entries()) {
        const selector = { ...selects, ...more }
        const key = `${elementKey(selector)} ${elementKey(declared)}`
        if (tried.has(key)) continue
        tried.add(key)
        const known = found.get(key)
        const candidate = known ?? { selector, declared, level, isOff, matches: new Map<Spot, Match>() }
        const match = matchedIn(definition, candidate, spot)
        if (match === undefined) continue
        candidate.matches.set(spot, match)
        found.set(key, candidate)
      }
    }
  }
  return [...found.values()]
}

/** What a selector matches in a place; undefined if it cannot be declared, or matches things that are not free. */
const matchedIn = (
  definition: KindDefinition,
  { selector, declared }: Pick<SelectorCandidate, 'selector' | 'declared'>,
  { all, free }: Spot,
): Match | undefined => {
  const { expand } = definition
  const by = expand.members?.by
  if (by === undefined) return undefined
  const values = { [by]: selector }
  if (!isDeclarable(definition, values)) return undefined
  const instances = expand.instances({ values, live: all, recorded: [], now: new Date(0) })
  const things = instances.flatMap((each) => (each.is === 'instance' ? (free.get(each.key ?? '') ?? []) : []))
  if (things.length < instances.length || things.length === 0) return undefined
  const same = elementKey(declared)
  const isAlike = (each: Free): boolean => elementKey(each.declared) === same
  return { alike: things.filter(isAlike), unlike: things.filter((each) => !isAlike(each)) }
}
