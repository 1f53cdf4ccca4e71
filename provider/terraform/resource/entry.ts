import { camelToSnake, isNone, terraformType, type KindDefinition, type Values } from '../../core/index.ts'
import type { Declaration, Entry, RecordedResource } from '../../engine/index.ts'
import { toValues } from '../codec/values.ts'
import type { TerraformObject } from '../wire/value.ts'

/** Each resource is planned by itself: its type is address enough, for Terraform names the resource. */
export const addressOf = ({ kind }: KindDefinition): string => terraformType(kind)

/** A resource's attributes as a declared entry: the engine then decides as it does for a manifest. */
export const entryOf = (definition: KindDefinition, object: TerraformObject, more: Values = {}): Entry => ({
  kind: definition.kind,
  address: addressOf(definition),
  values: { ...defaultsOf(definition), ...declaredIn(definition, object), ...more },
  onRemove: typeof object['on_remove'] === 'string' ? object['on_remove'] : defaultRelease(definition),
  protect: false,
  ignoreChanges: [],
  declaredAt: undefined,
})

const defaultsOf = ({ fields }: KindDefinition): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default]],
    ),
  )

const declaredIn = (definition: KindDefinition, object: TerraformObject): Values => {
  const values = toValues(definition.fields, object)
  // A key that the service assigns is never declared; where it may be declared, an adopted thing declares it.
  const { key, assigned } = definition.identity
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name]) =>
        definition.fields[name]?.change !== 'computed' && !(name === key && assigned === 'by the service'),
    ),
  )
}

export const defaultRelease = ({ release }: KindDefinition): string => Object.keys(release)[0] ?? 'forget'

export const declarationOf = (entries: readonly Entry[], orgIds: readonly string[]): Declaration => ({
  name: 'terraform',
  entries,
  organizations: new Map(),
  orgIds,
  projectNames: new Map(),
})

/** The path parameters that attributes tell, with the key where it is known. */
export const identityIn = ({ identity }: KindDefinition, object: TerraformObject): Record<string, string> =>
  Object.fromEntries(
    [...identity.scope, identity.key].flatMap((name) => {
      const value = object[camelToSnake(name)]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** The record of a thing that was imported by its id alone and that adopting cannot take over. */
export const importedRecord = (
  definition: KindDefinition,
  object: TerraformObject,
  at: string,
): RecordedResource => ({
  kind: definition.kind,
  identity: identityIn(definition, object),
  applied: {},
  answer: null,
  adopted: null,
  onRemove: typeof object['on_remove'] === 'string' ? object['on_remove'] : defaultRelease(definition),
  lastWrite: null,
  watermark: at,
})

/** The engine asks for a secret when it is about to be sent; the mark says that the configuration has one. */
export const secretMarks = ({ fields }: KindDefinition, config: TerraformObject | null): Values =>
  Object.fromEntries(
    Object.keys(fields)
      .filter(
        (name) => fields[name]?.type.is === 'secret' && typeof config?.[camelToSnake(name)] === 'string',
      )
      .map((name) => [name, { configured: true }]),
  )

export const secretIn = (config: TerraformObject | null, path: string): string => {
  const value = config?.[camelToSnake(path.split('.').at(-1) ?? '')]
  return typeof value === 'string' ? value : ''
}

export const canAdopt = ({ establish }: KindDefinition): boolean => !isNone(establish.adopt)
