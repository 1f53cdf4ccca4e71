import { setTimeout as sleep } from 'node:timers/promises'
import { DeploymgmtError } from '../errors/deploymgmt-error.ts'
import { RateLimitedError } from '../errors/rate-limited-error.ts'
import { RequestError } from '../errors/request-error.ts'
import { ServiceFailureError } from '../errors/service-failure-error.ts'
import { UnreachableError } from '../errors/unreachable-error.ts'
import { header, readBody } from './answer.ts'
import { releaseBytes } from './release-bytes.ts'
import { checkBaseUrl } from './base-url.ts'
import { checkPrivateKey, checkPublicKey } from './key-halves.ts'
import { trustOf } from './ca-file.ts'
import { proxyFor } from './proxy.ts'
import { openCall, type Call, type CallParts } from './call.ts'
import { AuthenticatedTransport, type Timed } from './authenticated-transport.ts'
import { notSent, refusal } from './request-errors.ts'
import { Limiter, type Release } from './limiter.ts'
import { readList } from './list.ts'
import { printable, withoutSecrets } from './printable.ts'
import { Retry, retryLimits } from './retry.ts'
import { ServiceClock } from './service-clock.ts'
import { DigestSession } from './digest-session.ts'
import { Transport } from './transport.ts'
import type {
  Answer,
  Client,
  ClientOptions,
  Held,
  ListOptions,
  Page,
  Query,
  SendOptions,
  WriteMethod,
} from './types.ts'

const defaults = {
  concurrency: 10,
  deadlineMs: retryLimits.deadlineMs,
  totalRetryMs: retryLimits.totalMs,
}

/**
 * Nothing is sent, and the HTTP library is not loaded, before the first request.
 * @throws BaseUrlError, InsecureUrlError, CredentialsError, CaFileError, ProxyError
 */
export const createClient = (options: ClientOptions): Client => new HttpClient(options)

/** Nothing has left this machine. */
const isUnsent = (error: unknown): boolean =>
  error instanceof UnreachableError && error.outcome === 'not-sent'

/** Whether the service itself has answered, and not a proxy that cannot reach it. */
const isFromService = (error: unknown): boolean =>
  error instanceof RequestError && error.status !== undefined && error.status < 500

class HttpClient implements Client {
  readonly publicKey: string
  readonly baseUrl: string
  readonly #options: ClientOptions
  readonly #base: URL
  readonly #closing = new AbortController()
  readonly #signal: AbortSignal
  readonly #now: () => number
  readonly #limiter: Limiter
  readonly #session: DigestSession
  readonly #clock: ServiceClock
  readonly #transport: Transport
  readonly #authenticated: AuthenticatedTransport
  readonly #delay: NonNullable<ClientOptions['delay']>
  #serviceVersion: string | undefined
  /** Since when the service has taken no request, by the local clock. */
  #refusedSince: number | undefined
  #held: Held | undefined

  constructor(options: ClientOptions) {
    const { publicKey, privateKey, caFile, random, beforeWrite, onRequest } = options
    this.#base = checkBaseUrl(options.baseUrl, options)
    checkPublicKey(publicKey)
    checkPrivateKey(privateKey)
    this.publicKey = publicKey
    this.baseUrl = this.#base.href
    this.#options = options
    const closing = this.#closing.signal
    this.#signal = options.signal === undefined ? closing : AbortSignal.any([closing, options.signal])
    const now = options.now ?? Date.now
    const clock = new ServiceClock(now)
    const session = new DigestSession({ publicKey, privateKey, random })
    const transport = new Transport({
      trust: caFile === undefined ? undefined : trustOf(caFile),
      proxy: proxyFor(this.#base, options.proxies ?? {}),
      deadlineMs: options.deadlineMs ?? defaults.deadlineMs,
    })
    this.#now = now
    this.#delay = options.delay ?? (async (ms, signal) => sleep(ms, undefined, { ...(signal && { signal }) }))
    this.#clock = clock
    this.#session = session
    this.#transport = transport
    this.#limiter = new Limiter(options.concurrency ?? defaults.concurrency)
    this.#authenticated = new AuthenticatedTransport({
      transport,
      session,
      clock,
      now,
      publicKey,
      beforeWrite,
      onRequest,
    })
  }

  get requestsSent(): number {
    return this.#authenticated.requestsSent
  }

  get held(): Held | undefined {
    return this.#held !== undefined && this.#held.until > this.#now() ? this.#held : undefined
  }

  get serviceVersion(): string | undefined {
    return this.#serviceVersion
  }

  get skewMs(): number | undefined {
    return this.#clock.skewMs
  }

  serviceNow(): number {
    return this.#clock.now()
  }

  serviceNotBefore(): number {
    return this.#clock.notBefore()
  }

  async get(path: string, query?: Query): Promise<Answer> {
    return this.#read(path, query, this.#signal)
  }

  async list(path: string, query?: Query, options: ListOptions = {}): Promise<Page> {
    // If one page fails, those that still wait are not requested.
    const giveUp = new AbortController()
    const signal = AbortSignal.any([this.#signal, giveUp.signal])
    try {
      const context = { method: 'GET', url: printable(`${this.baseUrl}${path}`), path: printable(path) }
      return await readList(
        async (pageQuery) => this.#read(path, pageQuery, signal, options.tentative),
        query ?? {},
        options,
        context,
      )
    } finally {
      giveUp.abort()
    }
  }

  async send(
    method: WriteMethod,
    path: string,
    body?: unknown,
    { withinMs, about }: SendOptions = {},
  ): Promise<Answer> {
    const notAfter = withinMs === undefined ? undefined : this.#now() + withinMs
    return this.#answerTo(this.#open({ method, path, body, signal: this.#signal, notAfter, about }))
  }

  async learnTime(path: string): Promise<void> {
    if (this.skewMs !== undefined) return
    const call = this.#open({ method: 'GET', path, signal: this.#signal })
    await this.#perform(call, async (attempt) => this.#authenticated.introduce(call, attempt))
  }

  async reach(path: string): Promise<void> {
    const call = this.#open({ method: 'GET', path, signal: this.#signal })
    await this.#perform(call, async (attempt) => {
      const unasked = await this.#authenticated.reach(call, attempt)
      if (unasked !== undefined) this.#answer(call, unasked)
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#limiter.idle()
    this.#transport.close()
  }

  async #read(
    path: string,
    query: Query | undefined,
    signal: AbortSignal,
    tentative = false,
  ): Promise<Answer> {
    return this.#answerTo(this.#open({ method: 'GET', path, query, signal, tentative }))
  }

  #open(parts: Omit<CallParts, 'base' | 'privateKey' | 'now'>): Call {
    const [now, { privateKey }] = [this.#now(), this.#options]
    return openCall({ ...parts, base: this.#base, privateKey, now })
  }

  async #answerTo(call: Call): Promise<Answer> {
    return this.#perform(call, async (attempt) => {
      const timed = await this.#authenticated.run(call, attempt)
      return this.#answer(call, timed)
    })
  }

  async #perform<T>(call: Call, work: (attempt: number) => Promise<T>): Promise<T> {
    const { totalRetryMs, retryUntil: until, random } = this.#options
    const totalMs = totalRetryMs ?? defaults.totalRetryMs
    const retry = new Retry({ totalMs, until, random: random ?? Math.random, now: this.#now })
    let isHeld = false
    for (;;) {
      const release = await this.#enter(call, isHeld)
      try {
        const done = await this.#session.turn(async () => work(retry.begin()))
        this.#refusedSince = undefined
        release('done')
        return done
      } catch (error) {
        const wait = this.#waitAfter(error, call, retry)
        isHeld = this.#isOfAll(error)
        // Held before the slot is free: the next one would be refused, too.
        if (isHeld && wait !== undefined) this.#hold(wait, error)
        release(isHeld ? 'limited' : 'failed')
        if (wait === undefined) throw error
        if (error instanceof DeploymgmtError) call.after = error.code
        if (!isHeld) await this.#pause(wait, call)
      }
    }
  }

  /**
   * Whether other requests would fail, too: 429; 503, with which many proxies limit requests; and no connection any
   * more, as while the service restarts.
   */
  #isOfAll(error: unknown): boolean {
    if (error instanceof RateLimitedError) return true
    if (error instanceof ServiceFailureError) return error.status === 503
    return this.#authenticated.reached && isUnsent(error)
  }

  /** How long to wait before the call is sent again, in milliseconds; `undefined` if it is not. */
  #waitAfter(error: unknown, { read, method }: Call, retry: Retry): number | undefined {
    const now = this.#now()
    if (this.#isOfAll(error)) this.#refusedSince ??= now
    else if (isFromService(error)) this.#refusedSince = undefined
    const refusedMs = now - (this.#refusedSince ?? now)
    if (error instanceof RateLimitedError) return retry.ofLimited(error, method, refusedMs)
    const { reached } = this.#authenticated
    // What has to be certain before a write leaves is made certain again.
    return read || (reached && isUnsent(error)) ? retry.ofFailed(error, { reached, refusedMs }) : undefined
  }

  /** Sends nothing for so many milliseconds; then what was refused goes first. */
  #hold(ms: number, error: unknown): void {
    const until = this.#now() + ms
    const why = error instanceof RateLimitedError ? 'limited' : 'unavailable'
    if (until > (this.#held?.until ?? 0)) this.#held = { until, why }
    this.#limiter.hold(this.#delay(ms, this.#signal))
  }

  #answer(call: Call, { answer, sentAt, receivedAt }: Timed): Answer {
    const { status, headers } = answer
    const said = header(answer, 'x-vendor-service-version')
    const serviceVersion = said === undefined ? undefined : printable(withoutSecrets(said, call.secrets))
    const isRefused = status < 200 || status > 299
    // A refusal without a version may come from a proxy.
    if (!isRefused || serviceVersion !== undefined) this.#serviceVersion = serviceVersion
    if (isRefused) throw refusal(call, answer, this.publicKey, this.serviceNow())
    const body = readBody(call, answer)
    releaseBytes(answer.body)
    return {
      status,
      body,
      headers,
      sentAt: this.#clock.toService(sentAt),
      answeredAt: this.#clock.toService(receivedAt),
      serviceVersion,
    }
  }

  async #enter(call: Call, isAgain: boolean): Promise<Release> {
    try {
      return await this.#limiter.enter(call.signal, isAgain)
    } catch {
      throw notSent(call)
    }
  }

  // Its slot among the requests in flight is free meanwhile.
  async #pause(ms: number, call: Call): Promise<void> {
    try {
      await this.#delay(ms, call.signal)
    } catch (error) {
      if (!call.signal.aborted) throw error
    }
    if (call.signal.aborted) throw notSent(call)
  }
}
