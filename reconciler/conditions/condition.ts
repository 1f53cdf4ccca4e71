import type { Gate, Values } from '@deploymgmt/provider/core'
import type { Reader } from '@deploymgmt/provider/engine'

/** One obstacle to a condition. */
export interface Hindrance {
  /** Names for exceptions: a host, a process, a type, an id. */
  readonly names: readonly string[]
  /** A description for a person. */
  readonly says: string
  /** The same for a machine. */
  readonly facts: Values
}

/** The result for a project. */
interface Looked {
  /** The obstacles; empty if the condition holds. */
  readonly hindrances: readonly Hindrance[]
  /** The names for exceptions of everything that was looked at. */
  readonly names: readonly string[]
}

/** A condition of one project, shared by `deploymgmt wait` and the gates of a manifest. */
export interface Condition {
  /** Its name in a manifest. */
  readonly gate: Gate
  /** Its name for `deploymgmt wait`. */
  readonly wait: string
  /** What holds if there are no obstacles: `every process has reached the goal version`. */
  readonly goal: string
  /** What a person does if it does not hold, with the flags by which a command means the same project. */
  readonly remedy: (flags: string) => string
  readonly look: (client: Reader, projectId: string) => Promise<Looked>
}
