import type { System } from '../../machine/system.ts'
import { lockLost, conflictAt } from '../../lock/lock-words.ts'
import { type Contents, documentOf, type StoredVersion, type Version, versionIn } from './document.ts'
import { again } from '../again.ts'
import { holderIn } from './lock-info.ts'
import { type Body, bodyOf, isHeldByAnother, outcomeOf, type Reply, type StateServer } from './server.ts'
import { type Access, firstRefused, unknownSave, unread, unwritten } from './words.ts'

/** How often a read is tried on which nothing depends yet. */
const READS = 3

/** Repeats a request until the answer is conclusive, a few times at most. */
export const patiently = async (
  send: () => Promise<Reply>,
  system: Pick<System, 'pause' | 'random'>,
  times = Infinity,
): Promise<{ readonly reply: Reply; readonly isFirst: boolean }> => {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await send()
    const isTold = outcomeOf(reply) !== 'unknown' || attempt + 1 === times
    if (isTold || !(await again(attempt, system, reply.retryAfter))) return { reply, isFirst: attempt === 0 }
  }
}

/** Turns an inconclusive answer into an error. */
type Failure = (reply: Reply, access: Access) => Error

/** Refusals that can also mean that an earlier attempt has succeeded, or that the last reading was wrong. */
const isContested = (reply: Reply): boolean =>
  isHeldByAnother(reply) || reply.status === 422 || reply.status === 412

/** Whether the reply names another lock owner; if it names none, it may be wrong for a moment. */
const saysOther = (reply: Reply, lock: string): boolean => {
  const id = isHeldByAnother(reply) ? holderIn(reply.body).id : undefined
  return id !== undefined && id !== lock
}

/** Whether both are the same version, or both are no document. */
const isSame = (one: StoredVersion | undefined, other: StoredVersion | undefined): boolean =>
  one?.print === other?.print

interface Probed {
  readonly found: StoredVersion | undefined
  /** Whether the server accepts a save under a lock that nobody holds. */
  readonly isUnfenced: true | undefined
}

/** The document at an address, and the saves of one lock owner. */
export class Documents {
  readonly access: Access
  readonly #server: StateServer
  readonly #system: System
  /** All saves that were sent from here, whether they were done or not. */
  readonly #ours = new Set<string>()
  /**
   * What was found or sent last. The next read nearly always finds it again, and parsing 50 MB again takes seconds.
   */
  #known: StoredVersion[] = []

  constructor(server: StateServer, place: string, system: System) {
    this.access = { place, advice: server.advice }
    this.#server = server
    this.#system = system
  }

  isOurs({ save }: Version): boolean {
    return this.#ours.has(save)
  }

  /** Undefined if there is no document. @throws StateReadError, or `failure` */
  async read(failure: Failure = unread): Promise<StoredVersion | undefined> {
    const { reply } = await patiently(() => this.#server.get(), this.#system, READS)
    return this.#foundIn(reply, failure)
  }

  #foundIn(reply: Reply, failure: Failure = unread): StoredVersion | undefined {
    if (reply.status === 204 || reply.status === 404) return undefined
    if (outcomeOf(reply) !== 'done') throw failure(reply, this.access)
    if (reply.body.length === 0) return undefined
    const { print } = reply
    const found = this.#known.find((each) => each.print === print)
    if (found !== undefined) return found
    const read = versionIn(reply.body, this.access.place)
    this.#known = [{ ...read, print }]
    return { ...read, print }
  }

  /**
   * Replaces `base`, and nothing else. The server compares only the lock, and some servers the serial, which is
   * therefore always the next one. Whether our save is there is decided by reading it back, whatever the answer was.
   * If that is inconclusive, the same document is sent again, provided that `base` is still there.
   *
   * @throws StateConflictError if somebody else has written, or holds the lock; StateWriteError
   */
  async write(base: StoredVersion | undefined, contents: Contents, lock: string): Promise<StoredVersion> {
    const { next, document } = this.#nextOf(base, contents)
    this.#known = [...this.#known.slice(-1), { ...next, print: document.print }]
    let reply = await this.#server.post(document, lock, base === undefined)
    if (outcomeOf(reply) === 'refused' && !isContested(reply))
      throw unwritten('write the state', reply, this.access)
    for (let attempt = 0; ; attempt += 1) {
      const now = await this.#glance()
      if (now?.found?.save === next.save) return now.found
      // Only one of our saves that was given up may have arrived meanwhile.
      if (now !== undefined && !isSame(now.found, base))
        return this.write(this.#oursOr(now.found, lock), contents, lock)
      if (now !== undefined && saysOther(reply, lock)) throw lockLost(this.access.place)
      if (!(await again(attempt, this.#system, reply.retryAfter)))
        throw now === undefined ? unknownSave(reply, this.access) : this.#inVain(base, reply)
      // Others can have acquired and released the lock meanwhile, and not every server refuses a save while nobody
      // holds the lock.
      const then = await this.#glance()
      if (then !== undefined && isSame(then.found, base))
        reply = await this.#server.post(document, lock, base === undefined)
    }
  }

  /** What was found, if it is one of our saves. @throws StateConflictError otherwise */
  #oursOr(found: StoredVersion | undefined, lock: string): StoredVersion {
    if (found === undefined || !this.isOurs(found)) throw this.#conflict(found, lock)
    return found
  }

  /** The error if all attempts were sent, and `base` is still there. */
  #inVain(base: StoredVersion | undefined, reply: Reply): Error {
    if (base === undefined && isContested(reply) && reply.status !== 423)
      return firstRefused(reply, this.access)
    if (isHeldByAnother(reply)) return lockLost(this.access.place)
    return outcomeOf(reply) === 'refused'
      ? unwritten('write the state', reply, this.access)
      : unknownSave(reply, this.access)
  }

  /** What is there now, if one read can tell. */
  async #glance(): Promise<{ readonly found: StoredVersion | undefined } | undefined> {
    const reply = await this.#server.get()
    return outcomeOf(reply) === 'done' || reply.status === 404 ? { found: this.#foundIn(reply) } : undefined
  }

  /**
   * Tries to save the present content under a lock that nobody holds. If the server accepts it, a previous owner is
   * kept out only by what each save finds before it and after it.
   *
   * @returns what is there then
   * @throws StateConflictError if somebody else has written; StateWriteError
   */
  async probe(base: StoredVersion | undefined, contents: Contents): Promise<Probed> {
    const { next, document } = this.#nextOf(base, base?.contents ?? contents)
    const lock = this.#system.uuid()
    let reply = await this.#server.post(document, lock, base === undefined)
    let now = await this.read()
    for (let attempt = 0; outcomeOf(reply) === 'unknown' && isSame(now, base); attempt += 1) {
      if (!(await again(attempt, this.#system, reply.retryAfter)))
        throw unwritten('write the state', reply, this.access)
      now = await this.read()
      // Others can have acquired and released the lock meanwhile.
      if (isSame(now, base)) reply = await this.#server.post(document, lock, base === undefined)
      now = await this.read()
    }
    if (now?.save === next.save) return { found: now, isUnfenced: true }
    if (!isSame(now, base)) throw this.#conflict(now, lock)
    // Something on the way answers, and stores nothing.
    if (outcomeOf(reply) === 'done') throw unwritten('write the state', reply, this.access)
    return { found: base, isUnfenced: undefined }
  }

  /** The version after `base`, which counts as ours from now on, with its document. */
  #nextOf(
    base: Version | undefined,
    contents: Contents,
  ): { readonly next: Version; readonly document: Body } {
    const next = { serial: (base?.serial ?? 0) + 1, save: this.#system.uuid(), contents }
    this.#ours.add(next.save)
    return { next, document: bodyOf(documentOf(next)) }
  }

  #conflict(found: Version | undefined, lock: string): Error {
    const owner = found?.contents.owner
    return conflictAt(this.access.place, 'the document', { owner, id: lock, isGone: found === undefined })
  }
}
