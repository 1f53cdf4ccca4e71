import { asSpelled, isUsualId } from '@deploymgmt/provider/core/check'
import { nearest, USUAL_ID_FORM } from '@deploymgmt/provider/core'
import { didYouMean } from '@deploymgmt/provider/core/text'
import { UsageError } from '../../errors/index.ts'

/**
 * The id of a project that a flag names, by its name in the manifest or by id.
 *
 * @param names by project id
 * @throws UsageError
 */
export const projectNamed = (given: string, names: ReadonlyMap<string, string>): string => {
  const found = [...names].find(([, name]) => name === given)
  if (found !== undefined) return found[0]
  if (isUsualId(given)) return asSpelled(given)
  throw neitherNameNorId('--project', given, [...names.values()])
}

/** The error for the value of a flag that names no project, or no organization. */
export const neitherNameNorId = (flag: string, given: string, known: readonly string[]): UsageError =>
  new UsageError(
    `${flag}: ${JSON.stringify(given)} is neither the name of a project nor an id${didYouMean(nearest(given, known))}`,
    {
      hint:
        known.length === 0
          ? `No manifest here names projects: give the id, which has ${USUAL_ID_FORM}.`
          : `The manifest names ${known.join(', ')}.`,
    },
  )

/** A project by its name, if it has one. */
export const sayProject = (id: string, names: ReadonlyMap<string, string>): string => names.get(id) ?? id

/** The error if all projects of the manifest are to be read, and it names none. */
export const nowhereToLook = (): UsageError =>
  new UsageError('the manifest names no projects, so there is nowhere to look', {
    hint: 'Declare them: projects: { payments: { id: 5c8100bcf2a30b12ff88258f, orgId: 5980cfdf0b6d97029d82f86e } }',
  })
