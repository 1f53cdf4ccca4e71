import { createHash } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import {
  faultOf,
  formsOf,
  printable,
  retryAfter,
  standsOut,
  tlsFailure,
  trustOf,
  withoutSecrets,
  type TlsFailure,
} from '@deploymgmt/provider/api'
import type { Got } from 'got'
import type { Surroundings } from '../../machine/host.ts'
import type { HttpAddress } from './address.ts'
import type { LockInfo } from './lock-info.ts'
import { isPage } from './page.ts'
import { toJson } from '../../../text/json.ts'

/** What a server has answered, or why it has not. */
export interface Reply {
  /** Undefined where no whole answer came. */
  readonly status: number | undefined
  readonly body: Uint8Array
  /** What tells the body from any other. */
  readonly print: string
  /** What it says for people, in a line, without credentials. */
  readonly said: string
  /** How long it asks to be left alone, milliseconds; a minute at most. */
  readonly retryAfter?: number
  /** Where no answer came since there was no TLS connection: why, as far as that is known. */
  readonly tls?: TlsFailure['fault'] | 'untrusted'
}

/** Whether what was asked for is certainly done, certainly not, or neither. */
export type Outcome = 'done' | 'refused' | 'unknown'

/** After these, nobody knows how far it has: a time-out, too many requests. */
const TELLING_NOTHING = new Set([408, 425, 429])
/** A server that does not know a request has not carried it out. */
const NOT_KNOWN = 501

export const outcomeOf = ({ status }: Reply): Outcome => {
  if (status === undefined || TELLING_NOTHING.has(status)) return 'unknown'
  if (status >= 500 && status !== NOT_KNOWN) return 'unknown'
  return status >= 200 && status < 300 ? 'done' : 'refused'
}

/** What a server answers to who does not hold the lock. */
export const isHeldByAnother = ({ status }: Reply): boolean => status === 423 || status === 409

/** After so long a person hears who is waited for, milliseconds. */
const SLOW = 5_000
const LONGEST_PAUSE = 60_000
/** Bytes; several times as much as a state that can be worked with. */
const LARGEST_ANSWER = 256 * 1024 * 1024

/** Milliseconds: without any progress, and in all; 50 MB over a slow line take minutes. */
const TIMEOUT = { connect: 30_000, socket: 60_000, request: 300_000 }

type Outside = Pick<Surroundings, 'env' | 'now' | 'say'>

/** A server of Terraform's http backend protocol: one request each, whatever becomes of it. */
export class StateServer {
  readonly #address: HttpAddress
  readonly #secrets: readonly string[]
  readonly #headers: Readonly<Record<string, string>>
  readonly #agent: { readonly http: HttpAgent; readonly https: HttpsAgent }
  readonly #outside: Outside
  #hasSaid = false
  #got: Promise<Got> | undefined

  constructor(address: HttpAddress, outside: Outside) {
    const { env } = outside
    this.#outside = outside
    const [user, password] = [env['DEPLOYMGMT_STATE_USERNAME'] ?? '', env['DEPLOYMGMT_STATE_PASSWORD'] ?? '']
    const basic = Buffer.from(`${user}:${password}`).toString('base64')
    this.#address = address
    this.#headers = user + password === '' ? {} : { authorization: `Basic ${basic}` }
    // If there is no password, the user is a token.
    const shown = password === '' && !standsOut(user) ? [] : formsOf(password || user)
    this.#secrets = user + password === '' ? [] : [basic, ...shown]
    const caFile = env['DEPLOYMGMT_CA_FILE'] || undefined
    const secureContext = caFile === undefined ? {} : { secureContext: trustOf(caFile) }
    this.#agent = {
      http: new HttpAgent({ keepAlive: true }),
      https: new HttpsAgent({ keepAlive: true, rejectUnauthorized: true, ...secureContext }),
    }
  }

  /** Whether it is told who asks. */
  get hasCredentials(): boolean {
    return this.#headers['authorization'] !== undefined
  }

  /** Of user and password, the variable that says nothing while the other one does. */
  get lacking(): string | undefined {
    const [user, password] = ['DEPLOYMGMT_STATE_USERNAME', 'DEPLOYMGMT_STATE_PASSWORD'] as const
    const missing = [user, password].filter((name) => (this.#outside.env[name] ?? '') === '')
    return missing.length === 1 ? missing[0] : undefined
  }

  get(): Promise<Reply> {
    return this.#send('GET', this.#address.url)
  }

  /** @param lock the id of the lock that it is to be done under */
  post(document: Body, lock: string): Promise<Reply> {
    const url = new URL(this.#address.url)
    url.searchParams.set('ID', lock)
    return this.#send('POST', url, document)
  }

  take(info: LockInfo): Promise<Reply> {
    const { url, take } = this.#address.lock
    return this.#send(take, url, bodyOf(info))
  }

  giveBack(info: LockInfo): Promise<Reply> {
    const { url, give } = this.#address.lock
    return this.#send(give, url, bodyOf(info))
  }

  async #send(method: string, url: URL, given?: Body): Promise<Reply> {
    this.#got ??= this.#load()
    const got = await this.#got
    const sent =
      given === undefined
        ? {}
        : { body: given.bytes, headers: { 'content-type': 'application/json', 'content-md5': given.print } }
    const tooLarge = new AbortController()
    const stopTimer = this.#sayIfSlow()
    try {
      const asking = got(url, { method, ...sent, signal: tooLarge.signal })
      void asking.on('downloadProgress', ({ transferred, total }) => {
        if (Math.max(transferred, total ?? 0) > LARGEST_ANSWER) tooLarge.abort()
      })
      const answer = await asking
      const { statusCode: status, rawBody: body } = answer
      const print = md5(body)
      const told = answer.headers['content-md5']
      if (told !== undefined && told !== print) return nothing('its answer was changed on the way')
      const pause = retryAfter(answer.headers['retry-after'], this.#outside.now().getTime())
      const waits = pause === undefined ? {} : { retryAfter: Math.min(pause, LONGEST_PAUSE) }
      return { status, body, print, said: this.#textOf(body), ...waits }
    } catch (error) {
      if (tooLarge.signal.aborted) return nothing('its answer is larger than 256 MB, the limit for a state')
      // The rest of what the library throws holds the request, with its credentials.
      const fault = faultOf(error, { sent: false, tooLarge: false, cancelled: false })
      if (fault.kind !== 'tls') return nothing(this.#shown(fault.message))
      const { what, fault: tls = 'untrusted' } = tlsFailure(url.host, fault)
      return { ...nothing(this.#shown(what)), tls }
    } finally {
      stopTimer()
    }
  }

  /** Once a command: whoever waits knows for whom by then. */
  #sayIfSlow(): () => void {
    if (this.#hasSaid) return () => undefined
    const [after, most] = [SLOW, TIMEOUT.socket].map((ms) => ms / 1000)
    const timer = setTimeout(() => {
      if (this.#hasSaid) return
      this.#hasSaid = true
      void this.#outside.say(
        `The server of the state has not answered for ${after} s; it is waited for, up to ${most} s each time that it is asked: ${this.#address.place}`,
      )
    }, SLOW)
    return () => clearTimeout(timer)
  }

  /** What it says, unless that is a page for a browser. */
  #textOf(body: Uint8Array): string {
    const text = Buffer.from(body.subarray(0, 1000)).toString().trim()
    return isPage(text) ? '' : this.#shown(text)
  }

  #shown(text: string): string {
    return printable(withoutSecrets(text, this.#secrets), 200)
  }

  // Importing got costs more than Node's own start, and many states are elsewhere.
  async #load(): Promise<Got> {
    const { default: got } = await import('got')
    return got.extend({
      agent: this.#agent,
      followRedirect: false,
      throwHttpErrors: false,
      retry: { limit: 0 },
      timeout: TIMEOUT,
      responseType: 'buffer',
      https: { rejectUnauthorized: true },
      headers: { accept: 'application/json', 'user-agent': 'deploymgmt', ...this.#headers },
    })
  }
}

/** What is sent, with its Content-MD5. */
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
