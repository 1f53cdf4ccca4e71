import { InvalidRequestError } from '../errors/invalid-request-error.ts'
import type { Outcome, RequestFacts } from '../errors/request-error.ts'
import { decodes } from './decodes.ts'
import { formsOf, printable, secretsIn } from './printable.ts'
import type { Query, WriteMethod } from './types.ts'

/** One call of the client's user: one request with its challenges and repetitions. */
export interface Call {
  readonly method: 'GET' | WriteMethod
  readonly url: URL
  /** Relative to the base URL, with its query. */
  readonly path: string
  /** JSON text. */
  readonly body: string | undefined
  /** Values that must never be shown, although the service may repeat them. */
  readonly secrets: readonly string[]
  readonly read: boolean
  /** Whether a 401 says nothing about the credentials. */
  readonly tentative: boolean
  readonly signal: AbortSignal
  /** When it must have been sent, by the local clock in epoch milliseconds. */
  readonly notAfter: number | undefined
  /** Whether the current attempt has sent the service something that it could carry out. */
  isSent: boolean
  /** When it began, or when its last request ended, by the local clock in epoch milliseconds. */
  idleSince: number
  /** Why another request is sent for it. */
  after: string | undefined
  /** What it is about, for observers. */
  readonly about: string | undefined
}

export interface CallParts {
  readonly base: URL
  readonly method: 'GET' | WriteMethod
  readonly path: string
  readonly query?: Query | undefined
  readonly body?: unknown
  readonly privateKey: string
  readonly tentative?: boolean | undefined
  readonly signal: AbortSignal
  readonly notAfter?: number | undefined
  /** By the local clock, in epoch milliseconds. */
  readonly now: number
  readonly about?: string | undefined
}

/** @throws InvalidRequestError if the path would lead elsewhere than it says */
export const openCall = (parts: CallParts): Call => {
  const { base, method, path, query, body, privateKey, signal } = parts
  const search = searchOf(query)
  const expected = `${base.pathname}${path}`
  const text = `${base.origin}${expected}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A URL resolves `..` and `%2e%2e`: an id from a manifest must not reach another endpoint.
  if (!path.startsWith('/') || url === undefined || url.pathname !== expected || !decodes(path)) {
    throw new InvalidRequestError('the path of the request is not encoded or leads elsewhere', {
      method,
      url: printable(text),
      path: printable(path),
      outcome: 'not-sent',
      hint: 'An id with dots, slashes or other special characters is the likely cause.',
    })
  }
  url.search = search
  return {
    method,
    url,
    path: `${path}${url.search}`,
    body: body === undefined ? undefined : JSON.stringify(body),
    secrets: [privateKey, ...secretsIn(body)].flatMap(formsOf),
    read: method === 'GET',
    tentative: parts.tentative === true,
    signal,
    notAfter: parts.notAfter,
    isSent: false,
    idleSince: parts.now,
    after: undefined,
    about: parts.about,
  }
}

/** The facts that all errors of a call have. */
export const factsOf = (call: Call, status: number | undefined, outcome: Outcome): RequestFacts => ({
  method: call.method,
  url: printable(call.url.href, 2000),
  path: printable(call.path, 2000),
  status,
  outcome,
})

/**
 * The outcome of a failed call. `worst` is that of a write that was sent; a read has no effect that could be unknown.
 */
export const outcomeOf = (call: Call, worst: 'refused' | 'unknown'): Outcome => {
  if (call.read) return 'refused'
  return call.isSent ? worst : 'not-sent'
}

const searchOf = (query: Query | undefined): string =>
  Object.entries(query ?? {})
    .flatMap(([name, value]) => {
      if (value === undefined) return []
      const values = typeof value === 'object' ? value : [value]
      return values.map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(item)}`)
    })
    .join('&')
