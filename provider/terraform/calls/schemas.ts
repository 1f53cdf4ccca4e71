import { providerBlock, type DataSourceDefinition, type KindDefinition } from '../../core/index.ts'
import { identitySchemaOf } from '../codec/identity.ts'
import { schemaMessage } from '../codec/schema.ts'
import type { ServedByType } from '../codec/served.ts'
import type { ProviderHandlers } from '../wire/services.ts'

/** The calls that tell which types exist, and with which attributes. */
export const schemaCalls = (
  resources: ServedByType<KindDefinition>,
  sources: ServedByType<DataSourceDefinition>,
  listed: ServedByType<KindDefinition>,
): Pick<ProviderHandlers, 'getMetadata' | 'getProviderSchema' | 'getResourceIdentitySchemas'> => {
  const serverCapabilities = { planDestroy: true, getProviderSchemaOptional: true }
  return {
    getMetadata: () => ({
      serverCapabilities,
      resources: [...resources.keys()].map((typeName) => ({ typeName })),
      dataSources: [...sources.keys()].map((typeName) => ({ typeName })),
      listResources: [...listed.keys()].map((typeName) => ({ typeName })),
    }),
    getProviderSchema: () => ({
      provider: schemaMessage(providerBlock),
      resourceSchemas: schemasOf(resources),
      dataSourceSchemas: schemasOf(sources),
      listResourceSchemas: schemasOf(listed),
      serverCapabilities,
    }),
    getResourceIdentitySchemas: () => ({
      identitySchemas: Object.fromEntries(
        [...resources].map(([type, { definition }]) => [type, identitySchemaOf(definition)]),
      ),
    }),
  }
}

const schemasOf = (served: ServedByType<unknown>) =>
  Object.fromEntries([...served].map(([type, { block }]) => [type, schemaMessage(block)]))
