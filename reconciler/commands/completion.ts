import type { Command } from 'commander'
import { UsageError } from '../errors/index.ts'
import { print, type Io } from '../io.ts'

/** A completion script, made from the command table itself. */
export const completion = async (io: Io, program: Command, shell: string): Promise<number> => {
  const scripts = new Map(Object.entries({ bash, zsh, fish }))
  const script = scripts.get(shell)
  if (script === undefined)
    throw new UsageError(`there is no completion for "${shell}"`, {
      hint: 'There is one for bash, zsh and fish.',
    })
  await print(io.stdout, script(wordsOf(program)))
  return 0
}

/** What can follow a command: its subcommands and its options. */
interface Words {
  readonly path: string
  readonly next: readonly string[]
}

const wordsOf = (program: Command): Words[] => {
  const of = (command: Command, path: string): Words[] => [
    {
      path,
      next: [
        ...command.commands.map((each) => each.name()),
        ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
        ...command.options.flatMap(({ long, hidden }) => (typeof long === 'string' && !hidden ? [long] : [])),
      ],
    },
    ...command.commands.flatMap((each) => of(each, `${path} ${each.name()}`.trim())),
  ]
  return of(program, '')
}

const cases = (words: readonly Words[]): string =>
  words
    .map(({ path, next }) => `    ${path === '' ? "''" : `'${path}'`}) words='${next.join(' ')}' ;;`)
    .join('\n')

const bash = (
  words: readonly Words[],
): string => `# deploymgmt completion bash > /etc/bash_completion.d/deploymgmt
_deploymgmt() {
  local path='' word words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == -* ]] && break
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _deploymgmt deploymgmt`

const zsh = (words: readonly Words[]): string => `#compdef deploymgmt
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`

const fish = (words: readonly Words[]): string =>
  words
    .flatMap(({ path, next }) => {
      const seen =
        path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1) ?? ''}`
      return next.map((word) =>
        word.startsWith('--')
          ? `complete -c deploymgmt -n '${seen}' -l ${word.slice(2)}`
          : `complete -c deploymgmt -f -n '${seen}' -a ${word}`,
      )
    })
    .join('\n')
