import { createHash } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { SecureContext } from 'node:tls'
import {
  agentThrough,
  faultOf,
  formsOf,
  printable,
  proxyFor,
  retryAfter,
  standsOut,
  tlsFailure,
  trustOf,
  withoutSecrets,
  type Proxy,
  type TlsFailure,
} from '@deploymgmt/provider/api'
import type { Got, Response } from 'got'
import type { System } from '../../machine/system.ts'
import { LARGEST, MORE_THAN_LARGEST } from '../largest.ts'
import type { HttpAddress } from './address.ts'
import { credentialsFor } from './credentials.ts'
import type { LockInfo } from './lock-info.ts'
import { toJson } from '../../../text/json.ts'

/** The answer of a server, or why there is none. */
export interface Reply {
  /** Undefined if no complete answer arrived. */
  readonly status: number | undefined
  readonly body: Uint8Array
  /** A digest of the body. */
  readonly print: string
  /** The message of the server for people, in one line, without credentials. */
  readonly said: string
  /** How long the server asks to wait, milliseconds; at most a minute. */
  readonly retryAfter?: number
  /** If there was no TLS connection: the reason, as far as it is known. */
  readonly tls?: TlsFailure['fault'] | 'untrusted'
}

/** Whether the request was certainly done, certainly not done, or neither. */
type Outcome = 'done' | 'refused' | 'unknown'

/** Statuses after which the effect of the request is unknown, such as time-out or too many requests. */
const TELLING_NOTHING = new Set([408, 425, 429])
/** A server that does not implement a request has not carried it out. */
const NOT_KNOWN = 501

export const outcomeOf = ({ status }: Reply): Outcome => {
  if (status === undefined || TELLING_NOTHING.has(status)) return 'unknown'
  if (status >= 500 && status !== NOT_KNOWN) return 'unknown'
  return status >= 200 && status < 300 ? 'done' : 'refused'
}

/** Whether the server says that another owner holds the lock. */
export const isHeldByAnother = ({ status }: Reply): boolean => status === 423 || status === 409

/** Whether a server has answered with a page for a browser, such as a login page or that of a proxy. */
export const isPage = (text: string): boolean => text.trimStart().startsWith('<')

/** After how long a person is told which server is waited for, milliseconds. */
const SLOW = 5_000
const LONGEST_PAUSE = 60_000

/** Milliseconds: for connecting, without progress, and in total. 50 MB over a slow line take minutes. */
const TIMEOUT = { connect: 30_000, socket: 60_000, request: 300_000 }

type ServerSystem = Pick<System, 'env' | 'now' | 'say'>
type Answer = Pick<Response, 'statusCode' | 'rawBody' | 'headers'>

/**
 * A server of Terraform's http backend protocol. Each method sends one request, and reports whatever becomes of it.
 */
export class StateServer {
  /** What to do if the server refuses the credentials. */
  readonly advice: string
  readonly #address: HttpAddress
  readonly #secrets: readonly string[]
  readonly #headers: Readonly<Record<string, string>>
  readonly #trust: { readonly secureContext?: SecureContext }
  readonly #proxy: Proxy | undefined
  readonly #system: ServerSystem
  #hasSaid = false
  #got: Promise<Got> | undefined

  constructor(address: HttpAddress, system: ServerSystem) {
    const { env } = system
    this.#system = system
    const { user, password, advice } = credentialsFor(address.url, env)
    this.advice = advice
    const basic = Buffer.from(`${user}:${password}`).toString('base64')
    this.#address = address
    this.#headers = user + password === '' ? {} : { authorization: `Basic ${basic}` }
    const shown = password === '' && !standsOut(user) ? [] : formsOf(password || user)
    this.#secrets = user + password === '' ? [] : [basic, ...shown]
    const caFile = env['DEPLOYMGMT_CA_FILE'] || undefined
    this.#trust = caFile === undefined ? {} : { secureContext: trustOf(caFile) }
    this.#proxy = proxyFor(address.url, env)
  }

  get(): Promise<Reply> {
    return this.#send('GET', this.#address.url)
  }

  /**
   * @param lock the id of the lock under which the save is done
   * @param isFirst whether there must be no document yet; not every server knows such a condition
   */
  post(document: Body, lock: string, isFirst: boolean): Promise<Reply> {
    const url = new URL(this.#address.url)
    url.searchParams.set('ID', lock)
    return this.#send('POST', url, document, isFirst ? { 'if-none-match': '*' } : {})
  }

  take(info: LockInfo): Promise<Reply> {
    const { url, take } = this.#address.lock
    return this.#send(take, url, bodyOf(info))
  }

  release(info: LockInfo): Promise<Reply> {
    const { url, give } = this.#address.lock
    return this.#send(give, url, bodyOf(info))
  }

  async #send(
    method: string,
    url: URL,
    given?: Body,
    conditions: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    this.#got ??= this.#load()
    const got = await this.#got
    const sent =
      given === undefined
        ? {}
        : {
            body: given.bytes,
            headers: { 'content-type': 'application/json', 'content-md5': given.print, ...conditions },
          }
    const tooLarge = new AbortController()
    const stopTimer = this.#sayIfSlow()
    try {
      const asking = got(url, { method, ...sent, signal: tooLarge.signal })
      void asking.on('downloadProgress', ({ transferred, total }) => {
        if (Math.max(transferred, total ?? 0) > LARGEST) tooLarge.abort()
      })
      return this.#answered(await asking)
    } catch (error) {
      return tooLarge.signal.aborted
        ? nothing(`its answer is larger ${MORE_THAN_LARGEST}`)
        : this.#unanswered(error, url)
    } finally {
      stopTimer()
    }
  }

  #answered({ statusCode: status, rawBody: body, headers }: Answer): Reply {
    const print = md5(body)
    const told = headers['content-md5']
    if (told !== undefined && told !== print) return nothing('its answer was changed on the way')
    const pause = retryAfter(headers['retry-after'], this.#system.now().getTime())
    const waits = pause === undefined ? {} : { retryAfter: Math.min(pause, LONGEST_PAUSE) }
    return { status, body, print, said: this.#textOf(body), ...waits }
  }

  /** The error of the library also holds the request, with its credentials. */
  #unanswered(error: unknown, { host }: URL): Reply {
    const fault = faultOf(error, { sent: false, tooLarge: false, cancelled: false })
    if (fault.kind !== 'tls') return nothing(this.#shown(`${fault.message}${this.#wayThere()}`))
    const { what, fault: tls = 'untrusted' } = tlsFailure(host, fault)
    return { ...nothing(this.#shown(what)), tls }
  }

  /** At most once per command. */
  #sayIfSlow(): () => void {
    if (this.#hasSaid) return () => undefined
    const [after, most] = [SLOW, TIMEOUT.socket].map((ms) => ms / 1000)
    const timer = setTimeout(() => {
      if (this.#hasSaid) return
      this.#hasSaid = true
      void this.#system.say(
        `The server of the state has not answered for ${after} s; it is waited for, up to ${most} s each time that it is asked: ${this.#address.place}`,
      )
    }, SLOW)
    return () => clearTimeout(timer)
  }

  #wayThere(): string {
    return this.#proxy === undefined
      ? ''
      : `, through the proxy ${this.#proxy.host} of ${this.#proxy.variable}`
  }

  /** The message in the body, unless that is a page for a browser. */
  #textOf(body: Uint8Array): string {
    const text = Buffer.from(body.subarray(0, 1000)).toString().trim()
    return isPage(text) ? '' : this.#shown(text)
  }

  #shown(text: string): string {
    return printable(withoutSecrets(text, this.#secrets), 200)
  }

  async #agents(): Promise<{ readonly http: HttpAgent; readonly https: HttpsAgent }> {
    const proxy = this.#proxy
    const secure = { keepAlive: true, rejectUnauthorized: true, ...this.#trust }
    return {
      http: new HttpAgent({ keepAlive: true, ...(proxy && { proxyEnv: proxy.settings }) }),
      https:
        proxy === undefined ? new HttpsAgent(secure) : await agentThrough(proxy, TIMEOUT.connect, secure),
    }
  }

  // Importing got takes longer than the start of Node itself, and many states are elsewhere.
  async #load(): Promise<Got> {
    const { default: got } = await import('got')
    return got.extend({
      agent: await this.#agents(),
      followRedirect: false,
      throwHttpErrors: false,
      retry: { limit: 0 },
      timeout: TIMEOUT,
      responseType: 'buffer',
      https: { rejectUnauthorized: true },
      headers: {
        accept: 'application/json',
        // What a cache has kept would be taken for what is there, and written over.
        'cache-control': 'no-cache',
        'user-agent': 'deploymgmt',
        ...this.#headers,
      },
    })
  }
}

/** A body with its Content-MD5. */
export interface Body {
  readonly bytes: Buffer
  readonly print: string
}

export const bodyOf = (value: unknown): Body => {
  const bytes = Buffer.from(toJson(value))
  return { bytes, print: md5(bytes) }
}

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('base64')

const nothing = (said: string): Reply => ({ status: undefined, body: Buffer.of(), print: '', said })
