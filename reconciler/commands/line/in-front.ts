import type { Command, Option } from 'commander'
import { UsageError } from '../../errors/usage-error.ts'

/** An option in front of a command that defines its own options would be lost. @throws UsageError */
export const refuseInFront = (before: Command, command: Command): void => {
  const given = before.options.find((each) => before.getOptionValueSource(each.attributeName()) === 'cli')
  if (given !== undefined) throw inFront(given.long ?? given.flags, command)
}

/** The error for an option in front of a command, whether or not the command has it. */
export const inFront = (flag: string, command: Command): UsageError =>
  new UsageError(has(command, flag) ? `put ${flag} after "${command.name()}"` : `unknown option '${flag}'`, {
    hint: `${pathOf(command)} --help shows what is available.`,
  })

/** A command that follows its own option, and is not the value of an option. */
export const commandBehind = (
  flag: string,
  { options, commands }: Command,
  words: readonly string[],
): Command | undefined =>
  commands.find(
    (each) =>
      has(each, flag) &&
      words.some((word, index) => {
        const isValue = [...options, ...each.options].some(
          (option) => option.required && isNamed(option, words[index - 1] ?? ''),
        )
        return word === each.name() && !isValue
      }),
  )

const has = ({ options }: Command, flag: string): boolean => options.some((option) => isNamed(option, flag))

const isNamed = ({ long, short }: Option, flag: string): boolean => flag === long || flag === short

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
