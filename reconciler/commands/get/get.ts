import { resolve } from 'node:path'
import { asSpelled, isUsualId, type Problem } from '@deploymgmt/provider/core/check'
import {
  camelToKebab,
  mapValues,
  nearest,
  zonedTime,
  type DataSourceDefinition,
  type Values,
} from '@deploymgmt/provider/core'
import { readDataSource, readSeveral, refuseArguments } from '@deploymgmt/provider/engine'
import type { ArgumentWords } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  DEFAULT_MANIFEST,
  loadDeclaration,
  loadProjects,
  OF_PROJECT,
  type NamedProjects,
} from '../../config/index.ts'
import { argumentWords } from '../../config/evaluation/wording.ts'
import { exists } from '../../disk/files.ts'
import type { Io } from '../../io.ts'
import { names } from '../line/flags.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'
import { neitherNameNorId } from '../resolve/project.ts'
import { reporter } from '../output/report.ts'
import { withClient } from '../service/with-client.ts'

interface Asked {
  /** By argument. */
  readonly given: Values
  /** The whole command line. */
  readonly argv: readonly string[]
}

/** Reads a data source; needs no manifest and no state. */
export const get = async (
  io: Io,
  options: CommonOptions,
  definition: DataSourceDefinition,
  { given, argv }: Asked,
): Promise<number> => {
  const texts = fromTexts(definition, given)
  const known = await namedProjects(io, options, texts)
  const values = mapValues(texts, (value, name) => idIn(known, name, value) ?? value)
  const flagOf = flagsIn(argv)
  const words = inFlags(definition, flagOf)
  const each = eachOf(definition, values)
  for (const one of each) refuseArguments(definition, one, words)
  refuseNames(known, values, flagOf)
  const report = await reporter(io, options, 'reading')
  return withClient(io, options, async (client) => {
    const document =
      each.length > 1 && isList(definition)
        ? await readSeveral(client, definition, each, words)
        : await readDataSource(client, definition, each[0] ?? values, words)
    await report({
      document,
      name: definition.name,
      fields: definition.result,
      ...(definition.columns && { columns: definition.columns }),
    })
    return 0
  })
}

const isList = (definition: DataSourceDefinition): definition is DataSourceDefinition<'list'> =>
  definition.shape === 'list'

/** The arguments of each reading: a list of names in one word is split. */
const eachOf = ({ several }: DataSourceDefinition, values: Values): readonly Values[] => {
  const given = several === undefined ? undefined : values[several.argument]
  if (several === undefined || typeof given !== 'string') return [values]
  const named = [...new Set(names(given, []))]
  // Only commas are left if shell variables are unset. Such a list is refused as one empty name.
  return (named.length === 0 ? [''] : named).map((name) => ({ ...values, [several.argument]: name }))
}

/** The projects that the manifest names, if one is given or a name can be used; undefined if there is none. */
const namedProjects = async (
  io: Io,
  options: CommonOptions,
  values: Values,
): Promise<NamedProjects | undefined> => {
  const open = openIn(values)
  const isGiven = options.file.length > 0
  if (!isGiven && (open.length === 0 || !(await exists(resolve(io.cwd, DEFAULT_MANIFEST))))) return undefined
  const load = { ...manifestsOf(io, options), offline: true }
  const known = await loadProjects(load, kinds)
  const isTold =
    known !== undefined &&
    open.every(([name, value]) => idIn(known, name, value) !== undefined || !known.names.has(value))
  // If the manifest's projects are incomplete or wrong, loading it reports all mistakes.
  if (!isTold) await loadDeclaration(load, kinds)
  return known
}

const idIn = (known: NamedProjects | undefined, name: string, value: unknown): string | undefined =>
  isOpen(name, value) ? idsFor(known, name)?.get(value) : undefined

const idsFor = (known: NamedProjects | undefined, name: string): ReadonlyMap<string, string> | undefined =>
  OF_PROJECT.get(name) === 'orgId' ? known?.orgIds : known?.ids

/** Values for the id of a project, or of its organization, that do not look like ids. */
const openIn = (values: Values): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) => (isOpen(name, value) ? [[name, value]] : []))

const isOpen = (name: string, value: unknown): value is string =>
  OF_PROJECT.has(name) && typeof value === 'string' && !isUsualId(value)

/**
 * Refuses an unknown name, which cannot be an id that the service knows unless the manifest has ids of that form.
 *
 * @throws UsageError
 */
const refuseNames = (known: NamedProjects | undefined, values: Values, flagOf: FlagOf): void => {
  for (const [name, value] of openIn(values)) {
    const ids = idsFor(known, name) ?? new Map<string, string>()
    if (![...ids.values()].includes(value)) throw neitherNameNorId(flagOf(name), value, [...ids.keys()])
  }
}

type FlagOf = (argument: string) => string

/** The flag of an argument, in the spelling that was given. */
const flagsIn =
  (argv: readonly string[]): FlagOf =>
  (name) =>
    OF_PROJECT.get(name) === 'id' && argv.some((word) => /^--project(?:=|$)/.test(word))
      ? '--project'
      : `--${camelToKebab(name)}`

const inFlags = (definition: DataSourceDefinition, flagOf: FlagOf): ArgumentWords<Problem> => ({
  says: (problem) =>
    `${flagOf(String(problem.within[0]))} ${argumentWords(problem, definition, { how: 'written', nearest })}`,
  hint: `deploymgmt get ${definition.name} --help shows its flags. Nothing was sent.`,
})

/** Parses ids, numbers, booleans and local times, because a command line only has texts. */
const fromTexts = ({ arguments: fields }: DataSourceDefinition, given: Values): Values =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const is = fields[name]?.type.is
      if (is === 'id' && typeof value === 'string') return [name, asSpelled(value)]
      if (is === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true']
      const time = is === 'instant' && typeof value === 'string' ? zonedTime(value) : undefined
      if (time?.is === 'instant') return [name, time.utc]
      const isNumber = is === 'integer' && typeof value === 'string' && /^\d+$/.test(value)
      return [name, isNumber ? Number(value) : value]
    }),
  )
