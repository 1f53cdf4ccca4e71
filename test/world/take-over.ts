import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { checkApplied } from './check-apply.ts'
import {
  EPOCH,
  HOUR,
  manifestOf,
  PROJECTS,
  windowValues,
  type Declared,
  type DeclaredWindow,
} from './declared.ts'
import { BYSTANDER, PROJECT } from './fixture.ts'
import { lose, type Loss } from './losses.ts'
import type { Oracle } from './oracle.ts'
import { step, type Step } from './step.ts'
import { recordsOf, truthOf, type World } from './world.ts'

const NAME = 'taken'
const ADDRESS = `maintenanceWindows.${NAME}`

const declare = async (oracle: Oracle, world: World, window: DeclaredWindow | undefined): Promise<void> => {
  const windows: Declared['windows'] = { ...oracle.declared.windows, [NAME]: window }
  oracle.declared = { ...oracle.declared, windows }
  await world.manifest(manifestOf(oracle.declared))
}

/** Two days from now, of types and a text that nobody else gives. */
const wantedAt = ({ now }: World, windowId: string, onRemove: 'end' | 'forget'): DeclaredWindow => ({
  project: 'payments',
  types: ['AGENT', 'HOST'],
  start: Math.ceil((now - EPOCH) / HOUR) + 48,
  hours: 5,
  description: 'taken over',
  onRemove,
  protect: false,
  windowId,
})

/** Answers its id. */
const makeTheirs = async (world: World, by: 'oncall' | 'sam'): Promise<string> => {
  const before = new Set(truthOf(world).windows.keys())
  const start = Math.ceil((world.now - EPOCH) / HOUR) + 24
  const body = windowValues({ types: ['HOST'], start, hours: 2, description: 'theirs' })
  await world.write(by, 'POST', `/groups/${PROJECT}/maintenanceWindows`, body)
  return [...truthOf(world).windows.keys()].find((id) => !before.has(id)) ?? ''
}

/** Its first apply writes all of its fields, also where it has to be told twice. */
const takeOver = async (
  oracle: Oracle,
  world: World,
  { by, wait, onRemove, loss }: Taking,
): Promise<void> => {
  const id = await makeTheirs(world, by)
  world.now += wait
  await declare(oracle, world, wantedAt(world, id, onRemove))
  if (loss !== undefined) {
    lose(world.service, 'PATCH', `maintenanceWindows/${id}`, loss)
    oracle.isUncertain = true
  }
  const ended = await applyIn(world, oracle)
  world.service.clearFaults()
  await checkApplied(world, oracle, ended)
}

interface Taking {
  readonly by: 'oncall' | 'sam'
  /** Until it is declared, in milliseconds. */
  readonly wait: number
  readonly onRemove: 'end' | 'forget'
  readonly loss: Loss | undefined
}

const isFree = ({ declared }: Readonly<Oracle>): boolean => declared.windows[NAME] === undefined

const takings = fc
  .record({
    by: fc.constantFrom('oncall', 'sam' as const),
    wait: fc.constantFrom(3, 20_000),
    onRemove: fc.constantFrom('end', 'forget' as const),
    loss: fc.constantFrom(undefined, undefined, undefined, 'reset-after', 'reset-before' as const),
  })
  .map((taking) =>
    step(
      `${taking.by} makes a window, and after ${taking.wait} ms it is declared by its id (${taking.onRemove}); apply${taking.loss === undefined ? '' : `, and its answer is lost (${taking.loss})`}`,
      (oracle, world) => takeOver(oracle, world, taking),
      isFree,
    ),
  )

/** From then on the record knows it. */
const leaveOutId = step(
  'the window that was taken over is declared without its id',
  async (oracle, world) => {
    const { windowId: _, ...window } = oracle.declared.windows[NAME] ?? wantedAt(world, '', 'end')
    if ((await recordsOf(world))[ADDRESS] !== undefined) await declare(oracle, world, window)
  },
  (oracle) => !isFree(oracle),
)

const takeOut = step(
  'the window that was taken over is declared no longer',
  (oracle, world) => declare(oracle, world, undefined),
  (oracle) => !isFree(oracle),
)

/** The id of what another address has, or of no window: nothing is sent for it, and it is said. */
const refuse = async (oracle: Oracle, world: World, which: string): Promise<void> => {
  const records = await recordsOf(world)
  // What is declared no longer, or in another project by now, is free: its record would move to the new name.
  const ids = Object.entries(oracle.declared.windows).flatMap(([name, window]) => {
    const identity = records[`maintenanceWindows.${name}`]?.identity
    return window !== undefined && identity?.projectId === PROJECTS[window.project] ? [identity.id] : []
  })
  const id = which === 'of no window' ? BYSTANDER : ids[0]
  // What is recorded there would wait for the new one before it is released.
  if (id === undefined || records[ADDRESS] !== undefined) return
  const refused = wantedAt(world, id, 'end')
  await declare(oracle, world, refused)
  const ended = await applyIn(world, oracle)
  await checkApplied(world, oracle, ended)
  const { description } = refused
  expect(world.actsOf(ended.number).filter(({ after }) => after?.description === description)).toEqual([])
  expect(Object.keys(await recordsOf(world))).not.toContain(ADDRESS)
  await declare(oracle, world, undefined)
}

const refusals = fc.constantFrom('of another record', 'of no window').map((which) =>
  step(
    `a window is declared by the id ${which}; apply; and no longer`,
    (oracle, world) => refuse(oracle, world, which),
    (oracle) => isFree(oracle) && !oracle.isUncertain,
  ),
)

/** What somebody else has made is taken over by its id. */
export const takeOvers: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: takings },
  { weight: 1, arbitrary: fc.constantFrom(leaveOutId, takeOut) },
  { weight: 2, arbitrary: refusals },
)
