import type { Client } from '../../api/index.ts'
import type { KindDefinition } from '../../core/index.ts'
import type { Memory } from '../../engine/index.ts'
import { SettingMissingError } from '../../errors/index.ts'
import type { Creations } from './creations.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import type { SharedReads } from './shared-reads.ts'
import type { Declaring, Undone } from '../words/claims.ts'
import { notConfigured } from '../words/configuration.ts'
import { asBefore } from '../words/failures.ts'

/** Names of projects by id, as the provider's configuration gives them. */
export type ProjectNames = ReadonlyMap<string, string>

/** Our own writes to what is not recorded, by all resources of one apply. */
export interface Lately {
  unrecorded: NonNullable<Memory['unrecorded']>
}

/** What a planned resource declares about the thing that it stands for. */
export interface Claim extends Declaring {
  /** Whether no state has the resource yet. */
  readonly isNew: boolean
  /** Whether it makes what it names. */
  readonly creates?: boolean
}
/** By the identity of the thing. */
export type Claims = Map<string, Claim>

/** The provider once it is configured; a configuration with unknown values has no client. */
export interface Configured {
  readonly client: Client
  readonly reads: SharedReads
  /** All there are: what one cannot read, a list of another one may. */
  readonly kinds: readonly KindDefinition[]
  readonly orgIds: readonly string[]
  readonly projectNames: ProjectNames
  /** What was applied since this configuration was made, by identity: an apply has one of its own. */
  readonly justApplied: Set<string>
  /** What was written since then to what no resource has any more: what takes it over knows those events as ours. */
  readonly lately: Lately
  /** What was created since then, and what may have been. */
  readonly creations: Creations
  /** Names of what is made once, and is taken up or given up in the plans since then. */
  readonly takenUp: Set<string>
  readonly givenUp: Set<string>
  /** What the resources that were planned since then stand for. */
  readonly claims: Claims
  /** The things that the destroys planned since then change, by the identity of the thing. */
  readonly undone: Map<string, Undone>
  /** What was said already and is to be said once. */
  readonly said: Set<string>
}

/** What handlers are given: the configuration, or the reason why there is none. */
export type Connection = Configured | Unconfigured
export interface Unconfigured {
  readonly unconfigured: string
  readonly said: Set<string>
}

export const isConfigured = (connection: Connection): connection is Configured => 'client' in connection

export const unconfigured = ({ unconfigured: because, said }: Unconfigured): Diagnostic => {
  const isSaid = said.has(because)
  said.add(because)
  return errorAt(undefined, isSaid ? asBefore(SettingMissingError.code) : notConfigured(because))
}
