import { camelToKebab, type DataSourceDefinition } from '@deploymgmt/provider/core'
import { checkArguments, readDataSource } from '@deploymgmt/provider/engine'
import { ArgumentError } from '@deploymgmt/provider/errors'
import type { Io } from '../io.ts'
import type { CommonOptions } from './options.ts'
import { reporter } from './report.ts'
import { withClient } from './with-client.ts'

/** Reads a data source: needs no manifest and no state. */
export const get = async (
  io: Io,
  options: CommonOptions,
  definition: DataSourceDefinition,
  given: Readonly<Record<string, unknown>>,
): Promise<number> => {
  const { problems } = checkArguments(definition, given)
  if (problems.length > 0)
    throw new ArgumentError(definition.name, problems, {
      spell: (argument) => `--${camelToKebab(argument)}`,
      hint: `deploymgmt get ${definition.name} --help shows its flags. Nothing was sent.`,
    })
  const report = await reporter(io, options, 'reading')
  return withClient(io, options, async (client) => {
    await report({ document: await readDataSource(client, definition, given), name: definition.name })
    return 0
  })
}
