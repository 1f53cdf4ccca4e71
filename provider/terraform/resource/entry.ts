import {
  defaultRelease,
  isNone,
  ownValue,
  pickBy,
  terraformType,
  type KindDefinition,
  type Values,
} from '../../core/index.ts'
import {
  identityKey,
  perDefinition,
  type Declaration,
  type Entry,
  type RecordedResource,
} from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'

/**
 * What tells a resource of a state from the others, as text. Terraform tells no addresses, and all that select
 * something in one place have the same id.
 */
export const stateKey = ({ kind, expand }: KindDefinition, values: Values): string =>
  JSON.stringify([kind, values['id'], values[expand.members?.by ?? '']])

/** Each resource is planned by itself: its type suffices as an address, because Terraform names the resource. */
export const addressOf = ({ kind }: KindDefinition): string => terraformType(kind)

/** A resource's attributes as a declared entry, so that the engine decides as it does for a manifest. */
export const entryOf = (definition: KindDefinition, { values }: Plain, secrets: Values = {}): Entry => ({
  kind: definition.kind,
  address: addressOf(definition),
  values: { ...defaultsOf(definition), ...declaredIn(definition, values), ...secrets },
  onRemove: onRemoveIn(definition, values),
  protect: false,
  ignoreChanges: [],
  declaredAt: undefined,
})

export const defaultsOf = perDefinition(({ fields }): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default]],
    ),
  ),
)

/** Whether this run has just taken the thing over: a destroy leaves it as it is. */
export const isJustApplied = (
  definition: KindDefinition,
  { values }: Plain,
  { justApplied }: { readonly justApplied: ReadonlySet<string> },
): boolean => justApplied.has(identityKey(definition, identityIn(definition, values)))

/** Whether a read has shown that it is over. Somebody else may have prolonged one that is suspect. */
export const isOver = ({ values }: Plain): boolean =>
  values['ended'] === true && values['evidence'] !== 'suspect'

/** The values of a definition's fields, without what belongs only to the Terraform door. */
export const fieldValues = ({ fields }: KindDefinition, values: Values): Values =>
  pickBy(values, (_, name) => Object.hasOwn(fields, name))

const declaredIn = (definition: KindDefinition, values: Values): Values => {
  // A key that the service assigns is never declared; if it may be declared, an adopted thing declares it.
  const { key, assigned } = definition.identity
  const { fields } = definition
  return pickBy(values, (_, name) => {
    const field = ownValue(fields, name)
    return (
      field !== undefined &&
      field.change !== 'computed' &&
      field.type.is !== 'secret' &&
      !(name === key && assigned === 'by-service')
    )
  })
}

export const onRemoveIn = (definition: KindDefinition, { onRemove }: Values): string =>
  typeof onRemove === 'string' ? onRemove : defaultRelease(definition)

export const declarationOf = (entries: readonly Entry[], orgIds: readonly string[]): Declaration => ({
  name: 'terraform',
  entries,
  organizations: new Map(),
  orgIds,
  projectNames: new Map(),
})

/** The path parameters that the attributes tell, including the key if it is known. */
export const identityIn = ({ identity }: KindDefinition, values: Values): Record<string, string> =>
  Object.fromEntries(
    [...identity.scope, identity.key].flatMap((name) => {
      const value = values[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** The record of a thing that was imported only by its id and that cannot be adopted by a write. */
export const importedRecord = (definition: KindDefinition, values: Values, at: string): RecordedResource => ({
  kind: definition.kind,
  identity: identityIn(definition, values),
  applied: {},
  answer: null,
  adopted: null,
  onRemove: onRemoveIn(definition, values),
  lastWrite: null,
  watermark: at,
})

/** The record of a thing by its attributes alone, as if all of them had been applied. */
export const recordFrom = (definition: KindDefinition, values: Values, at: string): RecordedResource => ({
  ...importedRecord(definition, values, at),
  applied: fieldValues(definition, values),
})

/** The engine asks for a secret when it is about to be sent; the mark says that the configuration has one. */
export const secretMarks = ({ fields }: KindDefinition, config: Plain | null): Values =>
  Object.fromEntries(
    Object.keys(fields)
      .filter((name) => fields[name]?.type.is === 'secret' && typeof config?.values[name] === 'string')
      .map((name) => [name, { configured: true }]),
  )

export const secretIn = (config: Plain | null, path: string): string => {
  const value = config?.values[path.split('.').at(-1) ?? '']
  return typeof value === 'string' ? value : ''
}

/**
 * Whether configuring an existing thing takes it over; if only manifests can name its key, it comes in by an import.
 */
export const canAdopt = ({ establish, identity: { key, declaredAs } }: KindDefinition): boolean =>
  !isNone(establish.adopt) && declaredAs === key
