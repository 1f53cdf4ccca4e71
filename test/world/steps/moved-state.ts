import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { STATE, stateOf, unknownIn, type World } from '../world.ts'

const KEPT = 'kept.json'
const STATE_FILES = 'deploymgmt.state.'
const SILENCE_FILES = 'deploymgmt.silences.'

const done = async (world: World, ...words: readonly string[]): Promise<void> => {
  const { code, stderr, number } = await world.run(['state', ...words])
  expect({ words, stderr, code, acts: world.actsOf(number) }).toEqual({ words, stderr, code: 0, acts: [] })
}

/** All that is recorded; each save counts. */
const contentsOf = async (world: World): Promise<object> => {
  const { serial: _, ...contents } = JSON.parse(await stateOf(world))
  return contents
}

const namesIn = async ({ folder }: World, start: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith(start))

const takeAway = async (world: World, start: string): Promise<void> => {
  for (const name of await namesIn(world, start)) await rm(join(world.folder, name))
}

/** Whether a killed command has left a journal. */
const isWhole = async (world: World): Promise<boolean> => (await namesIn(world, STATE_FILES)).length === 1

/** It is moved to another file and back; not while an outcome is unknown. */
const copyAndBack = async (world: World): Promise<void> => {
  const isOpen = (await unknownIn(world)).size > 0
  count(`the state is copied${isOpen ? ', which is refused' : ''}`)
  if (isOpen) {
    const { code, number } = await world.run(['state', 'copy', '--from', STATE, '--to', KEPT])
    return expect({ code, acts: world.actsOf(number) }).toEqual({ code: 3, acts: [] })
  }
  await done(world, 'copy', '--from', STATE, '--to', KEPT)
  for (const start of [STATE_FILES, SILENCE_FILES]) await takeAway(world, start)
  await done(world, 'copy', '--from', KEPT, '--to', STATE)
}

/** It is printed, lost and restored. */
const pullAndPush = async (world: World): Promise<void> => {
  if (!(await isWhole(world))) return
  count('the state is pulled')
  await done(world, 'pull', '--output', KEPT)
  await takeAway(world, STATE_FILES)
  await done(world, 'push', KEPT)
}

const WAYS = { 'copied to another file and back': copyAndBack, 'printed, lost and restored': pullAndPush }

/** Nothing of it is lost on the way. */
const move = async ({ isSilenceLost }: Oracle, world: World, how: keyof typeof WAYS): Promise<void> => {
  // What a silence has lost moves with it only once it is settled.
  if (world.place !== undefined || isSilenceLost) return
  const before = await contentsOf(world)
  await WAYS[how](world)
  expect(await contentsOf(world)).toEqual(before)
  await takeAway(world, 'kept.')
}

export const movedState: fc.Arbitrary<Step> = fc
  .constantFrom<keyof typeof WAYS>('copied to another file and back', 'printed, lost and restored')
  .map((how) => step(`the state is ${how}`, (oracle, world) => move(oracle, world, how)))
