import { writeFailure } from './failures.ts'
import type { WritableFile } from '../disk/files.ts'
import { encodeLine } from './journal-format.ts'
import type { JournalContents, JournalHeader, JournalRecord } from './journal-model.ts'
import { removeFile, replaceFile } from '../disk/replace.ts'
import { type Surroundings, surroundings } from './host.ts'

/** An open journal. Its methods may be called at any time; they take effect in the order of the calls. */
export interface Journal {
  readonly path: string
  /** Whether the file is there, with records that a restart could drop. */
  hasRecords(): boolean
  /**
   * Resolves when the record is on the disk. If it rejects (StateWriteError), an intent is
   * forgotten, and any other record is tried again with the next append and when closing.
   */
  append(record: JournalRecord): Promise<void>
  /** Replaces the journal in one step; if nothing is kept, the file goes, until the next append. */
  restart(header: JournalHeader, keep: (records: readonly JournalRecord[]) => JournalRecord[]): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a journal for appending. The file is made with the first record. The caller holds the lock.
 *
 * @param found what `readJournal` gave; then that journal goes on, and `header` is not used
 */
export const openJournal = (
  path: string,
  header: JournalHeader,
  found: JournalContents | undefined,
  given: Partial<Surroundings> = {},
): Journal => new JournalFile(path, found?.header ?? header, found?.entries ?? [], surroundings(given))

interface Waiting {
  resolve: () => void
  reject: (error: Error) => void
}
type Job = Waiting & ({ record: JournalRecord } | { work: () => Promise<void>; record?: undefined })

class JournalFile implements Journal {
  readonly path: string
  readonly #outside: Surroundings
  #header: JournalHeader
  /** All that the file holds behind its header. */
  #records: JournalRecord[]
  /** What could not be written and must not be lost. */
  #owed: JournalRecord[] = []
  /** Undefined if the next records need a new file: at first, and after a failure, when nobody can
   * tell what of the old file is on the disk. */
  #file: WritableFile | undefined
  #checksum = ''
  #jobs: Job[] = []
  #running = false

  constructor(path: string, header: JournalHeader, records: JournalRecord[], outside: Surroundings) {
    this.path = path
    this.#header = header
    this.#records = [...records]
    this.#outside = outside
  }

  hasRecords(): boolean {
    return this.#records.length + this.#owed.length + this.#jobs.length > 0
  }

  append(record: JournalRecord): Promise<void> {
    return this.#enqueue({ record })
  }

  restart(
    header: JournalHeader,
    keep: (records: readonly JournalRecord[]) => JournalRecord[],
  ): Promise<void> {
    return this.#enqueue({ work: () => this.#restart(header, keep(this.#records)) })
  }

  async close(): Promise<void> {
    const last = async () => {
      if (this.#owed.length > 0) await this.#write([])
      await this.#letGo()
    }
    // What is still owed has been reported by the append that failed.
    await this.#enqueue({ work: last }).catch(() => this.#letGo())
  }

  #enqueue(job: { record: JournalRecord } | { work: () => Promise<void> }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ ...job, resolve, reject })
      if (!this.#running) void this.#run()
    })
  }

  /** Works off the jobs, one after the other; never rejects. */
  async #run(): Promise<void> {
    this.#running = true
    while (this.#jobs.length > 0) {
      // All appends that have come up during the last sync share the next one.
      const others = this.#jobs.findIndex(({ record }) => record === undefined)
      const batch = this.#jobs.splice(0, others === -1 ? this.#jobs.length : Math.max(others, 1))
      try {
        const work = batch[0] !== undefined && 'work' in batch[0] ? batch[0].work : undefined
        await (work === undefined ? this.#write(batch.flatMap(({ record }) => record ?? [])) : work())
        for (const { resolve } of batch) resolve()
      } catch (error) {
        await this.#letGo()
        for (const { reject } of batch) reject(writeFailure('the journal', this.path, error))
      }
    }
    this.#running = false
  }

  async #write(batch: JournalRecord[]): Promise<void> {
    const records = [...this.#owed, ...batch]
    try {
      await (this.#file === undefined
        ? this.#replace(this.#header, [...this.#records, ...records])
        : this.#extend(this.#file, records))
    } catch (error) {
      // An intent that is not on the disk is not acted upon; a commit that failed is made anew.
      this.#owed = records.filter(({ type }) => type !== 'intent' && type !== 'commit')
      throw error
    }
    this.#owed = []
    this.#records.push(...records)
  }

  async #extend(file: WritableFile, records: readonly unknown[]): Promise<void> {
    const { bytes, checksum } = encodeLines(records, this.#checksum)
    await file.write(bytes)
    await file.sync()
    this.#checksum = checksum
  }

  async #replace(header: JournalHeader, records: readonly unknown[]): Promise<void> {
    await this.#letGo()
    const { bytes, checksum } = encodeLines([header, ...records], '')
    this.#file = await replaceFile(this.#outside, this.path, bytes)
    this.#checksum = checksum
  }

  async #restart(header: JournalHeader, records: JournalRecord[]): Promise<void> {
    if (records.length > 0) await this.#replace(header, records)
    else {
      await this.#letGo()
      await removeFile(this.#outside, this.path)
    }
    this.#header = header
    this.#records = records
  }

  async #letGo(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close().catch(() => undefined)
  }
}

const encodeLines = (records: readonly unknown[], previous: string): { bytes: Buffer; checksum: string } => {
  let checksum = previous
  const lines = records.map((record) => {
    const line = encodeLine(record, checksum)
    checksum = line.checksum
    return line.bytes
  })
  return { bytes: Buffer.concat(lines), checksum }
}
