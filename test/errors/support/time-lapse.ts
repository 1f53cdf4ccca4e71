import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/**
 * Loaded before the command (`node --import`): its timers run thirty times as fast, so that the half minute
 * which a request may take, and the waits between repetitions, are a second. Nothing else is changed.
 */
const TIMES = 30
const { setTimeout: later } = globalThis
const { setTimeout: wait } = timers

const faster: typeof later = Object.assign(
  (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => later(act, ms / TIMES, ...given),
  later,
)
globalThis.setTimeout = faster
timers.setTimeout = async (ms, value, options) => wait((ms ?? 0) / TIMES, value, options)
syncBuiltinESMExports()
