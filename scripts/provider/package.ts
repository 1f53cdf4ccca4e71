/**
 * Writes what a registry and what a machine without one need: `dist/release/` (a zip for each platform,
 * SHA256SUMS, the registry's manifest) and `dist/mirror/` (a filesystem mirror, unpacked and packed).
 * Run by `npm run package:provider`.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { bundleProvider } from './bundle.ts'

const root = join(import.meta.dirname, '..', '..')
const PLATFORMS = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64', 'windows_amd64']
const SOURCE = ['registry.terraform.io', 'deploymgmt', 'deploymgmt']

const { version } = JSON.parse(await readFile(join(root, 'provider', 'package.json'), 'utf8')) as {
  version: string
}
// The ending matters: a plain name would be read as a module beneath a package.json that says so.
const executable = `terraform-provider-deploymgmt_v${version}.cjs`
const dist = join(root, 'dist')

const main = async (): Promise<void> => {
  await rm(dist, { recursive: true, force: true })
  const bundle = join(dist, 'provider', executable)
  await bundleProvider(join(root, 'provider', 'terraform', 'main.ts'), bundle)
  const release = join(dist, 'release')
  const mirror = join(dist, 'mirror', ...SOURCE)
  await mkdir(release, { recursive: true })
  await mkdir(mirror, { recursive: true })
  const sums: string[] = []
  for (const platform of PLATFORMS) {
    const name = `terraform-provider-deploymgmt_${version}_${platform}.zip`
    await zip(bundle, join(release, name))
    await copyFile(join(release, name), join(mirror, name))
    const unpacked = join(mirror, version, platform)
    await mkdir(unpacked, { recursive: true })
    await copyFile(bundle, join(unpacked, executable))
    sums.push(await sumLine(release, name))
  }
  const manifest = `terraform-provider-deploymgmt_${version}_manifest.json`
  await writeFile(
    join(release, manifest),
    `${JSON.stringify({ version: 1, metadata: { protocol_versions: ['6.0'] } }, undefined, 2)}\n`,
  )
  sums.push(await sumLine(release, manifest))
  await writeFile(
    join(release, `terraform-provider-deploymgmt_${version}_SHA256SUMS`),
    `${sums.join('\n')}\n`,
  )
  process.stdout.write(
    `${join('dist', 'release')} and ${join('dist', 'mirror')} hold version ${version} for ${PLATFORMS.join(', ')}\n`,
  )
}

const sumLine = async (folder: string, name: string): Promise<string> =>
  `${createHash('sha256')
    .update(await readFile(join(folder, name)))
    .digest('hex')}  ${name}`

/** The same content gives the same bytes: a fixed date, and the mode that lets it be executed. */
const zip = async (file: string, target: string): Promise<void> => {
  const archive = new yazl.ZipFile()
  archive.addFile(file, executable, { mtime: new Date('2026-01-01T00:00:00Z'), mode: 0o100755 })
  archive.end()
  await pipeline(archive.outputStream, createWriteStream(target))
}

await main()
