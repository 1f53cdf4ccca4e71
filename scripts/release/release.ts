/**
 * Writes everything that is published into a folder, by default `dist/release`. `DEPLOYMGMT_RELEASE_KEY` has the key for
 * the signature. The three flags are for testing: some platforms, larger archives that are made faster, and no signature.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeProviderRelease } from '../provider/release.ts'
import { scriptArguments } from '../script-arguments.ts'
import { versionOf } from '../workspace-version.ts'
import { type Level, tarball, zip } from './archives.ts'
import { changesOf } from './changes.ts'
import { writeCommand } from './command.ts'
import { packForNpm } from './npm-packages.ts'
import { type Platform, platformsNamed } from './platforms.ts'
import { sbomOf } from './sbom.ts'
import { releaseKey, signFile } from './sign.ts'
import { writeSums } from './sums.ts'

const root = join(import.meta.dirname, '..', '..')

const USAGE = 'npm run release -- [--platform NAME]... [--quick] [--unsigned] [FOLDER]'

const release = async (): Promise<void> => {
  const { values, positionals, platforms } = scriptArguments(USAGE, () => {
    const parsed = parseArgs({
      options: {
        platform: { type: 'string', multiple: true, default: [] },
        quick: { type: 'boolean', default: false },
        unsigned: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    return { ...parsed, platforms: platformsNamed(parsed.values.platform) }
  })
  const target = positionals[0] ?? join(root, 'dist', 'release')
  const level: Level = values.quick ? 1 : 9
  // A missing key is reported before the work starts.
  const key = values.unsigned ? undefined : await releaseKey(process.env)
  const version = await versionOf('reconciler')
  const changes = changesOf(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version)

  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const names = [...(await packForNpm(target)), ...(await writeProviderRelease(target, platforms, level))]
  if (key !== undefined) names.push(basename(await signFile(key, join(target, names.at(-1) ?? ''))))
  names.push(...(await writeCommands(target, version, platforms, level)))
  if (!values.quick) await refuseLarge(target, names)
  const texts = {
    'CHANGES.md': changes,
    [`deploymgmt_${version}_sbom.cdx.json`]: await sbomOf(version, platforms),
    ...(key === undefined ? {} : { 'release-key.asc': key.toPublic().armor() }),
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(target, name), text)
  names.push(...Object.keys(texts))
  await writeSums(target, names.toSorted(), 'SHA256SUMS')
  if (key !== undefined) await signFile(key, join(target, 'SHA256SUMS'))
  const files = await readdir(target)
  process.stdout.write(`version ${version}, ${String(files.length)} files: ${target}\n`)
}

/** Downloaded by every runner, every time. */
const MOST = 45_000_000

const refuseLarge = async (target: string, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    const { size } = await stat(join(target, name))
    if (size > MOST) throw new Error(`${name} has ${String(size)} bytes; ${String(MOST)} are the most.`)
  }
}

const writeCommands = async (
  target: string,
  version: string,
  platforms: readonly Platform[],
  level: Level,
): Promise<string[]> => {
  const names: string[] = []
  for (const platform of platforms) {
    const { runtime } = platform
    if (runtime === undefined) continue
    const base = `deploymgmt_${version}_${platform.name}`
    const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-release-'))
    try {
      await writeCommand({ ...platform, runtime }, join(folder, base))
      const [write, ending] =
        runtime.libraries === undefined ? ([zip, 'zip'] as const) : ([tarball, 'tar.gz'] as const)
      await write(join(folder, base), join(target, `${base}.${ending}`), level)
      names.push(`${base}.${ending}`)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
  return names
}

await release()
