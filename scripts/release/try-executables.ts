/**
 * Unpacks the executables for this machine, and runs the quickstart and the Terraform tests with them, without a
 * Node on PATH. Run by `npm run test:executables`; the files and the name of a test go to vitest. With `--wine`, they are
 * the executables for Windows, run by Wine.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PROVIDER_ADDRESS } from '../../provider/terraform/provider-address.ts'
import { writeProvider } from '../provider/release.ts'
import { scriptArguments } from '../script-arguments.ts'
import { versionOf } from '../workspace-version.ts'
import { writeCommand } from './command.ts'
import { ownPlatform, platformsNamed } from './platforms.ts'
import { type Wine, wineIn } from './wine.ts'

const root = join(import.meta.dirname, '..', '..')

const run = async (words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> => {
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${String(code)}.`)
}

/**
 * Terraform's settings: an override starts the provider without an init, and a mirror serves configurations that
 * need an init, such as those with a backend.
 */
const settingsFor = async (name: string, provider: string, mirror: string): Promise<string> => {
  const versions = join(mirror, PROVIDER_ADDRESS, await versionOf('provider'))
  await mkdir(versions, { recursive: true })
  await symlink(provider, join(versions, name))
  return `provider_installation {
  dev_overrides {
    "${PROVIDER_ADDRESS}" = ${JSON.stringify(provider)}
  }
  filesystem_mirror {
    path = ${JSON.stringify(mirror)}
  }
}
`
}

const USAGE = 'npm run test:executables -- [--wine] [-t NAME] [FILE]...'
const { values, positionals } = scriptArguments(USAGE, () =>
  parseArgs({
    options: { wine: { type: 'boolean', default: false }, testNamePattern: { type: 'string', short: 't' } },
    allowPositionals: true,
  }),
)
const isWindows = values.wine

const own = ownPlatform()
const [meant] = isWindows ? platformsNamed(['windows_amd64']) : [own]
if (own === undefined || meant?.runtime === undefined)
  throw new Error('There are no executables for this machine.')
const platform = { ...meant, runtime: meant.runtime }

const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-executables-'))
let wine: Wine | undefined
try {
  if (isWindows) wine = await wineIn(folder)
  const [command, provider] = [join(folder, 'command'), join(folder, 'provider')]
  const name = `terraform-provider-deploymgmt_v${await versionOf('provider')}`
  if (wine === undefined) {
    await writeCommand(platform, command)
    await writeProvider(platform, provider)
  } else {
    const unpacked = join(folder, 'unpacked')
    await writeCommand(platform, join(unpacked, 'command'))
    await writeProvider(platform, join(unpacked, 'provider'))
    await wine.starter(join(unpacked, 'command', 'deploymgmt.exe'), join(command, 'deploymgmt'))
    await wine.starter(join(unpacked, 'provider', `${name}.exe`), join(provider, name))
  }
  await writeFile(
    join(folder, 'settings.tfrc'),
    await settingsFor(own.name, provider, join(folder, 'mirror')),
  )
  await run([join(root, 'examples', 'quickstart', 'quickstart.ts')], {
    ...process.env,
    PATH: '',
    DEPLOYMGMT_COMMAND: join(command, 'deploymgmt'),
  })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  // Each of Terraform's starts takes seconds with Wine.
  const patience = isWindows ? ['--testTimeout=900000', '--hookTimeout=900000'] : []
  const files = isWindows ? 'test/terraform/changing.test.ts' : 'test/terraform'
  const named = values.testNamePattern === undefined ? [] : ['-t', values.testNamePattern]
  await run([vitest, 'run', ...patience, ...named, ...(positionals.length > 0 ? positionals : [files])], {
    ...process.env,
    DEPLOYMGMT_TEST_EXECUTABLES: folder,
  })
} finally {
  try {
    await wine?.end()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
