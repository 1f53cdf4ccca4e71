import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noticesOf } from '../command/notices.ts'
import { type Level, zip } from '../release/archives.ts'
import { writeExecutable } from '../release/executable.ts'
import type { Platform } from '../release/platforms.ts'
import { writeSums } from '../release/sums.ts'
import { versionOf } from '../workspace-version.ts'
import { bundleProvider } from './bundle.ts'

const root = join(import.meta.dirname, '..', '..')

/** The entry point of the provider's sources. */
export const ENTRY = join(root, 'provider', 'terraform', 'plugin', 'main.ts')

const NAME = 'terraform-provider-deploymgmt'

/** Writes the unpacked provider for a platform into a folder. */
export const writeProvider = async (platform: Platform, folder: string): Promise<void> => {
  const { runtime } = platform
  const executable = `${NAME}_v${await versionOf('provider')}`
  const writeNotices = async (inputs: readonly string[], name: string): Promise<void> => {
    await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    await writeFile(join(folder, name), await noticesOf(root, inputs, "Terraform's provider deploymgmt"))
  }
  if (runtime === undefined) {
    // The extension matters: a plain name would be a module below a package.json that says so.
    const inputs = await bundleProvider(ENTRY, join(folder, `${executable}.cjs`))
    await writeNotices(inputs, 'THIRD-PARTY-NOTICES.txt')
    return
  }
  const inputs = await bundleProvider(ENTRY, join(folder, 'lib', 'main.cjs'))
  await writeExecutable({ ...platform, runtime }, folder, executable)
  await writeNotices(inputs, join('lib', 'licenses', 'packages.txt'))
}

/**
 * Writes the files for a registry: a zip for each platform, the manifest and their checksums, which are signed
 * later; also writes the contents of the zips into `mirror`, if given. Returns the names, with the checksums last.
 */
export const writeProviderRelease = async (
  target: string,
  platforms: readonly Platform[],
  level: Level,
  mirror?: string,
): Promise<readonly string[]> => {
  const version = await versionOf('provider')
  const begin = `${NAME}_${version}`
  await mkdir(target, { recursive: true })
  const names: string[] = []
  for (const platform of platforms) {
    const folder =
      mirror === undefined
        ? await mkdtemp(join(tmpdir(), 'deploymgmt-provider-'))
        : join(mirror, version, platform.name)
    const name = `${begin}_${platform.name}.zip`
    try {
      await writeProvider(platform, folder)
      await zip(folder, join(target, name), level)
    } finally {
      if (mirror === undefined) await rm(folder, { recursive: true })
    }
    names.push(name)
  }
  const manifest = `${begin}_manifest.json`
  const protocols = { version: 1, metadata: { protocol_versions: ['6.0'] } }
  await writeFile(join(target, manifest), `${JSON.stringify(protocols, undefined, 2)}\n`)
  names.push(manifest)
  const sums = `${begin}_SHA256SUMS`
  await writeSums(target, names, sums)
  return [...names, sums]
}
