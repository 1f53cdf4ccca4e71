import type { Client } from '@deploymgmt/provider/api'
import type { Io } from '../../io.ts'
import { createProgress, type Progress } from '../../text/progress.ts'

/** Whether shown lines can be replaced: on a terminal, except one that knows no control sequences. */
export const canReplace = ({ isTTY }: Io['stdout' | 'stderr'], { env }: Pick<Io, 'env'>): boolean =>
  isTTY === true && env['TERM'] !== 'dumb'

/** The progress line of a command, on stderr. */
export const progressOn = (io: Io, quiet: boolean): Progress => {
  const { stderr, now } = io
  return createProgress({
    write: (text) => stderr.write(text),
    isLive: canReplace(stderr, io),
    width: stderr.columns || 80,
    quiet,
    now: () => now().getTime(),
  })
}

/** Interval between updates of the line, milliseconds, and how many updates pass before it is shown. */
const EVERY_MS = 200
const LOOKS_WITHOUT = 4

/** If a reading takes longer than a moment, shows the number of requests; the line is removed at the end. */
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
