import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LockedError } from '../../../../reconciler/errors/index.ts'
import { initState, openSession, readSession } from '../../../../reconciler/state/index.ts'
import { listen } from '../../../support/listen.ts'
import { NOBODY, type PostgresServer, usePostgres } from '../../../support/postgres.ts'
import { expected, intentFor, put } from '../support/samples.ts'

const postgres = usePostgres()

const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`
const isThere = spawnSync('pgbouncer', ['--version'], { env: { PATH } }).status === 0

/** PgBouncer with fewer server connections than it has clients. @returns its port */
const bouncer = async ({ port, folder }: PostgresServer): Promise<number> => {
  const free = createServer()
  const own = await listen(free)
  await once(free.close(), 'close')
  const path = join(folder, 'pgbouncer.ini')
  const settings = [
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 2',
    'unix_socket_dir =',
  ]
  const database = `infra = host=127.0.0.1 port=${port} user=trusted`
  await writeFile(path, `[databases]\n${database}\n[pgbouncer]\n${settings.join('\n')}\n`)
  await chmod(path, 0o644)
  const root = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn('pgbouncer', [path], { ...root, env: { PATH }, stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const said of child.stderr) if (String(said).includes('process up')) return own
  throw new Error('PgBouncer has ended.')
}

test('a state behind PgBouncer that pools transactions is kept as one without', async ({ skip }) => {
  skip(!isThere, 'there is no pgbouncer on this machine')
  const port = await bouncer(postgres())
  const options = {
    statePath: `postgres://trusted@127.0.0.1:${port}/infra`,
    expect: expected,
    command: 'apply',
  }
  const env = {}
  const others = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...options, expect: { ...expected, name } }))
  await Promise.all(others.map((each) => initState(each, { env })))
  const sessions = await Promise.all(others.map((each) => openSession(each, { env })))
  await expect(
    openSession({ ...options, expect: { ...expected, name: 'a' } }, { env }),
  ).rejects.toBeInstanceOf(LockedError)
  await Promise.all(
    sessions.map(async (session) => {
      for (const name of ['x', 'y', 'z']) {
        const n = await session.intent(intentFor(`things.${name}`))
        await session.answered(n, [put(`things.${name}`)])
        await session.commit()
      }
      await session.close()
    }),
  )
  for (const each of others) {
    const { state, unknown } = await readSession(each, { env })
    expect([Object.keys(state.resources), state.serial, unknown]).toStrictEqual([
      ['things.x', 'things.y', 'things.z'],
      4,
      [],
    ])
  }
})
