import { invalid } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'
import { parseTimestamp, timestampsRead } from '../time.ts'

/** The groups of query parameters of endpoints, besides pretty and envelope. */
export type QueryName = 'paging' | 'status' | 'eventType' | 'includeRaw' | 'minDate' | 'maxDate'

/** How the answer is rendered. */
export interface Presentation {
  readonly pretty: boolean
  readonly envelope: boolean
}

/** The filters of endpoints 4 and 19 to 21. */
export interface Filters {
  readonly status?: string
  readonly eventTypes?: readonly string[]
  readonly includeRaw: boolean
  readonly from?: number
  readonly to?: number
}

/** A parsed query string: fastify makes an array of a repeated parameter. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

/** The parameter names of each group. */
const parameterNames = (query: readonly QueryName[]): string[] => [
  'pretty',
  'envelope',
  ...query.flatMap((name) => (name === 'paging' ? ['pageNum', 'itemsPerPage'] : [name])),
]

export const parsePresentation = (raw: RawQuery): Presentation => ({
  pretty: booleanParameter(raw, 'pretty'),
  envelope: booleanParameter(raw, 'envelope'),
})

/** Reads pretty and envelope for an error answer, where an invalid value must not cause another error. */
export const lenientPresentation = (raw: RawQuery): Presentation => ({
  pretty: isTrue(raw['pretty']),
  envelope: isTrue(raw['envelope']),
})

const isTrue = (value: RawQuery[string]): boolean => String(value).toLowerCase() === 'true'

/** open.unknownQueryParameters */
export const checkKnownParameters = (
  raw: RawQuery,
  query: readonly QueryName[],
  settings: Settings,
): void => {
  if (settings.get('open.unknownQueryParameters') === 'ignore') return
  const known = parameterNames(query)
  const unknownName = Object.keys(raw).find((name) => !known.includes(name))
  if (unknownName !== undefined) throw badParameter(unknownName, 'is unknown')
}

export const parseFilters = (raw: RawQuery, query: readonly QueryName[], settings: Settings): Filters => {
  const has = (name: QueryName) => query.includes(name)
  const status = has('status') ? single(raw, 'status') : undefined
  const eventTypes = has('eventType') ? eventTypeParameter(raw, settings) : undefined
  const from = has('minDate') ? instantParameter(raw, 'minDate') : undefined
  const to = has('maxDate') ? instantParameter(raw, 'maxDate') : undefined
  return {
    includeRaw: has('includeRaw') && booleanParameter(raw, 'includeRaw'),
    ...(status === undefined ? {} : { status }),
    ...(eventTypes === undefined ? {} : { eventTypes }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

/** The value of a parameter that may occur once. */
export const single = (raw: RawQuery, name: string): string | undefined => {
  const value = raw[name]
  if (Array.isArray(value)) throw badParameter(name, 'may appear only once')
  return value
}

export const badParameter = (name: string, problem: string): Error =>
  invalid('INVALID_QUERY_PARAMETER', `The query parameter ${name.slice(0, 100)} ${problem}.`, [
    name.slice(0, 100),
  ])

const booleanParameter = (raw: RawQuery, name: string): boolean => {
  const value = single(raw, name)
  if (value === undefined || value.toLowerCase() === 'false') return false
  if (!isTrue(value)) throw badParameter(name, 'must be true or false')
  return true
}

const instantParameter = (raw: RawQuery, name: string): number | undefined => {
  const value = single(raw, name)
  if (value === undefined) return undefined
  const instant = parseTimestamp(value)
  // In a query, a bare + is a space.
  const plus = value.includes(' ') ? ', with a + written as %2B' : ''
  if (instant === undefined) throw badParameter(name, `must be ${timestampsRead}${plus}`)
  return instant
}

/** open.eventTypeList: "only events of the given types", but how several are given is not documented. */
const eventTypeParameter = (raw: RawQuery, settings: Settings): string[] | undefined => {
  const value = raw['eventType']
  if (value === undefined) return undefined
  const style = settings.get('open.eventTypeList')
  if (Array.isArray(value) && style === 'comma') throw badParameter('eventType', 'may appear only once')
  const values = Array.isArray(value) ? value : [value]
  return style === 'repeated' ? values : values.flatMap((types) => types.split(','))
}
