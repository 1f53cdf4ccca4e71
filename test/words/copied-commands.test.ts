/**
 * A command at the end of a sentence would be copied with the full stop, as a part of its last word: it stands at the
 * end of a text instead, behind a colon.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, it, test } from 'vitest'
import { programFor } from '../../reconciler/cli.ts'
import { concealingIo, processIo } from '../../reconciler/io.ts'

const root = join(import.meta.dirname, '..', '..')

const namesIn = ({ commands }: Command): string[] =>
  commands.flatMap((command) => [
    ...namesIn(command).map((name) => `${command.name()} ${name}`),
    command.name(),
  ])
const names = namesIn(await programFor(await concealingIo(processIo()), [], () => undefined))

const ARGUMENT = String.raw` ?\$\{[^}]*\}| --?[\w-]+(?:[ =][\w./-]*\w)?| [A-Z][\w-]*`
const COMMAND = new RegExp(
  String.raw`deploymgmt (?:${names.join('|')})(?:${ARGUMENT})*\.(?=\\n|[\s'"\`]|\$\{|$)`,
  'g',
)

const sources = ['provider', 'reconciler', 'constructs', 'service'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /\.(?:ts|cjs)$/.test(each.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/[/\\](?:dist|node_modules|generated)[/\\]/.test(path)),
)

const isComment = (line: string): boolean => /^\s*(?:\/?\*|\/\/)/.test(line)

it('no text has a full stop behind a command', () => {
  const found = sources.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        isComment(line) ? [] : (line.match(COMMAND) ?? []).map((text) => `${path}:${index + 1} ${text}`),
      ),
  )
  expect(sources.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})

test.each([
  ['deploymgmt apply.', 1],
  ['deploymgmt state init --local.', 1],
  ['deploymgmt state init${flags}.', 1],
  ['deploymgmt state disown ${ids[0]}${flags}. Or', 1],
  ['deploymgmt plan --out FILE.', 1],
  ['deploymgmt plan -f deploymgmt.yaml', 0],
  ['deploymgmt apply says so.', 0],
  ['run it: deploymgmt apply', 0],
])('what would be found in %j: %i', (text, count) => {
  expect(text.match(COMMAND) ?? []).toHaveLength(count)
})
