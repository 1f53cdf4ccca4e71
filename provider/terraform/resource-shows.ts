import { camelToSnake, type KindDefinition } from '../core/index.ts'
import type { Run } from '../engine/index.ts'
import { addressOf } from './resource-entry.ts'
import { toAttribute } from './values.ts'
import { UNKNOWN, type TerraformValue, type TerraformObject } from './wire/value.ts'

/** Whether the resource stands for several things (a selector, an only-list) and not for one. */
export const standsForSeveral = (definition: KindDefinition, object: TerraformObject): boolean =>
  definition.expand.shows !== undefined && (object[camelToSnake(definition.identity.key)] ?? null) === null

/** The computed map of what a resource stands for, from what was read; nothing where it stands for one thing. */
export const shownIn = (
  definition: KindDefinition,
  state: TerraformObject,
  { observed, declaration, now }: Run,
): Record<string, TerraformValue> | undefined => {
  const { shows } = definition.expand
  const entry = declaration.entries[0]
  if (shows === undefined || entry === undefined || !standsForSeveral(definition, state)) return undefined
  const things = [...observed.things.values()].filter((thing) => thing !== 'missing')
  const live = things.map(({ raw, values }) => ({ ...raw, ...values }))
  const type = definition.fields[shows.field]?.type ?? { is: 'string' }
  const seeds = definition.expand.instances({ values: entry.values, live, recorded: [], now })
  const pairs = seeds.flatMap((seed) => {
    if (seed.is !== 'instance' || seed.key === undefined) return []
    const key = seed.key
    const thing = things.find(({ identity }) => identity[definition.identity.key] === key)
    return [
      [
        key,
        shows.then === 'gone'
          ? (definition.expand.ensures?.present ?? null)
          : toAttribute(type, thing?.values[shows.field]),
      ] as const,
    ]
  })
  return { [camelToSnake(shows.as)]: Object.fromEntries(pairs) }
}

/** What the map will be once the resource is applied. */
export const shownAfter = (
  definition: KindDefinition,
  prior: TerraformValue | undefined,
  planned: TerraformObject,
): TerraformValue => {
  const { shows } = definition.expand
  if (shows === undefined || !standsForSeveral(definition, planned)) return null
  if (prior === null || prior === undefined || prior === UNKNOWN) return UNKNOWN
  if (shows.then === 'gone') return {}
  const value = planned[camelToSnake(shows.field)] ?? null
  return Object.fromEntries(Object.keys(prior as TerraformObject).map((key) => [key, value]))
}

/** Addresses of the instances that a planned map names: an apply keeps to them. */
export const targetsOf = (
  definition: KindDefinition,
  planned: TerraformObject,
): ((address: string) => boolean) | undefined => {
  const { shows } = definition.expand
  const map = shows === undefined || shows.then === 'gone' ? undefined : planned[camelToSnake(shows.as)]
  if (map === undefined || map === null || map === UNKNOWN || !standsForSeveral(definition, planned))
    return undefined
  const base = addressOf(definition)
  const keys = new Set(Object.keys(map as TerraformObject).map((key) => `${base}[${key}]`))
  return (address) => address === base || keys.has(address)
}
