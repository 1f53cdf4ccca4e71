import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn, withConcurrency } from './applies.ts'
import { checkApplied } from '../checks/check-apply.ts'
import { PROJECTS } from '../known/declared.ts'
import { isSentAgain, lose, LOSSES, type Loss } from '../known/losses.ts'
import { latestOf, type Oracle } from '../known/oracle.ts'
import { silencedIn } from '../known/silenced.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { truthOf, type Around, type World } from '../world.ts'

const MINUTE = 60_000
const PERIODS = { '90s': 90_000, '10m': 10 * MINUTE, '2h': 120 * MINUTE } as const

/** A silence, and what goes wrong with it. */
interface Asked {
  readonly project: 'payments' | 'ledger'
  readonly max: keyof typeof PERIODS
  /** The exit code of the command within it; undefined if there is none. */
  readonly exit: number | undefined
  readonly loss: readonly ['POST' | 'PATCH', Loss] | undefined
  readonly until: Around | undefined
}

/** A command within a silence creates this file. */
const RAN = 'ran'

const silence = async (oracle: Oracle, world: World, asked: Asked): Promise<void> => {
  const { project, max, exit, loss, until } = asked
  const mark = join(world.folder, RAN)
  rmSync(mark, { force: true })
  const command = exit === undefined ? [] : ['--', '/bin/sh', '-c', `: > ${RAN}; exit ${exit}`]
  if (loss !== undefined) lose(world.service, loss[0], 'maintenanceWindows', loss[1])
  const wasLost = oracle.isSilenceLost
  if (loss !== undefined && !isSentAgain(loss[1])) oracle.isSilenceLost = true
  const words = [
    'silence',
    '--project',
    PROJECTS[project],
    '--types',
    'HOST',
    '--max',
    max,
    '--reason',
    'release',
  ]
  const ended = await world.run([...words, ...command], until)
  world.service.clearFaults()
  const { code, number, stderr } = ended
  // If it was killed, its requests may have an unknown outcome.
  if (code === null) oracle.isSilenceLost = true
  noteSilence(oracle, world, number)
  count(
    `silence${exit === undefined ? '' : ' around a command'}: ${code === null ? 'killed' : `exit ${code}`}`,
  )
  checkLength(world, number, PERIODS[max])
  if (code !== null) {
    const mayFail = loss !== undefined || wasLost || isRefused(world, number)
    const isRun = existsSync(mark)
    if (isRun) expect({ stderr, code }).toEqual({ stderr, code: exit })
    else if (exit !== undefined || code !== 0)
      expect({ code, stderr, mayFail }).toEqual({ code, stderr, mayFail: true })
    if (isRun && !mayFail) expect(stderr).toMatch(/[Tt]he window (?:has |had )?ended/u)
    if (stderr.includes('The window has ended.')) checkOver(world, madeBy(world, number))
  }
  await checkSilences(world, oracle)
}

const isRefused = ({ service }: World, number: number): boolean =>
  service.refusals.some(({ run }) => run === number)

const madeBy = (world: World, number: number): string[] =>
  world.actsOf(number).flatMap(({ id, before }) => (before === undefined ? [id] : []))

/** The manifest does not concern windows of silences, and a silence touches no others. */
const noteSilence = (oracle: Oracle, world: World, number: number): void => {
  oracle.silences.add(number)
  for (const id of madeBy(world, number)) oracle.left.add(id)
  const silenced = silencedIn(world, oracle)
  for (const { id } of world.actsOf(number)) expect([...silenced], 'touched by a silence').toContain(id)
}

/** It ends within its time, counted from the moment when it is made. */
const checkLength = (world: World, number: number, max: number): void => {
  const made = world.actsOf(number).filter(({ before }) => before === undefined)
  expect(made.length).toBeLessThanOrEqual(1)
  for (const { at, after } of made) {
    const [from, to] = [Date.parse(after.startDate), Date.parse(after.endDate)]
    expect({ isWithin: to - from <= max && to <= at + max + 2_000, at, after }).toMatchObject({
      isWithin: true,
    })
  }
}

const checkOver = (world: World, ids: readonly string[]): void => {
  const { windows } = truthOf(world)
  for (const id of ids) {
    const endDate: string = windows.get(id).endDate
    expect({ id, endDate, isOver: Date.parse(endDate) <= world.now + 3_000 }).toMatchObject({ isOver: true })
  }
}

/** `silence list` has all that are open, and nothing that is no silence. */
const checkSilences = async (world: World, oracle: Oracle): Promise<readonly any[]> => {
  const { code, stdout, stderr, number } = await world.run(['silence', 'list', '--format', 'json'])
  expect({ code, stderr, acts: world.actsOf(number) }).toMatchObject({ code: 0, acts: [] })
  const { silences } = JSON.parse(stdout)
  const silenced = silencedIn(world, oracle)
  const listed = silences.flatMap(({ id }: any) => (id === null ? [] : [id]))
  for (const id of listed) expect([...silenced], 'listed, and no silence').toContain(id)
  const open = [...silenced].filter((id) => isOpen(world, oracle, id))
  const missing = open.filter((id) => !listed.includes(id))
  const unknown = silences.filter(({ id, status }: any) => id === null && status === 'unknown')
  expect({ missing, isTold: missing.length <= unknown.length }).toMatchObject({ isTold: true })
  return silences
}

/**
 * Whether it is open by the clock of this machine, too. After the end that we gave it, it belongs to whoever prolonged
 * it.
 */
const isOpen = (world: World, oracle: Oracle, id: string): boolean => {
  const ends = [
    world.service.acts.findLast((act) => act.id === id && act.by === 'run')?.after?.endDate,
    truthOf(world).windows.get(id)?.endDate,
  ].map((each) => Date.parse(each))
  const now = Math.max(latestOf(world, oracle), world.now + Math.max(0, world.ahead)) + 3_000
  return ends.every((end) => end > now)
}

const endAll = async (oracle: Oracle, world: World, loss: Loss | undefined): Promise<void> => {
  const before = await checkSilences(world, oracle)
  if (loss !== undefined) {
    lose(world.service, 'PATCH', 'maintenanceWindows', loss)
    if (!isSentAgain(loss)) oracle.isSilenceLost = true
  }
  const { code, number, stderr } = await world.run(['silence', 'end', '--everything'])
  world.service.clearFaults()
  noteSilence(oracle, world, number)
  count(`silence end: exit ${code}`)
  if (loss === undefined && !oracle.isSilenceLost && !isRefused(world, number))
    expect({ stderr, code }).toEqual({ stderr, code: 0 })
  const open = before.flatMap(({ id, status, endDate }: any) =>
    id !== null && status === 'open' && Date.parse(endDate) > latestOf(world, oracle) + 3_000 ? [id] : [],
  )
  if (code === 0) checkOver(world, open)
  await checkSilences(world, oracle)
}

const exits = fc.constantFrom(undefined, 0, 7)
const asked: fc.Arbitrary<Asked> = fc.record({
  project: fc.constantFrom('payments', 'payments', 'ledger'),
  max: fc.constantFrom(...(Object.keys(PERIODS) as (keyof typeof PERIODS)[])),
  exit: exits,
  loss: fc.constant(undefined),
  until: fc.constant(undefined),
})

const says = ({ project, max, exit, loss, until }: Asked): string =>
  [
    `a silence of ${max} in ${project}`,
    ...(exit === undefined ? [] : [`around a command that ends with ${exit}`]),
    ...(loss === undefined ? [] : [`and the answer to ${loss[0]} is lost (${loss[1]})`]),
    ...(until === undefined ? [] : [`killed after ${JSON.stringify(until)}`]),
  ].join(', ')

const asStep = (each: Asked): Step => step(says(each), (oracle, world) => silence(oracle, world, each))
const ending = (loss: Loss | undefined): Step =>
  step(
    `all silences are ended${loss === undefined ? '' : `, and an answer is lost (${loss})`}`,
    (oracle, world) => endAll(oracle, world, loss),
  )

const pauses = fc.constantFrom(900, 6_000, 100_000, 3_600_000).map((ms) =>
  step(`pause ${ms} ms, and what is silenced is listed`, async (oracle, world) => {
    world.now += ms
    await checkSilences(world, oracle)
  }),
)

export const silences: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: asked.map(asStep) },
  { weight: 2, arbitrary: fc.constant(ending(undefined)) },
  { weight: 1, arbitrary: pauses },
)

/** What a silence makes while an apply writes does not disturb the apply. */
const during = fc.tuple(asked, fc.integer({ min: 1, max: 10 })).map(([each, request]) =>
  step(`apply, and at request ${request}, ${says(each)}`, async (oracle, world) => {
    const meanwhile = new Map([[request, () => silence(oracle, world, each)]])
    await checkApplied(world, oracle, await applyIn(world, oracle, withConcurrency(1), { meanwhile }))
  }),
)

const losses = fc
  .tuple(fc.constantFrom('POST', 'PATCH' as const), fc.constantFrom(...LOSSES))
  .map((each) => ({ loss: each }))
const deaths = fc
  .oneof(
    fc.record({ effects: fc.integer({ min: 3, max: 40 }) }),
    fc.record({ writes: fc.integer({ min: 1, max: 2 }) }),
  )
  .map((until) => ({ until }))

/** The same, with what can go wrong. */
export const troubledSilences: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: silences },
  { weight: 2, arbitrary: fc.tuple(asked, losses).map(([each, more]) => asStep({ ...each, ...more })) },
  { weight: 2, arbitrary: fc.tuple(asked, deaths).map(([each, more]) => asStep({ ...each, ...more })) },
  { weight: 1, arbitrary: fc.constantFrom(...LOSSES).map(ending) },
  { weight: 1, arbitrary: during },
)
