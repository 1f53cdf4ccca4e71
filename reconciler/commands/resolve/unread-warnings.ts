import { entryOf, type Records, type Run } from '@deploymgmt/provider/engine'
import { foldersAlike, type LoadedDeclaration, type Unread } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import type { StateFile } from '../../state/index.ts'
import { few } from '../../text/few.ts'
import { number } from '../../text/number.ts'
import type { CommonOptions } from '../line/options.ts'
import { pathsKept } from './files-read.ts'
import { typed } from '../output/typed.ts'
import { declaringAny, flagsWith, headsIn, sayReleased, unreadOf } from './unread.ts'
import { targetOf } from './target.ts'

type Asked = Pick<CommonOptions, 'file' | 'target'>
type Loaded = Pick<LoadedDeclaration, 'head' | 'declaration' | 'paths' | 'unreadAt'>

interface Found {
  readonly run: Pick<Run, 'plan'>
  readonly records: Records
  readonly session: { readonly state: Pick<StateFile, 'files'> }
}

/**
 * Warnings about unnamed manifests of the same name in the folder: they declare what would be released, or something
 * new.
 */
export const unreadWarnings = async (
  io: Pick<Io, 'cwd'>,
  options: Asked,
  loaded: Loaded,
  { run: { plan }, records, session }: Found,
): Promise<string[]> => {
  const declared = declaredIn(loaded)
  const released = plan.planned
    .flatMap(({ change: { action, address } }) => (action === 'release' ? [entryOf(address)] : []))
    .filter((entry) => !declared.has(entry))
  const { unread, bases } = await unreadFor(io, loaded, released, session.state.files)
  if (unread.size === 0) return []
  const named = declaringAny(unread, new Set(released))
  const others = new Map([...unread].filter(([path]) => !named.has(path)))
  const recorded = new Set(Object.keys(records).map(entryOf))
  const news = newsIn(others, options, { declared, recorded })
  // The flags in one warning alone would still leave out the files of the other.
  const all = [
    ...[...named.keys(), ...news.keys()].map((path) => typed(io.cwd, path)),
    ...headsIn(io, unread),
  ]
  // The last file gives the declaration its name, so one of another name comes first.
  const first = [...bases].map((path) => typed(io.cwd, path))
  const reading = (paths: readonly string[]): string =>
    flagsWith(
      options.file,
      paths.filter((path) => !first.includes(path)),
      first,
    )
  return [...sayReleased(io, unread, { released, reading, all }), ...sayNew(io, news, reading(all))]
}

/** The same without a state: only what the manifests declare. */
export const newUnreadWarnings = async (
  io: Pick<Io, 'cwd'>,
  { file }: Pick<Asked, 'file'>,
  loaded: Loaded,
): Promise<string[]> => {
  const known = { declared: declaredIn(loaded), recorded: new Set<string>() }
  const unread = await unreadOf(io, loaded)
  const news = newsIn(unread, { target: [] }, known)
  const paths = [...[...news.keys()].map((path) => typed(io.cwd, path)), ...headsIn(io, unread)]
  return sayNew(io, news, flagsWith(file, paths))
}

/**
 * What is unread, and which of it has another name (`bases`).
 *
 * Other folders are only looked into for what is released: that is rare, and nothing else says that it is a mistake.
 * First come the files that the last apply has read, whatever their names, as that of a base; then folders that look as
 * if they had some.
 */
const unreadFor = async (
  io: Pick<Io, 'cwd'>,
  loaded: Loaded,
  released: readonly string[],
  files: StateFile['files'],
): Promise<{ readonly unread: Unread; readonly bases: ReadonlySet<string> }> => {
  let unread = await unreadOf(io, loaded)
  const paths = await pathsKept(io, loaded, files)
  const own = (): Promise<Unread> => loaded.unreadAt(paths, 'own')
  const anyKept = (): Promise<Unread> => loaded.unreadAt(paths, 'any')
  const alike = async (): Promise<Unread> => loaded.unreadAt(await foldersAlike(loaded.paths, io.cwd), 'own')
  const bases = new Set<string>()
  for (const look of [own, anyKept, alike]) {
    const entries = new Set([...unread.values()].flat())
    const missing = new Set(released.filter((entry) => !entries.has(entry)))
    if (missing.size === 0) break
    const found = declaringAny(await look(), missing)
    if (look === anyKept) for (const path of found.keys()) bases.add(path)
    unread = new Map([...unread, ...found])
  }
  return { unread, bases }
}

/**
 * The unread manifests that belong to the read ones, if at least one declares something; those for another
 * environment do not.
 */
export const unreadBelonging = async (io: Pick<Io, 'cwd'>, loaded: Loaded): Promise<string[]> => {
  const unread = await unreadOf(io, loaded)
  const declared = declaredIn(loaded)
  const own = [...unread].filter(([, entries]) => !entries.some((each) => declared.has(each)))
  return own.some(([, entries]) => entries.length > 0) ? own.map(([path]) => typed(io.cwd, path)) : []
}

const declaredIn = ({ declaration }: Loaded): ReadonlySet<string> =>
  new Set(declaration.entries.map(({ address }) => entryOf(address)))

interface Known {
  readonly declared: ReadonlySet<string>
  readonly recorded: ReadonlySet<string>
}

/** The unread manifests that declare something new, with their new entries. */
const newsIn = (unread: Unread, { target }: Pick<Asked, 'target'>, { declared, recorded }: Known): Unread => {
  const isMeant = targetOf(target)?.looksAt ?? (() => true)
  return new Map(
    [...unread].flatMap(([path, entries]) => {
      // A manifest that declares one of the entries again is for another environment, or another time.
      if (entries.some((each) => declared.has(each))) return []
      const own = entries.filter((each) => !recorded.has(each) && isMeant(each))
      return own.length === 0 ? [] : [[path, own] as const]
    }),
  )
}

/** @param flags what reads them as well, after a space */
const sayNew = ({ cwd }: Pick<Io, 'cwd'>, news: Unread, flags: string): string[] => {
  if (news.size === 0) return []
  const count = new Set([...news.values()].flat()).size
  const [are, own, it] =
    news.size === 1
      ? ['is not read, and declares', 'its', 'it']
      : ['are not read, and declare', 'their', 'them']
  const paths = [...news.keys()].map((path) => typed(cwd, path))
  return [
    `${few(paths)} ${are} ${count === 1 ? 'an entry' : `${number(count)} entries`} of ${own} own; to read ${it} as well:${flags}`,
  ]
}
