import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  LockedError,
  StateAddressError,
  StateConflictError,
  StateMissingError,
  StateMovedError,
} from '../../../reconciler/errors/index.ts'
import {
  copyState,
  initState,
  openSession,
  readSession,
  unlockState,
} from '../../../reconciler/state/index.ts'
import { type Place, setUpStores, stores } from './stores/support/kinds-of-store.ts'
import { expected, intentFor, put } from './support/samples.ts'

setUpStores()

const ways = stores.flatMap((from) => stores.map((to) => ({ from, to, way: `${from.name} to ${to.name}` })))

const options = ({ address }: Place) => ({ statePath: address, expect: expected, command: 'apply' })

/** A state with one record at one place, and another, empty place. */
const places = async (way: (typeof ways)[number] | undefined = ways[0]) => {
  const [from, to] = [await way!.from.begin(), await way!.to.begin()]
  await initState(options(from))
  const session = await openSession(options(from))
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  const copy = (given?: Parameters<typeof copyState>[1]) =>
    copyState({ from: { statePath: from.address }, to: { statePath: to.address }, expect: expected }, given)
  return { from, to, copy }
}

const stateAt = async (place: Place) => (await readSession(options(place))).state

test.each(ways)('$way: lineage, serial and records are there, and the old place says where', async (way) => {
  const { from, to, copy } = await places(way)
  const before = await from.look()
  expect(await copy()).toMatchObject({ is: 'done', serial: 2 })
  expect(await to.look()).toBe(before)
  const error: unknown = await openSession(options(from)).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(StateMovedError)
  expect(JSON.parse(await from.look())).toMatchObject({ version: 2, serial: 2, resources: {} })
  await expect(readSession(options(from))).rejects.toThrow(StateMovedError)
  const session = await openSession(options(to))
  await session.effects([put('things.b')])
  await session.commit()
  await session.close()
  expect(await stateAt(to)).toMatchObject({ serial: 3, resources: { 'things.a': {}, 'things.b': {} } })
})

test('a file that moves to another file is named by what leads there, wherever the checkout is', async () => {
  const { from, to, copy } = await places(ways.find(({ way }) => way === 'file to file'))
  await copy()
  const { movedTo } = JSON.parse(await from.look())
  expect(movedTo).toMatch(/^\.\./)
  expect(await readFile(join(dirname(from.address), movedTo), 'utf8')).toBe(await to.look())
})

test('what a journal knows is in the copy', async () => {
  const { from, to, copy } = await places()
  const session = await openSession(options(from))
  await session.effects([put('things.b')])
  await session.close()
  expect(await copy()).toMatchObject({ is: 'done', serial: 3 })
  expect(Object.keys((await stateAt(to)).resources)).toStrictEqual(['things.a', 'things.b'])
})

test('with a request of unknown outcome nothing is copied', async () => {
  const { from, to, copy } = await places()
  const session = await openSession(options(from))
  await session.intent(intentFor('things.b'))
  await session.close()
  expect(await copy()).toMatchObject({ is: 'unsettled', unknown: [{ n: 1, address: 'things.b' }] })
  expect((await stateAt(from)).serial).toBe(2)
  expect(await (await to.open()).read()).toMatchObject({ state: undefined, journal: undefined })
})

test('another state at the new place is left as it is, and the old one too', async () => {
  const { from, to, copy } = await places()
  await initState(options(to))
  const before = [await from.look(), await to.look()]
  await expect(copy()).rejects.toThrow(StateConflictError)
  expect([await from.look(), await to.look()]).toStrictEqual(before)
})

test('a place with only a journal is not empty either', async () => {
  const { to, copy } = await places()
  const session = await openSession(options(to))
  await session.intent(intentFor('things.b'))
  await session.close()
  await expect(copy()).rejects.toThrow('there is already another one')
})

test('a copy that was cut off before its marker goes on with the next call', async () => {
  const { from, to, copy } = await places()
  await to.write(await from.look())
  expect(await copy()).toMatchObject({ is: 'done' })
  await expect(stateAt(from)).rejects.toThrow(StateMovedError)
})

test.each(['from', 'to'] as const)('while somebody is at work (%s), nothing is copied', async (which) => {
  const here = await places()
  const hold = await (await here[which].open()).lock('apply')
  await expect(here.copy()).rejects.toThrow(LockedError)
  await hold.release()
  expect((await stateAt(here.from)).serial).toBe(2)
  expect(await here.copy()).toMatchObject({ is: 'done' })
})

const interrupted = (): Promise<void> => Promise.reject(new Error('interrupted'))

test('before anything is copied, an owner whose lock was removed is waited for', async () => {
  const { from, copy } = await places(ways.find(({ way }) => way === 'git to file'))
  const hold = await (await from.open()).lock('apply')
  await unlockState({ statePath: from.address }, { id: hold.id })
  const [said, pauses]: [string[], number[]] = [[], []]
  const say = async (text: string) => void said.push(text)
  await expect(copy({ pause: interrupted })).rejects.toThrow(
    'interrupted while waiting for the command that held the lock; nothing was copied',
  )
  const pause = async (ms: number) => void pauses.push(ms)
  expect(await copy({ say, pause })).toMatchObject({ is: 'done' })
  expect(said[0]).toMatch(/^Waiting 90 s: the lock was removed at /)
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(90_000)
  await hold.release()
})

test('nothing is copied from where nothing is, nor to where it is', async () => {
  const { from, to } = await places()
  const [here, there] = [{ statePath: from.address }, { statePath: to.address }]
  await expect(copyState({ from: there, to: here, expect: expected })).rejects.toThrow(StateMissingError)
  await expect(copyState({ from: here, to: here, expect: expected })).rejects.toThrow(StateAddressError)
})
