import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyBlindly } from './applies.ts'
import { idAt } from '../checks/check-apply.ts'
import { checkDrift } from '../checks/check-drift.ts'
import { checkTouched } from '../checks/check-touched.ts'
import { isSure, type Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type World } from '../world.ts'

/** How reading events fails: forbidden, not found, or with an error that is not retried. */
const WAYS = [403, 404, 400] as const
type Way = (typeof WAYS)[number]
/** A 404 without JSON may come from a proxy, so it is an error. */
const isRefusal = ({ settings }: World, way: Way): boolean =>
  way === 403 || (way === 404 && settings['open.errorBody'] !== 'text')

const within = async <T>({ service }: World, status: Way, work: () => Promise<T>): Promise<T> => {
  service.fault('run', { fault: 'status', status, method: 'GET', path: '/events' })
  return work().finally(() => service.clearFaults())
}

/** No endpoint shows it; only events tell of it. */
const isUnreadable = (address: string): boolean => /^(?:apiKeys|users|maintenanceWindows)\./.test(address)

/** If events cannot be read, a report says only what lists show, and nothing can be accepted. */
const look = async (way: Way, oracle: Oracle, world: World): Promise<void> => {
  const records = await recordsOf(world)
  const addresses = Object.keys(records).filter(isUnreadable)
  await within(world, way, async () => {
    const { code, document } = await world.json(['drift'])
    count(`drift without events (${way}): exit ${code}`)
    if (isRefusal(world, way)) checkReport(world, records, document)
    // If nothing needs events, nothing fails.
    else if (addresses.length > 0)
      expect({ code, error: document.error }).toMatchObject({ code: expect.any(Number), error: {} })
    for (const address of addresses) await checkNotAccepted(world, way, address)
  })
  expect(await recordsOf(world)).toEqual(records)
  // Once events can be read again, nothing is lost.
  await checkDrift(world, oracle)
}

const checkReport = (
  world: World,
  records: any,
  { resources, unmanaged, eventsSince, warnings }: any,
): void => {
  const { windows } = truthOf(world)
  for (const { address, verdict, reasonCode, evidence, actor } of resources) {
    expect({ address, actor }).toEqual({ address, actor: undefined })
    const record = records[address]
    if (!isUnreadable(address) || record === undefined || verdict === 'pending') continue
    count(`drift without events: ${verdict}, ${evidence.level}`)
    // What an answer has shown needs no event.
    const isShown =
      record.leftover !== undefined || record.overridden !== undefined || record.notFoundAt !== undefined
    expect({ address, verdict }).toEqual({
      address,
      verdict: isShown ? expect.stringMatching(/drifted|unver/) : 'unverifiable',
    })
    if (evidence.level === 'recorded')
      expect({ address, isSaid: isShown || evidence.eventsUnread }).toEqual({ address, isSaid: true })
    const end = Date.parse(windows.get(idAt(records, address))?.endDate)
    if (reasonCode === 'ended-by-itself')
      expect({ address, isOver: end <= world.now }).toEqual({ address, isOver: true })
  }
  expect(unmanaged.filter(({ seenIn }: any) => seenIn === 'events')).toEqual([])
  expect(eventsSince).toBe(undefined)
  if (Object.keys(records).some(isUnreadable))
    expect(warnings).toContainEqual(expect.stringMatching(/^organization \w+: /))
  // Without events, nothing recorded is said not to have drifted.
  const isCalledOver = (address: string): boolean =>
    warnings.some((each: string) => each.startsWith(`${address} has not drifted`))
  expect(Object.keys(records).filter((each) => isUnreadable(each) && isCalledOver(each))).toEqual([])
}

const checkNotAccepted = async (world: World, way: Way, address: string): Promise<void> => {
  const { code, stderr } = await world.run(['state', 'accept', address])
  const why = isRefusal(world, way) ? 'DM-EVENTS-UNREAD' : 'DM-'
  expect({ address, code, stderr }).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringContaining(why),
  })
  expect(code).not.toBe(0)
}

/** An apply without events may meet what others did, and only answers tell it. */
const apply = async (way: Way, oracle: Oracle, world: World): Promise<void> => {
  const ended = await within(world, way, () => applyBlindly(world, oracle))
  count(`apply without events (${way}): exit ${ended.code}`)
  checkTouched(world, oracle, ended.number)
  await checkDrift(world, oracle)
}

export const unread: fc.Arbitrary<Step> = fc.constantFrom(...WAYS).chain((way) =>
  fc.constantFrom(
    step(
      `events cannot be read (${way}): drift, and state accept`,
      (oracle, world) => look(way, oracle, world),
      isSure,
    ),
    step(`events cannot be read (${way}): apply`, (oracle, world) => apply(way, oracle, world), isSure),
  ),
)
