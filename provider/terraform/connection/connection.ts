import type { Client } from '../../api/index.ts'
import type { KindDefinition } from '../../core/index.ts'
import type { Memory } from '../../engine/index.ts'
import { SettingMissingError } from '../../errors/index.ts'
import type { Creations } from './creations.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import type { SaidOnce } from './said-once.ts'
import type { SharedReads } from './shared-reads.ts'
import type { Turns } from './turns.ts'
import type { Declaring, Undone } from '../words/claims.ts'
import { notConfigured } from '../words/configuration.ts'
import { asBefore } from '../words/failures.ts'

/** Names of projects by id, as the provider's configuration gives them. */
export type ProjectNames = ReadonlyMap<string, string>

/** Our own writes to things that are not recorded, by all resources of one apply. */
export interface OwnWrites {
  unrecorded: NonNullable<Memory['unrecorded']>
}

/** What a planned resource declares about the thing that it stands for. */
export interface Claim extends Declaring {
  /** Whether no state has the resource yet. */
  readonly isNew: boolean
  /** Whether the resource creates what it names. */
  readonly creates?: boolean
}
/** By the identity of the thing. */
export type Claims = Map<string, Claim>

/** The configured provider; a configuration with unknown values has no client. */
export interface Configured {
  readonly client: Client
  readonly reads: SharedReads
  /** All kinds: if one of them cannot be read, a list of another may still work. */
  readonly kinds: readonly KindDefinition[]
  readonly orgIds: readonly string[]
  readonly projectNames: ProjectNames
  /** Identities that were applied since this configuration was made; each apply has its own configuration. */
  readonly justApplied: Set<string>
  /**
   * Writes since then to things that no resource has any more: a resource that takes one over knows their events as
   * ours.
   */
  readonly ownWrites: OwnWrites
  /** Things that were created since then, or may have been. */
  readonly creations: Creations
  /** The applies under way since then. */
  readonly turns: Turns
  /** Names of things that are made once and that plans since then take up or give up. */
  readonly takenUp: Set<string>
  readonly givenUp: Set<string>
  /** Names of such things that a state had when it was read since then. */
  readonly inState: Set<string>
  /** Claims of the resources that were planned since then. */
  readonly claims: Claims
  /** The things that the destroys planned since then change, by the identity of the thing. */
  readonly undone: Map<string, Undone>
  readonly saidOnce: SaidOnce
}

/** What handlers get: the configuration, or why there is none. */
export type Connection = Configured | Unconfigured
interface Unconfigured {
  readonly unconfigured: string
  readonly saidOnce: SaidOnce
}

export const isConfigured = (connection: Connection): connection is Configured => 'client' in connection

export const unconfigured = ({ unconfigured: because, saidOnce }: Unconfigured): Diagnostic => {
  const text = saidOnce.isFirst(['not-configured'])
    ? notConfigured(because)
    : asBefore(SettingMissingError.code)
  return errorAt(undefined, text)
}
