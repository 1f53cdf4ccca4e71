import type { Command } from 'commander'

/** What stands behind `--` of a command that runs another one is the other one's, whatever it looks like. */
export const apart = (
  given: readonly string[],
): { readonly words: readonly string[]; readonly behind?: readonly string[] } => {
  const at = given[0] === 'silence' ? given.indexOf('--') : -1
  return at < 0 ? { words: given } : { words: given.slice(0, at), behind: given.slice(at + 1) }
}

/** What was typed, as the library takes it. @throws UsageError where it would take a word for another than is meant */
export const understood = async (program: Command, argv: readonly string[]): Promise<readonly string[]> => {
  if (argv[0] === 'drift') await refuseLoose(argv[1])
  return withoutVainHelp(program, await asKnown(argv))
}

/** Behind a command that runs by itself, too, stand its flags, or a command of its own. */
const refuseLoose = async (word = '-'): Promise<void> => {
  if (word.startsWith('-') || word === 'accept') return
  const { refuseMisspelt } = await import('./line/misspelt.ts')
  refuseMisspelt(word, ['accept'])
}

/**
 * `help state resolve` and `state help resolve` as `state resolve --help`, since the library's own help command looks
 * one level deep, and shows the help above where there is no such command; and the name of a data source with
 * hyphens, as its flags have them, by its own name.
 */
const asKnown = async (argv: readonly string[]): Promise<string[]> => {
  const [first, second = '', ...rest] = argv
  if (first === 'help' && second !== '') return asKnown([second, ...rest, '--help'])
  if (GROUPS.has(first) && second === 'help' && rest.length > 0)
    return asKnown([first ?? '', ...rest, '--help'])
  if (first !== 'get' || argv.length < 2) return [...argv]
  return [first, (await import('./get-commands.ts')).ownName(second), ...rest]
}

/** Commands that have others. */
const GROUPS: ReadonlySet<string | undefined> = new Set(['state', 'get', 'drift', 'silence', 'wait'])

/** Help on what is no command fails as the command itself does: without its flag the library says so. */
const withoutVainHelp = (program: Command, argv: readonly string[]): readonly string[] => {
  let within = program
  for (const word of argv) {
    if (word.startsWith('-') || within.commands.length === 0) return argv
    const found = within.commands.find((each) => each.name() === word)
    if (found === undefined) return argv.filter((each) => each !== '--help' && each !== '-h')
    within = found
  }
  return argv
}
