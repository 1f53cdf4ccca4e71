import * as fc from 'fast-check'
import { expect } from 'vitest'
import { HOUR } from '../known/declared.ts'
import { idAt } from '../checks/check-apply.ts'
import { CLOSE_MS, foreignTo, isSure, type Oracle } from '../known/oracle.ts'
import { step } from './step.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type World } from '../world.ts'

/** What a person accepted of an address, and what was true then. */
export interface AcceptedThen {
  readonly id: string
  readonly enabled: boolean | undefined
  readonly at: number
  readonly until: number | undefined
}

const acceptAll = async (ms: number | undefined, oracle: Oracle, world: World): Promise<void> => {
  const { document } = await world.json(['drift'])
  const drifted = (document?.resources ?? []).filter(({ verdict }: any) => verdict === 'drifted')
  const until = ms === undefined ? undefined : Math.ceil((world.now + ms) / 1000) * 1000
  const end = until === undefined ? [] : ['--until', new Date(until).toISOString()]
  const at = world.now
  const ended = await world.json(['drift', 'accept', '--baseline', '--reason', 'fine', ...end])
  expect(ended).toMatchObject({ code: 0 })
  expect(world.actsOf(ended.number)).toEqual([])
  const [records, { configs }] = [await recordsOf(world), truthOf(world)]
  const done: string[] = [ended.document.done ?? []].flat()
  const isSaid = (address: string): boolean =>
    done.some((line) => line.startsWith(`${address} `) || line.startsWith(`${address}.`))
  // Between the two commands, an event can arrive or an acceptance can end: then that is accepted, too.
  const since = Object.keys(records).filter(isSaid)
  for (const address of new Set([...drifted.map((each: any) => each.address), ...since])) {
    const id = idAt(records, address)
    const earlier = oracle.drifts.get(address)
    // One of its fields may have been accepted for good before; only configurations have a single field.
    const isPartForGood = !configs.has(id) && earlier?.id === id && earlier.until === undefined
    const lasting = isPartForGood ? undefined : until
    oracle.drifts.set(address, { id, enabled: configs.get(id), at, until: lasting })
  }
}

/** Accepts all that has drifted, for good or for an hour. */
export const acceptDrift = fc
  .constantFrom(undefined, 3_600_000)
  .map((ms) =>
    step(
      `drift accept --baseline${ms === undefined ? '' : `, for ${ms} ms`}`,
      (oracle, world) => acceptAll(ms, oracle, world),
      isSure,
    ),
  )

/**
 * What the report calls accepted is as it was at its acceptance, which has not ended; and what is as it was then is not
 * called drifted.
 */
export const checkAccepted = (
  world: World,
  oracle: Oracle,
  { accepted = [], resources }: any,
  { records, seen }: { readonly records: any; readonly seen: Pick<World, 'service' | 'now'> },
): void => {
  const { configs } = truthOf(world)
  for (const { address } of accepted) {
    const then = oracle.drifts.get(address)
    const id = idAt(records, address)
    count(`drift ${address.split('.')[0]}: accepted`)
    expect({ address, until: then?.until ?? Infinity }).toMatchObject({ address, until: expect.any(Number) })
    expect((then?.until ?? Infinity) + CLOSE_MS).toBeGreaterThan(world.now)
    if (configs.has(id))
      expect({ address, enabled: configs.get(id) }).toEqual({ address, enabled: then?.enabled })
    // An event that became readable after the acceptance is another change. Configurations and integrations are read,
    // so they need no event.
    const isNew = ({ seenFrom }: any): boolean => seenFrom > (then?.at ?? 0) + CLOSE_MS
    if (/^(?:alertConfigurations|integrations)\./.test(address)) continue
    expect({ address, acts: foreignTo(seen, oracle, id).evident.filter(isNew) }).toEqual({
      address,
      acts: [],
    })
  }
  for (const { address, verdict } of resources) {
    const then = oracle.drifts.get(address)
    const id = idAt(records, address)
    if (verdict !== 'drifted' || then === undefined || then.id !== id || !configs.has(id)) continue
    const isOver = then.until !== undefined && then.until - CLOSE_MS < world.now
    if (!isOver) expect({ address, enabled: configs.get(id) }).not.toEqual({ address, enabled: then.enabled })
  }
}

/** What has been pending for a day, with no apply in between, is late; and only what is pending can be late. */
export const checkLate = (world: World, oracle: Oracle, { resources }: any, hours = 24): void => {
  const allowed = hours * HOUR
  const pending = resources.filter(({ verdict }: any) => verdict === 'pending')
  for (const { address, isLate, reasonCode } of pending) {
    const seen = oracle.pending.get(address) ?? world.now
    oracle.pending.set(address, seen)
    count(`drift: pending${isLate === true ? `, ${reasonCode}` : ''}`)
    if (world.now - seen > allowed + CLOSE_MS) expect({ address, isLate }).toEqual({ address, isLate: true })
    if (reasonCode === 'nothing-applied-since' && oracle.setBack === undefined)
      expect(world.now - oracle.reachedAt).toBeGreaterThan(allowed - CLOSE_MS)
  }
  const addresses = new Set(pending.map(({ address }: any) => address))
  for (const address of oracle.pending.keys()) if (!addresses.has(address)) oracle.pending.delete(address)
  expect(resources.filter(({ isLate, verdict }: any) => isLate === true && verdict !== 'pending')).toEqual([])
}
