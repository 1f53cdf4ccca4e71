/**
 * Unpacks the executables for this machine, and runs the quickstart and the Terraform tests with them, without a
 * Node on PATH. Run by `npm run test:executables`; arguments after `--` go to vitest.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROVIDER_ADDRESS } from '../../provider/terraform/provider-address.ts'
import { writeProvider } from '../provider/release.ts'
import { versionOf } from '../workspace-version.ts'
import { writeCommand } from './command.ts'
import { ownPlatform } from './platforms.ts'

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

const { runtime, ...platform } = ownPlatform() ?? { name: '', node: ['', ''] as const, runtime: undefined }
if (runtime === undefined) throw new Error('There are no executables for this machine.')
const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-executables-'))
try {
  const [command, provider] = [join(folder, 'command'), join(folder, 'provider')]
  await writeCommand({ ...platform, runtime }, command)
  await writeProvider({ ...platform, runtime }, provider)
  await writeFile(
    join(folder, 'settings.tfrc'),
    await settingsFor(platform.name, provider, join(folder, 'mirror')),
  )
  await run([join(root, 'examples', 'quickstart', 'quickstart.ts')], {
    ...process.env,
    PATH: '',
    DEPLOYMGMT_COMMAND: join(command, 'deploymgmt'),
  })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const words = process.argv.length > 2 ? process.argv.slice(2) : ['test/terraform']
  await run([vitest, 'run', ...words], { ...process.env, DEPLOYMGMT_TEST_EXECUTABLES: folder })
} finally {
  await rm(folder, { recursive: true, force: true })
}
