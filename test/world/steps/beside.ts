import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { adopts } from './adopts.ts'
import { applies, applyIn } from './applies.ts'
import { checkApplied, checkPlan, idAt } from '../checks/check-apply.ts'
import { checkDrift } from '../checks/check-drift.ts'
import { EPOCH, HOUR, PROJECTS, type Declared, type DeclaredWindow } from '../known/declared.ts'
import { newWindows, window } from './edits.ts'
import { CLOSE_MS, isBlurred, isSure, latestOf, Oracle } from '../known/oracle.ts'
import type { Neighbour } from '../known/neighbour.ts'
import { declare, inTurn, step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, STATE, stateIn, truthOf, type World } from '../world.ts'

/** Another manifest declares only windows. */
const NOTHING: Declared = {
  configs: {},
  selected: undefined,
  windows: {},
  weekly: undefined,
  key: undefined,
  users: {},
  pat: undefined,
  chat: undefined,
  listed: undefined,
}

type Side = Pick<Neighbour, 'oracle' | 'world'>

const namedAt = (world: World): string => world.place?.named ?? stateIn(world).statePath

const declareWindow = (side: Side, name: string, each: DeclaredWindow | undefined): Promise<void> =>
  declare(side.oracle, side.world, { windows: { ...side.oracle.declared.windows, [name]: each } })

/** Once in a history. */
const begin = step(
  'another manifest uses the same key, and each names the state of the other',
  async (oracle, world) => {
    if (oracle.neighbour !== undefined) return
    const there = { world: await world.begunAnew(), oracle: new Oracle(NOTHING) }
    there.oracle.isElsewhere = oracle.isElsewhere
    there.oracle.neighbour = { world, oracle, knows: Infinity }
    oracle.neighbour = { ...there, knows: Infinity }
    await declare(there.oracle, there.world, { otherStates: [namedAt(world)] })
    await declare(oracle, world, { otherStates: [namedAt(there.world)] })
  },
  ({ declared, neighbour, isUncertain }) =>
    declared.isKeyOwn !== true && (neighbour !== undefined || !isUncertain),
)

const inOther =
  (work: (oracle: Oracle, world: World) => Promise<void>) =>
  async ({ neighbour, setBack, isKeyNew }: Oracle): Promise<void> => {
    if (neighbour === undefined) return
    const { oracle, world } = neighbour
    oracle.setBack = setBack
    oracle.isKeyNew = isKeyNew
    await work(oracle, world)
  }

const windowsThere = fc.constantFrom('c', 'd')
const editThere = fc.tuple(windowsThere, fc.option(window, { nil: undefined })).map(([name, each]) =>
  step(
    `edit: window ${name} of the other manifest = ${JSON.stringify(each) ?? 'nothing'}`,
    inOther((oracle, world) => declareWindow({ oracle, world }, name, each)),
  ),
)

const applyTo = async (oracle: Oracle, world: World): Promise<void> => {
  count('in another manifest')
  await checkApplied(world, oracle, await applyIn(world, oracle))
}
const applyThere = step('apply of the other manifest', inOther(applyTo))
const lookThere = fc.constantFrom(
  step(
    'drift of the other manifest',
    inOther((oracle, world) => checkDrift(world, oracle)),
  ),
  step(
    'plan of the other manifest',
    inOther((oracle, world) => checkPlan(world, oracle)),
  ),
)

/** A recorded window that is declared, still to come, and as it was last applied. */
const movable = async ({ oracle, world }: Side) => {
  const records = await recordsOf(world)
  const { windows } = truthOf(world)
  for (const [name, each] of Object.entries(oracle.declared.windows)) {
    const id = idAt(records, `maintenanceWindows.${name}`)
    const live = windows.get(id)
    if (each === undefined || live === undefined || each.protect || name.includes('[')) continue
    const isToCome = EPOCH + each.start * HOUR > latestOf(world, oracle) + 2 * HOUR
    const isThere = live.projectId === PROJECTS[each.project]
    if (isToCome && isThere && !isBlurred(world, oracle, id)) return { name, id, window: each }
  }
  return undefined
}

/** How a thing goes to another manifest. */
const HOW = [
  'taken over by its id, then forgotten',
  'forgotten, then taken over by its id',
  'transferred',
] as const

/** Which of the two manifests has it first, and how it goes to the other. */
interface Moving {
  readonly isBack: boolean
  readonly how: (typeof HOW)[number]
}

const MOVED = 'moved'
const AT_MOVED = `maintenanceWindows.${MOVED}`

/** A window goes to the other manifest: it stays the same window, and nobody else makes or ends it. */
const move = async (oracle: Oracle, world: World, { isBack, how }: Moving): Promise<void> => {
  const here = { oracle, world }
  const there = oracle.neighbour
  if (there === undefined || !isSure(oracle) || !isSure(there.oracle)) return
  const [from, to] = isBack ? [there, here] : [here, there]
  if (to.oracle.declared.windows[MOVED] !== undefined) return
  const found = await movable(from)
  if (found === undefined) return count('a window is moved to another manifest: there is none')
  const { name, id, window: values } = found
  const address = `maintenanceWindows.${name}`
  const give = async (): Promise<void> => {
    expect(await from.world.run(['state', 'forget', address])).toMatchObject({ code: 0 })
    from.oracle.left.add(id)
    await declareWindow(from, name, undefined)
  }
  const take = async (): Promise<boolean> => {
    await declareWindow(to, MOVED, { ...values, windowId: id })
    const ended = await applyIn(to.world, to.oracle)
    await checkApplied(to.world, to.oracle, ended)
    return ended.code === 0
  }
  if (how === 'transferred' && !(await transfer(from, to, found))) return
  if (how === 'forgotten, then taken over by its id') await give()
  const isTaken = how === 'transferred' ? await stays(to, id) : await take()
  if (how === 'taken over by its id, then forgotten') await give()
  count(`a window is moved to another manifest, ${how}: ${isTaken ? 'done' : 'not done'}`)
  if (isTaken) expect(idAt(await recordsOf(to.world), AT_MOVED)).toBe(id)
  world.now += CLOSE_MS
  const after = await applyIn(from.world, from.oracle)
  expect(from.world.actsOf(after.number).filter((act) => act.id === id)).toEqual([])
  await checkApplied(from.world, from.oracle, after)
}

type Movable = NonNullable<Awaited<ReturnType<typeof movable>>>

/** Its record goes, with a new name there. @returns whether it could */
const transfer = async (from: Side, to: Side, { name, id, window: values }: Movable): Promise<boolean> => {
  const address = `maintenanceWindows.${name}`
  const records = Object.entries(await recordsOf(to.world))
  const isOccupied = records.some(
    ([each, { identity }]) => each === address || each === AT_MOVED || identity['id'] === id,
  )
  if (isOccupied) {
    count('a window is moved to another manifest, transferred: something is in the way')
    return false
  }
  // Who else has written to it is evidence that the new owner has, too, and that only the first one's oracle can judge.
  const isOnlyOurs = from.world.service.acts.every((act) => act.id !== id || act.by === 'run')
  if (!isOnlyOurs) {
    count('a window is moved to another manifest, transferred: others have written to it')
    return false
  }
  const words = ['state', 'transfer', address, '--to', namedAt(to.world)]
  expect(await from.world.run(words)).toMatchObject({ code: 0 })
  if (name !== MOVED)
    expect(await to.world.run(['state', 'mv', address, AT_MOVED])).toMatchObject({ code: 0 })
  from.oracle.left.add(id)
  to.oracle.taken.add(id)
  to.world.takesOver(id)
  await declareWindow(from, name, undefined)
  await declareWindow(to, MOVED, values)
  return true
}

/** An apply there has nothing to do with what came with its record. @returns whether it did everything */
const stays = async ({ oracle, world }: Side, id: string): Promise<boolean> => {
  const ended = await applyIn(world, oracle)
  expect(world.actsOf(ended.number).filter((act) => act.id === id)).toEqual([])
  await checkApplied(world, oracle, ended)
  return ended.code === 0
}

const moves = fc
  .record({ isBack: fc.boolean(), how: fc.constantFrom(...HOW) })
  .map((moving) =>
    step(
      `a window of ${moving.isBack ? 'the other' : 'this'} manifest is ${moving.how}; apply of both`,
      (oracle, world) => move(oracle, world, moving),
    ),
  )

/** The state of the other manifest does not know what was made last; the newest one comes back later. */
const applyWithout = async (
  oracle: Oracle,
  world: World,
  { is, later, between }: { readonly is: 'lost' | 'older'; readonly later: Step; readonly between: Step },
): Promise<void> => {
  const { neighbour } = oracle
  if (neighbour === undefined || world.place !== undefined || !isSure(neighbour.oracle)) return
  const path = join(neighbour.world.folder, STATE)
  const then = {
    world: neighbour.world,
    oracle: neighbour.oracle.copied(),
    knows: is === 'lost' ? 0 : world.service.acts.length,
  }
  const older = await readFile(path)
  await later.run(oracle, world)
  await applyThere.run(oracle, world)
  if (!isSure(neighbour.oracle)) return
  const newest = await readFile(path)
  await (is === 'lost' ? rm(path) : writeFile(path, older))
  oracle.neighbour = then
  await between.run(oracle, world)
  await writeFile(path, newest)
  oracle.neighbour = neighbour
}

const without = fc
  .tuple(fc.constantFrom('lost', 'older' as const), editThere, newWindows, applies)
  .map(([is, later, edit, apply]) =>
    step(
      `${String(later)}; apply of the other manifest; its state is ${is}; ${String(edit)}; ${String(apply)}; its newest state is back`,
      (oracle, world) => applyWithout(oracle, world, { is, later, between: inTurn(edit, apply) }),
      isSure,
    ),
  )

const applyHere = fc.tuple(newWindows, applies).map((both) => inTurn(...both))

/** Two manifests with the same key, of which each may look into the state of the other. */
export const beside: fc.Arbitrary<Step> = fc
  .oneof(
    { weight: 3, arbitrary: applyHere },
    { weight: 2, arbitrary: lookThere },
    { weight: 1, arbitrary: adopts },
    { weight: 3, arbitrary: moves },
    { weight: 2, arbitrary: without },
  )
  .chain((last) => editThere.map((edit) => inTurn(begin, edit, applyThere, last)))
