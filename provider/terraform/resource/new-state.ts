import { camelToSnake, isNone, type KindDefinition, type Values } from '../../core/index.ts'
import { asArray, hasEnded, same, type RecordedResource, type Records } from '../../engine/index.ts'
import { addressOf } from './entry.ts'
import { standsForSeveral } from './members.ts'
import { toAttribute, toValues } from '../codec/values.ts'
import { UNKNOWN, type TerraformObject, type TerraformValue } from '../wire/value.ts'

interface Facts {
  readonly prior: TerraformObject | null
  readonly record: RecordedResource | undefined
  readonly now: Date
  /** It was looked for before the apply and is not there. */
  readonly missing: boolean
  /** The computed map of a resource that stands for several things. */
  readonly map: TerraformValue
}

/** The planned state with everything filled in that was not known before. */
export const finished = (
  definition: KindDefinition,
  planned: TerraformObject,
  facts: Facts,
): TerraformObject => {
  const { members } = definition.expand
  const mapName = members === undefined ? undefined : camelToSnake(members.map)
  const map = mapName === undefined || planned[mapName] !== UNKNOWN ? planned[mapName ?? ''] : facts.map
  const told: Record<string, TerraformValue> = {
    ...identityTold(definition, facts.record),
    evidence: saysOtherwise(definition, planned, facts.record)
      ? 'unknown'
      : evidenceAfter(definition, facts.record),
    present: !facts.missing && isPresent(definition, planned, map ?? null),
    ...endedAt(definition, facts.record?.applied ?? toValues(definition.fields, planned), facts.now),
    ...(mapName === undefined ? {} : { [mapName]: map ?? null }),
    id: idOf(definition, planned, facts.record),
  }
  return known(planned, told)
}

/** Terraform keeps what is configured, also where nothing could be sent of it. */
export const saysOtherwise = (
  definition: KindDefinition,
  object: TerraformObject,
  record: RecordedResource | undefined,
): boolean => {
  if (record === undefined || definition.observe.how === 'everything' || isNone(definition.write))
    return false
  return definition.write.fields.some((name) => {
    const value = object[camelToSnake(name)] ?? null
    return value !== null && !isSame(definition, name, value, record)
  })
}

/**
 * The state after a failure: what was reached, and else what stood before, so that the next plan shows the
 * rest. A field whose write may or may not have been done is null, and is written again.
 */
export const reached = (
  definition: KindDefinition,
  { prior, planned }: { readonly prior: TerraformObject | null; readonly planned: TerraformObject },
  records: Records,
): TerraformObject => {
  const record = records[addressOf(definition)]
  const writable = isNone(definition.write) ? [] : definition.write.fields
  const fields = writable.map((name): [string, TerraformValue] => {
    const attribute = camelToSnake(name)
    const before = prior?.[attribute] ?? null
    if (standsForSeveral(definition, planned)) return [attribute, planned[attribute] ?? null]
    if (record === undefined || record.unsure?.includes(name) === true) return [attribute, null]
    const isDone = isSame(definition, name, planned[attribute] ?? null, record)
    return [attribute, isDone ? (planned[attribute] ?? null) : withLeftover(definition, name, before, record)]
  })
  const { members } = definition.expand
  const truth = createdAs(definition, planned, record)
  const map: Record<string, TerraformValue> =
    members === undefined
      ? {}
      : { [camelToSnake(members.map)]: mapReached(definition, { prior, planned }, records) }
  const told: Record<string, TerraformValue> = {
    ...identityTold(definition, record),
    evidence: record?.unsure === undefined ? evidenceAfter(definition, record) : 'unknown',
    present: prior?.['present'] ?? true,
    ended: prior?.['ended'] ?? false,
    id: prior?.['id'] ?? idOf(definition, planned, record),
  }
  return known({ ...planned, ...Object.fromEntries(fields), ...truth, ...map }, told)
}

/** What only a creation sets is as an answer has shown it, whatever is declared: nothing was written of it. */
const createdAs = (
  { fields }: KindDefinition,
  planned: TerraformObject,
  record: RecordedResource | undefined,
): Record<string, TerraformValue> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const [attribute, shown] = [camelToSnake(name), record?.applied[name] ?? record?.answer?.[name]]
      const isOther = !same(field, toValues(fields, planned)[name], shown)
      return field.change === 'create-only' && shown !== undefined && planned[attribute] !== null && isOther
        ? [[attribute, toAttribute(field.type, shown)] as const]
        : []
    }),
  )

/** What was removed and is still there belongs to the state: the next plan shows it again. */
export const withLeftover = (
  { fields }: KindDefinition,
  name: string,
  value: TerraformValue,
  record: RecordedResource,
): TerraformValue => {
  const [field, left] = [fields[name], asArray(record.leftover?.[name])]
  if (field === undefined || left.length === 0) return value
  const all = [...asArray(record.applied[name]), ...left]
  return toAttribute(field.type, all)
}

const isSame = (
  { fields }: KindDefinition,
  name: string,
  value: TerraformValue,
  { applied, leftover }: RecordedResource,
): boolean => {
  const field = fields[name]
  return (
    field !== undefined &&
    leftover?.[name] === undefined &&
    same(field, toValues(fields, { [camelToSnake(name)]: value })[name], applied[name])
  )
}

const mapReached = (
  definition: KindDefinition,
  { prior, planned }: { readonly prior: TerraformObject | null; readonly planned: TerraformObject },
  records: Records,
): TerraformValue => {
  const { members } = definition.expand
  if (members === undefined || !standsForSeveral(definition, planned)) return null
  const before = prior?.[camelToSnake(members.map)]
  const had = before === null || before === undefined || before === UNKNOWN ? {} : (before as TerraformObject)
  if (members.are === 'deleted') return had
  const type = definition.fields[members.field]?.type ?? { is: 'string' }
  const written = Object.values(records).flatMap(
    ({ identity, applied, unsure }): [string, TerraformValue][] => {
      const key = identity[definition.identity.key]
      const value =
        unsure?.includes(members.field) === true ? null : toAttribute(type, applied[members.field])
      return key === undefined ? [] : [[key, value]]
    },
  )
  return { ...had, ...Object.fromEntries(written) }
}

const known = (object: TerraformObject, told: Readonly<Record<string, TerraformValue>>): TerraformObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, value === UNKNOWN ? (told[name] ?? null) : value]),
  )

const evidenceAfter = (definition: KindDefinition, record: RecordedResource | undefined): string => {
  if (definition.observe.how === 'everything') return 'read'
  return (record?.lastWrite ?? null) === null ? 'unknown' : 'recorded'
}

/** Whether values describe something that is over; nothing where they do not tell. */
export const endedAt = (
  definition: KindDefinition,
  values: Values,
  now: Date,
): Record<string, TerraformValue> => {
  const { lifetime } = definition
  if (isNone(lifetime)) return {}
  return { ended: values[lifetime.endsAt] === undefined ? null : hasEnded({ definition }, values, now) }
}

const isPresent = (definition: KindDefinition, planned: TerraformObject, map: TerraformValue): boolean => {
  const { expand } = definition
  if (expand.members?.are === 'written' && standsForSeveral(definition, planned))
    return Object.keys((map ?? {}) as TerraformObject).length > 0
  return expand.ensures === undefined || planned[camelToSnake(expand.ensures.field)] !== expand.ensures.absent
}

const identityTold = (
  { fields }: KindDefinition,
  record: RecordedResource | undefined,
): Record<string, TerraformValue> => {
  const values: Values = { ...record?.answer, ...record?.identity }
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type }]) => [camelToSnake(name), toAttribute(type, values[name])]),
  )
}

/** The key that the service assigned, or all parts of the name; nothing where nothing was made. */
const idOf = (
  { identity }: KindDefinition,
  planned: TerraformObject,
  record: RecordedResource | undefined,
): TerraformValue => {
  const own = record?.identity[identity.key]
  if (identity.assigned !== 'never') return own ?? null
  return [...identity.scope, identity.key]
    .map((name) => record?.identity[name] ?? planned[camelToSnake(name)])
    .filter((part) => typeof part === 'string')
    .join('/')
}
