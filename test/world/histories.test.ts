import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manifestOf, NOTHING } from './declared.ts'
import { gateFiles } from './gate.ts'
import { Oracle } from './oracle.ts'
import { steps, troubledSteps } from './steps.ts'
import type { Step } from './step.ts'
import { newWorld } from './world.ts'

/** `HISTORIES=20000 HISTORIES_SEED=7 npm run simulate`; without a seed those are new ones each time, and these the same. */
const { HISTORIES, HISTORIES_SEED } = process.env
const RUNS = Number(HISTORIES ?? 60)
const SEED = HISTORIES_SEED ?? (HISTORIES === undefined ? '1' : undefined)

let putBack: () => void
beforeAll(() => {
  putBack = gateFiles()
})
afterAll(() => putBack())

/** What a failing history is, for a person to read and to repeat. */
const failureOf = ({
  failed,
  seed,
  counterexample,
  errorInstance,
}: fc.RunDetails<[Iterable<Step>]>): string => {
  if (!failed) return ''
  const ran = [...(counterexample?.[0] ?? [])].filter(
    (each) => (each as { hasRan?: boolean }).hasRan !== false,
  )
  const error = errorInstance instanceof Error ? (errorInstance.stack ?? '') : String(errorInstance)
  return [`seed ${seed}`, ...ran.map((each) => `- ${String(each)}`), error].join('\n')
}

describe('every claim of a report is true', () => {
  it.each([
    ['others have done', steps],
    ['goes wrong', troubledSteps],
  ])(
    'whatever %s',
    async (_, made) => {
      const histories = fc.commands(made, { maxCommands: 40, size: 'max' })
      const property = fc.asyncProperty(histories, async (history) => {
        const world = await newWorld()
        try {
          await world.manifest(manifestOf(NOTHING))
          await fc.asyncModelRun(() => ({ model: new Oracle(NOTHING), real: world }), history)
        } finally {
          await world.close()
        }
      })
      const checked = await fc.check(property, {
        numRuns: RUNS,
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
      })
      expect(failureOf(checked)).toBe('')
    },
    24 * 3_600_000,
  )
})
