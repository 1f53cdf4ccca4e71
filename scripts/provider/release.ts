import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { bundleProvider } from './bundle.ts'

const root = join(import.meta.dirname, '..', '..')
export const PLATFORMS = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64', 'windows_amd64']
const SOURCE = ['registry.terraform.io', 'deploymgmt', 'deploymgmt']

/** The provider's sources begin here. */
export const ENTRY = join(root, 'provider', 'terraform', 'plugin', 'main.ts')

/**
 * Writes what a registry and what a machine without one need: `release/` (a zip for each platform,
 * SHA256SUMS, the registry's manifest) and `mirror/` (a filesystem mirror, unpacked and packed).
 */
export const writeRelease = async (dist: string): Promise<{ version: string; executable: string }> => {
  const { version } = JSON.parse(await readFile(join(root, 'provider', 'package.json'), 'utf8')) as {
    version: string
  }
  // The ending matters: a plain name would be read as a module beneath a package.json that says so.
  const executable = `terraform-provider-deploymgmt_v${version}.cjs`
  const [release, mirror] = [join(dist, 'release'), join(dist, 'mirror', ...SOURCE)]
  for (const folder of ['provider', 'release', 'mirror'])
    await rm(join(dist, folder), { recursive: true, force: true })
  await mkdir(release, { recursive: true })
  await mkdir(mirror, { recursive: true })
  const bundle = join(dist, 'provider', executable)
  await bundleProvider(ENTRY, bundle)
  const names: string[] = []
  for (const platform of PLATFORMS) {
    const name = `terraform-provider-deploymgmt_${version}_${platform}.zip`
    await zip(bundle, executable, join(release, name))
    await copyFile(join(release, name), join(mirror, name))
    const unpacked = join(mirror, version, platform)
    await mkdir(unpacked, { recursive: true })
    await copyFile(bundle, join(unpacked, executable))
    names.push(name)
  }
  const manifest = `terraform-provider-deploymgmt_${version}_manifest.json`
  const protocols = { version: 1, metadata: { protocol_versions: ['6.0'] } }
  await writeFile(join(release, manifest), `${JSON.stringify(protocols, undefined, 2)}\n`)
  const sums = await Promise.all([...names, manifest].map((name) => sumLine(release, name)))
  await writeFile(
    join(release, `terraform-provider-deploymgmt_${version}_SHA256SUMS`),
    `${sums.join('\n')}\n`,
  )
  return { version, executable }
}

const sumLine = async (folder: string, name: string): Promise<string> =>
  `${createHash('sha256')
    .update(await readFile(join(folder, name)))
    .digest('hex')}  ${name}`

/** The same content gives the same bytes: a fixed date, and the mode that lets it be executed. */
const zip = async (file: string, name: string, target: string): Promise<void> => {
  const archive = new yazl.ZipFile()
  archive.addFile(file, name, { mtime: new Date('2026-01-01T00:00:00Z'), mode: 0o100755 })
  archive.end()
  await pipeline(archive.outputStream, createWriteStream(target))
}
