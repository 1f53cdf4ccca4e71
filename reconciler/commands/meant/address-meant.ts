import { parseAddress, type Declaration, type Records } from '@deploymgmt/provider/engine'
import { AddressError } from '../../errors/index.ts'
import type { Session } from '../../state/index.ts'

/**
 * What is meant by an address, or by a glob of addresses, that names a project in brackets: the same with its id.
 * What means something as it stands is left so, since what else stands there can be called like a project; and what
 * could be either of two projects means neither.
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
 * The project of each entry that is of one alone, so that no address tells it: as it is declared, or else recorded.
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

/** What is meant by an address with an entry's own project behind it, by name or id: the entry, which is all in that project. */
export const withoutOwnProject = (
  given: string,
  names: ReadonlyMap<string, string>,
  own: ReadonlyMap<string, string>,
): string => {
  const { entry = '', name, rest = '' } = partsOf(given)
  return isOwn(name, own.get(entry), names) && /^\](?:$|\.)/.test(rest) ? `${entry}${rest.slice(1)}` : given
}

/** Whether a project's name or id is said of an entry's own project. */
export const isOwn = (
  said: string | undefined,
  own: string | undefined,
  names: ReadonlyMap<string, string>,
): boolean => own !== undefined && (said === own || said === names.get(own))

/**
 * The address of a record, by what its project was called when it was applied.
 *
 * @param others what is meant besides records
 * @throws AddressError where two projects were called so
 */
export const recordMeant = (
  given: string,
  state: Session['state'],
  others: readonly string[] = [],
): string => {
  const { resources, projects = {} } = state
  const isMeant = Object.hasOwn(resources, given) || others.includes(given)
  const own = ownProjects({ entries: [] }, resources)
  const meant = isMeant ? given : withoutOwnProject(given, new Map(Object.entries(projects)), own)
  return meant === given ? addressMeant(given, state, others) : meant
}

/**
 * The same of an address where nothing has to be recorded.
 *
 * @throws AddressError where two projects were called so
 */
export const addressMeant = (
  given: string,
  { resources, projects = {} }: Session['state'],
  others: readonly string[] = [],
): string => {
  const names = new Map(Object.entries(projects))
  const isMeant = (text: string): boolean => Object.hasOwn(resources, text) || others.includes(text)
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
