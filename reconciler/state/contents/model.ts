import type { EarlierWrite, Learnt, Made, RecordedResource } from '@deploymgmt/provider/engine'

/** The marker that is left at the old place of a moved state: a document that earlier versions refuse. */
export interface MovedState {
  version: 2
  name: string
  baseUrl: string
  lineage: string
  serial: number
  /**
   * Where the state is now: an address without credentials, or a path. A relative path starts at the folder of the
   * marker.
   */
  movedTo: string
  resources: Readonly<Record<string, never>>
}

/** The state file, format version 1. */
export interface StateFile {
  version: 1
  /** The `name` of the manifest that owns this state. */
  name: string
  baseUrl: string
  /** A random UUID, made with the state; it distinguishes one history from another. */
  lineage: string
  /** Grows by one with each write; 0 if the state has no file yet. */
  serial: number
  /** What answers have shown of the service, by kind. */
  learnt?: Readonly<Record<string, Learnt>>
  resources: Record<string /* address */, RecordedResource>
  /** Our recent writes to things that are not recorded; left out if there are none. */
  unrecorded?: readonly EarlierWrite[]
  /** Things that were once recorded, or that a person has disowned; left out if there are none. */
  known?: readonly Made[]
  /**
   * By organization: up to when the things that the key made were compared with the known ones; service time, ISO
   * 8601.
   */
  compared?: Readonly<Record<string, string>>
  /** Since when declared entries that are not recorded are pending; absent at first in a state that an apply has begun. */
  pending?: PendingSince
  /** By id: the names that manifests gave to the projects of recorded things; absent as long as there was none. */
  projects?: Readonly<Record<string, string>>
  /**
   * The manifests that the last apply of the whole declaration has read, sorted; paths with slashes that start at the
   * root of the checkout, or at the current folder if there is none. Absent before such an apply.
   */
  files?: readonly string[]
}

/** Service time, except for the creation of the state; ISO 8601. */
export interface PendingSince {
  /** When an apply of the whole declaration last saved something, or when the state was created. */
  readonly since: string
  /** By address: since when applies have left a change undone; left out if there are none. */
  readonly left?: Readonly<Record<string, string>>
}
