import { nearest } from '@deploymgmt/provider/core'
import type { Command, CommanderError } from 'commander'
import { UsageError } from '../../errors/usage-error.ts'
import { commandBehind, inFront } from './in-front.ts'

/** Turns a parse error of the library into our error, which names the command whose help to read. */
export const usageOf = (
  { message }: CommanderError,
  program: Command,
  argv: readonly string[],
): UsageError => {
  const { command, path } = commandIn(program, argv)
  const said = sentenceOf(message)
  const [, flag] = /^unknown option '(--[^=']+)=/.exec(said) ?? []
  const isSwitch = command.options.some(
    ({ long, required, optional }) => long === flag && !required && !optional,
  )
  const [, unknown] = /^unknown option '([^=']+)/.exec(said) ?? []
  const behind = unknown === undefined ? undefined : commandBehind(unknown, command, argv.slice(path.length))
  if (unknown !== undefined && behind !== undefined) return inFront(unknown, behind)
  return new UsageError(flag !== undefined && isSwitch ? `${flag} takes no value` : said, {
    hint: helpFor(path),
  })
}

/** An error of a command that does not say what to do: it names the help of this command, too. */
export const pointingToHelp = (error: UsageError, program: Command, argv: readonly string[]): UsageError => {
  const { message, where, hint } = error
  if (hint !== UsageError.remedy) return error
  return new UsageError(message, { where, hint: helpFor(commandIn(program, argv).path), cause: error })
}

/** Nothing matched below a group of commands, so its help is shown. */
const helpFor = (path: readonly string[]): string | undefined =>
  path.length === 0 ? undefined : `deploymgmt ${path.join(' ')} --help shows what is available.`

/** As one sentence: `unknown command 'plna'; did you mean plan?`. */
const sentenceOf = (message: string): string =>
  message
    .replace(/^error: /, '')
    .replace(/^command-argument value ('.*?') is invalid for argument '(.*?)'/s, '$2 $1 is invalid')
    .replace(/\n\(Did you mean (.+)\)$/s, '; did you mean $1')
    .replace(/('([^'=]*)[^']*' is invalid)\. (Allowed choices are (.+)\.)$/s, withMeant)
    .trim()

const withMeant = (_: string, refused: string, given: string, allowed: string, names: string): string => {
  const known = names.split(', ')
  const meant = nearest(given, known) ?? known.find((name) => isShortFor(given, name))
  return meant === undefined ? `${refused}. ${allowed}` : `${refused}; did you mean ${meant}? ${allowed}`
}

/** Whether all letters of `given` occur in `name` in this order, beginning with the first: `md` for `markdown`. */
const isShortFor = (given: string, name: string): boolean => {
  let at = 0
  for (const letter of name) if (letter === given[at]) at += 1
  return given.length > 1 && given[0] === name[0] && at === given.length
}

/** The command that the words lead to, and these words. */
const commandIn = (
  program: Command,
  argv: readonly string[],
): { readonly command: Command; readonly path: readonly string[] } => {
  let command = program
  const path: string[] = []
  for (const word of argv) {
    const found = command.commands.find((each) => each.name() === word)
    if (found === undefined) break
    command = found
    path.push(word)
  }
  return { command, path }
}
