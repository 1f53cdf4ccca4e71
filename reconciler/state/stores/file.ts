import { dirname } from 'node:path'
import { StateWriteError } from '../../errors/index.ts'
import type { System } from '../machine/system.ts'
import { JournalFile } from './journal-file.ts'
import type { JournalHeader, JournalRecord } from '../contents/journal-model.ts'
import { readJournalFile } from './journal-reader.ts'
import { acquireLock, currentOwner, type StateLock, unlock } from '../lock/lock.ts'
import { lockLost } from '../lock/lock-words.ts'
import { journalPath, resolveTarget } from '../machine/paths.ts'
import { fingerprint, stateDigest } from '../contents/serialize.ts'
import { readStateFile, type Replaceable, saveState } from './state-file.ts'
import type { Hold, Save, Saved, Snapshot, Store } from './store.ts'

/** Bytes that must be free before anything is sent, so that the results of writes can be stored. */
const spareRoom = 1024 * 1024

/** A file, with its journal and its lock beside it. */
export const fileStore = async (path: string, system: System): Promise<Store> => {
  const target = await resolveTarget(system.files, path)
  return {
    place: path,
    announces: true,
    isDear: false,
    read: async () => {
      const before = await currentOwner(target, system)
      const read = await readFiles(target, system)
      return { ...read, owner: before ?? (await currentOwner(target, system)) }
    },
    lock: async (command) => {
      const at = system.now().toISOString()
      return new FileHold(target, await acquireLock(target, { command, at }, system), system)
    },
    unlock: ({ id }) => unlock(target, id, system),
  }
}

const readFiles = async (target: string, system: System): Promise<Omit<Snapshot, 'owner'>> => {
  const state = await readStateFile(target, system)
  const journal = await readJournalFile(journalPath(target), system)
  return { state, journal, warnings: [...(state?.warnings ?? []), ...(journal?.warnings ?? [])] }
}

class FileHold implements Hold {
  readonly id: string
  readonly notice?: string
  readonly #target: string
  readonly #lock: StateLock
  readonly #system: System
  #journal: JournalFile
  /** What may be on disk: the file as read or saved, and the results of failed saves. */
  #replaces: Replaceable = []

  constructor(target: string, lock: StateLock, system: System) {
    this.id = lock.id
    if (lock.notice !== undefined) this.notice = lock.notice
    this.#target = target
    this.#lock = lock
    this.#system = system
    this.#journal = new JournalFile(journalPath(target), [], system)
  }

  async read(): Promise<Snapshot> {
    const read = await readFiles(this.#target, this.#system)
    await refuseFullDisk(this.#target, read.state?.bytes.length ?? 0, this.#system)
    this.#replaces = [read.state && fingerprint(read.state.bytes)]
    this.#journal = new JournalFile(journalPath(this.#target), read.journal?.records ?? [], this.#system)
    return { ...read, owner: undefined }
  }

  async append(header: JournalHeader, records: readonly JournalRecord[]): Promise<void> {
    await this.confirm()
    await this.#journal.append(header, records)
  }

  async save({ state, bytes, header, kept }: Save): Promise<Saved> {
    await this.confirm()
    if (state !== undefined) await this.#replace(state, bytes)
    try {
      await this.#journal.restart(header, kept)
      return {}
    } catch (error) {
      // A journal that was not shortened is as valid as a short one; only its size differs.
      return { notShortened: error instanceof Error ? error.message : '' }
    }
  }

  /** Files have no other fence: a write that is under way at this moment is not kept out. */
  async confirm(): Promise<void> {
    if (await this.#lock.isHeld()) return
    throw lockLost(this.#target)
  }

  async release(): Promise<void> {
    await this.#journal.letGo()
    await this.#lock.release()
  }

  async keep(): Promise<void> {
    await this.#journal.letGo()
  }

  async #replace(state: NonNullable<Save['state']>, bytes: Save['bytes']): Promise<void> {
    try {
      this.#replaces = [
        await saveState(this.#target, state, { replaces: this.#replaces, bytes }, this.#system),
      ]
    } catch (error) {
      // The save may have failed after the file was replaced.
      this.#replaces = [...this.#replaces, stateDigest(state)]
      throw error instanceof StateWriteError ? this.#kept(error) : error
    }
  }

  #kept(error: StateWriteError): StateWriteError {
    const journal = journalPath(this.#target)
    const hint = `Nothing is lost: the journal ${journal} has every result, and the next command replays it.`
    return new StateWriteError(error.message, { where: this.#target, hint, cause: error })
  }
}

const refuseFullDisk = async (target: string, size: number, { files }: System): Promise<void> => {
  const free = await files.free(dirname(target)).catch(() => undefined)
  const needed = spareRoom + 2 * size
  if (free === undefined || free >= needed) return
  throw new StateWriteError(`the disk has ${free} bytes free; nothing is sent with less than ${needed}`, {
    where: target,
  })
}
