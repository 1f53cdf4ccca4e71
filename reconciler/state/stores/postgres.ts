import { type StateConflictError, StateWriteError } from '../../errors/index.ts'
import type { System } from '../machine/system.ts'
import type { JournalHeader, JournalRecord } from '../contents/journal-model.ts'
import { damaged } from './journal-reader.ts'
import { ownerHere, parseOwner, takenAt } from '../lock/lock-owner.ts'
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
import { type Asking, busyOf, formerAt, opening } from './held.ts'
import { type PostgresAddress, postgresPlace } from './postgres/address.ts'
import { connectionTo } from './postgres/connection.ts'
import type { Change, JournalChange, Row, RowVersion, WholeRow } from './postgres/statements.ts'
import { TableRow, type Written } from './postgres/table-row.ts'
import { SharedHold, type Taking } from './shared-hold.ts'
import type { Hold, LockToRemove, Save, Saved, Snapshot, Store, StoredJournal } from './store.ts'
import { toJson } from '../../text/json.ts'

/**
 * A row with state and lock, and further rows with the journal. Each write is one statement that changes the row
 * only if it is still the one last seen, so no write can miss a lock that was taken or removed since.
 */
export const postgresStore = (
  address: PostgresAddress & { readonly state: string },
  system: System,
): Store => {
  const place = postgresPlace(address, address.state)
  const row = opening(
    async () =>
      new TableRow(
        await connectionTo(address, system),
        { place, name: address.state, schema: address.schema },
        system,
      ),
    (each) => each.end(),
  )
  return {
    place,
    announces: false,
    isDear: false,
    prepare: () => row.once((each) => each.prepare()),
    read: () => row.once(async (each) => snapshotOf(place, await each.read(), system)),
    lock: (command, kept) => row.kept((each) => taken(each, { command, kept }, system)),
    unlock: (lock) => row.once((each) => unlock(each, lock, system)),
  }
}

/** Acquires the lock, also from an owner that has certainly ended. */
const taken = async (row: TableRow, { command, kept }: Asking, system: System): Promise<PostgresHold> => {
  const me = await ownerHere(system, command)
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = await row.look()
    if (now === undefined) {
      await row.begin()
      continue
    }
    const owner = ownerIn(now)
    if (owner?.id === me.id) return new PostgresHold(row, me.id, now, { system })
    const former = await formerAt(row.place, owner, kept, system)
    const ifUnknown = `If this command leaves the state locked: ${unlockCommand(me.id, system)}`
    const written = await row.write(
      now,
      system.uuid(),
      { owner: JSON.stringify(me), ...landedIn(now, system) },
      ifUnknown,
    )
    if (written.is === 'done')
      return new PostgresHold(row, me.id, written.seen, { notice: former && takenOver(former), system })
  }
  throw lockChanging(row.place)
}

const unlock = async (row: TableRow, { id, ownerEnded }: LockToRemove, system: System): Promise<void> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = await row.look()
    const owner = now && ownerIn(now)
    if (now?.owner == null || owner === undefined) throw noLock(row.place)
    if (owner.id !== id) throw lockMismatch(row.place, id, owner, system)
    const unlockedAt = ownerEnded ? undefined : notBefore(takenAt(owner), system)
    const change = { owner: null, ...(unlockedAt === undefined ? {} : { unlockedAt, landedAt: null }) }
    // Conditional on the owner alone: an owner that keeps writing would always be faster otherwise.
    const written = await row.write({ owner: now.owner }, system.uuid(), change)
    if (written.is !== 'done') continue
    // If this fails, the next command records it.
    const landed = { landedAt: notBefore(unlockedAt, system) }
    if (!ownerEnded) await row.write(written.seen, system.uuid(), landed).catch(() => undefined)
    return
  }
  throw lockMismatch(row.place, id, undefined, system)
}

/** The removal of a lock was already visible when the row was read. */
const landedIn = ({ unlockedAt, landedAt }: Row, system: System): Pick<Change, 'landedAt'> =>
  unlockedAt === null || landedAt !== null ? {} : { landedAt: notBefore(unlockedAt, system) }

const ownerIn = ({ owner }: Row) => (owner === null ? undefined : parseOwner(Buffer.from(owner)))

const snapshotOf = async (at: string, row: WholeRow | undefined, system: System): Promise<Snapshot> => {
  if (row === undefined) return { state: undefined, journal: undefined, owner: undefined, warnings: [] }
  return {
    state: row.state === null ? undefined : { at, bytes: Buffer.from(row.state) },
    journal: journalIn(row, at),
    owner: await busyOf(ownerIn(row), system),
    warnings: [],
    ...(row.unlockedAt === null ? {} : { unlockedAt: row.unlockedAt }),
    ...(row.landedAt === null ? {} : { landedAt: row.landedAt }),
  }
}

const journalIn = ({ header, journal, count }: WholeRow, at: string): StoredJournal | undefined => {
  const lines = (journal ?? []).map(([, record]) => record)
  if (lines.length !== Number(count)) throw damaged(at, `damaged: it has ${lines.length} of ${count} records`)
  if (header === null && lines.length === 0) return undefined
  try {
    const records = lines.map((line): unknown => JSON.parse(line))
    return { at, header: JSON.parse(header ?? '') as unknown, records, droppedTail: false }
  } catch (error) {
    throw damaged(at, 'damaged: a record, or its header, is not JSON', error)
  }
}

/** The content of a row without its lock. */
interface Content {
  readonly state: string | null
  /** The header of the journal. */
  readonly header: string | null
  readonly records: string[]
}

class PostgresHold extends SharedHold implements Hold {
  readonly #row: TableRow
  /** The row as it certainly is. */
  #seen: RowVersion
  /** Our writes of which it is unknown whether they have arrived. */
  #doubtful: string[] = []
  #content: Content = { state: null, header: null, records: [] }
  /** The position of the last journal record. */
  #last = 0
  /** The next position that was never used. */
  #next = 1

  constructor(row: TableRow, id: string, seen: RowVersion, taking: Taking) {
    super(id, taking)
    this.#row = row
    this.#seen = seen
  }

  async read(): Promise<Snapshot> {
    const found = await this.#row.read()
    if (found === undefined || !this.#isOurs(found)) throw this.#conflict(found)
    const snapshot = await snapshotOf(this.#row.place, found, this.system)
    const records = (found.journal ?? []).map(([, record]) => record)
    this.#content = { state: found.state, header: found.header, records }
    this.#last = found.journal?.at(-1)?.[0] ?? 0
    this.#next = this.#last + 1
    this.former.read(snapshot)
    return { ...snapshot, owner: undefined }
  }

  async append(header: JournalHeader, records: readonly JournalRecord[]): Promise<void> {
    const added = records.map((record) => toJson(record))
    const begun = this.#content.header ?? toJson(header)
    const change = { header: begun, journal: this.#journal(this.#content, added, this.#last) }
    await this.#replace({ ...this.#content, header: begun }, added, change)
  }

  async save({ state, bytes, header, kept }: Save): Promise<Saved> {
    const added = kept.map((record) => toJson(record))
    const begun = { header: kept.length === 0 ? null : toJson(header) }
    const saved = state === undefined ? {} : { state: (bytes ?? serializeState(state)).toString() }
    const next = { ...this.#content, ...saved, ...begun, records: [] }
    await this.#replace(next, added, { ...saved, ...begun, journal: this.#journal(next, added, 0) })
    return {}
  }

  async confirm(): Promise<void> {
    const now = await this.#row.look()
    if (now === undefined || !this.#isOurs(now)) throw this.#conflict(now)
  }

  protected override close(): Promise<void> {
    return this.#row.end()
  }

  async #replace(next: Content, added: readonly string[], change: Change): Promise<void> {
    const written = await this.#write(next, added, { ...change, ...this.#later() })
    if (written.is === 'moved') throw this.#conflict(written.to)
    // A run appends thousands of records one by one, so its list is not copied.
    for (const each of added) next.records.push(each)
    this.#content = next
    this.#last = next.records.length === 0 ? 0 : this.#next - 1
  }

  #later(): Pick<Change, 'unlockedAt' | 'landedAt'> {
    return this.former.isOver ? { unlockedAt: null, landedAt: null } : {}
  }

  /** Each write that adds records uses new positions. */
  #journal({ records }: Pick<Content, 'records'>, added: readonly string[], after: number): JournalChange {
    const from = this.#next
    this.#next += added.length
    return { after, from, added, count: records.length + added.length }
  }

  protected async releaseLock(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const written = await this.#write(this.#content, [], { owner: null, ...this.#later() })
      if (written.is === 'done' || written.to === undefined) return
      if (ownerIn(written.to)?.id !== this.id) return
      this.#seen = written.to
    }
    const { place: where } = this.#row
    throw new StateWriteError('the lock was not released: others keep writing to the state', {
      where,
    })
  }

  /**
   * @param next the whole content after the write, but for the records that it adds
   * @param change leads there from the certain content
   */
  async #write(next: Content, added: readonly string[], change: Change): Promise<Written> {
    for (let attempt = change; ;) {
      const writeId = this.system.uuid()
      this.#doubtful.push(writeId)
      const written = await this.#row.write(this.#seen, writeId, attempt)
      if (written.is === 'done') {
        this.#seen = written.seen
        this.#doubtful = []
        return written
      }
      if (written.to === undefined || !this.#doubtful.includes(written.to.writeId)) return written
      // A write that was given up has arrived after all. The next write reverts its changes.
      this.#seen = written.to
      const { state, header, records } = next
      const journal = this.#journal({ records: [] }, [...records, ...added], 0)
      attempt = { ...change, state, header, journal }
    }
  }

  #isOurs({ writeId, transaction }: RowVersion): boolean {
    const isCertain = writeId === this.#seen.writeId && transaction === this.#seen.transaction
    return isCertain || this.#doubtful.includes(writeId)
  }

  #conflict(now: Row | undefined): StateConflictError {
    const owner = now && ownerIn(now)
    return conflictAt(this.#row.place, 'its row', { owner, id: this.id, isGone: now === undefined })
  }
}
