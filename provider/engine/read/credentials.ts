import { isReadable, partsOf, type KindDefinition } from '../../core/definition.ts'
import { fillPath, pathParameters, type Operation } from '../../core/operation.ts'
import type { Identity, Values } from '../../core/values.ts'
import { ForbiddenError, InvalidRequestError, NotFoundError } from '../../errors/index.ts'
import type { EngineClient } from './client.ts'
import type { RecordedResource } from '../values/model.ts'

/** How many reads are tried before the credentials count as wrong. */
const TRIES = 4
/** An id that nothing has. A "not found" proves the credentials as well as an answer does. */
const NOBODY = '0'.repeat(24)

/**
 * A 401 to a request for events means wrong credentials or a missing role. If nothing else was read, another read
 * tells which.
 * @throws AuthRejectedError if every read is refused.
 */
export const checkCredentials = async (
  client: EngineClient,
  definitions: readonly KindDefinition[],
  records: readonly RecordedResource[],
): Promise<void> => {
  const all = records
    .flatMap((record) => placesNamedBy(record))
    .flatMap((place) => readsIn(definitions, place))
  const paths = [...new Set(all)].slice(0, TRIES)
  for (const [index, path] of paths.entries()) {
    const tentative = index < paths.length - 1
    try {
      await client.list(path, { itemsPerPage: 1 }, { maxPages: 1, tentative })
      return
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof InvalidRequestError) return
      if (!(error instanceof ForbiddenError)) throw error
    }
  }
}

/** The places of a record: its identity, and the organizations and projects that its values name. */
const placesNamedBy = ({ identity, applied }: RecordedResource): Identity[] => {
  const elements = Object.values(applied).flatMap((value) =>
    Array.isArray(value) ? (value as unknown[]) : [],
  )
  const named = elements.flatMap((element): Identity[] => {
    if (typeof element !== 'object' || element === null) return []
    const ids = Object.entries(element as Values).filter(([, id]) => typeof id === 'string')
    return [Object.fromEntries(ids) as Identity]
  })
  return [identity, ...named]
}

const readsIn = (definitions: readonly KindDefinition[], place: Identity): string[] =>
  definitions.flatMap((definition) => {
    const { scope, key } = definition.identity
    if (scope.length === 0 || scope.some((name) => place[name] === undefined)) return []
    const known = { [key]: NOBODY, ...place }
    return listsOf(definition)
      .filter(({ path }) => pathParameters(path).every((name) => name in known))
      .map(({ path }) => fillPath(path, known))
  })

const listsOf = (definition: KindDefinition): Operation[] =>
  isReadable(definition)
    ? [definition.observe.list]
    : Object.values(partsOf(definition)).map(({ list }) => list)
