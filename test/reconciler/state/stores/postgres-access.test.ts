import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StateReadError, StateWriteError } from '../../../../reconciler/errors/index.ts'
import { initState, openSession, readSession } from '../../../../reconciler/state/index.ts'
import { selfSigned } from '../../../provider/api/support/certificate.ts'
import { closed, listen } from '../../../support/listen.ts'
import { NOBODY, PG_PASSWORD, usePostgres } from '../../../support/postgres.ts'
import { expected, put } from '../support/samples.ts'

const postgres = usePostgres()

let roles = 0
/** A role that needs a password, and a schema that it may write to. */
const role = async (password = PG_PASSWORD) => {
  roles += 1
  const [server, name] = [postgres(), `role_${roles}`]
  await server.ask(`CREATE ROLE ${name} LOGIN PASSWORD '${password.replaceAll("'", "''")}'`)
  await server.ask(`CREATE SCHEMA ${name} AUTHORIZATION ${name}`)
  const statePath = `postgres://${name}@${server.authority}?schema=${name}`
  return { server, name, options: { statePath, expect: expected, command: 'apply' } }
}

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'deploymgmt-home-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** The error, with everything that is known of it. */
const failure = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    (each: unknown) => each,
  )
  const all = `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`
  return { error, all }
}

test('PGUSER and PGPASSWORD let in where the address has no user', async () => {
  const { name, options } = await role()
  const nameless = { ...options, statePath: options.statePath.replace(`${name}@`, '') }
  const env = { PGUSER: name, PGPASSWORD: PG_PASSWORD }
  await initState(nameless, { env })
  const { exists, place } = await readSession(nameless, { env })
  expect([exists, place.includes(name)]).toStrictEqual([true, true])
  expect(place).not.toContain('@')
})

test('a line of the password file lets in, whatever signs are in it', async () => {
  const password = String.raw`canary: a\b'c`
  const { server, name, options } = await role(password)
  const path = join(await folder(), '.pgpass')
  const escaped = password.replaceAll(/[\\:]/g, String.raw`\$&`)
  const lines = [`# ours`, `127.0.0.1:1:*:*:wrong`, `127.0.0.1:${server.port}:*:other:wrong`]
  await writeFile(
    path,
    [...lines, `*:${server.port}:infra:${name}:${escaped}`, '*:*:*:*:later', ''].join('\n'),
  )
  await chmod(path, 0o600)
  await initState(options, { env: { PGPASSFILE: path } })
  expect((await readSession(options, { env: { HOME: join(path, '..') } })).exists).toBe(true)
})

test('a password file that others can read is refused, with what mends it', async () => {
  const { options } = await role()
  const path = join(await folder(), '.pgpass')
  await writeFile(path, `*:*:*:*:${PG_PASSWORD}\n`)
  await chmod(path, 0o644)
  const { error, all } = await failure(readSession(options, { env: { PGPASSFILE: path } }))
  expect(error).toMatchObject({ code: StateReadError.code, hint: `Run: chmod 600 ${path}` })
  expect(all).not.toContain('canary')
})

test.each([
  ['none', {}, /asks for a password/, /PGPASSWORD/],
  ['a wrong one', { PGPASSWORD: 'wrong-canary' }, /password authentication failed/, /PGPASSWORD/],
])('with %s for a password the error says so, and shows none', async (_, given, message, hint) => {
  const { options } = await role()
  const env = { HOME: await folder(), ...given }
  for (const attempt of [readSession, openSession, initState]) {
    const { error, all } = await failure(attempt(options, { env }))
    expect(error).toMatchObject({
      code: StateReadError.code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    })
    expect(all).not.toContain('canary')
  }
})

/** A message of the protocol of Postgres. */
const frame = (type: string, body: Buffer) => {
  const size = Buffer.alloc(4)
  size.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), size, body])
}

test('a server that repeats the password that it was sent does not get it shown', async () => {
  // Asks for the password in clear text, and then refuses it by name.
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(frame('R', Buffer.from([0, 0, 0, 3])))
      socket.once('data', (sent) => {
        const refusal = `SFATAL\0C28P01\0Mnot ${sent.subarray(5, -1).toString()}\0\0`
        socket.end(frame('E', Buffer.from(refusal)))
      })
    })
  })
  const port = await listen(server)
  onTestFinished(() => closed(server))
  const options = { statePath: `postgres://ci@127.0.0.1:${port}/infra`, expect: expected }
  const { error, all } = await failure(readSession(options, { env: { PGPASSWORD: PG_PASSWORD } }))
  expect(error).toMatchObject({ message: expect.stringMatching(/Postgres: not \(hidden\)$/) })
  expect(all).not.toContain(PG_PASSWORD)
})

test('an address where nothing answers is reported at once', async () => {
  const options = { statePath: 'postgres://ci@127.0.0.1:1/infra', expect: expected }
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  await expect(readSession(options, { env: {}, pause })).rejects.toMatchObject({
    code: StateReadError.code,
    message: expect.stringContaining('ECONNREFUSED'),
  })
  expect(pauses).toStrictEqual([])
})

test('a socket is named by its folder', async () => {
  const { server, name } = await role()
  const statePath = `postgres:///infra?host=${server.folder}&port=${server.port}&schema=${name}`
  const options = { statePath, expect: expected, command: 'apply' }
  await initState(options, { env: { PGUSER: name } })
  expect(await readSession(options, { env: { PGUSER: name } })).toMatchObject({
    exists: true,
    place: `${statePath}#acme`,
  })
})

test('the roles of docs/state-stores.md can do what it says, and no more', async () => {
  const { server, address } = { server: postgres(), address: postgres().address }
  const page = await readFile(new URL('../../../../docs/state-stores.md', import.meta.url), 'utf8')
  const grants = /```sql\n(?<grants>GRANT[^`]*)```/u.exec(page)?.groups?.['grants'] ?? ''
  const by = (name: string, state = '') => ({
    statePath: `postgres://${name}@${server.authority}${state}`,
    expect: expected,
    command: 'apply',
  })
  await initState({ ...by('nobody'), statePath: address }, { env: {} })
  for (const name of ['deploymgmt_writer', 'deploymgmt_reader'])
    await server.ask(`CREATE ROLE ${name} LOGIN PASSWORD '${PG_PASSWORD}'`)
  await server.ask(grants)
  const env = { PGPASSWORD: PG_PASSWORD }
  const [writer, reader] = [by('deploymgmt_writer'), by('deploymgmt_reader')]
  const session = await openSession(writer, { env })
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  await initState(by('deploymgmt_writer', '#another'), { env })
  expect(Object.keys((await readSession(reader, { env })).state.resources)).toStrictEqual(['things.a'])
  await expect(openSession(reader, { env })).rejects.toMatchObject({
    code: StateWriteError.code,
    message: expect.stringContaining('permission denied'),
    hint: expect.stringContaining('docs/state-stores.md'),
  })
  await expect(
    initState({ ...writer, statePath: `${writer.statePath}?schema=other` }, { env }),
  ).rejects.toMatchObject({ code: StateWriteError.code })
})

test('a role that may only read is told so, and that nothing was written', async () => {
  const { server, name, options } = await role()
  const env = { PGPASSWORD: PG_PASSWORD }
  await initState(options, { env })
  await server.ask(`ALTER ROLE ${name} SET default_transaction_read_only = on`)
  const { error } = await failure(openSession(options, { env, pause: async () => undefined }))
  expect(error).toMatchObject({
    code: StateWriteError.code,
    message: expect.not.stringContaining('not known'),
    hint: expect.stringMatching(/^This server, database or role accepts only reads [^:]+$/),
  })
  expect((await readSession(options, { env })).exists).toBe(true)
})

test('a server proves itself by TLS, or nothing is told to it', async () => {
  const { server, options } = await role()
  const [{ key, cert }, other] = [selfSigned(), selfSigned()]
  const at = await folder()
  const data = join(server.folder, 'data')
  for (const [path, text] of [
    [join(data, 'server.key'), key],
    [join(data, 'server.crt'), cert],
    [join(at, 'ours.pem'), cert],
    [join(at, 'other.pem'), other.cert],
  ] as const)
    await writeFile(path, text, { mode: 0o600 })
  if (process.getuid?.() === 0) await chown(join(data, 'server.key'), NOBODY, NOBODY)
  if (process.getuid?.() === 0) await chown(join(data, 'server.crt'), NOBODY, NOBODY)
  await server.ask('ALTER SYSTEM SET ssl = on')
  await server.restart()
  const read = (mode: string, env: Record<string, string> = {}) =>
    readSession(
      { ...options, statePath: `${options.statePath}${mode}` },
      { env: { PGPASSWORD: PG_PASSWORD, ...env } },
    )
  await initState(options, { env: { PGPASSWORD: PG_PASSWORD, PGSSLMODE: 'require' } })
  const ours = { PGSSLROOTCERT: join(at, 'ours.pem') }
  for (const mode of ['verify-full', 'verify-ca', 'require'])
    expect((await read(`&sslmode=${mode}`, ours)).exists).toBe(true)
  expect((await read('', { ...ours, PGSSLMODE: 'verify-full' })).exists).toBe(true)
  const wrong = { PGSSLROOTCERT: join(at, 'other.pem') }
  // Nothing is verified by Node itself any more.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [mode, env] of [
    ['verify-full', {}],
    ['verify-full', wrong],
    ['verify-ca', wrong],
    ['require', wrong],
  ] as const)
    await expect(read(`&sslmode=${mode}`, env)).rejects.toMatchObject({
      code: StateReadError.code,
      hint: expect.stringContaining('PGSSLROOTCERT'),
    })
  for (const mode of ['prefer', 'verify-ca', 'canary'])
    await expect(read(`&sslmode=${mode}`)).rejects.toMatchObject({ code: 'DM-STATE-ADDRESS' })
})
