import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { cheapToRead } from '@deploymgmt/provider/engine'
import { applyIn } from './steps/applies.ts'
import { checkApplied } from './checks/check-apply.ts'
import { manifestOf, type Declared } from './known/declared.ts'
import { beginnings } from './steps/edits.ts'
import { gateFiles, gateHost } from './gate.ts'
import { Oracle } from './known/oracle.ts'
import { endPlaces, gateGit, gatePostgres, STORES, type StoreName } from './places.ts'
import { readings } from './readings.ts'
import type { Step } from './steps/step.ts'
import { count, tally } from './tally.ts'
import { newWorld } from './checkout.ts'
import type { World } from './world.ts'

/** Set by `npm run simulate`; without it, the same histories run each time. */
const {
  HISTORIES = '300',
  HISTORIES_SEED = '1',
  HISTORIES_AS_MET,
  HISTORIES_AGAIN,
  HISTORIES_STORE,
} = process.env
const seed = Number(HISTORIES_SEED)
/** A history to repeat: its kind, its path within the seed, and its steps. */
const [kind, path = '', replayPath = ''] = HISTORIES_AGAIN?.split(' ') ?? []

/** Files are by far the fastest; git and Postgres are only used if they are asked for. */
const stores: fc.Arbitrary<StoreName> =
  HISTORIES_STORE === undefined
    ? fc.oneof(
        { weight: 60, arbitrary: fc.constant('file') },
        { weight: 1, arbitrary: fc.constantFrom('http', 'gitlab') },
      )
    : fc.constantFrom(...STORES.filter((each) => each === HISTORIES_STORE))

interface History extends Iterable<unknown> {
  toString(): string
}

interface Details {
  readonly failed: boolean
  readonly counterexample: [Readonly<Record<string, string>>, Declared, History, StoreName] | null
  readonly counterexamplePath: string | null
  readonly errorInstance: unknown
}

/** A failing history in its shortest form, for a person to read and to repeat. */
const failureOf = (
  of: string,
  { failed, counterexample, counterexamplePath, errorInstance }: Details,
): string => {
  if (!failed) return ''
  const [settings, declared, history, store] = counterexample ?? [{}, {}, [], 'file']
  const ran = [...history].filter((each) => (each as { hasRan?: boolean }).hasRan !== false)
  const error = errorInstance instanceof Error ? (errorInstance.stack ?? '') : String(errorInstance)
  const { actual, expected } = (errorInstance ?? {}) as { actual?: unknown; expected?: unknown }
  const found = `found ${inspect(actual, { depth: 5 })}\nexpected ${inspect(expected, { depth: 5 })}`
  const taken = /replayPath="(.*?)"/.exec(String(history))?.[1] ?? ''
  const asked = HISTORIES_STORE === undefined ? '' : ` --store ${HISTORIES_STORE}`
  const head = [
    `seed ${seed}: npm run simulate -- --seed ${seed}${asked} --again '${of} ${counterexamplePath ?? ''} ${taken}'`,
    `state in ${store}, readings ${JSON.stringify(settings)}`,
    `begins with ${JSON.stringify(declared)}`,
  ]
  return [...head, ...ran.map((each) => `- ${String(each)}`), error, found].join('\n')
}

const again = HISTORIES_AGAIN === undefined ? {} : { path, endOnFailure: true }
const steered = HISTORIES_AGAIN === undefined ? {} : { replayPath }

/** One history, from the first apply to its last step; throws at the first claim that is false. */
const runHistory = async (
  settings: Readonly<Record<string, string>>,
  declared: Declared,
  history: Iterable<fc.AsyncCommand<Oracle, World, boolean>>,
  store: StoreName,
): Promise<void> => {
  count(`history with its state in ${store}`)
  // In every other history, an apply saves what was quiet after the first event; in short ones, no reading is dear.
  const isDear = JSON.stringify([settings, declared]).length % 2 === 0
  const { events } = cheapToRead
  if (isDear) cheapToRead.events = 0
  const world = await newWorld(settings, store)
  const oracle = new Oracle(declared)
  try {
    oracle.isElsewhere = store !== 'file'
    world.isLayered = declared.isLayered === true
    await world.manifest(manifestOf(declared))
    await checkApplied(world, oracle, await applyIn(world, oracle))
    await fc.asyncModelRun(() => ({ model: oracle, real: world }), history)
  } finally {
    cheapToRead.events = events
    await world.close()
  }
}

/**
 * Runs random histories of these steps; returns the first one in which a claim is false, in words, or nothing.
 *
 * @param share which part of all histories: one of so many
 */
export const falseClaim = async (
  of: string,
  steps: readonly fc.Arbitrary<Step>[],
  share = 2,
): Promise<string> => {
  if (kind !== undefined && kind !== of) return ''
  const histories = fc.commands([...steps], { maxCommands: 24, size: 'max', ...steered })
  const property = fc.asyncProperty(readings, beginnings, histories, stores, runHistory)
  const numRuns = HISTORIES_AGAIN === undefined ? Math.ceil(Number(HISTORIES) / share) : 1
  // The shortest form takes many runs, and for a mutant any failing history will do.
  const endOnFailure = HISTORIES_AS_MET !== undefined
  const gates = [gateFiles(), gateHost(), gateGit(), gatePostgres()]
  try {
    return failureOf(of, await fc.check(property, { numRuns, seed, endOnFailure, ...again }))
  } finally {
    for (const putBack of gates) putBack()
    await endPlaces()
    if (process.env['HISTORIES'] !== undefined) process.stdout.write(`${tally()}\n`)
  }
}
