import { isNone, type KindDefinition, type Members, type Values } from '../../core/index.ts'
import {
  declaredIdentity,
  instanceAddress,
  standsFor,
  targetOfThese,
  thingIn,
  type Records,
  type Run,
  type Target,
} from '../../engine/index.ts'
import { isGiven, isKnown, withUnknown, withValues, type Plain } from '../codec/plain.ts'
import { addressOf } from './entry.ts'

/** The definition's members, if the resource stands for several things and not for one. */
export const membersOf = ({ expand: { members } }: KindDefinition, object: Plain): Members | undefined =>
  members !== undefined && isGiven(object, members.by) ? members : undefined

/** The computed map of the things that a resource stands for, by key. */
export const mapIn = ({ map }: Members, { values }: Plain): Values => (values[map] ?? {}) as Values

/**
 * The things that a resource stands for now, from what was read; undefined if it stands for one thing.
 *
 * @param known by key, what is known of those whose value is not shown
 */
export const membersFound = (
  definition: KindDefinition,
  state: Plain,
  run: Run,
  known: Values = {},
): Values | undefined => {
  const members = membersOf(definition, state)
  const [entry] = run.declaration.entries
  if (members === undefined || entry === undefined) return undefined
  const { expand, identity } = definition
  const place = declaredIdentity(definition, entry.values)
  const keys = standsFor(definition, entry.values, place, run).flatMap((each) =>
    each.is === 'instance' && each.key !== undefined ? [each.key] : [],
  )
  if (members.are === 'deleted')
    return Object.fromEntries(
      keys.filter((key) => canGo(definition, key)).map((key) => [key, expand.ensures?.present ?? null]),
    )
  const valueOf = (key: string): unknown => {
    const thing = thingIn(run.observed, definition, { ...place, [identity.key]: key })
    return typeof thing === 'object' ? (thing.values[members.field] ?? known[key] ?? null) : null
  }
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)]))
}

/** Whether the API can delete it. Otherwise it is not planned as gone; a warning says what a person does. */
const canGo = ({ absence }: KindDefinition, key: string): boolean =>
  !isNone(absence) && absence.deletable.includes(key)

/** Adds the map as it will be after the apply; `leaving` are keys that are to be released. */
export const withMembers = (
  definition: KindDefinition,
  prior: Plain | undefined,
  planned: Plain,
  leaving: readonly string[] = [],
): Plain => {
  const { map } = definition.expand.members ?? {}
  if (map === undefined) return planned
  const members = membersOf(definition, planned)
  if (members === undefined) return withValues(planned, { [map]: undefined })
  if (prior?.values[map] === undefined) return withUnknown(planned, [map])
  if (members.are === 'deleted') return withValues(planned, { [map]: {} })
  const value = planned.values[members.field]
  const staying = Object.entries(mapIn(members, prior)).filter(([key]) => !leaving.includes(key))
  // If nothing is declared (as under `ignore_changes`), each keeps its value.
  const after = withValues(planned, {
    [map]: Object.fromEntries(staying.map(([key, before]) => [key, value ?? before])),
  })
  if (isKnown(planned, members.field)) return after
  return { ...after, unknown: new Set([...after.unknown, ...staying.map(([key]) => `${map}.${key}`)]) }
}

/**
 * The addresses to which an apply is limited: the keys that the plan showed, and what is recorded. There is no limit
 * if the plan could not show any keys yet.
 */
export const targetsOf = (
  definition: KindDefinition,
  prior: Plain | null,
  planned: Plain,
  records: Records,
): Target | undefined => {
  const keys = shownKeys(definition, prior, planned)
  if (keys === undefined) return undefined
  return targetOfThese(
    new Set([
      addressOf(definition),
      ...keys.map((key) => instanceAddress(addressOf(definition), key)),
      ...Object.keys(records),
    ]),
  )
}

const shownKeys = (
  definition: KindDefinition,
  prior: Plain | null,
  planned: Plain,
): readonly string[] | undefined => {
  const members = membersOf(definition, planned)
  if (members === undefined) return undefined
  // What an apply deletes or releases is in the prior map, and no longer in the planned one, which has no other keys.
  const before = prior === null ? [] : Object.keys(mapIn(members, prior))
  if (planned.values[members.map] !== undefined) return before
  // What another list forbids was forbidden before, or is taken out of the list: the rest came after the plan.
  return members.are === 'deleted' && prior !== null && isGiven(prior, members.map)
    ? [...before, ...((prior.values[members.by] ?? []) as readonly string[])]
    : undefined
}
