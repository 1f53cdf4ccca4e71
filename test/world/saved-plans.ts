import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { checkApplied } from './check-apply.ts'
import { edits } from './edits.ts'
import { checkTouched } from './check-touched.ts'
import { CONFIGS } from './fixture.ts'
import type { Oracle } from './oracle.ts'
import { strangersTo } from './strangers.ts'
import { inTurn, step, type Step } from './step.ts'
import { truthOf, type World } from './world.ts'

/** What a saved plan was made from. */
export interface Basis {
  readonly declared: string
  readonly state: string
  readonly acts: number
  readonly at: number
  readonly configs: ReadonlyMap<string, boolean>
  readonly integrations: string
}

const FILE = 'saved.plan'

const basisOf = async (world: World, { declared }: Oracle): Promise<Basis> => ({
  declared: JSON.stringify(declared),
  state: await readFile(join(world.folder, 'deploymgmt.state.json'), 'utf8'),
  acts: world.service.acts.length,
  at: world.now,
  configs: truthOf(world).configs,
  integrations: JSON.stringify([...truthOf(world).integrations]),
})

const saveIn = async (oracle: Oracle, world: World): Promise<void> => {
  await rm(join(world.folder, FILE), { force: true })
  oracle.saved = undefined
  // Those whose events came too late to be looked for can be met all the same.
  const strangers = await strangersTo(world, oracle, Number.POSITIVE_INFINITY)
  const { code } = await world.run(['plan', '--out', FILE])
  // What would be created beside them is blocked.
  if (oracle.isUncertain || (code === 3 && strangers.length > 0)) return
  expect(code).toBe(0)
  oracle.saved = await basisOf(world, oracle)
}

/** It is refused where something has changed since, and only there. */
const applySavedIn = async (oracle: Oracle, world: World): Promise<void> => {
  const { saved } = oracle
  if (saved === undefined || oracle.isUncertain) return
  const now = await basisOf(world, oracle)
  const isWanted = (id: string): boolean => oracle.wants(id) !== undefined
  const isOther = CONFIGS.some((id) => isWanted(id) && saved.configs.get(id) !== now.configs.get(id))
  const isStale = saved.declared !== now.declared || saved.state !== now.state || isOther
  const ended = await applyIn(world, oracle, [FILE])
  oracle.saved = undefined
  const isRefused = ended.document?.error?.code === 'DM-PLAN-STALE'
  const { said } = ended
  if (isStale) expect({ said, isRefused }).toMatchObject({ isRefused: true })
  const isTold = world.service.acts.some(({ seenFrom }) => seenFrom > saved.at && seenFrom <= world.now)
  const isChanged = isStale || isTold || saved.acts < now.acts || saved.integrations !== now.integrations
  if (isRefused) expect({ said, isChanged }).toMatchObject({ isChanged: true })
  if (isRefused) expect(world.actsOf(ended.number)).toEqual([])
  // What has ended meanwhile is left as it is, and what has come up is not in the plan.
  else if (now.at - saved.at > 60_000) checkTouched(world, oracle, ended.number)
  else await checkApplied(world, oracle, ended)
}

const save = step('plan --out', saveIn)
const applySaved = step('apply the saved plan', applySavedIn)

/** Between the two, something can happen that is no reason for a refusal, or is one. */
export const savedPlans = (between: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc
    .tuple(edits, fc.option(between, { nil: undefined }))
    .map(([first, each]) => inTurn(first, save, ...(each === undefined ? [] : [each]), applySaved))
