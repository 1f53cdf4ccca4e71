/** How long the provider lives: no longer than the Terraform that started it. */

interface LifetimeOptions {
  /** Ends the process. */
  readonly exit: (code: number) => void
  /** Whether the process that started the provider is still running. */
  readonly parentAlive: () => boolean
  /** Whether the provider serves one client and ends with it; under reattach it serves one after another. */
  readonly single: boolean
}

/** How often the parent is checked; a closed connection is noticed at once without checking. */
const PARENT_CHECK_MS = 1000
/** Terraform waits this long for a provider that it has started, so no client comes later. */
const FIRST_CONNECTION_MS = 60_000
/** How long to wait for calls under way after Terraform is gone, so that they can finish what they began. */
const LAST_CALLS_MS = 5000
/** After Shutdown, the answer is sent and Terraform closes the connection; this does not rely on it. */
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

  /** Aborted once the provider has to stop. */
  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  /** Terraform was interrupted: calls under way may finish, nothing new is sent. */
  stop(): void {
    this.#stopping.abort(new Error('Terraform asked the provider to stop.'))
  }

  /** A Terraform starts its work: under reattach, an earlier request to stop came from another one. */
  configured(): void {
    if (!this.#options.single && this.signal.aborted && !this.#ending) this.#stopping = new AbortController()
  }

  /** A client has connected; `onClose` registers what happens when it leaves. */
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

  /** Terraform is done with the provider. Under reattach, the next one may come. */
  shutdown(): void {
    if (this.#options.single) setTimeout(() => this.gone(), SHUTDOWN_MS)
  }

  /** No client is left: calls under way are told and awaited, and then the process ends. */
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
