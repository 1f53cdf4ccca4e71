/** The one clock of a running service: real, or set through `/_control/clock`. */
export interface Clock {
  /** The present in milliseconds since the epoch. */
  now(): number
  readonly isReal: boolean
  /** Stops the clock at an instant. */
  set(instant: number): void
  /** Moves the clock on and stops it there. */
  advance(milliseconds: number): void
  /** Goes back to real time. */
  release(): void
}

/** A clock that follows real time until it is set. */
export const createClock = (realNow: () => number = Date.now): Clock => {
  let stoppedAt: number | undefined
  const now = () => stoppedAt ?? realNow()
  return {
    now,
    get isReal() {
      return stoppedAt === undefined
    },
    set(instant) {
      stoppedAt = instant
    },
    advance(milliseconds) {
      stoppedAt = now() + milliseconds
    },
    release() {
      stoppedAt = undefined
    },
  }
}
