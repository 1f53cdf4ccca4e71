import {
  dataSourceBlock,
  providerBlock,
  resourceBlock,
  type Attribute,
  type Block,
  type DataSourceDefinition,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { PROVIDER_ADDRESS } from '../../provider/terraform/provider-address.ts'
import { ctyOf, isConfigurable, isComputed, nestedIn } from '../../provider/terraform/codec/schema.ts'
import type { CtyType } from '../../provider/terraform/wire/cty-type.ts'

/** An attribute as `terraform providers schema -json` prints it. */
export interface JsonAttribute {
  readonly type?: CtyType
  readonly nested_type?: {
    readonly attributes: Readonly<Record<string, JsonAttribute>>
    readonly nesting_mode: 'single' | 'list' | 'set'
  }
  readonly description: string
  readonly description_kind: 'markdown'
  /** Terraform omits attributes that are false. */
  readonly required?: true
  readonly optional?: true
  readonly computed?: true
  readonly sensitive?: true
  readonly write_only?: true
}

/** The provider's schema as JSON, without Terraform: the same document that its command would print. */
export const schemaDocument = (
  kinds: readonly KindDefinition[],
  dataSources: readonly DataSourceDefinition[],
) => ({
  format_version: '1.0',
  provider_schemas: {
    [PROVIDER_ADDRESS]: {
      provider: schemaOf(providerBlock),
      resource_schemas: schemasOf(kinds.map(resourceBlock)),
      data_source_schemas: schemasOf(dataSources.map(dataSourceBlock)),
    },
  },
})

const schemasOf = (blocks: readonly Block[]) => sorted(blocks.map((block) => [block.type, schemaOf(block)]))

const schemaOf = ({ summary, attributes }: Block) => ({
  version: 0,
  block: { attributes: attributesOf(attributes), description: summary, description_kind: 'markdown' },
})

const attributesOf = (attributes: readonly Attribute[]): Record<string, JsonAttribute> =>
  sorted(attributes.map((attribute) => [attribute.name, attributeOf(attribute)]))

const attributeOf = (attribute: Attribute): JsonAttribute => {
  const { summary, use, type, sensitive, writeOnly } = attribute
  const nested = nestedIn(type)
  return {
    ...(nested === undefined
      ? { type: ctyOf(type) }
      : { nested_type: { attributes: attributesOf(nested.attributes), nesting_mode: nested.nesting } }),
    description: summary,
    description_kind: 'markdown',
    ...(use === 'required' ? { required: true } : {}),
    ...(isConfigurable(attribute) ? { optional: true } : {}),
    ...(isComputed(attribute) ? { computed: true } : {}),
    ...(sensitive === true ? { sensitive: true } : {}),
    ...(writeOnly === true ? { write_only: true } : {}),
  }
}

const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
