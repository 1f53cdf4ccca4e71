import type { Client } from '@deploymgmt/provider/api'
import type { Io } from '../../io.ts'
import { duration } from '../../text/instants.ts'
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
  client: Pick<Client, 'requestsSent' | 'held'>,
  read: () => Promise<T>,
): Promise<T> => {
  const progress = progressOn(io, quiet)
  let looks = 0
  const look = (): void => {
    looks += 1
    const { requestsSent: done } = client
    const current = whyHeld(io, client) ?? 'reading'
    if (looks > LOOKS_WITHOUT) progress.update({ done, what: done === 1 ? 'request' : 'requests', current })
  }
  const stop = lookingOften(look)
  try {
    return await read()
  } finally {
    stop()
    progress.finish()
  }
}

/** Looks until it is stopped; does not keep the process alive. */
export const lookingOften = (look: () => void): (() => void) => {
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const WHY_HELD = { limited: 'the service limits requests', unavailable: 'the service is unavailable' }

/** Why no request is sent for a while, if none is. */
export const whyHeld = ({ now }: Pick<Io, 'now'>, { held }: Pick<Client, 'held'>): string | undefined => {
  if (held === undefined) return undefined
  const seconds = Math.max(1, Math.ceil((held.until - now().getTime()) / 1000))
  return `${WHY_HELD[held.why]}; the next request is sent in ${duration(seconds * 1000)}`
}
