import { expect, test } from 'vitest'
import { StateReadError, StateWriteError } from '../../../../reconciler/errors/index.ts'
import { initState, openSession, readSession } from '../../../../reconciler/state/index.ts'
import { systemWith } from '../../../../reconciler/state/machine/system.ts'
import { storeAt } from '../../../../reconciler/state/stores/index.ts'
import { usePostgres } from '../../../support/postgres.ts'
import { expected, headerOf, put, stateWith } from '../support/samples.ts'

const postgres = usePostgres()
let schemas = 0

/** A state in which a command is at work while somebody changes the database. */
const begun = async () => {
  const server = postgres()
  schemas += 1
  const schema = `meddled_${schemas}`
  const pauses: number[] = []
  /** Called in place of each wait before a retry. */
  const waits = { meanwhile: (): Promise<unknown> => Promise.resolve() }
  const given = {
    env: {},
    pause: async (ms: number) => {
      pauses.push(ms)
      await waits.meanwhile()
    },
  }
  const options = { statePath: `${server.address}?schema=${schema}`, expect: expected, command: 'apply' }
  await initState(options, given)
  const store = await storeAt({ statePath: options.statePath, name: 'acme' }, systemWith(given))
  const hold = await store.lock('apply')
  await hold.read()
  const append = () => hold.append(headerOf(stateWith()), [])
  return { server, schema, options, given, pauses, waits, hold, append }
}

test('a command whose tables somebody has removed says so as of a failed write, and not that there was never a state', async () => {
  const { server, schema, hold, append } = await begun()
  await server.ask(`DROP TABLE ${schema}.journal; DROP TABLE ${schema}.states`)
  const isGone = { hint: expect.stringContaining('removed the tables') }
  await expect(append()).rejects.toMatchObject({ code: StateWriteError.code, ...isGone })
  await expect(hold.confirm()).rejects.toMatchObject({ code: StateReadError.code, ...isGone })
  await expect(hold.release()).rejects.toMatchObject({ code: StateWriteError.code })
})

test.each([
  [
    'a policy',
    'ALTER TABLE %.states ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; CREATE POLICY reads ON %.states FOR SELECT USING (true)',
  ],
  [
    'a trigger',
    "CREATE FUNCTION %.swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER swallow BEFORE UPDATE ON %.states FOR EACH ROW EXECUTE FUNCTION %.swallow()",
  ],
])('%s that lets no write through is not taken for somebody who has written', async (_, change) => {
  const { server, schema, append } = await begun()
  await server.ask(change.replaceAll('%', schema))
  await expect(append()).rejects.toMatchObject({
    code: StateWriteError.code,
    message: expect.stringContaining('changed nothing'),
    hint: expect.stringContaining('row level security'),
  })
})

test.each([
  [
    'a column has another name',
    'ALTER TABLE %.states RENAME COLUMN header TO heading',
    'as state init makes them',
  ],
  [
    'a constraint refuses it',
    'ALTER TABLE %.states ADD CHECK (record_count < 0) NOT VALID',
    'as state init makes them',
  ],
])('where %s, the hint is about the tables and not about the network', async (_, change, hint) => {
  const { server, schema, append } = await begun()
  await server.ask(change.replaceAll('%', schema))
  await expect(append()).rejects.toMatchObject({
    code: StateWriteError.code,
    hint: expect.stringContaining(hint),
  })
})

test('a statement that is ended because it takes too long is sent again', async () => {
  const { server, schema, options, given, pauses, waits, hold } = await begun()
  await hold.release()
  const session = await openSession(options, given)
  await server.ask(`
    CREATE FUNCTION ${schema}.slow() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE query_canceled USING MESSAGE = 'canceling statement due to statement timeout'; END $$;
    CREATE TRIGGER slow BEFORE UPDATE ON ${schema}.states FOR EACH ROW EXECUTE FUNCTION ${schema}.slow()`)
  waits.meanwhile = () => server.ask(`DROP TRIGGER IF EXISTS slow ON ${schema}.states`)
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  expect(pauses.length).toBeGreaterThan(0)
  expect((await readSession(options, given)).state.resources).toHaveProperty('things.a')
})

test('what always takes too long is certainly not written, and the error names the setting', async () => {
  const { server, schema, append } = await begun()
  await server.ask(`
    CREATE FUNCTION ${schema}.slow() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE query_canceled USING MESSAGE = 'canceling statement due to statement timeout'; END $$;
    CREATE TRIGGER slow BEFORE UPDATE ON ${schema}.states FOR EACH ROW EXECUTE FUNCTION ${schema}.slow()`)
  await expect(append()).rejects.toMatchObject({
    code: StateWriteError.code,
    message: 'cannot write the state: Postgres: canceling statement due to statement timeout',
    hint: expect.stringContaining('statement_timeout'),
  })
})
