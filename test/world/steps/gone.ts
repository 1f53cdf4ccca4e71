import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { checkApplied, idAt } from '../checks/check-apply.ts'
import { keyIn, userIn, windowIn, type Finder, type Found } from './gone-things.ts'
import { isSure, type Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, type Ended, type World } from '../world.ts'

/** What a person does about it. */
type Then = 'put back and accepted' | 'forgotten' | 'taken out'

const FINDERS = { 'a window': windowIn, 'a user': userIn, 'the reporting key': keyIn } satisfies Record<
  string,
  Finder
>
type What = keyof typeof FINDERS

const sentTo = (world: World, { number }: Ended, id: string): readonly object[] =>
  world.service.sent.filter(({ run, path }) => run === number && path.endsWith(`/${id}`))

/**
 * A thing is gone, and no event tells it: the answer to the next write does. Then nothing is sent to it any more, it is
 * blocked and drifted, and it is made again only once a person has dropped its record; or, if it is back, written to
 * again once a person has said so.
 */
const losing = async (oracle: Oracle, world: World, what: What, then: Then): Promise<void> => {
  // An answer that is not in JSON is not the service's, so it does not show that the thing is gone.
  if (world.settings['open.errorBody'] !== undefined)
    return count('something vanishes: not asked, not in JSON')
  const before = await applyIn(world, oracle)
  await checkApplied(world, oracle, before)
  const found = before.code === 0 && isSure(oracle) ? await FINDERS[what](oracle, world) : undefined
  if (found === undefined || (then === 'forgotten' && !found.isMadeAnew))
    return count(`${what} vanishes: there is none`)
  const { address, id } = found
  count(`${what} vanishes, and is ${then}`)
  const putBack = found.vanish()
  oracle.gone = id
  await found.change()
  const first = await applyIn(world, oracle)
  expect(sentTo(world, first, id)).toHaveLength(1)
  await checkGone(world, oracle, first, found)
  const second = await applyIn(world, oracle)
  expect(sentTo(world, second, id)).toEqual([])
  await checkGone(world, oracle, second, found)
  const { code, document } = await world.json(['drift'])
  const { verdict } = document.resources.find((each: any) => each.address === address)
  expect({ code, verdict }).toEqual({ code: 2, verdict: 'drifted' })
  if (then === 'taken out') {
    await takeOutGone(oracle, world, found)
    // What no apply can make is needed later.
    if (!found.isMadeAnew) putBack()
    return
  }
  const comesBack = then === 'put back and accepted'
  if (comesBack) putBack()
  expect(await world.run(['state', comesBack ? 'accept' : 'forget', address])).toMatchObject({ code: 0 })
  oracle.gone = undefined
  const last = await applyIn(world, oracle)
  await checkApplied(world, oracle, last)
  if (last.code !== 0) return
  const now = idAt(await recordsOf(world), address)
  const { live, wanted } = found.changed(now)
  expect({ address, isSame: now === id, live }).toEqual({ address, isSame: comesBack, live: wanted })
}

/** Its record is dropped. Its release is tried once, because it may be there after all. */
const takeOutGone = async (oracle: Oracle, world: World, { address, id, takeOut }: Found): Promise<void> => {
  await takeOut()
  const last = await applyIn(world, oracle)
  oracle.gone = undefined
  expect({ address, ended: last }).toMatchObject({ ended: { code: 0 } })
  expect(sentTo(world, last, id).length).toBeLessThanOrEqual(1)
  await checkApplied(world, oracle, last)
  expect(await recordsOf(world)).not.toHaveProperty([address])
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
  .tuple(
    fc.constantFrom<What>('a window', 'a window', 'a user', 'the reporting key'),
    fc.constantFrom<Then>('put back and accepted', 'forgotten', 'taken out'),
  )
  .map(([what, then]) =>
    step(
      `${what} is deleted by hand, and after two applies ${then}; apply`,
      (oracle, world) => losing(oracle, world, what, then),
      (oracle) => isSure(oracle) && oracle.second === undefined,
    ),
  )
