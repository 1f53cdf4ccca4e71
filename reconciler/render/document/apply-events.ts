import type { Action, Made } from '@deploymgmt/provider/engine'
import type { ChangeStatus } from '../../apply/result.ts'
import type { SaidEvidence } from './said.ts'
import type { SaidError } from './failure.ts'

export interface ApplyStarted {
  readonly type: 'started'
  readonly address: string
  readonly action: Action
  /** ISO 8601. */
  readonly at: string
}

/** What became of a request of an earlier apply, found before anything is planned. */
export interface ApplySettled {
  readonly type: 'settled'
  readonly address: string
  readonly reason: string
  readonly reasonCode: string
  /** ISO 8601. */
  readonly at: string
}

export interface ApplyFinished {
  readonly type: 'finished'
  readonly address: string
  readonly action: Action
  readonly status: ChangeStatus
  /** Of what was done: that it sent something. */
  readonly written?: true
  readonly notes: readonly string[]
  readonly error?: SaidError
  /** Of an unknown outcome: the commands that say what is true, one of which a person has to run. */
  readonly resolve?: readonly string[]
  /** Of a creation of unknown outcome: until when it can still take effect, service time, ISO 8601. */
  readonly until?: string
  /** ISO 8601. */
  readonly at: string
}

/** What a person has to do, since this API cannot. */
export interface BlockedThing {
  readonly address: string
  readonly reason: string
  readonly byHand?: string
}

export interface UnverifiableThing {
  readonly address: string
  readonly evidence: SaidEvidence
}

/** The last event of every apply. */
export interface ApplySummary {
  readonly type: 'summary'
  readonly formatVersion: 1
  /** No known difference is left. */
  readonly inSync: boolean
  /** How many changes ended in each way. */
  readonly byStatus: Readonly<Record<ChangeStatus, number>>
  /** What was done, by action; actions of which none was done may be left out. */
  readonly done: Readonly<Partial<Record<Action, number>>>
  /** How many of those sent something, by action. */
  readonly written: Readonly<Partial<Record<Action, number>>>
  /** How many were seen to be as declared, and needed nothing. */
  readonly unchanged: number
  readonly blocked: readonly BlockedThing[]
  readonly unverifiable: readonly UnverifiableThing[]
  /** Changes that failed, whose outcome is unknown, that could not be recorded, or that were skipped because of others. */
  readonly problems: readonly ApplyFinished[]
  readonly warnings: readonly string[]
  /** What this key has made and nobody knows: what would be created beside it is blocked. */
  readonly strangers?: readonly Made[]
  readonly requestsSent: number
  readonly seconds: number
  readonly exitCode: number
  /** Why the apply as a whole was refused, or could not go on. */
  readonly error?: SaidError
}

export type ApplyEvent = ApplySettled | ApplyStarted | ApplyFinished | ApplySummary
