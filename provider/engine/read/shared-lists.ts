import { forgetFailed } from './failed.ts'
import type { Listed } from './listed.ts'

/** Lists that are known before a run reads any. */
export interface Lists {
  /** The list at a path; undefined if the run has to read by itself. */
  readonly at: (path: string, load: () => Promise<Listed>) => Promise<Listed> | undefined
}

export const NO_LISTS: Lists = { at: () => undefined }

interface Kept {
  readonly list: Promise<Listed>
  /** When its reading began, in ms of a monotonic clock. */
  readonly at: number
  /** The list, once it is read. */
  listed?: Listed
  /** How many runs it has served. */
  served: number
}

/**
 * For a door that is asked for many things one by one: each list is read and parsed once, and answers to our writes
 * are merged into it.
 */
export class SharedLists implements Lists {
  readonly #kept = new Map<string, Kept>()

  at(path: string, load: () => Promise<Listed>): Promise<Listed> {
    const kept = this.#kept.get(path) ?? this.#read(path, load)
    kept.served += 1
    return kept.list
  }

  /**
   * The same for lists of at most this age. An older list is read again only after it has served as many runs as it
   * took requests; otherwise a list costs more than reading the one thing.
   */
  notOlderThan(ms: number): Lists {
    return {
      at: (path, load) => {
        const kept = this.#kept.get(path)
        if (kept === undefined) return undefined
        const isYoung = performance.now() - kept.at <= ms
        if (!isYoung && (kept.listed === undefined || kept.served < kept.listed.requests)) return undefined
        const used = isYoung ? kept : this.#read(path, load)
        used.served += 1
        return used.list
      },
    }
  }

  /** After a write, its answer replaces what was listed. */
  wrote(method: string, path: string, answer: unknown): void {
    const { list, key } = partsOf(path)
    // A reading that is still under way may show what was there before the write.
    const listed = this.#kept.get(list)?.listed
    if (listed === undefined || (method !== 'PATCH' && method !== 'DELETE')) return this.forget(path)
    try {
      if (method === 'DELETE') listed.take(key)
      else listed.put(key, answer)
    } catch {
      this.forget(path)
    }
  }

  /** After a write of unknown effect, both the list that has the thing and the list at the path are read again. */
  forget(path: string): void {
    this.#kept.delete(path)
    this.#kept.delete(partsOf(path).list)
  }

  #read(path: string, load: () => Promise<Listed>): Kept {
    const kept: Kept = { list: load(), at: performance.now(), served: 0 }
    this.#kept.set(path, kept)
    kept.list.then(
      (listed) => (kept.listed = listed),
      () => undefined,
    )
    forgetFailed(kept.list, () => {
      if (this.#kept.get(path) === kept) this.#kept.delete(path)
    })
    return kept
  }
}

/** The list that has a thing, and the thing's key in it. */
const partsOf = (path: string): { readonly list: string; readonly key: string } => {
  const at = path.lastIndexOf('/')
  return { list: path.slice(0, at), key: decodeURIComponent(path.slice(at + 1)) }
}
