import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { createClient, type Client, type ClientOptions } from '../../../../provider/api/index.ts'
import { listen } from '../../../support/listen.ts'
import { DigestVerifier, type DigestRules, type Verdict } from './digest-verifier.ts'

export const publicKey = 'ciadmin'
/** Must never appear in anything that the client throws. */
export const privateKey = 'canary-9d2c2a3e-private'

const base = '/api/public/v1.0'

export interface Received {
  readonly method: string
  /** Relative to the base URL, with its query. */
  readonly path: string
  readonly body: string
  /** What checking the credentials showed. */
  readonly verdict: Verdict
  readonly query: URLSearchParams
  readonly request: IncomingMessage
}

export type Handler = (received: Received, response: ServerResponse) => void | Promise<void>

export interface Service {
  readonly baseUrl: string
  readonly log: Received[]
  readonly digest: DigestVerifier
  /** Requests with valid credentials. */
  good(): Received[]
  client(options?: Partial<ClientOptions>): Client
  /** Nobody listens at the address from now on. */
  leave(): Promise<void>
  /** Listens there again, if it has left. */
  back(): Promise<void>
}

export interface ServiceOptions {
  readonly rules?: Partial<DigestRules>
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Answers requests without valid credentials in place of the challenge. */
  readonly unauthorized?: Handler
}

/**
 * A real HTTP server that demands Digest and passes valid requests to `handler`. It ends with the test, and so do its
 * clients.
 */
export const startService = async (handler: Handler, options: ServiceOptions = {}): Promise<Service> => {
  const digest = new DigestVerifier({ username: publicKey, password: privateKey, ...options.rules })
  const log: Received[] = []
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? ''
    const path = target.slice(base.length)
    const method = request.method ?? ''
    const verdict = digest.verify(method, target, request.headers.authorization)
    const body = await text(request)
    const query = new URLSearchParams(target.split('?')[1] ?? '')
    const received = { method, path, body, verdict, query, request }
    log.push(received)
    if (verdict === 'good') await handler(received, response)
    else await (options.unauthorized ?? defaultUnauthorized(digest))(received, response)
  }
  const guarded = (request: IncomingMessage, response: ServerResponse): void => {
    listener(request, response).catch(() => response.destroy())
  }
  const server = options.tls === undefined ? createServer(guarded) : createTlsServer(options.tls, guarded)
  const port = await listen(server)
  const baseUrl = `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}${base}`
  let returning: Promise<unknown> | undefined
  const clients: Client[] = []
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await close(server)
  })
  return {
    baseUrl,
    log,
    digest,
    good: () => log.filter((received) => received.verdict === 'good'),
    client(more = {}) {
      const client = createClient({ baseUrl, publicKey, privateKey, delay: async () => {}, ...more })
      clients.push(client)
      return client
    },
    async leave() {
      await close(server)
      returning = undefined
    },
    async back() {
      returning ??= once(server.listen(port, '127.0.0.1'), 'listening')
      await returning
    },
  }
}

/** A service and a client for it. */
export const begin = async (
  handler: Handler,
  { client, ...options }: ServiceOptions & { readonly client?: Partial<ClientOptions> } = {},
): Promise<{ readonly service: Service; readonly client: Client }> => {
  const service = await startService(handler, options)
  return { service, client: service.client(client) }
}

const defaultUnauthorized =
  (digest: DigestVerifier): Handler =>
  (received, response) => {
    response.setHeader('www-authenticate', digest.challenge(received.verdict === 'stale'))
    json(response, 401, { error: 401, reason: 'Unauthorized', detail: 'You are not authorized.' })
  }

export const json = (response: ServerResponse, status: number, body: unknown): void => {
  raw(response, status, JSON.stringify(body))
}

export const raw = (
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  type = 'application/json',
): void => {
  response.writeHead(status, { 'content-type': type })
  response.end(body)
}

const close = async (server: {
  close(done: () => void): unknown
  closeAllConnections?(): void
}): Promise<void> => {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections?.()
  })
}

/** A client for an address where nobody listens. */
export const clientOfNobody = async (more: Partial<ClientOptions> = {}): Promise<Client> => {
  const server = createServer()
  const baseUrl = `http://127.0.0.1:${await listen(server)}${base}`
  await close(server)
  return createClient({ baseUrl, publicKey, privateKey, ...more })
}

/** The error that a promise rejects with. */
export const failure = async <T extends Error>(
  promise: Promise<unknown>,
  kind: abstract new (...parts: never[]) => T,
): Promise<T> => {
  const error: unknown = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  if (error instanceof kind) return error
  throw new Error(`expected ${kind.name}`, { cause: error })
}
