import type { Problem } from '@deploymgmt/provider/core/check'
import { camelToKebab, nearest, type DataSourceDefinition, type Values } from '@deploymgmt/provider/core'
import { readDataSource, refuseArguments } from '@deploymgmt/provider/engine'
import type { ArgumentWords } from '@deploymgmt/provider/errors'
import { argumentWords } from '../config/wording.ts'
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
  const values = fromTexts(definition, given)
  const words = inFlags(definition)
  refuseArguments(definition, values, words)
  const report = await reporter(io, options, 'reading')
  return withClient(io, options, async (client) => {
    await report({ document: await readDataSource(client, definition, values, words), name: definition.name })
    return 0
  })
}

const inFlags = (definition: DataSourceDefinition): ArgumentWords<Problem> => ({
  says: (problem) =>
    `--${camelToKebab(String(problem.within[0]))} ${argumentWords(problem, definition, { how: 'written', nearest })}`,
  hint: `deploymgmt get ${definition.name} --help shows its flags. Nothing was sent.`,
})

/** A command line gives texts: numbers and truth values are read from them. */
const fromTexts = ({ arguments: fields }: DataSourceDefinition, given: Values): Values =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const is = fields[name]?.type.is
      if (is === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true']
      const isNumber = is === 'integer' && typeof value === 'string' && /^\d+$/.test(value)
      return [name, isNumber ? Number(value) : value]
    }),
  )
