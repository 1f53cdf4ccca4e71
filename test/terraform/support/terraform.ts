/** The real `terraform`, run beside a service of the test's own; as a child that is waited for, for the service lives here. */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Another one, such as `tofu` or the path of a newer Terraform, runs the same tests. */
const TERRAFORM = process.env['DEPLOYMGMT_TEST_TERRAFORM'] ?? 'terraform'

const isThere = async (name: string): Promise<boolean> => {
  const folders = name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter)
  const tries = folders.map((folder) =>
    access(folder === '' ? name : join(folder, name), constants.X_OK).then(() => true),
  )
  return (await Promise.allSettled(tries)).some(({ status }) => status === 'fulfilled')
}
const hasTerraform = await isThere(TERRAFORM)
if (!hasTerraform && TERRAFORM !== 'terraform')
  throw new Error(`DEPLOYMGMT_TEST_TERRAFORM names ${TERRAFORM}, which is not there.`)

/** Without it these tests are skipped; in CI they fail. */
export const noTerraform = !hasTerraform && process.env['CI'] !== 'true'
if (noTerraform) console.warn('Tests of the real terraform are skipped: it is not on PATH.')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Both, without the frames that Terraform draws and without line breaks: for phrases. */
  readonly said: string
}

/** With the Node of the tests in front, for what is started by `#!/usr/bin/env node`. */
export const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`

/**
 * A folder with the provider as it is released, which `npm run test:executables` lays out: Terraform starts that one in
 * place of the provider within this process, and finds no Node.
 */
const EXECUTABLES = process.env['DEPLOYMGMT_TEST_EXECUTABLES']

/** Settings of Terraform that name it. */
export const EXECUTABLE_SETTINGS = EXECUTABLES === undefined ? undefined : join(EXECUTABLES, 'settings.tfrc')

const hasNoNode = (folder: string): boolean =>
  ['node', 'node.exe'].every((name) => !existsSync(join(folder, name)))

/** A test that installs a provider of its own installs the one that is a program for Node. */
const pathFor = (isExecutable: boolean): string =>
  isExecutable ? (process.env['PATH'] ?? '').split(delimiter).filter(hasNoNode).join(delimiter) : PATH

const startsExecutable = ({ env }: RunOptions): boolean =>
  EXECUTABLE_SETTINGS !== undefined && env['TF_CLI_CONFIG_FILE'] === EXECUTABLE_SETTINGS

export interface RunOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Kills it as `kill -9` does. */
  readonly signal?: AbortSignal
}

export const startTerraform = (words: readonly string[], options: RunOptions) =>
  spawn(TERRAFORM, words, {
    cwd: options.cwd,
    env: {
      HOME: options.cwd,
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      TF_INPUT: '0',
      ...options.env,
      PATH: pathFor(startsExecutable(options)),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

export const runTerraform = (words: readonly string[], options: RunOptions): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = startTerraform(words, options)
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    options.signal?.addEventListener('abort', () => child.kill('SIGKILL'))
    child.on('close', (code) => {
      const said = plain(`${stdout}\n${stderr}`)
      resolve({ code, stdout, stderr, said: startsExecutable(options) ? said.replace(OVERRIDDEN, '') : said })
    })
  })

/** What Terraform says of how it was told of the executable, and not of what a test did. */
const OVERRIDDEN =
  /Warning: Provider development overrides are in effect .*?(?:published releases\.|error unexpectedly\.)/

const plain = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[│╷╵]/g, ' ').replaceAll(/\s+/g, ' ')

/** The bytes of all files of an archive, such as a saved plan, or of those named; as text to search in. */
export const unzipped = async (archive: string, ...names: string[]): Promise<string> => {
  const options = { encoding: 'latin1', maxBuffer: 1e8 } as const
  return (await promisify(execFile)('unzip', ['-p', archive, ...names], options)).stdout
}
