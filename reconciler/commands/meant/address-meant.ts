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
 * The address of a record, by what its project was called when it was applied.
 *
 * @param others what is meant besides records
 * @throws AddressError where two projects were called so
 */
export const recordMeant = (
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
