/**
 * Writes the provider's release and a filesystem mirror into `dist/`, by default for all platforms. With `--quick`,
 * archives are larger and made faster.
 */
import { existsSync } from 'node:fs'
import { copyFile, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PROVIDER_ADDRESS } from '../../provider/terraform/provider-address.ts'
import { platformsNamed } from '../release/platforms.ts'
import { scriptArguments } from '../script-arguments.ts'
import { writeProviderRelease } from './release.ts'

const USAGE = 'npm run package:provider -- [--platform NAME]... [--quick] [FOLDER]'
const { values, positionals, platforms } = scriptArguments(USAGE, () => {
  const parsed = parseArgs({
    options: {
      platform: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  return { ...parsed, platforms: platformsNamed(parsed.values.platform) }
})
const dist = resolve(positionals[0] ?? join(import.meta.dirname, '..', '..', 'dist'))

/** The folder has what a release has signed. */
class ReleasedError extends Error {}

/**
 * Whether the folder contains a release from `npm run release`, which writes there, too. What that lists and signs
 * must stay, and may differ from the mirror.
 */
const isReleased = async (made: string, sums: string): Promise<boolean> => {
  const release = join(dist, 'release')
  if (!existsSync(join(release, 'SHA256SUMS'))) return false
  const [old, now] = await Promise.all([release, made].map((folder) => textOf(join(folder, sums))))
  if (old === now) return true
  throw new ReleasedError(
    `${release} holds a release with other packages of the provider. Remove it, or name another folder: npm run package:provider -- FOLDER`,
  )
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

// Beside the old release until it is complete. Removes what an interrupted run has left.
const made = join(dist, 'packaging')
await rm(made, { recursive: true, force: true })
try {
  const [release, mirror] = [join(made, 'release'), join(made, 'mirror', PROVIDER_ADDRESS)]
  const names = await writeProviderRelease(release, platforms, values.quick ? 1 : 9, mirror)
  for (const name of names.filter((each) => each.endsWith('.zip')))
    await copyFile(join(release, name), join(mirror, name))
  const written = (await isReleased(release, names.at(-1) ?? '')) ? ['mirror'] : ['mirror', 'release']
  for (const name of written) {
    await rm(join(dist, name), { recursive: true, force: true })
    await rename(join(made, name), join(dist, name))
  }
  process.stdout.write(`provider and mirror for ${platforms.map(({ name }) => name).join(', ')}: ${dist}\n`)
} catch (error) {
  if (!(error instanceof ReleasedError)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(made, { recursive: true, force: true })
}
