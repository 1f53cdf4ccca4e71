/**
 * Writes the provider's release and a filesystem mirror into `dist/`. Run by `npm run package:provider`:
 *
 *     npm run package:provider -- [--platform NAME]... [--quick] [FOLDER]
 *
 * Without names it is for all platforms; with `--quick` archives are larger and made sooner.
 */
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { platformsNamed } from '../release/platforms.ts'
import { writeProviderRelease } from './release.ts'

const SOURCE = ['registry.terraform.io', 'deploymgmt', 'deploymgmt']

const { values, positionals } = parseArgs({
  options: {
    platform: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const dist = positionals[0] ?? join(import.meta.dirname, '..', '..', 'dist')
const [release, mirror] = [join(dist, 'provider'), join(dist, 'mirror', ...SOURCE)]
for (const folder of [release, join(dist, 'mirror')]) await rm(folder, { recursive: true, force: true })
const platforms = platformsNamed(values.platform)
const names = await writeProviderRelease(release, platforms, values.quick ? 1 : 9)
await mkdir(mirror, { recursive: true })
for (const name of names.filter((each) => each.endsWith('.zip')))
  await copyFile(join(release, name), join(mirror, name))
process.stdout.write(`provider and mirror for ${platforms.map(({ name }) => name).join(', ')}: ${dist}\n`)
