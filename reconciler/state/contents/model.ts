import type { EarlierWrite, Learnt, Made, RecordedResource } from '@deploymgmt/provider/engine'

/** What is left where a state was before it was moved: a document that versions before this one refuse. */
export interface MovedState {
  version: 2
  name: string
  baseUrl: string
  lineage: string
  serial: number
  /** Where it is now: an address without credentials, or a path; one that is not absolute stands beside the marker. */
  movedTo: string
  resources: Readonly<Record<string, never>>
}

/** The state file, format version 1. */
export interface StateFile {
  version: 1
  /** The `name` of the manifest that this state belongs to. */
  name: string
  baseUrl: string
  /** A random UUID, made when the state is made; it tells one history from another. */
  lineage: string
  /** Grows by one with each write; 0 stands for a state that has no file yet. */
  serial: number
  /** What answers have shown of the service, by kind. */
  learnt?: Readonly<Record<string, Learnt>>
  resources: Record<string /* address */, RecordedResource>
  /** Our own recent writes to things that are not recorded; left out if there are none. */
  unrecorded?: readonly EarlierWrite[]
  /** Things that were recorded once, or that a person has said not to be ours; left out if there are none. */
  known?: readonly Made[]
  /** Up to when what the key made was compared with what is known, by organization; service time, ISO 8601. */
  compared?: Readonly<Record<string, string>>
  /** Since when what is declared and not recorded is pending; states of an earlier version do not tell. */
  pending?: PendingSince
  /** What manifests have called the projects of what is recorded, by id; states of an earlier version do not tell. */
  projects?: Readonly<Record<string, string>>
}

/** By the service's time, but for the beginning of a state; ISO 8601. */
export interface PendingSince {
  /** When an apply of all that is declared has last saved something, or the state was begun. */
  readonly since: string
  /** What applies have left undone, and since when, by address; left out if there is nothing. */
  readonly left?: Readonly<Record<string, string>>
}
