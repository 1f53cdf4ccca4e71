import type { Found } from '@deploymgmt/provider/engine'
import { shellWord } from '../../text/display.ts'
import type { CommonOptions } from '../line/options.ts'
import { onlyProjects } from '../resolve/only-projects.ts'
import { pathsKept } from '../resolve/files-read.ts'
import type { Unread } from '../../config/index.ts'
import { unreadOf } from '../resolve/unread.ts'
import { tell } from '../output/tell.ts'
import { arrangedOf, isInCommon, type Grouping } from './found.ts'
import { look, nowhereThere, refusedWarnings, warningsOf, type Looking } from './look.ts'
import { loadWith, type Proving } from './proof.ts'
import { refuseWritten } from './unread.ts'

export interface AdoptOptions extends CommonOptions, Grouping {
  /** Whether recorded things that no manifest declares any more are written, too. */
  readonly again?: boolean
  /** Names or ids of the projects to adopt from; all if there are none. */
  readonly project?: readonly string[]
  /** Addresses of things to leave out, with `*` for any text. */
  readonly except?: readonly string[]
}

export type Adopting = Looking &
  Proving & {
    readonly options: AdoptOptions
    /** The manifests that the last apply has read, as the state keeps them. */
    readonly files: readonly string[] | undefined
  }

/** The things to write, and what there is to say about them. */
export interface FoundHere extends Pick<ReturnType<typeof arrangedOf>, 'arranged' | 'remarks'> {
  /** The scope of the adoption, without projects that may not be read. */
  readonly adopting: Adopting
  readonly how: { readonly inCommon: boolean; readonly again: boolean }
  /** Manifests of the same name that are not read. */
  readonly unread: Unread
  /** Addresses of recorded things that no manifest declares. */
  readonly undeclared: Found['undeclared']
}

/** @throws ForbiddenError; UsageError if there is no project to look at */
export const foundBy = async (adopting: Adopting): Promise<FoundHere> => {
  const { io, options, client, loaded, filter } = adopting
  const { project = [] } = options
  const how = { inCommon: isInCommon(options), again: options.again === true }
  const seen = await look(client, { ...adopting, ...how })
  const declaration = filter.declarationOf(loaded.declaration)
  if (seen.refused.length > 0) return foundBy(await withoutRefused(adopting, seen.refused))
  for (const warning of warningsOf(seen, declaration)) await tell(io, warning)
  if (seen.absent.length === declaration.projectNames.size) throw nowhereThere()
  const unread = await unreadOf(io, loaded)
  await refuseWritten(adopting, seen, unread, async (paths) => {
    const more = await loadWith(adopting, paths)
    return look(client, {
      ...adopting,
      ...how,
      loaded: more,
      filter: onlyProjects(project, more.declaration),
    })
  })
  const kept = await loaded.unreadAt(await pathsKept(io, loaded, adopting.files), 'any')
  const { arranged, unmet, remarks } = arrangedOf(seen, { unread, kept }, adopting)
  for (const glob of unmet)
    await tell(io, `Warning: --except ${shellWord(glob)} matches nothing that was found.`)
  return { adopting, how, unread, arranged, remarks, undeclared: seen.undeclared }
}

/** The same without projects that may not be read. @throws ForbiddenError if no project is left */
const withoutRefused = async (adopting: Adopting, refused: Found['refused']): Promise<Adopting> => {
  const { io, options, loaded, filter } = adopting
  const { projectNames } = filter.declarationOf(loaded.declaration)
  for (const warning of refusedWarnings(refused, projectNames)) await tell(io, warning)
  const unread = new Set(refused.map(({ place: { projectId } }) => projectId))
  const project = [...projectNames.keys()].filter((id) => !unread.has(id))
  if (refused[0] !== undefined && project.length === 0) throw refused[0].error
  return {
    ...adopting,
    options: { ...options, project },
    filter: onlyProjects(project, loaded.declaration),
  }
}
