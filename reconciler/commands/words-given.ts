import type { Command } from 'commander'

/** Splits the words at `--`: what follows belongs to the command that `silence` runs, whatever it looks like. */
export const splitAtDashes = (
  given: readonly string[],
): { readonly words: readonly string[]; readonly afterDashes?: readonly string[] } => {
  const at = given[0] === 'silence' ? given.indexOf('--') : -1
  return at < 0 ? { words: given } : { words: given.slice(0, at), afterDashes: given.slice(at + 1) }
}

/** The typed words, in the form that the library parses. @throws UsageError if it would misunderstand a word */
export const asParsed = async (program: Command, argv: readonly string[]): Promise<readonly string[]> => {
  const words = await asSpelled(argv)
  if (words[0] === 'drift') await refuseMisspeltSubcommand(words[1])
  return withoutHelpOfUnknown(program, words)
}

/** `drift` also runs by itself, so the library does not see a misspelt subcommand as one. */
const refuseMisspeltSubcommand = async (word = '-'): Promise<void> => {
  if (word.startsWith('-') || word === 'accept') return
  const { refuseMisspelt } = await import('./line/usage.ts')
  refuseMisspelt(word, ['accept'])
}

/**
 * Rewrites `help state resolve` and `state help resolve` to `state resolve --help`, because the library's own help
 * command looks only one level deep, and shows the parent's help for an unknown command; and the hyphenated name of
 * a data source, as in its flags, to its own name.
 */
const asSpelled = async (argv: readonly string[]): Promise<string[]> => {
  const [first, second = '', ...rest] = argv
  if (first === 'help' && second !== '') return asSpelled([second, ...rest, '--help'])
  if (GROUPS.has(first) && second === 'help' && rest.length > 0)
    return asSpelled([first ?? '', ...rest, '--help'])
  if (first !== 'get' || argv.length < 2) return [...argv]
  return [first, (await import('./get/commands.ts')).ownName(second), ...rest]
}

/** Commands with subcommands. */
const GROUPS: ReadonlySet<string | undefined> = new Set(['state', 'get', 'drift', 'silence', 'wait'])

/** Help for an unknown command fails as the command itself does: without the flag, the library reports that. */
const withoutHelpOfUnknown = (program: Command, argv: readonly string[]): readonly string[] => {
  let within = program
  for (const word of argv) {
    if (word.startsWith('-') || within.commands.length === 0) return argv
    const found = within.commands.find((each) => each.name() === word)
    if (found === undefined) return argv.filter((each) => each !== '--help' && each !== '-h')
    within = found
  }
  return argv
}
