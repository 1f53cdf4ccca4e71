/** Releases of the provider for tests, packed with little compression. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { copyFile, cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ownPlatform } from '../../../scripts/release/platforms.ts'
import { ROOT } from './terraform.ts'

export const OWN_PLATFORM = ownPlatform()?.name ?? 'linux_amd64'

/** Where a mirror keeps the provider's packages. */
export const PLACE = join('mirror', 'registry.terraform.io', 'deploymgmt', 'deploymgmt')

export const zipOf = (platform: string): string => `terraform-provider-deploymgmt_0.1.0_${platform}.zip`

/** Makes a function that does something expensive once; the folder that it fills is removed after the tests. */
const once = (fill: (folder: string) => Promise<void>): (() => Promise<string>) => {
  let made: Promise<string> | undefined
  const make = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'dm-release-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    await fill(folder)
    return folder
  }
  return () => (made ??= make())
}

/** Where it keeps an unpacked one. */
export const unpackedOf = (platform: string): string => join(PLACE, '0.1.0', platform)

/** Runs in a separate process, as npm runs it. */
export const pack = async (platforms: readonly string[], dist: string): Promise<void> => {
  const names = platforms.flatMap((name) => ['--platform', name])
  const script = join(ROOT, 'scripts', 'provider', 'package.ts')
  await promisify(execFile)(process.execPath, [script, '--quick', ...names, dist])
}

/** The release for this machine, including its Node: Terraform reads a hundred megabytes for each command. */
export const released = once((dist) => pack([OWN_PLATFORM], dist))

/** The same provider without a Node of its own, under the name of this machine: it unpacks at once. */
export const light = once(async (dist) => {
  const carried = 'darwin_arm64'
  await pack([carried], dist)
  for (const name of new Set([OWN_PLATFORM, 'linux_amd64'])) {
    await copyFile(join(dist, PLACE, zipOf(carried)), join(dist, PLACE, zipOf(name)))
    await cp(join(dist, unpackedOf(carried)), join(dist, unpackedOf(name)), { recursive: true })
  }
})

/** Writes Terraform settings with a mirror, and returns their path. */
export const settingsFor = async (folder: string, mirror: string): Promise<string> => {
  const path = join(folder, 'settings.tfrc')
  const text = `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`
  await writeFile(path, text)
  return path
}
