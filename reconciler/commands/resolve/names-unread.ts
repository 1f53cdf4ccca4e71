import { definitionOf, placeIdsIn, type PlaceId } from '@deploymgmt/provider/core'
import { entryOf, type Entry } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import type { LoadedDeclaration } from '../../config/index.ts'
import { ManifestError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import type { ManifestFinding } from '../../errors/finding.ts'
import { quoted } from '../../text/display.ts'
import type { CommonOptions } from '../line/options.ts'
import { flagsWith, headsIn, unreadOf } from './unread.ts'

/**
 * Refuses a project name that would be sent as an id, because no manifest that is read names projects. The names in
 * the state show that it is no id.
 *
 * @param called names of projects by id, from the state
 * @throws ManifestError
 */
export const refuseNamesUnread = async (
  io: Pick<Io, 'cwd'>,
  { file }: Pick<CommonOptions, 'file'>,
  loaded: LoadedDeclaration,
  called: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const ids = new Map(Object.entries(called).map(([id, name]) => [name, id]))
  // Most states only contain projects that the manifests name.
  if (ids.size === 0 || loaded.declaration.projectNames.size > 0) return
  const found = new Map<string, ManifestFinding>()
  for (const entry of loaded.declaration.entries)
    for (const { id: name, path: field } of projectsNamedIn(entry)) {
      const id = Object.hasOwn(called, name) ? undefined : ids.get(name)
      if (id === undefined || entry.declaredAt === undefined || found.has(name)) continue
      const path = `${entryOf(entry.address)}.${field}`
      found.set(name, {
        // If there is a warning already that it does not look like an id, the error replaces it, with its line.
        ...(loaded.warnings.find((each) => each.path === path) ?? entry.declaredAt),
        severity: 'error',
        path,
        message: `${quoted(name)} has been the name of project ${id}, and no manifest that is read names projects`,
      })
    }
  const [first, ...others] = found.values()
  if (first === undefined) return
  const heads = headsIn(io, await unreadOf(io, loaded))
  const step = heads.length === 0 ? '' : `; to read what may do so:${flagsWith(file, heads)}`
  throw new ManifestError([{ ...first, message: `${first.message}${step}` }, ...others])
}

const projectsNamedIn = ({ kind, values }: Entry): readonly PlaceId[] => {
  const definition = definitionOf(kinds, kind)
  return definition === undefined
    ? []
    : placeIdsIn(definition.fields, values).filter(({ place }) => place === 'project')
}
