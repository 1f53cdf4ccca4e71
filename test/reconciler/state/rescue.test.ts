import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  StateConflictError,
  StateCorruptError,
  StateMismatchError,
  StateMissingError,
  StateWriteError,
} from '../../../reconciler/errors/index.ts'
import {
  initState,
  openSession,
  pushRescue,
  readSession,
  type Session,
  unlockState,
} from '../../../reconciler/state/index.ts'
import { readRescue } from './support/read-rescue.ts'
import { FOLDER } from '../../support/folder.ts'
import { type GitServer, gitServer } from '../../support/git-http.ts'
import { bareRepository, checkoutOf, git } from '../../support/git.ts'
import { expected, intentFor, put } from './support/samples.ts'

/** Does not wait between attempts, because the server changes only when a test says so. */
const given = {
  env: { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  pause: () => Promise.resolve(),
}

/** A checkout, and a state behind a server that it has credentials for. */
const begun = async () => {
  const bare = await bareRepository()
  const server = await gitServer(bare)
  const folder = await mkdtemp(FOLDER)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await checkoutOf(folder, server.address, ['http.extraHeader', server.header])
  const options = { statePath: 'git:origin', folder, expect: expected, command: 'apply' }
  await initState(options, given)
  /** Refuses every push at once. */
  const refuse = async (isOn: boolean) => {
    const hook = join(bare, 'hooks', 'pre-receive')
    await writeFile(hook, `#!/bin/sh\nexit ${isOn ? 1 : 0}\n`)
    await chmod(hook, 0o755)
  }
  const open = () => openSession(options, given)
  const push = async () => pushRescue(options, await readRescue(await onlyRescue(folder)), given)
  return { bare, server, folder, options, refuse, open, push }
}

const rescues = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('deploymgmt.rescue.'))

const onlyRescue = async (folder: string): Promise<string> => {
  const [name, ...others] = await rescues(folder)
  expect(others).toStrictEqual([])
  return join(folder, name ?? 'none')
}

/** The next push arrives, but its answer is lost, and so is everything later. */
const unheard = (server: GitServer): void => {
  let isThere = false
  server.fate = ({ url }) => {
    if (isThere) return 'cut-before'
    isThere = url.endsWith('/git-receive-pack')
    return isThere ? 'cut-after' : 'answer'
  }
}

/** Sends two requests, and has the answer to the first when nothing can be recorded any more. */
const cutOff = async (session: Session, cut: () => Promise<void> | void): Promise<unknown> => {
  const [n] = [await session.intent(intentFor('things.a')), await session.intent(intentFor('things.b'))]
  await cut()
  await expect(session.answered(n, [put('things.a')], 201)).rejects.toThrow(StateWriteError)
  return session.close().catch((error: unknown) => error)
}

test('where the server is cut off, the rescue file has everything, and a push ends it', async () => {
  const { bare, server, folder, options, open, push } = await begun()
  const error = await cutOff(await open(), () => {
    server.fate = () => 'cut-before'
  })
  const path = await onlyRescue(folder)
  expect(error).toBeInstanceOf(StateWriteError)
  expect(error).toMatchObject({ where: path, hint: expect.stringContaining(`deploymgmt state push ${path}`) })
  expect(String(error)).toContain(path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const text = await readFile(path, 'utf8')
  expect(text + String(error) + JSON.stringify(error)).not.toContain('canary')
  expect(text).not.toContain(server.header.replace('Authorization: ', ''))
  const rescue = await readRescue(path)
  expect(rescue).toMatchObject({
    place: 'git:origin#deploymgmt/acme',
    journal: [{ n: 1 }, { n: 2 }],
    owed: [{ type: 'answer', n: 1, status: 201 }],
    withdrawn: [],
    state: { resources: { 'things.a': {} } },
  })
  server.fate = () => 'answer'
  expect(JSON.parse(await git(bare, 'show', 'deploymgmt/acme:lock.json'))).toMatchObject({ id: rescue.lock })
  const kept = await git(bare, 'rev-parse', 'deploymgmt/acme')
  expect(await push()).toMatchObject({ merged: 1, known: 0 })
  // In every commit since the kept lock, there was a lock, so nobody else could come in between.
  const since = (await git(bare, 'rev-list', '--reverse', `${kept}..deploymgmt/acme`)).split('\n')
  const locked = await Promise.all(
    since.map(async (commit) => (await git(bare, 'ls-tree', '--name-only', commit)).includes('lock.json')),
  )
  expect(locked).toStrictEqual([...since.slice(1).map(() => true), false])
  const { state, unknown, busy } = await readSession(options, given)
  expect(state).toMatchObject({ serial: 2, resources: { 'things.a': {} } })
  expect(unknown).toMatchObject([{ n: 2, address: 'things.b' }])
  expect(busy).toBeUndefined()
  expect(await push()).toMatchObject({ merged: 0, known: 1 })
  expect(await git(bare, 'log', '--patch', '--all')).not.toContain('canary')
})

test('an answer whose record arrived after all is not recorded twice', async () => {
  const { server, options, open, push } = await begun()
  await cutOff(await open(), () => unheard(server))
  server.fate = () => 'answer'
  expect(await push()).toMatchObject({ merged: 0, known: 1 })
  const { state, unknown } = await readSession(options, given)
  expect(state.resources).toMatchObject({ 'things.a': { identity: { id: 'things.a' } } })
  expect(unknown).toMatchObject([{ n: 2 }])
})

test('an intent that could not be written down counts as not sent, wherever it has got to', async () => {
  const { server, folder, options, open, push } = await begun()
  const session = await open()
  unheard(server)
  await expect(session.intent(intentFor('things.a'))).rejects.toThrow(StateWriteError)
  await expect(session.close()).rejects.toThrow('what could not be recorded is in')
  server.fate = () => 'answer'
  expect((await readSession(options, given)).unknown).toMatchObject([{ address: 'things.a' }])
  expect(await readRescue(await onlyRescue(folder))).toMatchObject({ owed: [], withdrawn: [{ n: 1 }] })
  expect(await push()).toMatchObject({ merged: 1 })
  expect((await readSession(options, given)).unknown).toStrictEqual([])
})

test('what needed no request and arrived after all is not done twice', async () => {
  const { server, options, open, push } = await begun()
  const first = await open()
  await first.effects([put('things.a')])
  await first.commit()
  await first.close()
  const session = await open()
  unheard(server)
  const moved = session.effects([{ op: 'move', from: 'things.a', to: 'things.b' }])
  await expect(moved).rejects.toThrow(StateWriteError)
  await expect(session.close()).rejects.toThrow('what could not be recorded is in')
  server.fate = () => 'answer'
  expect(await push()).toMatchObject({ merged: 0, known: 1 })
  expect(Object.keys((await readSession(options, given)).state.resources)).toStrictEqual(['things.b'])
})

test('what needed no request contradicts nothing: the plan of the next owner has it again', async () => {
  const { options, refuse, open, push } = await begun()
  const session = await open()
  await session.intent(intentFor('things.a'))
  await refuse(true)
  await expect(session.effects([put('things.b')])).rejects.toThrow(StateWriteError)
  await session.close().catch(() => undefined)
  await refuse(false)
  await settleFirst(options, put('things.a'))
  expect(await push()).toMatchObject({ merged: 0, known: 1 })
  expect(Object.keys((await readSession(options, given)).state.resources)).toStrictEqual(['things.a'])
})

test('what the next owner has found out too is known already', async () => {
  const { options, refuse, open, push } = await begun()
  await cutOff(await open(), () => refuse(true))
  await refuse(false)
  await settleFirst(options, put('things.a'))
  expect(await push()).toMatchObject({ merged: 0, known: 1 })
  expect((await readSession(options, given)).unknown).toMatchObject([{ n: 2 }])
})

test('what the next owner has found out otherwise is shown with both sides, and nothing is changed', async () => {
  const { bare, folder, options, refuse, open, push } = await begun()
  await cutOff(await open(), () => refuse(true))
  await refuse(false)
  const other = {
    ...put('things.a'),
    resource: { ...sampleOf('things.a'), identity: { id: 'another' } },
  } as const
  await settleFirst(options, other)
  const before = await git(bare, 'show', 'deploymgmt/acme:state.json')
  const error: unknown = await push().catch((each: unknown) => each)
  expect(error).toBeInstanceOf(StateConflictError)
  expect(String(error)).toContain('things.a: the file has {"id":"things.a"}, the state has {"id":"another"}')
  expect(await git(bare, 'show', 'deploymgmt/acme:state.json')).toBe(before)
  expect(await rescues(folder)).toHaveLength(1)
})

test('a push adds an id that the next owner could not find out, and leaves the rest as that owner has it', async () => {
  const { options, refuse, open, push } = await begun()
  await cutOff(await open(), () => refuse(true))
  await refuse(false)
  const resource = { ...sampleOf('things.a'), applied: { value: 'later' }, identity: {} }
  await settleFirst(options, { op: 'put', address: 'things.a', resource })
  expect(await push()).toMatchObject({ merged: 1, known: 0 })
  const { resources } = (await readSession(options, given)).state
  expect(resources['things.a']).toMatchObject({ identity: { id: 'things.a' }, applied: { value: 'later' } })
})

const sampleOf = (address: string) => {
  const effect = put(address)
  return effect.op === 'put' ? effect.resource : expect.unreachable()
}

/** What a person and the next command do in the meantime. */
const settleFirst = async (
  options: Parameters<typeof openSession>[0],
  effect: ReturnType<typeof put>,
): Promise<void> => {
  const { busy } = await readSession(options, given)
  await unlockState({ ...options, name: 'acme' }, { id: busy?.id ?? '', ownerEnded: true }, given)
  const session = await openSession(options, given)
  await session.settled([{ n: 1, how: 'said so', effects: [effect] }])
  await session.commit()
  await session.close()
}

test('an owner whose lock was taken away leaves a rescue file, too', async () => {
  const { folder, options, open, push } = await begun()
  const session = await open()
  const n = await session.intent(intentFor('things.a'))
  const { busy } = await readSession(options, given)
  await unlockState({ ...options, name: 'acme' }, { id: busy?.id ?? '' }, given)
  await expect(session.answered(n, [put('things.a')], 201)).rejects.toThrow(StateConflictError)
  await expect(session.close()).rejects.toThrow(StateConflictError)
  expect(await rescues(folder)).toHaveLength(1)
  expect(await push()).toMatchObject({ merged: 1 })
})

test.each([
  ['the last intent', 1],
  ['all that the command had recorded', 2],
])('where the place has lost %s, as after a failover, a push records that again, too', async (_, back) => {
  const { bare, options, refuse, open, push } = await begun()
  await cutOff(await open(), () => refuse(true))
  await git(bare, 'update-ref', 'refs/heads/deploymgmt/acme', `deploymgmt/acme~${back}`)
  await refuse(false)
  // Each intent had a commit of its own. What is recorded: the lost intents, and the answer.
  expect(await push()).toMatchObject({ merged: back + 1, known: 0 })
  const { state, unknown } = await readSession(options, given)
  expect(state.resources).toMatchObject({ 'things.a': { identity: { id: 'things.a' } } })
  expect(unknown).toMatchObject([{ n: 2, address: 'things.b' }])
  expect(await push()).toMatchObject({ merged: 0, known: 1 })
})

test('where the state is gone, or another was begun in its place, that is said', async () => {
  const { bare, folder, options, refuse, open, push } = await begun()
  const { lineage } = (await readSession(options, given)).state
  await cutOff(await open(), () => refuse(true))
  await refuse(false)
  await git(bare, 'update-ref', '-d', 'refs/heads/deploymgmt/acme')
  const place = 'git:origin#deploymgmt/acme'
  await expect(push()).rejects.toMatchObject({
    code: StateMissingError.code,
    message: 'the state of the rescue file is gone',
    where: place,
    hint: expect.stringMatching(/^Put that state back/),
  })
  const elsewhere = { ...options, statePath: 'git:origin#another' }
  const push2 = async () => pushRescue(elsewhere, await readRescue(await onlyRescue(folder)), given)
  const hint = `The rescue file belongs to the state at ${place}: name that state with --state. Nothing was changed.`
  await expect(push2()).rejects.toMatchObject({ code: StateMissingError.code, hint })
  await initState(elsewhere, given)
  await expect(push2()).rejects.toMatchObject({ code: StateMismatchError.code, hint })
  await initState(options, given)
  await expect(push()).rejects.toMatchObject({
    code: StateMismatchError.code,
    message: expect.stringContaining(
      `the state that was here: its lineage is ${lineage}, and the state that is`,
    ),
  })
})

test('what is neither a rescue file nor a state is refused', async () => {
  const { folder } = await begun()
  const path = join(folder, 'deploymgmt.rescue.x.json')
  for (const text of ['', '{}', '[]', '{"type":"rescue","version":0}', '{"lineage":"a","version":1}']) {
    await writeFile(path, text)
    await expect(readRescue(path)).rejects.toThrow(StateCorruptError)
  }
})
