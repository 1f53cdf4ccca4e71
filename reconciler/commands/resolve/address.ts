import { parseAddress, type Declaration, type Records } from '@deploymgmt/provider/engine'
import { AddressError } from '../../errors/index.ts'
import type { Session } from '../../state/index.ts'

/**
 * Replaces the name of a project in the brackets of an address, or of a glob, by its id. A name that matches without
 * this stays, because other keys can have the same name as a project; an ambiguous project name is not replaced.
 *
 * @param names by project id
 */
export const withProjectId = (
  given: string,
  names: ReadonlyMap<string, string>,
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
  names: ReadonlyMap<string, string>,
  own: ReadonlyMap<string, string>,
): string => {
  const { entry = '', name, rest = '' } = partsOf(given)
  return isOwn(name, own.get(entry), names) && /^\](?:$|\.)/.test(rest) ? `${entry}${rest.slice(1)}` : given
}

/** Whether the name or id is that of the entry's own project. */
export const isOwn = (
  said: string | undefined,
  own: string | undefined,
  names: ReadonlyMap<string, string>,
): boolean => own !== undefined && (said === own || said === names.get(own))

/**
 * The address of a record, which may contain the name that its project had when it was applied.
 *
 * @param others further valid addresses
 * @throws AddressError if two projects had that name
 */
export const resolveRecordAddress = (
  given: string,
  state: Session['state'],
  others: Others = new Set(),
): string => {
  const { resources, projects = {} } = state
  if (Object.hasOwn(resources, given) || others.has(given)) return given
  const own = ownProjects({ entries: [] }, resources)
  const meant = withoutOwnProject(given, new Map(Object.entries(projects)), own)
  return meant === given ? resolveAddress(given, state, others) : meant
}

type Others = Pick<ReadonlySet<string>, 'has'>

/**
 * The same for an address that need not be recorded.
 *
 * @throws AddressError if two projects had that name
 */
export const resolveAddress = (
  given: string,
  { resources, projects = {} }: Session['state'],
  others: Others = new Set(),
): string => {
  const names = new Map(Object.entries(projects))
  const isMeant = (text: string): boolean => Object.hasOwn(resources, text) || others.has(text)
  const { name } = partsOf(given)
  const ids = idsOf(name, names)
  if (ids.length > 1 && !isMeant(given))
    throw new AddressError(`several projects have been called ${name}: ${ids.join(' and ')}`, {
      hint: 'Put the id of the one you mean in the brackets.',
    })
  return withProjectId(given, names, isMeant)
}

const partsOf = (given: string): Partial<Record<'entry' | 'name' | 'rest', string>> =>
  /^(?<entry>[^[]*)\[(?<name>[^\]/*]+)(?<rest>.*)$/su.exec(given)?.groups ?? {}

const idsOf = (name: string | undefined, names: ReadonlyMap<string, string>): string[] =>
  [...names].flatMap(([id, each]) => (each === name ? [id] : []))
