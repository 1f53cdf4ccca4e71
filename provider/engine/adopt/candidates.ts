import { elementKey } from '../../core/check/index.ts'
import type { KindDefinition } from '../../core/definition.ts'
import type { Identity, Values } from '../../core/values.ts'
import { isDeclarable } from './declarable.ts'

/** A thing that nobody declares, as its kind's words see it. */
export interface Free {
  readonly key: string
  readonly live: Values
  /** What an entry declares of it besides which thing it is. */
  readonly declared: Values
}

/** A place with all that is there, and what of it nobody declares, by its key. */
export interface Spot {
  readonly place: Identity
  readonly all: readonly Values[]
  readonly free: ReadonlyMap<string, Free>
}

/** A selector, with what an entry of it declares. */
export interface SelectorCandidate {
  readonly selector: Values
  readonly declared: Values
  /** How narrow it is. */
  readonly level: number
  readonly isOff: boolean
  /** What it matches where something is as it declares. */
  readonly matches: ReadonlyMap<Spot, Match>
}

/** What a selector matches in a place: what is as its entry declares, and what needs an entry by its id. */
export interface Match {
  readonly alike: readonly Free[]
  readonly unlike: readonly Free[]
}

/** Every selector for something that is free, each with all that it matches. */
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

/** What a selector matches in a place; nothing if it cannot be declared, or matches what is not free. */
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
