import { pickBy } from '@deploymgmt/provider/core'
import type { Declaration, Records } from '@deploymgmt/provider/engine'
import type { LoadedDeclaration } from '../../config/index.ts'
import { UsageError } from '../../errors/index.ts'
import { projectNamed } from './project.ts'
import { hasStar, matches } from './target.ts'

/** The scope of a run: everything that the manifest names, or some of its projects with their organizations. */
export interface ProjectFilter {
  readonly isWhole: boolean
  readonly declarationOf: (declaration: Declaration) => Declaration
  readonly loadedOf: (loaded: LoadedDeclaration) => LoadedDeclaration
  readonly recordsOf: (records: Records) => Records
}

const WHOLE: ProjectFilter = {
  isWhole: true,
  declarationOf: (declaration) => declaration,
  loadedOf: (loaded) => loaded,
  recordsOf: (records) => records,
}

/**
 * @param given the values of `--project`; none means all
 * @throws UsageError for projects that the manifest does not name, and globs that match none
 */
export const onlyProjects = (
  given: readonly string[],
  { projectNames, ...all }: Declaration,
): ProjectFilter => {
  if (given.length === 0) return WHOLE
  const ids = new Set(given.flatMap((each) => projectsMeant(each, projectNames)))
  for (const id of ids) if (!projectNames.has(id)) throw notNamed(id, projectNames)
  const organizations = new Map([...all.organizations].filter(([id]) => ids.has(id)))
  // If the organization of a project is not given, it could be any.
  const orgIds = [...ids].every((id) => organizations.has(id)) ? [] : all.orgIds
  const orgs = new Set([...organizations.values(), ...orgIds])
  const isWithin = ({ projectId, orgId }: Readonly<Record<string, unknown>>): boolean => {
    if (typeof projectId === 'string') return ids.has(projectId)
    return typeof orgId !== 'string' || orgs.has(orgId)
  }
  const declarationOf: ProjectFilter['declarationOf'] = (declaration) => ({
    ...declaration,
    projectNames: new Map([...projectNames].filter(([id]) => ids.has(id))),
    organizations,
    orgIds,
    entries: declaration.entries.filter(({ values }) => isWithin(values)),
  })
  const loadedOf: ProjectFilter['loadedOf'] = (loaded) => ({
    ...loaded,
    declaration: declarationOf(loaded.declaration),
    reevaluate: async (recorded) => loadedOf(await loaded.reevaluate(recorded)),
  })
  return {
    isWhole: false,
    declarationOf,
    loadedOf,
    recordsOf: (records) => pickBy(records, ({ identity }) => isWithin(identity)),
  }
}

/** No name contains a star, so a value with one is a glob of names. */
const projectsMeant = (given: string, names: ReadonlyMap<string, string>): string[] => {
  if (!hasStar(given)) return [projectNamed(given, names)]
  const found = [...names].filter(([, name]) => matches(given, name)).map(([id]) => id)
  if (found.length > 0) return found
  throw new UsageError(`--project: ${JSON.stringify(given)} matches the name of no project`, {
    hint: namesIn(names) ?? 'The manifest names no projects.',
  })
}

const namesIn = (names: ReadonlyMap<string, string>): string | undefined =>
  names.size === 0 ? undefined : `The manifest names ${[...names.values()].join(', ')}.`

const notNamed = (id: string, names: ReadonlyMap<string, string>): UsageError =>
  new UsageError(`--project: the manifest names no project with the id ${id}`, {
    hint: namesIn(names) ?? `Declare it: projects: { payments: { id: ${id} } }`,
  })
