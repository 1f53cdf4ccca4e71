import type { Effect, Intent, LostWrite, Made, Reason } from '../../engine/index.ts'

/** What became of a creation: what to record of the thing that it made, or the reason why it is unknown. */
export type CreationOutcome =
  | { readonly is: 'made'; readonly effects: readonly Effect[]; readonly how: Reason }
  | { readonly is: 'open'; readonly because: Reason | undefined }

/** Settles lost creations together; returns the outcome of each that it looked at. */
type SettleTogether = (open: readonly LostWrite[]) => Promise<ReadonlyMap<LostWrite, CreationOutcome>>

/**
 * Creations by all resources of one run of Terraform: what one of them made, no other did. If the answer to one is
 * lost, later ones wait until it is settled, and settling waits until those under way have ended, because an event
 * that names a new thing can belong to any of them. All that are lost by then are settled together, by the first
 * resource whose turn it is; the others find their outcomes.
 */
export class Creations {
  /** Creations whose answers were lost, and that nothing has settled yet. */
  readonly open = new Set<LostWrite>()
  /** Things that have an id. */
  readonly made: Made[] = []
  readonly #outcomes = new Map<LostWrite, CreationOutcome>()
  readonly #underWay = new Map<number, PromiseWithResolvers<void>>()
  #sent = 0
  #turn: Promise<unknown> = Promise.resolve()

  /** Waits if necessary; returns a number that is unique in the run. */
  async begin({ method }: Pick<Intent, 'method'>): Promise<number> {
    const isCreation = method === 'POST'
    if (isCreation)
      // Another settling may have begun meanwhile.
      for (let turn; turn !== this.#turn; await turn) turn = this.#turn
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

  /**
   * The outcome of a lost creation. Only requests under way are waited for: Terraform may start others only once this
   * one has ended.
   */
  outcomeOf(write: LostWrite, settleTogether: SettleTogether): Promise<CreationOutcome | undefined> {
    const settled = this.#turn.then(async () => {
      if (!this.#outcomes.has(write)) {
        await Promise.all([...this.#underWay.values()].map(({ promise }) => promise))
        for (const each of await settleTogether([...this.open])) this.#settled(...each)
      }
      return this.#outcomes.get(write)
    })
    this.#turn = settled.catch(() => undefined)
    return settled
  }

  #settled(write: LostWrite, outcome: CreationOutcome): void {
    this.#outcomes.set(write, outcome)
    if (outcome.is === 'open') return
    this.open.delete(write)
    // Its own resource may record it later than another one is settled.
    this.know(outcome.effects)
  }
}
