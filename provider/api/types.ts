/** Query parameters. `undefined` leaves one out; an array repeats it. Values are encoded by the client. */
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
  /** Plain http is accepted for loopback addresses alone, unless this is true. */
  readonly allowHttp?: boolean
  /** Requests in flight at once; 10 by default. Halved by a 429, and slowly raised again. */
  readonly concurrency?: number
  /** For one request from connecting to the last byte of its answer, in milliseconds; 30,000 by default. */
  readonly deadlineMs?: number
  /** For all attempts of one request and the waits between them, in milliseconds; 60,000 by default. */
  readonly totalRetryMs?: number
  /** When nothing is sent again any more, by the local clock in epoch milliseconds. */
  readonly retryUntil?: number | undefined
  /**
   * Ends the work: queued requests are not sent, reads in flight are aborted, writes in flight are awaited
   * up to their deadline so that their outcome is known.
   */
  readonly signal?: AbortSignal | undefined
  /** In [0, 1); for jitter and client nonces. */
  readonly random?: () => number
  /** The local clock, in epoch milliseconds. */
  readonly now?: () => number
  readonly delay?: (ms: number, signal?: AbortSignal) => Promise<void>
  /**
   * Called before each attempt of a write, right before it can take effect. Where it rejects, the attempt does not
   * leave, and the call rejects with the same.
   */
  readonly beforeWrite?: (() => Promise<void>) | undefined
  /** Called after each request on the wire, challenges included. What it throws is ignored. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined
}

export interface RequestEvent {
  readonly method: string
  /** Relative to the base URL, with its query. */
  readonly path: string
  /** `undefined` when no whole answer arrived. */
  readonly status: number | undefined
  /** One-based, over the retries of one call. */
  readonly attempt: number
  readonly ms: number
  /** False where it only asks for the challenge that one with credentials needs. */
  readonly authorized: boolean
  /** Since the call was begun, or since its last request: in the queue, and between attempts; in milliseconds. */
  readonly waitedMs: number
  /** Why the call is sent again: the code of an error, or what was wrong with the credentials of the last request. */
  readonly after: string | undefined
  /** What a write is about, as whoever sends it says. */
  readonly about: string | undefined
}

export type AnswerHeaders = Record<string, string | string[] | undefined>

export interface Answer {
  readonly status: number
  /** The parsed JSON object; `undefined` when there was no body. */
  readonly body: unknown
  readonly headers: AnswerHeaders
  /** When the request left, in service time, epoch milliseconds. */
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
  /** Pages asked for, those of repeated readings included. */
  readonly requests: number
  /** False when `maxPages` cut the list. */
  readonly complete: boolean
}

export interface ListOptions {
  readonly maxPages?: number
  /** What tells one item from another; `id` by default. Items without a key are not compared. */
  readonly keyOf?: (item: unknown) => string | undefined
  /** A 401 is taken as a missing permission, even while no request has proven the credentials. */
  readonly tentative?: boolean
}

export interface SendOptions {
  /**
   * Nothing leaves after so many milliseconds, whatever it had to wait for: it fails with `not-sent` then. By the local
   * clock, since the service's can be set while it waits.
   */
  readonly withinMs?: number
  /** What it is about, for whoever observes requests. */
  readonly about?: string
}

/**
 * One conversation with one service. A `path` is relative to the base URL and already encoded:
 * `/groups/5c81…/alertConfigs`. Every failure is a `RequestError` with an `outcome`.
 */
export interface Client {
  /** Reads; repeated on failures that pass, within the budget. */
  get(path: string, query?: Query): Promise<Answer>
  /** Reads a whole list, or throws: a list that changes while it is read is read again, three times at most. */
  list(path: string, query?: Query, options?: ListOptions): Promise<Page>
  /** Writes once. Repeated only when the service has said that it did not process the request. */
  send(method: WriteMethod, path: string, body?: unknown, options?: SendOptions): Promise<Answer>
  /**
   * Learns the service's time where no answer has told it yet, so that no write leaves before: asks for the challenge
   * of a path, which the first request needs in any case. Sends nothing where the time is known.
   */
  learnTime(path: string): Promise<void>
  /**
   * Rejects where the service is not there, or something else is in its place: asks for the challenge of a path, which
   * the first request needs in any case. Proves no credentials, for what a key may read is not known.
   */
  reach(path: string): Promise<void>
  /** Everything that left, challenges included. */
  readonly requestsSent: number
  readonly publicKey: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Service time in epoch milliseconds; local time before the first answer. */
  serviceNow(): number
  /** The same, and surely not too late: `Date` has whole seconds, and an answer takes its time. */
  serviceNotBefore(): number
  /** As the last answer named it; `undefined` before the first, and where the service does not tell. */
  readonly serviceVersion: string | undefined
  /** Service time less local time; `undefined` before the first answer with a date. */
  readonly skewMs: number | undefined
  /** Ends as `signal` does, awaits what is in flight, and closes the connections. */
  close(): Promise<void>
}
