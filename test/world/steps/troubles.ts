import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Act } from '../known/acts.ts'
import { applies, applyIn, atOnce, withConcurrency } from './applies.ts'
import { checkApplied, idAt } from '../checks/check-apply.ts'
import { checkTouched, type OnItsWay } from '../checks/check-touched.ts'
import { edits, newWindows } from './edits.ts'
import { hasEffect, isSentAgain, LOSSES, lose, type Loss } from '../known/losses.ts'
import { applyInOutage } from './outages.ts'
import { deeds, delays, type Deed } from './others.ts'
import { inTurn, step, type Step } from './step.ts'
import type { Oracle } from '../known/oracle.ts'
import { count } from '../tally.ts'
import { recordsOf, unknownIn, type Around, type Ended, type World } from '../world.ts'

/** Any path, or windows in particular, because no endpoint shows them. */
const WRITES = [
  ['POST', ''],
  ['POST', 'maintenanceWindows'],
  ['PATCH', ''],
  ['PATCH', ''],
  ['PATCH', 'maintenanceWindows'],
  ['DELETE', ''],
] as const

/** One answer to a write to this path is lost, after the service has carried it out or before. */
const applyAndLose = async (
  oracle: Oracle,
  world: World,
  [method, path, loss]: readonly [(typeof WRITES)[number][0], string, Loss],
  words: readonly string[],
): Promise<void> => {
  const isEvident = canSettle(oracle, world) && isTold(method, path, loss)
  lose(world.service, method, path, loss)
  // If the answer says that nothing was done, the write is sent again, and nothing stays open.
  if (!isSentAgain(loss)) oracle.isUncertain = true
  const ended = await applyIn(world, oracle, words)
  world.service.clearFaults()
  await checkApplied(world, oracle, ended)
  if (!isEvident || ended.code !== 3) return
  // By now, nothing that was sent can still take effect, so evidence settles it.
  world.now += 200_000
  const next = await applyIn(world, oracle)
  expect(next.code).not.toBe(3)
  await checkApplied(world, oracle, next)
}

/**
 * Whether an event shows the outcome. If nothing was created, there is none; only the event of another recorded window
 * could show that, and a project may not have one. A creation at any path can be that of a user, whose id no event
 * tells.
 */
const isTold = (method: string, path: string, loss: Loss): boolean =>
  method !== 'POST' || (path !== '' && hasEffect(loss))

/** Whether events tell everything in order, and nobody else uses the key. */
const canSettle = (
  { isUncertain, isSilenceLost, isKeyNew, setBack }: Oracle,
  { service, settings, now }: World,
): boolean =>
  !isUncertain &&
  // Times are compared to the second: what is not seen yet of this one may have come after the lost request.
  !service.acts.some(({ by, at, seenFrom }) => by !== 'run' && seenFrom > now && at >= now - (now % 1000)) &&
  // What a silence may have made could be taken for what was lost.
  !isSilenceLost &&
  // What the first key wrote last cannot show that a creation of the new one did not arrive.
  !isKeyNew &&
  setBack === undefined &&
  Object.keys(settings).length === 0 &&
  !service.acts.some(({ by }) => by === 'twin')

const loseAnswer = fc
  .tuple(fc.constantFrom(...WRITES), fc.constantFrom(...LOSSES), atOnce)
  .map(([[method, path], loss, concurrency]) =>
    step(
      `apply, ${concurrency} at once, and the answer to ${method} ${path} is lost (${loss})`,
      (oracle, world) => applyAndLose(oracle, world, [method, path, loss], withConcurrency(concurrency)),
    ),
  )

/** The events of what it does are late or lost. */
const loseOwnEvents = fc.constantFrom(0, 5_000, 3_600_000).map((ms) =>
  step(`apply, and its events are ${ms === 0 ? 'lost' : `late by ${ms} ms`}`, async (oracle, world) => {
    world.service.fault('run', ms === 0 ? { fault: 'lose-events' } : { fault: 'late-events', ms })
    const ended = await applyIn(world, oracle)
    world.service.clearFaults()
    await checkApplied(world, oracle, ended)
  }),
)

/** Killed at any effect, on files or on the network, or before it sees the answer to a write. */
const kill = fc
  .tuple(
    fc.oneof(
      fc.record({ effects: fc.integer({ min: 3, max: 40 }) }),
      fc.record({ writes: fc.integer({ min: 1, max: 4 }) }),
    ),
    atOnce,
  )
  .map(([until, concurrency]) =>
    step(`apply, ${concurrency} at once, killed after ${JSON.stringify(until)}`, async (oracle, world) => {
      const wasUncertain = oracle.isUncertain
      oracle.isUncertain = true
      const ended = await applyIn(world, oracle, withConcurrency(concurrency), until)
      if (ended.code !== null) oracle.isUncertain = wasUncertain
      await checkApplied(world, oracle, ended)
    }),
  )

/** Ctrl-C: what is in flight is awaited and recorded, so nothing stays open. */
const applyInterrupted = async (
  oracle: Oracle,
  world: World,
  interruptAt: Around['interruptAt'],
  words: readonly string[],
): Promise<void> => {
  const ended = await applyIn(world, oracle, words, { interruptAt })
  if (ended.code !== 130) return checkApplied(world, oracle, ended)
  checkTouched(world, oracle, ended.number)
  count(`apply interrupted: ${world.actsOf(ended.number).length > 0 ? 'written' : 'nothing written'}`)
  if (!oracle.isUncertain) expect([...(await unknownIn(world))]).toEqual([])
}

const interrupt = fc
  .tuple(
    fc.oneof(
      { weight: 1, arbitrary: fc.record({ requests: fc.integer({ min: 1, max: 14 }) }) },
      // What is in flight then can be abandoned.
      { weight: 2, arbitrary: fc.record({ writes: fc.integer({ min: 1, max: 3 }) }) },
    ),
    atOnce,
  )
  .map(([at, concurrency]) =>
    step(`apply, ${concurrency} at once, interrupted at ${JSON.stringify(at)}`, (oracle, world) =>
      applyInterrupted(oracle, world, at, withConcurrency(concurrency)),
    ),
  )

/** Somebody else writes while an apply runs. If both write a field, either value may remain. */
const applyAmong = async (
  oracle: Oracle,
  world: World,
  request: number,
  { delay, deed }: { readonly delay: Deed | undefined; readonly deed: Deed },
): Promise<void> => {
  let late: OnItsWay | undefined
  const carryOut = async (): Promise<void> => {
    const from = world.now
    await delay?.carryOut(world)
    await deed.carryOut(world)
    late = { from, to: world.now }
  }
  const from = world.service.acts.length
  const records = await recordsOf(world)
  const recorded = new Set(Object.keys(records).map((address) => idAt(records, address)))
  const meanwhile = new Map([[request, carryOut]])
  const ended = await applyIn(world, oracle, withConcurrency(1), { meanwhile })
  checkTouched(world, oracle, ended.number, late)
  const plannedAt = plannedFrom(world, ended)
  // Nothing was known of what is taken over, so all of it is sent.
  const known = world.service.acts.slice(from).filter(({ id }) => recorded.has(id))
  if (delay !== undefined) checkNotOverwritten(known, plannedAt)
}

/**
 * When the plan that was carried out was made. Before that, the apply settles earlier requests, which can take writes.
 */
const plannedFrom = ({ service, ahead }: World, { number, told }: Ended): number => {
  const looks = service.looks.get(number) ?? []
  const begun = told.find(({ type }) => type === 'started')
  const before = begun === undefined ? looks : looks.filter((at) => at <= Date.parse(begun.at) - ahead)
  const hasSettled = told.some(({ type }) => type === 'settled')
  return (hasSettled ? before.at(-1) : looks[0]) ?? 0
}

/**
 * What events told before a request was sent is not overwritten, because an apply reads events again after a while.
 * What it found when it planned is excluded: the plan shows that.
 */
const checkNotOverwritten = (acts: readonly Act[], plannedAt: number): void => {
  const evident = acts.filter(
    ({ by, at, seenFrom }) => by !== 'run' && by !== 'twin' && seenFrom <= at && at > plannedAt,
  )
  for (const { id, at, kind, body } of evident.filter(({ kind: of }) => of === 'window' || of === 'apiKey')) {
    const over = acts.filter(
      (act) =>
        act.by === 'run' &&
        act.id === id &&
        act.at > at &&
        Object.keys(body).some((name) => name in act.body),
    )
    expect({ kind, over }).toEqual({ kind, over: [] })
  }
}

const among = fc
  .tuple(fc.integer({ min: 1, max: 14 }), fc.option(delays, { nil: undefined }), deeds)
  .map(([request, delay, deed]) =>
    step(
      `apply, and at request ${request}, ${delay === undefined ? '' : `${delay.said} and `}${deed.said}`,
      (oracle, world) => applyAmong(oracle, world, request, { delay, deed }),
    ),
  )

/** While one runner is at work, a second one on the same state writes nothing. */
const withSecond = async (
  oracle: Oracle,
  world: World,
  request: number,
  words: readonly string[],
): Promise<void> => {
  const began: Ended[] = []
  const begin = async (): Promise<void> => {
    began.push(await world.json(words))
  }
  const meanwhile = new Map([[request, begin]])
  const ended = await applyIn(world, oracle, withConcurrency(1), { meanwhile })
  for (const { document, number } of began) {
    expect(world.actsOf(number)).toEqual([])
    if (words[0] === 'apply') expect(document).toMatchObject({ error: { code: 'DM-STATE-LOCKED' } })
  }
  await checkApplied(world, oracle, ended)
}

const second = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(['apply', '--auto-approve'], ['plan'], ['drift']))
  .map(([request, words]) =>
    step(`apply, and at request ${request}, a second runner begins to ${words[0]}`, (oracle, world) =>
      withSecond(oracle, world, request, words),
    ),
  )

/** By the clock of the next command, it is earlier than the journal says. */
const killAndSetBack = fc.tuple(kill, fc.constantFrom(30_000, 3_600_000), applies).map(([killed, ms, next]) =>
  inTurn(
    killed,
    step(`the clock of this machine is set back, to ${ms} ms behind`, async (_, world) => {
      world.ahead = -ms
    }),
    next,
  ),
)

const troubles = fc.oneof(
  { weight: 3, arbitrary: loseAnswer },
  { weight: 3, arbitrary: kill },
  { weight: 1, arbitrary: killAndSetBack },
  { weight: 2, arbitrary: interrupt },
  { weight: 2, arbitrary: among },
  { weight: 1, arbitrary: second },
  { weight: 3, arbitrary: applyInOutage },
  { weight: 1, arbitrary: loseOwnEvents },
)

/** Mostly there is something to do when it goes wrong. */
export const troubledApplies: fc.Arbitrary<Step> = fc.oneof(
  troubles,
  fc.tuple(edits, troubles).map((both) => inTurn(...both)),
  fc.tuple(newWindows, loseAnswer).map((both) => inTurn(...both)),
  fc.tuple(edits, edits, troubles).map((all) => inTurn(...all)),
)
