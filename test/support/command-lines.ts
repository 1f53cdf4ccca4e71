import type { Command, Option } from 'commander'
import { programFor } from '../../reconciler/cli.ts'
import { concealingIo, processIo } from '../../reconciler/io.ts'

/** Fenced blocks of a Markdown page in one of the languages. */
export const blocksOf = (text: string, ...languages: readonly string[]): string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter((match) => languages.includes(match[1] ?? ''))
    .map((match) => match[2] ?? '')

/** The lines of a text that run the command, as words, without comments, pipes and what follows these. */
export const commandLinesIn = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => /(?:^|\$ |- |run: |\s)(?:npx )?deploymgmt ((?!@)[^#|;]*)/.exec(` ${line}`)?.[1])
    .flatMap((line) => (line === undefined ? [] : [wordsOf(line.split('||')[0] ?? '')]))
    .filter((words) => words.length > 0)

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')

/** Why the command line would refuse these words; undefined if it accepts them. Runs nothing. */
export const refusal = async (words: readonly string[]): Promise<string | undefined> => {
  const program = await programFor(await concealingIo(processIo()), ['help', 'get'], () => undefined)
  let command: Command = program
  const rest = [...words]
  const positional: string[] = []
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    // What follows belongs to another command.
    if (word === '--') break
    if (word.startsWith('-')) {
      const option = optionOf(command, word)
      if (option === undefined) return `${command.name()} has no option ${word}`
      if (option.required && !word.includes('=') && rest.shift() === undefined) return `${word} needs a value`
      continue
    }
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined) positional.push(word)
    else command = next
  }
  // A command with subcommands that also does something itself has flags of its own.
  if (command.commands.length > 0 && command.options.length === 0)
    return `${words.join(' ')} names no command`
  const { registeredArguments } = command
  const needed = registeredArguments.filter(({ required }) => required).length
  return positional.length < needed || positional.length > registeredArguments.length
    ? `${command.name()} does not take ${positional.join(' ') || 'nothing'}`
    : undefined
}

const optionOf = (command: Command, word: string): Option | undefined => {
  const name = word.split('=')[0] ?? ''
  const help = ['-h', '--help', '--version', '-V']
  if (help.includes(name)) return command.createOption(name)
  return command.options.find(({ long, short }) => long === name || short === name)
}
