import type { RecordedResource } from '@deploymgmt/provider/engine'

export type { RecordedResource }

/** The least that the store asks of a record: what it is, and what names it at the service. */
export interface Resource {
  readonly kind: string
  /** For example `{ projectId, id }`. */
  readonly identity: Readonly<Record<string, string>>
}

/** The state file, format version 1. */
export interface StateFile<R extends Resource = RecordedResource> {
  version: 1
  /** The `name` of the manifest that this state belongs to. */
  name: string
  baseUrl: string
  /** A random UUID, made when the state is made; it tells one history from another. */
  lineage: string
  /** Grows by one with each write; 0 stands for a state that has no file yet. */
  serial: number
  resources: Record<string /* address */, R>
}

/** A change of the recorded resources, as the journal keeps it. */
export type Effect<R extends Resource = RecordedResource> =
  | { op: 'put'; address: string; resource: R }
  | { op: 'drop'; address: string }
  | { op: 'move'; from: string; to: string }

/** What a state has to agree with before it may be used. */
export interface Expectation {
  name: string
  baseUrl: string
}
