import type { Client, Page, Query } from '../../api/index.ts'
import {
  forgetFailed,
  LOOK_HOLDS_MS,
  ORGANIZATION_EVENTS,
  SharedLists,
  type EngineClient,
} from '../../engine/index.ts'
import { SharedEvents } from './shared-events.ts'

type Asked = Parameters<Client['list']>

/**
 * Terraform asks for its resources one by one, many at a time. One list of a project, and one read of an
 * organization's events, serve all of them; the answers to writes update the list.
 */
export class SharedReads {
  /** Lists of things, as one run of Terraform has seen them. */
  readonly lists = new SharedLists()
  /** The same for an apply: no read before a write could show what others do within so short a time. */
  readonly youngLists = this.lists.notOlderThan(LOOK_HOLDS_MS)
  readonly #client: Client
  readonly #events: SharedEvents
  /** Pages of other lists: fields with lists of their own, and places. */
  readonly #pages = new Map<string, Promise<Page>>()

  constructor(client: Client) {
    this.#client = client
    this.#events = new SharedEvents(client)
  }

  /** The client for reads. */
  get shared(): EngineClient {
    return this.#listing((path, query = {}, options) =>
      isEvents(path) ? this.#events.list(path, query, options) : this.#page(path, query, options),
    )
  }

  /** The client for the first look of an apply. */
  get young(): EngineClient {
    return this.#listing((path, query = {}, options) =>
      isEvents(path)
        ? this.#events.list(path, query, options, LOOK_HOLDS_MS)
        : this.#client.list(path, query, options),
    )
  }

  /** The client for an apply, which always reads again. */
  get fresh(): EngineClient {
    return this.#listing((...asked) => this.#client.list(...asked))
  }

  #listing(list: (...asked: Asked) => Promise<Page>): EngineClient {
    const client = this.#client
    return {
      publicKey: client.publicKey,
      baseUrl: client.baseUrl,
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
    const [method, path] = asked
    this.#forget(path)
    try {
      const answer = await this.#client.send(...asked)
      this.lists.wrote(method, path, answer.body)
      return answer
    } catch (error) {
      this.lists.forget(path)
      throw error
    } finally {
      // A read that was under way may show the values from before the write.
      this.#forget(path)
    }
  }

  #forget(path: string): void {
    const place = placeOf(path)
    for (const key of this.#pages.keys()) if (placeOf(key) === place) this.#pages.delete(key)
  }

  #page(path: string, query: Query, options?: Asked[2]): Promise<Page> {
    const key = `${path}?${JSON.stringify(query)}`
    const known = this.#pages.get(key)
    if (known !== undefined) return known
    const page = this.#client.list(path, query, options)
    this.#pages.set(key, page)
    forgetFailed(page, () => {
      // After a write, the key may have a newer page.
      if (this.#pages.get(key) === page) this.#pages.delete(key)
    })
    return page
  }
}

/** The collection of a project or an organization that a path is in, with everything in the collection. */
const placeOf = (path: string): string => path.split(/[/?]/, 4).join('/')

const events = new RegExp(`^${ORGANIZATION_EVENTS.path.replace(/\{\w+\}/, '[^/]+')}$`)
const isEvents = (path: string): boolean => events.test(path)
