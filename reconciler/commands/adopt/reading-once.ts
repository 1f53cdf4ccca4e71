import type { Client, Page } from '@deploymgmt/provider/api'
import { ListUnstableError } from '@deploymgmt/provider/errors'

/** A client that reads nothing twice: a plan that uses it is based on the earlier reads. */
export const readingOnce = (client: Client): Client => {
  const gets = new Map<string, ReturnType<Client['get']>>()
  const lists = new Map<string, Promise<Page>>()
  const reads: Pick<Client, 'get' | 'list'> = {
    get: (path, query) => once(gets, keyOf(path, query), () => client.get(path, query)),
    list: (path, query, options) =>
      once(lists, keyOf(path, query, options?.maxPages), () => client.list(path, query, options)),
  }
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'get' || name === 'list') return reads[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** Each reading of events ends at the current time, so the end is left out of the key. */
const keyOf = (path: string, query: Parameters<Client['get']>[1], ...more: unknown[]): string => {
  const { maxDate: _, ...asked } = query ?? {}
  return JSON.stringify([path, asked, ...more])
}

/** A list that changed while it was read is forgotten: whoever needs it reads it again. */
const once = <T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> => {
  const reading =
    known.get(key) ??
    read().catch((error: unknown) => {
      if (error instanceof ListUnstableError) known.delete(key)
      throw error
    })
  known.set(key, reading)
  return reading
}
