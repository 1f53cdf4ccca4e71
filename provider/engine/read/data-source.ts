import type { Client, Page, Query } from '../../api/types.ts'
import { checkArguments, type Problem } from '../../core/check/index.ts'
import type { DataSourceDefinition, Shape } from '../../core/data-source.ts'
import { element, integer, list } from '../../core/field.ts'
import { formatInstant } from '../../core/instant.ts'
import { fillPath } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import {
  ArgumentError,
  MalformedAnswerError,
  NotFoundError,
  type AnswerFault,
  type ArgumentWords,
} from '../../errors/index.ts'
import { newestFirstBy } from '../values/newest-first.ts'
import { readItem } from './item.ts'
import { withKeyNeeds } from './key-needs.ts'

/** A value that can be put into a path or a query. */
type ArgumentValues = Readonly<Record<string, string | number | boolean>>

/** What reading a data source needs of the API's client. */
export type Reader = Pick<Client, 'get' | 'list' | 'baseUrl'>

export interface Listing {
  readonly results: readonly Values[]
  /** The service's own count, which is more than `results` if a limit ended the reading. */
  readonly totalCount: number
}

/** A single thing as itself; a list as its items with their count. */
export type Reading<S extends Shape> = S extends 'one' ? Values : Listing

/** @throws ArgumentError with everything that is wrong with the arguments, in the words of the door. */
export const refuseArguments = (
  definition: DataSourceDefinition,
  given: Values,
  words: ArgumentWords<Problem>,
): void => {
  const problems = checkArguments(definition, given)
  if (problems.length > 0) throw new ArgumentError(definition.name, problems, words)
}

/**
 * Reads a data source.
 * @throws ArgumentError with everything that is wrong, before anything is sent.
 * @throws MalformedAnswerError if the answer does not have the documented shape.
 */
export async function readDataSource<S extends Shape>(
  client: Reader,
  definition: DataSourceDefinition<S>,
  given: Values,
  words: ArgumentWords<Problem>,
): Promise<Reading<S>>
export async function readDataSource(
  client: Reader,
  definition: DataSourceDefinition,
  given: Values,
  words: ArgumentWords<Problem>,
): Promise<Values | Listing> {
  refuseArguments(definition, given, words)
  const values = sentValues(definition, given)
  const path = fillPath(definition.operation.path, values)
  const read = definition.shape === 'one' ? readOne : readList
  return read(client, definition, path, values).catch((error: unknown) => {
    throw withKeyNeeds(error, definition, client)
  })
}

/**
 * Reads a list once for each value of the argument that may have several, and merges the items, newest first.
 * @throws as `readDataSource`
 */
export const readSeveral = async (
  client: Reader,
  definition: DataSourceDefinition<'list'>,
  given: readonly Values[],
  words: ArgumentWords<Problem>,
): Promise<Listing> => {
  for (const each of given) refuseArguments(definition, each, words)
  const listings = await Promise.all(given.map((each) => readDataSource(client, definition, each, words)))
  const newest = definition.several?.newest ?? ''
  const limit = given[0]?.['limit']
  const results = newestFirstBy(
    listings.flatMap((each) => each.results),
    (item) => item[newest],
  )
  return {
    results: results.slice(0, limit === undefined ? undefined : Number(limit)),
    totalCount: listings.reduce((sum, { totalCount }) => sum + totalCount, 0),
  }
}

/** The values to send for checked arguments. The API's timestamps are in UTC. */
const sentValues = ({ arguments: fields }: DataSourceDefinition, given: Values): ArgumentValues =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (value === undefined || value === null) return []
      const isInstant = fields[name]?.type.is === 'instant'
      return [[name, isInstant ? formatInstant(Date.parse(value as string)) : (value as string)]]
    }),
  )

const readOne = async (
  client: Reader,
  definition: DataSourceDefinition,
  path: string,
  values: ArgumentValues,
): Promise<Values> => {
  const { body, status } = await client.get(path, queryOf(definition, values))
  const item = readItem(definition.result, body, '')
  if (item.problems.length > 0) refuseMalformed(client, path, item.problems, status)
  return item.values
}

const readList = async (
  client: Reader,
  definition: DataSourceDefinition,
  path: string,
  values: ArgumentValues,
): Promise<Listing> => {
  const limit = values['limit'] === undefined ? undefined : Number(values['limit'])
  const query = queryOf(definition, values)
  const reading =
    definition.unpaged === true ? readWhole(client, path, query) : readUpTo(client, path, query, limit)
  const page = await reading.catch((error: unknown) => emptyOr(definition, error))
  const items = page.results
    .slice(0, limit)
    .map((raw, index) => readItem(definition.result, raw, `results[${String(index)}]`))
  const problems = items.flatMap((item) => item.problems)
  if (problems.length > 0) refuseMalformed(client, path, problems, 200)
  return { results: items.map((item) => item.values), totalCount: page.totalCount }
}

type Items = Pick<Page, 'results' | 'totalCount'>

/** Reads a list envelope that has no pages. */
const readWhole = async (client: Reader, path: string, query: Query): Promise<Items> => {
  const { body, status } = await client.get(path, query)
  const { values, problems } = readItem(envelope, body, '')
  const { results, totalCount } = values
  if (Array.isArray(results) && typeof totalCount === 'number') return { results, totalCount }
  const missing: readonly AnswerFault[] = problems.length > 0 ? problems : [{ fault: 'no-list' }]
  return refuseMalformed(client, path, missing, status)
}
const envelope = {
  results: list(element.json, ''),
  totalCount: integer(''),
}

/** Reads no more pages than the limit needs. */
const readUpTo = async (
  client: Reader,
  path: string,
  query: Query,
  limit: number | undefined,
): Promise<Items> => {
  if (limit === undefined) return client.list(path, query)
  const itemsPerPage = Math.min(limit, LARGEST_PAGE)
  const maxPages = Math.ceil(limit / itemsPerPage)
  const page = await client.list(path, { ...query, itemsPerPage }, { maxPages })
  // If the service's pages are shorter than requested, the limit is not reached yet.
  return page.complete || page.results.length >= limit ? page : client.list(path, query)
}
/** The largest page size of the API. */
const LARGEST_PAGE = 500

const emptyOr = (definition: DataSourceDefinition, error: unknown): Items => {
  const code = error instanceof NotFoundError ? error.serviceErrorCode : undefined
  if (code !== undefined && definition.emptyOn?.includes(code) === true) return { results: [], totalCount: 0 }
  throw error
}

/** Arguments that are neither in the path nor only for the engine. */
const queryOf = (definition: DataSourceDefinition, values: ArgumentValues): Query =>
  Object.fromEntries(
    Object.entries(definition.arguments)
      .filter(([, field]) => field.part === 'value')
      .map(([name, field]) => [field.wire ?? name, values[name]]),
  )

const refuseMalformed = (
  client: Reader,
  path: string,
  problems: readonly AnswerFault[],
  status: number,
): never => {
  throw new MalformedAnswerError(problems, {
    method: 'GET',
    url: client.baseUrl + path,
    path,
    status,
    outcome: 'refused',
  })
}
