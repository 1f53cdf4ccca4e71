import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { checkApplied } from '../checks/check-apply.ts'
import { manifestOf, type Declared } from '../known/declared.ts'
import { BYSTANDER, PROJECT } from '../fixture.ts'
import { step, type Step } from './step.ts'
import type { Oracle } from '../known/oracle.ts'
import { count } from '../tally.ts'
import { truthOf, type Ended, type World } from '../world.ts'

const FILE = 'gated.plan'

/** What a run has sent to the project, whatever the service answered. */
const sentThere = (world: World, { number }: Ended): readonly object[] =>
  world.service.sent.filter(({ run, path }) => run === number && path.startsWith(`/groups/${PROJECT}/`))

const declareGated = async (oracle: Oracle, world: World, isGated: boolean): Promise<void> => {
  const { isGated: _, ...others }: Declared = oracle.declared
  oracle.declared = { ...others, ...(isGated ? { isGated } : {}) }
  await world.manifest(manifestOf(oracle.declared))
}

/** Saves a plan while the gate is open; what is unknown keeps it from being saved. */
const saved = async (world: World): Promise<string[]> => {
  const { code } = await world.run(['plan', '--out', FILE])
  return code === 0 ? [FILE] : []
}

/**
 * While an alert is open, an apply sends nothing to the project, also nothing that only settles an earlier request. It is
 * refused only if it would send something there, and then it sends nothing anywhere.
 */
const applyGated = async (oracle: Oracle, world: World, isSaved: boolean): Promise<void> => {
  await declareGated(oracle, world, true)
  // By then, what was lost can be settled by a write.
  if (oracle.isUncertain) world.now += 200_000
  const words = isSaved && !oracle.isUncertain ? await saved(world) : []
  world.service.alert(PROJECT, BYSTANDER, true)
  const isClosed = truthOf(world).openAlerts > 0
  const ended = await applyIn(world, oracle, words)
  const isRefused = ended.document?.error?.code === 'DM-GATE'
  count(
    `gate: ${isClosed ? 'closed' : 'open'}${words.length > 0 ? ', of a saved plan' : ''}${isRefused ? ', refused' : ''}`,
  )
  expect(isClosed ? sentThere(world, ended) : []).toEqual([])
  if (isRefused) {
    expect({ isClosed, sent: world.service.sent.filter(({ run }) => run === ended.number) }).toEqual({
      isClosed: true,
      sent: [],
    })
    expect(ended.code).toBe(1)
  } else if (words.length === 0) await checkUnlessBeside(world, oracle, ended)
  await applyAllTheSame(oracle, world, isRefused)
  await rm(join(world.folder, FILE), { force: true })
  world.service.alert(PROJECT, BYSTANDER, false)
  await declareGated(oracle, world, false)
}

/** With the flag, or once no alert is open, everything is sent; and only something in the project was refused. */
const applyAllTheSame = async (oracle: Oracle, world: World, wasRefused: boolean): Promise<void> => {
  const from = world.now
  const isFlagged = wasRefused || truthOf(world).openAlerts > 0
  const wasUncertain = oracle.isUncertain
  const flags = ['--allow-mass-removal', '--allow-mass-change', '--allow-delete', '--allow-owner-removal']
  const ended = await applyIn(world, oracle, [], {}, isFlagged ? [...flags, '--allow-closed-gates'] : flags)
  expect(ended.document?.error?.code).not.toBe('DM-GATE')
  const isNew = world.service.acts.some(({ run, seenFrom }) => run !== ended.number && seenFrom >= from)
  if (wasRefused && !isNew && !wasUncertain && (ended.code === 0 || ended.code === 2))
    expect(sentThere(world, ended)).not.toEqual([])
  await checkUnlessBeside(world, oracle, ended)
}

/** Strangers are disowned by a step that has no gate: the apply after that would need the flag, too. */
const checkUnlessBeside = async (world: World, oracle: Oracle, ended: Ended): Promise<void> => {
  if (ended.document?.strangers === undefined) await checkApplied(world, oracle, ended)
}

export const gates: fc.Arbitrary<Step> = fc
  .nat(3)
  .map((n) =>
    step(
      `an alert is open in a project whose gate it closes; apply ${n === 0 ? 'a plan that was saved before' : ''}, then with the flag`,
      (oracle, world) => applyGated(oracle, world, n === 0),
    ),
  )
