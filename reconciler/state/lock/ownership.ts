import { StateWriteError } from '../../errors/index.ts'

/** For how long after the beginning of a save or a check the lock counts as held, milliseconds. */
const CERTAIN_MS = 30_000
/** How often a check may take longer than what it is to prove. */
const CHECKS = 3

interface Moment {
  readonly wall: number
  /** By a clock that nobody sets. */
  readonly steady: number
}

/** Until when it is certain that the lock is still held: one who was unlocked may still be at work for that long. */
export class Ownership {
  readonly #now: () => Date
  #confirmedAt: Moment | undefined

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Does what only the owner of the lock can do; from its beginning on it is certain. */
  async proving<T>(work: () => Promise<T>): Promise<T> {
    const at = this.#moment()
    const done = await work()
    this.#confirmedAt = at
    return done
  }

  /** @throws what `check` throws; StateWriteError where each takes so long that it proves nothing */
  async certain(check: () => Promise<void>): Promise<void> {
    for (let checks = 0; !this.isCertain; checks += 1) {
      if (checks === CHECKS)
        throw new StateWriteError(
          'the lock of the state could not be confirmed in time; nothing more is sent',
        )
      await this.proving(check)
    }
  }

  /** A clock that was set back tells nothing either. */
  get isCertain(): boolean {
    if (this.#confirmedAt === undefined) return false
    const { wall, steady } = this.#moment()
    const since = [wall - this.#confirmedAt.wall, steady - this.#confirmedAt.steady]
    return since.every((each) => each >= 0 && each < CERTAIN_MS)
  }

  #moment(): Moment {
    return { wall: this.#now().getTime(), steady: performance.now() }
  }
}

/** A request leaves at most half a minute after the lock was taken away, and its call takes at most a minute. */
export const AT_WORK_MS = 90_000
/** How far the clock of the machine that took the lock away may be from this one's. */
const SKEW_MS = 60_000
/**
 * How long after its moment was written down a lock may have gone in truth: until then its owner finds it confirmed. A
 * write is tried six times, each of five minutes at most, and is looked after for as long.
 */
const LANDS_MS = 70 * 60_000

/** When a lock was taken away whose owner may have been at work; ISO 8601, by the clocks of those who wrote it down. */
export interface Unlocked {
  /** When the write that did it was begun. */
  readonly unlockedAt?: string | undefined
  /** When it was certainly there already: it was answered, or somebody had read it. */
  readonly landedAt?: string | undefined
}

/** Since when it is gone, and when nobody waits for its owner any more; epoch milliseconds, NaN if that is not a time. */
const spanOf = ({
  unlockedAt = '',
  landedAt,
}: Unlocked): { readonly from: number; readonly over: number } => {
  const from = Date.parse(landedAt ?? unlockedAt)
  return { from, over: from + (landedAt === undefined ? LANDS_MS : 0) + AT_WORK_MS + SKEW_MS }
}

/** When nobody waits any more for an owner whose lock was taken away; ISO 8601, undefined if that is not a time. */
export const overBy = (unlocked: Unlocked): string | undefined => {
  const { over } = spanOf(unlocked)
  return Number.isNaN(over) ? undefined : new Date(over).toISOString()
}

/** For how long, in milliseconds, an owner whose lock was taken away may have something under way. */
export const atWorkMs = (unlocked: Unlocked, now: Date): number => {
  if (unlocked.unlockedAt === undefined) return 0
  const { from, over } = spanOf(unlocked)
  const at = now.getTime()
  // A time in the future, or something that is not a time, says nothing.
  return at >= from ? Math.max(0, Math.min(AT_WORK_MS, over - at)) : AT_WORK_MS
}
