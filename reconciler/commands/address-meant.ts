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
  if (means(given)) return given
  const meant = [...names].flatMap(([id, each]) => (each === name ? [`${entry}[${id}${rest}`] : []))
  // A name can have been that of several projects, one after the other.
  const [one, ...others] = meant.length === 1 ? meant : meant.filter(means)
  return one === undefined || others.length > 0 ? given : one
}

/** The address of a record, by what its project was called when it was applied. */
export const recordMeant = (given: string, { resources, projects = {} }: Session['state']): string =>
  withProjectId(given, new Map(Object.entries(projects)), (text) => Object.hasOwn(resources, text))
