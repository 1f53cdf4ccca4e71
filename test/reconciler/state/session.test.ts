import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import {
  JournalMismatchError,
  LockedError,
  StateConflictError,
  StateMismatchError,
  StateWriteError,
} from '../../../reconciler/errors/index.ts'
import {
  initState,
  type JournalRecord,
  loadState,
  nodeFiles,
  openSession,
  serializeState,
} from '../../../reconciler/state/index.ts'
import { fillableDisk, filesWith, systemError } from './support/faults.ts'
import { journalPathIn, opened, statePathIn, temporaryFolder } from './support/folder.ts'
import { openJournal, readJournal } from './support/journal.ts'
import { at, expected, headerOf, intentFor, put, sample } from './support/samples.ts'

const initialised = async () => {
  const folder = await temporaryFolder()
  const options = { statePath: statePathIn(folder), expect: expected, command: 'apply' }
  await initState({ ...options, command: 'state init' })
  return { folder, options, journal: journalPathIn(folder) }
}

test('init writes an empty state of serial 1, and refuses where one exists', async () => {
  const { folder, options } = await initialised()
  expect((await loadState(options.statePath))?.state).toMatchObject({ ...expected, serial: 1, resources: {} })
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json'])
  await expect(initState(options)).rejects.toBeInstanceOf(StateConflictError)
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json'])
})

test('a session that changes nothing writes nothing', async () => {
  const { folder, options } = await initialised()
  const before = await readFile(options.statePath)
  const session = await openSession(options)
  expect(session).toMatchObject({ exists: true, dirty: false, notices: [] })
  await session.commit()
  await session.close()
  expect(await readFile(options.statePath)).toStrictEqual(before)
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json'])
})

test('a session without a state begins one, which the first commit writes', async () => {
  const options = { statePath: statePathIn(await temporaryFolder()), expect: expected, command: 'apply' }
  const session = await openSession(options)
  expect(session.exists).toBe(false)
  expect(session.state).toMatchObject({ serial: 0, resources: {} })
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  expect(session.exists).toBe(true)
  expect((await loadState(options.statePath))?.state).toStrictEqual(session.state)
})

test('what was journaled before the first state was written is not lost', async () => {
  const options = { statePath: statePathIn(await temporaryFolder()), expect: expected, command: 'apply' }
  const first = await openSession(options)
  await first.effects([put('things.a')])
  await first.close()
  const second = await openSession(options)
  expect(second.state).toStrictEqual(first.state)
  await second.close()
  await initState(options)
  expect((await loadState(options.statePath))?.state).toMatchObject({
    lineage: first.state.lineage,
    resources: { 'things.a': sample('things.a') },
  })
})

test.each([
  { is: 'manifest', other: { name: 'other' } },
  { is: 'service', other: { baseUrl: 'https://elsewhere.example.com/api/public/v1.0' } },
])('what was journaled for another $is before the first state was written is refused', async ({ other }) => {
  const folder = await temporaryFolder()
  const options = { statePath: statePathIn(folder), expect: expected, command: 'apply' }
  const first = await openSession(options)
  await first.effects([put('things.a')])
  await first.close()
  await expect(openSession({ ...options, expect: { ...expected, ...other } })).rejects.toBeInstanceOf(
    StateMismatchError,
  )
  expect(await readdir(folder)).toStrictEqual([basename(journalPathIn(folder))])
})

test('a commit saves the state with the next serial and removes the journal', async () => {
  const { folder, options } = await initialised()
  const session = await openSession(options)
  const n = await session.intent(intentFor('things.a'))
  await session.answered(n, [put('things.a')], 201)
  expect(session.dirty).toBe(true)
  await session.commit()
  expect(session.dirty).toBe(false)
  await session.close()
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json'])
  const loaded = await loadState(options.statePath)
  expect(loaded?.state).toMatchObject({ serial: 2, resources: { 'things.a': sample('things.a') } })
  expect(session.fingerprint).toBe(loaded?.fingerprint)
})

test('results without a commit are taken from the journal by the next session', async () => {
  const { options } = await initialised()
  const first = await openSession(options)
  await first.answered(await first.intent(intentFor('things.a')), [put('things.a')])
  await first.close()
  const second = await opened(options)
  expect(second.state.resources).toStrictEqual({ 'things.a': sample('things.a') })
  expect(second.dirty).toBe(true)
  expect(second.notices).toStrictEqual(['Took 1 result of an earlier command from the journal.'])
})

test('a journal of more records than a call can have arguments is taken up like any other', async () => {
  const { options, journal } = await initialised()
  const session = await openSession(options)
  await session.effects([put('things.a')])
  await session.close()
  const longer = openJournal(journal, headerOf(session.state), await readJournal(journal))
  const record: JournalRecord = { type: 'effects', at, effects: [] }
  await Promise.all(Array.from({ length: 130_000 }, () => longer.append(record)))
  await longer.close()
  const next = await openSession(options)
  expect(next.state.resources).toStrictEqual({ 'things.a': sample('things.a') })
  await next.close()
})

test('an intent of unknown outcome outlives commits until it is resolved', async () => {
  const { options, journal } = await initialised()
  const first = await openSession(options)
  const n = await first.intent({ ...intentFor('things.a'), body: { x: 1 } })
  await first.unknownOutcome(n, 'the answer was cut off')
  await first.effects([put('things.b')])
  await first.commit()
  await first.close()
  const second = await openSession(options)
  expect(second.unknown).toMatchObject([
    { n, ...intentFor('things.a'), body: { x: 1 }, error: 'the answer was cut off' },
  ])
  expect(await second.intent(intentFor('things.c'))).toBeGreaterThan(n)
  await second.settled([{ n, how: 'said so', effects: [put('things.a')] }])
  expect(second.unknown).toStrictEqual([])
  await second.commit()
  await second.close()
  expect((await readJournal(journal))?.openIntents).toHaveLength(1)
  const third = await opened(options)
  expect(Object.keys(third.state.resources).toSorted()).toStrictEqual(['things.a', 'things.b'])
  expect(third.unknown).toMatchObject([{ address: 'things.c' }])
})

test('a request under way is not unknown, but is for the next session if it never ends', async () => {
  const { options } = await initialised()
  const first = await openSession(options)
  await first.intent(intentFor('things.a'))
  expect(first.unknown).toStrictEqual([])
  await first.close()
  const second = await opened(options)
  expect(second.unknown).toMatchObject([{ address: 'things.a' }])
})

test('answers that arrive during a commit are in the journal or in the state', async () => {
  const { options } = await initialised()
  const first = await openSession(options)
  const addresses = Array.from({ length: 30 }, (_, index) => `things.${index}`)
  await Promise.all(
    addresses.map(async (address, index) => {
      const n = await first.intent(intentFor(address))
      if (index % 7 === 0) await first.commit()
      await first.answered(n, [put(address)])
    }),
  )
  await first.close()
  const second = await opened(options)
  expect(Object.keys(second.state.resources).toSorted()).toStrictEqual(addresses.toSorted())
  expect(second.unknown).toStrictEqual([])
})

test('what changes while a commit is under way is not in its file, and is not taken for saved', async () => {
  const { options } = await initialised()
  let during: (() => Promise<void>) | undefined
  let changed: Promise<void> | undefined
  const files = filesWith({
    realPath: (path) => {
      changed ??= during?.()
      return nodeFiles.realPath(path)
    },
  })
  const first = await openSession(options, { files })
  await first.effects([put('things.a')])
  during = () => first.effects([put('things.b')])
  await first.commit()
  await changed
  expect((await loadState(options.statePath))?.state.resources).toStrictEqual({
    'things.a': sample('things.a'),
  })
  expect(first.dirty).toBe(true)
  await first.close()
  const second = await opened(options)
  expect(second.state).toStrictEqual(first.state)
})

test('what is known of an intent of unknown outcome is the same before and after it is read back', async () => {
  const { options } = await initialised()
  const first = await openSession(options)
  await first.unknownOutcome(await first.intent(intentFor('things.a')), 'the answer was cut off')
  const { unknown } = first
  await first.close()
  const second = await opened(options)
  expect(second.unknown).toStrictEqual(unknown)
  expect(unknown).toMatchObject([{ error: 'the answer was cut off', errorAt: expect.any(String) }])
})

test('only an open intent can be settled, and only possible effects are taken', async () => {
  const { options, journal } = await initialised()
  const session = await openSession(options)
  const n = await session.intent(intentFor('things.a'))
  await session.refused(n, '403')
  await expect(session.answered(n, [])).rejects.toThrow(RangeError)
  await expect(session.unknownOutcome(7, 'x')).rejects.toThrow(RangeError)
  await expect(session.effects([{ op: 'drop', address: 'things.a' }])).rejects.toThrow(RangeError)
  expect((await readJournal(journal))?.entries.map(({ type }) => type)).toStrictEqual(['intent', 'refused'])
  await session.commit()
  await session.close()
  expect(await readJournal(journal)).toBeUndefined()
})

test('what a caller does to its objects afterwards changes nothing that is recorded', async () => {
  const { options } = await initialised()
  const session = await opened(options)
  const applied = { value: 1 }
  await session.effects([{ op: 'put', address: 'things.a', resource: { ...sample('a'), applied } }])
  applied.value = 2
  expect(session.state.resources['things.a']?.applied).toStrictEqual({ value: 1 })
})

test('two sessions on one state are refused while the first is open', async () => {
  const { options } = await initialised()
  const first = await openSession(options)
  await expect(openSession(options)).rejects.toBeInstanceOf(LockedError)
  await first.close()
  await (await openSession(options)).close()
})

test('a session that cannot be opened leaves no lock', async () => {
  const { folder, options } = await initialised()
  await expect(openSession({ ...options, expect: { ...expected, name: 'other' } })).rejects.toBeInstanceOf(
    StateMismatchError,
  )
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json'])
})

test('a state that was written behind the back of a session is not replaced', async () => {
  const { options } = await initialised()
  const session = await openSession(options)
  const other = serializeState({ ...session.state, serial: 9 })
  await writeFile(options.statePath, other)
  await session.effects([put('things.a')])
  await expect(session.commit()).rejects.toBeInstanceOf(StateConflictError)
  await session.close()
  expect(await readFile(options.statePath)).toStrictEqual(other)
  await expect(openSession(options)).rejects.toBeInstanceOf(JournalMismatchError)
})

test('a state that was deleted or restored under a journal is refused', async () => {
  const { options } = await initialised()
  const backup = await readFile(options.statePath)
  const session = await openSession(options)
  await session.effects([put('things.a')])
  await session.commit()
  await session.effects([put('things.b')])
  await session.close()
  await writeFile(options.statePath, backup)
  await expect(openSession(options)).rejects.toThrow(
    'the journal continues serial 2, but the state has serial 1',
  )
  await rm(options.statePath)
  await expect(openSession(options)).rejects.toThrow('it continues serial 2, but there is no state file')
})

test('a full disk at the commit loses nothing: the next session has it all', async () => {
  const { options, journal } = await initialised()
  const disk = fillableDisk()
  const session = await openSession(options, { files: disk.files })
  await session.answered(await session.intent(intentFor('things.a')), [put('things.a')])
  disk.full = true
  await expect(session.commit()).rejects.toBeInstanceOf(StateWriteError)
  await session.close()
  expect((await loadState(options.statePath))?.state).toMatchObject({ serial: 1, resources: {} })
  expect((await readJournal(journal))?.entries).toHaveLength(2)
  const next = await opened(options)
  expect(next.state.resources).toStrictEqual({ 'things.a': sample('things.a') })
})

test('a state file that cannot be written says that the journal has everything', async () => {
  const { options, journal } = await initialised()
  let failing = false
  const files = filesWith({
    create: (path) =>
      failing && path.includes('.json.') ? Promise.reject(systemError('EDQUOT')) : nodeFiles.create(path),
  })
  const session = await openSession(options, { files })
  await session.effects([put('things.a')])
  failing = true
  await expect(session.commit()).rejects.toMatchObject({
    code: 'DM-STATE-WRITE',
    message: 'cannot write the state file: the disk quota is used up (EDQUOT)',
    hint: `Nothing is lost: the journal ${journal} has every result, and the next command replays it.`,
  })
  failing = false
  await session.effects([put('things.b')])
  await session.commit()
  await session.close()
  expect(await readJournal(journal)).toBeUndefined()
  expect((await loadState(options.statePath))?.state).toStrictEqual(session.state)
})

test('a commit that failed after the file was replaced can be made again', async () => {
  const { options, journal } = await initialised()
  let failing = false
  const files = filesWith({
    syncFolder: (path) => (failing ? Promise.reject(systemError('EIO')) : nodeFiles.syncFolder(path)),
  })
  const session = await openSession(options, { files })
  await session.effects([put('things.a')])
  failing = true
  await expect(session.commit()).rejects.toBeInstanceOf(StateWriteError)
  failing = false
  await session.effects([put('things.b')])
  await session.commit()
  await session.close()
  expect(await readJournal(journal)).toBeUndefined()
  expect((await loadState(options.statePath))?.state).toStrictEqual(session.state)
})

test('a first commit that failed before there was a file can be made again', async () => {
  const options = { statePath: statePathIn(await temporaryFolder()), expect: expected, command: 'apply' }
  let failing = true
  const files = filesWith({
    create: (path) =>
      failing && path.includes('.json.') && path.endsWith('.tmp') && !path.includes('.lock')
        ? Promise.reject(systemError('ENOSPC'))
        : nodeFiles.create(path),
  })
  const session = await openSession(options, { files })
  await session.effects([put('things.a')])
  await expect(session.commit()).rejects.toBeInstanceOf(StateWriteError)
  failing = false
  await session.commit()
  await session.close()
  expect((await loadState(options.statePath))?.state).toStrictEqual(session.state)
})

test('too little room on the disk is refused before anything is sent', async () => {
  const { folder, options } = await initialised()
  const files = filesWith({ free: () => Promise.resolve(4096) })
  await expect(openSession(options, { files })).rejects.toThrow('the disk has 4096 bytes free')
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json'])
})

test('closing takes the lock away, and may be done again', async () => {
  const { folder, options } = await initialised()
  const session = await openSession(options)
  expect(await readdir(folder)).toContain('deploymgmt.state.json.lock')
  await session.close()
  await session.close()
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json'])
})
