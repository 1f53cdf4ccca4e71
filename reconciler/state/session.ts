import type { Bound, Effect, Learnt, Made } from '@deploymgmt/provider/engine'
import { type NewIntent, Intents } from './contents/intents.ts'
import type { JournalRecord, OpenIntent } from './contents/journal-model.ts'
import { LedgerError, StateWriteError } from '../errors/index.ts'
import { JournalQueue } from './journal-queue.ts'
import type { PendingSince, StateFile } from './contents/model.ts'
import { carryOver } from './contents/open-intents.ts'
import type { Unlocked } from './lock/ownership.ts'
import { replay } from './contents/replay.ts'
import { keptAside, type Left, writeRescue } from './contents/rescue.ts'
import { fingerprint as fingerprintOf, headerOf, serializeState } from './contents/serialize.ts'
import type { Hold, Store } from './stores/store.ts'
import { saidBesides } from './machine/failures.ts'
import type { Surroundings } from './machine/host.ts'
import { plain } from './contents/plain.ts'
import { addressesOwed } from './contents/unsaved.ts'
import type { View } from './view.ts'

/**
 * A state that only this process may change, until `close`. What a method is told is in `state` at
 * once, and kept by the store when the method resolves.
 */
export class Session {
  /** The recovered state, kept up to date; change it only through the methods. */
  readonly state: StateFile
  /** Where it is: a path, or an address without credentials. */
  readonly place: string
  /** Whose lock was taken away before, and may still be at work. */
  readonly unlocked: Unlocked
  /** Whether one append is to serve many writes. */
  readonly isDear: boolean
  /** Sentences for the user. */
  readonly notices: string[]
  readonly #outside: Surroundings
  readonly #lock: string
  #isClosed = false
  /** Where to keep aside what the store does not take; none if the store is here itself. */
  readonly #rescueFolder: string | undefined
  #rescuedTo: string | undefined
  readonly #journal: JournalQueue
  readonly #announces: boolean
  /** Whether what is told of requests goes with the next intents. */
  #holds = false
  readonly #intents: Intents
  #fingerprint: string | undefined
  /** Counts what has changed `state`; compared with its value at the last save. */
  #changes: number
  #savedChanges = 0
  #committing: Promise<unknown> = Promise.resolve()

  /** For `openSession`. */
  constructor(
    store: Pick<Store, 'announces' | 'isDear' | 'place'>,
    hold: Hold,
    view: View,
    outside: Surroundings,
    rescueFolder?: string,
  ) {
    const { state, journal, fingerprint } = view
    this.state = state
    this.notices = [...(hold.notice === undefined ? [] : [hold.notice]), ...view.notices]
    this.place = store.place
    this.isDear = store.isDear
    this.#announces = store.announces
    this.unlocked = { unlockedAt: view.unlockedAt, landedAt: view.landedAt }
    this.#outside = outside
    this.#lock = hold.id
    this.#rescueFolder = rescueFolder
    // Without a journal it is as it was saved, and so until something is told.
    const begun = journal ?? { header: headerOf(state, this.#at()), entries: [] }
    this.#journal = new JournalQueue(hold, begun, {
      announces: store.announces,
      now: outside.now,
    })
    this.#intents = new Intents(view.unknown, begun.entries)
    this.#fingerprint = fingerprint
    this.#changes = view.replayed
  }

  /** What is recorded and not in the saved state yet, with all that is still open. */
  get journal(): readonly JournalRecord[] {
    return this.#journal.records
  }

  /** The rescue file, once `close` has written one. */
  get rescuedTo(): string | undefined {
    return this.#rescuedTo
  }

  /** Addresses of which something is told that the store has not taken, or not yet. */
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

  /** Whether `state` has something that the saved one has not; the journal has it then. */
  get dirty(): boolean {
    return this.#changes !== this.#savedChanges
  }

  /** Writes with an unknown outcome, of this command and of earlier ones; they outlive every commit. */
  get unknown(): OpenIntent[] {
    return this.#intents.unknown
  }

  /**
   * Records that a request is about to be sent. The request may leave when this resolves, and must
   * not if it rejects. Neither body nor detail may hold a secret.
   *
   * @returns the number by which the outcome is reported
   */
  async intent(intent: NewIntent): Promise<number> {
    const [n = 0] = await this.intents([intent])
    return n
  }

  /** Records several at once, all by one append. */
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
   * While it works, what is told of requests is kept with the next intents, or with the next commit, where an append is
   * dear: its methods resolve before that.
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
   * The service has answered; `status` is the HTTP status. `closes` are earlier intents of the same thing, whose
   * outcome the answer tells as well.
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

  /** The service has certainly not done it. */
  refused(n: number, error: string): Promise<void> {
    return this.#settle(n, { type: 'refused', n, at: this.#at(), error })
  }

  /** The request never left. */
  withdrawn(n: number): Promise<void> {
    return this.#settle(n, { type: 'withdrawn', n, at: this.#at() })
  }

  /** Nobody knows whether the service has done it: the intent stays open until `resolve`. */
  async unknownOutcome(n: number, error: string): Promise<void> {
    this.#intents.giveUp(n)
    await this.#settle(n, { type: 'unknown', n, at: this.#at(), error })
  }

  /** Settles an open intent; `how` says by what evidence or whose decision. */
  resolve(n: number, effects: readonly Effect[], how = 'resolved'): Promise<void> {
    return this.#settle(n, { type: 'resolved', n, at: this.#at(), how, effects })
  }

  /** Settles open intents together: all of them or none. */
  async settled(
    settled: readonly { readonly n: number; readonly how: string; readonly effects: readonly Effect[] }[],
  ): Promise<void> {
    if (settled.length === 0) return
    for (const { n } of settled) this.#intents.requireOpen(n)
    const effects = settled.flatMap((each) => each.effects)
    const of = settled.map(({ n, how }) => ({ n, how }))
    await this.#journal.append(this.#take({ type: 'settled', at: this.#at(), of, effects }))
  }

  /** Records for good which things creations with an unknown outcome are taken to have made. */
  async bind(pairs: readonly ({ readonly n: number } & Bound)[]): Promise<void> {
    if (pairs.length === 0) return
    await this.#journal.append(this.#take({ type: 'bound', at: this.#at(), pairs }))
  }

  /** Remembers what an answer has shown of the service. */
  async learn(kind: string, fact: Learnt): Promise<void> {
    await this.#keep(this.#take({ type: 'learnt', at: this.#at(), kind, fact }))
  }

  /**
   * Up to when what the key made was compared with what is known, and what has still to be known after that. It goes
   * with the next save: where that is lost, what was there before is as good.
   */
  compared(upTo: Readonly<Record<string, string>>, known: readonly Made[]): void {
    this.state.compared = upTo
    if (known.length > 0) this.state.known = known
    else delete this.state.known
    this.#changes += 1
  }

  /** Since when what is declared and not recorded is pending; it goes with the next save. */
  reached(pending: PendingSince): void {
    this.state.pending = pending
    this.#changes += 1
  }

  /** What projects are called; it goes with the next save. */
  called(projects: Readonly<Record<string, string>>): void {
    this.state.projects = projects
    this.#changes += 1
  }

  /** Changes that need no request. */
  async effects(effects: readonly Effect[]): Promise<void> {
    if (effects.length === 0) return
    await this.#keep(this.#take({ type: 'effects', at: this.#at(), effects }))
  }

  /**
   * Saves `state` with the next serial, and shortens the journal to what is not in it. Does nothing
   * if there is nothing to save. May be called while requests are under way.
   *
   * @throws StateWriteError, StateConflictError; the journal then still has everything
   */
  commit(): Promise<void> {
    const turn = this.#committing.then(() => this.#commit())
    this.#committing = turn.catch(() => undefined)
    return turn
  }

  /**
   * Resolves where it is certain that the lock is still held: by a save or a check that has begun less than half a
   * minute ago. A request may leave then, each repeated one too.
   *
   * @throws StateConflictError if it was taken away; StateReadError, StateWriteError
   */
  confirm(): Promise<void> {
    return this.#journal.confirm()
  }

  /** Takes records over that tell of open intents, and that an earlier command could not bring here. */
  async takeOver(records: readonly JournalRecord[]): Promise<void> {
    for (const record of records) this.#take(record)
    await Promise.all(records.map((record) => this.#journal.append(record)))
  }

  /**
   * Ends the session. What was not committed stays in the journal, for the next one; what could not be written where
   * the store is elsewhere is in a rescue file, which the error names. Another call does nothing.
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
    const path = await writeRescue(folder, { ...about, ...left, state }, this.#outside)
    this.#rescuedTo = path
    return keptAside(why, path, this.#outside.sameFlags)
  }

  /** Ends it where not all went well: that it cannot be given back hides nothing of that, and is said. */
  closeFailed(): Promise<void> {
    return this.close().catch(saidBesides(this.#outside))
  }

  /** The same after a failure. Answers what is to be told of it: that something is kept aside says why, too. */
  async closeAfter(failure: unknown): Promise<unknown> {
    try {
      await this.close()
    } catch (error) {
      if (failure instanceof LedgerError && this.#rescuedTo !== undefined) return error
      await saidBesides(this.#outside)(error)
    }
    return failure
  }

  async #commit(): Promise<void> {
    const save = this.dirty || !this.exists
    if (!save && !this.#journal.hasRecords()) return
    // Copy and append in one go, without waiting in between: the copy then has exactly what the
    // records before this one say.
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
    const { notShortened } = save
      ? await this.#journal.save({ state: next, bytes, header, commit }).catch((error: unknown) => {
          throw this.#notSaved(error)
        })
      : await this.#journal.restart(header, (records) => carryOver([...records, commit], commit))
    if (save) {
      this.state.serial = next.serial
      this.#fingerprint = digest
      this.#savedChanges = changes
    }
    if (notShortened !== undefined) this.notices.push(`The journal was not shortened. ${notShortened}`)
  }

  /** What the journal has for certain is not lost with a save that fails; a store of two files says so itself. */
  #notSaved(error: unknown): unknown {
    const isThere = this.#journal.owed.length === 0 && this.journal.some(({ type }) => type !== 'commit')
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

  /** Brings here what a record tells, and answers it as the journal will give it back. */
  #take(record: JournalRecord): JournalRecord {
    const taken = plain(record)
    if (replay(this.state, taken, () => this.#intents.since)) this.#changes += 1
    this.#intents.note(taken)
    return taken
  }

  #at(): string {
    return this.#outside.now().toISOString()
  }
}
