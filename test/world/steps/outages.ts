import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn, atOnce, withConcurrency } from './applies.ts'
import { checkApplied, isLeft } from '../checks/check-apply.ts'
import { checkKept } from './elsewhere.ts'
import type { Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import type { Around, World } from '../world.ts'

/**
 * What the service does from one request of a command on, until the command has ended: it refuses the key, asks for
 * fewer requests, fails, or hangs up, before or after it has carried out the request.
 */
const OUTAGES = [401, 403, 429, 408, 500, 502, 503, 'reset-before', 'reset-after', 'truncate'] as const
type Outage = (typeof OUTAGES)[number]

/** Whether each answer says that nothing was done. */
const isRefusal = (outage: Outage): boolean => [401, 403, 429].includes(outage as number)

const from = (world: World, request: number, outage: Outage): Around => {
  const fault =
    typeof outage === 'number' ? ({ fault: 'status', status: outage } as const) : { fault: outage }
  return { meanwhile: new Map([[request, async () => world.service.fault('run', fault)]]) }
}

/** What was done before is recorded. A refusal leaves nothing open; anything else is settled by the next apply. */
const applyCut = async (
  oracle: Oracle,
  world: World,
  [request, outage, concurrency]: readonly [number, Outage, number],
): Promise<void> => {
  const wasUncertain = oracle.isUncertain
  // The service's own record of refusals lacks those of a fault.
  oracle.isUncertain = true
  const ended = await applyIn(world, oracle, withConcurrency(concurrency), from(world, request, outage))
  world.service.clearFaults()
  count(`apply cut off from the service (${outage}): exit ${ended.code}`)
  await checkApplied(world, oracle, ended)
  if (isRefusal(outage)) oracle.isUncertain = wasUncertain
  await checkKept(world, oracle, ended)
  await checkApplied(world, oracle, await applyIn(world, oracle))
}

/** A report that could not read everything is an error, or it says less; it never says anything else. */
const lookCut = async (
  world: World,
  [command, request, outage]: readonly ['plan' | 'drift', number, Outage],
): Promise<void> => {
  const since = world.now
  const words = command === 'plan' ? ['plan', '--all'] : ['drift']
  const { code, document, number } = await world.json(words, from(world, request, outage))
  world.service.clearFaults()
  expect(world.actsOf(number)).toEqual([])
  const { document: whole } = await world.json(words)
  count(`${command} cut off from the service (${outage}): exit ${code}`)
  if (document.error !== undefined) return expect(code).not.toBe(0)
  // Only the later report knows what became readable meanwhile.
  if (world.service.acts.some(({ seenFrom }) => seenFrom >= since && seenFrom <= world.now)) return
  const found = command === 'plan' ? plannedIn : verdictsIn
  // What moves and changes, too, stands in a plan twice.
  const known = new Set(found(whole).map((each) => each.join(' ')))
  const other = found(document).filter((each) => !known.has(each.join(' ')))
  const [more, less] = [other.filter(([, said]) => !isLess(said)), other.filter(([, said]) => isLess(said))]
  expect(more, 'said only because something was not read').toEqual([])
  if (less.length > 0) expect(document.warnings).not.toEqual([])
}

const verdictsIn = ({ resources }: any): [string, string][] =>
  resources.map(({ address, verdict }: any) => [address, verdict])
const plannedIn = ({ changes }: any): [string, string][] =>
  changes.map((change: any) => [change.address, isLeft(change) ? change.action : 'unchanged'])
const isLess = (said: string): boolean => said === 'unverifiable' || said === 'unchanged'

const outage = fc.constantFrom(...OUTAGES)
const request = fc.integer({ min: 1, max: 16 })

const saidOf = (at: number, what: Outage): string =>
  `from request ${at} on, each is ${typeof what === 'number' ? `answered with ${what}` : `lost (${what})`}`

export const applyInOutage: fc.Arbitrary<Step> = fc
  .tuple(request, outage, atOnce)
  .map((all) =>
    step(`apply, ${all[2]} at once, and ${saidOf(all[0], all[1])}; apply`, (oracle, world) =>
      applyCut(oracle, world, all),
    ),
  )

export const lookInOutage: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom('plan', 'drift' as const), request, outage)
  .map((all) =>
    step(
      `${all[0]}, and ${saidOf(all[1], all[2])}`,
      (_, world) => lookCut(world, all),
      ({ isUncertain }) => !isUncertain,
    ),
  )
