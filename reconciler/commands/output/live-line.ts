import type { Client } from '@deploymgmt/provider/api'
import type { Io } from '../../io.ts'
import { createProgress, type Progress } from '../../text/progress.ts'

/** The live line of a command, on stderr. */
export const progressOn = ({ stderr, now }: Io, quiet: boolean): Progress =>
  createProgress({
    write: (text) => stderr.write(text),
    isTTY: stderr.isTTY === true,
    width: stderr.columns || 80,
    quiet,
    now: () => now().getTime(),
  })

/** How often the line is looked at, in milliseconds, and how many looks of a reading need none. */
const EVERY_MS = 200
const LOOKS_WITHOUT = 4

/** While a reading takes longer than a moment, the line says how many requests were sent; then it is gone. */
export const showingReads = async <T>(
  io: Io,
  { quiet = false }: { readonly quiet?: boolean },
  client: Pick<Client, 'requestsSent'>,
  read: () => Promise<T>,
): Promise<T> => {
  const progress = progressOn(io, quiet)
  let looks = 0
  const look = (): void => {
    looks += 1
    const { requestsSent: done } = client
    if (looks > LOOKS_WITHOUT)
      progress.update({ done, what: done === 1 ? 'request' : 'requests', current: 'reading' })
  }
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  try {
    return await read()
  } finally {
    clearInterval(timer)
    progress.finish()
  }
}
