import { createHash } from 'node:crypto'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, parse, resolve } from 'node:path'
import { descriptorOf, readAtMost } from '@deploymgmt/provider/api'
import { didYouMean } from '@deploymgmt/provider/core/text'
import { ManifestNotFoundError } from '../../errors/manifest-not-found-error.ts'
import { shellWord, visible } from '../../text/display.ts'

export const DEFAULT_MANIFEST = 'deploymgmt.yaml'

/** The files to read: the named ones, or the default manifest if none is named. */
export const manifestFiles = (named: readonly string[]): readonly string[] =>
  named.length === 0 ? [DEFAULT_MANIFEST] : named
const LARGEST = 10 * 1024 * 1024

/** A file that was read; `bytes` is undefined if it is larger than a manifest may be. */
export interface ReadFile {
  /** As the user typed it. */
  readonly file: string
  readonly path: string
  readonly bytes: Buffer | undefined
  readonly sha256: string
}

/** A file with the index of its `--file`, counted from 0. */
export type LayeredFile = ReadFile & Found & { readonly layer: number }

interface ReadFiles {
  readonly files: readonly LayeredFile[]
  /** Paths that cannot be opened. */
  readonly lacking: readonly ManifestNotFoundError[]
}

/**
 * The files of `--file`, in the given order; a folder stands for its manifests, sorted by name. A file that is named
 * twice is at its last position.
 *
 * @param others files that are named for other purposes, and so are no manifests of a folder
 * @throws ManifestNotFoundError if all paths can be opened, and none is a manifest
 */
export const readFiles = async (
  named: readonly string[],
  cwd: string,
  others: readonly string[],
): Promise<ReadFiles> => {
  const lacking: ManifestNotFoundError[] = []
  const apart = new Set(await Promise.all(others.map((file) => realOf(file, cwd))))
  const files = new Map<string, Found & { readonly layer: number }>()
  for (const [layer, file] of manifestFiles(named).entries())
    for (const found of await unlessLacking(lacking, () => filesOf(file, cwd))) {
      const path = await realOf(found.file, cwd)
      if (found.folder !== undefined && apart.has(path)) continue
      files.delete(path)
      files.set(path, { ...found, layer })
    }
  const read = await Promise.all(
    [...files.values()].map(({ file, folder, layer }) =>
      unlessLacking(lacking, async () => {
        const path = resolve(cwd, file)
        const each = { folder, layer, ...(await readFile(file, path)) }
        if (folder === undefined && isReport(each)) throw noReport(file)
        // What a manifest from a stream names, and what is beside it, is in the current folder.
        return [isStream(path) ? { ...each, path: join(cwd, basename(path)) } : each]
      }),
    ),
  )
  const manifests = read.flat().filter((each) => !isReport(each))
  if (manifests.length > 0 || lacking.length > 0) return { files: manifests, lacking }
  throw noManifest(read.flat()[0]?.folder ?? DEFAULT_MANIFEST)
}

/** Undefined for a path that cannot be opened, which is noted. */
export const unlessLacking = async <T>(
  lacking: ManifestNotFoundError[],
  action: () => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof ManifestNotFoundError)) throw error
    lacking.push(error)
    return []
  }
}

/** A pipe has no real path. */
const realOf = (file: string, cwd: string): Promise<string> =>
  realpath(resolve(cwd, file)).catch(() => resolve(cwd, file))

interface Found {
  readonly file: string
  /** The folder in which it was found, if it was not named itself. */
  readonly folder?: string | undefined
}

/** A saved plan, a report or a state that was written beside the manifests: no manifest has such a key. */
const isReport = ({ path, bytes }: ReadFile): boolean =>
  /\.json$/i.test(path) && OTHERS.test(bytes?.subarray(0, 1000).toString() ?? '')

const OTHERS =
  /^\s*\{\s*"(?:formatVersion"\s*:|version"\s*:\s*\d+,\s*"name"\s*:\s*"(?:[^"\\]|\\.)*",\s*"baseUrl"\s*:)/

const filesOf = async (file: string, cwd: string): Promise<Found[]> => {
  const path = resolve(cwd, file)
  const folder = await opened(
    { file, path },
    async () => (await stat(path)).isDirectory(),
    () => meantBeside(file, path),
  )
  if (!folder) return [{ file }]
  const entries = await opened({ file, path }, () => readdir(path, { withFileTypes: true }))
  const names = entries
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && isManifest(entry.name))
    .map(({ name }) => name)
  if (names.length > 0)
    return names
      .toSorted((a, b) => (a < b ? -1 : 1))
      .map((name) => ({ file: join(file, name), folder: file }))
  throw noManifest(file)
}

const stemOf = (file: string): string => parse(file).name

/** A manifest in the same folder that may be meant: one with another ending, or with a similar name. */
const meantBeside = async (file: string, path: string): Promise<string | undefined> => {
  // Imported only here, because every command loads this file and few need this.
  const { nearest } = await import('@deploymgmt/provider/core')
  const names = (await readdir(dirname(path)).catch(() => [])).filter(isManifest)
  const given = stemOf(path)
  const stem = given.length > 3 ? nearest(given, names.map(stemOf)) : given
  const meant = names.find((name) => stemOf(name) === stem)
  return meant === undefined ? undefined : join(dirname(file), meant)
}

export const noManifest = (folder: string): ManifestNotFoundError =>
  new ManifestNotFoundError(`the folder ${visible(folder)} has no manifest (*.yaml, *.yml or *.json)`, {
    hint: 'A manifest begins with version: 1 and name. Folders within it are not looked into; name them with --file too.',
  })

const noReport = (file: string): ManifestNotFoundError =>
  new ManifestNotFoundError(`${visible(file)} is no manifest: it is a saved plan, a report or a state`, {
    hint: `To show or carry out a saved plan, name it without --file: deploymgmt apply ${shellWord(file)}`,
  })

// By default, state and accepted drift are beside the manifest, and are no manifests.
const isManifest = (name: string): boolean =>
  /\.(ya?ml|json)$/i.test(name) &&
  !name.startsWith('.') &&
  !name.endsWith('.state.json') &&
  !/\.accepted\.ya?ml$/i.test(name)

/** One file of any name. @param hint for a file that is no manifest @throws ManifestNotFoundError */
export const readFile = (file: string, path: string, hint?: string): Promise<ReadFile> =>
  opened({ file, path, hint }, async () => {
    const bytes = await (isStream(path) ? onceRead(path) : readAtMost(path, LARGEST))
    // A file that is too large is refused before its digest matters.
    const sha256 = createHash('sha256')
      .update(bytes ?? '')
      .digest('hex')
    return { file: visible(file), path, bytes, sha256 }
  })

/** Whether it is a stream of this process, such as stdin, rather than a file in a folder. */
const isStream = (path: string): boolean => descriptorOf(path) !== undefined

/** A run reads its manifests several times, and a stream has its text only once. */
const onceRead = (path: string): Promise<Buffer | undefined> => {
  const reading = streams.get(path) ?? readAtMost(path, LARGEST)
  streams.set(path, reading)
  return reading
}
const streams = new Map<string, Promise<Buffer | undefined>>()

const LINK = 'Mend the link, or remove it.'
const PERMISSIONS = 'Correct its permissions, or those of the folders that it is in.'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'part of its path is not a folder',
  ELOOP: 'its links form a circle',
  ENAMETOOLONG: 'its name is too long',
}

/** What to do, where naming another file is not what helps. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: PERMISSIONS,
  EPERM: PERMISSIONS,
  ELOOP: LINK,
}

interface Opening {
  readonly file: string
  readonly path: string
  readonly hint?: string | undefined
}

const opened = async <T>(
  { file, path, hint }: Opening,
  action: () => Promise<T>,
  meantBy: () => Promise<string | undefined> = async () => undefined,
): Promise<T> => {
  try {
    return await action()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    // Not an error of the system, but a defect of ours.
    if (code === undefined) throw cause
    if (code === 'ENOENT' && (await isLink(path)))
      throw new ManifestNotFoundError(`cannot read ${visible(file)}: it is a link to what does not exist`, {
        hint: hint ?? LINK,
        cause,
      })
    const reason = REASONS[code] ?? `it cannot be opened (${code})`
    const meant = code === 'ENOENT' ? await meantBy() : undefined
    const suggestion = didYouMean(meant && visible(meant))
    throw new ManifestNotFoundError(`cannot read ${visible(file)}: ${reason}${suggestion}`, {
      hint: REMEDIES[code] ?? hint,
      cause,
    })
  }
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )
