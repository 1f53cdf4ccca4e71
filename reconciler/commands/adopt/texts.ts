import type { Arranged } from '../../adopt/arrange.ts'
import { manifestText, type Written } from '../../adopt/manifest-text.ts'
import type { LoadedDeclaration } from '../../config/index.ts'
import { concealed, type Io } from '../../io.ts'
import { showTime } from '../../text/instants.ts'
import type { Series, Texts } from './files.ts'
import { WRITTEN_BY } from './shorter.ts'

interface TextsInput {
  readonly io: Io
  readonly loaded: LoadedDeclaration
  readonly series: Series
  /** Whether projects have files of their own. */
  readonly split: boolean
  /** Whether one entry covers what projects have in common; differences in a project then belong beside it. */
  readonly inCommon: boolean
}

/** The file for entries of organizations or of several projects, or for everything. */
const COMMON = ''

/** The number of entries from which a project gets a file besides the common one. */
export const ENOUGH = 5

/** The texts to write, by file name. */
export const textsOf = (arranged: Arranged, given: TextsInput): Texts => {
  const { io, loaded, series } = given
  const { declaration } = loaded
  const { entries, told } = arranged
  const partOf = partsOf(entries, given)
  const names = new Set([...entries, ...told].map(({ group }) => partOf(group)))
  const common = entries.filter(({ group }) => partOf(group) === COMMON)
  const head = [
    `${WRITTEN_BY} ${showTime(io.now())}. From now on it is yours to edit, rename or move.`,
    'adopt changes no existing file; what it finds later goes into a new file.',
  ]
  const parts = [COMMON, ...declaration.projectNames.values()].filter((part) => names.has(part))
  return new Map(
    parts.map((part) => {
      const text = manifestText({
        ...arranged,
        entries: entries.filter(({ group }) => partOf(group) === part),
        told: told.filter(({ group }) => partOf(group) === part),
        head: [
          ...head,
          ...(part === COMMON ? apartFrom(parts, common, given) : besides(part, common, series)),
        ],
        // A file of one project needs no heading.
        plain: part,
        name: declaration.name,
        now: io.now(),
      })
      return [series.next(part), concealed(text, io.secrets)] as const
    }),
  )
}

/**
 * Assigns each heading to a file. A project without common entries has its own file; otherwise its later finds, and
 * its differences from a common entry, get a file if there are enough of them. Comments alone never do.
 */
const partsOf = (
  entries: readonly Written[],
  { loaded: { declaration }, series, split, inCommon }: TextsInput,
): ((group: string) => string) => {
  if (!split) return () => COMMON
  const counts = new Map<string, number>()
  for (const { group } of entries) counts.set(group, (counts.get(group) ?? 0) + 1)
  const least = (project: string): number => (inCommon || series.has(project) ? ENOUGH : 1)
  const own = new Set(
    [...declaration.projectNames.values()].filter((each) => (counts.get(each) ?? 0) >= least(each)),
  )
  return (group) => (own.has(group) ? group : COMMON)
}

/** Comments that say, in the common file, that there are files of projects, and which projects have none. */
const apartFrom = (
  parts: readonly string[],
  common: readonly Written[],
  { loaded: { declaration }, series }: Pick<TextsInput, 'loaded' | 'series'>,
): string[] => {
  const [first] = parts.filter((part) => part !== COMMON)
  if (first === undefined) return []
  const names = new Set(declaration.projectNames.values())
  const isHere = common.some(({ group }) => names.has(group))
  const [where, otherwise] = isHere
    ? [` if it has ${ENOUGH} entries or more`, '; otherwise its entries are here, under its heading']
    : ['', '']
  return [
    `What only one project has is in a file of that project${where}, such as ${series.next(first)}${otherwise}.`,
  ]
}

/** Comments that say where the other entries for a project are. */
const besides = (project: string, common: readonly Written[], series: Series): string[] =>
  common.some(({ values }) => isAbout(values['projectIds'], project))
    ? [`What ${project} has in common with other projects is in ${series.next(COMMON)}.`]
    : []

const isAbout = (projectIds: unknown, project: string): boolean => {
  if (projectIds === 'all') return true
  if (Array.isArray(projectIds)) return projectIds.includes(project)
  const { except } = (projectIds ?? {}) as { readonly except?: readonly string[] }
  return except !== undefined && !except.includes(project)
}
