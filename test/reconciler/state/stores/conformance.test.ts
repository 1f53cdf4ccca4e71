import { describe, expect, onTestFinished, test } from 'vitest'
import { LockedError, LockMismatchError, StateConflictError } from '../../../../reconciler/errors/index.ts'
import {
  initState,
  openSession,
  readSession,
  serializeState,
  type JournalRecord,
} from '../../../../reconciler/state/index.ts'
import { atWorkMs } from '../../../../reconciler/state/lock/ownership.ts'
import type { Hold, Store } from '../../../../reconciler/state/stores/store.ts'
import { Child } from '../support/child.ts'
import { deadHost } from '../support/hosts.ts'
import { at, expected, headerOf, intentFor, put, sample, stateWith } from '../support/samples.ts'
import { type Place, stores } from './support/kinds-of-store.ts'

const intent = (n: number): JournalRecord => ({ type: 'intent', n, at, ...intentFor(`things.${n}`) })
const answer = (n: number): JournalRecord => ({
  type: 'answer',
  n,
  at,
  outcome: 'done',
  effects: [put(`things.${n}`)],
})

const [first, second] = [stateWith(), stateWith({ 'things.1': sample('things.1') }, 2)]

/** Takes the lock and reads what is there; holds it until the test ends. */
const held = async (place: Place, given: Parameters<Place['open']>[0] = {}): Promise<Hold> => {
  const hold = await (await place.open(given)).lock('apply')
  onTestFinished(() => hold.release().catch(() => undefined))
  await hold.read()
  return hold
}

/** An owner that has recorded an intent, so that a request of it may be under way. */
const atWork = async (store: Store): Promise<Hold> => {
  const hold = await store.lock('apply')
  await hold.read()
  await hold.append(headerOf(first), [intent(0)])
  return hold
}

const read = async (place: Place) => {
  const { state, journal, owner } = await (await place.open()).read()
  return {
    state: state?.bytes.toString(),
    header: journal?.header,
    records: journal?.records,
    owner: owner?.command,
  }
}

const madeLarge = () => {
  const things = Array.from({ length: 500 }, (_, index) => `things.${index}`)
  const values = things.map((thing, index) => [thing, sample(thing, `${index} `.repeat(27_000))])
  const state = stateWith(Object.fromEntries(values))
  const records = Array.from({ length: 3000 }, (_, index) => intent(index))
  return { state, bytes: serializeState(state), header: headerOf(state), records }
}

let made: ReturnType<typeof madeLarge> | undefined
/** Made once for all stores, because each time would take a second. As a session, it gives the bytes along. */
const large = () => (made ??= madeLarge())

const nothing = { state: undefined, header: undefined, records: undefined, owner: undefined }

describe.each(stores)('the $name store', ({ name, begin, setUp }) => {
  setUp?.()

  test('holds nothing at first, and is made by nobody who only reads', async () => {
    const place = await begin()
    expect(await read(place)).toStrictEqual(nothing)
    expect(await read(place)).toStrictEqual(nothing)
  })

  test('gives back what was appended, in the order of the calls, and names who is at work', async () => {
    const place = await begin()
    const hold = await held(place)
    await hold.confirm()
    await hold.append(headerOf(first), [intent(1), intent(2)])
    await hold.append(headerOf(first), [answer(2)])
    await hold.confirm()
    expect(await read(place)).toStrictEqual({
      state: undefined,
      header: headerOf(first),
      records: [intent(1), intent(2), answer(2)],
      owner: 'apply',
    })
  })

  test('replaces state and journal together, and goes on from there', async () => {
    const place = await begin()
    const hold = await held(place)
    await hold.append(headerOf(first), [intent(1), intent(2)])
    await hold.save({ state: first, header: headerOf(first), kept: [intent(2)] })
    await hold.append(headerOf(first), [intent(3)])
    expect(await read(place)).toMatchObject({
      state: serializeState(first).toString(),
      header: headerOf(first),
      records: [intent(2), intent(3)],
    })
    await hold.save({ state: second, header: headerOf(second), kept: [] })
    expect(await read(place)).toMatchObject({
      state: serializeState(second).toString(),
      header: undefined,
      records: undefined,
    })
    await hold.append(headerOf(second), [intent(4)])
    await hold.save({ state: undefined, header: headerOf(second), kept: [] })
    expect(await read(place)).toMatchObject({
      state: serializeState(second).toString(),
      records: undefined,
    })
  })

  test('keeps a journal that a later owner goes on with', async () => {
    const place = await begin()
    const before = await held(place)
    await before.save({ state: first, header: headerOf(first), kept: [] })
    await before.append(headerOf(first), [intent(1)])
    await before.release()
    const after = await held(place)
    await after.append(headerOf(first), [answer(1)])
    await after.release()
    expect(await read(place)).toStrictEqual({
      state: serializeState(first).toString(),
      header: headerOf(first),
      records: [intent(1), answer(1)],
      owner: undefined,
    })
  })

  test('lets in one at a time, and says whom one would have to wait for', async () => {
    const place = await begin()
    const hold = await held(place)
    await expect((await place.open()).lock('plan')).rejects.toMatchObject({
      code: LockedError.code,
      message: expect.stringContaining('the state is locked by "apply" (process '),
      hint: expect.stringContaining(`deploymgmt state unlock ${hold.id}`),
    })
    await hold.release()
    await hold.release()
    await (await held(place)).release()
    expect(await read(place)).toStrictEqual(nothing)
  })

  test('lets in exactly one of six that come at once', async () => {
    const place = await begin()
    const doors = await Promise.all(Array.from({ length: 6 }, () => place.open()))
    const came = await Promise.allSettled(doors.map((door) => door.lock('apply')))
    const holds = came.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const refused = came.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(holds).toHaveLength(1)
    expect(refused.every((each) => each instanceof LockedError)).toBe(true)
    await holds[0]?.release()
  })

  test('takes over from an owner that has ended on this machine, and from no other', async () => {
    const place = await begin()
    const dead = await (await place.open({ host: deadHost })).lock('apply')
    expect(await read(place)).toMatchObject({ owner: undefined })
    const hold = await held(place)
    expect(hold.notice).toContain('Took over the lock of "apply"')
    await expect(dead.append(headerOf(first), [intent(1)])).rejects.toBeInstanceOf(StateConflictError)
    await hold.release()
    const elsewhere = { host: { ...deadHost, name: 'elsewhere' } }
    const far = await (await place.open(elsewhere)).lock('apply')
    await expect((await place.open()).lock('apply')).rejects.toBeInstanceOf(LockedError)
    await far.release()
    await dead.release()
  })

  test('keeps out an owner that was unlocked, whatever it tries', async () => {
    const place = await begin()
    const old = await held(place)
    await old.save({ state: first, header: headerOf(first), kept: [] })
    await (await place.open()).unlock({ id: old.id, ownerEnded: false })
    const hold = await held(place)
    const before = await read(place)
    const tries = [
      () => old.confirm(),
      () => old.append(headerOf(first), [intent(1)]),
      () => old.save({ state: second, header: headerOf(second), kept: [] }),
      () => old.save({ state: undefined, header: headerOf(first), kept: [] }),
    ]
    for (const attempt of tries) await expect(attempt()).rejects.toBeInstanceOf(StateConflictError)
    await old.release()
    expect(await read(place)).toStrictEqual(before)
    await hold.append(headerOf(first), [intent(2)])
    expect(await read(place)).toMatchObject({ records: [intent(2)], owner: 'apply' })
  })

  test('an owner that was unlocked is kept out also while nobody holds the lock', async () => {
    const place = await begin()
    const old = await held(place)
    await (await place.open()).unlock({ id: old.id, ownerEnded: false })
    await expect(old.append(headerOf(first), [intent(1)])).rejects.toBeInstanceOf(StateConflictError)
    expect(await read(place)).toStrictEqual(nothing)
  })

  test('tells of an owner that was unlocked until nobody has to wait for it', async () => {
    const place = await begin()
    const began = Date.parse('2026-11-20T12:00:00Z')
    let passed = 0
    const open = () => place.open({ now: () => new Date(began + passed) })
    const old = await atWork(await open())
    await (await open()).unlock({ id: old.id, ownerEnded: false })
    // The write that took the lock away may have been on its way for long, with its owner at work until then.
    passed = 60_000
    const hold = await (await open()).lock('apply')
    const told = (await hold.read()).unlockedAt
    await hold.append(headerOf(first), [intent(1)])
    expect((await (await open()).read()).unlockedAt).toBe(told)
    passed += 90_001
    await hold.append(headerOf(first), [intent(2)])
    expect((await (await open()).read()).unlockedAt).toBeUndefined()
    await hold.release()
    await old.release()
    const { announces } = await open()
    expect(told).toBe(announces ? undefined : new Date(began).toISOString())
  })

  test('tells of no owner whom a command has waited for, also where that had nothing to write', async () => {
    const place = await begin()
    const began = Date.parse('2026-11-20T12:00:00Z')
    let passed = 0
    const open = () => place.open({ now: () => new Date(began + passed) })
    const old = await atWork(await open())
    await (await open()).unlock({ id: old.id, ownerEnded: false })
    const hold = await (await open()).lock('apply')
    await hold.read()
    passed = 90_001
    await hold.release()
    expect((await (await open()).read()).unlockedAt).toBeUndefined()
    await old.release()
  })

  test('tells since when the lock has certainly been away, from which an owner is waited for', async () => {
    const place = await begin()
    const moment = new Date('2026-11-20T12:00:00Z')
    const store = await place.open({ now: () => moment })
    const old = await atWork(store)
    await store.unlock({ id: old.id, ownerEnded: false })
    const snapshot = await store.read()
    expect(snapshot.landedAt).toBe(store.announces ? undefined : moment.toISOString())
    // The clocks of two machines may differ by a minute.
    expect(atWorkMs(snapshot, new Date(moment.getTime() + 120_000))).toBe(store.announces ? 0 : 30_000)
    expect(atWorkMs(snapshot, new Date(moment.getTime() + 150_000))).toBe(0)
    await old.release()
  })

  // Beside a file, nobody waits.
  test.skipIf(name === 'file')(
    'waits for an owner that was unlocked also if the clock there was an hour behind that of the owner',
    async () => {
      const place = await begin()
      const moment = new Date('2026-11-20T12:00:00Z')
      const behind = await place.open({ now: () => new Date(moment.getTime() - 3_600_000) })
      const old = await atWork(await place.open({ now: () => moment }))
      await behind.unlock({ id: old.id, ownerEnded: false })
      expect(atWorkMs(await behind.read(), moment)).toBe(90_000)
      await old.release()
    },
  )

  // A file keeps no lock for another machine.
  test.skipIf(name === 'file')('takes over a lock that was kept for the command, by its id', async () => {
    const place = await begin()
    const store = await place.open()
    const old = await held(place)
    await old.keep()
    await expect(store.lock('state push', 'another')).rejects.toBeInstanceOf(LockedError)
    const hold = await store.lock('state push', old.id)
    expect(await hold.read()).not.toHaveProperty('unlockedAt')
    await expect(store.lock('apply')).rejects.toBeInstanceOf(LockedError)
    await hold.append(headerOf(first), [intent(1)])
    expect(await read(place)).toMatchObject({ records: [intent(1)], owner: 'state push' })
    await hold.release()
    // If it is already gone, there is nothing to take over.
    await (await store.lock('state push', old.id)).release()
  })

  test('removes the lock that is named, and no other', async () => {
    const place = await begin()
    const store = await place.open()
    await expect(store.unlock({ id: 'nobody', ownerEnded: false })).rejects.toBeInstanceOf(LockMismatchError)
    const hold = await held(place)
    await expect(store.unlock({ id: 'nobody', ownerEnded: false })).rejects.toMatchObject({
      code: LockMismatchError.code,
      message: expect.stringContaining(hold.id),
    })
    await hold.append(headerOf(first), [intent(1)])
    await store.unlock({ id: hold.id, ownerEnded: false })
    await expect(store.unlock({ id: hold.id, ownerEnded: false })).rejects.toBeInstanceOf(LockMismatchError)
    expect(await read(place)).toMatchObject({ records: [intent(1)], owner: undefined })
  })

  test('does not replace what somebody else has written past the lock', async () => {
    const place = await begin()
    const hold = await held(place)
    await hold.save({ state: first, header: headerOf(first), kept: [] })
    const foreign = serializeState({ ...first, serial: 9 }).toString()
    await place.write(foreign)
    await expect(hold.save({ state: second, header: headerOf(second), kept: [] })).rejects.toBeInstanceOf(
      StateConflictError,
    )
    expect(await place.look()).toBe(foreign)
    await hold.release()
    const next = await held(place)
    await next.save({ state: { ...second, serial: 10 }, header: headerOf(second), kept: [] })
    expect(await place.look()).toBe(serializeState({ ...second, serial: 10 }).toString())
  })

  test('keeps every text as it is', async () => {
    const place = await begin()
    const odd = 'a "b" \\ \n\t\u0000 \u2028 \u{1F600} \ud800 __proto__ ${x} #'
    const state = stateWith({ [`things.${odd}`]: sample(odd, odd) })
    const record: JournalRecord = { type: 'effects', at, effects: [put(`things.${odd}`, { [odd]: odd })] }
    const hold = await held(place)
    await hold.save({ state, header: headerOf(state), kept: [record] })
    await hold.append(headerOf(state), [record])
    expect(await read(place)).toMatchObject({
      state: serializeState(state).toString(),
      header: headerOf(state),
      records: [record, record],
    })
  })

  // All servers are sent it in the same way.
  test.skipIf(name.startsWith('http '))(
    'keeps a state of 50 MB, and a journal of three thousand records',
    async () => {
      const place = await begin()
      const { state, bytes, header, records } = large()
      const hold = await held(place)
      await hold.save({ state, bytes, header, kept: records })
      const found = await (await place.open()).read()
      expect(found.state?.bytes.length).toBeGreaterThan(50_000_000)
      expect(found.state?.bytes.equals(bytes)).toBe(true)
      expect(found.journal?.records).toStrictEqual(records)
    },
  )

  test('a process that is killed has lost nothing that it was told is kept', async () => {
    const { address } = await begin()
    const options = { statePath: address, expect: expected, command: 'apply' }
    await initState(options)
    const child = new Child('journal-child.ts', address)
    const seen = { sent: new Set<string>(), recorded: new Set<string>() }
    const note = (line: string | undefined) => {
      const [what, thing] = line?.split(' ') ?? []
      if (thing !== undefined) seen[what === 'sent' ? 'sent' : 'recorded'].add(thing)
      return line !== undefined
    }
    while (seen.recorded.size < 23 && note(await child.line()));
    await child.kill()
    while (note(await child.line()));
    const session = await openSession(options)
    const known = new Set(Object.keys(session.state.resources))
    const unknown = new Set(session.unknown.map(({ address: each }) => each))
    expect([...seen.recorded].filter((each) => !known.has(each))).toStrictEqual([])
    expect([...seen.sent].filter((each) => !known.has(each) && !unknown.has(each))).toStrictEqual([])
    expect([...unknown].filter((each) => known.has(each))).toStrictEqual([])
    await session.commit()
    await session.close()
    expect((await readSession(options)).state).toStrictEqual(session.state)
  })
})
