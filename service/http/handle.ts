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
import { type Paging, listLinks, parsePaging, shiftPaging } from './paging.ts'
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
  /** By how much a fault shifts the pages; usually 0. */
  readonly shift: number
}

/** Checks a request, lets its endpoint handle it in one transaction, and renders the answer. */
export const callEndpoint = (context: Context, endpoint: Endpoint, incoming: Incoming): Rendered => {
  const { settings, store } = context
  const { query, caller, remoteAddress, eventFault } = incoming
  const presentation = parsePresentation(query)
  checkKnownParameters(query, endpoint.query, settings)
  const hasPages = endpoint.query.includes('paging')
  const paging = shiftPaging(parsePaging(hasPages ? query : {}, settings), incoming.shift)
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
  const answer = shifted(
    store.transaction(() => endpoint.handle(call)),
    paging,
  )
  if (answer.kind !== 'list') return renderAnswer(answer, [], presentation)
  const url = context.baseUrl() + pathOf(endpoint, incoming.params)
  const list = { url, query, paging: hasPages ? paging : undefined }
  return renderAnswer(answer, listLinks(list, answer.total, settings), presentation)
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

/** A shifted set has a different size, and with it another last page. */
const shifted = (answer: Answer, paging: Paging): Answer =>
  answer.kind === 'list' ? { ...answer, total: Math.max(0, answer.total + paging.shift) } : answer

const pathOf = ({ path }: Endpoint, params: Incoming['params']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
