import type { KindDefinition } from '../../core/definition.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { Thing } from '../read/listed.ts'
import { check, elementKey, isAdvice } from '../../core/check/index.ts'
import { writableFields } from '../values/wire.ts'

/** An entry for what is there, without where it is and what it is called. */
export interface Proposal {
  readonly definition: KindDefinition
  /** What scopes it, such as its project. */
  readonly place: Identity
  /** What the entry declares. */
  readonly values: Values
  /** From the shortest to the most telling. */
  readonly names: readonly string[]
  readonly remarks: readonly string[]
  /** Keys of the things that it stands for. */
  readonly keys: readonly string[]
  readonly isOff: boolean
  /** An event about the one thing that it stands for, where there is something to remark. */
  readonly changed?: Changed
}

/** Who has done something to a thing: the one who has turned it off, or else the last one. */
export interface Changed {
  readonly event: Values
  readonly turnedOff: boolean
}

/** A place with all that its list showed, and what of it nobody declares. */
export interface Listed {
  readonly definition: KindDefinition
  readonly place: Identity
  readonly things: readonly Thing[]
  readonly isFree: (thing: Thing) => boolean
}

/** A thing that nobody declares, as its kind's words see it. */
interface Free {
  readonly key: string
  readonly live: Values
  /** What an entry declares of it besides which thing it is. */
  readonly declared: Values
}

/**
 * Entries for all that is free in a place: a selector where it stands for exactly such things that are to be declared
 * alike and are on, the broadest first, and an id for each other one. A selector stands for what is added later, too:
 * that one thing was switched off is no reason to switch off others.
 */
export const proposalsIn = ({ definition, place, things, isFree }: Listed): Proposal[] => {
  const all = things.map(({ raw, values }): Values => ({ ...raw, ...values }))
  const free = things.flatMap((thing): Free[] => (isFree(thing) ? [freeOf(definition, thing)] : []))
  const left = new Map(free.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((each) => [each.key, each]))
  const selected = selections(definition, all, left).map((each) => proposed(definition, place, each))
  const { declaredAs } = definition.identity
  const named = [...left.values()].map((each): Proposal => {
    const { names, about, remarks, isOff } = definition.adoption
    return {
      definition,
      place,
      values: { [declaredAs]: each.key, ...each.declared },
      names: names(each.live),
      remarks: [about(each.live), ...remarks(each.live)].filter((text) => text !== ''),
      isOff: isOff(each.live),
      keys: [each.key],
    }
  })
  return [...selected, ...named]
}

const freeOf = (definition: KindDefinition, { identity, raw, values }: Thing): Free => {
  const names = writableFields(definition).filter(
    (name) => values[name] !== undefined && values[name] !== definition.fields[name]?.default,
  )
  const declared = Object.fromEntries(names.map((name) => [name, values[name]]))
  return { key: identity[definition.identity.key] ?? '', live: { ...raw, ...values }, declared }
}

/** Whether a manifest takes these values: a type that is not known here cannot be named, whatever the service has. */
export const isDeclarable = ({ fields }: KindDefinition, values: Values): boolean =>
  Object.entries(values).every(([name, value]) => {
    const field = fields[name]
    return field !== undefined && check(field.type, value).every((problem) => isAdvice(problem))
  })

interface Selection {
  readonly selector: Values
  readonly things: readonly Free[]
}

/** Takes out of `left` what a selector stands for. */
const selections = (
  definition: KindDefinition,
  all: readonly Values[],
  left: Map<string, Free>,
): Selection[] => {
  const { adoption, expand } = definition
  const by = expand.members?.by
  if (by === undefined) return []
  const on = [...left.values()].filter(({ live }) => !adoption.isOff(live))
  const free = on.map((each) => ({ each, selectors: adoption.selectors(each.live) }))
  const deepest = Math.max(0, ...free.map(({ selectors }) => selectors.length))
  const tried = new Set<string>()
  const found: Selection[] = []
  for (let level = 0; level < deepest; level += 1)
    for (const { each, selectors } of free) {
      const selector = selectors[level]
      if (selector === undefined || !left.has(each.key) || tried.has(elementKey(selector))) continue
      if (!isDeclarable(definition, { [by]: selector })) continue
      tried.add(elementKey(selector))
      const things = matched(definition, { [by]: selector }, all, left)
      if (
        things === undefined ||
        things.some(({ declared }) => elementKey(declared) !== elementKey(each.declared))
      )
        continue
      for (const { key } of things) left.delete(key)
      found.push({ selector, things })
    }
  return found
}

/** What a selector stands for; nothing where it stands for something that is not left. */
const matched = (
  { expand }: KindDefinition,
  values: Values,
  live: readonly Values[],
  left: ReadonlyMap<string, Free>,
): Free[] | undefined => {
  const instances = expand.instances({ values, live, recorded: [], now: new Date(0) })
  const things = instances.map((each) => (each.is === 'instance' ? left.get(each.key ?? '') : undefined))
  const known = things.filter((thing) => thing !== undefined)
  return known.length === things.length && known.length > 0 ? known : undefined
}

const proposed = (definition: KindDefinition, place: Identity, { selector, things }: Selection): Proposal => {
  const { adoption, expand } = definition
  const [first] = things
  const remarks = things.map(({ live }) => adoption.remarks(live))
  // What holds for some of them is no remark on all.
  const common = (remarks[0] ?? []).filter((text) => remarks.every((each) => each.includes(text)))
  return {
    definition,
    place,
    values: { [expand.members?.by ?? '']: selector, ...first?.declared },
    names: adoption.names({ ...selector, ...first?.declared }),
    remarks: common,
    isOff: false,
    keys: things.map(({ key }) => key),
  }
}

const LONGEST = 60

/** A name as manifests take it. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '')

/**
 * Names, none of which is taken: for each the shortest one that no other could have, and a number behind the most
 * telling one where all are shared. The same things get the same names, in whatever order they are listed.
 */
export const namesOf = (
  wanted: readonly {
    readonly prefix: string
    readonly names: readonly string[]
    readonly otherwise: string
  }[],
  taken: Set<string>,
): string[] => {
  const candidates = wanted.map(({ prefix, names, otherwise }) => {
    const slugs = names.map(slugOf).filter((name) => name !== '')
    return (slugs.length === 0 ? [slugOf(otherwise)] : slugs).map((slug) =>
      prefix === '' ? slug : `${prefix.slice(0, LONGEST)}-${slug}`,
    )
  })
  const counts = new Map<string, number>()
  for (const each of candidates)
    for (const name of new Set(each)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return candidates.map((each) => {
    const own = each.find((name) => counts.get(name) === 1 && !taken.has(name))
    const longest = each.reduce((one, other) => (other.length > one.length ? other : one))
    const name = own ?? numbered(longest, taken)
    taken.add(name)
    return name
  })
}

const numbered = (name: string, taken: ReadonlySet<string>): string => {
  for (let count = 1; ; count += 1) {
    const made = count === 1 ? name : `${name}-${count}`
    if (!taken.has(made)) return made
  }
}
