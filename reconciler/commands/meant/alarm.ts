import type { Io } from '../../io.ts'
import { surroundings } from '../../state/index.ts'
import { outsideOf } from './state-meant.ts'

/** Aborts something after some milliseconds. Returns a function that postpones this. */
export const alarm = (io: Io, ms: number, due: AbortController): (() => void) => {
  const off = new AbortController()
  const { pause } = surroundings(outsideOf(io))
  void pause(ms, off.signal).then(
    () => due.abort(),
    () => undefined,
  )
  return () => off.abort()
}
