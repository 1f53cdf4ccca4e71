import { createHash } from 'node:crypto'
import { copyFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applies, applyIn } from './applies.ts'
import { checkApplied } from '../checks/check-apply.ts'
import { edits, twoAlone } from './edits.ts'
import { checkSent } from '../checks/check-sent.ts'
import { checkTouched } from '../checks/check-touched.ts'
import { copy } from './copy.ts'
import { manifestOf } from '../known/declared.ts'
import { CONFIGS } from '../fixture.ts'
import type { Basis, Oracle } from '../known/oracle.ts'
import { turnedOverAt } from './others.ts'
import { strangersTo } from '../known/strangers.ts'
import { inTurn, step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { stateOf, truthOf, type World } from '../world.ts'

const FILE = 'saved.plan'

const basisOf = async (world: World, { declared }: Oracle): Promise<Omit<Basis, 'document'>> => ({
  declared: JSON.stringify(declared),
  state: await stateOf(world),
  acts: world.service.acts.length,
  at: world.now,
  configs: truthOf(world).configs,
  integrations: JSON.stringify([...truthOf(world).integrations]),
})

const saveIn = async (oracle: Oracle, world: World): Promise<void> => {
  await rm(join(world.folder, FILE), { force: true })
  oracle.saved = undefined
  // A plan can also meet strangers whose events came too late to be looked for.
  const strangers = await strangersTo(world, oracle, Number.POSITIVE_INFINITY)
  const { code } = await world.run(['plan', '--out', FILE])
  // What would be created beside strangers is blocked.
  if (oracle.isUncertain || (code === 3 && strangers.length > 0)) return
  expect(code).toBe(0)
  const { document } = await world.json(['plan', FILE])
  oracle.saved = { ...(await basisOf(world, oracle)), document }
}

/** A saved plan is refused if something has changed since, and only then. */
const applySavedIn = async (oracle: Oracle, world: World, words: readonly string[] = []): Promise<void> => {
  const { saved } = oracle
  if (saved === undefined || oracle.isUncertain) return
  count('a saved plan is applied')
  const now = await basisOf(world, oracle)
  const isWanted = (id: string): boolean => oracle.wants(id) !== undefined
  const isOther = CONFIGS.some((id) => isWanted(id) && saved.configs.get(id) !== now.configs.get(id))
  const isStale = saved.declared !== now.declared || saved.state !== now.state || isOther
  const ended = await applyIn(world, oracle, [FILE, ...words])
  oracle.saved = undefined
  const isRefused = ended.document?.error?.code === 'DM-PLAN-STALE'
  const { said } = ended
  if (isStale) expect({ said, isRefused }).toMatchObject({ isRefused: true })
  const isTold = world.service.acts.some(({ seenFrom }) => seenFrom > saved.at && seenFrom <= world.now)
  const isChanged = isStale || isTold || saved.acts < now.acts || saved.integrations !== now.integrations
  if (isRefused) expect({ said, isChanged }).toMatchObject({ isChanged: true })
  if (isRefused) return expect(world.actsOf(ended.number)).toEqual([])
  checkSent(world, ended, { document: saved.document, plannedAt: saved.at, isSaved: true })
  // After a while, windows have ended that the plan changes, and occurrences are due that it does not contain.
  if (now.at - saved.at > 60_000) checkTouched(world, oracle, ended.number)
  else await checkApplied(world, oracle, ended)
}

const save = step('plan --out', saveIn)
const applySaved = step('apply the saved plan', (oracle, world) => applySavedIn(oracle, world))

const digestOf = async ({ folder }: World): Promise<string> =>
  createHash('sha256')
    .update(await readFile(join(folder, FILE)))
    .digest('hex')

/** Of two plans that were saved in turn, the later one is in the file. Only if that one was approved, it is applied. */
const applyApproved = async (oracle: Oracle, world: World, later: Step): Promise<void> => {
  await saveIn(oracle, world)
  if (oracle.saved === undefined) return
  const approved = await digestOf(world)
  if (later.check(oracle)) await later.run(oracle, world)
  await saveIn(oracle, world)
  if (oracle.saved === undefined) return
  const now = await digestOf(world)
  const before = { at: world.now, state: await stateOf(world) }
  if (now !== approved) {
    const { code, document } = await world.json([
      'apply',
      FILE,
      '--auto-approve',
      '--expect-sha256',
      approved,
    ])
    expect({ code, error: document?.error?.code }).toEqual({ code: 1, error: 'DM-PLAN-DIGEST' })
    // Each request would move the clock: nothing is even read.
    expect({ at: world.now, state: await stateOf(world) }).toEqual(before)
  }
  count(`another plan was approved: ${now === approved ? 'no' : 'refused'}`)
  await applySavedIn(oracle, world, ['--expect-sha256', now])
}
/** As a job of a pipeline does, with the files of another job. */
const applyElsewhere = step('apply the saved plan on another machine', async (oracle, world) => {
  if (oracle.saved === undefined) return
  const there = await world.moved()
  await applySavedIn(oracle, there)
  await world.fetch(there)
})

/** With another state, even an older one of the same manifest, a saved plan is not applied at all. */
const applyBesideIn = async (oracle: Oracle, world: World): Promise<void> => {
  const { saved, second } = oracle
  if (saved === undefined || second === undefined) return
  const there = second.world
  const isSame = saved.state === (await stateOf(there))
  if (isSame) return
  await copyFile(join(world.folder, FILE), join(there.folder, FILE))
  await there.manifest(manifestOf(oracle.declared))
  const ended = await there.json(['apply', FILE, '--auto-approve'])
  count('a saved plan meets another state')
  const { said } = ended
  expect({ said, code: ended.document?.error?.code }).toEqual({ said, code: 'DM-PLAN-STALE' })
  expect(there.actsOf(ended.number)).toEqual([])
}
const applyBeside = step('apply the saved plan in the second checkout', applyBesideIn)

/** As much has drifted as when the plan was saved, but it is something else. */
const swapped = fc
  .tuple(applies, turnedOverAt(0), turnedOverAt(0), turnedOverAt(1))
  .map(([apply, drifted, back, other]) => inTurn(twoAlone, apply, drifted, save, back, other, applySaved))

/** What happens between saving and applying may or may not be a reason for a refusal. */
export const savedPlans = (between: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(edits, fc.option(between, { nil: undefined }), fc.constantFrom(applySaved, applyElsewhere))
        .map(([first, each, apply]) => inTurn(first, save, ...(each === undefined ? [] : [each]), apply)),
    },
    { weight: 1, arbitrary: swapped },
    {
      weight: 1,
      arbitrary: fc.tuple(edits, edits).map(([first, later]) =>
        inTurn(
          first,
          step(`plan --out; ${String(later)}; plan --out; apply with the digest of each`, (oracle, world) =>
            applyApproved(oracle, world, later),
          ),
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(edits, applies, edits)
        .map(([first, apply, second]) => inTurn(copy, first, apply, second, save, applyBeside, applySaved)),
    },
  )
