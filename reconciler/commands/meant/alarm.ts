import type { Io } from '../../io.ts'
import { surroundings } from '../../state/index.ts'
import { outsideOf } from './state-meant.ts'

/** Ends something after as many milliseconds. Answers how to put that off. */
export const alarm = (io: Io, ms: number, due: AbortController): (() => void) => {
  const off = new AbortController()
  const { pause } = surroundings(outsideOf(io))
  void pause(ms, off.signal).then(
    () => due.abort(),
    () => undefined,
  )
  return () => off.abort()
}
