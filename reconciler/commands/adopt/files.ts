import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { inWords, systemCode } from '../../disk/files.ts'
import { OutputError } from '../../errors/index.ts'
import { writeTextFile } from '../output/output.ts'

/** Files that an adoption writes: those that it wrote before, and what the next ones are called. */
export interface Series {
  readonly folder: string
  /** Those that are there, absolute. */
  readonly earlier: readonly string[]
  /** The name of the next file: of all, or of one project. */
  readonly next: (project: string) => string
  /** Whether a project has a file of its own. */
  readonly has: (project: string) => boolean
}

/**
 * `deploymgmt.adopted.yaml`, and then `deploymgmt.adopted-2.yaml`; of one project `deploymgmt.adopted.PROJECT.yaml`, and
 * then `deploymgmt.adopted-2.PROJECT.yaml`.
 * @throws OutputError where there is no such folder, whether there is something to write or not
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
  return {
    folder,
    earlier: found.map(({ name }) => join(folder, name)).toSorted(),
    next: (project) => {
      const last = lastOf(project)
      return `${stem}${last === 0 ? '' : `-${last + 1}`}${project === '' ? '' : `.${project}`}${extension}`
    },
    has: (project) => lastOf(project) > 0,
  }
}

/** Texts by the names of their files. */
export type Texts = ReadonlyMap<string, string>

/**
 * Writes files beside where they belong, and moves them there once `prove` has not failed: nothing is left of what
 * could not be proven, and nothing that is there is replaced.
 * @throws OutputError
 */
export const writeProven = async <T>(
  folder: string,
  texts: Texts,
  { keep, prove }: { readonly keep: boolean; readonly prove: (paths: readonly string[]) => Promise<T> },
): Promise<T> => {
  // What begins with a dot is no manifest of its folder.
  const apart = join(folder, `.deploymgmt-adopt-${randomUUID()}`)
  try {
    await mkdir(apart).catch((cause: unknown) => {
      throw new OutputError(`the folder cannot be written to: ${inWords(cause)}`, { where: folder, cause })
    })
    for (const [name, text] of texts) await writeTextFile(join(apart, name), text, 0o666, 'wx')
    const proven = await prove([...texts.keys()].map((name) => join(apart, name)))
    if (keep) for (const name of texts.keys()) await moved(join(apart, name), join(folder, name))
    return proven
  } finally {
    await rm(apart, { recursive: true, force: true })
  }
}

/** A link fails where something of the name is there, which a change of the name would replace. */
const moved = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (cause) {
    const taken = systemCode(cause) === 'EEXIST'
    throw new OutputError(
      taken ? 'the file exists now, and was not changed' : `the file cannot be written: ${inWords(cause)}`,
      { where: to, ...(taken ? { hint: 'Run the command again.' } : {}), cause },
    )
  }
}
