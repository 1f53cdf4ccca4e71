import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  LockedError,
  LockMismatchError,
  StateAddressError,
  StateConflictError,
  StateCorruptError,
  StateReadError,
  StateWriteError,
} from '../../../../reconciler/errors/index.ts'
import {
  addressFrom,
  initState,
  openSession,
  pushRescue,
  readSession,
  unlockState,
} from '../../../../reconciler/state/index.ts'
import { readRescue } from '../support/read-rescue.ts'
import { selfSigned } from '../../../provider/api/support/certificate.ts'
import { temporaryFolder } from '../support/folder.ts'
import { hostWith } from '../support/hosts.ts'
import { expected, intentFor, put } from '../support/samples.ts'
import {
  CREDENTIALS,
  type Answered,
  type Fate,
  type Manner,
  putState,
  type StateServer,
  stateAt,
  stateServer,
} from './support/state-server.ts'

/** Nothing of this machine, and no waiting. */
const outside = { env: CREDENTIALS, pause: () => Promise.resolve() }

const optionsFor = ({ address }: Pick<StateServer, 'address'>, folder = '/nowhere') => ({
  statePath: address,
  folder,
  expect: expected,
  command: 'apply',
})

const begun = async (manner: Manner = 'plain') => {
  const server = await stateServer(manner, { isOpen: false })
  const options = optionsFor(server, await temporaryFolder())
  await initState(options, outside)
  const open = () => openSession(options, outside)
  const read = async () => {
    const { state, unknown, busy } = await readSession(options, outside)
    return { things: Object.keys(state.resources), unknown: unknown.length, busy: busy?.command }
  }
  return { server, options, open, read }
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  )

const always = (server: StateServer, method: string, fate: Fate): void => {
  server.fate = (asked) => (asked.method === method ? fate : 'answer')
}

const documentAt = (server: StateServer) => JSON.parse(server.document ?? 'null')

test('what is asked of a server is what the protocol has', async () => {
  const { server, open } = await begun('gitlab')
  server.log.length = 0
  const session = await open()
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  const asked = server.log.map(({ method, path }) => `${method} ${path.replace(/^.*\/state/, '')}`)
  expect(asked[0]).toBe('POST /acme/lock')
  expect(asked.at(-1)).toBe('DELETE /acme/lock')
  const lock = JSON.parse(server.log[0]?.body ?? '')
  expect(Object.keys(lock).toSorted()).toStrictEqual(
    ['Created', 'ID', 'Info', 'Operation', 'Path', 'Version', 'Who'].toSorted(),
  )
  const saves = server.log.filter(({ method, path }) => method === 'POST' && !path.endsWith('/lock'))
  expect(new Set(saves.map(({ query }) => query.get('ID')))).toStrictEqual(new Set([lock.ID]))
  expect(saves.every(({ headers }) => headers['content-md5'] !== undefined)).toBe(true)
  const serials = saves.map(({ body }) => JSON.parse(body).serial)
  expect(serials).toStrictEqual(serials.map((_, index) => serials[0] + index))
  expect(new Set(saves.map(({ body }) => JSON.parse(body).deploymgmt.save)).size).toBe(saves.length)
  expect(documentAt(server)).toMatchObject({ version: 4, lineage: expect.any(String) })
})

/** What is asked for the document itself, and not for its lock. */
const askedOf = (server: StateServer): string[] =>
  server.log
    .filter(({ path, method }) => !/LOCK/u.test(method) && !path.endsWith('/lock'))
    .map(({ method }) => method)

test.each<readonly [Manner, string]>([
  // Nothing else keeps out who was unlocked while nobody has the lock.
  ['plain', 'GET POST GET'],
  ['gitea', 'GET POST GET'],
  ['gitlab', 'POST GET'],
])('as %s, an append is %s', async (manner, each) => {
  const { server, open } = await begun(manner)
  server.log.length = 0
  const session = await open()
  expect(askedOf(server).join(' ')).toBe('GET POST GET')
  server.log.length = 0
  await session.intent(intentFor('things.a'))
  await session.intent(intentFor('things.b'))
  expect(askedOf(server).join(' ')).toBe(`${each} ${each}`)
  server.log.length = 0
  await session.close()
  expect(askedOf(server).join(' ')).toBe('GET POST GET')
})

test.each<Manner>(['plain', 'gitlab', 'gitea'])(
  'as %s, who was unlocked writes over nothing while nobody has the lock',
  async (manner) => {
    const { server, options, open, read } = await begun(manner)
    const far = { ...outside, host: { ...hostWith(500, () => true), name: 'elsewhere' } }
    const old = await openSession(options, far)
    await old.intent(intentFor('things.a'))
    await unlockState(options, { id: server.lock?.['ID'] as string }, outside)
    const next = await open()
    await next.effects([put('things.b')])
    await next.commit()
    await next.close()
    await expect(old.effects([put('things.c')])).rejects.toThrow(StateConflictError)
    expect((await read()).things).toStrictEqual(['things.b'])
  },
)

test('whether a lock is compared is tried once for an address, and again at another one', async () => {
  const { server, open } = await begun()
  const tried = () => {
    const ids = server.log.filter(({ method }) => method === 'POST').map(({ query }) => query.get('ID'))
    return ids.length - new Set(ids).size
  }
  const wrong = server.log.filter(({ method, body }) => method === 'POST' && !body.includes('"owner"'))
  expect(wrong.length).toBeGreaterThan(0)
  server.log.length = 0
  await (await open()).close()
  // One id wrote both the owner and its end.
  expect(tried()).toBe(1)
  expect(server.log.filter(({ method }) => method === 'POST')).toHaveLength(2)
  const other = await stateServer('careless')
  other.document = server.document
  await expect(openSession(optionsFor(other), outside)).rejects.toThrow(StateWriteError)
})

test('a server that takes a save under any lock keeps nothing, and says why', async () => {
  const server = await stateServer('careless')
  for (const attempt of [initState, openSession]) {
    const error = await failureOf(attempt(optionsFor(server), outside))
    expect(error).toMatchObject({
      code: StateWriteError.code,
      message: expect.stringContaining('takes a save under a lock that nobody holds'),
      where: server.address,
    })
    expect(server.lock).toBeUndefined()
  }
  expect((await readSession(optionsFor(server), outside)).exists).toBe(false)
})

test('what is tried at a server writes over nothing of somebody who has come and gone meanwhile', async () => {
  const { server, options } = await begun()
  const document = documentAt(server)
  delete document.deploymgmt.probed
  server.document = JSON.stringify(document)
  always(server, 'POST', 'cut-before')
  const comeAndGone = async (): Promise<void> => {
    server.fate = () => 'answer'
    server.lock = undefined
    if (documentAt(server).serial === document.serial) putState(server, stateAt(server))
  }
  const opening = openSession(options, { ...outside, pause: comeAndGone })
  await expect(opening).rejects.toThrow(StateConflictError)
  expect(documentAt(server).deploymgmt.save).toContain('of-somebody')
})

test('a save of which nothing is heard for five minutes is given up, and found done where it comes later', async () => {
  const { server, open, read } = await begun()
  const session = await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let held = 0
  server.fate = async ({ method, gone }): Promise<Fate> => {
    if (method !== 'POST') return 'answer'
    held += 1
    if (held > 1) return 'answer'
    vi.advanceTimersByTime(300_000)
    await gone()
    return 'answer'
  }
  await session.effects([put('things.a')])
  vi.useRealTimers()
  expect(held).toBeGreaterThan(0)
  await session.commit()
  await session.close()
  expect(await read()).toStrictEqual({ things: ['things.a'], unknown: 0, busy: undefined })
})

const WAYS: readonly (readonly [Manner, Fate])[] = (['plain', 'gitlab', 'gitea'] as const).flatMap((manner) =>
  (['cut-before', 'cut-after', 'fail', 'fail-after'] as const).map((fate) => [manner, fate] as const),
)

describe.each(WAYS)('as %s, where one request is met by %s', (manner, fate) => {
  test('an apply ends as without it, whichever request that is', async () => {
    const { server, options, open, read } = await begun(manner)
    let met = 0
    for (let nth = 1, isMet = true; isMet; nth += 1) {
      const first = server.log.length
      isMet = false
      server.fate = (asked) => {
        if (asked.nth !== first + nth) return 'answer'
        isMet = true
        return fate
      }
      const session = await open()
      const n = await session.intent(intentFor(`things.${nth}`))
      await session.answered(n, [put(`things.${nth}`)])
      await session.confirm()
      await session.commit()
      await session.close()
      server.fate = () => 'answer'
      if (isMet) met += 1
      expect(await read()).toMatchObject({ unknown: 0, busy: undefined })
      const { state } = await readSession(options, outside)
      expect([Object.keys(state.resources).length, state.serial]).toStrictEqual([nth, nth + 1])
      expect(server.lock).toBeUndefined()
    }
    expect(met).toBeGreaterThan(12)
  })
})

describe.each<Manner>(['plain', 'gitlab', 'gitea'])('a save that was given up, as %s', (manner) => {
  /** A command that has an answer which nobody heard to be recorded, and whose save is still on its way. */
  const withLate = async () => {
    const here = await begun(manner)
    const session = await here.open()
    const n = await session.intent(intentFor('things.a'))
    always(here.server, 'POST', 'late')
    await expect(session.intent(intentFor('things.b'))).rejects.toMatchObject({
      code: StateWriteError.code,
      message: expect.stringContaining('is not known'),
    })
    here.server.fate = () => 'answer'
    return { ...here, session, n }
  }

  test('and arrives before the next is no conflict, and nothing of it is acted upon', async () => {
    const { server, session, n, read } = await withLate()
    server.arrive()
    await session.answered(n, [put('things.a')])
    await session.commit()
    await session.close()
    expect(await read()).toStrictEqual({ things: ['things.a'], unknown: 0, busy: undefined })
  })

  test('and arrives after the next does not stay', async () => {
    const { server, session, n, read } = await withLate()
    await session.answered(n, [put('things.a')])
    server.arrive()
    await session.commit()
    await session.close()
    expect(await read()).toStrictEqual({ things: ['things.a'], unknown: 0, busy: undefined })
  })

  test('and arrives once the lock is another one’s is refused', async () => {
    const { server, session, options, n, open, read } = await withLate()
    await session.answered(n, [put('things.a')])
    await unlockState(options, { id: server.lock?.['ID'] as string, ownerEnded: true }, outside)
    const next = await open()
    await next.effects([put('things.c')])
    server.arrive()
    await next.commit()
    await next.close()
    expect(await read()).toMatchObject({ things: ['things.a', 'things.c'], unknown: 0 })
    await expect(session.effects([put('things.d')])).rejects.toThrow(StateConflictError)
  })
})

test('where a save that was given up covers what is certain, looking after the lock puts it right', async () => {
  const { server, options } = await begun()
  let now = new Date('2026-11-22T12:00:00Z')
  const session = await openSession(options, { ...outside, now: () => now })
  always(server, 'POST', 'late')
  await expect(session.intent(intentFor('things.b'))).rejects.toThrow(StateWriteError)
  server.fate = () => 'answer'
  await session.effects([put('things.a')])
  server.arrive()
  expect(server.document).toContain('things.b')
  now = new Date(now.getTime() + 60_000)
  await session.confirm()
  expect(server.document).not.toContain('things.b')
  expect(server.document).toContain('things.a')
  await session.close()
})

test('whose lock was taken away at the server itself writes nothing more, and the next one waits for it', async () => {
  for (const manner of ['plain', 'gitlab'] as const) {
    const { server, options, open } = await begun(manner)
    const far = { ...outside, host: { ...hostWith(500, () => true), name: 'elsewhere' } }
    const session = await openSession(options, far)
    await session.intent(intentFor('things.a'))
    server.lock = undefined
    const next = await open()
    expect(next.unlocked.unlockedAt).toBeDefined()
    await expect(session.effects([put('things.b')])).rejects.toMatchObject({
      code: StateConflictError.code,
      message: expect.stringContaining('the lock was taken away; now "apply" (process '),
    })
    await next.effects([put('things.c')])
    await next.close()
    expect(server.lock).toBeUndefined()
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
    message: 'the state was not saved: the lock was taken away',
  })
})

test('unlock knows an owner whose lock is gone at the server already', async () => {
  const { server, options, open } = await begun()
  await open()
  const id = server.lock?.['ID'] as string
  server.lock = undefined
  await unlockState(options, { id, ownerEnded: true }, outside)
  expect((await readSession(options, outside)).busy).toBeUndefined()
  await expect(unlockState(options, { id }, outside)).rejects.toThrow(LockMismatchError)
  expect((await open()).unlocked.unlockedAt).toBeUndefined()
})

test.each<Manner>(['plain', 'gitlab'])(
  'as %s, a lock of Terraform is named, and taken away by its id',
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
    await expect(unlockState(options, { id: 'another' }, outside)).rejects.toThrow(ID)
    await unlockState(options, { id: ID }, outside)
    expect(server.lock).toBeUndefined()
  },
)

test('a lock whose holder the server does not tell is told so', async () => {
  const { server, open } = await begun()
  server.fate = ({ method }) => (method === 'LOCK' ? 423 : 'answer')
  await expect(open()).rejects.toMatchObject({
    code: LockedError.code,
    hint: expect.stringContaining('does not tell the id'),
  })
})

/** A server that says that somebody has the lock, and not who. */
const tellingNoId = (server: StateServer): void => {
  server.fate = ({ method }) => (method === 'LOCK' && server.lock !== undefined ? 423 : 'answer')
}

test('a lock of which the server does not tell the id is named by the document, and taken away by its id', async () => {
  const { server, options, open } = await begun()
  const session = await open()
  const id = server.lock?.['ID'] as string
  tellingNoId(server)
  await expect(open()).rejects.toMatchObject({
    code: LockedError.code,
    hint: expect.stringContaining(`deploymgmt state unlock ${id}`),
  })
  await expect(unlockState(options, { id: 'another' }, outside)).rejects.toThrow(LockMismatchError)
  expect(server.lock).toMatchObject({ ID: id })
  await unlockState(options, { id }, outside)
  expect(server.lock).toBeUndefined()
  await expect(session.intent(intentFor('things.a'))).rejects.toThrow(StateConflictError)
  const next = await open()
  expect(next.unlocked.unlockedAt).toBeDefined()
  await next.close()
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
  await unlockState(options, { id }, outside)
  server.fate = () => 'answer'
  await (await open()).close()
})

test.each([
  ['7', 7000],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
  ['86400', 60_000],
])('a server that asks for a pause of %s is left alone for %d ms', async (header, pause) => {
  const { server, options } = await begun()
  const pauses: number[] = []
  const given = {
    ...outside,
    now: () => new Date('2026-11-20T12:00:00Z'),
    random: () => 1,
    pause: async (ms: number) => void pauses.push(ms),
  }
  let asked = 0
  server.fate = ({ method }) => {
    if (method !== 'GET') return 'answer'
    asked += 1
    return asked === 3 ? 'answer' : { status: 429, headers: { 'retry-after': header } }
  }
  await readSession(options, given)
  expect(pauses).toStrictEqual([pause, pause])
})

test('an answer that is larger than any state is not read', async () => {
  const { server, options } = await begun()
  server.fate = () => ({ status: 200, headers: { 'content-length': '300000000' } })
  await expect(readSession(options, outside)).rejects.toThrow('has more than 256 MB')
})

test('a user without a password is a token, and is not shown', async () => {
  const env = { DEPLOYMGMT_STATE_USERNAME: 'canary-token' }
  const server = await stateServer()
  server.fate = ({ headers }) => ({ status: 400, body: `canary-token ${headers.authorization}` })
  const error = await failureOf(readSession(optionsFor(server), { ...outside, env }))
  expect(String(error)).toContain('(hidden)')
  expect(String(error)).not.toContain('canary')
  expect(String(error)).not.toContain(Buffer.from('canary-token:').toString('base64'))
})

test('an attempt at the lock that nobody heard of prints its id', async () => {
  const { server, options, open } = await begun()
  server.fate = ({ method }) => (method === 'LOCK' ? 'cut-after' : 'answer')
  const error = await failureOf(open())
  const id = server.lock?.['ID'] as string
  expect(error).toMatchObject({
    code: StateWriteError.code,
    hint: expect.stringContaining(`state unlock ${id}`),
  })
  server.fate = () => 'answer'
  await unlockState(options, { id }, outside)
  await (await open()).close()
})

test('a lock that could not be given back is told of, with what removes it', async () => {
  for (const method of ['POST', 'UNLOCK']) {
    const { server, options, open } = await begun()
    const session = await open()
    always(server, method, 'fail')
    const error = await failureOf(session.close())
    const id = server.lock?.['ID'] as string
    expect(error).toMatchObject({
      code: StateWriteError.code,
      hint: expect.stringContaining(`state unlock ${id}`),
    })
    server.fate = () => 'answer'
    await unlockState(options, { id }, outside)
    await (await open()).close()
  }
})

test.each<[string, number, string, string]>([
  ['POST', 400, 'does not accept the request', 'ask who runs the server'],
  ['POST', 401, 'does not let in', 'DEPLOYMGMT_STATE_PASSWORD'],
  ['POST', 403, 'does not allow this', 'may write there'],
  ['POST', 404, 'there is nothing at this address', 'Check the address'],
  ['POST', 413, 'the document is too large for it', 'Raise the limit'],
  ['POST', 422, 'wants a newer serial', 'deploymgmt state pull'],
  ['POST', 302, 'it refuses', 'write the address that it leads to'],
  ['POST', 429, 'too many requests', ''],
])('a save that a %s is answered with %d for is told in words', async (method, status, words, hint) => {
  const { server, open } = await begun()
  const session = await open()
  always(server, method, status)
  const error = await failureOf(session.intent(intentFor('things.a')))
  expect(error).toMatchObject({ code: StateWriteError.code, message: expect.stringContaining(words) })
  expect((error as StateWriteError).hint).toContain(hint)
  expect(String(error)).toContain(String(status))
  server.fate = () => 'answer'
  await session.effects([put('things.b')])
  await session.close()
})

test('where what is there cannot be read, nothing is written over it, and the error says why', async () => {
  const { server, open } = await begun()
  const session = await open()
  always(server, 'GET', 403)
  expect(await failureOf(session.intent(intentFor('things.a')))).toMatchObject({
    code: StateWriteError.code,
    message: expect.stringMatching(/^cannot write the state: the server answers 403: it does not allow this/),
    where: server.address,
    hint: expect.stringContaining('may read there'),
  })
  server.fate = () => 'answer'
  await session.close()
})

test.each([409, 423])(
  'a save that is refused with %d is read back before it counts as refused',
  async (status) => {
    const { server, open, read } = await begun()
    const session = await open()
    let saves = 0
    server.fate = async (asked) => {
      if (asked.method !== 'POST') return 'answer'
      saves += 1
      return saves === 1 ? 'fail-after' : status
    }
    await session.effects([put('things.a')])
    expect(await read()).toMatchObject({ things: ['things.a'] })
    server.fate = ({ method }) => (method === 'POST' ? status : 'answer')
    await expect(session.effects([put('things.b')])).rejects.toThrow(StateConflictError)
  },
)

test.each<readonly [Manner, number]>([
  ['plain', 409],
  ['plain', 423],
  ['gitea', 409],
  ['gitlab', 409],
  ['gitlab', 422],
])(
  'as %s, a save that is refused with %d once or twice, and that nobody hinders, is sent again',
  async (manner, status) => {
    const { server, open, read } = await begun(manner)
    const session = await open()
    for (const [times, thing] of [
      [1, 'things.a'],
      [2, 'things.b'],
    ] as const) {
      let saves = 0
      server.fate = ({ method }) => (method === 'POST' && (saves += 1) <= times ? status : 'answer')
      await session.effects([put(thing)])
      expect(saves).toBe(times + 1)
    }
    await session.close()
    expect(await read()).toMatchObject({ things: ['things.a', 'things.b'] })
  },
)

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
      message: expect.stringContaining('cannot give the lock of the state back'),
      hint: expect.stringMatching(/^The state is still locked: deploymgmt state unlock /),
    })
    expect(server.lock).toBeDefined()
  },
)

test('an unlocking whose own lock is not taken back says so, with what takes that away', async () => {
  const { server, open, options } = await begun()
  await open()
  const id = server.lock?.['ID'] as string
  server.fate = ({ method, body }) => (method === 'UNLOCK' && !body.includes(id) ? 423 : 'answer')
  const error = await failureOf(unlockState(options, { id }, outside))
  const own = server.lock?.['ID'] as string
  expect(own).not.toBe(id)
  expect(error).toMatchObject({
    code: 'DM-STATE-WRITE',
    hint: expect.stringContaining(`deploymgmt state unlock ${own}`),
  })
  server.fate = () => 'answer'
  await unlockState(options, { id: own }, outside)
  await (await open()).close()
})

test('a save that is refused with the name of another owner is not sent again', async () => {
  const { server, open } = await begun()
  const session = await open()
  let saves = 0
  server.fate = ({ method }) => {
    if (method !== 'POST') return 'answer'
    saves += 1
    return { status: 423, body: JSON.stringify({ ID: 'another', Who: 'somebody' }) }
  }
  await expect(session.effects([put('things.a')])).rejects.toThrow(StateConflictError)
  expect(saves).toBe(1)
})

test('a server that says yes and keeps nothing is not believed', async () => {
  const { server, open } = await begun()
  const session = await open()
  always(server, 'POST', 200)
  await expect(session.intent(intentFor('things.a'))).rejects.toThrow('has what was there before')
})

test.each([
  [401, StateReadError, 'DEPLOYMGMT_STATE_USERNAME'],
  [403, StateReadError, 'may read there'],
  [500, StateReadError, 'Try again later'],
  [301, StateReadError, 'it leads to'],
])('what cannot be read for %d is told in words', async (status, Failure, hint) => {
  const { server, options } = await begun()
  always(server, 'GET', status)
  const error = await failureOf(readSession(options, outside))
  expect(error).toBeInstanceOf(Failure)
  expect(error).toMatchObject({ where: server.address, hint: expect.stringContaining(hint) })
})

test('a server without a lock is told of, with how it could be meant', async () => {
  for (const status of [404, 405, 501]) {
    const { server, open } = await begun()
    always(server, 'LOCK', status)
    await expect(open()).rejects.toMatchObject({
      code: StateWriteError.code,
      message: expect.stringContaining('cannot lock the state'),
      hint: expect.stringContaining('#lock'),
    })
  }
})

test('a server without a lock beside the address is told of as one', async () => {
  const server = await stateServer('beside')
  always(server, 'POST', 405)
  const options = { ...optionsFor(server), statePath: `${server.address}#lock` }
  await expect(initState(options, outside)).rejects.toMatchObject({
    hint: expect.stringContaining('leave #lock out'),
  })
})

test('an address can say that its lock is beside it', async () => {
  const server = await stateServer('beside')
  const options = { ...optionsFor(server), statePath: `${server.address}#lock` }
  await initState(options, outside)
  expect((await readSession(options, outside)).place).toBe(`${server.address}#lock`)
  expect(server.log[0]).toMatchObject({ method: 'POST', path: '/states/acme/lock' })
})

test.each([
  [
    'a wrong password',
    { ...CREDENTIALS, DEPLOYMGMT_STATE_PASSWORD: 'wrong-canary' },
    'a token can have ended',
  ],
  ['neither', {}, 'Set DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD'],
  ['no password', { DEPLOYMGMT_STATE_USERNAME: 'canary' }, 'DEPLOYMGMT_STATE_PASSWORD is not set: set it.'],
  [
    'no user',
    { DEPLOYMGMT_STATE_PASSWORD: 'canary-password' },
    'DEPLOYMGMT_STATE_USERNAME is not set: set it.',
  ],
])('with %s nobody is let in, and nothing is shown of it', async (_, env, hint) => {
  const server = await stateServer('gitlab', { isOpen: false })
  for (const attempt of [initState, openSession, readSession]) {
    const error = await failureOf(attempt(optionsFor(server), { ...outside, env }))
    expect(error).toMatchObject({ where: server.address, hint: expect.stringContaining(hint) })
    expect(String(error) + JSON.stringify(error)).not.toContain('canary')
  }
  expect(server.document).toBeUndefined()
})

test('what a server says is shown without credentials, without what drives a terminal, and not where it is a page', async () => {
  const { server, open } = await begun('gitlab')
  const basic = Buffer.from('ci:canary-password').toString('base64')
  const said: Answered = { status: 400, body: `no: ${basic}, canary-password \u001b[31m` }
  server.fate = ({ method }) => (method === 'GET' ? 'answer' : said)
  const shown = '(no: (hidden), (hidden) \\u001b[31m)'
  await expect(open()).rejects.toThrow(`the server answers 400: it does not accept the request ${shown}`)
  server.fate = () => ({ status: 400, body: '<!DOCTYPE html><title>canary</title>' })
  await expect(open()).rejects.toThrow(/it does not accept the request$/)
})

test('what is no state of deploymgmt is left as it is', async () => {
  const server = await stateServer()
  const terraform = JSON.stringify({ version: 4, serial: 3, lineage: 'x', outputs: {}, resources: [] })
  server.document = terraform
  for (const attempt of [initState, openSession, readSession])
    await expect(attempt(optionsFor(server), outside)).rejects.toThrow(StateAddressError)
  expect([server.document, server.lock]).toStrictEqual([terraform, undefined])
})

test.each([
  ['{', 'it is not valid JSON'],
  ['{"deploymgmt":{},"deploymgmt":{}}', 'is given twice'],
  ['{"version":4,"serial":1,"lineage":"x","deploymgmt":{"save":"x","journal":{"header":{}}}}', 'records'],
  ['{"version":5,"serial":1,"lineage":"x","deploymgmt":{"save":"x"}}', 'version'],
])('a damaged document is refused, and left as it is: %s', async (text, words) => {
  const { server, options, open } = await begun()
  server.document = text
  await expect(open()).rejects.toThrow(words)
  await expect(readSession(options, outside)).rejects.toThrow(StateCorruptError)
  expect([server.document, server.lock]).toStrictEqual([text, undefined])
})

test('an answer that was changed on the way counts as none', async () => {
  const { server, options } = await begun()
  expect(server.document).toBeDefined()
  server.hasWrongDigest = true
  await expect(readSession(options, outside)).rejects.toThrow('was changed on the way')
})

test('somebody who writes past the lock is not written over, and the lock is given back', async () => {
  const { server, open } = await begun()
  const session = await open()
  await session.effects([put('things.a')])
  const foreign = stateAt(server).replace('"serial": 1', '"serial": 7')
  putState(server, foreign)
  await expect(session.commit()).rejects.toThrow(StateConflictError)
  await session.close()
  expect([stateAt(server), server.lock]).toStrictEqual([foreign, undefined])
})

test('where the server is cut off, the rescue file has everything, and a push ends it', async () => {
  const { server, options, open, read } = await begun('gitlab')
  const session = await open()
  const n = await session.intent(intentFor('things.a'))
  server.fate = () => 'cut-before'
  await expect(session.answered(n, [put('things.a')], 201)).rejects.toThrow(StateWriteError)
  await expect(session.close()).rejects.toThrow('what could not be recorded is in')
  const [name = 'none'] = (await readdir(options.folder)).filter((each) =>
    each.startsWith('deploymgmt.rescue.'),
  )
  const text = await readFile(join(options.folder, name), 'utf8')
  expect(text).not.toContain('canary')
  server.fate = () => 'answer'
  expect(await read()).toMatchObject({ things: [] })
  const rescue = await readRescue(join(options.folder, name))
  expect(await pushRescue(options, rescue, outside)).toMatchObject({ merged: 1, known: 0 })
  expect(await read()).toStrictEqual({ things: ['things.a'], unknown: 0, busy: undefined })
})

test('no credential is in what is kept, nor in what is asked of the lock', async () => {
  const { server, open } = await begun('gitlab')
  const session = await open()
  await session.intent(intentFor('things.a'))
  const seen = server.log.map(({ path, query, body }) => `${path}?${String(query)} ${body}`).join('\n')
  expect(seen).not.toContain('canary')
  expect(seen).not.toContain(Buffer.from('ci:canary-password').toString('base64'))
  expect(server.log.every(({ headers }) => headers.authorization !== undefined)).toBe(true)
  await session.close().catch(() => undefined)
})

test('a certificate is trusted through the CA file, and else not', async () => {
  const tls = selfSigned()
  const server = await stateServer('gitlab', { isOpen: false, tls })
  await expect(readSession(optionsFor(server), outside)).rejects.toMatchObject({
    code: StateReadError.code,
    message: expect.stringContaining('certificate'),
    hint: expect.stringContaining('DEPLOYMGMT_CA_FILE'),
  })
  expect(server.log).toStrictEqual([])
  const caFile = join(await temporaryFolder(), 'ca.pem')
  await writeFile(caFile, tls.cert)
  const trusting = { ...outside, env: { ...CREDENTIALS, DEPLOYMGMT_CA_FILE: caFile } }
  await initState(optionsFor(server), trusting)
  expect((await readSession(optionsFor(server), trusting)).exists).toBe(true)
})

test.each([
  ['does not speak TLS: is it plain http?', 'begin the address with http://', undefined],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'In the address, use a name that the certificate', selfSigned()],
])(
  'without TLS that can be used, it is said what it was, and nothing of OpenSSL: %s',
  async (what, hint, tls) => {
    const server = await stateServer('gitlab', { isOpen: false, ...(tls && { tls }) })
    const { host, port, pathname } = new URL(server.address)
    const called = tls === undefined ? host : `localhost:${port}`
    const caFile = join(await temporaryFolder(), 'ca.pem')
    await writeFile(caFile, tls?.cert ?? selfSigned().cert)
    const env = { ...CREDENTIALS, DEPLOYMGMT_CA_FILE: caFile }
    const options = { ...optionsFor(server), statePath: `https://${called}${pathname}` }
    const error = await failureOf(readSession(options, { ...outside, env }))
    expect(error).toMatchObject({ code: StateReadError.code, hint: expect.stringContaining(hint) })
    expect(error).toMatchObject({ message: expect.stringContaining(what), where: options.statePath })
    expect(String(error)).not.toMatch(/routines|\.c:|does not answer/)
  },
)

test('a page in place of a state is told as one', async () => {
  const { server, options, open } = await begun()
  always(server, 'GET', { status: 200, body: '\n<!doctype html><title>Sign in</title>' })
  for (const work of [readSession(options, outside), open()])
    expect(await failureOf(work)).toMatchObject({
      code: StateAddressError.code,
      message: expect.stringContaining('a page for a browser'),
      hint: expect.stringContaining('login page'),
      where: server.address,
    })
  expect(server.lock).toBeUndefined()
})

test('who is waited for is said, once, where a server does not answer for a while', async () => {
  const { server, options } = await begun()
  const said: string[] = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  server.beforeAnswer = () => void vi.advanceTimersByTime(5_000)
  const say = async (text: string): Promise<void> => void said.push(text)
  const session = await openSession(options, { ...outside, say })
  await session.close()
  expect(said).toEqual([
    `The server of the state has not answered for 5 s; it is waited for, up to 60 s each time that it is asked: ${server.address}`,
  ])
})

test('plain http is for loopback, and for whoever accepts it', async () => {
  const address = { statePath: 'http://states.invalid/acme', folder: '/nowhere', expect: expected }
  await expect(readSession(address, outside)).rejects.toMatchObject({
    code: StateAddressError.code,
    hint: expect.stringContaining('--allow-http'),
  })
  await expect(readSession({ ...address, allowHttp: true }, outside)).rejects.toThrow(StateReadError)
})

test.each([
  'https://token-canary@example.com/x',
  'https://me:canary@example.com/x',
  'https://example.com/x?private_token=canary',
  'https://example.com/x?sv=2024&sig=canary',
  'https://example.com/x?code=canary',
  'https://example.com/x?jwt=canary',
  'https://example.com/x?ID=1',
  'https://example.com/x#canary',
  'https:canary',
  'https://',
])('the address %s is refused, and not shown', async (address) => {
  const error = await failureOf(Promise.resolve().then(() => addressFrom(address, '/')))
  expect(error).toBeInstanceOf(StateAddressError)
  expect(JSON.stringify(error) + String(error)).not.toContain('canary')
})

test.each([
  'https://example.com/states/acme',
  'https://example.com:8443/x?type=git&state=a/b.json',
  'https://gitlab.example.com/api/v4/projects/7/terraform/state/acme',
  'https://example.com/states/acme#lock',
  'http://127.0.0.1:8080/acme',
])('the address %s is taken', (address) => {
  expect(addressFrom(address, '/')).toBe(address)
})
