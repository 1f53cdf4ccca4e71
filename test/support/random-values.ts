import { configureGlobal } from 'fast-check'
import { runs, soakKills } from './soak.ts'

/** How many values `fast-check` itself tries of a property that says no number. */
const USUAL = 100

/**
 * For every property of every test: `npm test` tries the same values each time, so that a failure is due to a change;
 * a soak tries others, and more of them.
 */
configureGlobal(soakKills === undefined ? { seed: 20_261_122 } : { numRuns: runs(USUAL) })
