import { checkArguments } from '@deploymgmt/provider/core/check'
import { camelToKebab, nearest, type DataSourceDefinition, type Values } from '@deploymgmt/provider/core'
import { readDataSource } from '@deploymgmt/provider/engine'
import { ArgumentError } from '@deploymgmt/provider/errors'
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
  const problems = checkArguments(definition, values).map((problem) => ({
    argument: String(problem.within[0]),
    message: argumentWords(problem, definition, { how: 'written', nearest }),
  }))
  if (problems.length > 0)
    throw new ArgumentError(definition.name, problems, {
      spell: (argument) => `--${camelToKebab(argument)}`,
      hint: `deploymgmt get ${definition.name} --help shows its flags. Nothing was sent.`,
    })
  const report = await reporter(io, options, 'reading')
  return withClient(io, options, async (client) => {
    await report({ document: await readDataSource(client, definition, values), name: definition.name })
    return 0
  })
}

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
