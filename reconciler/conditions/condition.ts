import type { Gate, Values } from '@deploymgmt/provider/core'
import type { Reader } from '@deploymgmt/provider/engine'

/** One thing that stands against a condition. */
export interface Hindrance {
  /** By any of these an exception names it: a host, a process, a type, an id. */
  readonly names: readonly string[]
  /** What is so, for a person. */
  readonly says: string
  /** The same for a machine. */
  readonly facts: Values
}

/** What was found in a project. */
export interface Looked {
  /** What stands against the condition; nothing where it holds. */
  readonly hindrances: readonly Hindrance[]
  /** All that was looked at, by what an exception calls it. */
  readonly names: readonly string[]
}

/** A condition of one project, the same for `deploymgmt wait` and for gates of a manifest. */
export interface Condition {
  /** What a manifest calls it. */
  readonly gate: Gate
  /** What `deploymgmt wait` calls it. */
  readonly wait: string
  /** What holds where nothing stands against it: `every process has reached the goal version`. */
  readonly goal: string
  /** What a person does where it does not hold, with the flags by which a command means the same project. */
  readonly remedy: (flags: string) => string
  readonly look: (client: Reader, projectId: string) => Promise<Looked>
}
