import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { FOLDER } from './folder.ts'

const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']

/** Settings of this machine are left out. */
const SETTINGS = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

/** Runs git in a folder, without the settings of this machine, and returns what it prints. */
export const git = async (folder: string, ...words: string[]): Promise<string> => {
  const env = { PATH: process.env['PATH'] ?? '', ...SETTINGS }
  const { stdout } = await promisify(execFile)('git', ['-C', folder, ...who, ...words], { env })
  return stdout.trim()
}

type Setting = readonly [key: string, value: string]

/** A setting as git keeps it: `remote.origin.url` is `url` in the section `remote` of `origin`. */
const settingLines = ([key, value]: Setting): string => {
  const [, section, of, name] = /^([^.]+)\.(?:(.+)\.)?([^.]+)$/u.exec(key) ?? []
  const head = of === undefined ? `[${section}]` : `[${section} "${of}"]`
  return `${head}\n\t${name} = ${JSON.stringify(value)}\n`
}

/** What `git init` and `git config` write, without a process for each of hundreds of repositories. */
const initialize = async (folder: string, settings: readonly Setting[]): Promise<void> => {
  await Promise.all(
    ['objects', 'refs', 'hooks'].map((name) => mkdir(join(folder, name), { recursive: true })),
  )
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
  const all: Setting[] = [['core.repositoryFormatVersion', '0'], ['core.fileMode', 'true'], ...settings]
  await writeFile(join(folder, 'config'), all.map(settingLines).join(''))
}

/** An empty bare repository, as on a server; it is removed when the test ends. */
export const bareRepository = async (): Promise<string> => {
  const folder = await mkdtemp(FOLDER)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await initialize(folder, [
    ['core.bare', 'true'],
    // No push looks whether there is anything to tidy up.
    ['receive.autoGC', 'false'],
  ])
  return folder
}

/** Makes a folder a checkout whose remote `origin` has this address, with settings as a pipeline makes them. */
export const checkoutOf = async (
  folder: string,
  address: string,
  ...settings: readonly Setting[]
): Promise<void> => {
  const origin: Setting = ['remote.origin.url', address.replace(/^git\+/u, '')]
  await initialize(join(folder, '.git'), [['core.bare', 'false'], origin, ...settings])
}

/**
 * Sets a file of a branch as others would, who hold no lock, with one process: a clone and a push take twenty.
 *
 * @param text without it, the file is removed
 */
export const pushFile = async (
  bare: string,
  branch: string,
  name: string,
  text: string | undefined,
): Promise<string> => {
  const path = JSON.stringify(name)
  const file = text === undefined ? [`D ${path}`] : [`M 100644 inline ${path}`, ...dataOf(text)]
  const commit = [
    `commit refs/heads/${branch}`,
    'mark :1',
    `committer Test <test@example.com> ${String(Math.floor(Date.now() / 1000))} +0000`,
    ...dataOf(`changes ${name}`),
    `from refs/heads/${branch}^0`,
    ...file,
    'get-mark :1',
    'done',
  ]
  const ran = promisify(execFile)('git', ['-C', bare, 'fast-import', '--quiet', '--done'], {
    env: { PATH: process.env['PATH'] ?? '', ...SETTINGS },
  })
  ran.child.stdin?.end(`${commit.join('\n')}\n`)
  return (await ran).stdout.trim()
}

const dataOf = (text: string): string[] => [`data ${String(Buffer.byteLength(text))}`, text]
