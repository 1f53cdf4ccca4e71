import { formatInstant, parseInstant, wholeSecond } from '../../core/instant.ts'
import type { Client, ListOptions, Page, Query } from '../../api/index.ts'
import { EVENT_LAG_MS, forgetFailed } from '../../engine/index.ts'

interface Known {
  /** Since when events were read, in milliseconds of service time. */
  readonly from: number
  /** When the newest events were requested, by a monotonic clock. */
  readonly at: number
  readonly page: Promise<Page>
}

/**
 * Shares the events of an organization between callers that ask one by one, since different instants. The first call
 * reads since its instant. A call for older events reads only those, at least doubling the period; a call that needs
 * recent events reads only the newest.
 */
export class SharedEvents {
  readonly #client: Client
  readonly #known = new Map<string, Known>()

  constructor(client: Client) {
    this.#client = client
  }

  /** The page that a client returns for the query, perhaps with older events. */
  async list(path: string, query: Query, options: ListOptions = {}, notOlderThanMs?: number): Promise<Page> {
    const { minDate, maxDate: _, includeRaw, ...more } = query
    const { maxPages, keyOf } = options
    const wanted = parseInstant(String(minDate))
    // Without a start, all events are read; whatever else is asked for changes the answer. Nobody else asks for that.
    if (Number.isNaN(wanted) || Object.keys(more).length > 0 || keyOf !== undefined)
      return this.#client.list(path, query, options)
    // A page that was cut early is not for those who read further, nor one that tells less.
    const key = JSON.stringify([path, maxPages, includeRaw])
    const read = (from: number, to?: number): Promise<Page> =>
      this.#client.list(
        path,
        {
          ...query,
          minDate: formatInstant(from),
          ...(to === undefined ? {} : { maxDate: formatInstant(to) }),
        },
        options,
      )
    let known = this.#known.get(key) ?? this.#keep(key, { from: wanted, page: read(wanted) })
    if (wanted < known.from) known = this.#older(key, known, wanted, read)
    const isOld = notOlderThanMs !== undefined && performance.now() - known.at > notOlderThanMs
    return isOld ? this.#newer(key, known, read).page : known.page
  }

  #older(key: string, known: Known, wanted: number, read: Read): Known {
    const from = wholeSecond(Math.min(wanted, known.from - Math.max(0, this.#upTo(known) - known.from)))
    const page = known.page.then(async (had) =>
      // A page that was cut would be cut again.
      had.complete ? together(had, await read(from, known.from)) : had,
    )
    return this.#keep(key, { ...known, from, page })
  }

  #newer(key: string, known: Known, read: Read): Known {
    const from = wholeSecond(Math.max(known.from, this.#upTo(known) - EVENT_LAG_MS))
    const page = Promise.all([known.page, read(from)]).then(([had, more]) =>
      more.complete ? together(more, had) : more,
    )
    return this.#keep(key, { from: known.from, page })
  }

  /**
   * When the newest events were requested, in milliseconds of service time, which perhaps only the first answer told.
   */
  #upTo({ at }: Known): number {
    return this.#client.serviceNow() - (performance.now() - at)
  }

  #keep(key: string, next: Omit<Known, 'at'> & Partial<Known>): Known {
    const known = { at: performance.now(), ...next }
    this.#known.set(key, known)
    forgetFailed(known.page, () => {
      if (this.#known.get(key) === known) this.#known.delete(key)
    })
    return known
  }
}

type Read = (from: number, to?: number) => Promise<Page>

/** Joins newer and older events; both pages have the events of the second in which they meet. */
const together = (newer: Page, older: Page): Page => {
  const told = new Set(newer.results.map(idOf))
  const rest = older.results.filter((event) => !told.has(idOf(event)))
  return {
    results: [...newer.results, ...rest],
    totalCount: newer.totalCount + older.totalCount - (older.results.length - rest.length),
    requests: newer.requests + older.requests,
    complete: newer.complete && older.complete,
  }
}

const idOf = (event: unknown): unknown => (event as { readonly id?: unknown } | null)?.id
