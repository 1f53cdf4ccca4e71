import { cp, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { StateConflictError } from '../../../reconciler/errors/index.ts'
import {
  initState,
  journalPath,
  loadState,
  openSession,
  type Session,
  type StateFile,
  stateDigest,
} from '../../../reconciler/state/index.ts'
import { type Crash, crashes, Disk } from './support/disk.ts'
import { statePathIn, temporaryFolder } from './support/folder.ts'
import { readJournal } from './support/journal.ts'
import { deadHost } from './support/hosts.ts'
import { expected, intentFor, put } from './support/samples.ts'

/** What the session must have on disk after step N of the script. */
interface Moment {
  resources: StateFile['resources']
  open: string[]
}

/** Remembers what the script has announced, and what the session has promised. */
class Witness {
  /** The expected contents at the start, and after each step that was begun. */
  readonly moments: Moment[] = [{ resources: {}, open: [] }]
  promised = 0
  isCut = false
  /** The digest of every state that a commit was asked to save. */
  readonly saved = new Set<string>()

  async step(session: Session, open: string[], work: () => Promise<unknown>): Promise<void> {
    const working = work()
    this.moments.push({ resources: { ...session.state.resources }, open })
    await working
    this.promised = this.moments.length - 1
  }

  async commit(session: Session): Promise<void> {
    this.saved.add(stateDigest({ ...session.state, serial: session.state.serial + 1 }))
    await session.commit()
  }
}

/** Everything that a session can do, one after the other. */
const script = async (session: Session, witness: Witness): Promise<void> => {
  const send = async (address: string, open: string[]) => {
    let n = 0
    await witness.step(session, open, async () => {
      n = await session.intent(intentFor(address))
    })
    return n
  }
  const a = await send('things.a', ['things.a'])
  await witness.step(session, [], () => session.answered(a, [put('things.a')], 201))
  await witness.commit(session)
  const b = await send('things.b', ['things.b'])
  const c = await send('things.c', ['things.b', 'things.c'])
  await witness.step(session, ['things.c'], () => session.answered(b, [put('things.b')]))
  await witness.step(session, ['things.c'], () => session.unknownOutcome(c, 'cut off'))
  await witness.step(session, ['things.c'], () =>
    session.effects([{ op: 'move', from: 'things.a', to: 'things.d' }, put('things.a', 'new')]),
  )
  await witness.commit(session)
  const e = await send('things.e', ['things.c', 'things.e'])
  await witness.step(session, ['things.c'], () => session.refused(e, '403'))
  await witness.step(session, [], () =>
    session.settled([{ n: c, how: 'an event', effects: [put('things.c')] }]),
  )
  await witness.step(session, [], () => session.effects([{ op: 'drop', address: 'things.d' }]))
  await witness.commit(session)
}

const options = (statePath: string) => ({ statePath, expect: expected, command: 'apply' })

const run = async (disk: Disk, statePath: string, witness: Witness): Promise<void> => {
  let session: Session | undefined
  try {
    session = await openSession(options(statePath), { files: disk.files, host: deadHost })
    await script(session, witness)
  } catch (error) {
    if (!disk.isCut) throw error
  } finally {
    await session?.close().catch(() => undefined)
  }
}

/** A folder with an empty state, a folder to crash in, and the fingerprint of that state. */
const folders = async (): Promise<{ template: string; folder: string; statePath: string; first: string }> => {
  const [template, folder] = [await temporaryFolder(), await temporaryFolder()]
  await initState(options(statePathIn(template)))
  const loaded = await loadState(statePathIn(template))
  return { template, folder, statePath: statePathIn(folder), first: loaded?.fingerprint ?? '' }
}

/** Runs the script until the cut, makes the crash happen, and passes the folder on. */
const crashed = async (
  template: string,
  folder: string,
  operation: number,
  crash: Crash,
): Promise<Witness> => {
  await rm(folder, { recursive: true, force: true })
  await cp(template, folder, { recursive: true, preserveTimestamps: true })
  const disk = new Disk(folder)
  disk.cutAt(operation)
  const witness = new Witness()
  await run(disk, statePathIn(folder), witness)
  witness.isCut = disk.isCut
  disk.settle(crash)
  return witness
}

/** What a session finds is one of the moments from the last promised to the last announced. */
const expectNothingLost = async (folder: string, witness: Witness): Promise<void> => {
  const { files } = new Disk(folder)
  const session = await openSession(options(statePathIn(folder)), { files })
  const found: Moment = {
    resources: session.state.resources,
    open: session.unknown.map(({ address }) => address).toSorted(),
  }
  expect(witness.moments.slice(witness.promised)).toContainEqual(found)
  await session.commit()
  await session.close()
  const again = await openSession(options(statePathIn(folder)), { files })
  expect(again.state).toStrictEqual(session.state)
  expect(again.unknown).toStrictEqual(session.unknown)
  expect(again.dirty).toBe(false)
  await again.close()
}

test.each(crashes)(
  'a %s at any operation leaves an old or a new state, and loses nothing promised',
  async (crash) => {
    const { template, folder, statePath, first } = await folders()
    let operation = 0
    for (let isCut = true; isCut; operation += 1) {
      const witness = await crashed(template, folder, operation, crash)
      isCut = witness.isCut
      const state = await loadState(statePath, expected)
      expect([first, ...witness.saved]).toContain(state?.fingerprint)
      await expectNothingLost(folder, witness)
    }
    expect(operation).toBeGreaterThan(40)
  },
)

test.each(crashes)(
  'a %s while a journal is made leaves none, or one with its first record',
  async (crash) => {
    const { template, folder, statePath } = await folders()
    const found = new Set<unknown>()
    let operation = 0
    for (let isCut = true; isCut; operation += 1) {
      await rm(folder, { recursive: true, force: true })
      await cp(template, folder, { recursive: true, preserveTimestamps: true })
      const disk = new Disk(folder)
      disk.cutAt(operation)
      const session = await openSession(options(statePath), { files: disk.files, host: deadHost }).catch(
        () => undefined,
      )
      await session?.intent(intentFor('things.a')).catch(() => undefined)
      await session?.close().catch(() => undefined)
      isCut = disk.isCut
      disk.settle(crash)
      found.add((await readJournal(journalPath(statePath)))?.entries.length)
    }
    expect(found).toEqual(new Set([undefined, 1]))
  },
)

test.each(crashes)('a %s while the first state is made is followed by another try', async (crash) => {
  let operation = 0
  for (let isCut = true; isCut; operation += 1) {
    const folder = await temporaryFolder()
    const disk = new Disk(folder)
    disk.cutAt(operation)
    await initState(options(statePathIn(folder)), { files: disk.files, host: deadHost }).catch(
      () => undefined,
    )
    isCut = disk.isCut
    disk.settle(crash)
    const { files } = new Disk(folder)
    const again = await initState(options(statePathIn(folder)), { files }).then(
      () => undefined,
      (error: unknown) => (error instanceof StateConflictError ? undefined : error),
    )
    expect(again).toBeUndefined()
    expect((await loadState(statePathIn(folder), expected))?.state).toMatchObject({
      serial: 1,
      resources: {},
    })
  }
  expect(operation).toBeGreaterThan(5)
})

test.each(crashes)('a %s during the recovery from a crash loses nothing either', async (crash) => {
  const { template, folder, statePath } = await folders()
  for (const operation of [14, 25, 33, 41, 54]) {
    let second = 0
    for (let isCut = true; isCut; second += 1) {
      const witness = await crashed(template, folder, operation, 'kill')
      const disk = new Disk(folder)
      disk.cutAt(second)
      await recovered(disk, statePath)
      isCut = disk.isCut
      disk.settle(crash)
      await expectNothingLost(folder, witness)
    }
    expect(second).toBeGreaterThan(5)
  }
})

const recovered = async (disk: Disk, statePath: string): Promise<void> => {
  const system = { files: disk.files, host: deadHost }
  const session = await openSession(options(statePath), system).catch(() => undefined)
  await session?.commit().catch(() => undefined)
  await session?.close().catch(() => undefined)
}
