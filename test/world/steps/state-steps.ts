import * as fc from 'fast-check'
import { expect } from 'vitest'
import { idAt } from '../checks/check-apply.ts'
import type { Declared } from '../known/declared.ts'
import { isSure, type Oracle } from '../known/oracle.ts'
import { declare, step, type Step } from './step.ts'
import { recordsOf, type World } from '../world.ts'

const windowAt = (name: string): string => `maintenanceWindows.${name}`

const done = async (world: World, ...words: readonly string[]): Promise<void> =>
  expect(await world.run(['state', ...words])).toMatchObject({ code: 0 })

export const acceptAt = async (oracle: Oracle, world: World, address: string): Promise<void> => {
  const records = await recordsOf(world)
  if (records[address] === undefined) return
  await done(world, 'accept', address)
  oracle.accepted.set(idAt(records, address), world.now)
}

const accept = fc
  .constantFrom(windowAt('a'), windowAt('b'), 'apiKeys.reporting', 'users.dana')
  .map((address) =>
    step(`state accept ${address}`, (oracle, world) => acceptAt(oracle, world, address), isSure),
  )

/** Every record at once, as after a warning that older events were left unread. */
const acceptAll = fc.constantFrom('*', 'maintenanceWindows.*').map((pattern) =>
  step(
    `state accept '${pattern}'`,
    async (oracle, world) => {
      const records = await recordsOf(world)
      const meant = Object.keys(records).filter((each) => pattern === '*' || each.startsWith(windowAt('')))
      if (meant.length === 0) return
      await done(world, 'accept', pattern)
      for (const address of meant) oracle.accepted.set(idAt(records, address), world.now)
    },
    isSure,
  ),
)

const declareWindows = (oracle: Oracle, world: World, windows: Declared['windows']): Promise<void> =>
  declare(oracle, world, { windows: { ...oracle.declared.windows, ...windows } })

const move = fc.constantFrom(['a', 'b'], ['b', 'a']).map(([from = '', to = '']) =>
  step(
    `state mv ${windowAt(from)} ${windowAt(to)}, and in the manifest`,
    async (oracle, world) => {
      const records = await recordsOf(world)
      const { windows } = oracle.declared
      const isFree = windows[to] === undefined && records[windowAt(to)] === undefined
      if (records[windowAt(from)] === undefined || !isFree) return
      await done(world, 'mv', windowAt(from), windowAt(to))
      oracle.meant.set(to, oracle.meant.get(from) ?? [])
      await declareWindows(oracle, world, { [to]: windows[from], [from]: undefined })
    },
    isSure,
  ),
)

const forget = fc.constantFrom('a', 'b').map((name) =>
  step(
    `state forget ${windowAt(name)}, and in the manifest`,
    async (oracle, world) => {
      const records = await recordsOf(world)
      if (records[windowAt(name)] === undefined) return
      await done(world, 'forget', windowAt(name))
      oracle.left.add(idAt(records, windowAt(name)))
      await declareWindows(oracle, world, { [name]: undefined })
    },
    isSure,
  ),
)

export const stateSteps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: accept },
  { weight: 1, arbitrary: acceptAll },
  { weight: 1, arbitrary: move },
  { weight: 1, arbitrary: forget },
)
