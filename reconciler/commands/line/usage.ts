import { nearest } from '@deploymgmt/provider/core'
import { didYouMean } from '@deploymgmt/provider/core/text'
import type { Command, CommanderError } from 'commander'
import { UsageError } from '../../errors/usage-error.ts'
import { shellWord } from '../../text/display.ts'
import { commandBehind, inFront } from './in-front.ts'

/** Turns a parse error of the library into our error, which names the command whose help to read. */
export const usageOf = (
  { message }: CommanderError,
  program: Command,
  argv: readonly string[],
): UsageError => {
  const { command, path } = commandIn(program, argv)
  const said = withHabit(sentenceOf(message), path)
  const [, flag] = /^unknown option '(--[^=']+)=/.exec(said) ?? []
  const isSwitch = command.options.some(
    ({ long, required, optional }) => long === flag && !required && !optional,
  )
  const [, unknown] = /^unknown option '([^=']+)/.exec(said) ?? []
  // Terraform's flags have one dash.
  const dashed =
    unknown === undefined ? undefined : command.options.find(({ long }) => long === `-${unknown}`)
  if (dashed !== undefined)
    return new UsageError(`${said}${didYouMean(dashed.long)}`, { hint: helpFor(path) })
  const behind = unknown === undefined ? undefined : commandBehind(unknown, command, argv.slice(path.length))
  if (unknown !== undefined && behind !== undefined) return inFront(unknown, behind)
  return new UsageError(flag !== undefined && isSwitch ? `${flag} takes no value` : said, {
    hint: hintForManifest(said, command) ?? helpFor(path),
  })
}

/** What other tools call our commands, and ours without their group, by the words typed. */
const HABITS: ReadonlyMap<string, string> = new Map([
  ['accept', 'drift accept'],
  ['check', 'validate'],
  ['deploy', 'apply'],
  ['diff', 'plan'],
  ['events', 'get organization_events'],
  ['force-unlock', 'state unlock'],
  ['forget', 'state forget'],
  ['import', 'adopt'],
  ['lint', 'validate'],
  ['list', 'state list'],
  ['mv', 'state mv'],
  ['preview', 'plan'],
  ['refresh', 'drift'],
  ['report', 'drift'],
  ['show', 'state show'],
  ['status', 'drift'],
  ['unlock', 'state unlock'],
  ['up', 'apply'],
  ['version', '--version'],
  ['state delete', 'forget'],
  ['state remove', 'forget'],
  ['state rename', 'mv'],
  ['state rm', 'forget'],
])

/** A habit beats a similar spelling: `remove` is not meant as `resolve`. */
const withHabit = (said: string, path: readonly string[]): string => {
  const [unknown, word = ''] = /^unknown command '([^']+)'/.exec(said) ?? []
  const meant = HABITS.get([...path, word].join(' '))
  return unknown === undefined || meant === undefined ? said : `${unknown}${didYouMean(meant)}`
}

/** A manifest in the place of an address or of nothing, as it is given to other tools. */
const hintForManifest = (said: string, { options }: Command): string | undefined => {
  const [, word] = /^too many arguments .* got 1: (\S+\.(?:ya?ml|json)|\.{1,2}|\S*\/)\.$/.exec(said) ?? []
  return word === undefined || !options.some(({ long }) => long === '--file')
    ? undefined
    : `A manifest is named with a flag: -f ${shellWord(word)}`
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
  return meant === undefined ? `${refused}. ${allowed}` : `${refused}${didYouMean(meant)} ${allowed}`
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

/**
 * A command with subcommands that also runs by itself would report a misspelt subcommand as an excess word, or
 * refuse its flags.
 *
 * @throws UsageError
 */
export const refuseMisspelt = (word: string, known: readonly string[]): void => {
  const meant = nearest(word, known)
  if (meant !== undefined) throw new UsageError(`unknown command '${word}'${didYouMean(meant)}`)
}
