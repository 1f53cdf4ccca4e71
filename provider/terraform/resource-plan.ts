import { camelToSnake, fillSentence, isNone, type KindDefinition } from '../core/index.ts'
import { same } from '../engine/index.ts'
import { errorAt, warningAt } from './diagnostics.ts'
import type { PrivateState } from './private-state.ts'
import { defaultRelease } from './resource-entry.ts'
import { lacking, lackingToAdopt, leftOut, withdrawn } from './resource-lacking.ts'
import { shownAfter, standsForSeveral } from './resource-shows.ts'
import { toAttribute, toValues } from './values.ts'
import { pathTo, type AttributePath, type Diagnostic } from './wire/common-messages.ts'
import { isWhollyKnown, UNKNOWN, type TerraformValue, type TerraformObject } from './wire/value.ts'
import { spelling } from './words.ts'

export interface PlannedResource {
  readonly planned: TerraformObject | null
  readonly requiresReplace: readonly AttributePath[]
  readonly diagnostics: readonly Diagnostic[]
}

interface Arguments {
  readonly prior: TerraformObject | null
  readonly proposed: TerraformObject | null
  readonly config: TerraformObject | null
  readonly kept: PrivateState
}

/** The planned state of a resource: of its arguments alone, for Terraform plans again within an apply. */
export const planResource = (
  definition: KindDefinition,
  { prior, proposed, config, kept }: Arguments,
): PlannedResource => {
  if (proposed === null || config === null)
    return {
      planned: null,
      requiresReplace: [],
      diagnostics: prior === null ? [] : [destroyWarning(definition, prior)],
    }
  return prior === null
    ? planCreate(definition, proposed, config)
    : planUpdate(definition, prior, { proposed, config, kept })
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
    ...toldByApply(definition, proposed, { anew: true }),
    ...withDefaults(definition, config),
    on_remove: config['on_remove'] ?? defaultRelease(definition),
    ...mapAfter(definition, undefined, proposed),
  }
  return { planned, requiresReplace: [], diagnostics: lacking(definition, config) }
}

const planUpdate = (
  definition: KindDefinition,
  prior: TerraformObject,
  { proposed, config, kept }: { proposed: TerraformObject; config: TerraformObject; kept: PrivateState },
): PlannedResource => {
  const base = withoutSecrets(definition, {
    ...proposed,
    ...withDefaults(definition, config),
    on_remove: config['on_remove'] ?? defaultRelease(definition),
  })
  const changed = changedFields(definition, prior, base)
  const shown = selects(definition, changed) ? undefined : prior
  const map = mapAfter(definition, shown, base, kept.leaving)
  const replaced = changed.filter((name) => definition.fields[name]?.part === 'name')
  // What has ended cannot be changed: with other dates it is made anew, if they are not over too.
  const anew =
    prior['ended'] === true && changed.some((name) => definition.fields[name]?.type.is === 'instant')
  const acts = changed.length > 0 || !isEqual(map, prior)
  return {
    planned: { ...base, ...(acts ? toldByApply(definition, base, { anew }) : {}), ...map },
    requiresReplace: replaced.map((name) => pathTo(camelToSnake(name))),
    diagnostics: [
      ...frozen(definition, { prior, base }, changed),
      ...leftOut(definition, prior, base),
      ...withdrawn(definition, prior, base),
      ...ended(definition, prior, { changed, anew }),
      ...missingAgain(definition, prior, { changed, base }),
      ...(kept.importedAt === undefined ? [] : lackingToAdopt(definition, config)),
    ],
  }
}

/** Creation-only attributes never force a replacement: a destroy forgets, and a creation would meet what is there. */
const frozen = (
  definition: KindDefinition,
  { prior, base }: { readonly prior: TerraformObject; readonly base: TerraformObject },
  changed: readonly string[],
): Diagnostic[] =>
  changed
    .filter(
      (name) =>
        definition.fields[name]?.change === 'create-only' &&
        (prior[camelToSnake(name)] ?? null) !== null &&
        // What another resource will tell is planned again, and decided, within the apply.
        isWhollyKnown(base[camelToSnake(name)] ?? null),
    )
    .map((name) =>
      errorAt(
        camelToSnake(name),
        `${camelToSnake(name)} can be given by the creation alone`,
        'This API has no call to change it. Put the old value back, or change it by hand at the service.',
      ),
    )

const ended = (
  { lifetime, title }: KindDefinition,
  prior: TerraformObject,
  { changed, anew }: { readonly changed: readonly string[]; readonly anew: boolean },
): Diagnostic[] =>
  isNone(lifetime) || prior['ended'] !== true || changed.length === 0 || anew
    ? []
    : [warningAt(undefined, `${title}: it has ended; nothing can change it`, 'Nothing is sent.')]

/** To be there again is what a creation would be, which the API may not have. */
const missingAgain = (
  { expand, establish, fields, title }: KindDefinition,
  prior: TerraformObject,
  { changed, base }: { readonly changed: readonly string[]; readonly base: TerraformObject },
): Diagnostic[] => {
  const { ensures } = expand
  if (ensures === undefined || !isNone(establish.create) || !changed.includes(ensures.field)) return []
  const attribute = camelToSnake(ensures.field)
  if (base[attribute] !== ensures.present || prior['present'] !== false) return []
  const { none, byHand = '' } = establish.create
  return [
    errorAt(
      attribute,
      `${title}: not found; ${none}`,
      fillSentence(byHand, toValues(fields, base), spelling),
    ),
  ]
}

const isEqual = (map: TerraformObject, prior: TerraformObject): boolean =>
  Object.entries(map).every(
    ([name, value]) => JSON.stringify(value, symbolText) === JSON.stringify(prior[name] ?? null, symbolText),
  )
const symbolText = (_: string, value: unknown): unknown => (typeof value === 'symbol' ? 'unknown' : value)

const mapAfter = (
  definition: KindDefinition,
  prior: TerraformObject | undefined,
  planned: TerraformObject,
  leaving: readonly string[] = [],
): Record<string, TerraformValue> => {
  const { shows } = definition.expand
  if (shows === undefined) return {}
  const name = camelToSnake(shows.as)
  const before = prior !== undefined && standsForSeveral(definition, prior) ? prior[name] : undefined
  return { [name]: shownAfter(definition, before, planned, leaving) }
}

/** Whether a change is of what decides which things are stood for, and not of what they are to be. */
const selects = ({ expand, fields }: KindDefinition, changed: readonly string[]): boolean =>
  changed.some((name) => name !== expand.shows?.field && fields[name]?.part !== 'value')

/** Fields whose configured value does not mean what the state says; unknown counts as another value. */
const changedFields = (
  definition: KindDefinition,
  prior: TerraformObject,
  base: TerraformObject,
): string[] => {
  const before = toValues(definition.fields, prior)
  const after = toValues(definition.fields, base)
  return Object.keys(definition.fields).filter((name) => {
    const field = definition.fields[name]
    if (field === undefined || field.change === 'computed' || field.type.is === 'secret') return false
    if (!isWhollyKnown(base[camelToSnake(name)] ?? null)) return true
    // A value that is left out is neither compared nor sent; what selects or names something always counts.
    if (field.part === 'value' && after[name] === undefined) return false
    return !same(field, before[name], after[name])
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

/** Computed attributes that an apply will tell; what names the thing stays as it is, unless it is made anew. */
const toldByApply = (
  { identity, fields }: KindDefinition,
  proposed: TerraformObject,
  { anew }: { readonly anew: boolean },
): Record<string, TerraformValue> => {
  const key = camelToSnake(identity.key)
  const told = Object.keys(fields)
    .filter((name) => fields[name]?.change === 'computed' && name !== identity.key)
    .map(camelToSnake)
  const isAssigned =
    identity.assigned === 'by the service' ||
    (identity.assigned === 'unless declared' && (proposed[key] ?? null) === null)
  const named = anew ? ['id', ...(isAssigned ? [key] : [])] : []
  return Object.fromEntries(
    [...told, 'evidence', 'present', 'ended', ...named]
      .filter((name) => Object.hasOwn(proposed, name))
      .map((name) => [name, UNKNOWN]),
  )
}

const withoutSecrets = ({ fields }: KindDefinition, object: TerraformObject): TerraformObject => {
  const secrets = Object.keys(fields)
    .filter((name) => fields[name]?.type.is === 'secret')
    .map(camelToSnake)
  return { ...object, ...Object.fromEntries(secrets.map((name) => [name, null])) }
}
