import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { checkApplied } from '../checks/check-apply.ts'
import { EPOCH, HOUR, PROJECTS, windowValues, type DeclaredWindow } from '../known/declared.ts'
import { BYSTANDER, PROJECT } from '../fixture.ts'
import { lose, type Loss } from '../known/losses.ts'
import type { Oracle } from '../known/oracle.ts'
import { declare, step, type Step } from './step.ts'
import { recordsOf, truthOf, type World } from '../world.ts'

const NAME = 'taken'
const ADDRESS = `maintenanceWindows.${NAME}`

const declareTaken = (oracle: Oracle, world: World, window: DeclaredWindow | undefined): Promise<void> =>
  declare(oracle, world, { windows: { ...oracle.declared.windows, [NAME]: window } })

/** Two days from now, with types and a description that nobody else uses. */
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

/** Somebody else makes a window; returns its id. */
const makeTheirs = async (world: World, by: 'oncall' | 'sam'): Promise<string> => {
  const before = new Set(truthOf(world).windows.keys())
  const start = Math.ceil((world.now - EPOCH) / HOUR) + 24
  const body = windowValues({ types: ['HOST'], start, hours: 2, description: 'theirs' })
  await world.write(by, 'POST', `/groups/${PROJECT}/maintenanceWindows`, body)
  return [...truthOf(world).windows.keys()].find((id) => !before.has(id)) ?? ''
}

/** The first apply writes all of its fields, even if an answer is lost and it has to be sent again. */
const takeOver = async (
  oracle: Oracle,
  world: World,
  { by, wait, onRemove, loss }: Taking,
): Promise<void> => {
  const id = await makeTheirs(world, by)
  world.now += wait
  await declareTaken(oracle, world, wantedAt(world, id, onRemove))
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
  /** Time until it is declared, in milliseconds. */
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

/** By then the record knows the id. */
const leaveOutId = step(
  'the window that was taken over is declared without its id',
  async (oracle, world) => {
    const { windowId: _, ...window } = oracle.declared.windows[NAME] ?? wantedAt(world, '', 'end')
    if ((await recordsOf(world))[ADDRESS] !== undefined) await declareTaken(oracle, world, window)
  },
  (oracle) => !isFree(oracle),
)

const takeOut = step(
  'the window that was taken over is declared no longer',
  (oracle, world) => declareTaken(oracle, world, undefined),
  (oracle) => !isFree(oracle),
)

/** Declares the id of another address's window, or of no window: nothing is sent, and the apply says so. */
const refuse = async (oracle: Oracle, world: World, which: string): Promise<void> => {
  const records = await recordsOf(world)
  // If its entry is gone, or names another project now, an id is free: its record would move to the new name.
  const ids = Object.entries(oracle.declared.windows).flatMap(([name, window]) => {
    const identity = records[`maintenanceWindows.${name}`]?.identity
    return window !== undefined && identity?.projectId === PROJECTS[window.project] ? [identity.id] : []
  })
  const id = which === 'of no window' ? BYSTANDER : ids[0]
  // A record at this address would wait for the new one before it is released.
  if (id === undefined || records[ADDRESS] !== undefined) return
  const refused = wantedAt(world, id, 'end')
  await declareTaken(oracle, world, refused)
  const ended = await applyIn(world, oracle)
  await checkApplied(world, oracle, ended)
  const { description } = refused
  expect(world.actsOf(ended.number).filter(({ after }) => after?.description === description)).toEqual([])
  expect(Object.keys(await recordsOf(world))).not.toContain(ADDRESS)
  await declareTaken(oracle, world, undefined)
}

const refusals = fc.constantFrom('of another record', 'of no window').map((which) =>
  step(
    `a window is declared by the id ${which}; apply; and no longer`,
    (oracle, world) => refuse(oracle, world, which),
    (oracle) => isFree(oracle) && !oracle.isUncertain,
  ),
)

/** Windows that somebody else has made are taken over by their ids. */
export const takeOvers: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: takings },
  { weight: 1, arbitrary: fc.constantFrom(leaveOutId, takeOut) },
  { weight: 2, arbitrary: refusals },
)
