import { Agent as HttpAgent, type ClientRequest } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Got, Request, Response } from 'got'
import { releaseBytes } from './release-bytes.ts'
import { agentThrough } from './agent-through.ts'
import type { Proxy } from './proxy.ts'
import { faultOf, WireFault } from './wire-fault.ts'
import type { AnswerHeaders, WriteMethod } from './types.ts'

/** Larger answers are refused entirely. */
const largestAnswer = 32 * 1024 * 1024

// A server may close an idle connection just when a write goes out on it, and then the outcome is unknown. Servers
// keep idle connections for at least five seconds, so those that were idle for two are not used again.
const keeping = { keepAlive: true, timeout: 2000 }

interface WireRequest {
  readonly method: 'GET' | WriteMethod
  readonly url: URL
  readonly authorization: string | undefined
  /** JSON text. */
  readonly body: string | undefined
  /** Aborts the exchange; not given for writes. */
  readonly signal: AbortSignal | undefined
}

export interface WireAnswer {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: Uint8Array
}

interface TransportOptions {
  readonly trust: SecureContext | undefined
  readonly proxy: Proxy | undefined
  readonly deadlineMs: number
}

/**
 * Sends one request and returns its whole answer, whatever its status. No retries, no redirects, no parsing of the
 * body.
 */
export class Transport {
  readonly #options: TransportOptions
  #agent: HttpAgent | HttpsAgent | undefined
  #got: Promise<Got> | undefined

  constructor(options: TransportOptions) {
    this.#options = options
  }

  /** @throws WireFault */
  async exchange(request: WireRequest): Promise<WireAnswer> {
    this.#got ??= this.#load(request.url.protocol === 'https:')
    const got = await this.#got
    // A stream of an answer costs a fifth less than a promise, and treats a refusal like any other answer.
    const answer = got.stream(request.url, {
      method: request.method,
      headers: headersOf(request),
      // For a `body`, got checks if it is a form, which makes Node load the whole of fetch.
      ...(request.body === undefined ? {} : { json: request.body }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    })
    if (request.method !== 'GET' && request.body === undefined) answer.end()
    return collected(answer, request, this.#options.proxy)
  }

  close(): void {
    this.#agent?.destroy()
  }

  // Importing got takes longer than starting Node, and many commands never send anything.
  async #load(isSecure: boolean): Promise<Got> {
    const { default: got } = await import('got')
    const agent = isSecure ? { https: await this.#secureAgent() } : { http: this.#plainAgent() }
    ;[this.#agent] = Object.values(agent)
    return got.extend({
      agent,
      followRedirect: false,
      throwHttpErrors: false,
      retry: { limit: 0 },
      timeout: { request: this.#options.deadlineMs },
      stringifyJson: String,
      https: { rejectUnauthorized: true },
      headers: { accept: 'application/json', 'user-agent': 'deploymgmt' },
    })
  }

  #plainAgent(): HttpAgent {
    const { proxy } = this.#options
    return new HttpAgent({ ...keeping, ...(proxy && { proxyEnv: proxy.settings }) })
  }

  // All requests of a client go to one address. If that has no TLS, Node's module is not loaded.
  async #secureAgent(): Promise<HttpsAgent> {
    const { Agent } = await import('node:https')
    const { trust, proxy, deadlineMs } = this.#options
    // Set explicitly, because otherwise an environment variable of Node can turn verification off.
    const secure = { ...keeping, rejectUnauthorized: true, ...(trust && { secureContext: trust }) }
    return proxy === undefined ? new Agent(secure) : agentThrough(proxy, deadlineMs, secure)
  }
}

/** Collects a whole answer. */
const collected = (
  answer: Request,
  { url, signal }: WireRequest,
  proxy: Proxy | undefined,
): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(new WireFault(faultOf(error, { sent, tooLarge, cancelled: signal?.aborted ?? false, proxy })))
    }
    const parts: Uint8Array[] = []
    let [size, sent, tooLarge] = [0, false, false]
    let head: Pick<WireAnswer, 'status' | 'headers'> | undefined
    const take = (length: number): void => {
      tooLarge ||= length > largestAnswer
      if (tooLarge) answer.destroy(new Error('too large'))
    }
    answer.once('request', (wire: ClientRequest) => {
      whenConnected(wire, url, () => {
        sent = true
      })
    })
    answer.once('response', ({ statusCode, headers }: Response) => {
      head = { status: statusCode, headers }
      take(Number(headers['content-length'] ?? 0))
    })
    answer.on('data', (part: Uint8Array) => {
      parts.push(part)
      size += part.length
      take(size)
    })
    answer.once('error', fail)
    answer.once('end', () => {
      if (head !== undefined) resolve({ ...head, body: joined(parts, size) })
    })
    // Whatever else ends the stream, nobody waits for ever.
    answer.once('close', () => {
      if (!answer.readableEnded || head === undefined)
        fail(new Error('the answer ended before it was complete'))
    })
  })

/** The parts as one; a single part is not copied, and parts that were copied are given back. */
const joined = (parts: readonly Uint8Array[], size: number): Uint8Array => {
  const [only, ...others] = parts
  if (only !== undefined && others.length === 0) return only
  const whole = Buffer.concat(parts, size)
  for (const part of parts) releaseBytes(part)
  return whole
}

const headersOf = (request: WireRequest): Record<string, string> => ({
  ...(request.authorization === undefined ? {} : { authorization: request.authorization }),
  ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
})

// Nothing is written before the connection (for TLS, the handshake) is complete. A request that fails earlier was not
// sent.
const whenConnected = (wire: ClientRequest, url: URL, connected: () => void): void => {
  wire.once('socket', (socket: Socket) => {
    if (!socket.connecting) connected()
    else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected)
  })
}
