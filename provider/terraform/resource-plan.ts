import { camelToSnake, isNone, type KindDefinition } from '../core/index.ts'
import { same } from '../engine/index.ts'
import { errorAt, warningAt } from './diagnostics.ts'
import { defaultRelease } from './resource-entry.ts'
import { shownAfter } from './resource-shows.ts'
import { toAttribute, toValues } from './values.ts'
import { pathTo, type AttributePath, type Diagnostic } from './wire/common-messages.ts'
import { UNKNOWN, type TerraformValue, type TerraformObject } from './wire/value.ts'

export interface PlannedResource {
  readonly planned: TerraformObject | null
  readonly requiresReplace: readonly AttributePath[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The planned state of a resource: of its arguments alone, for Terraform plans again within an apply. */
export const planResource = (
  definition: KindDefinition,
  prior: TerraformObject | null,
  proposed: TerraformObject | null,
  config: TerraformObject | null,
): PlannedResource => {
  if (proposed === null || config === null)
    return {
      planned: null,
      requiresReplace: [],
      diagnostics: prior === null ? [] : [destroyWarning(definition, prior)],
    }
  return prior === null
    ? planCreate(definition, proposed, config)
    : planUpdate(definition, prior, proposed, config)
}

const destroyWarning = (definition: KindDefinition, prior: TerraformObject): Diagnostic => {
  const name = typeof prior['on_remove'] === 'string' ? prior['on_remove'] : defaultRelease(definition)
  const absence = isNone(definition.absence) ? ` ${definition.absence.none}` : ''
  return warningAt(
    undefined,
    `${definition.title}: destroy does what on_remove = "${name}" says`,
    `${definition.release[name]?.summary ?? ''}${absence}`,
  )
}

const planCreate = (
  definition: KindDefinition,
  proposed: TerraformObject,
  config: TerraformObject,
): PlannedResource => {
  const planned: TerraformObject = {
    ...withoutSecrets(definition, proposed),
    ...computedUnknown(definition, proposed),
    ...withDefaults(definition, config),
    on_remove: config['on_remove'] ?? defaultRelease(definition),
    ...shows(definition, undefined, proposed),
  }
  return { planned, requiresReplace: [], diagnostics: lacking(definition, config) }
}

/** What creating or adopting needs and the configuration does not have. */
const lacking = (definition: KindDefinition, config: TerraformObject): Diagnostic[] => {
  const { identity, establish, fields } = definition
  const adopting = (config[camelToSnake(identity.key)] ?? null) !== null || isNone(establish.create)
  const needed = Object.keys(fields).filter((name) => {
    const need = fields[name]?.need
    return (need === 'always' || (need === 'to-create' && !adopting)) && fields[name]?.change !== 'computed'
  })
  const missing = needed.filter(
    (name) => (config[camelToSnake(name)] ?? null) === null && !isCovered(definition, name),
  )
  const found = missing.map((name) =>
    errorAt(
      camelToSnake(name),
      `${camelToSnake(name)} is needed to ${adopting ? 'manage' : 'create'} it`,
      fields[name]?.summary,
    ),
  )
  const requires = adopting && !isNone(establish.adopt) ? establish.adopt.requires : undefined
  if (
    requires === undefined ||
    config[camelToSnake(requires.field)] === true ||
    config[camelToSnake(requires.field)] === UNKNOWN
  )
    return found
  return [
    ...found,
    errorAt(
      camelToSnake(requires.field),
      `adopting needs ${camelToSnake(requires.field)} = true`,
      `For ${requires.because}.`,
    ),
  ]
}

const isCovered = ({ fields }: KindDefinition, name: string): boolean => fields[name]?.default !== undefined

const planUpdate = (
  definition: KindDefinition,
  prior: TerraformObject,
  proposed: TerraformObject,
  config: TerraformObject,
): PlannedResource => {
  const onRemove = config['on_remove'] ?? defaultRelease(definition)
  const base = withoutSecrets(definition, {
    ...proposed,
    ...withDefaults(definition, config),
    on_remove: onRemove,
  })
  const map = shows(definition, prior, base)
  const changed = changedFields(definition, prior, base)
  const replaced = changed.filter((name) => definition.fields[name]?.part === 'name')
  const frozen = changed.filter(
    (name) =>
      definition.fields[name]?.change === 'create-only' && (prior[camelToSnake(name)] ?? null) !== null,
  )
  const acts = changed.length > 0 || !isEqual(map, prior)
  const planned = { ...base, ...(acts ? computedUnknown(definition, base, prior) : {}), ...map }
  return {
    planned,
    requiresReplace: replaced.map((name) => pathTo(camelToSnake(name))),
    diagnostics: frozen.map((name) =>
      errorAt(
        camelToSnake(name),
        `${camelToSnake(name)} can be given by the creation alone`,
        'This API has no call to change it. Put the old value back, or change it by hand at the service.',
      ),
    ),
  }
}

const isEqual = (map: TerraformObject, prior: TerraformObject): boolean =>
  Object.entries(map).every(
    ([name, value]) => JSON.stringify(value, symbolText) === JSON.stringify(prior[name] ?? null, symbolText),
  )
const symbolText = (_: string, value: unknown): unknown => (typeof value === 'symbol' ? 'unknown' : value)

const shows = (
  definition: KindDefinition,
  prior: TerraformObject | undefined,
  planned: TerraformObject,
): Record<string, TerraformValue> => {
  const { shows: words } = definition.expand
  if (words === undefined) return {}
  const name = camelToSnake(words.as)
  return { [name]: shownAfter(definition, prior?.[name], planned) }
}

/** Fields whose configured value does not mean what the state says; unknown counts as another value. */
const changedFields = (
  definition: KindDefinition,
  prior: TerraformObject,
  proposed: TerraformObject,
): string[] => {
  const before = toValues(definition.fields, prior)
  const after = toValues(definition.fields, proposed)
  return Object.keys(definition.fields).filter((name) => {
    const field = definition.fields[name]
    if (field === undefined || field.change === 'computed' || field.type.is === 'secret') return false
    return proposed[camelToSnake(name)] === UNKNOWN || !same(field, before[name], after[name])
  })
}

/** What stands where the configuration says nothing; never what stood before. */
const withDefaults = ({ fields }: KindDefinition, config: TerraformObject): Record<string, TerraformValue> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.default !== undefined)
      .map(([name, { type, default: value }]) => [
        camelToSnake(name),
        config[camelToSnake(name)] ?? toAttribute(type, value),
      ]),
  )

/** Computed attributes that an apply will tell; what names the thing stays as it is. */
const computedUnknown = (
  definition: KindDefinition,
  proposed: TerraformObject,
  prior?: TerraformObject,
): Record<string, TerraformValue> => {
  const { identity, fields } = definition
  const told = Object.keys(fields)
    .filter((name) => fields[name]?.change === 'computed' && name !== identity.key)
    .map(camelToSnake)
  const key = camelToSnake(identity.key)
  const names = [...told, 'evidence', 'present', 'ended', ...(prior === undefined ? ['id'] : [])]
  const unknown: Record<string, TerraformValue> = {}
  for (const name of names) if (Object.hasOwn(proposed, name)) unknown[name] = UNKNOWN
  if (identity.assigned !== 'never' && prior === undefined && (proposed[key] ?? null) === null)
    unknown[key] = UNKNOWN
  return unknown
}

const withoutSecrets = ({ fields }: KindDefinition, object: TerraformObject): TerraformObject => {
  const secrets = Object.keys(fields)
    .filter((name) => fields[name]?.type.is === 'secret')
    .map(camelToSnake)
  return { ...object, ...Object.fromEntries(secrets.map((name) => [name, null])) }
}
