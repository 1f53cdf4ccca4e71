import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/**
 * Loaded before the command (`node --import`). It makes waits between attempts thirty times shorter and the half minute
 * that a request may take two seconds; nothing else changes.
 */
const WAITS = 30
const DEADLINE = 15
const { setTimeout: later } = globalThis
const { setTimeout: wait } = timers

const faster: typeof later = Object.assign(
  (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => later(act, ms / DEADLINE, ...given),
  later,
)
globalThis.setTimeout = faster
timers.setTimeout = async (ms, value, options) => wait((ms ?? 0) / WAITS, value, options)
syncBuiltinESMExports()
