/** Runs Terraform, and checks all that it did. */
import { expect } from 'vitest'
import {
  checkFailure,
  checkNeeded,
  checkNothingTwice,
  checkReached,
  checkReleased,
  checkSound,
  checkTouched,
  contradicts,
  differences,
  idsOf,
} from './checks.ts'
import { addressesOf, hclOf } from './declared.ts'
import { configsOf, momentOf, type Oracle } from './oracle.ts'
import type { Around, Ended, World } from './world.ts'

/** Runs a command that may write, and checks all that it did. */
export const carryOut = async (
  oracle: Oracle,
  world: World,
  words: readonly string[],
  { within, ...around }: { readonly within?: readonly string[] } & Around = {},
): Promise<Ended> => {
  const before = await momentOf(world)
  const ended = await world.terraform(words, around)
  const after = await momentOf(world)
  checkSound(world, ended)
  checkTouched(oracle, { ended, before, after, within })
  if (around.meanwhile === undefined) checkNeeded({ ended, before, after })
  oracle.follow(ended, before, after)
  return ended
}

/** Applies all that is declared, and checks that it is reached or that something prevents it. */
export const apply = async (
  oracle: Oracle,
  world: World,
  words: readonly string[] = ['apply', '-auto-approve'],
): Promise<Ended> => {
  const before = await momentOf(world)
  const ended = await carryOut(oracle, world, words)
  if (ended.code !== 0) {
    checkFailure(oracle, before, ended)
    return ended
  }
  oracle.isUnclear = false
  const after = await momentOf(world)
  checkReached(oracle, after, ended)
  checkReleased(oracle, { before, after, ended, now: world.now(), kept: addressesOf(oracle.declared) })
  checkNothingTwice(oracle, after, world.now())
  oracle.declared = { ...oracle.declared, moved: [] }
  await world.configure(hclOf(oracle.declared))
  const again = await world.terraform(['plan', '-detailed-exitcode'])
  const { code, said, wrote } = again
  expect({ code, said, wrote }).toEqual({ code: 0, said, wrote: [] })
  return ended
}

/** Plans, and checks its exit code, that it writes nothing, and that it names who changed what. */
export const plan = async (oracle: Oracle, world: World, ...words: readonly string[]): Promise<Ended> => {
  const before = await momentOf(world)
  const ended = await world.terraform(['plan', '-detailed-exitcode', ...words])
  checkSound(world, ended)
  const { code, said, wrote } = ended
  expect({ said, wrote }).toEqual({ said, wrote: [] })
  if (code === 1) {
    checkFailure(oracle, before, ended)
    return ended
  }
  expect({ said, isContradictory: contradicts(oracle.declared) }).toMatchObject({ isContradictory: false })
  const { declared } = oracle
  const differ = differences(oracle, before)
  const undeclared = [...before.state.keys()].filter((each) => !addressesOf(declared).includes(each))
  const isMoved = declared.moved.length > 0
  if (!isMoved)
    expect({ said, differ, undeclared, code }).toMatchObject({
      code: differ.length + undeclared.length > 0 ? 2 : 0,
    })
  const blamed = differ.filter((address) => {
    const stated = before.state.get(address)
    return [...configsOf(stated), ...idsOf(stated)].some((id) => oracle.foreign.has(id))
  })
  if (oracle.isUnclear) return ended
  if (blamed.length > 0 && !isMoved) expect(said).toContain('oncall')
  if (oracle.foreign.size === 0) expect(said).not.toContain('oncall')
  return ended
}
