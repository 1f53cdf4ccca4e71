import type { Effect, Intent, LostWrite, Made } from '../../engine/index.ts'

/**
 * Creations of one run of Terraform, of all of its resources: what one of them has made is of no other. Where the
 * answer to one was lost, the next ones wait until it is settled, and it until those under way have landed: each
 * event that names a new thing can be of any of them.
 */
export class Creations {
  /** Those whose answer was lost, and that nothing has settled yet. */
  readonly open = new Set<LostWrite>()
  /** What has an id. */
  readonly made: Made[] = []
  readonly #underWay = new Map<number, PromiseWithResolvers<void>>()
  #sent = 0
  #turn: Promise<unknown> = Promise.resolve()

  /** Waits where it has to; answers a number that no other request of the run has. */
  async begin({ method }: Pick<Intent, 'method'>): Promise<number> {
    const isCreation = method === 'POST'
    if (isCreation) await this.#settled()
    this.#sent += 1
    if (isCreation) this.#underWay.set(this.#sent, Promise.withResolvers())
    return this.#sent
  }

  /** It was answered, or refused, or never left. */
  land(n: number): void {
    this.#underWay.get(n)?.resolve()
    this.#underWay.delete(n)
  }

  lose(write: LostWrite): void {
    if (write.method === 'POST') this.open.add(write)
    this.land(write.n)
  }

  know(effects: readonly Effect[]): void {
    for (const effect of effects)
      if (effect.op === 'put') {
        const { kind, identity, watermark: at } = effect.resource
        this.made.push({ kind, identity, at })
      }
  }

  /** One after the other, and when nothing is under way: what one has taken is known to the next. */
  settling<T>(settle: () => Promise<T>): Promise<T> {
    const settled = this.#turn.then(async () => {
      await Promise.all([...this.#underWay.values()].map(({ promise }) => promise))
      return settle()
    })
    this.#turn = settled.catch(() => undefined)
    return settled
  }

  async #settled(): Promise<void> {
    const turn = this.#turn
    await turn
    // Another settling can have begun meanwhile.
    if (turn !== this.#turn) await this.#settled()
  }
}
