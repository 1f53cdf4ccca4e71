import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn, atOnce, withConcurrency } from './applies.ts'
import { checkApplied, idAt } from '../checks/check-apply.ts'
import { checkTouched } from '../checks/check-touched.ts'
import { edits, newWindows } from './edits.ts'
import type { Stumble } from '../gate.ts'
import type { Oracle } from '../known/oracle.ts'
import { inTurn, step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, unknownIn, type Ended, type World } from '../world.ts'

const isElsewhere = (oracle: Readonly<Oracle>): boolean => oracle.isElsewhere
const APPLY = ['apply', '--auto-approve']

/** Which write to the store fails: of the lock, of what is about to be sent, of the outcome, or of the lock again. */
const stumbles = fc.record({
  at: fc.constantFrom(4, 5, 4, 5, 3, 6, 1, 2, 7),
  how: fc.constantFrom('before', 'after', 'late' as const),
})

const LOST = { before: 'lost', after: 'done and not answered', late: 'not answered and done late' } as const

/** One answer of the store is lost, without consequences. */
const stumbling = fc.tuple(stumbles, atOnce).map(([{ at, how }, concurrency]) =>
  step(
    `apply, ${concurrency} at once, and write ${at} to the store is ${LOST[how]}`,
    async (oracle, world) => {
      const around = { stumble: { at, how, often: 1 } }
      await checkApplied(world, oracle, await applyIn(world, oracle, withConcurrency(concurrency), around))
    },
    isElsewhere,
  ),
)

const rescuesIn = async ({ folder }: World): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('deploymgmt.rescue.'))

const isLocked = ({ document }: Ended): boolean => document?.error?.code === 'DM-STATE-LOCKED'

/** An apply on another machine is refused: nobody there knows whether the owner of the lock is still at work. */
const checkLocked = async (world: World): Promise<void> => {
  const there = await world.moved()
  const ended = await there.json(APPLY)
  expect({ said: ended.said, isLocked: isLocked(ended) }).toMatchObject({ isLocked: true })
  expect(there.actsOf(ended.number)).toEqual([])
}

/** What was created is recorded, and no outcome is unknown. */
export const checkKept = async (world: World, oracle: Oracle, { number }: Ended): Promise<void> => {
  if (oracle.isUncertain) return
  const records = await recordsOf(world)
  const ids = Object.keys(records).map((address) => idAt(records, address))
  const made = world.actsOf(number).filter(({ kind, before }) => kind === 'window' && before === undefined)
  expect(made.filter(({ id }) => !ids.includes(id))).toEqual([])
  expect([...(await unknownIn(world))]).toEqual([])
}

/** What happens to the rescue file of an apply that could not record what it did. */
type Fate = 'pushed' | 'lost' | 'pushed late'

/** From one write on, the store takes nothing until the apply has ended. */
const applyCutOff = async (
  oracle: Oracle,
  world: World,
  {
    stumble,
    fate,
    concurrency,
  }: { readonly stumble: Stumble; readonly fate: Fate; readonly concurrency: number },
): Promise<void> => {
  const ended = await applyIn(world, oracle, withConcurrency(concurrency), { stumble })
  const [file, ...others] = await rescuesIn(world)
  expect(others).toEqual([])
  const { number, code, said } = ended
  count(`apply cut off from its store: exit ${code}${file === undefined ? '' : `, rescue ${fate}`}`)
  checkTouched(world, oracle, number)
  if (file === undefined) {
    await checkKept(world, oracle, ended)
    return again(world, oracle)
  }
  expect({ said, code, isTold: said.includes(file) }).toMatchObject({ code: 1, isTold: true })
  if (fate === 'pushed') {
    await checkLocked(world)
    const pushed = await world.run(['state', 'push', file])
    expect(pushed).toMatchObject({ code: 0 })
    await checkKept(world, oracle, ended)
    // Only the file knows the outcomes, and what was never sent.
  } else oracle.isUncertain = true
  await again(world, oracle)
  if (fate === 'pushed late') await pushLate(world, file)
  await rm(join(world.folder, file))
}

/**
 * A late push does not overwrite what has been learnt since with what was known before. What the file tells of a
 * creation whose outcome was still unknown can put another thing at its address; the former one stays recorded.
 */
const pushLate = async (world: World, file: string): Promise<void> => {
  const [before, unknown] = [await recordsOf(world), await unknownIn(world)]
  const { code, stderr } = await world.run(['state', 'push', file])
  count(`a rescue is pushed late: exit ${code}`)
  const after = await recordsOf(world)
  const ids = Object.keys(after).map((address) => idAt(after, address))
  const moved = Object.keys(before).filter((address) => {
    const id = idAt(before, address)
    return unknown.has(address) ? !ids.includes(id) : idAt(after, address) !== id
  })
  expect({ stderr, moved }).toEqual({ stderr, moved: [] })
}

/** On the same machine, a command takes over the lock of one that has ended; otherwise a person has to take it away. */
const again = async (world: World, oracle: Oracle): Promise<void> => {
  const ended = await world.json(APPLY)
  if (!isLocked(ended)) {
    // Without flags, it may have been refused.
    checkTouched(world, oracle, ended.number)
    return checkApplied(world, oracle, await applyIn(world, oracle))
  }
  expect(world.actsOf(ended.number)).toEqual([])
  count('a lock is removed')
  const id = /state unlock (?<id>[\w-]+)/u.exec(JSON.stringify(ended.document))?.groups?.['id'] ?? ''
  // Chosen by what cannot differ if the history is repeated.
  const isEnded = world.service.acts.length % 2 === 0
  const unlocked = await world.run(['state', 'unlock', id, ...(isEnded ? ['--owner-ended'] : [])])
  expect(unlocked).toMatchObject({ code: 0 })
  const at = world.now
  const next = await applyIn(world, oracle)
  checkWaited(world, next, { at, isEnded })
  await checkApplied(world, oracle, next)
}

/** The longest time in which a request can be under way after its command has lost the lock. */
const UNDER_WAY_MS = 85_000

/** Nothing is sent while the former owner may still be sending; if it has certainly ended, nobody waits for it. */
const checkWaited = (
  world: World,
  { number, said }: Ended,
  { at, isEnded }: { readonly at: number; readonly isEnded: boolean },
): void => {
  const first = world.actsOf(number)[0]?.at
  count(
    `after an unlock${isEnded ? ' of an owner that has ended' : ''}: ${first === undefined ? 'nothing' : 'writes'}`,
  )
  if (isEnded) expect(said).not.toContain('the lock was removed at')
  else expect((first ?? Infinity) - at).toBeGreaterThan(UNDER_WAY_MS)
}

const cutOff = fc
  .tuple(stumbles, fc.constantFrom('pushed', 'pushed', 'lost', 'pushed late' as const), atOnce)
  .map(([{ at, how }, fate, concurrency]) =>
    step(
      `apply, ${concurrency} at once, and from write ${at} on, each is ${LOST[how]}; what could not be recorded is ${fate}; apply`,
      (oracle, world) =>
        applyCutOff(oracle, world, { stumble: { at, how, often: Infinity }, fate, concurrency }),
      isElsewhere,
    ),
  )

/** A machine without any state of its own. */
const applyThere = fc.constant(
  step(
    'apply on another machine',
    async (oracle, world) => {
      const there = await world.moved()
      await checkApplied(there, oracle, await applyIn(there, oracle))
    },
    isElsewhere,
  ),
)

/** What the killed apply leaves open is settled from here. */
const killedThere = fc.integer({ min: 3, max: 40 }).map((effects) =>
  step(
    `apply on another machine, killed after ${effects} effects; apply here`,
    async (oracle, world) => {
      const there = await world.moved()
      const wasUncertain = oracle.isUncertain
      oracle.isUncertain = true
      const ended = await applyIn(there, oracle, [], { effects })
      if (ended.code !== null) oracle.isUncertain = wasUncertain
      await checkApplied(there, oracle, ended)
      await again(world, oracle)
    },
    isElsewhere,
  ),
)

/** The second one is refused. */
const bothAtOnce = fc.integer({ min: 1, max: 6 }).map((request) =>
  step(
    `apply, and at request ${request}, apply on another machine`,
    async (oracle, world) => {
      const meanwhile = new Map([[request, () => checkLocked(world)]])
      await checkApplied(world, oracle, await applyIn(world, oracle, withConcurrency(1), { meanwhile }))
    },
    isElsewhere,
  ),
)

/** Steps that need a state that each machine can reach. */
export const elsewhere: fc.Arbitrary<Step> = fc
  .tuple(
    edits,
    newWindows,
    fc.oneof(
      { weight: 2, arbitrary: stumbling },
      { weight: 6, arbitrary: cutOff },
      { weight: 1, arbitrary: applyThere },
      { weight: 2, arbitrary: killedThere },
      { weight: 1, arbitrary: bothAtOnce },
    ),
  )
  .map((each) => {
    const all = inTurn(...each)
    return step(String(all), (oracle, world) => all.run(oracle, world), isElsewhere)
  })
