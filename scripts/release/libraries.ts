import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { DEBIAN_PACKAGES, type Architecture, type DebianFile, type DebianPackage } from './debian.ts'

/** Writes the loader, the libraries and their licences into a folder. */
export const writeLibraries = async (architecture: Architecture, folder: string): Promise<void> => {
  for (const from of DEBIAN_PACKAGES)
    for (const file of from.files) {
      const target = join(folder, file.name)
      await mkdir(dirname(target), { recursive: true })
      const mode = file.name.startsWith('licenses/') ? 0o644 : 0o755
      await writeFile(target, await contentOf(from, file, architecture), { mode })
    }
}

/** Whether all of them are on this machine, so that nothing has to be downloaded. */
export const areHere = async (architecture: Architecture): Promise<boolean> => {
  const files = DEBIAN_PACKAGES.flatMap((each) => each.files)
  const found = await Promise.all(files.map((file) => foundHere(file, architecture)))
  return found.every((each) => each !== undefined)
}

const foundHere = async ({ of }: DebianFile, architecture: Architecture): Promise<Buffer | undefined> => {
  const [path, sha256] = of[architecture]
  for (const place of [join(CACHE, sha256), path]) {
    const found = await readFile(place).catch(() => undefined)
    if (found !== undefined && sumOf(found) === sha256) return found
  }
  return undefined
}

/**
 * A file by its checksum, from the nearest source: kept from an earlier release, on this machine, or from Debian.
 */
const contentOf = async (
  from: DebianPackage,
  file: DebianFile,
  architecture: Architecture,
): Promise<Buffer> => {
  const here = await foundHere(file, architecture)
  if (here !== undefined) return here
  const [path, sha256] = file.of[architecture]
  const kept = join(CACHE, sha256)
  const fetched = await inPackage(from, architecture, path)
  if (sumOf(fetched) !== sha256)
    throw new Error(`${path} of ${from.name} ${from.version} for ${architecture} is another file: ${sha256}.`)
  await mkdir(CACHE, { recursive: true })
  const written = `${kept}.${String(process.pid)}`
  await writeFile(written, fetched)
  await rename(written, kept)
  return fetched
}

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'deploymgmt-release')

const sumOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** A Debian mirror has the newest versions; https://snapshot.debian.org has all that ever existed. */
const MIRROR = process.env['DEPLOYMGMT_DEBIAN_MIRROR'] ?? 'https://deb.debian.org/debian'

const inPackage = async (
  { name, version, source }: DebianPackage,
  architecture: Architecture,
  path: string,
): Promise<Buffer> => {
  const begin = source.startsWith('lib') ? source.slice(0, 4) : source.slice(0, 1)
  const url = `${MIRROR}/pool/main/${begin}/${source}/${name}_${version}_${architecture}.deb`
  const answer = await fetch(url).catch((error: unknown) => {
    throw new Error(`Debian's ${name} is needed and cannot be had from ${url}.`, { cause: error })
  })
  if (!answer.ok)
    throw new Error(
      `Debian's ${name} is needed and cannot be had: ${url} answers ${String(answer.status)}. ` +
        'Where a mirror has a newer one alone, name a snapshot in DEPLOYMGMT_DEBIAN_MIRROR, or bring scripts/release/debian.ts up to date.',
    )
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-deb-'))
  try {
    const archive = join(folder, 'package.deb')
    await writeFile(archive, Buffer.from(await answer.arrayBuffer()))
    await promisify(execFile)('dpkg-deb', ['-x', archive, folder])
    return await readFile(join(folder, path))
  } finally {
    await rm(folder, { recursive: true })
  }
}
