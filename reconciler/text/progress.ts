import { visible } from './display.ts'
import { duration } from './instants.ts'
import { cut } from './lines.ts'

interface ProgressOptions {
  readonly write: (text: string) => void
  /** Whether a line that is shown can be replaced. */
  readonly isLive: boolean
  readonly width: number
  /** Prints nothing. */
  readonly quiet: boolean
  /** Epoch milliseconds. */
  readonly now?: () => number
}

export interface ProgressUpdate {
  readonly done: number
  /** What is counted, if that is not obvious. */
  readonly what?: string
  /** Absent while unknown. */
  readonly total?: number | undefined
  /** What was started last, such as `POST maintenanceWindows.w11`. */
  readonly current?: string | undefined
  readonly inFlight?: number | undefined
  /** Epoch milliseconds; if given, the remaining time is estimated. */
  readonly startedAt?: number | undefined
}

export interface Progress {
  update(state: ProgressUpdate): void
  /** Prints a permanent line. */
  line(text: string): void
  /** Removes the live line. */
  finish(): void
}

const CLEAR = '\r\u001B[K'
/** The minimum time between signs of life in a log without a terminal, milliseconds. */
const SIGN_OF_LIFE = 10_000

/** One live line, updated in place, or plain lines. */
export const createProgress = ({
  write,
  isLive,
  width,
  quiet,
  now = Date.now,
}: ProgressOptions): Progress => {
  if (quiet) return { update: ignore, line: ignore, finish: ignore }
  return isLive ? livingProgress(write, width, now) : plainProgress(write, now)
}

const ignore = (): void => {}

const livingProgress = (write: (text: string) => void, width: number, now: () => number): Progress => {
  let shown = ''
  const show = (text: string): void => {
    if (text === shown) return
    shown = text
    write(CLEAR + text)
  }
  return {
    // One column stays free: a full line would wrap on some terminals, and could not be removed.
    update: (state) => show(cut(visible(progressText(state, now())), Math.max(10, width - 1))),
    line: (text) => {
      write(shown === '' ? `${text}\n` : `${CLEAR}${text}\n${shown}`)
    },
    finish: () => show(''),
  }
}

const plainProgress = (write: (text: string) => void, now: () => number): Progress => {
  let last = now()
  return {
    update: (state) => {
      const at = now()
      if (at - last < SIGN_OF_LIFE) return
      last = at
      write(`${visible(progressText(state, at))}\n`)
    },
    line: (text) => {
      last = now()
      write(`${text}\n`)
    },
    finish: ignore,
  }
}

/** `12/40 · POST maintenanceWindows.w11 · 3 in flight · about 4 s left`, `212 requests · reading`. */
const progressText = (state: ProgressUpdate, at: number): string => {
  const { done, what, total, current, inFlight } = state
  const left = timeLeft(state, at)
  return [
    `${total === undefined ? done : `${done}/${total}`}${what === undefined ? '' : ` ${what}`}`,
    ...(current === undefined || current === '' ? [] : [current]),
    ...(inFlight === undefined || inFlight === 0 ? [] : [`${inFlight} in flight`]),
    ...(left === undefined ? [] : [`about ${left} left`]),
  ].join(' · ')
}

const SOONEST_GUESS = 1000

const timeLeft = ({ done, total, startedAt }: ProgressUpdate, at: number): string | undefined => {
  if (startedAt === undefined || total === undefined || done === 0 || done >= total) return undefined
  const elapsed = at - startedAt
  if (elapsed < SOONEST_GUESS) return undefined
  const seconds = Math.max(1, Math.round(((elapsed / done) * (total - done)) / 1000))
  // Minutes need no seconds.
  return duration((seconds < 90 ? seconds : Math.round(seconds / 60) * 60) * 1000)
}
