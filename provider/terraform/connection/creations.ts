import type { Effect, Intent, LostWrite, Made } from '../../engine/index.ts'

/**
 * Creations by all resources of one run of Terraform: what one of them made, no other did. If the answer to one is
 * lost, later ones wait until it is settled, and settling waits until those under way have ended, because an event
 * that names a new thing can belong to any of them.
 */
export class Creations {
  /** Creations whose answers were lost, and that nothing has settled yet. */
  readonly open = new Set<LostWrite>()
  /** Things that have an id. */
  readonly made: Made[] = []
  readonly #underWay = new Map<number, PromiseWithResolvers<void>>()
  #sent = 0
  #turn: Promise<unknown> = Promise.resolve()

  /** Waits if necessary; returns a number that is unique in the run. */
  async begin({ method }: Pick<Intent, 'method'>): Promise<number> {
    const isCreation = method === 'POST'
    if (isCreation) await this.#settled()
    this.#sent += 1
    if (isCreation) this.#underWay.set(this.#sent, Promise.withResolvers())
    return this.#sent
  }

  /** The request was answered or refused, or never left. */
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

  /** Settles one at a time, and only when nothing is under way, so that each knows what earlier ones have taken. */
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
    // Another settling may have begun meanwhile.
    if (turn !== this.#turn) await this.#settled()
  }
}
