/** Service time, learnt from the `Date` of answers. */
export class ServiceClock {
  readonly #now: () => number
  #skew: number | undefined
  #least = 0

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

  /** A moment that is surely not later than the service's: its last `Date`, and what went by here since it came. */
  notBefore(): number {
    return this.#now() + this.#least
  }

  /**
   * Learns from one answer. `Date` has whole seconds and was written somewhere between sending and receiving, so an
   * answer only bounds the skew. The skew is kept while it is within the bounds (a slow answer then disturbs nothing,
   * and equal clocks have no skew); otherwise it is the date less the middle of the round trip.
   */
  learn(date: string | undefined, sentAt: number, receivedAt: number): void {
    const service = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(service)) return
    const skew = this.#skew ?? 0
    this.#least = service - receivedAt
    const fits = skew >= service - receivedAt && skew < service + 1000 - sentAt
    this.#skew = fits ? skew : service - (sentAt + receivedAt) / 2
  }
}
