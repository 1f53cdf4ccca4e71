import type { Arranged } from '../../adopt/arrange.ts'
import { manifestText, type Written } from '../../adopt/manifest-text.ts'
import type { LoadedDeclaration } from '../../config/index.ts'
import { concealed, type Io } from '../../io.ts'
import { formatInstant } from '../../text/instants.ts'
import type { Series, Texts } from './files.ts'
import { WRITTEN_BY } from './shorter.ts'

interface TextsInput {
  readonly io: Io
  readonly loaded: LoadedDeclaration
  readonly series: Series
  /** Whether projects have files of their own. */
  readonly split: boolean
  /** Whether what they have in common is one entry: what is otherwise in one of them belongs beside it. */
  readonly inCommon: boolean
}

/** What is of organizations or of several projects, or all of it. */
const COMMON = ''

/** So many entries are worth a file beside one that has the rest of their project. */
export const ENOUGH = 5

/** What is written, by the names of files. */
export const textsOf = (arranged: Arranged, given: TextsInput): Texts => {
  const { io, loaded, series } = given
  const { declaration } = loaded
  const { entries, told } = arranged
  const partOf = partsOf(entries, given)
  const names = new Set([...entries, ...told].map(({ group }) => partOf(group)))
  const common = entries.filter(({ group }) => partOf(group) === COMMON)
  const head = [
    `${WRITTEN_BY} ${formatInstant(io.now())}. From now on it is yours to edit, rename or move.`,
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
 * In which file a heading stands. A project whose entries are all its own has a file; what is found of it later, or is
 * otherwise than a common entry says, has one where it is enough for that. Comments alone never have one.
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

/** That there are files of projects, where one would look for all; and which of them have none. */
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
    ? [` where that is ${ENOUGH} entries or more`, '; else it stands here, under its heading']
    : ['', '']
  return [
    `What is of one project stands in a file of its own${where}, such as ${series.next(first)}${otherwise}.`,
  ]
}

/** Where the rest of what holds for a project stands. */
const besides = (project: string, common: readonly Written[], series: Series): string[] =>
  common.some(({ values }) => isAbout(values['projectIds'], project))
    ? [
        `What else holds for ${project} stands in ${series.next(COMMON)}: what it has in common with other projects.`,
      ]
    : []

const isAbout = (projectIds: unknown, project: string): boolean => {
  if (projectIds === 'all') return true
  if (Array.isArray(projectIds)) return projectIds.includes(project)
  const { except } = (projectIds ?? {}) as { readonly except?: readonly string[] }
  return except !== undefined && !except.includes(project)
}
