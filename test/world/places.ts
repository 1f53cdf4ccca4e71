import childProcess, { type SpawnOptions } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { Client } from 'pg'
import {
  stateServer,
  type Manner,
  type StateServer,
} from '../reconciler/state/stores/support/state-server.ts'
import { bareRepository, git } from '../support/git.ts'
import { startPostgres } from '../support/postgres.ts'
import { atStore, never, running, runOf } from './gate.ts'

/** Where a history keeps its state; all of them promise the same. */
export const STORES = ['file', 'http', 'gitlab', 'git', 'postgres'] as const
export type StoreName = (typeof STORES)[number]

/** A place for the state that each machine can reach. */
export interface Place {
  readonly address: string
  /** How the manifest of another state names it. */
  readonly named: string
  /** The environment that a command needs to use it. */
  envOf(pid: number): Readonly<Record<string, string>>
  /** Differs after each write. */
  version(): Promise<string>
  /** All that was ever written there. */
  all(): Promise<string>
  /** A new place with the same contents. */
  copied(): Promise<Place>
  /** A new place without contents. */
  anew(): Promise<Place>
}

const PLACES: Readonly<Record<StoreName, () => Promise<Place | undefined>>> = {
  file: async () => undefined,
  http: () => httpPlace('plain'),
  gitlab: () => httpPlace('gitlab'),
  git: async () => gitPlace(await bareRepository()),
  postgres: () => postgresPlace(),
}
export const placeOf = (store: StoreName): Promise<Place | undefined> => PLACES[store]()

/** The user name tells which process asks: nothing else of it crosses the connection. */
const USER = /^run-(?<pid>\d+):/u
const STATE_PASSWORD = 'state-canary-0010'

const httpPlace = async (manner: Manner, from?: StateServer): Promise<Place> => {
  const server = await stateServer(manner)
  const beside = await stateServer(manner, { state: 'acme-silences' })
  server.beside = beside
  server.document = from?.document
  beside.document = from?.beside?.document
  let written = ''
  for (const each of [server, beside])
    each.fate = ({ method, headers: { authorization = '' }, body }) => {
      // A late write arrives before the next request.
      each.arrive()
      const user = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
      const pid = Number(USER.exec(user)?.groups?.['pid'] ?? 0)
      if (pid === 0) return 'answer'
      const run = runOf(pid)
      if (run === undefined || run.isDead) return 'cut-before'
      if (method === 'GET') return 'answer'
      written += body
      const fate = atStore(run)
      if (fate === 'late') return fate
      return fate === 'done' ? 'answer' : `cut-${fate}`
    }
  return {
    address: server.address,
    named: server.address,
    envOf: (pid) => ({
      DEPLOYMGMT_STATE_USERNAME: `run-${pid}`,
      DEPLOYMGMT_STATE_PASSWORD: STATE_PASSWORD,
    }),
    version: async () => server.document ?? '',
    all: async () => written,
    copied: () => httpPlace(manner, server),
    anew: () => httpPlace(manner),
  }
}

const BRANCH = 'deploymgmt/test'

const gitPlace = async (bare: string): Promise<Place> => {
  await git(bare, 'config', 'gc.auto', '0')
  return {
    address: `git+file://${bare}`,
    named: `git+file://${bare}#${BRANCH}`,
    envOf: () => ({
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    }),
    version: () => readFile(join(bare, 'refs', 'heads', BRANCH), 'utf8').catch(() => ''),
    all: () => git(bare, 'log', '--patch', '--all'),
    async copied() {
      const copy = await bareRepository()
      await git(bare, 'push', '--quiet', '--all', copy)
      return gitPlace(copy)
    },
    anew: async () => gitPlace(await bareRepository()),
  }
}

let postgres: ReturnType<typeof startPostgres> | undefined
let schemas = 0

/** One server for all histories, which starts when it is first needed. */
const postgresPlace = async (from?: string): Promise<Place> => {
  const server = await (postgres ??= startPostgres())
  if (server === undefined) throw new Error('there is no Postgres for this platform')
  const schema = `world_${(schemas += 1)}`
  const tables = ['states', 'journal'].map(
    (name) =>
      `CREATE TABLE ${schema}.${name} (LIKE ${from}.${name} INCLUDING ALL); INSERT INTO ${schema}.${name} TABLE ${from}.${name};`,
  )
  if (from !== undefined) await server.ask(`SET ROLE trusted; CREATE SCHEMA ${schema}; ${tables.join('')}`)
  const textOf = async (columns: string): Promise<string> => {
    const [row] = await server.ask<{ text: string }>(`SELECT (${columns})::text AS text`)
    return row?.text ?? ''
  }
  return {
    address: `${server.address}?schema=${schema}`,
    named: `${server.address}?schema=${schema}#test`,
    envOf: () => ({}),
    version: () => textOf(`SELECT write_id FROM ${schema}.states WHERE name = 'test'`),
    all: () =>
      textOf(
        `SELECT json_agg(states.*)::text || (SELECT json_agg(journal.*)::text FROM ${schema}.journal) FROM ${schema}.states`,
      ),
    copied: () => postgresPlace(schema),
    anew: () => postgresPlace(),
  }
}

/** Stops what was started for places. */
export const endPlaces = async (): Promise<void> => {
  await (await postgres)?.stop()
  postgres = undefined
}

/** Leads each writing statement through the gate, and returns how to undo that. */
export const gatePostgres = (): (() => void) => {
  const client = Client.prototype as { query: (...words: any[]) => Promise<unknown> }
  const { query } = client
  client.query = async function gated(...words: any[]) {
    const run = running.getStore()
    if (run === undefined) return query.apply(this, words)
    if (run.isDead) return never()
    const fate = /^(?:WITH written|INSERT)/u.test(String(words[0])) ? atStore(run) : 'done'
    if (fate !== 'before') {
      const answer = await query.apply(this, words)
      if (fate === 'done') return answer
    }
    throw new Error('the connection is lost')
  }
  return () => void Object.assign(client, { query })
}

/** Does not exist. */
const NOWHERE = '/nowhere/git'

const setSpawn = (spawn: unknown): void => {
  Object.assign(childProcess, { spawn })
  syncBuiltinESMExports()
}

/**
 * Leads each push of git through the gate, and returns how to undo that. If a command is killed, the git that it has
 * started goes on.
 */
export const gateGit = (): (() => void) => {
  const { spawn } = childProcess
  setSpawn((file: string, words: readonly string[], options: SpawnOptions) => {
    const run = running.getStore()
    if (file !== 'git' || run === undefined) return spawn(file, words, options)
    if (run.isDead) return spawn(NOWHERE, [], options)
    const fate = words.includes('push') ? atStore(run) : 'done'
    if (fate === 'before') return spawn(NOWHERE, [], options)
    const child =
      fate === 'done'
        ? spawn(file, words, options)
        : spawn('/bin/sh', ['-c', 'git "$@"; exit 128', file, ...words], options)
    const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()))
    const close = (): Promise<void> => closed
    run.open.add(close)
    void closed.then(() => run.open.delete(close))
    return child
  })
  return () => setSpawn(spawn)
}
