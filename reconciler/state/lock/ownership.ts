import { StateWriteError } from '../../errors/index.ts'

/** How long after the start of a save or a check the lock counts as held, milliseconds. */
const CERTAIN_MS = 30_000
/** How many checks may take longer than the time for which they prove the lock. */
const CHECKS = 3

interface Moment {
  readonly wall: number
  /** A monotonic clock. */
  readonly steady: number
}

/**
 * Until when the lock is certainly still held: an owner whose lock was removed may still be at work for that long.
 */
export class Ownership {
  readonly #now: () => Date
  #confirmedAt: Moment | undefined

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Does work that only the owner of the lock can do; from its start on, the lock is certain. */
  async proving<T>(work: () => Promise<T>): Promise<T> {
    const at = this.#moment()
    const done = await work()
    this.#confirmedAt = at
    return done
  }

  /** @throws what `check` throws; StateWriteError if each check takes so long that it proves nothing */
  async certain(check: () => Promise<void>): Promise<void> {
    for (let checks = 0; !this.isCertain; checks += 1) {
      if (checks === CHECKS)
        throw new StateWriteError(
          'the lock of the state could not be confirmed in time; nothing more is sent',
        )
      await this.proving(check)
    }
  }

  /** A clock that was set back proves nothing either. */
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

/** A request leaves at most half a minute after the lock was removed, and its call takes at most a minute. */
export const AT_WORK_MS = 90_000
/** How far the clock of the machine that removed the lock may differ from the local one. */
const SKEW_MS = 60_000
/**
 * How long after the recorded moment a lock may really have disappeared; until then, its owner finds it confirmed. A
 * write is tried six times, each for at most five minutes, and is looked after for as long.
 */
const LANDS_MS = 70 * 60_000

/** When a lock was removed whose owner may have been at work; ISO 8601, by the clocks of those who recorded it. */
export interface Unlocked {
  /** When the write that removed it started. */
  readonly unlockedAt?: string | undefined
  /** When that write was certainly done: it was answered, or somebody had read it. */
  readonly landedAt?: string | undefined
}

/**
 * Now, or the given moment if that is later: what came after it did not come before it, and the clock here is behind.
 *
 * @param moment ISO 8601; anything else is ignored
 */
export const notBefore = (moment: string | undefined, { now }: { readonly now: () => Date }): string => {
  const here = now()
  const there = Date.parse(moment ?? '')
  return (there > here.getTime() ? new Date(there) : here).toISOString()
}

/** Since when the lock is gone, and until when its owner is waited for; epoch milliseconds, NaN if not a time. */
const spanOf = ({
  unlockedAt = '',
  landedAt,
}: Unlocked): { readonly from: number; readonly over: number } => {
  const from = Date.parse(landedAt ?? unlockedAt)
  return { from, over: from + (landedAt === undefined ? LANDS_MS : 0) + AT_WORK_MS + SKEW_MS }
}

/** Until when an owner whose lock was removed is waited for; ISO 8601, undefined if not a time. */
export const overBy = (unlocked: Unlocked): string | undefined => {
  const { over } = spanOf(unlocked)
  return Number.isNaN(over) ? undefined : new Date(over).toISOString()
}

/** For how long, in milliseconds, an owner whose lock was removed may have requests under way. */
export const atWorkMs = (unlocked: Unlocked, now: Date): number => {
  if (unlocked.unlockedAt === undefined) return 0
  const { from, over } = spanOf(unlocked)
  const at = now.getTime()
  // A time in the future, or an invalid one, proves nothing.
  return at >= from ? Math.max(0, Math.min(AT_WORK_MS, over - at)) : AT_WORK_MS
}
