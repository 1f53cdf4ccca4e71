import type { Environment } from './environment.ts'

/** Query parameters. `undefined` omits one; an array repeats it. The client encodes the values. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>

export type WriteMethod = 'POST' | 'PATCH' | 'DELETE'

export interface ClientOptions {
  /** Must end with `/api/public/v1.0`; a trailing slash is tolerated. */
  readonly baseUrl: string
  readonly publicKey: string
  readonly privateKey: string
  /** A PEM file, trusted in addition to the authorities of Node. TLS verification has no off switch. */
  readonly caFile?: string | undefined
  /** Variables that name proxies, such as HTTPS_PROXY and NO_PROXY; without them, no proxy is used. */
  readonly proxies?: Environment | undefined
  /** Plain http is accepted only for loopback addresses, unless this is true. */
  readonly allowHttp?: boolean
  /** Requests in flight at once; 10 by default. Halved by a 429 or a 503, and slowly raised again. */
  readonly concurrency?: number
  /** Limit for one request, from connecting to the last byte of its answer, in milliseconds; 30,000 by default. */
  readonly deadlineMs?: number
  /**
   * Limit for all attempts of one request and the waits between them, in milliseconds; 60,000 by default. A service that
   * refuses all requests as too many is given three times that, and then no request is sent.
   */
  readonly totalRetryMs?: number
  /** When repetitions end, by the local clock in epoch milliseconds. */
  readonly retryUntil?: number | undefined
  /**
   * Ends the work: queued requests are not sent, reads in flight are aborted, and writes in flight are awaited until
   * their deadline, so that their outcome is known.
   */
  readonly signal?: AbortSignal | undefined
  /** In [0, 1); for jitter and client nonces. */
  readonly random?: () => number
  /** The local clock, in epoch milliseconds. */
  readonly now?: () => number
  readonly delay?: (ms: number, signal?: AbortSignal) => Promise<void>
  /**
   * Called before each attempt of a write, right before it can take effect. If it rejects, the attempt is not sent,
   * and the call rejects with the same error.
   */
  readonly beforeWrite?: (() => Promise<void>) | undefined
  /** Called after each request on the wire, including challenges. Errors that it throws are ignored. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined
}

export interface RequestEvent {
  readonly method: string
  /** Relative to the base URL, with its query. */
  readonly path: string
  /** `undefined` if no whole answer arrived. */
  readonly status: number | undefined
  /** Counts from one, over the repetitions of one call. */
  readonly attempt: number
  readonly ms: number
  /** False if it only asks for the challenge that a request with credentials needs. */
  readonly authorized: boolean
  /** Time since the call began or since its last request (in the queue, and between attempts), in milliseconds. */
  readonly waitedMs: number
  /** Why the call is sent again: an error code, or what was wrong with the credentials of the last request. */
  readonly after: string | undefined
  /** What a write is about, as its sender says. */
  readonly about: string | undefined
}

export type AnswerHeaders = Record<string, string | string[] | undefined>

export interface Answer {
  readonly status: number
  /** The parsed JSON object; `undefined` if there was no body. */
  readonly body: unknown
  readonly headers: AnswerHeaders
  /** When the request was sent, in service time, epoch milliseconds. */
  readonly sentAt: number
  /** When the whole answer had arrived, in service time, epoch milliseconds. */
  readonly answeredAt: number
  /** The `X-Vendor-Service-Version` header. */
  readonly serviceVersion: string | undefined
}

export interface Page {
  readonly results: unknown[]
  /** As the service counts. */
  readonly totalCount: number
  /** Pages requested, including those of repeated reads. */
  readonly requests: number
  /** False if `maxPages` cut the list. */
  readonly complete: boolean
}

export interface ListOptions {
  readonly maxPages?: number
  /** The key of an item; `id` by default. Items without a key are not compared. */
  readonly keyOf?: (item: unknown) => string | undefined
  /** Whether a 401 counts as a missing permission even before a request has proven the credentials. */
  readonly tentative?: boolean
}

export interface SendOptions {
  /**
   * Nothing is sent after this many milliseconds, whatever it waited for: it then fails with `not-sent`. By the local
   * clock, because the service's can be set meanwhile.
   */
  readonly withinMs?: number
  /** What it is about, for observers of requests. */
  readonly about?: string
}

/** The service has refused requests that have nothing wrong: as too many (429), or all of them (503). */
export interface Held {
  /** By the local clock in epoch milliseconds. */
  readonly until: number
  readonly why: 'limited' | 'unavailable'
}

/**
 * One conversation with one service. A `path` is relative to the base URL and already encoded:
 * `/groups/5c81…/alertConfigs`. Every failure is a `RequestError` with an `outcome`.
 */
export interface Client {
  /** Reads; repeated after transient failures, within the budget. */
  get(path: string, query?: Query): Promise<Answer>
  /** Reads a whole list, or throws: a list that changes while it is read is read again, three times at most. */
  list(path: string, query?: Query, options?: ListOptions): Promise<Page>
  /** Writes once. Repeated only if the service said that it did not process the request. */
  send(method: WriteMethod, path: string, body?: unknown, options?: SendOptions): Promise<Answer>
  /**
   * Learns the service's time if no answer has told it yet, so that no write is sent before: asks for the challenge
   * of a path, which the first request needs in any case. Sends nothing if the time is known.
   */
  learnTime(path: string): Promise<void>
  /**
   * Rejects if the service is not there, or something else is in its place: asks for the challenge of a path, which
   * the first request needs in any case. Proves no credentials, because it is unknown what a key may read.
   */
  reach(path: string): Promise<void>
  /** All requests that were sent, including challenges. */
  readonly requestsSent: number
  /** Why nothing is sent for a while; `undefined` if the service wants requests. */
  readonly held: Held | undefined
  readonly publicKey: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Service time in epoch milliseconds; local time before the first answer. */
  serviceNow(): number
  /** Service time that is surely not too late: `Date` has whole seconds, and an answer takes its time. */
  serviceNotBefore(): number
  /** As the last answer said; `undefined` before the first answer, and if the service does not tell it. */
  readonly serviceVersion: string | undefined
  /** Service time minus local time; `undefined` before the first answer with a date. */
  readonly skewMs: number | undefined
  /** Ends the work like `signal`, awaits requests in flight, and closes the connections. */
  close(): Promise<void>
}
