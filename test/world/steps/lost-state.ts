import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applies, applyIn } from './applies.ts'
import { checkApplied, idAt } from '../checks/check-apply.ts'
import { checkDrift } from '../checks/check-drift.ts'
import {
  EPOCH,
  HOUR,
  manifestOf,
  OCCURRENCE_HOURS,
  PROJECTS,
  windowValues,
  type Declared,
  type DeclaredUser,
  type DeclaredWindow,
} from '../known/declared.ts'
import { edits } from './edits.ts'
import { PROJECT } from '../fixture.ts'
import { CLOSE_MS, Oracle } from '../known/oracle.ts'
import { strangersTo } from '../known/strangers.ts'
import { declare, inTurn, step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type World } from '../world.ts'

/** What a person still knows of a state that is gone: which id each address had. */
type Ids = ReadonlyMap<string, string>

const idsIn = (records: any): Ids =>
  new Map(Object.keys(records).map((address) => [address, idAt(records, address)]))

/** It is where it is declared, and its end is far enough ahead for an apply. */
const isToCome = (world: World, id: string | undefined, projectId: string): boolean => {
  const live = truthOf(world).windows.get(id ?? '')
  return live?.projectId === projectId && Date.parse(live.endDate) > world.now + HOUR
}

const windowsById = (world: World, { windows }: Declared, ids: Ids): Declared['windows'] =>
  Object.fromEntries(
    Object.entries(windows).map(([name, each]) => {
      const windowId = ids.get(`maintenanceWindows.${name}`)
      return each === undefined ||
        windowId === undefined ||
        !isToCome(world, windowId, PROJECTS[each.project])
        ? [name, each]
        : [name, { ...each, windowId }]
    }),
  )

const OCCURRENCE = /^maintenanceWindows\.weekly\[(?<start>.+)\]$/u

/** Each recorded occurrence by itself, as the manual says. */
const occurrencesById = (world: World, ids: Ids): Declared['windows'] =>
  Object.fromEntries(
    [...ids].flatMap(([address, windowId]) => {
      const start = OCCURRENCE.exec(address)?.groups?.['start']
      if (start === undefined || !isToCome(world, windowId, PROJECTS.payments)) return []
      const hours = (Date.parse(start) - EPOCH) / HOUR
      return [[`weekly-${hours}`, { ...OCCURRENCE_OF_WEEKLY, start: hours, windowId }]]
    }),
  )

const OCCURRENCE_OF_WEEKLY: Omit<DeclaredWindow, 'start'> = {
  project: 'payments',
  types: ['HOST'],
  hours: OCCURRENCE_HOURS,
  description: 'weekly',
  onRemove: 'end',
  protect: false,
}

const usersById = (world: World, { users }: Declared): Declared['users'] => {
  const there = truthOf(world).users
  return Object.fromEntries(
    Object.entries(users).map(([name, each]): [string, DeclaredUser | undefined] => {
      const userId = there.get(`${name}@example.com`)?.id
      return [name, each === undefined || userId === undefined ? each : { ...each, userId }]
    }),
  )
}

/** Applies, and checks that nothing is made that was there before and is declared by its id. */
const applyAgain = async (oracle: Oracle, world: World): Promise<boolean> => {
  const ended = await applyIn(world, oracle)
  const { number, code } = ended
  const made = world.actsOf(number).filter(({ kind, before }) => kind === 'window' && before === undefined)
  const declared = Object.entries(oracle.declared.windows)
  const wanted = declared.filter(([, each]) => each !== undefined && each.windowId === undefined)
  const isOverdone = oracle.declared.weekly === undefined && made.length > wanted.length
  expect({ made, isOverdone }).toEqual({ made, isOverdone: false })
  await checkApplied(world, oracle, ended)
  if (code !== 0) return false
  const after = idsIn(await recordsOf(world))
  for (const [name, each] of declared) {
    const address = `maintenanceWindows.${name}`
    // What should be over by now is left alone.
    if (each?.windowId === undefined || Date.parse(windowValues(each).endDate) <= world.now) continue
    expect([address, after.get(address)]).toEqual([address, each.windowId])
  }
  return true
}

/** Whoever has no ids at hand finds them: `adopt` names each window that events show and that is not over. */
const checkFound = async (oracle: Oracle, world: World): Promise<void> => {
  await world.manifest(manifestOf(oracle.declared))
  const strangers = await strangersTo(world, oracle)
  const { code, stdout, stderr, number } = await world.run(['adopt', '--output', '-'])
  expect({ code, stderr, acts: world.actsOf(number) }).toEqual({ code: 0, stderr, acts: [] })
  const { windows } = truthOf(world)
  // The manifest names only this project.
  const meant = strangers.filter(({ id, parent }) => parent === PROJECT && windows.has(id))
  count(`adopt without a state: ${meant.length > 0 ? 'windows' : 'no windows'} to be found`)
  expect(meant.filter(({ id }) => !stdout.includes(id))).toEqual([])
}

/**
 * With nothing recorded, what is declared by its id is taken over and not made again, also each occurrence of a
 * schedule by itself; the schedule then takes over what they recorded.
 */
const recover = async (oracle: Oracle, world: World, later: Step): Promise<void> => {
  const ids = idsIn(await recordsOf(world))
  const anew = await world.begunAnew()
  const { declared, neighbour, isElsewhere, isKeyNew } = oracle
  const its = Object.assign(new Oracle(declared), { neighbour, isElsewhere, isKeyNew })
  await checkFound(its, anew)
  const single = occurrencesById(world, ids)
  const { weekly } = declared
  const windows = windowsById(world, declared, ids)
  const isOneByOne = weekly !== undefined && Object.keys(single).length > 0
  await declare(its, anew, {
    windows: { ...windows, ...(isOneByOne ? single : {}) },
    users: usersById(world, declared),
    ...(isOneByOne ? { weekly: undefined } : {}),
  })
  const isDone = await applyAgain(its, anew)
  count(`a lost state is made again: ${isDone ? 'all' : 'not all'}${isOneByOne ? ', with a schedule' : ''}`)
  if (isOneByOne && isDone) await putBack(its, anew, { weekly, windows })
  if (isDone) await checkDrift(anew, its)
  if (isDone) await later.run(its, anew)
  world.now += CLOSE_MS
}

/** What was recorded for each occurrence by itself is that of the schedule again: nobody makes it or ends it. */
const putBack = async (
  oracle: Oracle,
  world: World,
  { weekly, windows }: Pick<Declared, 'weekly' | 'windows'>,
): Promise<void> => {
  const before = idsIn(await recordsOf(world))
  await declare(oracle, world, { weekly, windows })
  const ended = await applyIn(world, oracle)
  await checkApplied(world, oracle, ended)
  if (ended.code !== 0) return
  const after = new Set(idsIn(await recordsOf(world)).values())
  const lost = [...before].filter(([address, id]) => address.includes('.weekly-') && !after.has(id))
  count(`a schedule is put back: ${lost.length > 0 ? 'not for all' : 'for all'}`)
  expect(lost).toEqual([])
}

/** The whole recipe of the manual for a state that is gone for good. */
export const lostState: fc.Arbitrary<Step> = fc
  .tuple(edits, applies)
  .map((both) => inTurn(...both))
  .map((later) =>
    step(
      `the state is lost, and made again with the ids of what is there; there, ${String(later)}`,
      (oracle, world) => recover(oracle, world, later),
      ({ isUncertain, declared }) =>
        !isUncertain &&
        declared.isKeyOwn !== true &&
        !Object.keys(declared.windows).some((name) => name.includes('[')),
    ),
  )
