/**
 * The real `terraform`, next to a service of the test. It is an awaited child process, because the service runs here.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Another program, such as `tofu` or the path of a newer Terraform, for the same tests. */
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

/** Without it, these tests are skipped; in CI they fail. */
export const noTerraform = !hasTerraform && process.env['CI'] !== 'true'
if (noTerraform) console.warn('Tests of the real terraform are skipped: it is not on PATH.')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Both, without Terraform's frames and line breaks, to search for phrases. */
  readonly said: string
}

/** With the Node of the tests first, for what starts with `#!/usr/bin/env node`. */
export const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`

/**
 * A folder with the provider as it is released, made by `npm run test:executables`: Terraform starts that one instead
 * of the provider within this process, and finds no Node.
 */
const EXECUTABLES = process.env['DEPLOYMGMT_TEST_EXECUTABLES']

/** Terraform settings that name it. */
export const EXECUTABLE_SETTINGS = EXECUTABLES === undefined ? undefined : join(EXECUTABLES, 'settings.tfrc')

const hasNoNode = (folder: string): boolean =>
  ['node', 'node.exe'].every((name) => !existsSync(join(folder, name)))

/** A test that installs a provider itself installs the one that needs a Node. */
const pathFor = (isExecutable: boolean): string =>
  isExecutable ? (process.env['PATH'] ?? '').split(delimiter).filter(hasNoNode).join(delimiter) : PATH

const startsExecutable = ({ env }: RunOptions): boolean =>
  EXECUTABLE_SETTINGS !== undefined && env['TF_CLI_CONFIG_FILE'] === EXECUTABLE_SETTINGS

/** A run ends before its garbage matters, and to collect it is a fifth of its work. */
const UNCOLLECTED = { GOGC: 'off', GOMEMLIMIT: '1GiB' }

interface RunOptions {
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
      ...UNCOLLECTED,
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

/** What Terraform always says about an overridden provider. */
const OVERRIDDEN =
  /Warning: Provider development overrides are in effect .*?(?:published releases\.|error unexpectedly\.)/

const plain = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[│╷╵]/g, ' ').replaceAll(/\s+/g, ' ')

/** The contents of all files of an archive, such as a saved plan, or of the named ones; as text to search in. */
export const unzipped = async (archive: string, ...names: string[]): Promise<string> => {
  const options = { encoding: 'latin1', maxBuffer: 1e8 } as const
  return (await promisify(execFile)('unzip', ['-p', archive, ...names], options)).stdout
}
