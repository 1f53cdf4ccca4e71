import { camelToKebab } from '@deploymgmt/provider/core'
import { dataSources } from '@deploymgmt/provider/data-sources'
import type { Command, Option } from 'commander'
import { UsageError } from '../errors/index.ts'
import { print, type Io } from '../io.ts'
import { isShell, type Shell } from './line/shells.ts'
import { TEMPLATES } from './init/templates.ts'
import { knownTypes } from './silence/kind.ts'

/** Prints a completion script, generated from the command table. */
export const completion = async (io: Io, program: Command, shell: string): Promise<number> => {
  const scripts: Readonly<Record<Shell, (words: readonly Words[]) => string>> = { bash, zsh, fish }
  const script = isShell(shell) ? scripts[shell] : undefined
  if (script === undefined)
    throw new UsageError(`there is no completion for "${shell}"`, {
      hint: 'There is one for bash, zsh and fish.',
    })
  await print(io.stdout, script(wordsOf(program)))
  return 0
}

/** What can follow a command: subcommands, values of its argument, and options. */
interface Words {
  readonly path: string
  readonly next: readonly string[]
  /** The options that a value follows, with the values that are known; where there are none, it can be a file. */
  readonly valued: readonly Valued[]
}

interface Valued {
  readonly flags: readonly string[]
  readonly values: readonly string[]
}

const wordsOf = (program: Command): Words[] => {
  const of = (command: Command, path: string): Words[] => {
    const help = command.createHelp()
    const commands = help.visibleCommands(command).map((each) => each.name())
    return [
      {
        path,
        next: [
          ...commands,
          ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
          ...help.visibleOptions(command).flatMap(wholeWords),
        ],
        valued: help.visibleOptions(command).flatMap((option) => valuedBy(option, path)),
      },
      ...command.commands.flatMap((each) => of(each, within(path, each.name()))),
      ...(commands.includes('help') ? helped(command, within(path, 'help')) : []),
    ]
  }
  return of(program, '')
}

/** An option can have two names, usually one with a single letter. */
const wholeWords = ({ short, long }: Option): string[] =>
  [short, long].flatMap((flag) => (flag?.startsWith('--') === true ? [flag] : []))

const valuedBy = ({ short, long, required, argChoices }: Option, path: string): Valued[] => {
  const values = argChoices ?? KNOWN_VALUES.get(`${path} ${long}`) ?? []
  return required ? [{ flags: [short, long].flatMap((flag) => flag ?? []), values }] : []
}

/** By command and flag: values of which several can be given, or which are checked with the other arguments. */
const KNOWN_VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ['inventory --only', dataSources.flatMap(({ name, inventory }) => (inventory === undefined ? [] : name))],
  ['silence --types', knownTypes()],
  ['init --template', TEMPLATES],
  ...dataSources.flatMap(({ name, arguments: fields }) =>
    Object.entries(fields).flatMap(([field, { type }]): (readonly [string, readonly string[]])[] =>
      type.is === 'enum' ? [[`get ${name} --${camelToKebab(field)}`, type.values]] : [],
    ),
  ),
])

/** What can follow `help`: the commands that have help. */
const helped = (command: Command, path: string): Words[] => [
  { path, next: command.commands.map((each) => each.name()), valued: [] },
  ...command.commands
    .filter((each) => each.commands.length > 0)
    .flatMap((each) => helped(each, within(path, each.name()))),
]

const within = (path: string, name: string): string => `${path} ${name}`.trim()

const pattern = ({ path }: Words): string => `'${path}'`

const cases = (words: readonly Words[]): string =>
  words.map((each) => `    ${pattern(each)}) offers='${each.next.join(' ')}' ;;`).join('\n')

/** By the command and the flag before the cursor. */
const casesOfValues = (words: readonly Words[]): string => {
  const all = words.flatMap(({ path, valued }) =>
    valued.flatMap(({ flags, values }) =>
      flags.map((flag) => ({ at: `'${path} ${flag}'`, offers: values.join(' ') })),
    ),
  )
  return [...Map.groupBy(all, ({ offers }) => offers)]
    .map(([offers, alike]) => `    ${alike.map(({ at }) => at).join('|')}) offers='${offers}' ;;`)
    .join('\n')
}

const bash = (words: readonly Words[]): string =>
  `# deploymgmt completion bash > /etc/bash_completion.d/deploymgmt
${offering(words)}`

/** zsh loads this file from its path on the first completion, which must be answered, too. */
const zsh = (words: readonly Words[]): string => `#compdef deploymgmt
# deploymgmt completion zsh > "\${fpath[1]}/_deploymgmt"
autoload -U +X bashcompinit && bashcompinit
${offering(words)}
if [[ \${funcstack[1]} == _deploymgmt ]]; then
  _bash_complete -o default -F _deploymgmt
fi`

/**
 * Only words that are commands lead further; after `--` comes another command. In zsh, `path` and `words` have
 * special meanings.
 */
const offering = (words: readonly Words[]): string => `_deploymgmt() {
  local at='' word offers='' ended='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == -- ]] && return
    [[ -n $ended ]] && continue
    case "\${at:+$at }$word" in
    ${words
      .filter(({ path }) => path !== '')
      .map(pattern)
      .join('|')}) at="\${at:+$at }$word" ;;
    *) ended=1 ;;
    esac
  done
  case "$at" in
${cases(words)}
  esac
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${casesOfValues(words)}
  esac
  COMPREPLY=($(compgen -W "$offers" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _deploymgmt deploymgmt`

const fish = (words: readonly Words[]): string =>
  [
    `# deploymgmt completion fish > ~/.config/fish/completions/deploymgmt.fish
function __deploymgmt_at
    set -l known ${words
      .filter(({ path }) => path !== '')
      .map(pattern)
      .join(' ')}
    set -l path ''
    set -l given (commandline -opc)
    contains -- -- $given; and return 1
    for word in $given[2..-1]
        set -l next (string trim -- "$path $word")
        contains -- "$next" $known; or break
        set path $next
    end
    test "$path" = "$argv[1]"
end`,
    ...words.flatMap((each) =>
      each.next.map((word) =>
        word.startsWith('--')
          ? `complete -c deploymgmt -n "__deploymgmt_at ${pattern(each)}" -l ${word.slice(2)}${valueIn(each, word)}`
          : `complete -c deploymgmt -f -n "__deploymgmt_at ${pattern(each)}" -a ${word}`,
      ),
    ),
  ].join('\n')

/** In fish, `-x` says that a value follows that is no file, and `-r` that any value follows. */
const valueIn = ({ valued }: Words, flag: string): string => {
  const found = valued.find(({ flags }) => flags.includes(flag))
  if (found === undefined) return ''
  return found.values.length === 0 ? ' -r' : ` -x -a '${found.values.join(' ')}'`
}
