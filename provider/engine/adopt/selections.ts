import { check, elementKey, isAdvice } from '../../core/check/index.ts'
import type { KindDefinition } from '../../core/definition.ts'
import type { Identity, Values } from '../../core/values.ts'

/** A thing that nobody declares, as its kind's words see it. */
export interface Free {
  readonly key: string
  readonly live: Values
  /** What an entry declares of it besides which thing it is. */
  readonly declared: Values
}

/** A place with all that is there, and what of it has no entry yet, by its key. */
export interface Spot {
  readonly place: Identity
  readonly all: readonly Values[]
  readonly left: Map<string, Free>
}

/** A selector that stands for exactly these things of a place. */
export interface Selection {
  readonly place: Identity
  readonly selector: Values
  readonly things: readonly Free[]
  readonly isOff: boolean
}

/** A selector with what it stands for in each place where that is to be declared alike. */
interface Candidate {
  readonly selector: Values
  /** How narrow it is. */
  readonly level: number
  readonly matches: Match[]
}
interface Match {
  readonly spot: Spot
  readonly things: readonly Free[]
}

/**
 * Selectors for what is left, and takes that out. What holds in the most places goes first, so that they have it in
 * common, and then what stands for the most things, the broadest first. What is off has one where that saves an entry.
 */
export const selections = (definition: KindDefinition, spots: readonly Spot[], now: Date): Selection[] => {
  const { bound } = definition.adoption
  const before = bound === undefined ? undefined : latestIn(spots, bound.made, now)
  return [
    ...chosen(candidatesIn(definition, spots, { isOff: false, more: {} }), 1).map((each) => ({
      ...each,
      isOff: false,
    })),
    ...(bound === undefined || before === undefined
      ? []
      : chosen(candidatesIn(definition, spots, { isOff: true, more: { [bound.by]: before } }), 2).map(
          (each) => ({ ...each, isOff: true }),
        )),
  ]
}

const chosen = (
  candidates: readonly Candidate[],
  leastThings: number,
): Pick<Selection, 'place' | 'selector' | 'things'>[] => {
  const found: Pick<Selection, 'place' | 'selector' | 'things'>[] = []
  for (;;) {
    const [best] = candidates
      .map(({ matches, ...each }) => ({ ...each, matches: matches.filter(isLeft) }))
      .map((each) => ({ ...each, count: each.matches.reduce((sum, { things }) => sum + things.length, 0) }))
      .filter(({ count }) => count >= leastThings)
      .toSorted((a, b) => b.matches.length - a.matches.length || b.count - a.count || a.level - b.level)
    if (best === undefined) return found
    for (const { spot, things } of best.matches) {
      for (const { key } of things) spot.left.delete(key)
      found.push({ place: spot.place, selector: best.selector, things })
    }
  }
}

const isLeft = ({ spot, things }: Match): boolean => things.every(({ key }) => spot.left.has(key))

const candidatesIn = (
  definition: KindDefinition,
  spots: readonly Spot[],
  { isOff, more }: { readonly isOff: boolean; readonly more: Values },
): Candidate[] => {
  const { adoption, expand } = definition
  const by = expand.members?.by
  if (by === undefined) return []
  const found = new Map<string, Candidate>()
  for (const spot of spots) {
    const tried = new Set<string>()
    for (const { live } of spot.left.values()) {
      if (adoption.isOff(live) !== isOff) continue
      for (const [level, selects] of adoption.selectors(live).entries()) {
        const selector = { ...selects, ...more }
        const key = elementKey(selector)
        if (tried.has(key)) continue
        tried.add(key)
        const values = { [by]: selector }
        const things = isDeclarable(definition, values) ? matched(definition, values, spot) : undefined
        if (things === undefined) continue
        const same = `${key} ${elementKey(things[0]?.declared)}`
        const candidate = found.get(same) ?? { selector, level, matches: [] }
        candidate.matches.push({ spot, things })
        found.set(same, candidate)
      }
    }
  }
  return [...found.values()]
}

/** What a selector stands for; nothing where something of it is not left, or is to be declared in another way. */
const matched = ({ expand }: KindDefinition, values: Values, { all, left }: Spot): Free[] | undefined => {
  const instances = expand.instances({ values, live: all, recorded: [], now: new Date(0) })
  const things = instances.flatMap((each) => (each.is === 'instance' ? (left.get(each.key ?? '') ?? []) : []))
  const [first] = things
  const isAlike = things.every(({ declared }) => elementKey(declared) === elementKey(first?.declared))
  return first !== undefined && things.length === instances.length && isAlike ? things : undefined
}

/** Whether a manifest takes these values: a type that is not known here cannot be named, whatever the service has. */
export const isDeclarable = ({ fields }: KindDefinition, values: Values): boolean =>
  Object.entries(values).every(([name, value]) => {
    const field = fields[name]
    return field !== undefined && check(field.type, value).every((problem) => isAdvice(problem))
  })

const SECOND = 1000
const DAY = 86_400_000

/** An instant by which all that is there was made: the end of its last day, or of its last second. */
const latestIn = (spots: readonly Spot[], made: string, now: Date): string | undefined => {
  let latest = Number.NEGATIVE_INFINITY
  for (const { all } of spots)
    for (const live of all) latest = Math.max(latest, Date.parse(String(live[made])) || latest)
  if (!Number.isFinite(latest)) return undefined
  const endOf = (unit: number): number => (Math.floor(latest / unit) + 1) * unit
  const end = endOf(DAY) <= now.getTime() ? endOf(DAY) : endOf(SECOND)
  return new Date(end).toISOString().replace('.000Z', 'Z')
}
