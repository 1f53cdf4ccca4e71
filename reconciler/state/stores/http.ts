import { StateConflictError } from '../../errors/index.ts'
import type { System } from '../machine/system.ts'
import type { JournalHeader, JournalRecord } from '../contents/journal-model.ts'
import { type LockOwner, ownerHere, takenAt } from '../lock/lock-owner.ts'
import { notBefore } from '../lock/ownership.ts'
import {
  lockChanging,
  locked,
  lockLost,
  lockMismatch,
  noLock,
  conflictAt,
  takenOver,
} from '../lock/lock-words.ts'
import { serializeState } from '../contents/serialize.ts'
import { again, ROUNDS } from './again.ts'
import { type Asking, busyOf, hasOwnerEnded, sayingStillLocked } from './held.ts'
import type { HttpAddress } from './http/address.ts'
import { type Contents, type StoredVersion, stateBytes } from './http/document.ts'
import { Documents } from './http/documents.ts'
import {
  ownerNamed,
  release,
  releasingOnFailure,
  type Site,
  standingOf,
  take,
  tryRelease,
} from './http/lock.ts'
import { ownerOf } from './http/lock-info.ts'
import { StateServer } from './http/server.ts'
import { lockedBy, notHeld, turnedUp, unfenced, unwritten, unwrittenUnread } from './http/words.ts'
import { SharedHold } from './shared-hold.ts'
import type { Hold, LockToRemove, Save, Saved, Snapshot, Store } from './store.ts'

/**
 * One document on a server of Terraform's http backend protocol, with state, journal and owner in it. The server has
 * the lock, and accepts saves under no other; the removal of a lock is recorded in the document as well.
 */
export const httpStore = (address: HttpAddress, system: System): Store => {
  const { place, refusesUnlocked } = address
  const server = new StateServer(address, system)
  const site = (): Site => ({
    place,
    refusesUnlocked,
    server,
    documents: new Documents(server, place, system),
    system,
  })
  return {
    place,
    announces: false,
    isDear: true,
    read: async () => snapshotOf((await site().documents.read())?.contents, place, system),
    lock: (command, kept) => taken(site(), { command, kept }),
    unlock: (lock) => unlock(site(), lock),
  }
}

const snapshotOf = async (contents: Contents | undefined, at: string, system: System): Promise<Snapshot> => {
  const { owner, unlockedAt, landedAt, state, journal } = contents ?? {}
  return {
    state: state === undefined ? undefined : { at, bytes: stateBytes(state) },
    journal: journal && { at, ...journal, droppedTail: false },
    owner: await busyOf(owner, system),
    warnings: [],
    ...(unlockedAt === undefined ? {} : { unlockedAt }),
    ...(landedAt === undefined ? {} : { landedAt }),
  }
}

/** Acquires the lock, also from an owner that has certainly ended. */
const taken = async (site: Site, { command, kept }: Asking): Promise<HttpHold> => {
  const { place, system } = site
  const me = await ownerHere(system, command)
  let ended: LockOwner | undefined
  for (let round = 0; round < ROUNDS; round += 1) {
    const holder = await take(site, me)
    if (holder === undefined) return entered(site, { me, kept, ended })
    const owner = await ownerNamed(holder, site)
    if (kept !== undefined && (holder.id ?? owner?.id) === kept) {
      // Anyone who comes in between finds the owner in the document, and waits.
      await release(site, kept)
      continue
    }
    if (owner === undefined || 'unreadable' in owner) throw lockedBy(holder, place, system)
    // Nothing is certain about a lock without an id.
    if (holder.id === undefined || !(await hasOwnerEnded(owner, system))) throw locked(place, owner, system)
    if (await release(site, owner.id)) ended = owner
  }
  throw lockChanging(place)
}

/** Who has the lock of the server now, and from whom. */
interface Entering {
  readonly me: LockOwner
  readonly kept: string | undefined
  /** The owner whose lock was taken away because its command has ended. */
  readonly ended: LockOwner | undefined
}

/**
 * Writes the new owner of the lock into the document, and releases the lock if that fails. If no document is found,
 * none is written before there is something to record: an answer can be wrong, and the save would replace the state.
 * GitLab takes no serial twice, so no first document replaces another one there.
 */
const entered = (site: Site, { me, kept, ended }: Entering): Promise<HttpHold> =>
  releasingOnFailure(site, me, async () => {
    const { place, refusesUnlocked, documents, system } = site
    const read = await documentAt(site)
    const before = read?.contents ?? { lineage: system.uuid() }
    if (read === undefined && !refusesUnlocked)
      return new HttpHold(
        site,
        me,
        { contents: { ...before, owner: me }, print: undefined },
        ended === undefined ? [] : [takenOver(ended)],
      )
    const { found, isUnfenced } =
      before.probed === place
        ? { found: read, isUnfenced: before.isUnfenced }
        : await documents.probe(read, before)
    const { owner } = before
    const isOver = owner === undefined || owner.id === kept || (await hasOwnerEnded(owner, system))
    // If a lock was removed at the server itself, its owner may still be at work.
    const unlockedAt = isOver ? before.unlockedAt : notBefore(takenAt(owner), system)
    // By now the lock is gone, for whatever reason.
    const landedAt = (isOver ? before.landedAt : undefined) ?? (unlockedAt && notBefore(unlockedAt, system))
    const contents = { ...before, probed: place, isUnfenced, owner: me, unlockedAt, landedAt }
    const notices = [
      ...(owner !== undefined && isOver && !('unreadable' in owner) ? [takenOver(owner)] : []),
      ...(isUnfenced === true ? [unfenced(place)] : []),
    ]
    return new HttpHold(site, me, await documents.write(found, contents, me.id), notices)
  })

/** The document. If an answer says that there is none, looks again: a proxy that restarts says so, too. */
const documentAt = async ({ documents, system }: Site): Promise<StoredVersion | undefined> => {
  const read = await documents.read()
  if (read !== undefined) return read
  await again(1, system)
  return documents.read()
}

/** Removes a lock and records that, while holding a lock of its own. */
const unlock = async (site: Site, { id, ownerEnded }: LockToRemove): Promise<void> => {
  const { place, documents, system } = site
  const me = await ownerHere(system, 'state unlock')
  let isAway = false
  for (let round = 0; round < ROUNDS; round += 1) {
    const holder = await take(site, me)
    if (holder === undefined) {
      await releasingOnFailure(site, me, async () => {
        const read = await documentAt(site)
        if (!isAway && read?.contents.owner?.id !== id) throw noLock(place)
        // An owner without a document has recorded nothing, and sent nothing.
        if (read === undefined) return
        const since = takenAt(read.contents.owner)
        const unlockedAt = ownerEnded ? undefined : notBefore(since, system)
        const written = await documents.write(read, withoutOwner(read.contents, unlockedAt), me.id)
        const landedAt = notBefore(unlockedAt, system)
        // If this fails, the next command records it.
        if (!ownerEnded)
          await documents.write(written, { ...written.contents, landedAt }, me.id).catch(() => undefined)
      })
      return releaseOwn(site, me)
    }
    // Anyone who has come in between finds the previous owner in the document.
    if (holder.id !== id && isAway) return
    const isAnother = holder.id !== undefined && holder.id !== id
    const isReleased = !isAnother && (await release(site, id))
    // If the server reports no id, its refusal of this id shows that the lock is another one.
    if (isAnother || (holder.id === undefined && !isReleased))
      throw lockMismatch(place, id, (await ownerNamed(holder, site)) ?? ownerOf(holder), system)
    isAway = isReleased || isAway
  }
  throw lockMismatch(place, id, undefined, system)
}

/** Releases the lock that unlocking itself has acquired: if the server refuses, the state is locked again. */
const releaseOwn = (site: Site, me: LockOwner): Promise<void> =>
  sayingStillLocked(me.id, site.system, async () => {
    const released = await tryRelease(site, me.id, me)
    if (typeof released !== 'string')
      throw unwritten('release the lock of the state', released, site.documents.access)
  })

const withoutOwner = (contents: Contents, unlockedAt: string | undefined): Contents => ({
  ...contents,
  owner: undefined,
  ...(unlockedAt === undefined ? {} : { unlockedAt, landedAt: undefined }),
})

/** What is certain of a document. */
type Certain = StoredVersion | Unwritten

/** None was found when the lock was taken, and none was written since. */
interface Unwritten {
  readonly contents: Contents
  readonly print: undefined
}

class HttpHold extends SharedHold implements Hold {
  readonly #site: Site
  readonly #me: LockOwner
  #found: Certain

  constructor(site: Site, me: LockOwner, found: Certain, notices: readonly string[]) {
    const notice = notices.length > 0 ? notices.join(' ') : undefined
    super(me.id, { system: site.system, notice })
    this.#site = site
    this.#me = me
    this.#found = found
  }

  async read(): Promise<Snapshot> {
    const { place, system } = this.#site
    this.former.read(this.#found.contents)
    return { ...(await snapshotOf(this.#found.contents, place, system)), owner: undefined }
  }

  async append(header: JournalHeader, records: readonly JournalRecord[]): Promise<void> {
    const { journal = { header, records: [] } } = this.#found.contents
    await this.#write({ journal: { ...journal, records: [...journal.records, ...records] } })
  }

  async save({ state, bytes, header, kept }: Save): Promise<Saved> {
    const parsed: unknown = state && JSON.parse((bytes ?? serializeState(state)).toString())
    const isFirst = this.#found.print === undefined
    await this.#write({
      ...(state === undefined ? {} : { state: parsed }),
      journal: kept.length === 0 ? undefined : { header, records: kept },
    })
    return isFirst ? this.#tryServer() : {}
  }

  async confirm(): Promise<void> {
    const now = await this.#site.documents.read()
    if (!this.#isFromHere(now)) throw this.#conflict(now)
    if (now === undefined) return this.#confirmLock()
    if (now.print === this.#found.print) return
    // A save that was given up has replaced the certain content.
    await this.#write({})
  }

  protected async releaseLock(): Promise<void> {
    const { documents } = this.#site
    const now = await documents.read()
    const owner = now?.contents.owner
    const isOurs = owner?.id === this.id
    // Somebody else has the lock now, and not every server distinguishes locks.
    if (owner !== undefined && !isOurs && !(await this.#hasOnlyLock())) return
    if (isOurs) {
      const contents = this.#isFromHere(now) ? this.#found.contents : now?.contents
      const left = { ...(contents ?? this.#found.contents), ...this.#later(), owner: undefined }
      const isLost = await documents.write(now, left, this.id).then(() => false, isConflict)
      if (isLost) return
    }
    const released = await tryRelease(this.#site, this.id, this.#me)
    // The server has just accepted a save under this lock, so the lock is still held.
    if (isOurs && typeof released !== 'string')
      throw unwritten('release the lock of the state', released, documents.access)
  }

  /**
   * Applies a change to the certain content, on top of whichever save of ours is there. If the server refuses writes
   * without this lock, the content is not read before.
   */
  async #write(change: Partial<Contents>): Promise<void> {
    const { documents, refusesUnlocked } = this.#site
    const last = this.#found
    const now = refusesUnlocked && last.print !== undefined ? last : await documents.read(unwrittenUnread)
    if (!this.#isFromHere(now)) throw this.#conflict(now)
    if (now === undefined) await this.#confirmLock()
    this.#found = await documents.write(
      now,
      { ...this.#found.contents, ...this.#later(), ...change },
      this.id,
    )
  }

  #later(): Pick<Contents, 'unlockedAt' | 'landedAt'> {
    return this.former.isOver ? { unlockedAt: undefined, landedAt: undefined } : {}
  }

  /** What could not be tried while there was no document. If this fails, the next command tries it. */
  async #tryServer(): Promise<Saved> {
    const { place, documents } = this.#site
    const last = this.#found
    if (last.print === undefined) return {}
    const tried = await documents.probe(last, last.contents).catch(() => undefined)
    if (tried?.found === undefined) return {}
    const { found: now, isUnfenced } = tried
    this.#found = { ...now, contents: { ...now.contents, probed: place, isUnfenced } }
    return isUnfenced === true ? { notice: unfenced(place) } : {}
  }

  /** While there is no document, only the server knows whose lock it is. */
  async #confirmLock(): Promise<void> {
    const standing = await standingOf(this.#site, this.#me)
    if (standing === 'taken') throw lockLost(this.#site.place)
    if (standing === 'free') throw notHeld(this.#site.place)
  }

  /** A document that turned up names an owner of before: nothing has been written from here. */
  async #hasOnlyLock(): Promise<boolean> {
    return this.#found.print === undefined && (await standingOf(this.#site, this.#me)) === 'held'
  }

  #isFromHere(now: StoredVersion | undefined): boolean {
    return now?.print === this.#found.print || (now !== undefined && this.#site.documents.isOurs(now))
  }

  #conflict(now: StoredVersion | undefined): StateConflictError {
    const owner = now?.contents.owner
    if (this.#found.print === undefined && owner === undefined) return turnedUp(this.#site.place)
    return conflictAt(this.#site.place, 'the document', { owner, id: this.id, isGone: now === undefined })
  }
}

const isConflict = (error: unknown): boolean => {
  if (error instanceof StateConflictError) return true
  throw error
}
