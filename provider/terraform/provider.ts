import { formsOf, standsOut, withoutSecrets, type Environment } from '../api/index.ts'
import {
  dataSourceBlock,
  providerBlock,
  resourceBlock,
  type DataSourceDefinition,
  type KindDefinition,
} from '../core/index.ts'
import { readDataSource } from '../engine/index.ts'
import { requestLines } from '../words/index.ts'
import { identitySchemaOf } from './codec/identity.ts'
import { schemaMessage } from './codec/schema.ts'
import { find, messages, objectIn, servedBy, valueOf, type ServedByType } from './codec/served.ts'
import { configurationFailed, configure, validateProvider, type Surroundings } from './configure.ts'
import { isConfigured, unconfigured, type Connection } from './connection.ts'
import { missingArgument, readDataAttributes, validateDataSource } from './data-source.ts'
import { errorAt } from './diagnostics.ts'
import { listable, listCalls } from './listing.ts'
import { callingProjects, FailedCall } from './project-names.ts'
import { resourceCalls } from './resource-calls.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import type { ProviderHandlers } from './wire/services.ts'
import { explainedBefore } from './same-cause.ts'
import { NEVER_CONFIGURED } from './words/configuration.ts'
import { ARGUMENTS, asBefore, failed } from './words/failures.ts'

/**
 * The calls of Terraform's plugin protocol over the definitions and the engine. One provider, one configuration.
 *
 * @param debug takes a line for each request
 */
export const providerHandlers = (
  kinds: readonly KindDefinition[],
  dataSources: readonly DataSourceDefinition[],
  env: Environment,
  debug: (line: string) => void = () => undefined,
): ProviderHandlers => {
  const resources = servedBy(kinds, resourceBlock)
  const sources = servedBy(dataSources, dataSourceBlock)
  const listed = listable(kinds)
  const lineOf = requestLines(kinds, dataSources)
  const note: Surroundings['note'] = (event, privateKey) =>
    debug(withoutSecrets(lineOf(event), standsOut(privateKey) ? formsOf(privateKey) : []))
  let connection: Connection = { unconfigured: NEVER_CONFIGURED }
  return {
    ...schemaCalls(resources, sources, listed),
    validateProviderConfig: ({ config }) => ({
      diagnostics: messages(validateProvider(objectIn(config, providerBlock))),
    }),
    configureProvider: async ({ config }, { signal }) => {
      const given = objectIn(config, providerBlock)
      try {
        connection = await configure(given, { env, signal, note, kinds })
        return {}
      } catch (error) {
        return { diagnostics: messages([configurationFailed(error, given)]) }
      }
    },
    ...callingProjects(
      {
        ...resourceCalls(resources, () => connection),
        ...dataSourceCalls(sources, () => connection),
        ...listCalls(listed, resources, () => connection),
      },
      () => (isConfigured(connection) ? connection.projectNames : new Map()),
      (error) => {
        const code = isConfigured(connection) ? explainedBefore(error, connection.said) : undefined
        return code === undefined ? describeFailure(error) : messages([errorAt(undefined, asBefore(code))])
      },
    ),
  }
}

/** A failed request says its code, its place and what to do, as it does for the command. */
export const describeFailure = (error: unknown): Diagnostic[] =>
  error instanceof FailedCall ? error.diagnostics : messages([errorAt(undefined, failed(error))])

const schemaCalls = (
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

const dataSourceCalls = (
  sources: ServedByType<DataSourceDefinition>,
  connected: () => Connection,
): Pick<ProviderHandlers, 'validateDataResourceConfig' | 'readDataSource'> => ({
  validateDataResourceConfig: ({ typeName, config }) => {
    const it = find(sources, typeName)
    return { diagnostics: messages(validateDataSource(it, objectIn(config, it.block))) }
  },
  readDataSource: async ({ typeName, config }) => {
    const { definition, block } = find(sources, typeName)
    const connection = connected()
    if (!isConfigured(connection)) return { diagnostics: messages([unconfigured(connection)]) }
    const { client } = connection
    const given = objectIn(config, block)
    try {
      const read = await readDataAttributes(definition, given, (values) =>
        readDataSource(client, definition, values, ARGUMENTS),
      )
      return { state: valueOf(read, block) }
    } catch (error) {
      const argument = missingArgument(error, given)
      if (argument === undefined) throw error
      return { diagnostics: messages([errorAt(argument, failed(error))]) }
    }
  },
})
