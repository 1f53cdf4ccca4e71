/** Service time, learnt from the `Date` headers of answers. */
export class ServiceClock {
  readonly #now: () => number
  #skew: number | undefined
  #least = 0
  /** Bounds of the skew by all answers so far: at least `#from`, and less than `#before`. */
  #from = Number.NEGATIVE_INFINITY
  #before = Number.POSITIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  get skewMs(): number | undefined {
    return this.#skew
  }

  now(): number {
    return this.toService(this.#now())
  }

  toService(local: number): number {
    return local + (this.#skew ?? 0)
  }

  /**
   * A time that is surely not later than the service's: its last `Date`, plus the local time that has passed since.
   */
  notBefore(): number {
    return this.#now() + this.#least
  }

  /**
   * Learns from one answer. `Date` has whole seconds and was written somewhere between sending and receiving, so an
   * answer only bounds the skew, and a slow one adds nothing to earlier bounds. The skew is kept while it is within
   * all bounds (equal clocks have no skew); otherwise it becomes the date minus the middle of the round trip, within
   * the bounds.
   */
  learn(date: string | undefined, sentAt: number, receivedAt: number): void {
    const service = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(service)) return
    const [least, most] = [service - receivedAt, service + 1000 - sentAt]
    // An answer that contradicts earlier ones was written after a clock had been set.
    const isSet = least >= this.#before || most <= this.#from
    this.#from = isSet ? least : Math.max(least, this.#from)
    this.#before = isSet ? most : Math.min(most, this.#before)
    const skew = this.#skew ?? 0
    this.#least = least
    const fits = skew >= this.#from && skew < this.#before
    this.#skew = fits ? skew : Math.max(this.#from, (this.#from + this.#before - 1000) / 2)
  }
}
