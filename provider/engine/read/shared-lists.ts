import type { Listed } from './listed.ts'

/** Lists that are known before a run reads any. */
export interface Lists {
  /** The list at a path, or nothing where this run reads by itself. */
  readonly at: (path: string, load: () => Promise<Listed>) => Promise<Listed> | undefined
}

export const NO_LISTS: Lists = { at: () => undefined }

interface Kept {
  readonly list: Promise<Listed>
  /** When its reading began, milliseconds of a clock that is never set. */
  readonly at: number
  /** What it took, once it is there. */
  listed?: Listed
  /** How many runs it has served. */
  served: number
}

/**
 * For a door that is asked for its things one by one, many at a time: a list is read and understood once, and what a
 * write of ours has answered is put into it.
 */
export class SharedLists implements Lists {
  readonly #kept = new Map<string, Kept>()

  at(path: string, load: () => Promise<Listed>): Promise<Listed> {
    const kept = this.#kept.get(path) ?? this.#read(path, load)
    kept.served += 1
    return kept.list
  }

  /**
   * The same for what may not be older than this. An older list is read again where it has served as many runs as it
   * took requests; otherwise one thing is dearer by a list than by itself.
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

  /** A write was answered: what it says stands instead of what was listed. */
  wrote(method: string, path: string, answer: unknown): void {
    const { list, key } = partsOf(path)
    // A reading that is under way may show what was before the write.
    const listed = this.#kept.get(list)?.listed
    if (listed === undefined || (method !== 'PATCH' && method !== 'DELETE')) return this.forget(path)
    try {
      if (method === 'DELETE') listed.take(key)
      else listed.put(key, answer)
    } catch {
      this.forget(path)
    }
  }

  /** Nothing tells what a write has done: the list that has the thing, or that is written to, is read again. */
  forget(path: string): void {
    this.#kept.delete(path)
    this.#kept.delete(partsOf(path).list)
  }

  #read(path: string, load: () => Promise<Listed>): Kept {
    const kept: Kept = { list: load(), at: performance.now(), served: 0 }
    this.#kept.set(path, kept)
    kept.list.then(
      (listed) => (kept.listed = listed),
      () => {
        if (this.#kept.get(path) === kept) this.#kept.delete(path)
      },
    )
    return kept
  }
}

/** The list that a thing is in, and what tells it from others there. */
const partsOf = (path: string): { readonly list: string; readonly key: string } => {
  const at = path.lastIndexOf('/')
  return { list: path.slice(0, at), key: decodeURIComponent(path.slice(at + 1)) }
}
