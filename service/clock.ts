export type Clock = ReturnType<typeof createClock>

/** The only clock of a running service: it follows real time until it is set through `/_control/clock`. */
export const createClock = (realNow: () => number = Date.now) => {
  let stoppedAt: number | undefined
  /** The present in milliseconds since the epoch. */
  const now = (): number => stoppedAt ?? realNow()
  return {
    now,
    get isReal(): boolean {
      return stoppedAt === undefined
    },
    /** Stops the clock at an instant. */
    set(instant: number): void {
      stoppedAt = instant
    },
    /** Moves the clock forward and stops it there. */
    advance(milliseconds: number): void {
      stoppedAt = now() + milliseconds
    },
    /** Returns to real time. */
    release(): void {
      stoppedAt = undefined
    },
  }
}
