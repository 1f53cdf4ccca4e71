import { setImmediate as turnOfEvents } from 'node:timers/promises'
import type { IntentRecord, JournalHeader, JournalRecord } from './contents/journal-model.ts'
import type { StateFile } from './contents/model.ts'
import { Ownership } from './lock/ownership.ts'
import { carryOver } from './contents/open-intents.ts'
import type { Left } from './contents/rescue.ts'
import type { Hold, Save, Saved } from './stores/store.ts'

/** What a queue writes with. */
type Writer = Pick<Hold, 'append' | 'save' | 'confirm' | 'release' | 'keep'>

/** A save as a session asks for it. */
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
/** Records are appended; nobody waits for what is held, which goes with what comes next. */
type Task =
  | { records: readonly JournalRecord[]; isHeld?: boolean }
  | { work: () => Promise<void>; isSave?: boolean }
type Job = Waiting & Task

/** For how long something is held at most where nothing else is written, milliseconds. */
const HELD_MS = 10_000

/**
 * One writer after the other for all stores: its methods may be called at any time, and take effect in the order of
 * the calls. Appends that come up during a write share the next one.
 */
export class JournalQueue {
  readonly #writer: Writer
  /** Whether a save has to be announced by its commit record. */
  readonly #announces: boolean
  readonly #ownership: Ownership
  #header: JournalHeader
  /** All that the journal holds behind its header. */
  #records: JournalRecord[]
  /** What could not be written and must not be lost. */
  #owed: JournalRecord[] = []
  /** Intents of writes that failed: they may arrive all the same, until the next write is done. */
  #withdrawn: IntentRecord[] = []
  /** Why the last write failed; undefined if it did not. */
  #failure: unknown
  /** When the first of what is held came. */
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

  /** What it certainly holds. */
  get records(): readonly JournalRecord[] {
    return this.#records
  }

  /** What it was told, and does not certainly hold. */
  get owed(): readonly JournalRecord[] {
    return [...this.#owed, ...this.#jobs.flatMap((job) => ('records' in job ? job.records : []))]
  }

  /** Whether the journal is there, with records that a save could drop. */
  hasRecords(): boolean {
    return this.#records.length + this.#owed.length + this.#jobs.length > 0
  }

  /**
   * Resolves when the records are kept, all by one append. If it rejects, intents are forgotten, and any other record is
   * tried again with the next append and when closing.
   */
  append(...records: readonly JournalRecord[]): Promise<void> {
    return this.#enqueue({ records })
  }

  /**
   * Takes a record that need not be kept before what comes after it: it goes with the next append or save.
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

  /** Saves a state that has everything appended so far, and shortens the journal to what it does not settle. */
  save(commit: Commit): Promise<Saved> {
    return this.#work(() => this.#save(commit), true)
  }

  /** Shortens only the journal; the state stays as it is. */
  restart(
    header: JournalHeader,
    keep: (records: readonly JournalRecord[]) => JournalRecord[],
  ): Promise<Saved> {
    return this.#work(
      () => this.#replace({ state: undefined, header, kept: keep([...this.#records, ...this.#owed]) }),
      true,
    )
  }

  /** Resolves where the lock is certainly held; what is being written is waited for, and proves it too. */
  confirm(): Promise<void> {
    const check = () => this.#writer.confirm()
    return this.#ownership.isCertain ? Promise.resolve() : this.#work(() => this.#ownership.certain(check))
  }

  /**
   * Ends the writing. What is still owed has been reported by the append that failed.
   *
   * @param rescue keeps aside what cannot be written, and answers what to throw; the lock is kept then
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
      // Why something is left: that the lock cannot be given back either is said by nobody.
      throw await rescue(this.#left(), this.#failure ?? error)
    }
  }

  #left(): Left {
    const [journal, owed, withdrawn] = [[...this.#records], [...this.#owed], [...this.#withdrawn]]
    return { header: this.#header, journal, owed, withdrawn }
  }

  async #work<T>(work: () => Promise<T>, isSave = false): Promise<T> {
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

  /** Works off the jobs, one after the other; never rejects. What is held waits for something else. */
  async #run(): Promise<void> {
    this.#running = true
    do {
      // Answers that have come together, and what follows each of them, share one append.
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

  /** One job that works, or all appends before it. */
  async #workOff(batch: readonly Job[]): Promise<void> {
    const [first] = batch
    if (first !== undefined && 'work' in first) return first.work()
    const appends = batch.filter((job) => 'records' in job)
    const records = appends.flatMap((job) => job.records)
    this.#heldSince = undefined
    const [next] = this.#jobs
    const isSaved = next !== undefined && 'work' in next && next.isSave === true && !this.#announces
    // It comes home with the state.
    if (isSaved && appends.every(({ isHeld }) => isHeld === true)) this.#owed = [...this.#owed, ...records]
    else await this.#write(records)
  }

  async #write(batch: JournalRecord[]): Promise<void> {
    const records = [...this.#owed, ...batch]
    try {
      await this.#ownership.proving(() => this.#writer.append(this.#header, records))
    } catch (error) {
      // Nothing is done about an intent that was not kept; a commit that failed is made again.
      this.#owed = records.filter(({ type }) => type !== 'intent' && type !== 'commit')
      this.#withdrawn = [...this.#withdrawn, ...records.filter((record) => record.type === 'intent')]
      this.#failure = error
      throw error
    }
    this.#failure = undefined
    this.#owed = []
    this.#withdrawn = []
    // There can be more of them than a call can have arguments.
    for (const record of records) this.#records.push(record)
  }

  async #save({ commit, ...change }: Commit): Promise<Saved> {
    if (this.#announces) await this.#write([commit])
    // Where it is not announced, what is owed comes home with the state.
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
