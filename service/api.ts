import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Authenticator, createAuthenticator } from './auth/authenticate.ts'
import { findCaller } from './auth/caller.ts'
import type { Context } from './context.ts'
import {
  applyLatency,
  eventFault,
  findFault,
  reset,
  sendTruncated,
  spoilBody,
} from './control/fault-effects.ts'
import { type FaultSpec, faultKinds } from './control/fault-schema.ts'
import type { Faults } from './control/faults.ts'
import type { LogEntry, RequestLog } from './control/request-log.ts'
import { ApiError, type ErrorCode } from './errors.ts'
import { passAccessList } from './http/access-list.ts'
import { type Rendered, errorStatus, renderChallenge, renderError } from './http/answer.ts'
import type { Endpoint } from './http/endpoint.ts'
import { callEndpoint } from './http/handle.ts'
import { plainAddress } from './http/host-check.ts'
import { type RawQuery, lenientPresentation } from './http/query.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { toApiError } from './http/to-api-error.ts'
import { endpoints } from './routes/endpoints.ts'
import { unmatched } from './routes/unmatched.ts'

/** The parts of the API besides its data. */
interface ApiParts {
  readonly context: Context
  readonly log: RequestLog
  readonly faults: Faults
  /** Aborted when the service closes. */
  readonly closing: AbortSignal
}

/** The state of one request in progress. */
interface Passage {
  readonly entry: LogEntry
  readonly endpoint: Endpoint | undefined
  met: readonly FaultSpec[]
}

/** Registers the 21 endpoints under the prefix of the API. */
export const registerApi = (app: FastifyInstance, api: Api, prefix: string): void => {
  app.addHook('onRequest', async (request, reply) => api.receive(request, reply))
  app.setErrorHandler(async (error, request, reply) => api.fail(request, reply, error))
  app.setNotFoundHandler(async (request, reply) => api.fail(request, reply, unmatched(request, prefix)))
  for (const endpoint of endpoints) {
    for (const path of [endpoint.path, endpoint.alias]) {
      if (path === undefined) continue
      app.route({
        method: endpoint.method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { endpoint },
        handler: async (request, reply) => api.answer(request, reply, endpoint),
      })
    }
  }
}

export class Api {
  readonly #parts: ApiParts
  readonly #prefix: string
  readonly #authenticator: Authenticator
  readonly #checkRate: (publicKey: string) => void
  readonly #passages = new WeakMap<FastifyRequest, Passage>()

  constructor(parts: ApiParts, prefix: string) {
    this.#parts = parts
    this.#prefix = prefix
    this.#authenticator = createAuthenticator(parts.context)
    this.#checkRate = createRateLimit(parts.context)
  }

  /** Accepts a request, or answers it: authentication, limits, and faults that come before the commit. */
  async receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { log, context } = this.#parts
    const path = request.url.slice(this.#prefix.length)
    const endpoint = endpointOf(request)
    const passage: Passage = { entry: log.begin(request.method, path), endpoint, met: [] }
    this.#passages.set(request, passage)
    // A peer that has already reset the connection has no address: whether the request still counts is up to us.
    if (request.socket.remoteAddress === undefined) return this.#reset(reply, passage)
    const verdict = this.#authenticator.authenticate(request.headers.authorization, {
      method: request.method,
      target: request.url,
    })
    if ('challenge' in verdict) return this.#challenge(request, reply, verdict.challenge, verdict.reason)
    const { caller } = verdict
    passage.entry.key = caller.publicKey
    log.count(endpoint ? `${endpoint.method} ${endpoint.path}` : 'unmatched')
    try {
      this.#checkRate(caller.publicKey)
      passAccessList(context, caller, plainAddress(request.ip))
    } catch (error) {
      return this.fail(request, reply, error)
    }
    return this.#meetFaults(request, reply, passage)
  }

  async #meetFaults(
    request: FastifyRequest,
    reply: FastifyReply,
    passage: Passage,
  ): Promise<FastifyReply | undefined> {
    const is = {
      'later pages':
        passage.endpoint?.query.includes('paging') === true && !/^(1?|0*1)$/.test(pageNum(request)),
      writes: request.method !== 'GET',
    }
    passage.met = this.#parts.faults.take(request.method, passage.entry.path, ({ fault }) => {
      const { meets } = faultKinds[fault]
      return meets === undefined || is[meets]
    })
    if (findFault(passage.met, 'stale-nonce')) {
      return this.#challenge(request, reply, this.#authenticator.challenge({ stale: true }), 'stale')
    }
    if (findFault(passage.met, 'reset-before')) return this.#reset(reply, passage)
    const fault = findFault(passage.met, 'status')
    return fault ? this.fail(request, reply, faultError(fault)) : undefined
  }

  /** Answers a request that the router could not parse; only authenticated callers learn that. */
  async refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    return (await this.receive(request, reply)) ?? this.fail(request, reply, error)
  }

  /** Answers an endpoint: all its writes are one transaction, durable before the answer leaves. */
  async answer(request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint): Promise<FastifyReply> {
    const passage = this.#passages.get(request)
    if (!passage?.entry.key) throw new Error('A request came past the authentication.')
    if (!passage.endpoint) throw unmatched(request, this.#prefix)
    const { met } = passage
    // The request has been read completely, so it is carried out even if its client does not wait.
    if (!(await applyLatency(met, this.#parts.closing))) return this.#reset(reply, passage)
    // Read again, because the roles can have changed while the body was on its way.
    const caller = findCaller(this.#parts.context, passage.entry.key)?.caller
    if (!caller) throw new Error('A key has disappeared.')
    const shifted = findFault(met, 'shift-pages')
    const rendered = callEndpoint(this.#parts.context, endpoint, {
      params: request.params as Record<string, string>,
      query: request.query as RawQuery,
      contentType: request.headers['content-type'],
      body: request.body,
      caller,
      remoteAddress: plainAddress(request.ip),
      eventFault: eventFault(met),
      shift: shifted ? (shifted.shift ?? 1) : 0,
    })
    return this.#send(request, reply, rendered)
  }

  /** Answers an error. */
  async fail(request: FastifyRequest, reply: FastifyReply, thrown: unknown): Promise<FastifyReply> {
    const { settings } = this.#parts.context
    const error = toApiError(thrown)
    const presentation = lenientPresentation(queryOf(request))
    const status = errorStatus(error, settings)
    if (
      error.kind === 'permission' &&
      status === 401 &&
      settings.get('open.permissionChallenge') === 'present'
    ) {
      reply.header('www-authenticate', this.#authenticator.challenge())
    }
    reply.headers(error.headers)
    return this.#send(request, reply, renderError(error, presentation, settings))
  }

  #challenge(request: FastifyRequest, reply: FastifyReply, header: string, reason: string): FastifyReply {
    this.#parts.log.count('challenges')
    reply.header('www-authenticate', header)
    const error =
      reason === 'no-credentials'
        ? new ApiError(401, 'NO_CURRENT_USER', 'Digest authentication with an API key is required.')
        : new ApiError(401, 'USER_UNAUTHORIZED', 'The credentials were not accepted.')
    return this.#send(request, reply, renderChallenge(error, lenientPresentation(queryOf(request))))
  }

  /** Sends an answer, or what the faults after the commit make of it. */
  #send(request: FastifyRequest, reply: FastifyReply, rendered: Rendered): FastifyReply {
    const passage = this.#passages.get(request)
    const met = passage?.met ?? []
    if (passage && findFault(met, 'reset-after')) return this.#reset(reply, passage)
    if (passage) passage.entry.status = rendered.status
    const { body, contentType, status } = spoilBody(rendered, met)
    if (body && findFault(met, 'truncate')) {
      sendTruncated(reply, rendered, body)
      return reply
    }
    reply.code(status)
    if (contentType !== undefined) reply.header('content-type', contentType)
    return reply.send(body)
  }

  #reset(reply: FastifyReply, passage: Passage): FastifyReply {
    passage.entry.status = 0
    reset(reply)
    return reply
  }
}

/** The router also accepts a path whose last parameter is empty, which names nothing. */
const endpointOf = ({ params, routeOptions }: FastifyRequest): Endpoint | undefined =>
  Object.values((params ?? {}) as Record<string, string>).includes('')
    ? undefined
    : (routeOptions.config as { endpoint?: Endpoint } | undefined)?.endpoint

/** Empty if the router could not parse the path. */
const queryOf = ({ query }: FastifyRequest): RawQuery => (query ?? {}) as RawQuery

const pageNum = (request: FastifyRequest): string => {
  const value = queryOf(request)['pageNum']
  return typeof value === 'string' ? value : ''
}

const faultError = (fault: FaultSpec): ApiError => {
  const status = fault.status ?? 500
  const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
  const codes: Record<number, ErrorCode> = { 429: 'RATE_LIMITED', 500: 'UNEXPECTED_ERROR' }
  return new ApiError(status, codes[status] ?? 'FAULT', 'A requested fault.', { headers })
}
