import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Client } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Identity } from '@deploymgmt/provider/core'
import {
  found,
  type Declaration,
  type Elsewhere,
  type FindInput,
  type Found,
  type Records,
} from '@deploymgmt/provider/engine'
import { flow } from '../../adopt/yaml.ts'
import { ignoredAs, type LoadedDeclaration } from '../../config/index.ts'
import { UsageError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { counted } from '../../render/wording/sentences.ts'
import { few } from '../../text/few.ts'
import { commandWords } from '../../render/wording/words.ts'
import type { ProjectFilter } from '../resolve/only-projects.ts'
import { nowhereToLook } from '../resolve/project.ts'

export interface Looking {
  readonly io: Io
  readonly loaded: LoadedDeclaration
  readonly records: Records
  readonly filter: ProjectFilter
  /** What other states record. */
  readonly elsewhere: () => Promise<Elsewhere>
}

export const look = async (
  client: Client,
  {
    io,
    loaded,
    records,
    filter,
    elsewhere,
    inCommon,
    again,
  }: Looking & Pick<FindInput, 'inCommon' | 'again'>,
): Promise<Found> => {
  const { declaration, sources, ignored } = filter.loadedOf(loaded)
  const places = [...declaration.projectNames.keys()].map((projectId): Identity => ({ projectId }))
  if (places.length === 0) throw nowhereToLook()
  const written = await Promise.all(
    sources.map(({ file }) => readFile(resolve(io.cwd, file), 'utf8').catch(() => '')),
  )
  const words = new Set(written.flatMap((text) => text.match(/[^\s"'`,:;#()[\]{}]+/g) ?? []))
  const isMentioned = (value: string): boolean =>
    words.has(value) || (flow(value) !== value && written.some((text) => text.includes(flow(value))))
  return found(client, {
    definitions: kinds,
    declaration,
    records,
    places,
    isMentioned,
    elsewhere,
    inCommon,
    again,
    isIgnored: ({ section }, names, now) => ignoredAs(ignored, section, names, now).holds !== undefined,
  })
}

export const warningsOf = (
  { absent, undeclarable, unshown, log }: Found,
  declaration: Declaration,
): string[] => {
  const { projectNames } = declaration
  const nameOf = ({ projectId = '' }: Identity): string => projectNames.get(projectId) ?? projectId
  return [
    ...withoutOrganization(declaration),
    ...undeclarable.map(
      ({ definition: { title }, place, keys }) =>
        `Warning: ${nameOf(place)}: a manifest of this version cannot name the ${title.toLowerCase()} ${few(keys)}; it is left alone.`,
    ),
    ...unshown.map(
      ({ definition: { title }, place, keys, fields }) =>
        `Warning: ${nameOf(place)}: the service does not show ${fields.join(', ')} of the ${title.toLowerCase()} ${few(keys)}, which an entry needs; ${keys.length === 1 ? 'it is' : 'they are'} left alone.`,
    ),
    ...absent.map(
      ({ projectId = '' }) =>
        `Warning: the service knows no project ${projectNames.get(projectId) ?? ''} (${projectId}).`,
    ),
    ...log.warnings.map((each) => `Warning: ${commandWords(projectNames).says(each)}`),
  ]
}

/** Projects that are left out, and why. */
export const refusedWarnings = (
  refused: Found['refused'],
  projectNames: Declaration['projectNames'],
): string[] =>
  refused.map(
    ({ place: { projectId = '' }, error }) =>
      `Warning: ${projectNames.get(projectId) ?? projectId} cannot be read, and is left out: ${error.message}`,
  )

/** Things that no list of a project shows are found only by events of its organization. */
const withoutOrganization = ({ projectNames, organizations, orgIds }: Declaration): string[] => {
  const names = [...projectNames].flatMap(([id, name]) => (organizations.has(id) ? [] : [name]))
  if (orgIds.length > 0 || names.length === 0) return []
  const more = names.length > 3 ? ` and ${counted(names.length - 3, 'more project')}` : ''
  return [
    `Warning: no organization is known of ${names.slice(0, 3).join(', ')}${more}: what only events tell of was not looked for there. Give the projects an orgId, or all of them with defaults: { orgId: … }.`,
  ]
}

export const nowhereThere = (): UsageError =>
  new UsageError('the service knows none of the projects that the manifest names', {
    hint: 'Check their ids, and whether the base URL is that of this installation.',
  })
