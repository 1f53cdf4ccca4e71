import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { listen } from './listen.ts'

/** A request on its way from the command to the service. */
export interface Passing {
  readonly method: string
  /** Relative to the base URL, with its query. */
  readonly path: string
  readonly body: string
  /** Whether it has credentials; otherwise the service answers with a challenge. */
  readonly authorized: boolean
  /** Counts the writes with credentials, from 1; 0 for all other requests. */
  readonly write: number
}

export interface Passed {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Buffer
}

/** What happens to a request: an answer, a broken connection, or silence until the command gives up. */
export type Fate = Passed | 'reset' | 'silence'
export type Steer = (passing: Passing, forward: () => Promise<Passed>) => Promise<Fate>

export interface TestProxy {
  readonly baseUrl: string
  /** Replaces what happens to requests from now on; writes are counted anew. */
  steer(steer: Steer): void
  /** Leads to another service from now on, as if one was restored elsewhere behind the same address. */
  leadTo(serviceUrl: string): void
  /** Resolves once nobody is connected and nothing is forwarded: what a killed command has sent can still arrive. */
  drained(): Promise<void>
  close(): Promise<void>
}

const BASE = '/api/public/v1.0'
/** Lets every request through. */
export const pass: Steer = (_, forward) => forward()

/** Stands between the command and the service, and decides what happens to each request, as a network does. */
export const startProxy = async (
  serviceUrl: string,
  options: { readonly tls?: { readonly key: string; readonly cert: string } } = {},
): Promise<TestProxy> => {
  let target = new URL(serviceUrl)
  let current = pass
  let writes = 0
  // Connections, and requests that are forwarded.
  const underWay = new Set<unknown>()
  const waiting = new Set<() => void>()
  const done = (each: unknown): void => {
    underWay.delete(each)
    if (underWay.size > 0) return
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const { method = '', url = '', headers } = request
    const authorized = headers.authorization !== undefined
    const isWrite = method !== 'GET' && authorized
    if (isWrite) writes += 1
    const passing = {
      method,
      path: url.slice(BASE.length),
      body: body.toString(),
      authorized,
      write: isWrite ? writes : 0,
    }
    const fate = await current(passing, () => forwardTo(target, request, body))
    if (fate === 'silence') return
    if (fate === 'reset') {
      request.socket.resetAndDestroy()
      return
    }
    response.writeHead(fate.status, withoutLength(fate.headers)).end(fate.body)
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    underWay.add(request)
    handle(request, response)
      .catch(() => response.destroy())
      .finally(() => done(request))
  }
  const server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener)
  server.on('connection', (socket) => {
    underWay.add(socket)
    socket.on('close', () => done(socket))
  })
  const port = await listen(server)
  return {
    baseUrl: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}${BASE}`,
    steer(steer) {
      current = steer
      writes = 0
    },
    leadTo(url) {
      target = new URL(url)
    },
    drained: () =>
      new Promise((resolve) => {
        waiting.add(resolve)
        done(undefined)
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const withoutLength = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== 'content-length' && name !== 'transfer-encoding'),
  )

const forwardTo = (target: URL, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Passed> =>
  new Promise((resolve, reject) => {
    const onward = sendRequest(
      {
        host: target.hostname,
        port: target.port,
        method,
        path: url,
        headers: { ...headers, host: target.host },
      },
      (answer) => {
        buffer(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
          reject,
        )
      },
    )
    onward.on('error', reject)
    onward.end(body)
  })
