import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { checkApplied, idAt } from '../checks/check-apply.ts'
import { EPOCH, HOUR, manifestOf, type DeclaredWindow } from '../known/declared.ts'
import { isBlurred, isSure, latestOf, type Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type Ended, type World } from '../world.ts'

/** What a person does about it. */
type Then = 'put back and accepted' | 'forgotten' | 'taken out'

/** A recorded window that is declared, to come for a while, and as it was last applied. */
interface Found {
  readonly name: string
  readonly address: string
  readonly id: string
  readonly window: DeclaredWindow
  readonly projectId: string
}

const findIn = async (oracle: Oracle, world: World): Promise<Found | undefined> => {
  const records = await recordsOf(world)
  const { windows } = truthOf(world)
  for (const [name, window] of Object.entries(oracle.declared.windows)) {
    const address = `maintenanceWindows.${name}`
    const id = idAt(records, address)
    const live = windows.get(id)
    if (window === undefined || live === undefined || window.protect || name.includes('[')) continue
    const isToCome = EPOCH + window.start * HOUR > latestOf(world, oracle) + 2 * HOUR
    const isOther = records[address].identity.projectId !== live.projectId
    if (isToCome && !isOther && window.windowId === undefined && !isBlurred(world, oracle, id))
      return { name, address, id, window, projectId: live.projectId }
  }
  return undefined
}

const describe = async (oracle: Oracle, world: World, { name, window }: Found): Promise<string> => {
  const description = window.description === 'three' ? 'four' : 'three'
  const windows = { ...oracle.declared.windows, [name]: { ...window, description } }
  oracle.declared = { ...oracle.declared, windows }
  await world.manifest(manifestOf(oracle.declared))
  return description
}

const takeOut = async (oracle: Oracle, world: World, { name }: Found): Promise<void> => {
  const { [name]: _, ...windows } = oracle.declared.windows
  oracle.declared = { ...oracle.declared, windows }
  await world.manifest(manifestOf(oracle.declared))
}

const sentTo = (world: World, { number }: Ended, id: string): readonly object[] =>
  world.service.sent.filter(({ run, path }) => run === number && path.endsWith(`/${id}`))

/**
 * A window is gone, and no event tells it: the answer to the next write does. Then nothing is sent to it any more, it is
 * blocked and drifted, and it is made again only once a person has dropped its record; or, if it is back, written to
 * again once a person has said so.
 */
const losing = async (oracle: Oracle, world: World, then: Then): Promise<void> => {
  // An answer that is not in JSON is not the service's, so it does not show that the window is gone.
  if (world.settings['open.errorBody'] !== undefined)
    return count('a window vanishes: not asked, not in JSON')
  const before = await applyIn(world, oracle)
  await checkApplied(world, oracle, before)
  const found = before.code === 0 && isSure(oracle) ? await findIn(oracle, world) : undefined
  if (found === undefined) return count('a window vanishes: there is none')
  const { address, id, projectId } = found
  count(`a window vanishes, and is ${then}`)
  const putBack = world.service.vanish(projectId, id)
  oracle.gone = id
  const description = await describe(oracle, world, found)
  const first = await applyIn(world, oracle)
  expect(sentTo(world, first, id)).toHaveLength(1)
  await checkGone(world, oracle, first, found)
  const second = await applyIn(world, oracle)
  expect(sentTo(world, second, id)).toEqual([])
  await checkGone(world, oracle, second, found)
  const { code, document } = await world.json(['drift'])
  const { verdict } = document.resources.find((each: any) => each.address === address)
  expect({ code, verdict }).toEqual({ code: 2, verdict: 'drifted' })
  const comesBack = then === 'put back and accepted'
  if (comesBack) putBack()
  if (then === 'taken out') await takeOut(oracle, world, found)
  else expect(await world.run(['state', comesBack ? 'accept' : 'forget', address])).toMatchObject({ code: 0 })
  oracle.gone = undefined
  const last = await applyIn(world, oracle)
  if (then === 'taken out') expect({ address, ended: last }).toMatchObject({ ended: { code: 0 } })
  await checkApplied(world, oracle, last)
  if (last.code !== 0) return
  if (then === 'taken out') return expect(await recordsOf(world)).not.toHaveProperty([address])
  const now = idAt(await recordsOf(world), address)
  expect({ address, isSame: now === id, description: truthOf(world).windows.get(now)?.description }).toEqual({
    address,
    isSame: comesBack,
    description,
  })
}

/** What is gone is blocked, and not made again by itself. */
const checkGone = async (
  world: World,
  oracle: Oracle,
  ended: Ended,
  { address, id }: Found,
): Promise<void> => {
  expect(ended.document.blocked.map((each: any) => each.address)).toContain(address)
  expect(idAt(await recordsOf(world), address)).toBe(id)
  await checkApplied(world, oracle, ended)
}

export const gone: fc.Arbitrary<Step> = fc
  .constantFrom<Then>('put back and accepted', 'forgotten', 'taken out')
  .map((then) =>
    step(
      `a window is deleted by hand, and after two applies ${then}; apply`,
      (oracle, world) => losing(oracle, world, then),
      (oracle) => isSure(oracle) && oracle.second === undefined,
    ),
  )
