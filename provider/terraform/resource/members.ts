import { camelToSnake, isNone, type KindDefinition } from '../../core/index.ts'
import type { Records, Run } from '../../engine/index.ts'
import { addressOf } from './entry.ts'
import { toAttribute } from '../codec/values.ts'
import { UNKNOWN, type TerraformValue, type TerraformObject } from '../wire/value.ts'

/** Whether the resource stands for several things (a selector, an only-list) and not for one. */
export const standsForSeveral = (definition: KindDefinition, object: TerraformObject): boolean =>
  definition.expand.members !== undefined && (object[camelToSnake(definition.identity.key)] ?? null) === null

/** The computed map of what a resource stands for, from what was read; nothing where it stands for one thing. */
export const shownIn = (
  definition: KindDefinition,
  state: TerraformObject,
  { observed, declaration, now }: Run,
): Record<string, TerraformValue> | undefined => {
  const { members } = definition.expand
  const entry = declaration.entries[0]
  if (members === undefined || entry === undefined || !standsForSeveral(definition, state)) return undefined
  const things = [...observed.things.values()].filter((thing) => thing !== 'missing')
  const live = things.map(({ raw, values }) => ({ ...raw, ...values }))
  const type = definition.fields[members.field]?.type ?? { is: 'string' }
  const seeds = definition.expand.instances({ values: entry.values, live, recorded: [], now })
  const pairs = seeds.flatMap((seed) => {
    if (seed.is !== 'instance' || seed.key === undefined) return []
    const key = seed.key
    if (members.are === 'deleted' && !canGo(definition, key)) return []
    const thing = things.find(({ identity }) => identity[definition.identity.key] === key)
    return [
      [
        key,
        members.are === 'deleted'
          ? (definition.expand.ensures?.present ?? null)
          : toAttribute(type, thing?.values[members.field]),
      ] as const,
    ]
  })
  return { [camelToSnake(members.map)]: Object.fromEntries(pairs) }
}

/** What no call deletes is no promise of an apply; a warning says what is to be done. */
const canGo = ({ absence }: KindDefinition, key: string): boolean =>
  !isNone(absence) && absence.deletable.includes(key)

/** What the map will be once the resource is applied; `leaving` are keys that are to be released. */
export const shownAfter = (
  definition: KindDefinition,
  prior: TerraformValue | undefined,
  planned: TerraformObject,
  leaving: readonly string[] = [],
): TerraformValue => {
  const { members } = definition.expand
  if (members === undefined || !standsForSeveral(definition, planned)) return null
  if (prior === null || prior === undefined || prior === UNKNOWN) return UNKNOWN
  if (members.are === 'deleted') return {}
  const value = planned[camelToSnake(members.field)] ?? null
  const staying = Object.entries(prior as TerraformObject).filter(([key]) => !leaving.includes(key))
  // Where nothing is declared (as under `ignore_changes`), each keeps what it has.
  return Object.fromEntries(staying.map(([key, before]) => [key, value ?? before]))
}

/** The address of one of the things that a resource stands for. */
export const addressIn = (definition: KindDefinition, key: string): string =>
  `${addressOf(definition)}[${key}]`

/**
 * Addresses that an apply keeps to: what the plan showed by its keys, and what is recorded. Where the plan
 * could show nothing yet, it keeps to nothing.
 */
export const targetsOf = (
  definition: KindDefinition,
  prior: TerraformObject | null,
  planned: TerraformObject,
  records: Records,
): ((address: string) => boolean) | undefined => {
  const { members } = definition.expand
  const name = members === undefined ? '' : camelToSnake(members.map)
  const after = planned[name]
  if (after === undefined || after === null || after === UNKNOWN || !standsForSeveral(definition, planned))
    return undefined
  // What is gone once it is applied was shown by what stands before.
  const shown = members?.are === 'deleted' ? prior?.[name] : after
  const keys = Object.keys((shown ?? {}) as TerraformObject)
  const base = addressOf(definition)
  const targets = new Set([base, ...keys.map((key) => addressIn(definition, key)), ...Object.keys(records)])
  return (address) => targets.has(address)
}
