import type { DataSourceDefinition } from './data-source.ts'
import { defaultRelease, isReadable, type KindDefinition } from './definition.ts'
import type { Field, Fields, FieldType } from './field.ts'
import { camelToSnake } from './names.ts'
import { isNone } from './operation.ts'
import { USUAL_ID_FORM } from './patterns.ts'
import type { Spelling } from './sentence.ts'

/**
 * What Terraform and `cdk.tf.json` see of a kind or a data source, defined once: the schema, the docs, the reader of
 * synthesized files and the codec all read these attributes. Each has both of its names, so nobody else has to
 * convert them.
 */
export interface Block {
  readonly type: string
  readonly summary: string
  readonly attributes: readonly Attribute[]
}

export interface Attribute {
  /** In snake_case, as in configurations. */
  readonly name: string
  /** In camelCase, as in the definition and in all values within the program. */
  readonly key: string
  readonly summary: string
  readonly use: 'required' | 'optional' | 'computed' | 'optional and computed'
  readonly type: AttributeType
  readonly sensitive?: boolean
  readonly writeOnly?: boolean
  /** The field that it stands for; undefined if only Terraform has it. */
  readonly field?: Field
}

export type AttributeType =
  | { readonly is: 'string' | 'number' | 'bool' }
  /** Free JSON is a string for `jsondecode`. */
  | { readonly is: 'json' }
  | { readonly is: 'list' | 'set' | 'map'; readonly of: AttributeType }
  | { readonly is: 'object'; readonly attributes: readonly Attribute[] }

/** Terraform types begin with the provider's name. */
const TYPE_PREFIX = 'deploymgmt_'
export const terraformType = (name: string): string => TYPE_PREFIX + name
export const isOwnType = (type: string): boolean => type.startsWith(TYPE_PREFIX)

/** Allows applying over what somebody else changed after the plan; every kind has it. */
export const OVERWRITE = 'overwrite'

/** The words that `allow` takes for a kind: the command's flags without `--allow-`. */
export const allowWords = ({ guards, absence }: KindDefinition): string[] => [
  ...new Set([
    ...(isNone(absence) ? [] : [wordOfFlag(absence.unlisted)]),
    ...guards.map(({ flag }) => wordOfFlag(flag)),
    OVERWRITE,
  ]),
]
export const flagOfWord = (word: string): string => `--allow-${word}`
export const wordOfFlag = (flag: string): string => flag.replace(/^--allow-/, '')

/** The attributes of a kind's resource. */
export const resourceBlock = (definition: KindDefinition): Block => {
  const own = ownAttributes(definition)
  const taken = new Set(own.map(({ key }) => key))
  const fields = Object.entries(definition.fields)
    // Fields that depend on the clock are not for Terraform, which plans again within an apply and expects the same
    // plan. And existing things come in by an import.
    .filter(([key]) => key !== definition.expand.instead?.field && !isForManifests(definition, key))
    .filter(([key]) => !taken.has(key))
    .map(([key, field]) => attributeOf(key, field, useOf(definition, key, field)))
  return {
    type: terraformType(definition.kind),
    summary: definition.summary,
    attributes: [...own, ...fields],
  }
}

/**
 * The fields that name one thing of a kind and never change: Terraform keeps them beside the state, and imports by
 * them.
 */
export const identityBlock = ({ kind, summary, identity, fields }: KindDefinition): Block => ({
  type: terraformType(kind),
  summary,
  attributes: requiredOf(fields, [...identity.scope, identity.key]),
})

/** Where the things of a kind are listed; undefined if no endpoint lists them. */
export const listBlock = (definition: KindDefinition): Block | undefined => {
  const { kind, summary, identity, fields } = definition
  return isReadable(definition)
    ? { type: terraformType(kind), summary, attributes: requiredOf(fields, identity.scope) }
    : undefined
}

const requiredOf = (fields: Fields, names: readonly string[]): Attribute[] =>
  names.flatMap((name) => {
    const field = fields[name]
    return field === undefined ? [] : [attributeOf(name, field, 'required')]
  })

const isForManifests = ({ identity: { key, declaredAs } }: KindDefinition, name: string): boolean =>
  name === declaredAs && declaredAs !== key

/** The attributes that every resource has besides its kind's own fields. */
const ownAttributes = (definition: KindDefinition): Attribute[] => {
  const { release, observe, lifetime } = definition
  const ways = Object.entries(release).map(([name, { summary }]) => `\`${name}\`: ${summary}`)
  const allowed = allowWords(definition).map((word) => `\`${word}\``)
  return [
    own('id', 'computed', 'string', 'Identifier of the resource in Terraform.'),
    own(
      'onRemove',
      'optional and computed',
      'string',
      `What a destroy does. ${ways.join(' ')} Defaults to \`${defaultRelease(definition)}\`. It is read from the state, so apply a change of it before the destroy.`,
    ),
    own(
      'allow',
      'optional',
      { is: 'set', of: { is: 'string' } },
      `Actions that are refused unless they are listed here: ${allowed.join(', ')}.`,
    ),
    own(
      'evidence',
      'computed',
      'string',
      'How well the values are known: `read` (from the service), `recorded` (as last applied), `suspect` (an event reports a change since then) or `unknown`.',
    ),
    ...(observe.how !== 'nothing' ? [own('present', 'computed', 'bool', 'Whether the service has it.')] : []),
    ...(isNone(lifetime)
      ? []
      : [own('ended', 'computed', 'bool', 'Whether it has ended, according to the clock of the service.')]),
    ...membersOf(definition),
  ]
}

const membersOf = ({ expand: { members }, fields }: KindDefinition): Attribute[] => {
  if (members === undefined) return []
  const of = typeOf(fields[members.field]?.type ?? { is: 'string' }, 'computed')
  return [own(members.map, 'computed', { is: 'map', of }, members.summary)]
}

const own = (
  key: string,
  use: Attribute['use'],
  type: AttributeType | 'string' | 'number' | 'bool',
  summary: string,
): Attribute => ({
  name: camelToSnake(key),
  key,
  summary,
  use,
  type: typeof type === 'string' ? { is: type } : type,
})

/**
 * A field that is always required is required here, although a state may lack it: an import cannot know what no
 * endpoint shows, and Terraform enforces this only on configurations.
 */
const useOf = ({ identity }: KindDefinition, key: string, field: Field): Attribute['use'] => {
  if (field.change === 'computed') return 'computed'
  if (key === identity.key && identity.assigned === 'unless-declared') return 'optional and computed'
  if (field.need === 'always') return 'required'
  if (isKept(field)) return 'optional and computed'
  // Terraform shows the default, or the value that was read.
  return field.default === undefined ? 'optional' : 'optional and computed'
}

/**
 * Whether the service keeps the value when it is no longer declared: nothing is sent for that, so it is no change.
 */
export const isKept = ({ part, need, change, type }: Field): boolean =>
  part === 'value' &&
  need !== 'always' &&
  (change === 'write' || change === 'create-only') &&
  type.is !== 'secret'

const attributeOf = (key: string, field: Field, use: Attribute['use']): Attribute => ({
  name: camelToSnake(key),
  key,
  field,
  summary: field.summary,
  use,
  type: typeOf(field.type, use),
  ...(field.type.is === 'secret' ? { sensitive: true, writeOnly: true } : {}),
})

const typeOf = (type: FieldType, use: Attribute['use']): AttributeType => {
  switch (type.is) {
    case 'boolean':
      return { is: 'bool' }
    case 'integer':
    case 'number':
      return { is: 'number' }
    case 'json':
      return { is: 'json' }
    case 'set':
    case 'list':
      return { is: type.is, of: typeOf(type.of, use) }
    case 'object':
      return { is: 'object', attributes: attributesIn(type.fields, use) }
    default:
      return { is: 'string' }
  }
}

/** The attributes of an object; those of a computed one are computed. */
export const attributesIn = (fields: Fields, use: Attribute['use'] = 'optional'): Attribute[] =>
  Object.entries(fields).map(([key, field]) =>
    attributeOf(key, field, use === 'computed' ? use : field.need === 'always' ? 'required' : 'optional'),
  )

/** The attributes of a data source: its arguments and its results. */
export const dataSourceBlock = (definition: DataSourceDefinition): Block => {
  const { summary, shape } = definition
  const given = Object.entries(definition.arguments).map(([key, field]) =>
    attributeOf(key, field, field.need === 'always' ? 'required' : 'optional'),
  )
  const taken = new Set(given.map(({ key }) => key))
  const told = attributesIn(definition.result, 'computed')
  const results: AttributeType = { is: 'list', of: { is: 'object', attributes: told } }
  return {
    type: terraformType(definition.name),
    summary,
    attributes: [
      ...given,
      ...(shape === 'one'
        ? told.filter(({ key }) => !taken.has(key))
        : [
            own('results', 'computed', results, 'The items.'),
            own('totalCount', 'computed', 'number', 'Number of items, as the service counts them.'),
          ]),
    ],
  }
}

/** The provider's own configuration; the first four fall back to the environment. */
export const providerBlock: Block = {
  type: 'deploymgmt',
  summary: 'A database deployment-management installation.',
  attributes: [
    own(
      'baseUrl',
      'optional',
      'string',
      'Address of the service, ending in `/api/public/v1.0`. Defaults to the environment variable `DEPLOYMGMT_BASE_URL`.',
    ),
    own(
      'publicKey',
      'optional',
      'string',
      'Public half of the API key. Defaults to the environment variable `DEPLOYMGMT_PUBLIC_KEY`.',
    ),
    {
      ...own(
        'privateKey',
        'optional',
        'string',
        'Private half of the API key. Defaults to the environment variable `DEPLOYMGMT_PRIVATE_KEY`, or to the contents of the file that `DEPLOYMGMT_PRIVATE_KEY_FILE` names.',
      ),
      sensitive: true,
    },
    own(
      'caFile',
      'optional',
      'string',
      'PEM file of certificate authorities to trust in addition to the usual ones. Defaults to the environment variable `DEPLOYMGMT_CA_FILE`.',
    ),
    own(
      'orgId',
      'optional',
      'string',
      'Organization whose events show who changed what. Without it, the provider does not notice changes from outside to windows and project roles.',
    ),
    own(
      'projects',
      'optional',
      { is: 'map', of: { is: 'string' } },
      'Names of projects in plans, warnings and errors: a map from each name to the id of its project.',
    ),
    own('concurrency', 'optional', 'number', 'Maximum number of requests at once. Defaults to 10.'),
    own(
      'requestTimeoutSeconds',
      'optional',
      'number',
      'Timeout in seconds for one request, from connecting to the end of its answer. Defaults to 30.',
    ),
    own(
      'retryTimeoutSeconds',
      'optional',
      'number',
      'Timeout in seconds for all attempts of one request, with the waits between them. Defaults to 60. With 0, nothing is sent again. A read is tried at most ten times. If the service limits requests (429), the provider waits until it wants requests again, and fails if it accepts none for three times as long.',
    ),
  ],
}

/** The parts of an import id, in order: `PROJECT_ID/ID`, `ORG_ID/ID`, `USER_ID`, `PROJECT_ID/TYPE`. */
export const importFormat = ({ identity }: KindDefinition): string =>
  [...identity.scope, identity.key].map(importPart).join('/')
const importPart = (key: string): string => camelToSnake(key).toUpperCase()

/** The form of the ids within an import id; `spelt` returns what each is called. */
export const importForms = (
  { identity, fields }: KindDefinition,
  spelt: (part: string) => string = (part) => part,
): string => {
  const ids = [...identity.scope, identity.key].filter((key) => fields[key]?.type.is === 'id')
  const named = ids.map((key) => spelt(importPart(key))).join(' and ')
  return ids.length === 1 ? `${named} is ${USUAL_ID_FORM}` : `${named} are ${USUAL_ID_FORM} each`
}

/** What `protect` does in a manifest, Terraform's own `prevent_destroy` does. */
const inConfiguration = (name: string): string =>
  name === 'protect' ? 'prevent_destroy' : camelToSnake(name)

/** How Terraform configurations spell names in sentences: `roles_complete = true`. */
export const configurationSpelling: Spelling = {
  field: inConfiguration,
  setting: (name, value) =>
    `${inConfiguration(name)} = ${/^(?:true|false|\d+)$/.test(value) ? value : `"${value}"`}`,
  kind: (kind) => `deploymgmt_${kind}`,
  nameOf: () => undefined,
}
