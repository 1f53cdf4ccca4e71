import type { Action, Made } from '@deploymgmt/provider/engine'
import type { ChangeStatus } from '../../apply/result.ts'
import type { ReportedEvidence } from './reported.ts'
import type { ReportedError } from './failure.ts'

export interface ApplyStarted {
  readonly type: 'started'
  readonly address: string
  readonly action: Action
  /** ISO 8601. */
  readonly at: string
}

/** How a request of an earlier apply ended, as found before anything is planned. */
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
  /** For a change that is done: something was sent. */
  readonly written?: true
  /** For a release that sends something: its way. */
  readonly onRemove?: string
  readonly notes: readonly string[]
  readonly error?: ReportedError
  /** For an unknown outcome: the commands that settle it, of which a person has to run one. */
  readonly resolve?: readonly string[]
  /** For a creation of unknown outcome: until when it can still take effect, service time, ISO 8601. */
  readonly until?: string
  /** ISO 8601. */
  readonly at: string
}

/** A change that a person has to make, because the API cannot. */
export interface BlockedThing {
  readonly address: string
  readonly reason: string
  readonly byHand?: string
}

export interface UnverifiableThing {
  readonly address: string
  readonly evidence: ReportedEvidence
}

/** The last event of every apply. */
export interface ApplySummary {
  readonly type: 'summary'
  readonly formatVersion: 1
  /** Whether no known difference is left. */
  readonly inSync: boolean
  /** The number of changes by status. */
  readonly byStatus: Readonly<Record<ChangeStatus, number>>
  /** The number of done changes by action; actions without any may be left out. */
  readonly done: Readonly<Partial<Record<Action, number>>>
  /** The number of those that sent something, by action. */
  readonly written: Readonly<Partial<Record<Action, number>>>
  /** The number of releases that sent something, by way; left out if there are none. */
  readonly released?: Readonly<Record<string, number>>
  /** The number of writes that turned something off, by action, and by way for releases; left out if there are none. */
  readonly turnedOff?: Readonly<Record<string, number>>
  /** The number of things that were read and are as declared. */
  readonly unchanged: number
  readonly blocked: readonly BlockedThing[]
  readonly unverifiable: readonly UnverifiableThing[]
  /** Changes that failed, have an unknown outcome, could not be recorded, or were skipped because of others. */
  readonly problems: readonly ApplyFinished[]
  readonly warnings: readonly string[]
  /** Things that this key has created and that no state records; creations beside them are blocked. */
  readonly strangers?: readonly Made[]
  readonly requestsSent: number
  readonly seconds: number
  readonly exitCode: number
  /** Why the apply as a whole was refused or stopped. */
  readonly error?: ReportedError
}

export type ApplyEvent = ApplySettled | ApplyStarted | ApplyFinished | ApplySummary
