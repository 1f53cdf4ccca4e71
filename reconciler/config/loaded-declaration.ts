import type { Environment } from '@deploymgmt/provider/api'
import type { Declaration, Entry } from '@deploymgmt/provider/engine'
import type { ManifestFinding } from '../errors/finding.ts'
import type { ReadData } from './manifest/data.ts'
import type { Explained } from './evaluation/explained.ts'
import type { ProjectGate } from './manifest/gates.ts'
import type { Ignored } from './manifest/ignored.ts'
import type { Wanted } from './patches/patch.ts'
import type { Recorded } from './evaluation/references.ts'

export interface LoadOptions {
  /** What `--file` names: files and folders; `deploymgmt.yaml` where it is empty. */
  readonly files: readonly string[]
  /** `NAME=VALUE`, as `--var` gives them. */
  readonly vars?: readonly string[]
  /** What `--var-file` names; what a later one says counts. */
  readonly varFiles?: readonly string[]
  /** What is recorded in the state of a declaration; not called when it cannot be told which one that is. */
  readonly recordedIn?: (head: Head) => Promise<Recorded>
  readonly cwd?: string
  /** Reads the data sources that a Terraform configuration refers to; without it such references stay open. */
  readonly readData?: ReadData
  /** Without a state: what only a record can tell is left as it is written. */
  readonly offline?: boolean
  /**
   * Offline, what a plan would find wrong with entries all the same. `isSound` tells of which nothing is known to be
   * wrong so far: what another one stands for cannot be asked.
   */
  readonly judge?: (entries: readonly Entry[], isSound: (entry: Entry) => boolean) => readonly Judgement[]
  /** For a Terraform configuration: values of variables (TF_VAR_NAME), and the service that it has to mean. */
  readonly env?: Environment
  /** No real service is meant. */
  readonly rehearsal?: boolean
}

/** Why an entry cannot be carried out: whatever is recorded (`error`), or unless what it needs is (`warning`). */
export interface Judgement {
  readonly entry: Entry
  readonly message: string
  /** As in a plan. */
  readonly reasonCode: string
  readonly severity: 'error' | 'warning'
}

/** What tells which state belongs to a declaration. */
export interface Head {
  readonly name: string
  /** What it says under `state`, and the file that says so, absolute. */
  readonly state: StateNamed | undefined
  /** The first of its files, absolute; none where it was synthesized, into a folder that is made anew each time. */
  readonly path: string | undefined
}

/** An address of a state, and the file that names it, absolute. */
export interface StateNamed {
  readonly text: string
  readonly path: string
  /** Where it stands there, as `FILE:LINE:COLUMN`. */
  readonly at?: string
  /** Nobody has named it as one that is there. */
  readonly mayBeMissing?: boolean
}

export interface LoadedDeclaration {
  readonly head: Head
  /** States of other manifests that use the same key. */
  readonly otherStates: readonly StateNamed[]
  /** What has to hold in projects before anything of them is changed. */
  readonly gates: readonly ProjectGate[]
  /** What is known among what nobody declares. */
  readonly ignored: readonly Ignored[]
  readonly declaration: Declaration
  readonly warnings: readonly ManifestFinding[]
  /** Files of folders that are no manifests, but for those that everybody has. */
  readonly noManifests: readonly string[]
  readonly sources: readonly { readonly file: string; readonly sha256: string }[]
  /** Every declared variable with the value that counted. */
  readonly variables: Readonly<Record<string, unknown>>
  /** The same files as they were read, evaluated with what is recorded by then. @throws ManifestError */
  readonly reevaluate: (recorded: Recorded) => Promise<LoadedDeclaration>
  /** Where the values of an entry come from, or those for one of its projects; nothing where there is no such entry. */
  readonly explain: (address: string, projectId?: string) => Explained | undefined
  /** Manifests of this name in a folder that are not read, by path, with the entries that each declares. */
  readonly unreadIn: (folder: string) => Promise<ReadonlyMap<string, readonly string[]>>
  /** The change of the files that makes entries say this, as a unified diff; nothing where none can be made safely. */
  readonly patchOf: (wanted: readonly Wanted[]) => string | undefined
  /** Where an entry says a field itself, as `FILE:LINE:COLUMN`; nothing where it does not. */
  readonly saidAt: (entry: string, field: string) => string | undefined
}
