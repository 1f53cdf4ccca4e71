import { definitionOf, type FieldType, type Values } from '@deploymgmt/provider/core'
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
    for (const [field, place] of placesOf(entry)) {
      const id = Object.hasOwn(called, place) ? undefined : ids.get(place)
      if (id === undefined || entry.declaredAt === undefined || found.has(place)) continue
      const path = `${entryOf(entry.address)}.${field}`
      found.set(place, {
        // If there is a warning already that it does not look like an id, the error replaces it, with its line.
        ...(loaded.warnings.find((each) => each.path === path) ?? entry.declaredAt),
        severity: 'error',
        path,
        message: `${quoted(place)} has been the name of project ${id}, and no manifest that is read names projects`,
      })
    }
  const [first, ...others] = found.values()
  if (first === undefined) return
  const heads = headsIn(io, await unreadOf(io, loaded))
  const step = heads.length === 0 ? '' : `; to read what may do so:${flagsWith(file, heads)}`
  throw new ManifestError([{ ...first, message: `${first.message}${step}` }, ...others])
}

/** The paths at which an entry names projects, with the values there. */
const placesOf = ({ kind, values }: Entry): (readonly [string, string])[] => {
  const definition = definitionOf(kinds, kind)
  return definition === undefined ? [] : namesIn({ is: 'object', fields: definition.fields }, values, '')
}

const namesIn = (type: FieldType, value: unknown, path: string): (readonly [string, string])[] => {
  if (type.is === 'id')
    return type.place === 'project' && typeof value === 'string' ? [[path.slice(1), value]] : []
  if ((type.is === 'set' || type.is === 'list') && Array.isArray(value))
    return value.flatMap((each, index) => namesIn(type.of, each, `${path}[${index}]`))
  if (type.is !== 'object' || typeof value !== 'object' || value === null) return []
  return Object.entries(type.fields).flatMap(([name, field]) =>
    namesIn(field.type, (value as Values)[name], `${path}.${name}`),
  )
}
