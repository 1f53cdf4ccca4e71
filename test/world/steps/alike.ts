import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn, atOnce, withConcurrency } from './applies.ts'
import { checkApplied, idAt } from '../checks/check-apply.ts'
import { EPOCH, HOUR, windowValues, type DeclaredWindow } from '../known/declared.ts'
import { PROJECT } from '../fixture.ts'
import type { Oracle } from '../known/oracle.ts'
import { declare, step, type Step } from './step.ts'
import { recordsOf, type World } from '../world.ts'

/** What is lost of windows that differ only in their names, and who else makes just such a window. */
interface Loss {
  readonly fault: 'reset-after' | 'reset-before' | 'truncate'
  /** How many creations lose their answers. */
  readonly count: number
  readonly concurrency: number
  readonly other: 'oncall' | 'sam' | undefined
  readonly isBefore: boolean
  /** Time until the next apply, in milliseconds. */
  readonly wait: number
}

const isAlike = (name: string): boolean => name.startsWith('alike')

/**
 * Declares two equal windows that begin a day from now, later than any declared before: otherwise they could count as
 * renamed ones.
 */
const declareAlike = async (oracle: Oracle, world: World): Promise<DeclaredWindow> => {
  const windows = Object.entries(oracle.declared.windows)
  const earlier = windows.flatMap(([name, each]) => (isAlike(name) ? [each?.start ?? 0] : []))
  const start = Math.max(Math.ceil((world.now - EPOCH) / HOUR) + 23, ...earlier) + 1
  const alike: DeclaredWindow = {
    project: 'payments',
    types: ['HOST'],
    start,
    hours: 4,
    description: 'alike',
    onRemove: 'end',
    protect: false,
  }
  const others = windows.filter(([name]) => !isAlike(name))
  const both = ['a', 'b'].map((name) => [`alike-${start}-${name}`, alike] as const)
  await declare(oracle, world, { windows: Object.fromEntries([...others, ...both]) })
  return alike
}

const loseAmongAlike = async (oracle: Oracle, world: World, loss: Loss): Promise<void> => {
  const { fault, count, concurrency, other, isBefore, wait } = loss
  const alike = await declareAlike(oracle, world)
  const makeAnother = async (): Promise<void> => {
    const path = `/groups/${PROJECT}/maintenanceWindows`
    if (other !== undefined) await world.write(other, 'POST', path, windowValues(alike))
  }
  if (isBefore) await makeAnother()
  world.service.fault('run', { method: 'POST', path: 'maintenanceWindows', fault, count })
  oracle.isUncertain = true
  const ended = await applyIn(world, oracle, withConcurrency(concurrency))
  world.service.clearFaults()
  await checkApplied(world, oracle, ended)
  if (!isBefore) await makeAnother()
  world.now += wait
  await checkApplied(world, oracle, await applyIn(world, oracle))
  await checkApart(world)
}

/** Even while outcomes are unknown, no window is recorded at two addresses. */
const checkApart = async (world: World): Promise<void> => {
  const records = await recordsOf(world)
  const windows = Object.keys(records).filter((address) => address.startsWith('maintenanceWindows.'))
  const ids = windows.map((address) => idAt(records, address))
  expect(new Set(ids).size, 'a window is recorded at two addresses').toBe(ids.length)
}

const saidOf = ({ fault, count, concurrency, other, isBefore, wait }: Loss): string =>
  [
    'two windows of the same values are declared anew',
    ...(other !== undefined && isBefore ? [`${other} makes just such a window`] : []),
    `apply, ${concurrency} at once, and the answers to ${count} creations of windows are lost (${fault})`,
    ...(other !== undefined && !isBefore ? [`${other} makes just such a window`] : []),
    `pause ${wait} ms`,
    'apply',
  ].join('; ')

/**
 * Only names distinguish the lost windows from recorded ones, and only the key distinguishes them from what somebody
 * else has made.
 */
export const alike: fc.Arbitrary<Step> = fc
  .record({
    fault: fc.constantFrom('reset-after', 'reset-before', 'reset-before', 'truncate' as const),
    count: fc.constantFrom(1, 1, 2),
    concurrency: atOnce,
    other: fc.constantFrom(undefined, 'oncall', undefined, 'oncall', 'sam' as const),
    isBefore: fc.boolean(),
    wait: fc.constantFrom(900, 40_000, 200_000),
  })
  .map((loss) => step(saidOf(loss), (oracle, world) => loseAmongAlike(oracle, world, loss)))
