import { type StateConflictError, StateWriteError } from '../../errors/index.ts'
import type { System } from '../machine/system.ts'
import type { JournalHeader, JournalRecord } from '../contents/journal-model.ts'
import { type LockOwner, ownerHere, ownerInWords, takenAt } from '../lock/lock-owner.ts'
import { notBefore } from '../lock/ownership.ts'
import {
  lockChanging,
  lockMismatch,
  noLock,
  conflictAt,
  takenOver,
  unlockCommand,
} from '../lock/lock-words.ts'
import { serializeState } from '../contents/serialize.ts'
import { ROUNDS } from './again.ts'
import type { GitAddress } from './git/address.ts'
import {
  HEADER,
  landedIn,
  linesFor,
  LOCK,
  numberOf,
  ownerAt,
  segmentAt,
  segmentsOf,
  snapshotOf,
  STATE,
  UNLOCKED,
} from './git/contents.ts'
import { remoteAt } from './git/remote.ts'
import { GitRepository, type Pushed, type Tip } from './git/repository.ts'
import type { Changes } from './git/tree.ts'
import { type Asking, formerAt, opening } from './held.ts'
import { SharedHold, type Taking } from './shared-hold.ts'
import type { Hold, LockToRemove, Save, Saved, Snapshot, Store } from './store.ts'

/**
 * One branch whose tip holds state, journal and lock. Each write moves it from the commit last seen to a commit of
 * ours, so no write can miss a lock that was taken or removed since.
 *
 * @param folder of the manifest: the settings of its checkout provide access
 */
export const gitStore = async (
  address: GitAddress & { readonly branch: string },
  folder: string,
  system: System,
): Promise<Store> => {
  const remote = await remoteAt(address, folder, system)
  const repository = opening(
    () => GitRepository.open(remote, system),
    (each) => each.remove(),
  )
  return {
    place: remote.place,
    announces: false,
    isDear: true,
    read: () => repository.once(async (each) => snapshotOf(each, await each.fetch(), system)),
    lock: (command, kept) => repository.kept((each) => taken(each, { command, kept }, system)),
    unlock: (lock) => repository.once((each) => unlock(each, lock, system)),
  }
}

/** Acquires the lock, also from an owner that has certainly ended. */
const taken = async (
  repository: GitRepository,
  { command, kept }: Asking,
  system: System,
): Promise<GitHold> => {
  const { place } = repository.remote
  const me = await ownerHere(system, command)
  for (let round = 0; round < ROUNDS; round += 1) {
    const tip = await repository.fetch()
    const owner = await ownerAt(repository, tip.tree)
    if (owner?.id === me.id) return new GitHold(repository, me, tip, { system })
    const former = await formerAt(place, owner, kept, system)
    const landed = await landedIn(repository, tip.tree, system)
    const changes = new Map([...landed, [LOCK, linesFor([me])]])
    const next = await repository.commit(tip, changes, messageOf('takes the lock', me))
    const pushed = await repository.push(tip.sha, next.sha).catch((error: unknown) => {
      throw error instanceof StateWriteError ? abandoned(error, me, system) : error
    })
    if (pushed.is === 'done')
      return new GitHold(repository, me, next, { notice: former && takenOver(former), system })
  }
  throw lockChanging(place)
}

/** The push may still arrive and acquire the lock. */
const abandoned = (error: StateWriteError, { id }: LockOwner, flags: System): StateWriteError =>
  new StateWriteError(error.message, {
    where: error.where,
    hint: `${error.hint ?? ''} If this command leaves the state locked: ${unlockCommand(id, flags)}`.trim(),
    cause: error,
  })

const unlock = async (
  repository: GitRepository,
  { id, ownerEnded }: LockToRemove,
  system: System,
): Promise<void> => {
  const { place } = repository.remote
  const me = await ownerHere(system, 'state unlock')
  for (let round = 0; round < ROUNDS; round += 1) {
    const tip = await repository.fetch()
    const owner = await ownerAt(repository, tip.tree)
    if (owner === undefined) throw noLock(place)
    if (owner.id !== id) throw lockMismatch(place, id, owner, system)
    const what = `removes the lock ${id}`
    const changes = new Map<string, Buffer | undefined>([[LOCK, undefined]])
    if (!ownerEnded) changes.set(UNLOCKED, linesFor([{ at: notBefore(takenAt(owner), system) }]))
    const next = await repository.commit(tip, changes, messageOf(what, me))
    const pushed = await repository.push(tip.sha, next.sha)
    if (pushed.is === 'done') return noteLanded(repository, next, me, system)
    if (pushed.hasOurs) return
  }
  throw lockMismatch(place, id, undefined, system)
}

/** Records that the removal of a lock is now visible. If this fails, the next command records it. */
const noteLanded = async (
  repository: GitRepository,
  tip: Tip,
  me: LockOwner,
  system: System,
): Promise<void> => {
  const changes = await landedIn(repository, tip.tree, system)
  if (changes.size === 0) return
  const next = await repository.commit(tip, changes, messageOf('has removed the lock', me))
  await repository.push(tip.sha, next.sha).catch(() => undefined)
}

/** The commit message; it tells pipelines to skip the commit. */
const messageOf = (what: string, owner: LockOwner): string =>
  `deploymgmt ${owner.command} ${what} [skip ci]\n\nBy ${ownerInWords(owner)}`

class GitHold extends SharedHold implements Hold {
  readonly #repository: GitRepository
  readonly #me: LockOwner
  /** What the branch certainly holds. */
  #tip: Tip
  /** Our commits of which it is unknown whether they have arrived. */
  #doubtful: string[] = []

  constructor(repository: GitRepository, me: LockOwner, tip: Tip, taking: Taking) {
    super(me.id, taking)
    this.#repository = repository
    this.#me = me
    this.#tip = tip
  }

  async read(): Promise<Snapshot> {
    const snapshot = await snapshotOf(this.#repository, this.#tip, this.system)
    this.former.read(snapshot)
    return { ...snapshot, owner: undefined }
  }

  async append(header: JournalHeader, records: readonly JournalRecord[]): Promise<void> {
    const { tree } = this.#tip
    const last = Math.max(0, ...segmentsOf(tree).map(numberOf))
    const begun: Changes = tree.has(HEADER) ? new Map() : new Map([[HEADER, linesFor([header])]])
    const changes = new Map([...begun, ...this.#later(), [segmentAt(last + 1), linesFor(records)]])
    const pushed = await this.#write(changes, `writes down ${countsOf(records)}`)
    if (pushed.is === 'moved') throw await this.#conflict()
  }

  async save({ state, bytes, header, kept }: Save): Promise<Saved> {
    const changes = this.#later()
    for (const path of [HEADER, ...segmentsOf(this.#tip.tree)]) changes.set(path, undefined)
    if (state !== undefined) changes.set(STATE, bytes ?? serializeState(state))
    if (kept.length > 0) changes.set(HEADER, linesFor([header])).set(segmentAt(1), linesFor(kept))
    const what = state === undefined ? 'shortens the journal' : `saves the state, serial ${state.serial}`
    const pushed = await this.#write(changes, what)
    // A commit that others have built upon was not undone.
    if (pushed.is === 'moved' && !pushed.hasOurs) throw await this.#conflict()
    return {}
  }

  async confirm(): Promise<void> {
    const now = await this.#repository.tip()
    if (now !== this.#tip.sha && (now === undefined || !this.#doubtful.includes(now)))
      throw await this.#conflict()
  }

  protected override close(): Promise<void> {
    return this.#repository.remove()
  }

  #later(): Map<string, Buffer | undefined> {
    const isOver = this.#tip.tree.has(UNLOCKED) && this.former.isOver
    return isOver ? new Map([[UNLOCKED, undefined]]) : new Map()
  }

  protected async releaseLock(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const changes = this.#later().set(LOCK, undefined)
      const pushed = await this.#write(changes, 'releases the lock')
      if (pushed.is === 'done' || pushed.hasOurs) return
      this.#tip = await this.#repository.fetch()
      if ((await ownerAt(this.#repository, this.#tip.tree))?.id !== this.id) return
    }
    const { place: where } = this.#repository.remote
    throw new StateWriteError('the lock was not released: others keep writing to the branch', {
      where,
    })
  }

  /**
   * Applies the changes to the certain content and moves the branch to the result, from whichever commit of ours it
   * is at.
   */
  async #write(changes: Changes, what: string): Promise<Pushed> {
    for (;;) {
      const next = await this.#repository.commit(this.#tip, changes, messageOf(what, this.#me))
      this.#doubtful.push(next.sha)
      const pushed = await this.#repository.push(this.#tip.sha, next.sha)
      if (pushed.is === 'done') {
        this.#tip = next
        this.#doubtful = []
        return pushed
      }
      if (pushed.to === undefined || !this.#doubtful.includes(pushed.to)) return pushed
      // A commit that was given up has arrived after all. The next commit drops its content.
      this.#tip = { sha: pushed.to, tree: this.#tip.tree }
    }
  }

  async #conflict(): Promise<StateConflictError> {
    const { place } = this.#repository.remote
    const now = await this.#repository.fetch().catch(() => undefined)
    const owner = now && (await ownerAt(this.#repository, now.tree).catch(() => undefined))
    const isGone = now !== undefined && now.sha === undefined
    return conflictAt(place, 'the branch', { owner, id: this.id, isGone })
  }
}

/** `2 intents, 1 effects`: other types are not inflected, because not every one is a noun. */
const countsOf = (records: readonly JournalRecord[]): string =>
  [...Map.groupBy(records, ({ type }) => type)]
    .map(([type, { length }]) => `${length} ${type}${type === 'intent' && length > 1 ? 's' : ''}`)
    .join(', ')
