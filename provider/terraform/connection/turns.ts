/** What an apply of one resource may give up to another one in the same place, or take over from it. */
export interface HandOver {
  /** The place, such as a project, as a key. */
  readonly place: string
  /** Whether it may put back things that it no longer stands for. */
  readonly gives: boolean
  /** Whether it may stand for things that another resource gives up. */
  readonly takes: boolean
}

/**
 * Terraform applies at the same time a resource that gives a thing up and another one that takes it over, because it
 * does not know that both are about one thing. They take turns here: whichever comes second sees what the first did.
 */
export class Turns {
  readonly #underWay = new Map<HandOver, Promise<unknown>>()

  async take<T>(own: HandOver, work: () => Promise<T>): Promise<T> {
    const before = [...this.#underWay].flatMap(([other, done]) => (cross(own, other) ? [done] : []))
    // Each waits only for those that came before it, so none waits for itself.
    const done = Promise.allSettled(before).then(work)
    this.#underWay.set(own, done)
    try {
      return await done
    } finally {
      this.#underWay.delete(own)
    }
  }
}

const cross = (one: HandOver, other: HandOver): boolean =>
  one.place === other.place && ((one.gives && other.takes) || (one.takes && other.gives))
