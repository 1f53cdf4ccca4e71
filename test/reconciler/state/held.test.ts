import { setImmediate as turnOfEvents } from 'node:timers/promises'
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StateWriteError } from '../../../reconciler/errors/index.ts'
import { initState, openSession, pushRescue, readSession } from '../../../reconciler/state/index.ts'
import { readRescue } from './support/read-rescue.ts'
import { bareRepository, git } from '../../support/git.ts'
import { temporaryFolder } from './support/folder.ts'
import { expected, intentFor, put } from './support/samples.ts'

const begun = async (given: Parameters<typeof openSession>[1] = {}) => {
  const bare = await bareRepository()
  const folder = await temporaryFolder()
  const options = { statePath: `git+file://${bare}#acme`, folder, expect: expected, command: 'apply' }
  await initState(options)
  const session = await openSession(options, given)
  const commits = async () => Number(await git(bare, 'rev-list', '--count', 'acme'))
  const hook = join(bare, 'hooks', 'pre-receive')
  const refuse = async () => {
    await writeFile(hook, '#!/bin/sh\nexit 1\n')
    await chmod(hook, 0o755)
  }
  return { folder, options, session, commits, refuse, mend: () => rm(hook) }
}

test('where an append is expensive, intents share one, and outcomes go with the next or with the state', async () => {
  const { options, session, commits } = await begun()
  const before = await commits()
  await session.holding(async () => {
    expect(await session.intents(['a', 'b', 'c'].map((each) => intentFor(`things.${each}`)))).toEqual([
      1, 2, 3,
    ])
    expect(await commits()).toBe(before + 1)
    await session.answered(1, [put('things.a')], 201)
    expect(await commits()).toBe(before + 1)
    expect(await session.intent(intentFor('things.d'))).toBe(4)
    expect(await commits()).toBe(before + 2)
    expect((await readSession(options)).state.resources).toHaveProperty(['things.a'])
    await session.answered(2, [put('things.b')], 201)
    await session.withdrawn(3)
    await session.unknownOutcome(4, 'cut off')
  })
  await session.commit()
  expect(await commits()).toBe(before + 3)
  await session.close()
  const { state, unknown } = await readSession(options)
  expect(Object.keys(state.resources)).toStrictEqual(['things.a', 'things.b'])
  expect(unknown).toMatchObject([{ n: 4, error: 'cut off' }])
})

test('an outcome waits for ten seconds at most where nothing else is written', async () => {
  let now = Date.now()
  const { session, commits } = await begun({ now: () => new Date(now) })
  const before = await commits()
  await session.holding(async () => {
    await session.intents([intentFor('things.a'), intentFor('things.b')])
    await session.answered(1, [put('things.a')], 201)
    now += 10_000
    await session.answered(2, [put('things.b')], 201)
    // In the same turn of the event loop, it would share the save.
    await turnOfEvents()
    await turnOfEvents()
    await session.intent(intentFor('things.c'))
  })
  // It was not saved along with the intent.
  expect(await commits()).toBe(before + 3)
  await session.close()
})

test('once a write has failed, nothing more is accepted, and the rescue file has all outcomes', async () => {
  const { folder, options, session, refuse, mend } = await begun({ pause: () => Promise.resolve() })
  await session.holding(async () => {
    await session.intents(['a', 'b', 'c'].map((each) => intentFor(`things.${each}`)))
    await session.answered(1, [put('things.a')], 201)
    await refuse()
    await expect(session.intents([intentFor('things.d')])).rejects.toThrow(StateWriteError)
    await expect(session.answered(2, [put('things.b')], 201)).rejects.toThrow(StateWriteError)
    await expect(session.withdrawn(3)).rejects.toThrow(StateWriteError)
  })
  await expect(session.close()).rejects.toThrow('what could not be recorded is in')
  await mend()
  const [name = ''] = await readdir(folder)
  const rescue = await readRescue(join(folder, name))
  expect(rescue.owed.map(({ type }) => type)).toStrictEqual(['answer', 'answer', 'withdrawn'])
  expect(rescue.withdrawn).toMatchObject([{ n: 4 }])
  expect(await pushRescue(options, rescue)).toMatchObject({ merged: 3, known: 0 })
  const { state, unknown } = await readSession(options)
  expect([Object.keys(state.resources), unknown]).toStrictEqual([['things.a', 'things.b'], []])
})
