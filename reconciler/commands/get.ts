import { dataSources } from '@deploymgmt/provider/data-sources'
import { nearest } from '@deploymgmt/provider/core'
import { readDataSource } from '@deploymgmt/provider/engine'
import { UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { writeOutput } from '../output.ts'
import { renderRead, toJson } from '../render/index.ts'
import type { CommonOptions } from './options.ts'
import { styleOf } from './style.ts'
import { withClient } from './with-client.ts'

/** Reads a data source: needs no manifest and no state. */
export const get = async (
  io: Io,
  options: CommonOptions,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<number> => {
  const definition = dataSources.find((each) => each.name === name.replaceAll('-', '_'))
  if (definition === undefined) {
    const names = dataSources.map((each) => each.name)
    const close = nearest(name, names)
    throw new UsageError(
      `there is no data source "${name}"${close === undefined ? '' : `; did you mean ${close}?`}`,
      {
        hint: `There are: ${names.join(', ')}.`,
      },
    )
  }
  return withClient(io, options, async (client) => {
    const result = await readDataSource(client, definition, given)
    await writeOutput(
      io,
      options,
      options.format === 'json'
        ? toJson(result, { indent: 2 })
        : renderRead(name, result, styleOf(io, options)),
    )
    return 0
  })
}
