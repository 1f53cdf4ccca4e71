import { manifestFiles, type LoadedDeclaration, type Unread } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { counted } from '../../render/wording/sentences.ts'
import { sameFlagsOf, type SameFlags } from '../line/options.ts'
import { ownFolderOf } from './state.ts'
import { typed } from '../output/typed.ts'

/** Unread manifests of the same name in the folder; a renamed one counts too. */
export const unreadOf = async (
  { cwd }: Pick<Io, 'cwd'>,
  { head, unreadAt }: Pick<LoadedDeclaration, 'head' | 'unreadAt'>,
): Promise<Unread> => unreadAt([await ownFolderOf(head, cwd)], 'own')

interface Saying {
  /** Entries, each once per thing. */
  readonly released: readonly string[]
  /** What reads these manifests in addition to the named ones, after a space. */
  readonly reading: (paths: readonly string[]) => string
  /** The files to read, if these are more. */
  readonly all?: readonly string[]
}

/** Says which unread manifests declare what would be released, with the flags that read them. */
export const sayReleased = (
  io: Pick<Io, 'cwd'>,
  unread: Unread,
  { released, reading, all }: Saying,
): string[] => {
  const meant = declaringAny(unread, new Set(released))
  if (meant.size === 0) return []
  const entries = new Set([...meant.values()].flat())
  const things = released.filter((entry) => entries.has(entry)).length
  const paths = [...meant.keys()].map((path) => typed(io.cwd, path))
  const [subject, it] =
    paths.length === 1
      ? [`${paths.join('')} is not read, and declares`, 'it']
      : [`${paths.length} manifests are not read, and declare`, 'them']
  return [
    `${subject} ${counted(things, 'thing')} that an apply would take as removed; to read ${it} as well:${reading(all ?? [...paths, ...headsIn(io, unread)])}`,
  ]
}

/** The manifests that declare any of these entries. */
export const declaringAny = (unread: Unread, entries: ReadonlySet<string>): Unread =>
  new Map([...unread].filter(([, own]) => own.some((each) => entries.has(each))))

/** Manifests without entries, such as one that names the projects: the others may need them. */
export const headsIn = ({ cwd }: Pick<Io, 'cwd'>, unread: Unread): string[] =>
  [...unread].flatMap(([path, own]) => (own.length === 0 ? [typed(cwd, path)] : []))

/** The flags, each after a space, that read these manifests in addition to the named ones, some before them. */
export const flagsWith = (
  file: readonly string[],
  paths: readonly string[],
  first: readonly string[] = [],
): string => sameFlagsOf({ file: [...first, ...filesWith(file, paths)], var: [], varFile: [] })

/** The command that reads them as well, and otherwise means the same. */
export const commandWith = (command: string, options: SameFlags, paths: readonly string[]): string =>
  `deploymgmt ${command}${sameFlagsOf({ ...options, file: filesWith(options.file, paths) })}`

const filesWith = (file: readonly string[], paths: readonly string[]): string[] => [
  ...manifestFiles(file),
  ...paths,
]
