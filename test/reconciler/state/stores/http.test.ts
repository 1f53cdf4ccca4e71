import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StateConflictError, StateWriteError } from '../../../../reconciler/errors/index.ts'
import { initState, openSession, pushRescue, unlockState } from '../../../../reconciler/state/index.ts'
import { readRescue } from '../support/read-rescue.ts'
import { hostWith } from '../support/hosts.ts'
import { intentFor, put } from '../support/samples.ts'
import { system, optionsFor, begun, failureOf, always, documentAt } from './support/http.ts'
import { type Manner, putState, type StateServer, stateAt, stateServer } from './support/state-server.ts'

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

/** The requests for the document itself, without those for its lock. */
const askedOf = (server: StateServer): string[] =>
  server.log
    .filter(({ path, method }) => !/LOCK/u.test(method) && !path.endsWith('/lock'))
    .map(({ method }) => method)

test.each<readonly [Manner, string]>([
  // While nobody has the lock, nothing else keeps out an owner whose lock was removed.
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
  'as %s, an owner whose lock was taken away overwrites nothing while nobody has the lock',
  async (manner) => {
    const { server, options, open, read } = await begun(manner)
    const far = { ...system, host: { ...hostWith(500, () => true), name: 'elsewhere' } }
    const old = await openSession(options, far)
    await old.intent(intentFor('things.a'))
    await unlockState(options, { id: server.lock?.['ID'] as string }, system)
    const next = await open()
    await next.effects([put('things.b')])
    await next.commit()
    await next.close()
    await expect(old.effects([put('things.c')])).rejects.toThrow(StateConflictError)
    // Another run of the command would not find that out: only the file has it.
    expect(await failureOf(old.close())).toMatchObject({
      code: StateConflictError.code,
      hint: expect.stringMatching(/^Keep that file\. Once .* run: deploymgmt state push /u),
    })
    expect((await read()).things).toStrictEqual(['things.b'])
  },
)

test.each<Manner>(['careless', 'plain', 'gitlab', 'gitea'])(
  'as %s, a state is not written over because it was once said not to be there, as by a proxy that restarts',
  async (manner) => {
    const { server, open } = await begun(manner)
    const before = stateAt(server)
    let hasSaid = false
    server.fate = ({ method }) => {
      if (method !== 'GET' || hasSaid) return 'answer'
      hasSaid = true
      return 404
    }
    const session = await open()
    await session.close()
    expect([hasSaid, stateAt(server)]).toStrictEqual([true, before])
  },
)

/** Something on the way answers each GET, and lets everything else through. */
const sayingNothingIsThere = (server: StateServer, status: number): void => {
  server.fate = ({ method }) => (method === 'GET' ? status : 'answer')
}

describe.each([404, 204, 200])(
  'a state of which it is said for good with %d that it is not there',
  (status) => {
    test.each<Manner>(['careless', 'plain', 'gitea'])(
      'is not written over by a command that has nothing to record, as %s',
      async (manner) => {
        const { server, open } = await begun(manner)
        const before = server.document
        sayingNothingIsThere(server, status)
        const session = await open()
        expect(session.exists).toBe(false)
        await session.close()
        expect([server.document, server.lock]).toStrictEqual([before, undefined])
      },
    )

    test.each<Manner>(['careless', 'plain', 'gitlab', 'gitea'])(
      'is not written over by whoever takes a lock away, as %s',
      async (manner) => {
        const { server, options, open } = await begun(manner)
        await open()
        const before = server.document
        sayingNothingIsThere(server, status)
        await unlockState(options, { id: server.lock?.['ID'] as string }, system)
        expect([server.document, server.lock]).toStrictEqual([before, undefined])
        server.fate = () => 'answer'
        // It may still be at work.
        const next = await open()
        expect(next.unlocked.unlockedAt).toBeDefined()
        await next.close()
      },
    )

    test.each<Manner>(['gitlab', 'gitea'])(
      'is not written over where a serial is taken once, as by %s',
      async (manner) => {
        const { server, options } = await begun(manner)
        const before = server.document
        sayingNothingIsThere(server, status)
        await expect(initState(options, system)).rejects.toMatchObject({ code: StateWriteError.code })
        expect([server.document, server.lock]).toStrictEqual([before, undefined])
      },
    )

    test('is not written over where a server knows conditions, and what is amiss is told', async () => {
      const { server, options } = await begun()
      const before = server.document
      server.fate = ({ method, headers }) => {
        if (method === 'GET') return status
        return method === 'POST' && headers['if-none-match'] === '*' ? 412 : 'answer'
      }
      await expect(initState(options, system)).rejects.toMatchObject({
        code: StateWriteError.code,
        message: 'cannot write the state: no document was found, and the server refuses a first one with 412',
        hint: expect.stringContaining('something between here and the server answers in its place'),
      })
      expect([server.document, server.lock]).toStrictEqual([before, undefined])
    })
  },
)

test('nothing is stored before there is something to record, and the first record makes the document', async () => {
  const server = await stateServer()
  const options = optionsFor(server)
  await (await openSession(options, system)).close()
  expect([server.document, server.lock]).toStrictEqual([undefined, undefined])
  const session = await openSession(options, system)
  await session.confirm()
  const n = await session.intent(intentFor('things.a'))
  expect(documentAt(server).deploymgmt.owner).toMatchObject({ id: server.lock?.['ID'], command: 'apply' })
  await session.answered(n, [put('things.a')])
  await session.commit()
  await session.close()
  expect(documentAt(server)).toMatchObject({
    serial: expect.any(Number),
    deploymgmt: { state: { serial: 1 } },
  })
})

test('a document that turns up after none was found is not written over', async () => {
  const { server, open } = await begun()
  const before = server.document
  sayingNothingIsThere(server, 404)
  const session = await open()
  server.fate = () => 'answer'
  await expect(session.intent(intentFor('things.a'))).rejects.toMatchObject({
    code: StateConflictError.code,
    message: 'the state was not saved: a document is there now, and none was found before',
  })
  await session.close()
  expect([server.document, server.lock]).toStrictEqual([before, undefined])
})

test('a lock is given back although a document turns up that names an owner of before', async () => {
  const { server, options, open } = await begun()
  await openSession(options, system)
  server.lock = undefined
  const before = server.document
  sayingNothingIsThere(server, 404)
  const session = await open()
  server.fate = () => 'answer'
  await session.close()
  expect([server.document, server.lock]).toStrictEqual([before, undefined])
})

test.each<Manner>(['careless', 'plain', 'gitea', 'beside'])(
  'as %s, an owner whose lock was taken away before it recorded anything is kept out',
  async (manner) => {
    const server = await stateServer(manner)
    const address = manner === 'beside' ? `${server.address}#lock` : server.address
    const options = { ...optionsFor(server), statePath: address }
    const session = await openSession(options, system)
    server.lock = undefined
    await expect(session.confirm()).rejects.toThrow(StateConflictError)
    await expect(session.intent(intentFor('things.a'))).rejects.toMatchObject({
      message: 'the state was not saved: the lock was removed, or the server keeps none',
    })
    server.lock = { ID: 'of-somebody' }
    await expect(session.intent(intentFor('things.a'))).rejects.toThrow(StateConflictError)
    expect([server.document, server.lock]).toStrictEqual([undefined, { ID: 'of-somebody' }])
  },
)

test('a cache between here and the server is told to ask the server', async () => {
  const { server, open, read } = await begun()
  let kept: string | undefined
  server.fate = ({ method, headers }) => {
    if (method !== 'GET' || headers['cache-control'] === 'no-cache') return 'answer'
    return { status: 200, body: (kept ??= server.document) }
  }
  const session = await open()
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  expect(await read()).toMatchObject({ things: ['things.a'] })
})

test('whether a server compares locks is tried once for each address', async () => {
  const { server, open } = await begun()
  const tried = () => {
    const ids = server.log.filter(({ method }) => method === 'POST').map(({ query }) => query.get('ID'))
    return ids.length - new Set(ids).size
  }
  const wrong = server.log.filter(({ method, body }) => method === 'POST' && !body.includes('"owner"'))
  expect(wrong.length).toBeGreaterThan(0)
  server.log.length = 0
  await (await open()).close()
  // The same id wrote the owner and its end.
  expect(tried()).toBe(1)
  expect(server.log.filter(({ method }) => method === 'POST')).toHaveLength(2)
  const other = await stateServer('careless')
  other.document = server.document
  const session = await openSession(optionsFor(other), system)
  expect(session.notices).toContainEqual(expect.stringContaining(UNFENCED))
  await session.close()
})

const UNFENCED = 'accepts a save with a lock that nobody holds'

test('a server that takes a save under any lock is used, each command says so, and a former owner finds out', async () => {
  const server = await stateServer('careless')
  const options = optionsFor(server)
  await initState(options, system)
  const former = await openSession(options, system)
  expect(former.notices).toEqual([
    `${server.address} ${UNFENCED}: before you remove a lock, make sure that its command has ended. Servers that compare ?ID= with their lock, such as GitLab and Gitea, refuse such a save.`,
  ])
  server.lock = undefined
  const next = await openSession(options, system)
  expect(next.notices).toContainEqual(expect.stringContaining(UNFENCED))
  await expect(former.intent(intentFor('things.a'))).rejects.toThrow(StateConflictError)
  await next.intent(intentFor('things.b'))
  await next.close()
})

test('a server that accepts a save and stores nothing is reported', async () => {
  const server = await stateServer('careless')
  always(server, 'POST', 200)
  expect(await failureOf(initState(optionsFor(server), system))).toMatchObject({
    code: StateWriteError.code,
    message: expect.stringContaining('still has what was there before'),
  })
})

test('a first state that is not saved is not said to be in a journal', async () => {
  const server = await stateServer('gitlab')
  server.fate = ({ method, body }) =>
    method === 'POST' && body.includes('"state":{') ? 'cut-before' : 'answer'
  const error = await failureOf(initState(optionsFor(server), system))
  expect(error).toBeInstanceOf(StateWriteError)
  expect((error as StateWriteError).describe()).not.toContain('journal')
})

test('what is tried at a server overwrites nothing of somebody who has come and gone meanwhile', async () => {
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
  const opening = openSession(options, { ...system, pause: comeAndGone })
  await expect(opening).rejects.toThrow(StateConflictError)
  expect(documentAt(server).deploymgmt.save).toContain('of-somebody')
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
  expect(await pushRescue(options, rescue, system)).toMatchObject({ merged: 1, known: 0 })
  expect(await read()).toStrictEqual({ things: ['things.a'], unknown: 0, busy: undefined })
})
