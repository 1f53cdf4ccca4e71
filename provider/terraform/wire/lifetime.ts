/** How long the provider lives: no longer than the Terraform that started it. */

export interface LifetimeOptions {
  /** Ends the process. */
  readonly exit: (code: number) => void
  /** Whether who started the provider still runs. */
  readonly parentAlive: () => boolean
  /** Whether the provider serves one client and ends with it; under reattach it serves one after the other. */
  readonly single: boolean
}

/** How often the parent is looked for; a connection that closes is noticed at once and needs no looking. */
const PARENT_CHECK_MS = 1000
/** A Terraform that was started waits this long for a provider, so no client comes later. */
const FIRST_CONNECTION_MS = 60_000
/** After Terraform is gone, requests that were sent are waited for this long, to finish what they began. */
const LAST_CALLS_MS = 5000
/** After Shutdown the answer leaves, and Terraform closes the connection; that it does so is not relied on. */
const SHUTDOWN_MS = 250

export class Lifetime {
  readonly #options: LifetimeOptions
  #stopping = new AbortController()
  #connections = 0
  #calls = 0
  #ending = false

  constructor(options: LifetimeOptions) {
    this.#options = options
    if (!options.single) return
    setTimeout(() => {
      if (this.#connections === 0) this.#end(1)
    }, FIRST_CONNECTION_MS).unref()
    const watch = setInterval(() => {
      if (options.parentAlive()) return
      clearInterval(watch)
      this.gone()
    }, PARENT_CHECK_MS)
    watch.unref()
  }

  /** Aborted once the provider is to stop. */
  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  /** Terraform was interrupted: what is under way may finish, nothing new is sent. */
  stop(): void {
    this.#stopping.abort(new Error('Terraform asked the provider to stop.'))
  }

  /** A Terraform begins its work: under reattach, what was asked to stop was another one's. */
  configured(): void {
    if (!this.#options.single && this.signal.aborted && !this.#ending) this.#stopping = new AbortController()
  }

  /** A client came; `onClose` registers what happens when it leaves. */
  connected(onClose: (closed: () => void) => void): void {
    this.#connections += 1
    onClose(() => {
      this.#connections -= 1
      if (this.#options.single && this.#connections === 0) this.gone()
    })
  }

  /** Counts a call while it runs. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    this.#calls += 1
    try {
      return await run()
    } finally {
      this.#calls -= 1
      if (this.#ending && this.#calls === 0) this.#end(0)
    }
  }

  /** Terraform is done with the provider. Under reattach the next one may come. */
  shutdown(): void {
    if (this.#options.single) setTimeout(() => this.gone(), SHUTDOWN_MS)
  }

  /** Nobody is there any more: calls under way are told, waited for, and then the process ends. */
  gone(): void {
    if (this.#ending) return
    this.#ending = true
    this.#stopping.abort(new Error('Terraform is gone.'))
    if (this.#calls === 0) this.#end(0)
    else setTimeout(() => this.#end(0), LAST_CALLS_MS)
  }

  #end(code: number): void {
    this.#options.exit(code)
  }
}
