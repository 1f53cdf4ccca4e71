import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { madeByRuns } from '../checks/check-touched.ts'
import { BYSTANDER } from '../fixture.ts'
import type { Oracle } from '../known/oracle.ts'
import { step, type Step } from './step.ts'
import { count } from '../tally.ts'
import { lostIn, stateOf, unknownIn, type World } from '../world.ts'

/** What a person says became of the requests about an address. */
type Decision = { readonly address: string } & (
  | { readonly created: string }
  | { readonly notCreated: true }
  | { readonly again: true }
)

/** A person looks at the service and says truly what became of everything whose outcome is unknown. */
const decisionsIn = async (world: World): Promise<Decision[]> => {
  // Right after a request, nobody can say yet that nothing was created.
  world.now += 180_000
  const { document: rows } = await world.json(['state', 'list'])
  const known = new Set<string>(rows.map(({ id }: any) => id))
  const lost = await lostIn(world)
  return rows
    .filter(({ status }: any) => status === 'unknown')
    .map(({ address }: any): Decision => {
      const sent = lost.findLast((each) => each.address === address && each.method === 'POST')
      if (sent === undefined) return { address, again: true }
      const created = madeFor(world, sent, known)
      if (created === undefined) return { address, notCreated: true }
      known.add(created)
      return { address, created }
    })
}

/** The window or user that a lost request made, found by its body. */
const madeFor = (world: World, sent: any, known: ReadonlySet<string>): string | undefined => {
  const isSent = (body: any): boolean => {
    const { password: _, ...told } = body
    return JSON.stringify(told) === JSON.stringify(sent.body)
  }
  return madeByRuns(world).find(({ id, body }) => !known.has(id) && isSent(body))?.id
}

const wordsOf = (decision: Decision): string[] => {
  const { address } = decision
  if ('created' in decision) return [address, '--created', decision.created]
  return [address, 'again' in decision ? '--again' : '--not-created']
}

const resolveEach = async (world: World, decisions: readonly Decision[]): Promise<void> => {
  for (const decision of decisions) {
    const { code, number } = await world.run(['state', 'resolve', ...wordsOf(decision)])
    count(`state resolve ${wordsOf(decision)[1] ?? ''}: exit ${code}`)
    expect(world.actsOf(number)).toEqual([])
  }
}

const LIST = 'decisions.json'

/** A list with one wrong decision changes nothing; without it, everything is decided. */
const resolveList = async (world: World, decisions: readonly Decision[]): Promise<void> => {
  const from = async (list: readonly Decision[]) => {
    await writeFile(join(world.folder, LIST), JSON.stringify(list))
    const ran = await world.run(['state', 'resolve', '--from', LIST])
    expect(world.actsOf(ran.number)).toEqual([])
    return ran
  }
  const before = { state: await stateOf(world), unknown: await unknownIn(world) }
  const wrong = await from([...decisions, { address: 'maintenanceWindows.nobody', created: BYSTANDER }])
  expect(wrong).toMatchObject({ code: 1 })
  expect({ state: await stateOf(world), unknown: await unknownIn(world) }).toEqual(before)
  const { code, stderr } = await from(decisions)
  count(`state resolve --from: exit ${code}`)
  await rm(join(world.folder, LIST))
  // By a clock that was set back, a request can still take effect; and a killed owner may keep the lock elsewhere.
  const isTooEarly = /could still take effect|is locked/u.test(stderr)
  if (isTooEarly) return
  expect({ code, stderr, unknown: [...(await unknownIn(world))] }).toEqual({ code: 0, stderr, unknown: [] })
}

const WAYS = { 'one by one': resolveEach, 'with a list': resolveList }

export const resolve: fc.Arbitrary<Step> = fc
  .constantFrom<keyof typeof WAYS>('one by one', 'with a list', 'with a list')
  .map((how) =>
    step(
      `a person resolves what is unknown, ${how}`,
      async (_: Oracle, world) => {
        const decisions = await decisionsIn(world)
        if (decisions.length > 0) await WAYS[how](world, decisions)
      },
      ({ isUncertain }) => isUncertain,
    ),
  )
