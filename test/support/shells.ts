import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Shell } from '../../reconciler/commands/line/shells.ts'
import { FOLDER } from './folder.ts'

type Lines = readonly (readonly string[])[]

/** What a shell offers after each of these lines, in a folder without files. */
type Ask = (folder: string, script: string, lines: Lines) => Promise<string[]>

const run = promisify(execFile)

const bash: Ask = async (cwd, script, lines) => {
  const asks = lines.map(
    (words) =>
      `COMP_WORDS=(deploymgmt ${words.join(' ')} ''); COMP_CWORD=${words.length + 1}; _deploymgmt; echo "\${COMPREPLY[*]}"`,
  )
  const { stdout } = await run('bash', ['--norc', '-c', `${script}\n${asks.join('\n')}`], { cwd })
  return stdout.split('\n')
}

/**
 * The script is where users put it, so that the first line loads it. The lines are typed into a terminal that zsh
 * makes.
 */
const zsh: Ask = async (cwd, script, lines) => {
  const functions = join(cwd, '..', 'functions')
  await mkdir(functions)
  await writeFile(join(functions, '_deploymgmt'), script)
  await run('zsh', ['-f', '-c', ASK_ZSH, 'ask', ...lines.map(typed)], { cwd })
  return (await readFile(join(cwd, '..', 'offered'), 'utf8')).split('\n')
}
const ASK_ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; fpath=($PWD/../functions $fpath); autoload -U compinit && compinit -u -D'
zpty -w shell 'compadd() { local -a found; builtin compadd -O found "$@"; print -n -r -- "$found " >> ../offered }'
zpty -w shell 'ask() { zle complete-word; BUFFER=; print >> ../offered; print "<<"asked">>" }'
zpty -w shell 'zle -N ask; bindkey "^I" ask; print "<<"ready">>"'
zpty -r shell shown '*<<ready>>*'
for line in "$@"; do
  zpty -w -n shell "$line"$'\\t'
  zpty -r shell shown '*<<asked>>*'
done
`

/** fish offers flags only after dashes, so each line that can go on with a flag is asked for with them, too. */
const fish: Ask = async (cwd, script, lines) => {
  const asks = lines.flatMap((words) => [
    `complete -C "${typed(words)}" | string join ' '`,
    /^--?\w/.test(words.at(-1) ?? '') ? 'true' : `complete -C "${typed(words)}--" | string join ' '`,
  ])
  const { stdout } = await run('fish', ['--no-config', '-c', `${script}\n${asks.map(padded).join('\n')}`], {
    cwd,
  })
  const said = stdout.split('\n')
  return lines.map((_, index) => `${said[2 * index]} ${said[2 * index + 1]}`)
}
const padded = (ask: string): string => `echo (${ask})`

const typed = (words: readonly string[]): string => `deploymgmt ${words.map((each) => `${each} `).join('')}`

const ASKS: Readonly<Record<Shell, Ask>> = { bash, zsh, fish }

/** The shells on this machine; a user may only have bash. */
export const shells = (['bash', 'zsh', 'fish'] as const).filter((shell) => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0
  if (!isThere) console.warn(`Tests of completions are skipped for ${shell}: it is not on PATH.`)
  return isThere
})

/** What a shell offers after each of these lines, with the unchanged script. */
export const offeredBy = async (shell: Shell, script: string, lines: Lines): Promise<string[][]> => {
  const around = await mkdtemp(FOLDER)
  onTestFinished(() => rm(around, { recursive: true, force: true }))
  const folder = join(around, 'empty')
  await mkdir(folder)
  const said = await ASKS[shell](folder, script, lines)
  return lines.map((_, index) => (said[index] ?? '').split(' ').filter((word) => word !== ''))
}
