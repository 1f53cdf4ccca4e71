import { type DeploymgmtError } from '@deploymgmt/provider/errors'
import { StateMissingError, StateReadError, StateWriteError } from '../../../errors/index.ts'
import {
  expecting,
  filled,
  flag,
  instant,
  listOf,
  objectOf,
  orNull,
  readAs,
  text,
  type Check,
} from '../../../disk/check.ts'
import type { System } from '../../machine/system.ts'
import { READ_ONLY, type Connection, type Result, type Statement } from './connection.ts'
import {
  type Change,
  type HeldBy,
  type OfDatabase,
  type OfServer,
  type Row,
  type RowVersion,
  Statements,
  type WholeRow,
} from './statements.ts'

/** The result of a write: done, or the row has other content. */
export type Written =
  | { readonly is: 'done'; readonly seen: RowVersion }
  | { readonly is: 'moved'; readonly to: Row | undefined }

/** How often to check for tables that another process is creating. */
const LOOKS = 3

const columns = {
  isStandby: flag,
  writeId: filled,
  transaction: filled,
  owner: orNull(text),
  unlockedAt: orNull(instant),
  landedAt: orNull(instant),
}
const rowCheck = objectOf<Row & OfServer>(columns)
const record = expecting<readonly [number, string]>(
  'a position and a record',
  (value) => Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string',
)
const wholeRowCheck = objectOf<WholeRow & OfServer>({
  ...columns,
  state: orNull(text),
  header: orNull(text),
  count: filled,
  journal: orNull(listOf(record)),
})

/** The row of one state, and the rows of its journal. */
export class TableRow {
  readonly place: string
  readonly #connection: Connection
  readonly #schema: string
  readonly #statements: Statements
  readonly #system: System
  /** Tables that are missing after that were removed by somebody. */
  #hasTables = false

  constructor(
    connection: Connection,
    { place, name, schema }: { readonly place: string; readonly name: string; readonly schema: string },
    system: System,
  ) {
    this.place = place
    this.#connection = connection
    this.#schema = schema
    this.#statements = new Statements(schema, name)
    this.#system = system
  }

  /** @throws StateReadError, StateMissingError */
  look(): Promise<Row | undefined> {
    return this.#found(this.#statements.row(), rowCheck)
  }

  /** State and journal in one snapshot. @throws StateReadError, StateMissingError */
  read(): Promise<WholeRow | undefined> {
    return this.#found(this.#statements.wholeRow(), wholeRowCheck)
  }

  /** Creates the row if there is none. @throws StateWriteError, StateMissingError */
  async begin(): Promise<void> {
    const result = await this.#connection.ask(this.#statements.begin(this.#system.uuid()))
    if (result.is !== 'answered') throw this.#unwritten(result)
  }

  /**
   * Changes the row if it is still the one that was seen, or if its owner is the given one. If the answer is lost,
   * the same statement is sent again: that the row is unchanged proves nothing, since the first statement can still
   * be on its way.
   *
   * @param writeId new with each write
   * @param ifUnknown the hint for an error if the write may still take effect
   * @throws StateWriteError if the write was refused, or may still take effect
   */
  async write(upon: RowVersion | HeldBy, writeId: string, change: Change, ifUnknown = ''): Promise<Written> {
    const statement = this.#statements.write(upon, writeId, change)
    const result = await this.#connection.ask<Pick<RowVersion, 'transaction'>>(statement)
    if (result.is !== 'answered') throw this.#unwritten(result, ifUnknown)
    const [done] = result.rows
    if (done !== undefined) return { is: 'done', seen: { writeId, transaction: done.transaction } }
    const now = await this.look().catch((error: unknown) => {
      throw error instanceof StateReadError
        ? this.#unwritten({ is: 'lost', why: error.message }, ifUnknown)
        : error
    })
    if (now?.writeId === writeId) return { is: 'done', seen: now }
    if (now !== undefined && isStill(now, upon)) throw this.#unwritten(UNCHANGED)
    return { is: 'moved', to: now }
  }

  /** Creates schema and tables if they are missing. @throws StateReadError, StateWriteError */
  async prepare(): Promise<void> {
    for (let look = 1; ; look += 1) {
      const result = await this.#connection.ask<OfDatabase>(this.#statements.database())
      const [database] = result.is === 'answered' ? result.rows : []
      if (database === undefined) throw this.#unread(result)
      if (database.isStandby) throw this.#standby()
      if (database.hasTables) return
      if (database.encoding !== 'UTF8') throw this.#otherEncoding(database)
      const made = await this.#connection.ask(this.#statements.makeTables(database))
      // If another process creates the same at the same moment, the server answers that it exists.
      if (made.is !== 'answered' && look === LOOKS) throw this.#unwritten(made)
    }
  }

  end(): Promise<void> {
    return this.#connection.end()
  }

  async #found<Found extends Row>(
    statement: Statement,
    check: Check<Found & OfServer>,
  ): Promise<Found | undefined> {
    const result = await this.#connection.ask(statement)
    const [row] = result.is === 'answered' ? result.rows : []
    if (row === undefined) throw this.#unread(result)
    const { isStandby, writeId } = row as OfServer & { readonly writeId: unknown }
    if (isStandby) throw this.#standby()
    this.#hasTables = true
    if (writeId === null) return undefined
    // The columns have the types of the tables, which somebody can have changed.
    return readAs(check, row, (_, words) =>
      this.#unread({ is: 'refused', why: `the answer is not that of a state: ${words}`, code: OTHER_TYPES }),
    )
  }

  #unread(result: Result<unknown>): DeploymgmtError {
    const { why, ...more } = this.#told(result)
    return this.#missing(result) ?? new StateReadError(`cannot read the state: Postgres: ${why}`, more)
  }

  #unwritten(result: Result<unknown>, ifUnknown = ''): DeploymgmtError {
    const { why, where, hint } = this.#told(result)
    const [lost, more] =
      result.is === 'lost' ? ['; it is not known whether the last write arrived', ifUnknown] : ['', '']
    return (
      this.#missing(result) ??
      new StateWriteError(`cannot write the state: Postgres: ${why}${lost}`, {
        where,
        hint: `${hint} ${more}`.trim(),
      })
    )
  }

  #told(result: Result<unknown>): { readonly why: string; readonly where: string; readonly hint: string } {
    const why = result.is === 'answered' ? 'the answer is empty' : result.why
    const code = result.is === 'answered' ? '' : (result.code ?? '')
    return { why, where: this.place, hint: hintFor(code, why) }
  }

  #missing(result: Result<unknown>): StateMissingError | undefined {
    if (result.is !== 'refused' || !noTables.test(result.code) || this.#hasTables) return undefined
    return new StateMissingError(`the database has no tables for states in the schema ${this.#schema}`, {
      where: this.place,
      hint: `If this is not the first run, check the address. Otherwise: deploymgmt state init${this.#system.sameFlags}`,
    })
  }

  #standby(): StateReadError {
    return new StateReadError('the server is a standby, but a state has to be on the primary', {
      where: this.place,
      hint: 'Name the primary in the address: a standby can show something older than what was last written.',
    })
  }

  #otherEncoding({ encoding }: OfDatabase): StateWriteError {
    return new StateWriteError(`the encoding of the database is ${encoding}, but a state needs UTF8`, {
      where: this.place,
      hint: 'Name a database that was created with ENCODING UTF8.',
    })
  }
}

const noTables = /^(?:42P01|3F000)$/u

/** A row that matches the condition of a write that has changed nothing. */
const UNCHANGED = {
  is: 'refused',
  why: 'the server accepts the write, but has changed nothing',
  // Servers' codes have five characters.
  code: 'unchanged',
} as const

/** Columns with other types than those that the tables are made with. */
const OTHER_TYPES = 'types'

const isStill = (now: Row, upon: RowVersion | HeldBy): boolean =>
  'writeId' in upon
    ? now.writeId === upon.writeId && now.transaction === upon.transaction
    : now.owner === upon.owner

const hintFor = (code: string, why: string): string => {
  if (code === UNCHANGED.code)
    return 'A policy (row level security), a trigger or a rule of the table keeps this role from changing the row.'
  if (noTables.test(code))
    return 'Somebody has removed the tables: restore them from a backup of the database.'
  if (tooLong.test(code))
    return 'The server ended it, because it took too long: look for what locks the tables, or raise statement_timeout for this role.'
  if (noRoom.test(code)) return 'Give the server more room: disk, memory, or connections.'
  if (code === '42501')
    return 'Check that this role has the rights that docs/state-stores.md lists for writing or for reading.'
  if (code === READ_ONLY)
    return 'This server, database or role accepts only reads (default_transaction_read_only). Name the primary, or have that changed.'
  if (code.startsWith('28') || /password|SASL/iu.test(why))
    return 'Check the user, in the address or in PGUSER, and PGPASSWORD or the password file.'
  if (/SSL|certificate|self-signed/iu.test(why))
    return 'Check PGSSLROOTCERT and the sslmode of the address. Use disable only in your own network.'
  if (code === OTHER_TYPES || ofTables.test(code))
    return 'The tables have to be as state init makes them: undo what was changed about them.'
  return 'Check the address, the network, and that the server is running.'
}

const tooLong = /^(?:25P|55P03|57014)/u
const noRoom = /^53/u
/** Constraints, missing columns, and what triggers raise. */
const ofTables = /^(?:09|23|42|P0)/u
