import {
  camelToSnake,
  isNone,
  type DataSourceDefinition,
  type Field,
  type Fields,
  type FieldType,
  type KindDefinition,
} from '../../core/index.ts'
import { allowable } from '../allowable.ts'
import type { CtyType } from '../wire/cty-type.ts'

/** One attribute of a resource, a data source or the provider, in Terraform's words. */
export interface Attribute {
  readonly name: string
  readonly summary: string
  readonly use: 'required' | 'optional' | 'computed' | 'optional and computed'
  readonly type: CtyType
  /** For values with attributes of their own: how many there are of them. */
  readonly nested?: { readonly nesting: 'single' | 'list' | 'set'; readonly attributes: readonly Attribute[] }
  readonly sensitive?: boolean
  readonly writeOnly?: boolean
  /** The definition's field that it stands for; none where it belongs to Terraform's door alone. */
  readonly field?: string
}

export interface Block {
  readonly version: number
  readonly summary: string
  readonly attributes: readonly Attribute[]
}

/** What every resource has besides its kind's own fields. */
const ownAttributes = (definition: KindDefinition): Attribute[] => [
  { name: 'id', summary: 'What names it for Terraform.', use: 'computed', type: 'string' },
  {
    name: 'on_remove',
    summary: `What a destroy does: ${Object.entries(definition.release)
      .map(([name, { summary }]) => `\`${name}\`: ${summary}`)
      .join(' ')} Read from the state, so that a change has to be applied before the destroy.`,
    use: 'optional and computed',
    type: 'string',
  },
  {
    name: 'allow',
    summary: allowSummary(definition),
    use: 'optional',
    type: ['set', 'string'],
  },
  {
    name: 'evidence',
    summary: 'How well the values are known: `read`, `recorded`, `suspect` or `unknown`.',
    use: 'computed',
    type: 'string',
  },
  ...(definition.observe.how === 'everything'
    ? [
        {
          name: 'present',
          summary: 'Whether it was found at the service.',
          use: 'computed',
          type: 'bool',
        } as const,
      ]
    : []),
  ...(isNone(definition.lifetime)
    ? []
    : [
        {
          name: 'ended',
          summary: 'Whether it has ended, by the service’s clock.',
          use: 'computed',
          type: 'bool',
        } as const,
      ]),
  ...(definition.expand.shows === undefined
    ? []
    : [
        {
          name: camelToSnake(definition.expand.shows.as),
          summary: definition.expand.shows.summary,
          use: 'computed',
          type: ['map', ctyOf(definition.fields[definition.expand.shows.field]?.type ?? { is: 'string' })],
        } as const,
      ]),
]

const allowSummary = (definition: KindDefinition): string => {
  const words = allowable(definition).map((word) => `\`${word}\``)
  return `Acts that are refused without being listed here: ${words.join(', ')}.`
}

/** The schema of a kind's resource. */
export const resourceBlock = (definition: KindDefinition): Block => {
  const own = ownAttributes(definition)
  const taken = new Set(own.map(({ name }) => name))
  const fields = Object.entries(definition.fields)
    // What goes by the clock is not for Terraform: it plans again within an apply and wants the same plan.
    .filter(([name]) => name !== definition.expand.instead?.field)
    .map(([name, field]) => attributeOf(name, field, useOf(definition, name, field)))
    .filter(({ name }) => !taken.has(name))
  return { version: 0, summary: definition.summary, attributes: [...own, ...fields] }
}

/** Values are optional, because an import knows nothing of what no endpoint shows; creating checks what it needs. */
const useOf = ({ identity }: KindDefinition, name: string, field: Field): Attribute['use'] => {
  if (field.change === 'computed') return 'computed'
  if (name === identity.key && identity.assigned === 'unless declared') return 'optional and computed'
  if (field.part === 'name' && field.need === 'always') return 'required'
  // Terraform sees the default that stands, and what a reading says of it.
  if (field.default !== undefined) return 'optional and computed'
  return 'optional'
}

const attributeOf = (field: string, { type, summary }: Field, use: Attribute['use']): Attribute => {
  const secret = type.is === 'secret' ? { sensitive: true, writeOnly: true } : {}
  return { name: camelToSnake(field), field, summary, use, ...shapeOf(type, use === 'computed'), ...secret }
}

const shapeOf = (type: FieldType, computed: boolean): Pick<Attribute, 'type' | 'nested'> => {
  const nestedIn = (
    nesting: 'single' | 'list' | 'set',
    fields: Fields,
  ): Pick<Attribute, 'type' | 'nested'> => ({
    type: ctyOf(type),
    nested: {
      nesting,
      attributes: Object.entries(fields).map(([name, field]) =>
        attributeOf(name, field, computed ? 'computed' : field.need === 'always' ? 'required' : 'optional'),
      ),
    },
  })
  if (type.is === 'object') return nestedIn('single', type.fields)
  if ((type.is === 'set' || type.is === 'list') && type.of.is === 'object')
    return nestedIn(type.is, type.of.fields)
  return { type: ctyOf(type) }
}

/** A field's type in Terraform's words; free JSON is a string that `jsondecode` takes apart. */
export const ctyOf = (type: FieldType): CtyType => {
  switch (type.is) {
    case 'boolean':
      return 'bool'
    case 'integer':
    case 'number':
      return 'number'
    case 'set':
    case 'list':
      return [type.is, ctyOf(type.of)]
    case 'object':
      return [
        'object',
        Object.fromEntries(
          Object.entries(type.fields).map(([name, field]) => [camelToSnake(name), ctyOf(field.type)]),
        ),
      ]
    default:
      return 'string'
  }
}

/** The type of a whole block: what its values are encoded by. */
export const blockType = ({ attributes }: Pick<Block, 'attributes'>): CtyType => [
  'object',
  Object.fromEntries(attributes.map(({ name, type }) => [name, type])),
]

/** The schema of a data source. */
export const dataSourceBlock = (definition: DataSourceDefinition): Block => {
  const bounds = definition.bounds ?? []
  const given = Object.entries(definition.arguments).map(([name, field]) =>
    attributeOf(name, field, field.need === 'always' || bounds.includes(name) ? 'required' : 'optional'),
  )
  const taken = new Set(given.map(({ name }) => name))
  const told = Object.entries(definition.result).map(([name, field]) => attributeOf(name, field, 'computed'))
  const summary = definition.summary
  if (definition.shape === 'one')
    return { version: 0, summary, attributes: [...given, ...told.filter(({ name }) => !taken.has(name))] }
  const type: CtyType = ['list', blockType({ attributes: told })]
  const results: Attribute = {
    name: 'results',
    summary: 'The items.',
    use: 'computed',
    type,
    nested: { nesting: 'list', attributes: told },
  }
  const total: Attribute = {
    name: 'total_count',
    summary: 'How many there are, as the service counts.',
    use: 'computed',
    type: 'number',
  }
  return { version: 0, summary, attributes: [...given, results, total] }
}

/** The provider's own configuration; the first four fall back to the environment. */
export const providerBlock: Block = {
  version: 0,
  summary: 'A database deployment-management installation.',
  attributes: [
    {
      name: 'base_url',
      summary: 'Address of the service, ending in `/api/public/v1.0`; or `DEPLOYMGMT_BASE_URL`.',
      use: 'optional',
      type: 'string',
    },
    {
      name: 'public_key',
      summary: 'Public half of the API key; or `DEPLOYMGMT_PUBLIC_KEY`.',
      use: 'optional',
      type: 'string',
    },
    {
      name: 'private_key',
      summary:
        'Private half of the API key; or `DEPLOYMGMT_PRIVATE_KEY`, or the file that `DEPLOYMGMT_PRIVATE_KEY_FILE` names.',
      use: 'optional',
      type: 'string',
      sensitive: true,
    },
    {
      name: 'ca_file',
      summary: 'Authorities to trust besides the usual ones, as PEM; or `DEPLOYMGMT_CA_FILE`.',
      use: 'optional',
      type: 'string',
    },
    {
      name: 'org_id',
      summary:
        'Organization whose events tell who changed what. Without it, changes of windows and of project roles from outside go unnoticed.',
      use: 'optional',
      type: 'string',
    },
    {
      name: 'concurrency',
      summary: 'Requests in flight at once; 10 by default.',
      use: 'optional',
      type: 'number',
    },
  ],
}
