import type { Io } from '../../io.ts'
import { systemOf } from './system.ts'

/** Aborts something after some milliseconds. Returns a function that calls this off. */
export const abortAfter = (io: Io, ms: number, controller: AbortController): (() => void) => {
  const off = new AbortController()
  const { pause } = systemOf(io)
  void pause(ms, off.signal).then(
    () => controller.abort(),
    () => undefined,
  )
  return () => off.abort()
}
