import type { Block, DataSourceDefinition, Values } from '../../core/index.ts'
import { lackingBounds } from '../../core/check/index.ts'
import { readDataSource, type Listing } from '../../engine/index.ts'
import { NotFoundError } from '../../errors/index.ts'
import { isGiven, known, type Plain } from '../codec/plain.ts'
import { find, messages, objectIn, valueOf, type ServedByType } from '../codec/served.ts'
import { isConfigured, unconfigured, type Connection } from '../connection/connection.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import { argumentsIn, readOnlyIn } from '../value-checks.ts'
import type { ProviderHandlers } from '../wire/services.ts'
import { unbounded } from '../words/configuration.ts'
import { ARGUMENTS, failed } from '../words/failures.ts'

/** The calls about data sources. */
export const dataSourceCalls = (
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

/** What is wrong with the arguments, each at its attribute; unknown values are checked later. */
const validateDataSource = (
  { definition, block }: { readonly definition: DataSourceDefinition; readonly block: Block },
  config: Plain,
): Diagnostic[] => [
  ...readOnlyIn(block, config),
  ...argumentsIn(definition, config),
  ...withoutBounds(definition, config),
]

/** Terraform reads a data source again in each plan. */
const withoutBounds = (definition: DataSourceDefinition, config: Plain): Diagnostic[] => {
  const bounds = lackingBounds(definition, (name) => isGiven(config, name))
  if (bounds === undefined) return []
  const summaries = bounds.map((name) => [name, definition.arguments[name]?.summary ?? ''] as const)
  return [errorAt(bounds[0], unbounded(summaries))]
}

/** Reads, and returns all attributes: results, and the arguments as they were given. */
const readDataAttributes = async (
  definition: DataSourceDefinition,
  config: Plain,
  read: (values: Values) => Promise<Values | Listing>,
): Promise<Plain> => {
  const given = givenIn(definition, config)
  return known({ ...(await read(given)), ...given })
}

const givenIn = ({ arguments: fields }: DataSourceDefinition, { values }: Plain): Values =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, values[name]]))

/**
 * The argument that names what the service does not know: the one that the error names, or the last one in the path.
 */
export const missingArgument = (error: unknown, { values }: Plain): string | undefined => {
  if (!(error instanceof NotFoundError)) return undefined
  const { path, parameters } = error
  const parts = path.split('/')
  const inPath = Object.entries(values)
    .flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []))
    .map(({ name, value }) => ({ name, value, at: parts.indexOf(encodeURIComponent(value)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => b.at - a.at)
  return (inPath.find(({ value }) => parameters.includes(value)) ?? inPath[0])?.name
}
