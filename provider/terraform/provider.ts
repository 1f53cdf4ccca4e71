import {
  dataSourceBlock,
  providerBlock,
  resourceBlock,
  type Block,
  type DataSourceDefinition,
  type KindDefinition,
} from '../core/index.ts'
import { accessFrom, createClient, type Environment } from '../api/index.ts'
import { readDataSource } from '../engine/index.ts'
import { BaseUrlError, CaFileError, InsecureUrlError } from '../errors/index.ts'
import { CoalescedReads } from './shared-reads.ts'
import { isConfigured, notConfigured, type Configured, type Connection } from './connection.ts'
import { missingArgument, readDataAttributes, validateDataSource } from './data-source.ts'
import { diagnosticOf, errorAt, hasErrors, spelt } from './diagnostics.ts'
import { readPrivate, writePrivate } from './codec/private-state.ts'
import { applyResource } from './resource/apply.ts'
import type { ResourceChange } from './resource/change.ts'
import { importResource } from './resource/import.ts'
import { planResource } from './resource/plan.ts'
import { readResource } from './resource/read.ts'
import { foreseeCreation, foreseeUpdate } from './resource/preview.ts'
import { unwatched } from './resource/organization-missing.ts'
import { validateResource } from './resource/validate.ts'
import { blockType, schemaMessage } from './codec/schema.ts'
import type { ClientCapabilities, Diagnostic, DynamicValue } from './wire/common-messages.ts'
import { decodeDynamicValue, decodeRawState, encodeDynamicValue } from './wire/dynamic-value.ts'
import type { ProviderHandlers } from './wire/services.ts'
import { isWhollyKnown, UNKNOWN, type TerraformObject } from './wire/value.ts'

interface Resource {
  readonly definition: KindDefinition
  readonly block: Block
}
interface DataSource {
  readonly definition: DataSourceDefinition
  readonly block: Block
}

/** The calls of Terraform's plugin protocol over the definitions and the engine. One provider, one configuration. */
export const providerHandlers = (
  kinds: readonly KindDefinition[],
  dataSources: readonly DataSourceDefinition[],
  env: Environment,
): ProviderHandlers => {
  const resources = new Map(
    kinds.map((definition): [string, Resource] => {
      const block = resourceBlock(definition)
      return [block.type, { definition, block }]
    }),
  )
  const sources = new Map(
    dataSources.map((definition): [string, DataSource] => {
      const block = dataSourceBlock(definition)
      return [block.type, { definition, block }]
    }),
  )
  let connection: Connection = { unconfigured: 'ConfigureProvider was not called.' }
  const resource = (name: string) => known(resources, name)
  const source = (name: string) => known(sources, name)
  const capabilities = { planDestroy: true, getProviderSchemaOptional: true }

  return {
    getMetadata: () => ({
      serverCapabilities: capabilities,
      resources: [...resources.keys()].map((typeName) => ({ typeName })),
      dataSources: [...sources.keys()].map((typeName) => ({ typeName })),
    }),
    getProviderSchema: () => ({
      provider: schemaMessage(providerBlock),
      resourceSchemas: Object.fromEntries(
        [...resources].map(([name, { block }]) => [name, schemaMessage(block)]),
      ),
      dataSourceSchemas: Object.fromEntries(
        [...sources].map(([name, { block }]) => [name, schemaMessage(block)]),
      ),
      serverCapabilities: capabilities,
    }),
    validateProviderConfig: ({ config }) => ({
      diagnostics: validateProvider(objectIn(config, providerBlock) ?? {}),
    }),
    configureProvider: async ({ config }, { signal }) => {
      try {
        connection = await configure(objectIn(config, providerBlock) ?? {}, env, signal)
        return {}
      } catch (error) {
        return { diagnostics: [diagnosticOf(error, settingOf(error, objectIn(config, providerBlock) ?? {}))] }
      }
    },
    validateResourceConfig: ({ typeName, config, clientCapabilities }) => {
      const it = resource(typeName)
      const given = objectIn(config, it.block) ?? {}
      return {
        diagnostics: say(it.definition, validateResource(it, given, capabilitiesOf(clientCapabilities))),
      }
    },
    validateDataResourceConfig: ({ typeName, config }) => {
      const it = source(typeName)
      return { diagnostics: validateDataSource(it, objectIn(config, it.block) ?? {}) }
    },
    upgradeResourceState: ({ typeName, rawState }) => {
      const { block } = resource(typeName)
      return {
        upgradedState: encodeDynamicValue(decodeRawState(rawState, blockType(block)), blockType(block)),
      }
    },
    readResource: async ({ typeName, currentState, private: kept }) => {
      const { definition, block } = resource(typeName)
      const state = objectIn(currentState, block)
      if (state === null) return { newState: currentState, private: kept }
      if (!isConfigured(connection))
        return { newState: currentState, private: kept, diagnostics: [notConfigured(connection)] }
      const read = await readResource(definition, state, readPrivate(kept), connection)
      return {
        newState: valueOf(read.state, block),
        private: writePrivate(read.private),
        diagnostics: say(definition, [...read.diagnostics, ...unwatched(definition, state, connection)]),
      }
    },
    planResourceChange: async ({ typeName, priorState, proposedNewState, config, priorPrivate }) => {
      const { definition, block } = resource(typeName)
      const [prior, proposed, given] = [
        objectIn(priorState, block),
        objectIn(proposedNewState, block),
        objectIn(config, block),
      ]
      const kept = readPrivate(priorPrivate)
      const made = planResource(definition, { prior, proposed, config: given, kept })
      const live =
        hasErrors(made.diagnostics) || !isConfigured(connection)
          ? []
          : [
              ...(await preview(
                definition,
                { prior, planned: made.planned, config: given, kept },
                connection,
              )),
              ...(prior === null && proposed !== null ? unwatched(definition, given ?? {}, connection) : []),
            ]
      return {
        plannedState: valueOf(made.planned, block),
        requiresReplace: [...made.requiresReplace],
        plannedPrivate: priorPrivate,
        diagnostics: say(definition, [...made.diagnostics, ...live]),
      }
    },
    applyResourceChange: async ({ typeName, priorState, plannedState, config, plannedPrivate }) => {
      const { definition, block } = resource(typeName)
      if (!isConfigured(connection))
        return { newState: priorState, private: plannedPrivate, diagnostics: [notConfigured(connection)] }
      const prior = objectIn(priorState, block)
      const change = {
        prior,
        planned: objectIn(plannedState, block),
        config: objectIn(config, block),
        kept: readPrivate(plannedPrivate),
      }
      const applied = await applyResource(definition, change, connection)
      return {
        newState: valueOf(applied.state, block),
        private: writePrivate(applied.private),
        diagnostics: say(definition, applied.diagnostics),
      }
    },
    importResourceState: ({ typeName, id }) => {
      const { definition, block } = resource(typeName)
      if (!isConfigured(connection)) return { diagnostics: [notConfigured(connection)] }
      const imported = importResource(definition, block, id)
      if ('problem' in imported) return { diagnostics: [imported.problem] }
      const importedAt = new Date(connection.client.serviceNow()).toISOString()
      return {
        importedResources: [
          {
            typeName,
            state: valueOf(imported.state, block),
            private: writePrivate({ records: {}, importedAt }),
          },
        ],
      }
    },
    readDataSource: async ({ typeName, config }) => {
      const { definition, block } = source(typeName)
      if (!isConfigured(connection)) return { diagnostics: [notConfigured(connection)] }
      const given = objectIn(config, block) ?? {}
      const read = (values: Parameters<typeof readDataSource>[2]) =>
        readDataSource((connection as Configured).client, definition, values)
      try {
        return { state: valueOf(await readDataAttributes(definition, given, read), block) }
      } catch (error) {
        const argument = missingArgument(error, given)
        if (argument === undefined) throw error
        return { diagnostics: [diagnosticOf(error, argument)] }
      }
    },
  }
}

const say = (definition: KindDefinition, diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  diagnostics.map((diagnostic) => spelt(definition, diagnostic))

const known = <T>(map: ReadonlyMap<string, T>, name: string): T => {
  const found = map.get(name)
  if (found === undefined) throw new TypeError(`this provider has no ${name}`)
  return found
}

const objectIn = (value: DynamicValue | undefined, block: Block): TerraformObject | null => {
  const decoded = decodeDynamicValue(value, blockType(block))
  return decoded === UNKNOWN ? null : (decoded as TerraformObject | null)
}

const valueOf = (object: TerraformObject | null, block: Block): DynamicValue =>
  encodeDynamicValue(object, blockType(block))

const capabilitiesOf = (capabilities: ClientCapabilities | undefined) => ({
  writeOnlyAttributesAllowed: capabilities?.writeOnlyAttributesAllowed === true,
})

const validateProvider = ({ concurrency }: TerraformObject): Diagnostic[] => {
  if (concurrency === null || concurrency === undefined || concurrency === UNKNOWN) return []
  const count = Number(concurrency)
  return Number.isSafeInteger(count) && count >= 1
    ? []
    : [errorAt('concurrency', 'concurrency has to be a whole number above 0')]
}

/** The attribute that an error is about, where it was given there and not in the environment. */
const settingOf = (error: unknown, config: TerraformObject): string | undefined => {
  const name =
    error instanceof BaseUrlError || error instanceof InsecureUrlError
      ? 'base_url'
      : error instanceof CaFileError
        ? 'ca_file'
        : ''
  return (config[name] ?? null) === null ? undefined : name
}

/** A configuration that is not wholly known makes no client: creations can be planned, nothing else. */
const configure = async (
  config: TerraformObject,
  env: Environment,
  signal: AbortSignal,
): Promise<Connection> => {
  const unknown = Object.entries(config)
    .filter(([, value]) => value === UNKNOWN)
    .map(([name]) => name)
  if (unknown.length > 0)
    return {
      unconfigured: `${unknown.join(', ')} is not known yet; what it depends on has to be applied first.`,
    }
  const text = (name: string): string | undefined =>
    typeof config[name] === 'string' && config[name] !== '' ? config[name] : undefined
  const access = await accessFrom(
    env,
    {
      baseUrl: text('base_url'),
      publicKey: text('public_key'),
      privateKey: text('private_key'),
      caFile: text('ca_file'),
    },
    ' in base_url or there',
  )
  const { caFile, ...rest } = access
  const concurrency =
    config['concurrency'] === null || config['concurrency'] === undefined ? 10 : Number(config['concurrency'])
  // Once Terraform says stop, nothing more is sent, and what is under way is awaited.
  const client = createClient({ ...rest, concurrency, signal, ...(caFile === undefined ? {} : { caFile }) })
  const orgId = text('org_id')
  return {
    client,
    reads: new CoalescedReads(client),
    orgIds: orgId === undefined ? [] : [orgId],
    justApplied: new Set(),
    justReleased: new Map(),
    said: new Set(),
  }
}

/** What would stand in the way, as far as reading tells; said at plan time, and decided again at apply. */
const preview = async (
  definition: KindDefinition,
  change: ResourceChange,
  connection: Configured,
): Promise<Diagnostic[]> => {
  const { prior, planned, config } = change
  if (planned === null || config === null || !isWhollyKnown(config)) return []
  if (prior === null) return foreseeCreation(definition, { planned, config }, connection)
  // Where nothing will be told by an apply, nothing is done by it.
  return planned['evidence'] === UNKNOWN
    ? foreseeUpdate(definition, { ...change, planned, config }, connection)
    : []
}
