import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { inWords, nodeFiles, systemCode } from '../../disk/files.ts'
import { OutputError } from '../../errors/index.ts'
import { writeTextFile } from '../output/output.ts'

/** Files of an adoption: earlier ones, and the names of the next ones. */
export interface Series {
  readonly folder: string
  /** The existing files, absolute. */
  readonly earlier: readonly string[]
  /** The name of the next file: for everything, or for one project. */
  readonly next: (project: string) => string
  /** Whether a project has a file of its own. */
  readonly has: (project: string) => boolean
}

/**
 * The names are `deploymgmt.adopted.yaml`, then `deploymgmt.adopted-2.yaml`; for one project
 * `deploymgmt.adopted.PROJECT.yaml`, then `deploymgmt.adopted-2.PROJECT.yaml`.
 * @throws OutputError if the folder does not exist, even if there is nothing to write
 */
export const seriesOf = async (path: string): Promise<Series> => {
  const folder = dirname(path)
  const extension = extname(path)
  const stem = basename(path, extension)
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new OutputError(`the folder cannot be written to: ${inWords(cause)}`, { where: folder, cause })
  })
  const found = names.flatMap((name) => {
    if (!name.startsWith(stem) || !name.endsWith(extension)) return []
    const rest = name.slice(stem.length, name.length - extension.length)
    const parts = /^(?:-(?<number>\d+))?(?:\.(?<project>[A-Za-z0-9_-]+))?$/.exec(rest)?.groups
    const { number = '1', project = '' } = parts ?? { number: '0' }
    return number === '0' ? [] : [{ name, number: Number(number), project }]
  })
  const lastOf = (project: string): number =>
    Math.max(0, ...found.flatMap((each) => (each.project === project ? each.number : [])))
  const earlier = await Promise.all(
    found.map(async ({ name, project }) => {
      const file = join(folder, name)
      return project === '' || (await isManifest(file)) ? [file] : []
    }),
  )
  return {
    folder,
    earlier: earlier.flat().toSorted(),
    next: (project) => {
      const last = lastOf(project)
      return `${stem}${last === 0 ? '' : `-${last + 1}`}${project === '' ? '' : `.${project}`}${extension}`
    },
    has: (project) => lastOf(project) > 0,
  }
}

/**
 * Whether a file can be one of a project: `mine.vars.yaml` may hold the variables for `mine.yaml`. One that cannot be
 * read counts, so that whoever loads it says so.
 */
const isManifest = async (path: string): Promise<boolean> => {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined || (/^version *:/m.test(text) && /^name *:/m.test(text))
}

/** Texts by file name. */
export type Texts = ReadonlyMap<string, string>

/**
 * Writes files to a hidden folder beside their final place, and moves them there if `prove` succeeds: unproven files
 * are removed, and no existing file is replaced.
 * @throws OutputError
 */
export const writeProven = async <T>(
  folder: string,
  texts: Texts,
  { keep, prove }: { readonly keep: boolean; readonly prove: (paths: readonly string[]) => Promise<T> },
): Promise<T> => {
  // A name that starts with a dot is not read as a manifest of the folder.
  const apart = join(folder, `.deploymgmt-adopt-${randomUUID()}`)
  try {
    await mkdir(apart).catch((cause: unknown) => {
      throw new OutputError(`the folder cannot be written to: ${inWords(cause)}`, { where: folder, cause })
    })
    for (const [name, text] of texts) await writeTextFile(join(apart, name), text, 'wx')
    const proven = await prove([...texts.keys()].map((name) => join(apart, name)))
    if (keep) for (const name of texts.keys()) await moved(join(apart, name), join(folder, name))
    return proven
  } finally {
    await rm(apart, { recursive: true, force: true })
  }
}

/** Gives a file its final name, unless the name is taken; a plain rename would replace that file. */
const moved = async (from: string, to: string): Promise<void> => {
  try {
    await nodeFiles.link(from, to).catch(async (cause: unknown) => {
      if (systemCode(cause) === 'EEXIST') throw cause
      // Some file systems have no links, such as exFAT.
      await movedIntoEmpty(from, to)
    })
  } catch (cause) {
    const taken = systemCode(cause) === 'EEXIST'
    throw new OutputError(
      taken ? 'the file exists now, and was not changed' : `the file cannot be written: ${inWords(cause)}`,
      { where: to, ...(taken ? { hint: 'Run the command again.' } : {}), cause },
    )
  }
}

/** Takes the name with an empty file first, which fails if it is taken. */
const movedIntoEmpty = async (from: string, to: string): Promise<void> => {
  const empty = await nodeFiles.create(to)
  try {
    await empty.close()
    await nodeFiles.rename(from, to)
  } catch (error) {
    await nodeFiles.unlink(to)
    throw error
  }
}
