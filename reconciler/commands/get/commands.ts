import { camelToKebab, type DataSourceDefinition, type Field } from '@deploymgmt/provider/core'
import { InvalidArgumentError, Option } from 'commander'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { OF_PROJECT } from '../../config/evaluation/inherited.ts'
import { common, reporting, type CommonFlag } from '../line/flags.ts'
import { noSuchName } from './no-such-name.ts'
import type { Given } from '../line/given.ts'
import type { CommonOptions } from '../line/options.ts'

/** Each data source is a subcommand, with its arguments as options. */
export const addDataSources = ({ command: get, io, argv, report }: Given): void => {
  const names = dataSources.map(({ name }) => name)
  // Any other word reaches this handler, with all flags behind it.
  get
    .argument('[NAME]')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpCommand(true)
    .action((name: string | undefined) => {
      throw noSuchName(name, names)
    })
  for (const definition of dataSources) {
    const command = get.command(definition.name).description(definition.summary).usage(getUsage(definition))
    for (const option of argumentOptions(definition)) command.addOption(option)
    reporting(
      common(command, [...forNames(definition), 'concurrency', 'local', 'allowHttp', 'trace', 'color']),
      'reading',
    ).action(async (options: CommonOptions & Record<string, unknown>) => {
      const given = Object.fromEntries(
        Object.keys(definition.arguments).flatMap((field) =>
          options[field] === undefined ? [] : [[field, options[field]]],
        ),
      )
      report(await (await import('./get.ts')).get(io, options, definition, { given, argv }))
    })
  }
}

/** The manifest is searched for the name of a project. */
const forNames = ({ arguments: fields }: DataSourceDefinition): CommonFlag[] =>
  Object.keys(fields).some((name) => OF_PROJECT.has(name)) ? ['file', 'var', 'varFile'] : []

/** Other words stay as they were typed: a secret in another spelling would not be recognised as one. */
export const ownName = (word: string): string => {
  const name = word.replaceAll('-', '_')
  return dataSources.some((each) => each.name === name) ? name : word
}

/** The arguments of a data source as flags; all mistakes in them are reported together, elsewhere. */
const argumentOptions = ({ arguments: fields, several }: DataSourceDefinition): Option[] =>
  Object.entries(fields).map(([name, field]) => {
    const isSeveral = several?.argument === name
    const option = new Option(`${alias(name)}${flag(name, field)}`, meaning(field, isSeveral))
    return isSeveral ? option.argParser(allInOne) : option
  })

/** The other data sources also accept several values in one word. */
const allInOne = (value: string, earlier: unknown): string => {
  if (earlier !== undefined)
    throw new InvalidArgumentError('Give it once, with several values separated by commas.')
  return value
}

/** Required arguments are shown in the first line of the help. */
const getUsage = ({ arguments: fields }: DataSourceDefinition): string =>
  [
    ...Object.entries(fields)
      .filter(([, field]) => isRequired(field))
      .map(([name, field]) => flag(name, field)),
    '[options]',
  ].join(' ')

/** The flag by which other commands name a project. */
const alias = (name: string): string => (OF_PROJECT.get(name) === 'id' ? '--project, ' : '')

const flag = (name: string, { type }: Field): string =>
  `--${camelToKebab(name)} ${type.is === 'boolean' ? '[BOOLEAN]' : '<VALUE>'}`

const isRequired = ({ need }: Field): boolean => need === 'always'

const meaning = (field: Field, isSeveral: boolean): string => {
  const { type, summary } = field
  const choices = type.is === 'enum' && !type.open ? [`choices: ${type.values.join(', ')}`] : []
  const marks = [
    ...(isRequired(field) ? ['required'] : []),
    ...(isSeveral ? ['separate several with commas'] : []),
    ...choices,
  ]
  return marks.length === 0 ? summary : `${summary} (${marks.join('; ')})`
}
