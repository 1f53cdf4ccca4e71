import { INTERRUPTED } from '@deploymgmt/provider/errors'
import type { Io } from '../../io.ts'

/**
 * The first interrupt asks everything under way to end, and says so; the second one acts like a crash: the journal
 * knows the requests in flight.
 *
 * @param stops completes "Stopping: …"
 */
export const interruptOf = (
  io: Io,
  stops: string,
): { readonly signal: AbortSignal; readonly stopListening: () => void } => {
  const interrupt = new AbortController()
  const stopListening = io.onInterrupt(() => {
    if (interrupt.signal.aborted) process.exit(INTERRUPTED)
    io.stderr.write(`\nStopping: ${stops}. Interrupt once more to stop at once.\n`)
    interrupt.abort()
  })
  return { signal: interrupt.signal, stopListening }
}
