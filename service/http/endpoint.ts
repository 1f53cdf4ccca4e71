import type { Static, TSchema } from 'typebox'
import type { Caller } from '../auth/caller.ts'
import type { Context } from '../context.ts'
import type { Page } from '../store/store.ts'
import type { Paging } from './paging.ts'
import type { Filters, QueryName } from './query.ts'

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

/** The input of a handler: parsed and checked, except for the rules of the endpoint. */
export interface Call<P extends string = string, B extends TSchema = TSchema> {
  readonly context: Context
  readonly caller: Caller
  readonly params: { readonly [N in ParamNames<P>]: string }
  readonly paging: Paging
  readonly filters: Filters
  readonly body: Static<B>
  readonly remoteAddress: string
  /** The effect of a fault on the events of this write. */
  readonly eventFault: EventFault
}

/** `/_control/faults` can delay or drop the events of a write. */
export interface EventFault {
  readonly lost: boolean
  readonly lateBy: number
}

/** The result of a handler: one resource, a page of a list, or nothing. */
export type Answer =
  | { readonly kind: 'one'; readonly status: number; readonly body: object }
  | { readonly kind: 'list'; readonly results: readonly object[]; readonly total: number }
  | { readonly kind: 'empty'; readonly status: number }

/** One of the 21 endpoints: its description, and its handler. */
export interface Endpoint {
  readonly number: number
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path below the base URL, with its parameters in braces. */
  readonly path: string
  /** Another spelling of the same path. */
  readonly alias?: string
  readonly summary: string
  /** Query parameters besides pretty and envelope. */
  readonly query: readonly QueryName[]
  readonly body?: TSchema
  /** The schema of the answer; for a list, that of its envelope. */
  readonly answer?: TSchema
  /** The statuses of success, the usual one first. */
  readonly statuses: readonly number[]
  readonly handle: (call: Call) => Answer
}

/** Types a handler by the path and the body schema of its endpoint; most have no parameters and succeed with 200. */
export const defineEndpoint = <const P extends string, B extends TSchema = TSchema>(
  endpoint: Omit<Endpoint, 'path' | 'body' | 'handle' | 'query' | 'statuses'> &
    Partial<Pick<Endpoint, 'query' | 'statuses'>> & {
      readonly path: P
      readonly body?: B
      readonly handle: (call: Call<P, B>) => Answer
    },
): Endpoint => ({ query: [], statuses: [200], ...endpoint })

export const one = (body: object, status = 200): Answer => ({ kind: 'one', status, body })

/** A page of stored items, as presented. */
export const listPage = <T>({ items, total }: Page<T>, present: (item: T) => object): Answer => ({
  kind: 'list',
  results: items.map(present),
  total,
})

/** A page of a list that is stored as a whole. */
export const pageOf = <T>(all: readonly T[], { offset, limit }: Paging): Page<T> => ({
  items: all.slice(offset, offset + limit),
  total: all.length,
})

export const empty = (status: number): Answer => ({ kind: 'empty', status })
