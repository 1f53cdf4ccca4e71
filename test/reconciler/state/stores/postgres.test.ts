import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  JournalCorruptError,
  LockedError,
  StateAddressError,
  StateConflictError,
  StateMissingError,
  StateWriteError,
} from '../../../../reconciler/errors/index.ts'
import { systemWith, type System } from '../../../../reconciler/state/machine/system.ts'
import {
  addressFrom,
  initState,
  openSession,
  readSession,
  unlockState,
} from '../../../../reconciler/state/index.ts'
import { storeAt } from '../../../../reconciler/state/stores/index.ts'
import { type Fate, startPooler } from '../../../support/postgres-pooler.ts'
import { usePostgres } from '../../../support/postgres.ts'
import { runs } from '../../../support/soak.ts'
import { cutOnce } from './support/cut-once.ts'
import { expected, headerOf, intentFor, put, stateWith } from '../support/samples.ts'

const postgres = usePostgres()

let schemas = 0
/** A schema that no other test uses. */
const schemaOfOwn = (): string => {
  schemas += 1
  return `own_${schemas}`
}

const given: Partial<System> = { env: {} }

/** A new state behind a pooler that can fail. @param isReusing not where connections are broken, or a role is changed */
const begun = async ({ isReusing = true } = {}) => {
  const [server, schema] = [postgres(), schemaOfOwn()]
  const pooler = await startPooler(server.port, isReusing)
  const options = {
    statePath: `${pooler.address}?schema=${schema}`,
    expect: expected,
    command: 'apply',
  }
  await initState(options, given)
  return { server, schema, pooler, options }
}

const isWrite = ({ text }: { readonly text: string }): boolean => text.includes('UPDATE')

test('each transaction may have another connection', async () => {
  const { server, schema, pooler, options } = await begun({ isReusing: false })
  const session = await openSession(options, given)
  for (const name of ['a', 'b']) {
    const n = await session.intent(intentFor(`things.${name}`))
    await session.answered(n, [put(`things.${name}`)])
    await session.commit()
  }
  await session.close()
  const { state, unknown } = await readSession(options, given)
  expect([Object.keys(state.resources), state.serial, unknown]).toStrictEqual([
    ['things.a', 'things.b'],
    3,
    [],
  ])
  expect(pooler.transactions).toBeGreaterThan(10)
  const [left] = await server.ask<{ locks: string }>(
    "SELECT count(*) AS locks FROM pg_locks WHERE locktype = 'advisory'",
  )
  expect(left).toStrictEqual({ locks: '0' })
  expect(await server.ask(`SELECT name, owner FROM ${schema}.states`)).toStrictEqual([
    { name: 'acme', owner: null },
  ])
})

describe.each(['cut-before', 'cut-after'] as const)('where one transaction is met by %s', (fate) => {
  test('a save ends as without it, whichever transaction that is', async () => {
    const { server, schema, pooler, options } = await begun()
    const quick = { ...given, pause: () => Promise.resolve() }
    const cut = await cutOnce(options, quick, (nth) => {
      const first = pooler.transactions
      let isMet = false
      pooler.fate = (transaction) => {
        if (transaction.nth !== first + nth) return 'answer'
        isMet = true
        return fate
      }
      return () => {
        pooler.fate = () => 'answer'
        return isMet
      }
    })
    expect(cut).toBe(3)
    expect(await server.ask(`SELECT record_count FROM ${schema}.states`)).toStrictEqual([
      { record_count: '0' },
    ])
  })
})

/** From the next write on: it meets the fate, and nothing else gets through until the command gives up. */
const givenUp = async (
  pooler: Awaited<ReturnType<typeof startPooler>>,
  fate: 'cut-after' | 'late',
  write: () => Promise<unknown>,
): Promise<void> => {
  let writes = 0
  pooler.fate = (transaction) => {
    if (isWrite(transaction)) writes += 1
    return isWrite(transaction) && writes === 1 ? fate : 'cut-before'
  }
  await expect(write()).rejects.toMatchObject({
    code: StateWriteError.code,
    message: expect.stringContaining('not known'),
  })
  pooler.fate = () => 'answer'
}

test('an intent that was given up and has arrived all the same is not acted upon', async () => {
  const { pooler, options } = await begun()
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const session = await openSession(options, { ...given, pause, random: () => 0.5 })
  await givenUp(pooler, 'cut-after', () => session.intent(intentFor('things.a')))
  expect(pauses).toStrictEqual([187.5, 375, 750, 1500, 3000])
  await session.effects([put('things.b')])
  await session.close()
  const { state, unknown } = await readSession(options, given)
  expect([Object.keys(state.resources), unknown]).toStrictEqual([['things.b'], []])
})

test('a save that was given up and has arrived all the same is taken back by what is written next', async () => {
  const { pooler, options } = await begun()
  const session = await openSession(options, { ...given, pause: () => Promise.resolve() })
  await session.effects([put('things.a')])
  await givenUp(pooler, 'cut-after', () => session.commit())
  expect((await readSession(options, given)).state.serial).toBe(2)
  await session.effects([put('things.b')])
  const between = await readSession(options, given)
  expect([Object.keys(between.state.resources), between.state.serial]).toStrictEqual([
    ['things.a', 'things.b'],
    1,
  ])
  await session.commit()
  await session.close()
  const { state } = await readSession(options, given)
  expect([Object.keys(state.resources), state.serial]).toStrictEqual([['things.a', 'things.b'], 2])
})

test('a write that was given up and arrives after the next one changes nothing', async () => {
  const { pooler, options } = await begun()
  const session = await openSession(options, { ...given, pause: () => Promise.resolve() })
  await givenUp(pooler, 'late', () => session.intent(intentFor('things.a')))
  await session.effects([put('things.b')])
  await pooler.arrive()
  await session.effects([put('things.c')])
  await session.close()
  const { state, unknown } = await readSession(options, given)
  expect([Object.keys(state.resources), unknown]).toStrictEqual([['things.b', 'things.c'], []])
})

/** Fates of consecutive transactions. A write is tried six times, so six failures in a row end it. */
const fates = array(
  record({
    fate: constantFrom('answer' as const, 'cut-before' as const, 'cut-after' as const, 'late' as const),
    times: integer({ min: 1, max: 8 }),
  }),
  { minLength: 1, maxLength: 12 },
)

test('whatever is cut and whenever it arrives, what was told to be recorded is there, and nothing else', async () => {
  const { pooler, options } = await begun()
  let run = 0
  const property = asyncProperty(fates, integer({ min: 0, max: 5 }), async (cut, delivered) => {
    run += 1
    const one = { ...options, statePath: `${options.statePath}#run-${run}` }
    await initState(one, given)
    const session = await openSession(one, { ...given, pause: () => Promise.resolve() })
    const queue = cut.flatMap(({ fate, times }) => Array.from({ length: times }, () => fate))
    pooler.fate = () => queue.shift() ?? 'answer'
    const intents: string[] = []
    for (let step = 0; step < 6; step += 1) {
      if (step === delivered) await pooler.arrive()
      await session.effects([put(`things.${step}`)]).catch(() => undefined)
      const intent = session.intent(intentFor(`asked.${step}`)).then(() => intents.push(`asked.${step}`))
      await intent.catch(() => undefined)
      await session.commit().catch(() => undefined)
    }
    queue.splice(0)
    await session.commit()
    await pooler.arrive()
    await session.close()
    const { state, unknown } = await readSession(one, given)
    expect(Object.keys(state.resources)).toStrictEqual([0, 1, 2, 3, 4, 5].map((step) => `things.${step}`))
    expect(unknown.map(({ address }) => address)).toStrictEqual(intents)
  })
  await assert(property, { numRuns: runs(5) })
})

test('a lock that could not be given back is told of, with what removes it', async () => {
  const { pooler, options } = await begun()
  const session = await openSession(options, { ...given, pause: () => Promise.resolve() })
  pooler.fate = () => 'cut-before'
  await expect(session.close()).rejects.toMatchObject({
    code: StateWriteError.code,
    hint: expect.stringContaining('deploymgmt state unlock '),
  })
  pooler.fate = () => 'answer'
  expect((await readSession(options, given)).busy?.command).toBe('apply')
})

test('a lock of which nobody knows whether it was taken is told of, with what removes it', async () => {
  const { pooler, options } = await begun()
  pooler.fate = (transaction) => (isWrite(transaction) ? 'late' : 'answer')
  const taking = openSession(options, { ...given, pause: () => Promise.resolve() })
  const error: any = await taking.catch((each: unknown) => each)
  expect(error).toMatchObject({ code: StateWriteError.code })
  pooler.fate = () => 'answer'
  await pooler.arrive()
  const { busy } = await readSession(options, given)
  expect(error.hint).toContain(`deploymgmt state unlock ${busy?.id}`)
})

test('a connection that breaks while it is given up hides nothing of what was done', async () => {
  const { pooler, options } = await begun()
  pooler.isRude = true
  const session = await openSession(options, given)
  await expect(openSession(options, given)).rejects.toBeInstanceOf(LockedError)
  await session.effects([put('things.a')])
  await session.close()
  expect(Object.keys((await readSession(options, given)).state.resources)).toStrictEqual(['things.a'])
})

test.each(['SQL, DMY', 'German', 'Postgres, MDY'])(
  'the wait after an unlock is there also where a role has the DateStyle %s',
  async (style) => {
    const { server, options } = await begun({ isReusing: false })
    await server.ask(
      `ALTER ROLE trusted SET datestyle = ${style}; ALTER ROLE trusted SET timezone = 'Asia/Tokyo'`,
    )
    onTestFinished(async () => void (await server.ask('ALTER ROLE trusted RESET ALL')))
    const at = new Date('2026-03-04T05:06:07.890Z')
    const then = { ...given, now: () => at }
    await openSession(options, then)
    const id = (await readSession(options, given)).busy?.id ?? ''
    await unlockState({ ...options, name: 'acme' }, { id }, then)
    const session = await openSession(options, given)
    expect(session.unlocked.unlockedAt).toBe(at.toISOString())
    await session.close()
  },
)

test('an unlock that could not note when it arrived is not taken for an earlier one', async () => {
  const { server, schema, options } = await begun()
  const began = Date.parse('2026-11-20T12:00:00Z')
  let passed = 0
  const now = () => new Date(began + passed)
  const unlocked = async (): Promise<void> => {
    await openSession(options, { ...given, now })
    const id = (await readSession(options, given)).busy?.id ?? ''
    await unlockState({ ...options, name: 'acme' }, { id }, { ...given, now })
  }
  await unlocked()
  // It lets in what removes an owner, and nothing after that.
  await server.ask(`
    CREATE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF OLD.owner IS NULL AND NEW.owner IS NULL THEN RAISE 'not now'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON ${schema}.states FOR EACH ROW EXECUTE FUNCTION ${schema}.refuse()`)
  passed = 60_000
  const unlockedAt = now().toISOString()
  await unlocked()
  passed = 70_000
  const session = await openSession(options, { ...given, now })
  expect(session.unlocked).toStrictEqual({ unlockedAt, landedAt: now().toISOString() })
  await session.close()
})

test('an owner who writes all the time can be unlocked', async () => {
  const { pooler, options } = await begun()
  const session = await openSession(options, given)
  const busy = await startPooler(postgres().port)
  let n = 0
  const slow = { ...options, statePath: options.statePath.replace(pooler.address, busy.address) }
  busy.fate = async ({ text }): Promise<Fate> => {
    if (!isWrite({ text }) || n > 0) return 'answer'
    n += 1
    await session.effects([put(`things.${n}`)])
    return 'answer'
  }
  const id = (await readSession(options, given)).busy?.id ?? ''
  await unlockState({ ...slow, name: 'acme' }, { id }, given)
  expect(n).toBe(1)
  await expect(session.effects([put('things.late')])).rejects.toBeInstanceOf(StateConflictError)
})

test('environment variables that only libpq knows are not used', async () => {
  const { options } = await begun()
  vi.stubEnv('PGOPTIONS', '-c search_path=nowhere -c statement_timeout=canary')
  vi.stubEnv('PGSSLNEGOTIATION', 'direct')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await readSession(options, given)).exists).toBe(true)
})

test('a server that crashes and comes up again is waited for', async () => {
  const { server, options } = await begun({ isReusing: false })
  const direct = { ...options, statePath: options.statePath.replace(/@[^/]+/, `@127.0.0.1:${server.port}`) }
  const session = await openSession(direct, { ...given, pause: () => restarted })
  await session.effects([put('things.a')])
  const restarted = server.restart()
  await session.effects([put('things.b')])
  await session.commit()
  await restarted
  await session.close()
  expect(Object.keys((await readSession(direct, given)).state.resources)).toStrictEqual([
    'things.a',
    'things.b',
  ])
})

test('a server that follows another one is refused, for reading too', async () => {
  const { server, options } = await begun({ isReusing: false })
  await server.follow(true)
  onTestFinished(() => server.follow(false))
  for (const attempt of [readSession, openSession, initState])
    await expect(attempt(options, given)).rejects.toMatchObject({
      code: 'DM-STATE-READ',
      message: expect.stringContaining('the server is a standby'),
    })
})

test('where there are no tables, everything but state init says so', async () => {
  const { address } = postgres()
  const options = { statePath: `${address}?schema=${schemaOfOwn()}`, expect: expected, command: 'apply' }
  for (const attempt of [() => readSession(options, given), () => openSession(options, given)])
    await expect(attempt()).rejects.toMatchObject({
      code: StateMissingError.code,
      hint: expect.stringContaining('deploymgmt state init'),
    })
  await initState(options, given)
  expect((await readSession(options, given)).exists).toBe(true)
})

test('tables that two make at once are made once', async () => {
  const { address } = postgres()
  const schema = schemaOfOwn()
  const names = ['a', 'b', 'c', 'd']
  const options = (name: string) => ({
    statePath: `${address}?schema=${schema}`,
    expect: { ...expected, name },
    command: 'state init',
  })
  await Promise.all(names.map((name) => initState(options(name), given)))
  for (const name of names) expect((await readSession(options(name), given)).exists).toBe(true)
})

test('states of one database have locks and journals of their own', async () => {
  const { options } = await begun()
  const other = { ...options, statePath: `${options.statePath}#the%20other` }
  await initState(other, given)
  const [one, two] = [await openSession(options, given), await openSession(other, given)]
  await one.effects([put('things.a')])
  await two.effects([put('things.b')])
  await expect(openSession(other, given)).rejects.toBeInstanceOf(LockedError)
  await one.close()
  await two.close()
  expect(Object.keys((await readSession(options, given)).state.resources)).toStrictEqual(['things.a'])
  const read = await readSession(other, given)
  expect(Object.keys(read.state.resources)).toStrictEqual(['things.b'])
  expect(read.place).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/infra\?schema=own_\d+#the%20other$/)
})

test('a database of another encoding is refused before anything is made', async () => {
  const { server, options } = await begun()
  await server.ask("CREATE DATABASE plain ENCODING 'SQL_ASCII' TEMPLATE template0")
  await expect(
    initState({ ...options, statePath: options.statePath.replace('/infra', '/plain') }, given),
  ).rejects.toMatchObject({ code: StateWriteError.code, message: expect.stringContaining('SQL_ASCII') })
})

test('whatever a role has set, a write counts once it is on the disk, and somebody else in the way is met', async () => {
  const { server, schema, options } = await begun({ isReusing: false })
  await server.ask(`
    CREATE TABLE ${schema}.said (setting text);
    CREATE FUNCTION ${schema}.say() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO ${schema}.said VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER say AFTER UPDATE ON ${schema}.states DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION ${schema}.say();
    GRANT INSERT ON ${schema}.said TO trusted;
    ALTER ROLE trusted SET synchronous_commit = off;
    ALTER ROLE trusted SET default_transaction_isolation = 'serializable'`)
  onTestFinished(async () => void (await server.ask('ALTER ROLE trusted RESET ALL')))
  const session = await openSession(options, given)
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  expect(await server.ask(`SELECT DISTINCT setting FROM ${schema}.said`)).toStrictEqual([{ setting: 'on' }])
  const came = await Promise.allSettled(Array.from({ length: 4 }, () => openSession(options, given)))
  const holds = came.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(holds).toHaveLength(1)
  await holds[0]?.close()
})

test('where somebody has written by hand, the lock goes back and nothing else is touched', async () => {
  const { server, schema, options } = await begun()
  const store = await storeAt({ statePath: options.statePath, name: 'acme' }, systemWith(given))
  const hold = await store.lock('apply')
  await hold.read()
  await server.ask(`UPDATE ${schema}.states SET header = 'mine'`)
  await expect(hold.append(headerOf(stateWith()), [])).rejects.toMatchObject({
    code: StateConflictError.code,
    message: expect.stringContaining('somebody else has written'),
  })
  await expect(hold.confirm()).rejects.toBeInstanceOf(StateConflictError)
  await hold.release()
  expect(await server.ask(`SELECT header, owner FROM ${schema}.states`)).toStrictEqual([
    { header: 'mine', owner: null },
  ])
})

test('a state whose row is gone while it is written is not begun anew', async () => {
  const { server, schema, options } = await begun()
  const store = await storeAt({ statePath: options.statePath, name: 'acme' }, systemWith(given))
  const hold = await store.lock('apply')
  await hold.read()
  await server.ask(`DELETE FROM ${schema}.states`)
  await expect(hold.append(headerOf(stateWith()), [])).rejects.toBeInstanceOf(StateConflictError)
  await hold.release()
  expect(await server.ask(`SELECT name FROM ${schema}.states`)).toStrictEqual([])
})

test.each([
  ['is missing', 'DELETE FROM %.journal WHERE position = 1'],
  ['is missing at the end', 'DELETE FROM %.journal WHERE position = 2'],
  ['is not JSON', 'UPDATE %.journal SET record = \'{ "type": \''],
])('a journal of which a record %s is refused', async (_, statement) => {
  const { server, schema, options } = await begun()
  const session = await openSession(options, given)
  for (const name of ['a', 'b']) await session.effects([put(`things.${name}`)])
  await session.close()
  await server.ask(statement.replace('%', schema))
  await expect(readSession(options, given)).rejects.toBeInstanceOf(JournalCorruptError)
})

test.each([
  'postgres://me:canary@db.example.com/x',
  'postgres://db.example.com/x?password=canary',
  'postgres://db.example.com/x?sslmode=require&user=canary',
  'postgres://canary',
  'postgres:///canary',
  'postgres://a,b/canary',
  'postgres:canary',
  'postgres://db/canary%zz',
  'postgres:///x?host=/run&port=canary',
  'postgres://db/x?schema=Canary',
  'postgres://db/x?schema=pg_canary',
  'postgres://db/x?host=/run/canary',
])('the address %s is refused, and not shown', (address) => {
  const error = (() => {
    try {
      return addressFrom(address, '/')
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(StateAddressError)
  expect(JSON.stringify(error) + String(error)).not.toMatch(/canary/i)
})

test.each([
  ['postgres://Db.Example.com/infra', 'postgres://db.example.com/infra#acme'],
  ['postgresql://ci@db:6432/infra?sslmode=require#x', 'postgres://db:6432/infra#x'],
  ['postgres://[::1]:5433/a%20b?schema=states', 'postgres://[::1]:5433/a%20b?schema=states#acme'],
  ['postgres:///infra?host=/run/postgresql', 'postgres:///infra?host=/run/postgresql#acme'],
])('the address %s is taken, and shown as %s', async (address, place) => {
  expect(addressFrom(address, '/')).toBe(address)
  expect((await storeAt({ statePath: address, name: 'acme' }, systemWith(given))).place).toBe(place)
})

test('whose lock was removed before it reads is told so, before it plans anything', async () => {
  const { options } = await begun()
  const store = await storeAt({ statePath: options.statePath, name: 'acme' }, systemWith(given))
  const hold = await store.lock('apply')
  await store.unlock({ id: hold.id, ownerEnded: true })
  await expect(hold.read()).rejects.toMatchObject({
    code: StateConflictError.code,
    message: expect.stringContaining('the lock was removed'),
  })
  await hold.release()
})
