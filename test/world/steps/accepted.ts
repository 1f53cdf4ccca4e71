import * as fc from 'fast-check'
import { expect } from 'vitest'
import { idAt } from '../checks/check-apply.ts'
import { isSure, type Oracle } from '../known/oracle.ts'
import { step } from './step.ts'
import { recordsOf, truthOf, type World } from '../world.ts'

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
