import { formsOf, standsOut, withoutSecrets, type Environment } from '../api/index.ts'
import {
  dataSourceBlock,
  providerBlock,
  resourceBlock,
  type DataSourceDefinition,
  type KindDefinition,
} from '../core/index.ts'
import { requestLines } from '../words/index.ts'
import { dataSourceCalls } from './calls/data-sources.ts'
import { listable, listCalls } from './calls/listing.ts'
import { callingProjects, FailedCall } from './calls/project-names.ts'
import { resourceCalls } from './calls/resources.ts'
import { explainedBefore } from './calls/same-cause.ts'
import { schemaCalls } from './calls/schemas.ts'
import { messages, objectIn, servedBy } from './codec/served.ts'
import {
  configurationFailed,
  configure,
  validateProvider,
  type ConfigureContext,
} from './connection/configure.ts'
import { isConfigured, type Connection } from './connection/connection.ts'
import { SaidOnce } from './connection/said-once.ts'
import { errorAt } from './diagnostics.ts'
import type { DiagnosticMessage } from './wire/common-messages.ts'
import type { ProviderHandlers } from './wire/services.ts'
import { NEVER_CONFIGURED } from './words/configuration.ts'
import { asBefore, failed } from './words/failures.ts'

/**
 * The calls of Terraform's plugin protocol, on top of the definitions and the engine. One provider has one
 * configuration.
 * @param debug receives a line for each request
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
  const note: ConfigureContext['note'] = (event, privateKey) =>
    debug(withoutSecrets(lineOf(event), standsOut(privateKey) ? formsOf(privateKey) : []))
  let connection: Connection = { unconfigured: NEVER_CONFIGURED, saidOnce: new SaidOnce() }
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
        const code = isConfigured(connection) ? explainedBefore(error, connection.saidOnce) : undefined
        return code === undefined ? describeFailure(error) : messages([errorAt(undefined, asBefore(code))])
      },
    ),
  }
}

/** The diagnostics of a failed request: its code, its place and what to do, as the command says them. */
export const describeFailure = (error: unknown): DiagnosticMessage[] =>
  error instanceof FailedCall ? error.diagnostics : messages([errorAt(undefined, failed(error))])
