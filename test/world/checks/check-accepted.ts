import { expect } from 'vitest'
import { idAt } from './check-apply.ts'
import { HOUR } from '../known/declared.ts'
import { CLOSE_MS, foreignTo, type Oracle } from '../known/oracle.ts'
import { count } from '../tally.ts'
import { truthOf, type World } from '../world.ts'

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
