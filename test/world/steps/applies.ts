import * as fc from 'fast-check'
import { expect } from 'vitest'
import { checkApplied, idAt } from '../checks/check-apply.ts'
import {
  checkOverwritten,
  livedTwice,
  notEvident,
  shownNow,
  toldAsOurs,
  toldSince,
  untold,
} from '../checks/check-overwritten.ts'
import { checkReleased } from '../checks/check-released.ts'
import { checkSent } from '../checks/check-sent.ts'
import { checkTouched, madeByRuns } from '../checks/check-touched.ts'
import { rename } from './edits.ts'
import type { Oracle } from '../known/oracle.ts'
import { checkNotBeside } from '../checks/check-strangers.ts'
import { strangersTo } from '../known/strangers.ts'
import { step, type Step } from './step.ts'
import { recordsOf, type Around, type Ended, type World } from '../world.ts'

const EVERYTHING = [
  '--allow-mass-removal',
  '--allow-mass-change',
  '--allow-delete',
  '--allow-owner-removal',
  '--allow-role-removal',
] as const

const beginIn = async (world: World, oracle: Oracle): Promise<void> => {
  oracle.begins(await recordsOf(world), madeByRuns(world))
  oracle.beganAt = world.now
}

/** Runs an apply without a plan before it, and without the checks that need a plan or know of others. */
export const applyBlindly = async (world: World, oracle: Oracle): Promise<Ended> => {
  await beginIn(world, oracle)
  return world.json(['apply', '--auto-approve', ...EVERYTHING])
}

const isSaved = ([first = '']: readonly string[]): boolean => first.endsWith('.plan')

/** Runs an apply, with every `--allow-…` flag unless told otherwise, and checks what it sent and overwrote. */
export const applyIn = async (
  world: World,
  oracle: Oracle,
  words: readonly string[] = [],
  around: Around = {},
  allowed: readonly string[] = EVERYTHING,
): Promise<Ended> => {
  await beginIn(world, oracle)
  const plannedAt = world.now
  const wasUncertain = oracle.isUncertain
  // A plan before it cannot show what happens while it runs.
  const shown = around.meanwhile === undefined ? await shownNow(world, words) : undefined
  const overwrites = words.includes('--allow-overwrite')
  const hidden = overwrites ? notEvident(world, oracle) : livedTwice(world, oracle)
  const late = [...untold(world, oracle), ...toldAsOurs(world)]
  const strangers = await strangersTo(world, oracle)
  const ended = await world.json(['apply', ...words, '--auto-approve', ...allowed], around)
  await checkNotBeside(world, oracle, ended, strangers)
  await checkReleased(world, oracle, ended)
  if (shown !== undefined && !wasUncertain && !isSaved(words))
    checkSent(world, ended, {
      document: shown.document,
      plannedAt,
      ...(overwrites ? { overwritable: hidden } : {}),
    })
  checkOverwritten(world, ended.number, shown, new Set([...hidden, ...late, ...toldSince(world, plannedAt)]))
  return ended
}

export const atOnce = fc.constantFrom(1, 10)
export const withConcurrency = (concurrency: number): string[] => ['--concurrency', String(concurrency)]

const whole = fc.tuple(atOnce, fc.boolean()).map(([concurrency, overwrites]) =>
  step(`apply${overwrites ? ' --allow-overwrite' : ''}, ${concurrency} at once`, async (oracle, world) => {
    const words = [...withConcurrency(concurrency), ...(overwrites ? ['--allow-overwrite'] : [])]
    await checkApplied(world, oracle, await applyIn(world, oracle, words))
  }),
)

const TARGETS = [
  'maintenanceWindows.a',
  'maintenanceWindows.b',
  'alertConfigurations.x',
  'users.dana',
] as const

/** If a window was only renamed, there is nothing to send. */
const applyRenamed = async (oracle: Oracle, world: World): Promise<void> => {
  const { code } = await world.json(['plan', '--detailed-exitcode'])
  const { windows } = oracle.declared
  const [from, to] = windows['a'] === undefined ? ['b', 'a'] : ['a', 'b']
  if (code !== 0 || windows[from] === undefined || windows[to] !== undefined) return
  await rename('windows', from, to).run(oracle, world)
  const ended = await applyIn(world, oracle)
  expect(world.actsOf(ended.number)).toEqual([])
  await checkApplied(world, oracle, ended)
}

const renamed = fc.constant(
  step('apply after a window has got another name, and nothing else has changed', applyRenamed),
)

/** Applies one target and checks that nothing else was written. */
const applyPart = async (address: string, oracle: Oracle, world: World): Promise<void> => {
  const before = await recordsOf(world)
  const ended = await applyIn(world, oracle, ['--target', address])
  checkTouched(world, oracle, ended.number)
  // Requests of unknown outcome are settled first, also outside the target.
  if (oracle.isUncertain) return
  const after = await recordsOf(world)
  // Also what this address has replaced and still has to release.
  const at = [before, after].flatMap((records) =>
    Object.keys(records)
      .filter((each) => each === address || each.startsWith(`${address}[`))
      .map((each) => idAt(records, each)),
  )
  const outside = world.actsOf(ended.number).filter(({ id }) => !at.includes(id))
  expect(outside, `written, and not at ${address}`).toEqual([])
}

export const targeted: fc.Arbitrary<Step> = fc
  .constantFrom(...TARGETS)
  .map((address) => step(`apply --target ${address}`, (oracle, world) => applyPart(address, oracle, world)))

export const applies: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: whole },
  { weight: 1, arbitrary: targeted },
  { weight: 1, arbitrary: renamed },
)
