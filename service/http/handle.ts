import { MIMEType } from 'node:util'
import type { TSchema } from 'typebox'
import { settleAlerts } from '../alerts/engine.ts'
import type { Caller } from '../auth/caller.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'
import { type Rendered, renderAnswer } from './answer.ts'
import { checkBody, parseJson } from './body.ts'
import type { Answer, Call, Endpoint, EventFault } from './endpoint.ts'
import { type Paging, pageLinks, parsePaging, selfLinks, shiftPaging } from './paging.ts'
import { type RawQuery, checkKnownParameters, parseFilters, parsePresentation } from './query.ts'

/** A request with a known caller. */
interface Incoming {
  readonly params: Readonly<Record<string, string>>
  readonly query: RawQuery
  readonly contentType: string | undefined
  readonly body: unknown
  readonly caller: Caller
  readonly remoteAddress: string
  readonly eventFault: EventFault
  /** By how much a fault shifts the pages. */
  readonly shift: number | undefined
}

/** Checks a request, lets its endpoint handle it in one transaction, and renders the answer. */
export const callEndpoint = (context: Context, endpoint: Endpoint, incoming: Incoming): Rendered => {
  const { settings, store } = context
  const { query, caller, remoteAddress, eventFault } = incoming
  const presentation = parsePresentation(query)
  checkKnownParameters(query, endpoint.query, settings)
  const pages = endpoint.query.includes('paging') ? parsePaging(query, settings) : parsePaging({}, settings)
  const paging = incoming.shift === undefined ? pages : shiftPaging(pages, incoming.shift)
  const call = {
    context,
    caller,
    params: incoming.params,
    paging,
    filters: parseFilters(query, endpoint.query, settings),
    body: endpoint.body && readBody(endpoint.body, incoming, settings),
    remoteAddress,
    eventFault,
  } as Call
  // A separate transaction, so that a refused request does not undo what was due anyway.
  settleAlerts(context)
  const answer = store.transaction(() => endpoint.handle(call))
  return renderAnswer(
    shifted(answer, paging),
    linksOf(context, endpoint, incoming, paging, answer),
    presentation,
  )
}

const readBody = (schema: TSchema, { contentType, body }: Incoming, settings: Settings): unknown => {
  if (contentType !== undefined && !isJson(contentType)) {
    throw new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The Content-Type of a body must be application/json.')
  }
  return checkBody(schema, parseJson(body), settings)
}

/** Unknown parameters change nothing (RFC 9110, 5.6.6), but another charset would. */
const isJson = (contentType: string): boolean => {
  try {
    const { essence, params } = new MIMEType(contentType)
    return essence === 'application/json' && /^utf-8$/i.test(params.get('charset') ?? 'utf-8')
  } catch {
    return false
  }
}

/** A shifted set has a different size, too. */
const shifted = (answer: Answer, paging: Paging): Answer =>
  answer.kind === 'list' ? { ...answer, total: Math.max(0, answer.total + paging.shift) } : answer

const linksOf = (
  context: Context,
  endpoint: Endpoint,
  incoming: Incoming,
  paging: Paging,
  answer: Answer,
) => {
  if (answer.kind !== 'list') return []
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(incoming.params[name] ?? ''),
  )
  const url = context.baseUrl() + path
  if (!endpoint.query.includes('paging')) return selfLinks(url, context.settings)
  return pageLinks(url, incoming.query, paging, answer.total, context.settings)
}
