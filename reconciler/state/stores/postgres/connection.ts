import { Socket } from 'node:net'
import { userInfo } from 'node:os'
import { Client, type ClientConfig, DatabaseError } from 'pg'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { StateAddressError } from '../../../errors/index.ts'
import type { Surroundings } from '../../machine/host.ts'
import { again } from '../again.ts'
import type { PostgresAddress } from './address.ts'
import { passwordFor } from './password.ts'
import { encryptionOf } from './tls.ts'

/** One statement, which is a transaction of its own: poolers may give each another connection. */
export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
}

/** What became of a statement; of one whose answer is lost nobody knows whether it was done. */
export type Asked<Row> =
  | { readonly is: 'answered'; readonly rows: readonly Row[] }
  | { readonly is: 'refused'; readonly why: string; readonly code: string }
  | { readonly is: 'lost'; readonly why: string }

/** How long nothing may come or go while an answer is awaited, milliseconds. */
const SILENCE = 30_000

/**
 * Codes after which a statement may have been done, or is worth being tried again: of connections and poolers (08), of
 * servers that stop or start (57P) or have just become a primary (25006), of transactions in each other's way (40, 55P03),
 * and of too many connections.
 */
const passing = /^(?:08|57P|40|25006|55P03|53300)/u

/** A connection that is made when it is needed, and again once it is lost. Statements come one after the other. */
export class Connection {
  readonly #config: ClientConfig
  readonly #outside: Surroundings
  #open: { readonly client: Client; readonly socket: Socket } | undefined
  #hasAnswered = false

  constructor(config: ClientConfig, outside: Surroundings) {
    this.#config = config
    this.#outside = outside
  }

  /** Asks until an answer is there. What has never answered is not waited for. */
  async ask<Row>(statement: Statement): Promise<Asked<Row>> {
    for (let attempt = 0; ; attempt += 1) {
      const asked = await this.#once<Row>(statement)
      // What is refused now may have been done before.
      if (asked.is === 'refused' && attempt > 0) return { is: 'lost', why: asked.why }
      if (asked.is !== 'lost' || !this.#hasAnswered || !(await again(attempt, this.#outside))) return asked
    }
  }

  async end(): Promise<void> {
    const { client, socket } = this.#open ?? {}
    this.#open = undefined
    if (client === undefined || socket === undefined || socket.destroyed) return
    // How it breaks is no matter any more: all that was asked has its answer.
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.setTimeout(SILENCE)
    void client.end()
    await closed
  }

  async #once<Row>({ text, values = [] }: Statement): Promise<Asked<Row>> {
    try {
      const { client, socket } = this.#open ?? (await this.#connect())
      socket.setTimeout(SILENCE)
      // Without values several statements can stand in one, which are one transaction.
      const { rows } = await (values.length === 0 ? client.query(text) : client.query(text, [...values]))
      socket.setTimeout(0)
      this.#hasAnswered = true
      return { is: 'answered', rows }
    } catch (error) {
      if (error instanceof DeploymgmtError) throw error
      const why = inWords(error)
      if (error instanceof DatabaseError && error.code !== undefined && !passing.test(error.code))
        return { is: 'refused', why, code: error.code }
      this.#open?.socket.destroy()
      this.#open = undefined
      return { is: 'lost', why }
    }
  }

  async #connect(): Promise<{ readonly client: Client; readonly socket: Socket }> {
    const socket = new Socket()
    const client = new Client({ ...this.#config, stream: () => socket })
    leaveOut(client)
    const open = { client, socket }
    // One that breaks while nothing is asked is made again with the next statement.
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

/** The library reads PGOPTIONS and PGREPLICATION, and what is given as empty counts as not given. */
const leaveOut = (client: Client & { readonly connectionParameters?: object }): void => {
  Object.assign(client.connectionParameters ?? {}, { options: undefined, replication: undefined })
}

/** @throws StateAddressError, StateReadError where what the environment says cannot be used */
export const connectionTo = async (address: PostgresAddress, outside: Surroundings): Promise<Connection> => {
  const { host, port, database } = address
  const user = address.role ?? (outside.env['PGUSER'] || userHere())
  const account = { host, port, database, user }
  const config = {
    ...account,
    ssl: await encryptionOf(address, outside),
    password: () => passwordFor(account, outside),
    application_name: 'deploymgmt',
    keepAlive: true,
    // As the library has it by default; else the environment says it.
    sslnegotiation: 'postgres' as const,
    client_encoding: 'utf8',
  }
  return new Connection(config, outside)
}

/** A container may run as somebody who has no name. */
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

/** In a line, without anything that was sent. */
const inWords = (error: unknown): string => {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? (first.message.split('\n')[0] ?? '').slice(0, 400) : 'an unexpected error'
}
