import { Agent, type AgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { NO_TUNNEL, type Proxy } from './proxy.ts'

type Connected = Parameters<Agent['createConnection']>[1]

/**
 * An agent whose connections go through a proxy. Node gives a request its connection once TLS with the service is
 * complete, and until then no time limit of the request is in force, nor does `destroy` end a connection.
 */
export class ProxyAgent extends Agent {
  readonly #deadlineMs: number
  readonly #beginning = new Set<() => void>()

  /** @param deadlineMs how long making a connection may take, milliseconds */
  constructor(proxy: Proxy, deadlineMs: number, options: AgentOptions) {
    super({ ...options, proxyEnv: proxy.settings })
    this.#deadlineMs = deadlineMs
  }

  override createConnection(
    options: Parameters<Agent['createConnection']>[0],
    connected?: Connected,
  ): Duplex | null | undefined {
    const giveUp = (): void => {
      const late = new Error(`it has made none within ${this.#deadlineMs / 1000} s`)
      done(Object.assign(late, { code: NO_TUNNEL }))
      socket?.destroy()
    }
    const timer = setTimeout(giveUp, this.#deadlineMs)
    const done = (error: Error | null, made?: Duplex): void => {
      clearTimeout(timer)
      this.#beginning.delete(giveUp)
      connected?.(error, made as Duplex)
    }
    this.#beginning.add(giveUp)
    // The agent's own time limit is for idle connections, and much shorter.
    const socket = super.createConnection({ ...options, timeout: undefined }, done)
    return socket
  }

  override destroy(): void {
    for (const giveUp of this.#beginning) giveUp()
    super.destroy()
  }
}
