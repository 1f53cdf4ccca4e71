import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { checkApplied, checkTouched } from './check-apply.ts'
import { deeds } from './others.ts'
import { step, type Step } from './step.ts'
import type { World } from './world.ts'

const APPLY = ['apply', '--auto-approve', '--allow-mass-removal', '--allow-mass-change']

const WRITES = [
  ['POST', 'maintenanceWindows'],
  ['PATCH', 'maintenanceWindows'],
  ['PATCH', 'alertConfigs'],
  ['PATCH', 'apiKeys'],
] as const
const LOSSES = ['reset-after', 'reset-before', 'truncate', 'malformed'] as const

/** One answer to a write of this path is lost, after the service has done it, or before. */
const loseAnswer = fc
  .tuple(fc.constantFrom(...WRITES), fc.constantFrom(...LOSSES), fc.constantFrom(1, 10))
  .map(([[method, path], fault, concurrency]) =>
    step(
      `apply, and the answer to ${method} ${path} is lost (${fault}), ${concurrency} at once`,
      async (oracle, world) => {
        world.service.fault('run', { method, path, fault, count: 1 })
        oracle.isUncertain = true
        const ended = await world.json([...APPLY, '--concurrency', String(concurrency)])
        world.service.clearFaults()
        await checkApplied(world, oracle, ended)
      },
    ),
  )

/** Cut off at any effect, of files or of the network. */
const kill = fc.tuple(fc.nat(70), fc.constantFrom(1, 10)).map(([effects, concurrency]) =>
  step(`apply, killed after ${effects} effects, ${concurrency} at once`, async (oracle, world) => {
    const ended = await world.json([...APPLY, '--concurrency', String(concurrency)], { effects })
    if (ended.code === null) oracle.isUncertain = true
    await checkApplied(world, oracle, ended)
  }),
)

/** Somebody else writes while an apply is under way. */
const meanwhile = fc.tuple(fc.integer({ min: 1, max: 12 }), deeds).map(([request, deed]) =>
  step(`apply, and at its ${request}. request ${deed.said}`, async (oracle, world) => {
    const during = new Map([[request, () => deed.carryOut(world)]])
    const ended = await world.json([...APPLY, '--concurrency', '1'], { meanwhile: during })
    checkTouched(world, oracle, ended.number)
  }),
)

/** A person looks at the service, and says what is true of everything whose outcome is unknown. */
const resolve = fc.constant(
  step('a person resolves what is unknown', async (_, world) => {
    const { document: rows } = await world.json(['state', 'list'])
    const known = new Set<string>(rows.map(({ id }: any) => id))
    for (const { address } of rows.filter(({ status }: any) => status === 'unknown')) {
      const made = await madeFor(world, address, known)
      if (made !== undefined) known.add(made)
      await world.run([
        'state',
        'resolve',
        address,
        ...(made === undefined ? ['--not-created'] : ['--created', made]),
      ])
    }
  }),
)

/** The window that a request of unknown outcome has made, by what was sent; the journal keeps that. */
const madeFor = async (
  world: World,
  address: string,
  known: ReadonlySet<string>,
): Promise<string | undefined> => {
  const text = await readFile(join(world.folder, 'deploymgmt.state.journal'), 'utf8').catch(() => '')
  const sent = text
    .split('\n')
    .flatMap((line) => (line.includes('"intent"') ? [JSON.parse(line.slice(line.indexOf('{')))] : []))
    .findLast((each) => each.address === address && each.method === 'POST')
  const made = world.service.acts.find(
    ({ by, before, body, id }) =>
      by === 'run' &&
      before === undefined &&
      !known.has(id) &&
      JSON.stringify(body) === JSON.stringify(sent?.body),
  )
  return made?.id
}

export const troubles: fc.Arbitrary<Step> = fc.oneof(loseAnswer, kill, kill, meanwhile, resolve, resolve)
