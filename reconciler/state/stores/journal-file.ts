import type { WritableFile } from '../../disk/files.ts'
import { removeFile, replaceFile } from '../../disk/replace.ts'
import { writeFailure } from '../machine/failures.ts'
import type { System } from '../machine/system.ts'
import { encodeLine } from '../contents/journal-format.ts'

/** The bytes of a journal, in a file that the first record creates. The caller holds the lock. */
export class JournalFile {
  readonly #path: string
  readonly #system: System
  /** All records of the file after its header; grows in place, because there is an append for each few requests. */
  #records: unknown[]
  /**
   * Undefined if the next records need a new file: at first, and after a failure, when it is unknown how much of the
   * old file is on disk.
   */
  #file: WritableFile | undefined
  #checksum = ''

  /** @param records in the file after its header */
  constructor(path: string, records: readonly unknown[], system: System) {
    this.#path = path
    this.#records = [...records]
    this.#system = system
  }

  /** Resolves when all records are on disk. */
  append(header: unknown, records: readonly unknown[]): Promise<void> {
    return this.#whole(async () => {
      const file = this.#file
      await (file === undefined
        ? this.#replace(header, [...this.#records, ...records])
        : this.#extend(file, records))
      for (const record of records) this.#records.push(record)
    })
  }

  /** Replaces the journal in one step. If no records are kept, removes the file until the next append. */
  restart(header: unknown, kept: readonly unknown[]): Promise<void> {
    return this.#whole(async () => {
      if (kept.length > 0) await this.#replace(header, kept)
      else {
        await this.letGo()
        await removeFile(this.#system, this.#path)
      }
      this.#records = [...kept]
    })
  }

  async letGo(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close().catch(() => undefined)
  }

  /** After a failure, the old file is not relied on any more. */
  async #whole(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      await this.letGo()
      throw writeFailure('the journal', this.#path, error)
    }
  }

  async #extend(file: WritableFile, records: readonly unknown[]): Promise<void> {
    const { bytes, checksum } = encodeLines(records, this.#checksum)
    await file.write(bytes)
    await file.sync()
    this.#checksum = checksum
  }

  async #replace(header: unknown, records: readonly unknown[]): Promise<void> {
    await this.letGo()
    const { bytes, checksum } = encodeLines([header, ...records], '')
    this.#file = await replaceFile(this.#system, this.#path, bytes)
    this.#checksum = checksum
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
