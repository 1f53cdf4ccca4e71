import type { Environment } from '@deploymgmt/provider/api'
import type { Declaration, Entry } from '@deploymgmt/provider/engine'
import type { ManifestFinding } from '../errors/finding.ts'
import type { ReadData } from './manifest/data.ts'
import type { Unread } from './files/unread.ts'
import type { Explained } from './evaluation/explained.ts'
import type { ProjectGate } from './manifest/gates.ts'
import type { Ignored } from './manifest/ignored.ts'
import type { Wanted } from './patches/patch.ts'
import type { Recorded } from './evaluation/references.ts'

export interface LoadOptions {
  /** The files and folders of `--file`; `deploymgmt.yaml` if empty. */
  readonly files: readonly string[]
  /** `NAME=VALUE`, from `--var`. */
  readonly vars?: readonly string[]
  /** The files of `--var-file`; later ones override. */
  readonly varFiles?: readonly string[]
  /** Other named files, which are no manifests of a folder that they are in. */
  readonly others?: readonly string[]
  /** The records in the state of a declaration; not called if the state cannot be determined. */
  readonly recordedIn?: (head: Head) => Promise<Recorded>
  readonly cwd?: string
  /** Reads the data sources that a Terraform configuration refers to; without it, such references stay open. */
  readonly readData?: ReadData
  /** Set if there is no state: references to records stay as written. */
  readonly offline?: boolean
  /**
   * Called offline for mistakes in entries that a plan would find. `isSound` tells which entries are not known to be
   * wrong so far.
   */
  readonly judge?: (entries: readonly Entry[], isSound: (entry: Entry) => boolean) => readonly Judgement[]
  /** For a Terraform configuration: values of variables (TF_VAR_NAME), and the service that it has to name. */
  readonly env?: Environment
  /** Set if no real service is used. */
  readonly rehearsal?: boolean
}

/**
 * Why an entry cannot be carried out: whatever is recorded (`error`), or unless what it needs is recorded
 * (`warning`).
 */
export interface Judgement {
  readonly entry: Entry
  readonly message: string
  /** The code from the plan. */
  readonly reasonCode: string
  readonly severity: 'error' | 'warning'
}

/** The part of a declaration that determines its state. */
export interface Head {
  readonly name: string
  /** The value of `state`, and the file that declares it, absolute. */
  readonly state: StateNamed | undefined
  /** The first file, absolute; undefined for a synthesized one, whose folder is created anew each time. */
  readonly path: string | undefined
  /** The first of them that has this name, absolute: a base that is given before it may belong to others, too. */
  readonly ownPath: string | undefined
}

/** A state address, and the file that names it, absolute. */
export interface StateNamed {
  readonly text: string
  readonly path: string
  /** The position in that file, as `FILE:LINE:COLUMN`. */
  readonly at?: string
  /** Set if nobody says that the state exists. */
  readonly mayBeMissing?: boolean
}

export interface LoadedDeclaration {
  readonly head: Head
  /** States of other manifests that use the same key. */
  readonly otherStates: readonly StateNamed[]
  /** Conditions on projects that must hold before anything in them is changed. */
  readonly gates: readonly ProjectGate[]
  /** Unmanaged things that are known and ignored. */
  readonly ignored: readonly Ignored[]
  readonly declaration: Declaration
  readonly warnings: readonly ManifestFinding[]
  /** Files of folders that are no manifests, except well-known ones. */
  readonly noManifests: readonly string[]
  readonly sources: readonly { readonly file: string; readonly sha256: string }[]
  /** The files, absolute; none if they were synthesized, as these are created anew each time. */
  readonly paths: readonly string[]
  /** Every declared variable with its effective value. */
  readonly variables: Readonly<Record<string, unknown>>
  /** The same files evaluated with the given records. @throws ManifestError */
  readonly reevaluate: (recorded: Recorded) => Promise<LoadedDeclaration>
  /** The origins of an entry's values, or of those for one of its projects; undefined if there is no such entry. */
  readonly explain: (address: string, projectId?: string) => Explained | undefined
  /**
   * Unread manifests of this name, or of any, at these absolute paths of files or folders; some may be read, or no
   * longer exist.
   */
  readonly unreadAt: (places: readonly string[], names: 'own' | 'any') => Promise<Unread>
  /** A unified diff of the files after which entries have these values; undefined if it cannot be made safely. */
  readonly patchOf: (wanted: readonly Wanted[]) => string | undefined
  /** Where an entry declares a field itself, as `FILE:LINE:COLUMN`; undefined if it does not. */
  readonly saidAt: (entry: string, field: string) => string | undefined
}
