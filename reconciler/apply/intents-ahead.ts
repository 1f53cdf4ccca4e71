import { isDeepStrictEqual } from 'node:util'
import type { Intended, Intent, PlannedChange } from '@deploymgmt/provider/engine'
import type { Session } from '../state/index.ts'
import { recordedAs } from './intent-forms.ts'

/** How long the writes of one batch should take, milliseconds. */
const BATCH_MS = 5_000
/** The most by which a batch grows, because the first rate is measured over a short time. */
const MOST_GROWTH = 4
/** An intent that was written down longer ago may be outdated. */
const STALE_MS = 30_000

/** An intent that was written ahead. */
interface Written {
  readonly intent: Intent
  /** Rejects if the intent could not be written down. */
  readonly n: Promise<number>
}

interface Options {
  /** How many changes are under way at once. */
  readonly least: number
  readonly now: () => Date
}

/**
 * Writes intents ahead for the next few seconds, so that one append covers them all, together with the results of
 * the previous batch. Intents that were not sent are withdrawn.
 */
export class IntentsAhead {
  readonly #session: Pick<Session, 'intents' | 'withdrawn'>
  readonly #options: Options
  readonly #written = new Map<string /* address */, Written>()
  /** Withdrawals under way. */
  #leaving: Promise<void>[] = []
  #wave: readonly PlannedChange[] = []
  /** The index up to which the wave is written ahead. */
  #upTo = 0
  #size: number
  #isWriting = false
  /** The position in the wave, and the time, when the last batch was written. */
  #mark = { index: 0, at: 0 }

  constructor(session: Pick<Session, 'intents' | 'withdrawn'>, options: Options) {
    this.#session = session
    this.#options = options
    this.#size = Math.max(1, options.least)
  }

  /**
   * Called when it is the turn of a change: if few intents are left, writes the next batch.
   *
   * @param foresee the intents that a change will need
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
    // The second half is sent while the next batch is being written.
    if (this.#upTo >= wave.length || index < this.#upTo - Math.floor(this.#size / 2)) return
    if (index < this.#upTo && this.#isWriting) return
    this.#measure(index, at)
    const from = Math.max(index, this.#upTo)
    this.#upTo = from + this.#size
    this.#write(wave.slice(from, this.#upTo).flatMap((planned) => foresee(planned) ?? []))
  }

  /** The number of an intent that was written ahead; resolves when it is durable. */
  async take(intent: Intent): Promise<Intended | undefined> {
    const written = this.#written.get(intent.address)
    if (written === undefined || !isSame(written.intent, intent)) return undefined
    this.#written.delete(intent.address)
    return { n: await written.n, at: written.intent.at }
  }

  /** Called when a change has ended: intents of it that are left will never be sent. */
  ended({ change: { address } }: PlannedChange): void {
    this.#withdraw(address)
  }

  /** Nothing more is sent. Resolves when all intents that are left are withdrawn. */
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
      // `take` reports the error.
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
      // An intent that was not written needs no withdrawal.
      () => undefined,
    )
    // `end` reports the error.
    leaves.catch(() => undefined)
    this.#leaving.push(leaves)
  }
}

/** Whether both are the same request, regardless of when it leaves. */
const isSame = (one: Intent, other: Intent): boolean => isDeepStrictEqual(timeless(one), timeless(other))

const timeless = ({ expected, ...intent }: Intent) => ({
  ...intent,
  at: undefined,
  expected: { ...expected, watermark: undefined },
})
