import type { Command } from 'commander'
import { dataSources } from '@deploymgmt/provider/data-sources'
import type { Io } from '../io.ts'
import { common, reporting } from './flags.ts'
import { noSuchName } from './get-name.ts'
import { argumentOptions, getUsage, UNUSED_BY_GET } from './get-options.ts'
import type { CommonOptions } from './options.ts'

/** Each data source is a command of its own, with its arguments as options. */
export const addDataSources = (get: Command, io: Io, report: (code: number) => void): void => {
  const names = dataSources.map(({ name }) => name)
  // What is no name of a data source comes here, with whatever flags stand behind it.
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
    reporting(common(command), 'reading').action(async (options: CommonOptions & Record<string, unknown>) => {
      const given = Object.fromEntries(
        Object.keys(definition.arguments).flatMap((field) =>
          options[field] === undefined ? [] : [[field, options[field]]],
        ),
      )
      report(await (await import('./get.ts')).get(io, options, definition, given))
    })
    for (const option of command.options) option.hidden ||= UNUSED_BY_GET.includes(option.long ?? '')
  }
}
