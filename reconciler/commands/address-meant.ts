import type { Session } from '../state/index.ts'

/**
 * What is meant by an address, or by a glob of addresses, that names a project in brackets: the same with its id.
 * What means something as it stands is left so, since what else stands there can be called like a project.
 *
 * @param names by project id
 */
export const withProjectId = (
  given: string,
  names: ReadonlyMap<string, string>,
  means: (text: string) => boolean,
): string => {
  const [, entry, name, rest] = /^([^[]*)\[([^\]/*]+)(.*)$/su.exec(given) ?? []
  const id = [...names].find(([, each]) => each === name)?.[0]
  return id === undefined || means(given) ? given : `${entry}[${id}${rest}`
}

/** The address of a record, by what its project was called when it was applied. */
export const recordMeant = (given: string, { resources, projects = {} }: Session['state']): string =>
  withProjectId(given, new Map(Object.entries(projects)), (text) => Object.hasOwn(resources, text))
