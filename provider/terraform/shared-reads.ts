import type { Client, Page, Query } from '../api/index.ts'
import { ORGANIZATION_EVENTS, parseInstant, type EngineClient } from '../engine/index.ts'

/** Events are read from this long ago on, so that the next resource's earlier start needs no second reading. */
const LOOK_BACK_MS = 30 * 24 * 3_600_000

/**
 * Terraform asks for its resources one by one, many at a time. One list of a project, and one reading of an
 * organization's events, serve all of them, until something is written there. Never for an apply.
 */
export class SharedReads {
  readonly #client: Client
  readonly #lists = new Map<string, Promise<Page>>()
  readonly #events = new Map<string, { from: number; page: Promise<Page> }>()

  constructor(client: Client) {
    this.#client = client
  }

  /** The client for reading. */
  get reads(): EngineClient {
    return this.#listing((...asked) => this.#list(...asked))
  }

  /** The client for an apply: it reads anew, and forgets what it makes stale. */
  get fresh(): EngineClient {
    return this.#listing((...asked) => this.#client.list(...asked))
  }

  #listing(list: Client['list']): EngineClient {
    const client = this.#client
    return {
      publicKey: client.publicKey,
      get serviceVersion() {
        return client.serviceVersion
      },
      get skewMs() {
        return client.skewMs
      },
      get requestsSent() {
        return client.requestsSent
      },
      serviceNow: () => client.serviceNow(),
      learnTime: (path) => client.learnTime(path),
      serviceNotBefore: () => client.serviceNotBefore(),
      get: (path, query) => client.get(path, query),
      list,
      send: (...asked) => this.#send(...asked),
    }
  }

  async #send(...asked: Parameters<Client['send']>): ReturnType<Client['send']> {
    const [, path] = asked
    this.#forget(path)
    try {
      return await this.#client.send(...asked)
    } finally {
      // A read that was under way meanwhile may show what was before the write.
      this.#forget(path)
    }
  }

  #forget(path: string): void {
    const place = placeOf(path)
    for (const key of this.#lists.keys()) if (placeOf(key) === place) this.#lists.delete(key)
    this.#events.clear()
  }

  #list(path: string, query: Query = {}, options?: Parameters<Client['list']>[2]): Promise<Page> {
    if (isEvents(path)) return this.#eventsSince(path, query, options)
    const key = `${path}?${JSON.stringify(query)}`
    const known = this.#lists.get(key) ?? this.#client.list(path, query, options)
    this.#lists.set(key, known)
    known.catch(() => this.#lists.delete(key))
    return known
  }

  async #eventsSince(path: string, query: Query, options?: Parameters<Client['list']>[2]): Promise<Page> {
    const wanted = parseInstant(String(query['minDate']))
    const known = this.#events.get(path)
    if (known !== undefined && known.from <= wanted) return known.page
    const from = Math.min(wanted, Math.floor((this.#client.serviceNow() - LOOK_BACK_MS) / 1000) * 1000)
    const page = this.#client.list(
      path,
      { ...query, minDate: new Date(from).toISOString().replace('.000Z', 'Z') },
      options,
    )
    this.#events.set(path, { from, page })
    page.catch(() => this.#events.delete(path))
    return page
  }
}

/** The project, or whatever else a path begins with and is within: a collection, and one thing of it. */
const placeOf = (path: string): string => path.split(/[/?]/, 3).join('/')

const events = new RegExp(`^${ORGANIZATION_EVENTS.path.replace(/\{\w+\}/, '[^/]+')}$`)
const isEvents = (path: string): boolean => events.test(path)
