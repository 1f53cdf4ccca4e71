import type { Static, TSchema } from 'typebox'
import type { Caller } from '../auth/caller.ts'
import type { Context } from '../context.ts'
import type { Page } from '../store/store.ts'
import type { Paging } from './paging.ts'
import type { Filters, QueryName } from './query.ts'

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

/** What a handler is called with: everything has been parsed and checked, except for the rules of the endpoint. */
export interface Call<P extends string = string, B extends TSchema = TSchema> {
  readonly context: Context
  readonly caller: Caller
  readonly params: { readonly [N in ParamNames<P>]: string }
  readonly paging: Paging
  readonly filters: Filters
  readonly body: Static<B>
  readonly remoteAddress: string
  /** What a fault does to the events of this write. */
  readonly eventFault: EventFault
}

/** Events of a write can be made late or lost through `/_control/faults`. */
export interface EventFault {
  readonly lost: boolean
  readonly lateBy: number
}

/** What a handler answers: one resource, a page of a list, or nothing. */
export type Answer =
  | { readonly kind: 'one'; readonly status: number; readonly body: object }
  | { readonly kind: 'list'; readonly results: readonly object[]; readonly total: number }
  | { readonly kind: 'empty'; readonly status: number }

/** One of the 21 endpoints: what the description says of it, and what it does. */
export interface Endpoint {
  readonly number: number
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path below the base URL, with its parameters in braces. */
  readonly path: string
  /** The same endpoint under another spelling of the path. */
  readonly alias?: string
  readonly summary: string
  /** Query parameters beside pretty and envelope. */
  readonly query: readonly QueryName[]
  readonly body?: TSchema
  /** The schema of the answer; a list's is that of its envelope. */
  readonly answer?: TSchema
  /** The statuses of success, the usual one first. */
  readonly statuses: readonly number[]
  readonly handle: (call: Call) => Answer
}

/** Types a handler by the path and the body schema of its endpoint; most take no parameters and succeed with 200. */
export const defineEndpoint = <const P extends string, B extends TSchema = TSchema>(
  endpoint: Omit<Endpoint, 'path' | 'body' | 'handle' | 'query' | 'statuses'> &
    Partial<Pick<Endpoint, 'query' | 'statuses'>> & {
      readonly path: P
      readonly body?: B
      readonly handle: (call: Call<P, B>) => Answer
    },
): Endpoint => ({ query: [], statuses: [200], ...endpoint })

export const one = (body: object, status = 200): Answer => ({ kind: 'one', status, body })

/** A page of what is kept, each as it is shown. */
export const listPage = <T>({ items, total }: Page<T>, present: (item: T) => object): Answer => ({
  kind: 'list',
  results: items.map(present),
  total,
})

/** A page of a list that is kept as a whole. */
export const pageOf = <T>(all: readonly T[], { offset, limit }: Paging): Page<T> => ({
  items: all.slice(offset, offset + limit),
  total: all.length,
})

export const empty = (status: number): Answer => ({ kind: 'empty', status })
