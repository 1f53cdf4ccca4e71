import { camelToKebab, type DataSourceDefinition } from '@deploymgmt/provider/core'
import { checkArguments, readDataSource } from '@deploymgmt/provider/engine'
import { ArgumentError } from '@deploymgmt/provider/errors'
import type { Io } from '../io.ts'
import { writeOutput } from './output.ts'
import { renderRead, toJson } from '../render/index.ts'
import type { CommonOptions } from './options.ts'
import { styleOf } from './style.ts'
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
  return withClient(io, options, async (client) => {
    const result = await readDataSource(client, definition, given)
    await writeOutput(
      io,
      options,
      options.format === 'json'
        ? toJson(result, { indent: 2 })
        : renderRead(definition.name, result, styleOf(io, options)),
    )
    return 0
  })
}
