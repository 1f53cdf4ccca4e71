import { isDeepStrictEqual } from 'node:util'
import type { Intended, Intent, PlannedChange } from '@deploymgmt/provider/engine'
import type { Session } from '../state/index.ts'
import { recordedAs } from './ledger.ts'

/** For how long a batch is to last, milliseconds. */
const BATCH_MS = 5_000
/** A rate is measured in little time at first. */
const MOST_GROWTH = 4
/** What waits longer for its turn could be too old by then. */
const STALE_MS = 30_000

/** An intent that was written down before its turn. */
interface Written {
  readonly intent: Intent
  /** Rejects where it could not be. */
  readonly n: Promise<number>
}

interface Options {
  /** How many are under way at once. */
  readonly least: number
  readonly now: () => Date
}

/**
 * Writes down ahead what is to be sent in the next few seconds, so that one append serves all of it, and carries what
 * is known of the batch before. What was not sent is withdrawn.
 */
export class Ahead {
  readonly #session: Pick<Session, 'intents' | 'withdrawn'>
  readonly #options: Options
  readonly #written = new Map<string /* address */, Written>()
  /** Withdrawals under way. */
  #leaving: Promise<void>[] = []
  #wave: readonly PlannedChange[] = []
  /** Up to where the wave is written down. */
  #upTo = 0
  #size: number
  #isWriting = false
  /** Where the wave was when a batch was written down last. */
  #mark = { index: 0, at: 0 }

  constructor(session: Pick<Session, 'intents' | 'withdrawn'>, options: Options) {
    this.#session = session
    this.#options = options
    this.#size = Math.max(1, options.least)
  }

  /**
   * The turn of a change has come: where what is written down ends soon, the next batch is written down, too.
   *
   * @param foresee what a change will ask to be written down
   */
  reach(
    wave: readonly PlannedChange[],
    index: number,
    foresee: (planned: PlannedChange) => Intent | undefined,
  ): void {
    const at = this.#options.now().getTime()
    if (wave !== this.#wave) {
      this.#wave = wave
      this.#upTo = 0
      this.#mark = { index, at }
    }
    if (this.#written.size > 0 && Math.abs(at - this.#mark.at) > STALE_MS) {
      for (const address of this.#written.keys()) this.#withdraw(address)
      this.#upTo = index
    }
    // The second half is sent while the next batch is being written down.
    if (this.#upTo >= wave.length || index < this.#upTo - Math.floor(this.#size / 2)) return
    if (index < this.#upTo && this.#isWriting) return
    this.#measure(index, at)
    const from = Math.max(index, this.#upTo)
    this.#upTo = from + this.#size
    this.#write(wave.slice(from, this.#upTo).flatMap((planned) => foresee(planned) ?? []))
  }

  /** The number of an intent, if it was written down; it is there once this resolves. */
  async take(intent: Intent): Promise<Intended | undefined> {
    const written = this.#written.get(intent.address)
    if (written === undefined || !isSame(written.intent, intent)) return undefined
    this.#written.delete(intent.address)
    return { n: await written.n, at: written.intent.at }
  }

  /** A change has ended: what it has not sent it never will. */
  ended({ change: { address } }: PlannedChange): void {
    this.#withdraw(address)
  }

  /** Nothing more is sent. Resolves when all that was not is withdrawn. */
  async end(): Promise<void> {
    for (const address of this.#written.keys()) this.#withdraw(address)
    const leaving = this.#leaving
    this.#leaving = []
    await Promise.all(leaving)
  }

  #measure(index: number, at: number): void {
    const sent = index - this.#mark.index
    const tookMs = Math.max(1, at - this.#mark.at)
    const worth = Math.ceil((sent * BATCH_MS) / tookMs)
    if (sent > 0) this.#size = Math.max(this.#options.least, 1, Math.min(worth, this.#size * MOST_GROWTH))
    this.#mark = { index, at }
  }

  #write(intents: readonly Intent[]): void {
    const others = intents.filter(({ address }) => !this.#written.has(address))
    if (others.length === 0) return
    this.#isWriting = true
    const numbers = this.#session.intents(others.map(recordedAs)).finally(() => {
      this.#isWriting = false
    })
    for (const [index, intent] of others.entries()) {
      const n = numbers.then((each) => each[index] ?? 0)
      // Whoever takes it is told.
      n.catch(() => undefined)
      this.#written.set(intent.address, { intent, n })
    }
  }

  #withdraw(address: string): void {
    const written = this.#written.get(address)
    if (written === undefined) return
    this.#written.delete(address)
    const leaves = written.n.then(
      (n) => this.#session.withdrawn(n),
      // Where it could not be written down, there is nothing to withdraw.
      () => undefined,
    )
    // Whoever ends is told.
    leaves.catch(() => undefined)
    this.#leaving.push(leaves)
  }
}

/** Whether it is the same request, whenever it leaves. */
const isSame = (one: Intent, other: Intent): boolean => isDeepStrictEqual(timeless(one), timeless(other))

const timeless = ({ expected, ...intent }: Intent) => ({
  ...intent,
  at: undefined,
  expected: { ...expected, watermark: undefined },
})
