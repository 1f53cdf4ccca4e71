import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyIn } from './applies.ts'
import { checkApplied } from './check-apply.ts'
import { manifestOf, type Declared } from './declared.ts'
import { beginnings } from './edits.ts'
import { gateFiles } from './gate.ts'
import { Oracle } from './oracle.ts'
import { readings } from './readings.ts'
import { steps, troubledSteps } from './steps.ts'
import { tally } from './tally.ts'
import { newWorld } from './world.ts'

/** What `npm run simulate` asks for; without it these are the same ones each time. */
const { HISTORIES = '300', HISTORIES_SEED = '1', HISTORIES_AS_MET, HISTORIES_AGAIN } = process.env
const seed = Number(HISTORIES_SEED)
/** A history to repeat: its kind, its path among those of the seed, and its steps. */
const [kind, path = '', replayPath = ''] = HISTORIES_AGAIN?.split(' ') ?? []

let putBack: () => void
beforeAll(() => {
  putBack = gateFiles()
})
afterAll(() => {
  putBack()
  if (process.env['HISTORIES'] !== undefined) process.stdout.write(`${tally()}\n`)
})

interface History extends Iterable<unknown> {
  toString(): string
}

interface Details {
  readonly failed: boolean
  readonly counterexample: [Readonly<Record<string, string>>, Declared, History] | null
  readonly counterexamplePath: string | null
  readonly errorInstance: unknown
}

/** A failing history in its shortest form, for a person to read and to repeat. */
const failureOf = (
  of: string,
  { failed, counterexample, counterexamplePath, errorInstance }: Details,
): string => {
  if (!failed) return ''
  const [settings, declared, history] = counterexample ?? [{}, {}, []]
  const ran = [...history].filter((each) => (each as { hasRan?: boolean }).hasRan !== false)
  const error = errorInstance instanceof Error ? (errorInstance.stack ?? '') : String(errorInstance)
  const { actual, expected } = (errorInstance ?? {}) as { actual?: unknown; expected?: unknown }
  const found = `found ${inspect(actual, { depth: 5 })}\nexpected ${inspect(expected, { depth: 5 })}`
  const taken = /replayPath="(.*?)"/.exec(String(history))?.[1] ?? ''
  const head = [
    `seed ${seed}: npm run simulate -- --seed ${seed} --again '${of} ${counterexamplePath ?? ''} ${taken}'`,
    `readings ${JSON.stringify(settings)}`,
    `begins with ${JSON.stringify(declared)}`,
  ]
  return [...head, ...ran.map((each) => `- ${String(each)}`), error, found].join('\n')
}

const again = HISTORIES_AGAIN === undefined ? {} : { path, endOnFailure: true }
const steered = HISTORIES_AGAIN === undefined ? {} : { replayPath }

describe('every claim of a report is true', () => {
  it.each([
    ['others', 'whatever others have done', steps],
    ['trouble', 'whatever goes wrong', troubledSteps],
  ] as const)(
    '%s: %s',
    async (of, _, made) => {
      if (kind !== undefined && kind !== of) return
      const histories = fc.commands([...made], { maxCommands: 24, size: 'max', ...steered })
      const property = fc.asyncProperty(
        readings,
        beginnings,
        histories,
        async (settings, declared, history) => {
          const world = await newWorld(settings)
          const oracle = new Oracle(declared)
          try {
            await world.manifest(manifestOf(declared))
            await checkApplied(world, oracle, await applyIn(world, oracle))
            await fc.asyncModelRun(() => ({ model: oracle, real: world }), history)
          } finally {
            await world.close()
          }
        },
      )
      const numRuns = Math.ceil(Number(HISTORIES) / 2)
      // The shortest form costs many runs, and a defect that is put in is found by any.
      const endOnFailure = HISTORIES_AS_MET !== undefined
      const checked = await fc.check(property, { numRuns, seed, endOnFailure, ...again })
      expect(failureOf(of, checked)).toBe('')
    },
    24 * 3_600_000,
  )
})
