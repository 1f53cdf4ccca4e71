import { setImmediate as turnOfEvents } from 'node:timers/promises'
import type { IntentRecord, JournalHeader, JournalRecord } from './contents/journal-model.ts'
import type { StateFile } from './contents/model.ts'
import { Ownership } from './lock/ownership.ts'
import { carryOver } from './contents/open-intents.ts'
import type { Left } from './contents/rescue.ts'
import type { Hold, Save, Saved } from './stores/store.ts'

/** What a queue needs to write. */
type Writer = Pick<Hold, 'append' | 'save' | 'confirm' | 'release' | 'keep'>

/** A save as a session requests it. */
interface Commit {
  readonly state: StateFile
  readonly bytes: Buffer
  readonly header: JournalHeader
  readonly commit: JournalRecord
}

interface Waiting {
  resolve: () => void
  reject: (error: unknown) => void
}
/** Records to append. Nobody waits for a held record, which is written with the next task. */
type Task =
  | { records: readonly JournalRecord[]; isHeld?: boolean }
  | { work: () => Promise<void>; isSave?: boolean }
type Job = Waiting & Task

/** How long a record is held at most if nothing else is written, milliseconds. */
const HELD_MS = 10_000

/**
 * Serializes writes to any store: its methods may be called at any time, and take effect in the order of the calls.
 * Appends that arrive during a write share the next one.
 */
export class JournalQueue {
  readonly #writer: Writer
  /** Whether a save must be announced by its commit record. */
  readonly #announces: boolean
  readonly #ownership: Ownership
  #header: JournalHeader
  /** All records of the journal after its header. */
  #records: JournalRecord[]
  /** Records that could not be written and must not be lost. */
  #owed: JournalRecord[] = []
  /** Intents of failed writes: they may reach the store all the same, until the next write succeeds. */
  #withdrawn: IntentRecord[] = []
  /** Why the last write failed; undefined if it succeeded. */
  #failure: unknown
  /** When the first held record arrived. */
  #heldSince: number | undefined
  readonly #now: () => Date
  #jobs: Job[] = []
  #running = false

  constructor(
    writer: Writer,
    journal: { readonly header: JournalHeader; readonly entries: readonly JournalRecord[] },
    { announces, now }: { readonly announces: boolean; readonly now: () => Date },
  ) {
    this.#writer = writer
    this.#header = journal.header
    this.#records = [...journal.entries]
    this.#announces = announces
    this.#ownership = new Ownership(now)
    this.#now = now
  }

  /** The records that the journal certainly has. */
  get records(): readonly JournalRecord[] {
    return this.#records
  }

  /** The records that the journal was given, and does not certainly have. */
  get owed(): readonly JournalRecord[] {
    return [...this.#owed, ...this.#jobs.flatMap((job) => ('records' in job ? job.records : []))]
  }

  /** Whether the journal exists, with records that a save could drop. */
  hasRecords(): boolean {
    return this.#records.length + this.#owed.length + this.#jobs.length > 0
  }

  /**
   * Resolves when the records are kept, all by one append. If it rejects, intents are dropped; any other record is
   * tried again with the next append and on closing.
   */
  append(...records: readonly JournalRecord[]): Promise<void> {
    return this.#enqueue({ records })
  }

  /**
   * Takes a record that need not be kept before the next ones: it is written with the next append or save.
   *
   * @throws what the last write threw, if it failed
   */
  hold(record: JournalRecord): void {
    const now = this.#now().getTime()
    this.#heldSince ??= now
    this.#jobs.push({ records: [record], isHeld: true, resolve: () => undefined, reject: () => undefined })
    if (now - this.#heldSince >= HELD_MS && !this.#running) void this.#run()
    if (this.#failure !== undefined) throw this.#failure
  }

  /**
   * Saves a state that contains everything appended so far, and drops the records that this settles from the
   * journal.
   */
  save(commit: Commit): Promise<Saved> {
    return this.#work(() => this.#save(commit), { isSave: true })
  }

  /** Only shortens the journal; the state stays as it is. */
  restart(
    header: JournalHeader,
    keep: (records: readonly JournalRecord[]) => JournalRecord[],
  ): Promise<Saved> {
    return this.#work(
      () => this.#replace({ state: undefined, header, kept: keep([...this.#records, ...this.#owed]) }),
      { isSave: true },
    )
  }

  /** Resolves when the lock is certainly held. A write that is under way is awaited, because it proves that too. */
  confirm(): Promise<void> {
    const check = () => this.#writer.confirm()
    return this.#ownership.isCertain ? Promise.resolve() : this.#work(() => this.#ownership.certain(check))
  }

  /**
   * Ends the queue. The append that failed has already reported what is still owed.
   *
   * @param rescue keeps aside what cannot be written, and returns the error to throw; the lock is kept then
   */
  async close(rescue?: (left: Left, why: unknown) => Promise<Error>): Promise<void> {
    const last = async () => {
      if (this.#owed.length > 0) await this.#write([])
    }
    try {
      const failed = await this.#work(last).then(
        () => [],
        (error: unknown) => [error],
      )
      if (failed.length > 0 && rescue !== undefined) throw failed[0]
      await this.#writer.release()
    } catch (error) {
      const isLeft = this.#owed.length + this.#withdrawn.length > 0
      if (rescue === undefined || !isLeft) throw error
      await this.#writer.keep()
      // The reason for the rescue is thrown; that the lock cannot be released either is not reported.
      throw await rescue(this.#left(), this.#failure ?? error)
    }
  }

  #left(): Left {
    const [journal, owed, withdrawn] = [[...this.#records], [...this.#owed], [...this.#withdrawn]]
    return { header: this.#header, journal, owed, withdrawn }
  }

  async #work<T>(work: () => Promise<T>, { isSave = false } = {}): Promise<T> {
    const done: T[] = []
    await this.#enqueue({ work: async () => void done.push(await work()), isSave })
    return done[0] as T
  }

  #enqueue(task: Task): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ ...task, resolve, reject })
      if (!this.#running) void this.#run()
    })
  }

  /** Works through the jobs, one after the other; never rejects. Held records wait for another job. */
  async #run(): Promise<void> {
    this.#running = true
    do {
      // Answers that arrived together, and what follows each of them, share one append.
      await turnOfEvents()
      const appends = this.#jobs.findIndex((job) => 'work' in job)
      const batch = this.#jobs.splice(0, appends === -1 ? this.#jobs.length : Math.max(appends, 1))
      try {
        await this.#workOff(batch)
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    } while (this.#jobs.some((job) => 'work' in job || job.isHeld !== true))
    this.#running = false
  }

  /** Runs one job that is not an append, or all appends before it. */
  async #workOff(batch: readonly Job[]): Promise<void> {
    const [first] = batch
    if (first !== undefined && 'work' in first) return first.work()
    const appends = batch.filter((job) => 'records' in job)
    const records = appends.flatMap((job) => job.records)
    this.#heldSince = undefined
    const [next] = this.#jobs
    const isSaved = next !== undefined && 'work' in next && next.isSave === true
    // A held record is covered by the save of the state.
    if (isSaved && appends.every(({ isHeld }) => isHeld === true)) this.#owed = [...this.#owed, ...records]
    else await this.#write(records)
  }

  async #write(batch: JournalRecord[]): Promise<void> {
    const records = [...this.#owed, ...batch]
    try {
      await this.#ownership.proving(() => this.#writer.append(this.#header, records))
    } catch (error) {
      // Nothing is done about an intent that was not kept; a failed commit is made again.
      this.#owed = records.filter(({ type }) => type !== 'intent' && type !== 'commit')
      this.#withdrawn = [...this.#withdrawn, ...records.filter((record) => record.type === 'intent')]
      this.#failure = error
      throw error
    }
    this.#failure = undefined
    this.#owed = []
    this.#withdrawn = []
    // Not `push(...records)`: there can be more records than a call can have arguments.
    for (const record of records) this.#records.push(record)
  }

  async #save({ commit, ...change }: Commit): Promise<Saved> {
    if (this.#announces) await this.#write([commit])
    // If saves are not announced, owed records are covered by the saved state.
    const records = this.#announces ? this.#records : [...this.#records, ...this.#owed, commit]
    return this.#replace({ ...change, kept: carryOver(records, commit) })
  }

  async #replace(change: Save): Promise<Saved> {
    const saved = await this.#ownership.proving(() => this.#writer.save(change))
    if (saved.notShortened !== undefined) return saved
    this.#header = change.header
    this.#records = [...change.kept]
    this.#owed = []
    this.#withdrawn = []
    return saved
  }
}
