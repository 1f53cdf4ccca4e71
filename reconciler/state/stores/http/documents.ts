import type { Surroundings } from '../../machine/host.ts'
import { lockLost, conflictAt } from '../../lock/lock-words.ts'
import { type Contents, documentOf, type Found, type Version, versionIn } from './document.ts'
import { again } from '../again.ts'
import { holderIn } from './lock-info.ts'
import { bodyOf, isHeldByAnother, outcomeOf, type Reply, type StateServer } from './server.ts'
import { type Asked, unfenced, unknownSave, unread, unwritten } from './words.ts'

/** How often is read what nothing depends upon yet. */
const READS = 3

/** Sends the same until what comes back tells something, and a few times at most. */
export const patiently = async (
  send: () => Promise<Reply>,
  outside: Pick<Surroundings, 'pause' | 'random'>,
  times = Infinity,
): Promise<{ readonly reply: Reply; readonly isFirst: boolean }> => {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await send()
    const isTold = outcomeOf(reply) !== 'unknown' || attempt + 1 === times
    if (isTold || !(await again(attempt, outside, reply.retryAfter))) return { reply, isFirst: attempt === 0 }
  }
}

/** What an answer that tells nothing comes to. */
type Failure = (reply: Reply, asked: Asked) => Error

/** Refused also where the same has been done before. */
const isContested = (reply: Reply): boolean => isHeldByAnother(reply) || reply.status === 422

/** Whether it names an owner that is another one; of a lock that it does not name, it may be wrong for a moment. */
const saysOther = (reply: Reply, lock: string): boolean => {
  const id = isHeldByAnother(reply) ? holderIn(reply.body).id : undefined
  return id !== undefined && id !== lock
}

/** What is at an address, and what one owner of its lock writes there. */
export class Documents {
  readonly asked: Asked
  readonly #server: StateServer
  readonly #outside: Surroundings
  /** All saves that were sent from here, done or not. */
  readonly #ours = new Set<string>()
  /** What was found or sent last: nearly always it is what is found next, and reading 50 MB again takes seconds. */
  #known: Found[] = []

  constructor(server: StateServer, place: string, outside: Surroundings) {
    this.asked = { place, hasCredentials: server.hasCredentials, lacking: server.lacking }
    this.#server = server
    this.#outside = outside
  }

  isOurs({ save }: Version): boolean {
    return this.#ours.has(save)
  }

  /** Undefined where nothing is there. @throws StateReadError, or `failure` */
  async read(failure: Failure = unread): Promise<Found | undefined> {
    const { reply } = await patiently(() => this.#server.get(), this.#outside, READS)
    return this.#foundIn(reply, failure)
  }

  #foundIn(reply: Reply, failure: Failure = unread): Found | undefined {
    if (reply.status === 204 || reply.status === 404) return undefined
    if (outcomeOf(reply) !== 'done') throw failure(reply, this.asked)
    if (reply.body.length === 0) return undefined
    const { print } = reply
    const found = this.#known.find((each) => each.print === print)
    if (found !== undefined) return found
    const read = versionIn(reply.body, this.asked.place)
    this.#known = [{ ...read, print }]
    return { ...read, print }
  }

  /**
   * Replaces what was found by this, and nothing else. The server compares the lock alone, some of them the serial
   * too, which is therefore always the next one: that ours is there shows when it is read back, whatever was answered.
   * Where nothing tells, the same document is sent again, where what was found is still there.
   *
   * @throws StateConflictError if somebody else has written, or holds the lock; StateWriteError
   */
  async write(base: Found | undefined, contents: Contents, lock: string): Promise<Found> {
    const next = this.#nextOf(base, contents)
    const document = bodyOf(documentOf(next))
    this.#ours.add(next.save)
    this.#known = [...this.#known.slice(-1), { ...next, print: document.print }]
    let reply = await this.#server.post(document, lock)
    if (outcomeOf(reply) === 'refused' && !isContested(reply))
      throw unwritten('write the state', reply, this.asked)
    for (let attempt = 0; ; attempt += 1) {
      const now = await this.#glance()
      if (now?.found?.save === next.save) return now.found
      if (now !== undefined && now.found?.print !== base?.print) {
        // One of ours that was given up has arrived after all.
        if (now.found !== undefined && this.isOurs(now.found)) return this.write(now.found, contents, lock)
        throw this.#conflict(now.found, lock)
      }
      if (now !== undefined && saysOther(reply, lock)) throw lockLost(this.asked.place)
      if (!(await again(attempt, this.#outside, reply.retryAfter)))
        throw now === undefined ? unknownSave(reply, this.asked) : this.#inVain(reply)
      // Others can have come and gone meanwhile, and not every server refuses who has no lock while nobody has it.
      const then = await this.#glance()
      if (then !== undefined && then.found?.print === base?.print)
        reply = await this.#server.post(document, lock)
    }
  }

  /** Of what was sent as often as it can be, while what was there before stayed. */
  #inVain(reply: Reply): Error {
    if (isHeldByAnother(reply)) return lockLost(this.asked.place)
    return outcomeOf(reply) === 'refused'
      ? unwritten('write the state', reply, this.asked)
      : unknownSave(reply, this.asked)
  }

  /** What is there now, if that can be told at once. */
  async #glance(): Promise<{ readonly found: Found | undefined } | undefined> {
    const reply = await this.#server.get()
    return outcomeOf(reply) === 'done' || reply.status === 404 ? { found: this.#foundIn(reply) } : undefined
  }

  /**
   * Tries to write what is there already, under a lock that nobody holds.
   *
   * @throws StateWriteError if that is done: no owner of before would be kept out
   */
  async probe(base: Found | undefined, contents: Contents): Promise<void> {
    const next = this.#nextOf(base, base?.contents ?? contents)
    const document = bodyOf(documentOf(next))
    this.#ours.add(next.save)
    const lock = this.#outside.uuid()
    let reply = await this.#server.post(document, lock)
    let now = await this.read()
    for (let attempt = 0; outcomeOf(reply) === 'unknown' && now?.print === base?.print; attempt += 1) {
      if (!(await again(attempt, this.#outside, reply.retryAfter)))
        throw unwritten('write the state', reply, this.asked)
      now = await this.read()
      // As above, and this lock is nobody's.
      if (now?.print === base?.print) reply = await this.#server.post(document, lock)
      now = await this.read()
    }
    if (outcomeOf(reply) === 'done' || now?.save === next.save) throw unfenced(this.asked.place)
    if (now?.print !== base?.print) throw this.#conflict(now, lock)
  }

  #nextOf(base: Version | undefined, contents: Contents): Version {
    return { serial: (base?.serial ?? 0) + 1, save: this.#outside.uuid(), contents }
  }

  #conflict(found: Version | undefined, lock: string): Error {
    return conflictAt(this.asked.place, 'the address', { owner: found?.contents.owner, id: lock })
  }
}
