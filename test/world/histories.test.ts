import fc from 'fast-check'
import { it } from 'vitest'
import { manifestOf, NOTHING } from './declared.ts'
import { newWorld } from './installation.ts'
import { Oracle } from './oracle.ts'
import { steps } from './steps.ts'

/** `npm run simulate -- --histories N --seed S` sets both. */
const RUNS = Number(process.env['HISTORIES'] ?? 60)
const SEED = process.env['HISTORIES_SEED']

it('every claim of a report is true, whatever has happened', async () => {
  const histories = fc.commands(steps, { maxCommands: 14, size: 'max' })
  const property = fc.asyncProperty(histories, async (history) => {
    const world = await newWorld()
    try {
      await world.here.manifest(manifestOf(NOTHING))
      await fc.asyncModelRun(() => ({ model: new Oracle(NOTHING), real: world }), history)
    } finally {
      await world.close()
    }
  })
  await fc.assert(property, { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) })
}, 3_600_000)
