import { StateConflictError } from '../../errors/index.ts'
import type { System } from '../machine/system.ts'
import type { JournalHeader, JournalRecord } from '../contents/journal-model.ts'
import { type LockOwner, ownerHere, takenAt } from '../lock/lock-owner.ts'
import { notBefore } from '../lock/ownership.ts'
import { lockChanging, locked, lockMismatch, noLock, conflictAt, takenOver } from '../lock/lock-words.ts'
import { serializeState } from '../contents/serialize.ts'
import { again, ROUNDS } from './again.ts'
import { type Asking, busyOf, FormerOwner, givingBack, hasOwnerEnded } from './held.ts'
import type { HttpAddress } from './http/address.ts'
import { type Contents, type StoredVersion, stateBytes } from './http/document.ts'
import { Documents } from './http/documents.ts'
import { giveLockBack, givenBack, ownerNamed, orGivenBack, type Site, take } from './http/lock.ts'
import { ownerOf } from './http/lock-info.ts'
import { StateServer } from './http/server.ts'
import { lockedBy, unfenced, unwritten, unwrittenUnread } from './http/words.ts'
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
    read: async () => snapshotOf(await site().documents.read(), place, system),
    lock: (command, kept) => taken(site(), { command, kept }),
    unlock: (lock) => unlock(site(), lock),
  }
}

const snapshotOf = async (
  found: StoredVersion | undefined,
  at: string,
  system: System,
): Promise<Snapshot> => {
  const { owner, unlockedAt, landedAt, state, journal } = found?.contents ?? {}
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
  for (let round = 0; round < ROUNDS; round += 1) {
    const holder = await take(site, me)
    if (holder === undefined) return entered(site, me, kept)
    const owner = await ownerNamed(holder, site)
    if (kept !== undefined && (holder.id ?? owner?.id) === kept) {
      // Anyone who comes in between finds the owner in the document, and waits.
      await giveLockBack(site, kept)
      continue
    }
    if (owner === undefined || 'unreadable' in owner) throw lockedBy(holder, place, system)
    // Nothing is certain about a lock without an id.
    if (holder.id === undefined || !(await hasOwnerEnded(owner, system))) throw locked(place, owner, system)
    await giveLockBack(site, owner.id)
  }
  throw lockChanging(place)
}

/** Writes the new owner of the lock into the document, and releases the lock if that fails. */
const entered = (site: Site, me: LockOwner, kept: string | undefined): Promise<HttpHold> =>
  orGivenBack(site, me, async () => {
    const { place, documents, system } = site
    const read = (await documents.read()) ?? (await lookAgain(site))
    const before = read?.contents ?? { lineage: system.uuid() }
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

/**
 * Nothing is there, says an answer, and a save would be the first. A proxy that restarts says so, too, and the save
 * would then replace the state.
 */
const lookAgain = async ({ documents, system }: Site): Promise<StoredVersion | undefined> => {
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
      await orGivenBack(site, me, async () => {
        const found = await documents.read()
        if (!isAway && found?.contents.owner?.id !== id) throw noLock(place)
        const since = takenAt(found?.contents.owner)
        const unlockedAt = ownerEnded ? undefined : notBefore(since, system)
        const written = await documents.write(found, withoutOwner(found, unlockedAt, system), me.id)
        const landedAt = notBefore(unlockedAt, system)
        // If this fails, the next command records it.
        if (!ownerEnded)
          await documents.write(written, { ...written.contents, landedAt }, me.id).catch(() => undefined)
      })
      return handBack(site, me)
    }
    // Anyone who has come in between finds the previous owner in the document.
    if (holder.id !== id && isAway) return
    const isAnother = holder.id !== undefined && holder.id !== id
    const isGiven = !isAnother && (await giveLockBack(site, id))
    // If the server reports no id, its refusal of this id shows that the lock is another one.
    if (isAnother || (holder.id === undefined && !isGiven))
      throw lockMismatch(place, id, (await ownerNamed(holder, site)) ?? ownerOf(holder), system)
    isAway = isGiven || isAway
  }
  throw lockMismatch(place, id, undefined, system)
}

/** Releases the lock that unlocking itself has acquired: if the server refuses, the state is locked again. */
const handBack = (site: Site, me: LockOwner): Promise<void> =>
  givingBack(me.id, site.system, async () => {
    const given = await givenBack(site, me.id, me)
    if (typeof given !== 'string')
      throw unwritten('release the lock of the state', given, site.documents.access)
  })

const withoutOwner = (
  found: StoredVersion | undefined,
  unlockedAt: string | undefined,
  { uuid }: System,
): Contents => ({
  ...(found?.contents ?? { lineage: uuid() }),
  owner: undefined,
  ...(unlockedAt === undefined ? {} : { unlockedAt, landedAt: undefined }),
})

class HttpHold implements Hold {
  readonly id: string
  readonly notice?: string
  readonly #site: Site
  readonly #me: LockOwner
  /** The content that is certain. */
  #found: StoredVersion
  readonly #former: FormerOwner
  #isReleased = false

  constructor(site: Site, me: LockOwner, found: StoredVersion, notices: readonly string[]) {
    this.id = me.id
    if (notices.length > 0) this.notice = notices.join(' ')
    this.#site = site
    this.#me = me
    this.#found = found
    this.#former = new FormerOwner(site.system)
  }

  async read(): Promise<Snapshot> {
    const { place, system } = this.#site
    this.#former.read(this.#found.contents)
    return { ...(await snapshotOf(this.#found, place, system)), owner: undefined }
  }

  async append(header: JournalHeader, records: readonly JournalRecord[]): Promise<void> {
    const { journal = { header, records: [] } } = this.#found.contents
    await this.#write({ journal: { ...journal, records: [...journal.records, ...records] } })
  }

  async save({ state, bytes, header, kept }: Save): Promise<Saved> {
    const parsed: unknown = state && JSON.parse((bytes ?? serializeState(state)).toString())
    await this.#write({
      ...(state === undefined ? {} : { state: parsed }),
      journal: kept.length === 0 ? undefined : { header, records: kept },
    })
    return {}
  }

  async confirm(): Promise<void> {
    const now = await this.#site.documents.read()
    if (now?.print === this.#found.print) return
    if (!this.#isFromHere(now)) throw this.#conflict(now)
    // A save that was given up has replaced the certain content.
    await this.#write({})
  }

  async release(): Promise<void> {
    if (this.#isReleased) return
    this.#isReleased = true
    await givingBack(this.id, this.#site.system, () => this.#giveLockBack())
  }

  async keep(): Promise<void> {
    this.#isReleased = true
  }

  /** Also releases the lock from beneath saves of others, which stay. */
  async #giveLockBack(): Promise<void> {
    const { documents } = this.#site
    const now = await documents.read()
    const owner = now?.contents.owner
    // Somebody else has the lock now, and not every server distinguishes locks.
    if (owner !== undefined && owner.id !== this.id) return
    if (owner !== undefined) {
      const contents = this.#isFromHere(now) ? this.#found.contents : now?.contents
      const left = { ...(contents ?? this.#found.contents), ...this.#later(), owner: undefined }
      const isLost = await documents.write(now, left, this.id).then(() => false, isConflict)
      if (isLost) return
    }
    const given = await givenBack(this.#site, this.id, this.#me)
    // The server has just accepted a save under this lock, so the lock is still held.
    if (owner !== undefined && typeof given !== 'string')
      throw unwritten('release the lock of the state', given, documents.access)
  }

  /**
   * Applies a change to the certain content, on top of whichever save of ours is there. If the server refuses writes
   * without this lock, the content is not read before.
   */
  async #write(change: Partial<Contents>): Promise<void> {
    const { documents, refusesUnlocked } = this.#site
    const now = refusesUnlocked ? this.#found : await documents.read(unwrittenUnread)
    if (!this.#isFromHere(now)) throw this.#conflict(now)
    this.#found = await documents.write(
      now,
      { ...this.#found.contents, ...this.#later(), ...change },
      this.id,
    )
  }

  #later(): Pick<Contents, 'unlockedAt' | 'landedAt'> {
    return this.#former.isOver ? { unlockedAt: undefined, landedAt: undefined } : {}
  }

  #isFromHere(now: StoredVersion | undefined): boolean {
    return now !== undefined && (now.print === this.#found.print || this.#site.documents.isOurs(now))
  }

  #conflict(now: StoredVersion | undefined): StateConflictError {
    const owner = now?.contents.owner
    return conflictAt(this.#site.place, 'the document', { owner, id: this.id, isGone: now === undefined })
  }
}

const isConflict = (error: unknown): boolean => {
  if (error instanceof StateConflictError) return true
  throw error
}
