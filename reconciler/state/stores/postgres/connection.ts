import { Socket } from 'node:net'
import { userInfo } from 'node:os'
import { Client, type ClientConfig, DatabaseError, Query, type QueryResultRow } from 'pg'
import { formsOf, printable, standsOut, withoutSecrets } from '@deploymgmt/provider/api'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { StateAddressError } from '../../../errors/index.ts'
import type { System } from '../../machine/system.ts'
import { again } from '../again.ts'
import { LARGEST, MORE_THAN_LARGEST } from '../largest.ts'
import type { PostgresAddress } from './address.ts'
import { passwordFor } from './password.ts'
import { encryptionOf } from './tls.ts'

/** One statement, which is its own transaction: poolers may run each statement on another connection. */
export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
}

/** The result of a statement; if the answer was lost, it is unknown whether the statement was executed. */
export type Result<Row> =
  | { readonly is: 'answered'; readonly rows: readonly Row[] }
  /** The statement was not executed. */
  | { readonly is: 'refused'; readonly why: string; readonly code: string }
  /** It may have been; with the code of the server, if it gave one. */
  | { readonly is: 'lost'; readonly why: string; readonly code?: string | undefined }

/** How long a connection may be silent while an answer is awaited, milliseconds. */
const SILENCE = 30_000

/**
 * Codes after which a statement may have been executed, or is worth a retry: from connections and poolers (08), from
 * servers that stop, start (57P) or end idle connections (25P), for too many connections (53300), and those below.
 */
const passing = /^(?:08|57P|25P|40|25006|55P03|57014|53300)/u
/** Of a server that has just become a primary (25006), of what was in the way (40, 55P03), or took too long (57014). */
const undone = /^(?:25006|40001|40P01|55P03|57014)$/u
/** A server that accepts only reads. */
export const READ_ONLY = '25006'

interface Open {
  readonly client: Client
  readonly socket: Socket
  /** What was read when the last statement was sent, bytes. */
  before: number
}

/** A connection that is opened on demand, and again after it is lost. Statements run one after the other. */
export class Connection {
  readonly #config: ClientConfig
  readonly #system: System
  #open: Open | undefined
  #hasAnswered = false
  #password = ''

  /** @param password called for each connection that needs it */
  constructor(config: ClientConfig, password: () => Promise<string>, system: System) {
    this.#config = { ...config, password: async () => (this.#password = await password()) }
    this.#system = system
  }

  /** Repeats a statement until it is answered. A server that has never answered is not waited for. */
  async ask<Row>(statement: Statement): Promise<Result<Row>> {
    let mayBeExecuted = false
    for (let attempt = 0; ; attempt += 1) {
      const result = await this.#once<Row>(statement)
      const isUndone = result.is === 'lost' && undone.test(result.code ?? '')
      mayBeExecuted ||= result.is === 'lost' && !isUndone
      // A statement that is refused now may have been executed by an earlier attempt.
      if (result.is === 'refused' && mayBeExecuted) return { ...result, is: 'lost' }
      if (result.is === 'lost' && this.#hasAnswered && (await again(attempt, this.#system))) continue
      const { code = '' } = result.is === 'lost' ? result : {}
      return isUndone && !mayBeExecuted ? { is: 'refused', why: result.why, code } : result
    }
  }

  async end(): Promise<void> {
    const { client, socket } = this.#open ?? {}
    this.#open = undefined
    if (client === undefined || socket === undefined || socket.destroyed) return
    // How the connection ends does not matter any more: all statements are answered.
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.setTimeout(SILENCE)
    void client.end()
    await closed
  }

  async #once<Row>(statement: Statement): Promise<Result<Row>> {
    try {
      const open = this.#open ?? (await this.#connect())
      const { socket } = open
      socket.setTimeout(SILENCE)
      open.before = socket.bytesRead
      const rows = await rowsOf<Row & QueryResultRow>(open, statement)
      socket.setTimeout(0)
      this.#hasAnswered = true
      return { is: 'answered', rows }
    } catch (error) {
      if (error instanceof DeploymgmtError) throw error
      const why = this.#inWords(error)
      const code = error instanceof DatabaseError ? error.code : undefined
      if (code !== undefined && !passing.test(code)) return { is: 'refused', why, code }
      this.#open?.socket.destroy()
      this.#open = undefined
      return { is: 'lost', why, code }
    }
  }

  /** The error in one line, without anything that was sent: a server may repeat it. */
  #inWords(error: unknown): string {
    const [first] = error instanceof AggregateError ? error.errors : [error]
    if (!(first instanceof Error)) return 'an unexpected error'
    const [line = ''] = withoutSecrets(first.message, formsOf(this.#password).filter(standsOut)).split('\n')
    return printable(line, 400)
  }

  async #connect(): Promise<Open> {
    const socket = new Socket()
    const client = new Client({ ...this.#config, stream: () => socket })
    leaveOut(client)
    const open: Open = { client, socket, before: 0 }
    limit(open, this.#config)
    // A connection that breaks while idle is replaced with the next statement.
    client.on('error', () => {
      if (this.#open === open) this.#open = undefined
    })
    socket.setTimeout(SILENCE, () => socket.destroy(new Error('the server does not answer')))
    try {
      await client.connect()
    } catch (error) {
      socket.destroy()
      throw error
    }
    this.#open = open
    return open
  }
}

/** The library would keep whatever arrives, also before it is known who the other side is. */
const limit = (open: Open, { ssl }: ClientConfig): void => {
  const { client, socket } = open
  const count = (): void => {
    if (socket.bytesRead - open.before > LARGEST)
      socket.destroy(new Error(`its answer is larger ${MORE_THAN_LARGEST}`))
  }
  // Once it is encrypted, only the stream around the socket tells of what arrives.
  if (ssl === false) socket.on('data', count)
  else client.connection.once('sslconnect', () => client.connection.stream.on('data', count))
}

/** No statement has more than one row as its answer, and a server that sends more could do so without end. */
const rowsOf = <Row extends QueryResultRow>(
  { client, socket }: Open,
  { text, values = [] }: Statement,
): Promise<readonly Row[]> =>
  new Promise((resolve, reject) => {
    const rows: Row[] = []
    // Without parameters, one query may contain several statements, which are one transaction.
    const query = values.length === 0 ? new Query<Row>(text) : new Query<Row>(text, [...values])
    query.on('row', (row) => {
      rows.push(row)
      if (rows.length > 1)
        socket.destroy(new Error('it answers with more rows than the one that was asked for'))
    })
    query.on('end', () => resolve(rows))
    query.on('error', reject)
    client.query(query)
  })

/** The library reads PGOPTIONS and PGREPLICATION, and treats empty options as not given. */
const leaveOut = (client: Client & { readonly connectionParameters?: object }): void => {
  Object.assign(client.connectionParameters ?? {}, { options: undefined, replication: undefined })
}

/** @throws StateAddressError, StateReadError if the environment has unusable values */
export const connectionTo = async (address: PostgresAddress, system: System): Promise<Connection> => {
  const { host, port, database } = address
  const user = address.role ?? (system.env['PGUSER'] || userHere())
  const account = { host, port, database, user }
  const config = {
    ...account,
    ssl: await encryptionOf(address, system),
    application_name: 'deploymgmt',
    keepAlive: true,
    // The default of the library; otherwise the environment would decide.
    sslnegotiation: 'postgres' as const,
    client_encoding: 'utf8',
  }
  return new Connection(config, () => passwordFor(account, system), system)
}

/** A container may run under a user id without a name. */
const userHere = (): string => {
  try {
    return userInfo().username
  } catch (error) {
    throw new StateAddressError('there is no user name for the database', {
      hint: 'Set PGUSER, or put the user into the address: postgres://USER@HOST/DATABASE',
      cause: error,
    })
  }
}
