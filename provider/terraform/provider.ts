import type { Environment } from '../api/index.ts'
import {
  dataSourceBlock,
  providerBlock,
  resourceBlock,
  type Block,
  type DataSourceDefinition,
  type KindDefinition,
} from '../core/index.ts'
import { readDataSource } from '../engine/index.ts'
import { diagnosticMessage } from './codec/diagnostic.ts'
import { attributePath } from './codec/names.ts'
import { known, type Plain } from './codec/plain.ts'
import { readPrivate, writePrivate } from './codec/private-state.ts'
import { blockType, schemaMessage } from './codec/schema.ts'
import { decode, encode } from './codec/values.ts'
import { configurationFailed, configure, validateProvider } from './configure.ts'
import { isConfigured, type Connection } from './connection.ts'
import { missingArgument, readDataAttributes, validateDataSource } from './data-source.ts'
import { failed, NEVER_CONFIGURED, notConfigured } from './words.ts'
import { errorAt, hasErrors, type Diagnostic } from './diagnostics.ts'
import { applyResource } from './resource/apply.ts'
import { importResource } from './resource/import.ts'
import { missingOrganization } from './resource/missing-organization.ts'
import { planResource } from './resource/plan.ts'
import { previewResource } from './resource/preview.ts'
import { readResource } from './resource/read.ts'
import { validateResource } from './resource/validate.ts'
import type { DynamicValue } from './wire/common-messages.ts'
import { decodeDynamicValue, decodeRawState, encodeDynamicValue } from './wire/dynamic-value.ts'
import type { ProviderHandlers } from './wire/services.ts'
import { UNKNOWN, type TerraformObject } from './wire/value.ts'

/** What stands behind a type: its definition, and how its values are spelt. */
interface Served<D> {
  readonly definition: D
  readonly block: Block
}

/** The calls of Terraform's plugin protocol over the definitions and the engine. One provider, one configuration. */
export const providerHandlers = (
  kinds: readonly KindDefinition[],
  dataSources: readonly DataSourceDefinition[],
  env: Environment,
): ProviderHandlers => {
  const resources = servedBy(kinds, resourceBlock)
  const sources = servedBy(dataSources, dataSourceBlock)
  let connection: Connection = { unconfigured: NEVER_CONFIGURED }
  const unconfigured = () =>
    isConfigured(connection) ? [] : [errorAt(undefined, notConfigured(connection.unconfigured))]
  return {
    ...schemaHandlers(resources, sources),
    validateProviderConfig: ({ config }) => ({
      diagnostics: messages(validateProvider(objectIn(config, providerBlock))),
    }),
    configureProvider: async ({ config }, { signal }) => {
      const given = objectIn(config, providerBlock)
      try {
        connection = await configure(given, env, signal)
        return {}
      } catch (error) {
        return { diagnostics: messages([configurationFailed(error, given)]) }
      }
    },
    validateResourceConfig: ({ typeName, config, clientCapabilities }) => {
      const it = find(resources, typeName)
      const writeOnlyAttributesAllowed = clientCapabilities?.writeOnlyAttributesAllowed === true
      const found = validateResource(it, objectIn(config, it.block), { writeOnlyAttributesAllowed })
      return { diagnostics: messages(found) }
    },
    validateDataResourceConfig: ({ typeName, config }) => {
      const it = find(sources, typeName)
      return { diagnostics: messages(validateDataSource(it, objectIn(config, it.block))) }
    },
    upgradeResourceState: ({ typeName, rawState }) => {
      const type = blockType(find(resources, typeName).block)
      return { upgradedState: encodeDynamicValue(decodeRawState(rawState, type), type) }
    },
    readResource: async ({ typeName, currentState, private: kept }) => {
      const it = find(resources, typeName)
      const state = objectOrNull(currentState, it.block)
      if (state === null) return { newState: currentState, private: kept }
      if (!isConfigured(connection))
        return { newState: currentState, private: kept, diagnostics: messages(unconfigured()) }
      const read = await readResource(it.definition, state, readPrivate(kept), connection)
      const unwatched = missingOrganization(it.definition, state, connection)
      return {
        newState: valueOf(read.state, it.block),
        private: writePrivate(read.private),
        diagnostics: messages([...read.diagnostics, ...unwatched]),
      }
    },
    planResourceChange: async ({ typeName, priorState, proposedNewState, config, priorPrivate }) => {
      const it = find(resources, typeName)
      const { definition, block } = it
      const [prior, proposed, given] = [priorState, proposedNewState, config].map((value) =>
        objectOrNull(value, block),
      ) as [Plain | null, Plain | null, Plain | null]
      const kept = readPrivate(priorPrivate)
      const { planned, replacedBy, diagnostics } = planResource(definition, {
        prior,
        proposed,
        config: given,
        kept,
      })
      const told = [...diagnostics]
      if (!hasErrors(diagnostics) && isConfigured(connection)) {
        const change = { prior, planned, config: given, kept }
        told.push(...(await previewResource(definition, change, connection)))
        if (prior === null && proposed !== null)
          told.push(...missingOrganization(definition, given ?? known({}), connection))
      }
      return {
        plannedState: valueOf(planned, block),
        requiresReplace: replacedBy.map(attributePath),
        plannedPrivate: priorPrivate,
        diagnostics: messages(told),
      }
    },
    applyResourceChange: async ({ typeName, priorState, plannedState, config, plannedPrivate }) => {
      const it = find(resources, typeName)
      if (!isConfigured(connection))
        return { newState: priorState, private: plannedPrivate, diagnostics: messages(unconfigured()) }
      const change = {
        prior: objectOrNull(priorState, it.block),
        planned: objectOrNull(plannedState, it.block),
        config: objectOrNull(config, it.block),
        kept: readPrivate(plannedPrivate),
      }
      const applied = await applyResource(it.definition, change, connection)
      return {
        newState: valueOf(applied.state, it.block),
        private: writePrivate(applied.private),
        diagnostics: messages(applied.diagnostics),
      }
    },
    importResourceState: ({ typeName, id }) => {
      const { definition, block } = find(resources, typeName)
      if (!isConfigured(connection)) return { diagnostics: messages(unconfigured()) }
      const imported = importResource(definition, id)
      if ('problem' in imported) return { diagnostics: messages([imported.problem]) }
      const importedAt = new Date(connection.client.serviceNow()).toISOString()
      const kept = writePrivate({ records: {}, importedAt })
      return { importedResources: [{ typeName, state: valueOf(imported.state, block), private: kept }] }
    },
    readDataSource: async ({ typeName, config }) => {
      const { definition, block } = find(sources, typeName)
      if (!isConfigured(connection)) return { diagnostics: messages(unconfigured()) }
      const { client } = connection
      const given = objectIn(config, block)
      try {
        const read = await readDataAttributes(definition, given, (values) =>
          readDataSource(client, definition, values),
        )
        return { state: valueOf(read, block) }
      } catch (error) {
        const argument = missingArgument(error, given)
        if (argument === undefined) throw error
        return { diagnostics: messages([errorAt(argument, failed(error))]) }
      }
    },
  }
}

type ServedByType<D> = ReadonlyMap<string, Served<D>>

const servedBy = <D>(definitions: readonly D[], blockOf: (definition: D) => Block): ServedByType<D> =>
  new Map(
    definitions.map((definition) => {
      const block = blockOf(definition)
      return [block.type, { definition, block }]
    }),
  )

const find = <D>(served: ServedByType<D>, type: string): Served<D> => {
  const found = served.get(type)
  if (found === undefined) throw new TypeError(`this provider has no ${type}`)
  return found
}

const schemaHandlers = (
  resources: ServedByType<KindDefinition>,
  sources: ServedByType<DataSourceDefinition>,
): Pick<ProviderHandlers, 'getMetadata' | 'getProviderSchema'> => {
  const serverCapabilities = { planDestroy: true, getProviderSchemaOptional: true }
  const schemasOf = (served: ServedByType<unknown>) =>
    Object.fromEntries([...served].map(([type, { block }]) => [type, schemaMessage(block)]))
  return {
    getMetadata: () => ({
      serverCapabilities,
      resources: [...resources.keys()].map((typeName) => ({ typeName })),
      dataSources: [...sources.keys()].map((typeName) => ({ typeName })),
    }),
    getProviderSchema: () => ({
      provider: schemaMessage(providerBlock),
      resourceSchemas: schemasOf(resources),
      dataSourceSchemas: schemasOf(sources),
      serverCapabilities,
    }),
  }
}

/** A failed request says its code, its place and what to do, as it does for the command. */
export const describeFailure = (error: unknown) => messages([errorAt(undefined, failed(error))])

const messages = (diagnostics: readonly Diagnostic[]) => diagnostics.map(diagnosticMessage)

const objectOrNull = (value: DynamicValue | undefined, block: Block): Plain | null => {
  const decoded = decodeDynamicValue(value, blockType(block))
  return decoded === null || decoded === UNKNOWN ? null : decode(block.attributes, decoded as TerraformObject)
}

const objectIn = (value: DynamicValue | undefined, block: Block): Plain =>
  objectOrNull(value, block) ?? known({})

const valueOf = (object: Plain | null, block: Block): DynamicValue =>
  encodeDynamicValue(object === null ? null : encode(block.attributes, object), blockType(block))
