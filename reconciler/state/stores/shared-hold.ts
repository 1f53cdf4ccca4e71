import type { System } from '../machine/system.ts'
import { FormerOwner, sayingStillLocked } from './held.ts'

export interface Taking {
  readonly system: System
  /** A sentence for the user. */
  readonly notice?: string | undefined
}

/** A hold on a store that several machines share: its lock is released once, however often it is asked for. */
export abstract class SharedHold {
  readonly id: string
  readonly notice?: string
  protected readonly system: System
  protected readonly former: FormerOwner
  #isEnded = false

  constructor(id: string, { system, notice }: Taking) {
    this.id = id
    this.system = system
    this.former = new FormerOwner(system)
    if (notice !== undefined) this.notice = notice
  }

  async release(): Promise<void> {
    if (this.#isEnded) return
    this.#isEnded = true
    try {
      await sayingStillLocked(this.id, this.system, () => this.releaseLock())
    } finally {
      await this.close()
    }
  }

  async keep(): Promise<void> {
    this.#isEnded = true
    await this.close()
  }

  /** Releases the lock, also from beneath what others have written, which stays. */
  protected abstract releaseLock(): Promise<void>

  /** Closes what the hold was opened with, if it stays open. */
  protected close(): Promise<void> {
    return Promise.resolve()
  }
}
