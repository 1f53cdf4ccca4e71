import { resolve } from 'node:path'
import { isUsualId, type Problem } from '@deploymgmt/provider/core/check'
import {
  camelToKebab,
  mapValues,
  nearest,
  type DataSourceDefinition,
  type Values,
} from '@deploymgmt/provider/core'
import { readDataSource, refuseArguments } from '@deploymgmt/provider/engine'
import type { ArgumentWords } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { DEFAULT_MANIFEST, loadDeclaration, OF_PROJECT } from '../config/index.ts'
import { argumentWords } from '../config/wording.ts'
import { exists } from '../disk/files.ts'
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
  const values = await withProjectIds(io, options, fromTexts(definition, given))
  const words = inFlags(definition)
  refuseArguments(definition, values, words)
  const report = await reporter(io, options, 'reading')
  return withClient(io, options, async (client) => {
    await report({ document: await readDataSource(client, definition, values, words), name: definition.name })
    return 0
  })
}

/** A name that the manifest gives to a project stands for its id; without a manifest everything is taken as it is. */
const withProjectIds = async (io: Io, options: CommonOptions, values: Values): Promise<Values> => {
  if (!Object.entries(values).some(isOpen)) return values
  const { file: files, var: vars, varFile: varFiles } = options
  if (files.length === 0 && !(await exists(resolve(io.cwd, DEFAULT_MANIFEST)))) return values
  const { declaration } = await loadDeclaration(
    { files, vars, varFiles, cwd: io.cwd, env: io.env, offline: true },
    kinds,
  )
  const ids = new Map([...declaration.projectNames].map(([id, name]) => [name, id]))
  return mapValues(values, (value, name) => {
    const id = isOpen([name, value]) ? ids.get(String(value)) : undefined
    if (id === undefined) return value
    return OF_PROJECT[name] === 'orgId' ? (declaration.organizations.get(id) ?? value) : id
  })
}

/** Whether it is where a project's id stands, and looks like none. */
const isOpen = ([name, value]: readonly [string, unknown]): boolean =>
  Object.hasOwn(OF_PROJECT, name) && typeof value === 'string' && !isUsualId(value)

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
