import { configureGlobal } from 'fast-check'
import { soakKills } from './soak.ts'

/**
 * For every property of every test: `npm test` tries the same values each time, so that a failure is due to a change;
 * a soak tries others.
 */
configureGlobal(soakKills === undefined ? { seed: 20_261_122 } : {})
