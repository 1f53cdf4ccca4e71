/** Who writes to the service. `twin` uses the key of the runs from somewhere else, `sam` is a person with a key. */
export type Actor = 'run' | 'twin' | 'oncall' | 'sam'

/** One write of one thing, as the service's own store recorded it. */
export interface Act {
  /** Service time, in milliseconds. */
  readonly at: number
  readonly by: Actor
  /** The public key that it was sent with. */
  readonly key: string
  /** The number of the run that wrote it. The writes of a second runner have one, too, and count as a twin's. */
  readonly run: number | undefined
  readonly kind: 'window' | 'alertConfig' | 'apiKey' | 'user' | 'integration'
  /** Its project or organization. */
  readonly parent: string
  readonly id: string
  readonly before: any
  readonly after: any
  /** The body that was sent. */
  readonly body: any
  /** From when on its event can be read; infinite if the service loses the event. */
  readonly seenFrom: number
}

const KINDS: ReadonlySet<string> = new Set(['window', 'alertConfig', 'apiKey', 'user', 'integration'])
export const isWatched = (kind: string): kind is Act['kind'] => KINDS.has(kind)

/** A request of a run that the service answered with an error. */
export interface Refusal {
  readonly run: number
  readonly method: string
  readonly path: string
  readonly status: number
}

/** A write of a run, as it arrived at the service. */
export interface Sent {
  readonly run: number
  readonly method: string
  readonly path: string
  readonly body: any
  readonly status: number
}
