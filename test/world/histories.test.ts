import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manifestOf, NOTHING } from './declared.ts'
import { newWorld } from './installation.ts'
import { Oracle } from './oracle.ts'
import { steps, troubledSteps } from './steps.ts'

/** `HISTORIES=20000 HISTORIES_SEED=7 npm run simulate`; without a seed those are new ones each time, and these the same. */
const { HISTORIES, HISTORIES_SEED } = process.env
const RUNS = Number(HISTORIES ?? 60)
const SEED = HISTORIES_SEED ?? (HISTORIES === undefined ? '1' : undefined)

describe('every claim of a report is true', () => {
  it.each([
    ['others have done', steps],
    ['answers were lost', troubledSteps],
  ])(
    'whatever %s',
    async (_, made) => {
      const histories = fc.commands(made, { maxCommands: 40, size: 'max' })
      const property = fc.asyncProperty(histories, async (history) => {
        const world = await newWorld()
        try {
          await world.here.manifest(manifestOf(NOTHING))
          await fc.asyncModelRun(() => ({ model: new Oracle(NOTHING), real: world }), history)
        } finally {
          await world.close()
        }
      })
      const checked = await fc.check(property, {
        numRuns: RUNS,
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
      })
      expect(await fc.asyncDefaultReportMessage(checked)).toBeUndefined()
    },
    24 * 3_600_000,
  )
})
