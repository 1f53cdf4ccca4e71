import type { Bound, Effect, Learnt, Made, RecordedResource } from '@deploymgmt/provider/engine'
import { type NewIntent, Intents } from './contents/intents.ts'
import type { JournalRecord, OpenIntent } from './contents/journal-model.ts'
import { LedgerError, StateWriteError } from '../errors/index.ts'
import { JournalQueue } from './journal-queue.ts'
import type { StateFile } from './contents/model.ts'
import { carryOver } from './contents/open-intents.ts'
import type { Unlocked } from './lock/ownership.ts'
import { replay } from './contents/replay.ts'
import { keptAside, type Left, writeRescue } from './contents/rescue.ts'
import { fingerprint as fingerprintOf, headerOf, serializeState } from './contents/serialize.ts'
import type { Hold, Store } from './stores/store.ts'
import { saidBesides } from './machine/failures.ts'
import type { System } from './machine/system.ts'
import { plain } from './contents/plain.ts'
import { addressesOwed } from './contents/unsaved.ts'
import type { View } from './view.ts'

/**
 * A state that only this process may change, until `close`. What a method is given is in `state` at once, and in the
 * store when the method resolves.
 */
export class Session {
  /** The recovered state, kept up to date; change it only through the methods. */
  readonly state: StateFile
  /** Where the state is: a path, or an address without credentials. */
  readonly place: string
  /** When a person removed the lock of an owner that may still be at work. */
  readonly unlocked: Unlocked
  /** Whether one append should cover many writes. */
  readonly isDear: boolean
  /** Sentences for the user. */
  readonly notices: string[]
  readonly #system: System
  readonly #lock: string
  #isClosed = false
  /** The folder for the rescue file; undefined if the store is a local file. */
  readonly #rescueFolder: string | undefined
  #rescuedTo: string | undefined
  readonly #journal: JournalQueue
  readonly #announces: boolean
  /** Whether records about requests are held until the next intents. */
  #holds = false
  readonly #intents: Intents
  #fingerprint: string | undefined
  /** Counts the changes of `state`; compared with the count at the last save. */
  #changes: number
  #savedChanges = 0
  #committing: Promise<unknown> = Promise.resolve()

  /** Called by `openSession` only. */
  constructor(
    store: Pick<Store, 'announces' | 'isDear' | 'place'>,
    hold: Hold,
    view: View,
    { system, rescueFolder }: { readonly system: System; readonly rescueFolder: string | undefined },
  ) {
    const { state, journal, fingerprint } = view
    this.state = state
    this.notices = [...(hold.notice === undefined ? [] : [hold.notice]), ...view.notices]
    this.place = store.place
    this.isDear = store.isDear
    this.#announces = store.announces
    this.unlocked = { unlockedAt: view.unlockedAt, landedAt: view.landedAt }
    this.#system = system
    this.#lock = hold.id
    this.#rescueFolder = rescueFolder
    // Without a journal, the state is as last saved until the first record.
    const begun = journal ?? { header: headerOf(state, this.#at()), entries: [] }
    this.#journal = new JournalQueue(hold, begun, {
      announces: store.announces,
      now: system.now,
    })
    this.#intents = new Intents(view.unknown, begun.entries)
    this.#fingerprint = fingerprint
    this.#changes = view.replayed
  }

  /** The records that are not in the saved state yet, and all open intents. */
  get journal(): readonly JournalRecord[] {
    return this.#journal.records
  }

  /** The path of the rescue file, once `close` has written one. */
  get rescuedTo(): string | undefined {
    return this.#rescuedTo
  }

  /** The addresses of records that the store has not taken, or not yet. */
  get unsaved(): ReadonlySet<string> {
    return addressesOwed(this.journal, this.#journal.owed)
  }

  /** Whether a state was ever saved. */
  get exists(): boolean {
    return this.#fingerprint !== undefined
  }

  /** sha256 (hex) of the bytes of the state, as read or as last saved. */
  get fingerprint(): string | undefined {
    return this.#fingerprint
  }

  /** Whether `state` contains changes that are only in the journal. */
  get dirty(): boolean {
    return this.#changes !== this.#savedChanges
  }

  /** Writes with an unknown outcome, of this command and of earlier ones; commits keep them. */
  get unknown(): OpenIntent[] {
    return this.#intents.unknown
  }

  /**
   * Records that a request is about to be sent. The request may leave once this resolves, and must not if it
   * rejects. Neither body nor detail may contain a secret.
   *
   * @returns the number under which the outcome is reported
   */
  async intent(intent: NewIntent): Promise<number> {
    const [n = 0] = await this.intents([intent])
    return n
  }

  /** Records several intents by one append. */
  async intents(intents: readonly NewIntent[]): Promise<number[]> {
    const records = this.#intents.begin(intents, this.#at())
    try {
      await this.#journal.append(...records)
    } catch (error) {
      this.#intents.forget(records)
      throw error
    }
    return records.map(({ n }) => n)
  }

  /**
   * While `work` runs and if an append is expensive, records about requests are kept with the next intents or the
   * next commit; the methods that add them resolve before that.
   */
  async holding<T>(work: () => Promise<T>): Promise<T> {
    this.#holds = this.isDear
    try {
      return await work()
    } finally {
      this.#holds = false
    }
  }

  /**
   * The service has answered with the HTTP status `status`. `closes` are earlier intents for the same thing that the
   * answer settles as well.
   */
  answered(
    n: number,
    effects: readonly Effect[],
    status?: number,
    closes: readonly number[] = [],
  ): Promise<void> {
    for (const earlier of closes) this.#intents.requireOpen(earlier)
    const answer = { type: 'answer', n, at: this.#at(), status, outcome: 'done', effects } as const
    const record = closes.length === 0 ? answer : { ...answer, closes }
    return this.#settle(n, record)
  }

  /** The service has certainly not carried out the request. */
  refused(n: number, error: string): Promise<void> {
    return this.#settle(n, { type: 'refused', n, at: this.#at(), error })
  }

  /** The request never left. */
  withdrawn(n: number): Promise<void> {
    return this.#settle(n, { type: 'withdrawn', n, at: this.#at() })
  }

  /** It is unknown whether the service has carried out the request: the intent stays open until `settled`. */
  async unknownOutcome(n: number, error: string): Promise<void> {
    this.#intents.giveUp(n)
    await this.#settle(n, { type: 'unknown', n, at: this.#at(), error })
  }

  /** Settles open intents together, all or none; `how` says by which evidence, or by whose decision. */
  async settled(
    settled: readonly { readonly n: number; readonly how: string; readonly effects: readonly Effect[] }[],
  ): Promise<void> {
    if (settled.length === 0) return
    for (const { n } of settled) this.#intents.requireOpen(n)
    const effects = settled.flatMap((each) => each.effects)
    const of = settled.map(({ n, how }) => ({ n, how }))
    await this.#journal.append(this.#take({ type: 'settled', at: this.#at(), of, effects }))
  }

  /** Records permanently which things creations with an unknown outcome are taken to have made. */
  async bind(pairs: readonly ({ readonly n: number } & Bound)[]): Promise<void> {
    if (pairs.length === 0) return
    await this.#journal.append(this.#take({ type: 'bound', at: this.#at(), pairs }))
  }

  /** Remembers what an answer has shown of the service. */
  async learn(kind: string, fact: Learnt): Promise<void> {
    await this.#keep(this.#take({ type: 'learnt', at: this.#at(), kind, fact }))
  }

  /**
   * Up to when the things that the key made were compared with the known ones, and which must stay known after that.
   * Written with the next save: if that is lost, the previous values still hold.
   */
  compared(upTo: Readonly<Record<string, string>>, known: readonly Made[]): void {
    this.state.compared = upTo
    if (known.length > 0) this.state.known = known
    else delete this.state.known
    this.#changes += 1
  }

  /** Up to when events told nothing of these things; written with the next save. */
  quieted(records: Readonly<Record<string, RecordedResource>>): void {
    Object.assign(this.state.resources, records)
    this.#changes += 1
  }

  /** What is known of the declaration as a whole; written with the next save. */
  noted(about: Partial<Pick<StateFile, 'pending' | 'projects' | 'files'>>): void {
    Object.assign(this.state, about)
    this.#changes += 1
  }

  /** Records changes without a request. */
  async effects(effects: readonly Effect[]): Promise<void> {
    if (effects.length === 0) return
    await this.#keep(this.#take({ type: 'effects', at: this.#at(), effects }))
  }

  /**
   * Saves `state` with the next serial, and drops what it contains from the journal. Does nothing if there is
   * nothing to save. May be called while requests are under way.
   *
   * @throws StateWriteError, StateConflictError; the journal then still has everything
   */
  commit(): Promise<void> {
    const turn = this.#committing.then(() => this.#commit())
    this.#committing = turn.catch(() => undefined)
    return turn
  }

  /**
   * Resolves when the lock is certainly still held, as shown by a save or a check that started less than half a
   * minute ago. A request may leave then; each retry must ask again.
   *
   * @throws StateConflictError if the lock was removed; StateReadError, StateWriteError
   */
  confirm(): Promise<void> {
    return this.#journal.confirm()
  }

  /** Takes over records about open intents that an earlier command could not store. */
  async takeOver(records: readonly JournalRecord[]): Promise<void> {
    for (const record of records) this.#take(record)
    await Promise.all(records.map((record) => this.#journal.append(record)))
  }

  /**
   * Ends the session. Uncommitted changes stay in the journal for the next session; if the store is elsewhere,
   * records that could not be written are in a rescue file, which the error names. Another call does nothing.
   *
   * @throws StateWriteError, StateConflictError
   */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#committing
    const folder = this.#rescueFolder
    await this.#journal.close(
      folder === undefined ? undefined : (left, why) => this.#rescue(folder, left, why),
    )
  }

  async #rescue(folder: string, left: Left, why: unknown): Promise<Error> {
    const { state, place } = this
    const about = { type: 'rescue', version: 1, place, lock: this.#lock, at: this.#at() } as const
    const path = await writeRescue(folder, { ...about, ...left, state }, this.#system)
    this.#rescuedTo = path
    return keptAside(why, path, this.#system.sameFlags)
  }

  /** Closes after a failure: an error of closing is only reported, so that it hides nothing. */
  closeFailed(): Promise<void> {
    return this.close().catch(saidBesides(this.#system))
  }

  /**
   * Closes after a failure. Returns the error to report: one that announces a rescue file also says why it was
   * written.
   */
  async closeAfter(failure: unknown): Promise<unknown> {
    try {
      await this.close()
    } catch (error) {
      if (failure instanceof LedgerError && this.#rescuedTo !== undefined) return error
      await saidBesides(this.#system)(error)
    }
    return failure
  }

  async #commit(): Promise<void> {
    const save = this.dirty || !this.exists
    if (!save && !this.#journal.hasRecords()) return
    // Copy and append without awaiting in between, so that the copy contains exactly the records before this one.
    const changes = this.#changes
    const next = {
      ...this.state,
      serial: this.state.serial + (save ? 1 : 0),
      resources: { ...this.state.resources },
    }
    const bytes = serializeState(next)
    const digest = fingerprintOf(bytes)
    const commit = { type: 'commit', at: this.#at(), serial: next.serial, digest } as const
    const header = headerOf(next, this.#at(), digest)
    const { notShortened, notice } = save
      ? await this.#journal.save({ state: next, bytes, header, commit }).catch((error: unknown) => {
          throw this.#notSaved(error)
        })
      : await this.#journal.restart(header, (records) => carryOver([...records, commit], commit))
    if (save) {
      this.state.serial = next.serial
      this.#fingerprint = digest
      this.#savedChanges = changes
    }
    if (notice !== undefined) this.notices.push(notice)
    if (notShortened !== undefined) this.notices.push(`The journal was not shortened. ${notShortened}`)
  }

  /** Records that the journal certainly has are not lost with a failed save; a store of two files says so itself. */
  #notSaved(error: unknown): unknown {
    const isThere = this.#journal.owed.length === 0 && this.journal.length > 0
    if (!(error instanceof StateWriteError) || this.#announces || !isThere) return error
    const { message, where, hint } = error
    const kept = 'Nothing is lost: the journal has every result, and the next command replays it.'
    return new StateWriteError(message, { where, hint: `${kept} ${hint}`, cause: error })
  }

  async #settle(n: number, record: JournalRecord): Promise<void> {
    this.#intents.requireOpen(n)
    await this.#keep(this.#take(record))
  }

  async #keep(record: JournalRecord): Promise<void> {
    if (this.#holds) this.#journal.hold(record)
    else await this.#journal.append(record)
  }

  /** Applies a record to `state`, and returns it as the journal will read it back. */
  #take(record: JournalRecord): JournalRecord {
    const taken = plain(record)
    if (replay(this.state, taken, () => this.#intents.since)) this.#changes += 1
    this.#intents.note(taken)
    return taken
  }

  #at(): string {
    return this.#system.now().toISOString()
  }
}
