import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { JournalMismatchError } from '../../../reconciler/errors/index.ts'
import { initState, nodeFiles, openSession, readSession, saveState } from '../../../reconciler/state/index.ts'
import { filesWith } from './support/faults.ts'
import { opened, statePathIn, temporaryFolder } from './support/folder.ts'
import { expected, intentFor, put, sample } from './support/samples.ts'

const initialised = async () => {
  const folder = await temporaryFolder()
  const options = { statePath: statePathIn(folder), expect: expected, command: 'apply' }
  await initState(options)
  return { folder, options }
}

test('a reader sees what the next session would, and writes nothing', async () => {
  const { folder, options } = await initialised()
  const session = await openSession(options)
  await session.effects([put('things.a')])
  await session.intent(intentFor('things.b'))
  await session.close()
  const names = await readdir(folder)
  const contents = await Promise.all(names.map((name) => readFile(`${folder}/${name}`)))
  const read = await readSession(options)
  expect(read).toMatchObject({
    exists: true,
    state: { serial: 1, resources: { 'things.a': sample('things.a') } },
    unknown: [{ address: 'things.b' }],
    busy: undefined,
    notices: ['Took 1 result of an earlier command from the journal.'],
  })
  expect(await readdir(folder)).toStrictEqual(names)
  expect(await Promise.all(names.map((name) => readFile(`${folder}/${name}`)))).toStrictEqual(contents)
})

test('a reader is told who is writing', async () => {
  const { options } = await initialised()
  const session = await opened(options)
  await session.intent(intentFor('things.b'))
  expect(await readSession(options)).toMatchObject({
    busy: { command: 'apply', pid: process.pid },
    unknown: [{ address: 'things.b' }],
  })
})

test('a writer that begins while a reader is at work is noticed: what it sends is not unknown', async () => {
  const { options } = await initialised()
  let writing: Awaited<ReturnType<typeof openSession>> | undefined
  const files = filesWith({
    read: async (path) => {
      if (path.endsWith('.json') && writing === undefined) {
        writing = await opened(options)
        await writing.intent(intentFor('things.b'))
      }
      return nodeFiles.read(path)
    },
  })
  expect(await readSession(options, { files })).toMatchObject({
    busy: { command: 'apply', pid: process.pid },
    unknown: [{ address: 'things.b' }],
  })
})

test('a writer that begins and ends while a reader is at work leaves nothing unknown to it', async () => {
  const { options } = await initialised()
  let state = 'before'
  let end: (() => Promise<void>) | undefined
  const files = filesWith({
    read: async (path) => {
      if (path.endsWith('.json') && state === 'before') {
        state = 'during'
        const session = await openSession(options)
        const n = await session.intent(intentFor('things.b'))
        end = async () => {
          await session.answered(n, [put('things.b')], 201)
          await session.commit()
          await session.close()
        }
      }
      if (path.endsWith('.lock') && state === 'during') {
        state = 'after'
        await end?.()
      }
      return nodeFiles.read(path)
    },
  })
  expect(await readSession(options, { files })).toMatchObject({
    busy: undefined,
    unknown: [],
    state: { resources: { 'things.b': sample('things.b') } },
  })
})

test('a reader of a state that is not there gets an empty one', async () => {
  const folder = await temporaryFolder()
  const read = await readSession({ statePath: statePathIn(folder), expect: expected })
  expect(read).toMatchObject({ exists: false, fingerprint: undefined, state: { serial: 0, resources: {} } })
  expect(await readdir(folder)).toStrictEqual([])
})

test('a commit between the two reads of a reader is no error', async () => {
  const { options } = await initialised()
  const session = await opened(options)
  await session.intent(intentFor('things.open'))
  await session.effects([put('things.a')])
  let commits = 0
  const files = filesWith({
    read: async (path) => {
      const bytes = await nodeFiles.read(path)
      if (path.endsWith('.json') && commits < 3) {
        commits += 1
        await session.effects([put('things.a', commits)])
        await session.commit()
      }
      return bytes
    },
  })
  const read = await readSession(options, { files })
  expect(commits).toBe(3)
  expect(read.state).toStrictEqual(session.state)
})

test('a journal that really does not belong is an error for readers too', async () => {
  const { options } = await initialised()
  const session = await openSession(options)
  await session.effects([put('things.a')])
  await session.close()
  const read = await readSession(options)
  await saveState(
    options.statePath,
    { ...read.state, serial: 2, resources: {} },
    { replaces: [read.fingerprint] },
  )
  await expect(readSession(options)).rejects.toBeInstanceOf(JournalMismatchError)
})
