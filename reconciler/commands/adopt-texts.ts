import type { Arranged } from '../adopt/arrange.ts'
import { manifestText, type Written } from '../adopt/manifest-text.ts'
import type { LoadedDeclaration } from '../config/index.ts'
import { concealed, type Io } from '../io.ts'
import { formatInstant } from '../text/instants.ts'
import type { Series, Texts } from './adopt-files.ts'
import { WRITTEN_BY } from './adopt-shorter.ts'

interface TextsInput {
  readonly io: Io
  readonly loaded: LoadedDeclaration
  readonly series: Series
  /** Whether each project has a file of its own. */
  readonly split: boolean
}

/** What several projects have in common, or all of it. */
const COMMON = ''

/** What is written, by the names of files. */
export const textsOf = (
  arranged: Arranged,
  { io, loaded: { declaration }, series, split }: TextsInput,
): Texts => {
  const { entries, told } = arranged
  const partOf = split ? partsOf(arranged, new Set(declaration.projectNames.values())) : () => COMMON
  const names = new Set([...entries, ...told].map(({ group }) => partOf(group)))
  const common = entries.filter(({ group }) => partOf(group) === COMMON)
  const head = [
    `${WRITTEN_BY} ${formatInstant(io.now())}. It is yours from now on: edit it, rename, move.`,
    'adopt changes no file that is there; what it finds later goes into a file of its own.',
  ]
  return new Map(
    [COMMON, ...declaration.projectNames.values()]
      .filter((part) => names.has(part))
      .map((part) => {
        const text = manifestText({
          ...arranged,
          entries: entries.filter(({ group }) => partOf(group) === part),
          told: told.filter(({ group }) => partOf(group) === part),
          head: [...head, ...besides(part, common, series)],
          name: declaration.name,
          now: io.now(),
        })
        return [series.next(part), concealed(text, io.secrets)] as const
      }),
  )
}

/** In which file a heading stands: comments alone are no manifest to keep, and stand in the first one. */
const partsOf = (
  { entries, groups }: Pick<Arranged, 'entries' | 'groups'>,
  projects: ReadonlySet<string>,
): ((group: string) => string) => {
  const declaring = new Set(entries.map(({ group }) => group))
  const isOfOne = (group: string): boolean => projects.has(group) && declaring.has(group)
  const hasCommon = [...declaring].some((group) => !isOfOne(group))
  const first = hasCommon ? COMMON : (groups.find(isOfOne) ?? COMMON)
  return (group) => (isOfOne(group) ? group : first)
}

/** Where the rest of what holds for a project stands. */
const besides = (project: string, common: readonly Written[], series: Series): string[] =>
  project !== COMMON && common.some(({ values }) => isAbout(values['projectIds'], project))
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
