import { nearest } from '@deploymgmt/provider/core'
import { UsageError } from '../errors/index.ts'

/**
 * The id of a project that a flag names, by the name that the manifest gives it or by its id.
 *
 * @param names by project id
 * @throws UsageError
 */
export const projectNamed = (given: string, names: ReadonlyMap<string, string>): string => {
  const found = [...names].find(([, name]) => name === given)
  if (found !== undefined) return found[0]
  if (/^[0-9a-f]{24}$/iu.test(given)) return given
  const known = [...names.values()]
  const meant = nearest(given, known)
  throw new UsageError(
    `--project: ${JSON.stringify(given)} is neither the name of a project nor an id${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    {
      hint:
        known.length === 0
          ? 'The manifest names no projects: give the id, which has 24 hexadecimal digits.'
          : `The manifest names ${known.join(', ')}.`,
    },
  )
}

/** A project by its name, where it has one. */
export const sayProject = (id: string, names: ReadonlyMap<string, string>): string => names.get(id) ?? id
