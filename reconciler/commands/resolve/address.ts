import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { parseAddress, type Declaration, type Records } from '@deploymgmt/provider/engine'
import { loadProjects } from '../../config/index.ts'
import { AddressError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import type { Session } from '../../state/index.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'

/** Ids of projects, each with a name that it has or had: a project can have several. */
export type ProjectNames = Iterable<readonly [id: string, name: string]>

/**
 * Replaces the name of a project in the brackets of an address, or of a glob, by its id. A name that matches without
 * this stays, because other keys can have the same name as a project; an ambiguous project name is not replaced.
 */
export const withProjectId = (
  given: string,
  names: ProjectNames,
  means: (text: string) => boolean,
): string => {
  const { entry, name, rest } = partsOf(given)
  const [id, ...others] = idsOf(name, names)
  return id === undefined || others.length > 0 || means(given) ? given : `${entry}[${id}${rest}`
}

/**
 * By entry: its project, if it is of one project only, so that no address contains it; as declared, otherwise as
 * recorded.
 */
export const ownProjects = (
  { entries }: Pick<Declaration, 'entries'>,
  records: Records,
): ReadonlyMap<string, string> => {
  const own = new Map<string, string>()
  const ofSeveral = new Set<string>()
  const note = (address: string, { projectId }: Readonly<Record<string, unknown>>): void => {
    const { entry, keys } = parseAddress(address)
    if (typeof projectId !== 'string') return
    if (keys[0] === projectId) ofSeveral.add(entry)
    else if (!own.has(entry)) own.set(entry, projectId)
  }
  for (const { address, values } of entries) note(address, values)
  for (const [address, { identity }] of Object.entries(records)) note(address, identity)
  for (const entry of ofSeveral) own.delete(entry)
  return own
}

/**
 * Resolves an address with the entry's own project behind it, by name or id: it means the entry, which is wholly in
 * that project.
 */
export const withoutOwnProject = (
  given: string,
  names: ProjectNames,
  own: ReadonlyMap<string, string>,
): string => {
  const { entry = '', name, rest = '' } = partsOf(given)
  return /^\](?:$|\.)/.test(rest) && meansProject(name, names)(own.get(entry))
    ? `${entry}${rest.slice(1)}`
    : given
}

/** Whether a project, such as an entry's own, is the one that a name or id means. */
export const meansProject = (
  said: string | undefined,
  names: ProjectNames,
): ((project: string | undefined) => boolean) => {
  const ids = new Set([said, ...idsOf(said, names)])
  return (project) => project !== undefined && ids.has(project)
}

/** Where an address is looked up. */
interface KnownAddresses {
  readonly records: Records
  /** Further valid addresses. */
  readonly others?: Pick<ReadonlySet<string>, 'has'>
  readonly names: ProjectNames
}

/**
 * What the projects are called: in the manifest, as far as it can be read, and when their things were recorded. Nothing
 * may be recorded yet in a project about which a request is open, and a name can have changed since.
 */
export const projectNamesKnown = async (
  io: Io,
  options: CommonOptions,
  { projects = {} }: Session['state'],
): Promise<ProjectNames> => {
  const declared = await loadProjects(manifestsOf(io, options), kinds).catch((error: unknown) => {
    if (error instanceof DeploymgmtError) return undefined
    throw error
  })
  return [...Object.entries(projects), ...[...(declared?.ids ?? [])].map(([name, id]) => [id, name] as const)]
}

/**
 * Finds the address of a record, which may contain the name that its project has, or had when it was applied.
 *
 * @throws AddressError if two projects had that name
 */
export const recordAddresses = (known: KnownAddresses): ((given: string) => string) => {
  const { records, names } = known
  const own = ownProjects({ entries: [] }, records)
  return (given) => {
    if (isKnown(given, known)) return given
    const meant = withoutOwnProject(given, names, own)
    return meant === given ? resolveAddress(given, known) : meant
  }
}

/** The same for one address. */
export const resolveRecordAddress = (given: string, known: KnownAddresses): string =>
  recordAddresses(known)(given)

/**
 * The same for an address that need not be recorded.
 *
 * @throws AddressError if two projects had that name
 */
export const resolveAddress = (given: string, known: KnownAddresses): string => {
  const { names } = known
  const isMeant = (text: string): boolean => isKnown(text, known)
  const { name } = partsOf(given)
  const ids = idsOf(name, names)
  if (ids.length > 1 && !isMeant(given))
    throw new AddressError(`several projects have been called ${name}: ${ids.join(' and ')}`, {
      hint: 'Put the id of the one you mean in the brackets.',
    })
  return withProjectId(given, names, isMeant)
}

const isKnown = (address: string, { records, others }: KnownAddresses): boolean =>
  Object.hasOwn(records, address) || others?.has(address) === true

const partsOf = (given: string): Partial<Record<'entry' | 'name' | 'rest', string>> =>
  /^(?<entry>[^[]*)\[(?<name>[^\]/*]+)(?<rest>.*)$/su.exec(given)?.groups ?? {}

const idsOf = (name: string | undefined, names: ProjectNames): string[] => [
  ...new Set([...names].flatMap(([id, each]) => (each === name ? [id] : []))),
]
