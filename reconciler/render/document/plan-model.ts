import type { Action, Change, Made } from '@deploymgmt/provider/engine'
import type { About } from './about.ts'
import type { ReportedExplained } from './explained.ts'
import type { ReportedLacking } from './lacking.ts'
import type {
  ReportedEvidence,
  ReportedField,
  ReportedIgnored,
  ReportedNeed,
  ReportedToSettle,
} from './reported.ts'
import type { FormerAcceptance } from './drift-model.ts'

/** One change of a plan document: shown, saved and compared. */
export interface ReportedChange extends Omit<Change, 'reason' | 'fields' | 'evidence' | 'notes' | 'needs'> {
  /** The stable code of the reason. */
  readonly reasonCode: string
  readonly reason: string
  readonly fields: readonly ReportedField[]
  readonly evidence: ReportedEvidence
  /** For `blocked`: what a person does instead. */
  readonly byHand?: string
  /** For a person: invited roles, roles that are never listed, values that are redacted. */
  readonly notes?: readonly string[]
  /** Flags without which apply refuses, each with its reason. */
  readonly needs?: readonly ReportedNeed[]
  /** Acceptances that carrying it out ends. */
  readonly endsAcceptances?: readonly FormerAcceptance[]
  /** Acceptances that stay under the address that it had: none applies to the new one. */
  readonly leavesAcceptances?: readonly FormerAcceptance[]
  /** The time zones in which its instants are declared, by field. */
  readonly zones?: Readonly<Record<string, string>>
}

/** The state of a gate when the plan was made. */
export interface ReportedGate {
  readonly projectId: string
  /** The name that the manifest gives the project. */
  readonly project?: string
  readonly gate: string
  /** The condition that must hold. */
  readonly goal: string
  readonly open: boolean
  /** What closes the gate. */
  readonly hindrances: readonly ReportedHindrance[]
  /** What would close it without an exception. */
  readonly excepted?: readonly (ReportedHindrance & { readonly reason: string; readonly until?: string })[]
  /** Exceptions that have ended. */
  readonly ended?: readonly { readonly name: string; readonly until: string }[]
  /** Of a closed gate: exceptions that match nothing, with the most similar name that was found. */
  readonly unmatched?: readonly {
    readonly name: string
    readonly declaredAt: string
    readonly meant?: string
  }[]
  /** What a person does. */
  readonly byHand?: string
  readonly declaredAt: string
}

/** One obstacle to a condition: a sentence, and the data. */
export interface ReportedHindrance {
  readonly says: string
  readonly facts: Readonly<Record<string, unknown>>
}

export type Summary = Record<Action | 'unverifiable', number>

export interface PlanDocument {
  readonly formatVersion: 1
  readonly about: About
  readonly inSync: boolean
  readonly summary: Summary
  readonly changes: readonly ReportedChange[]
  /** Flags without which apply refuses the plan as a whole; those of single changes are in the changes. */
  readonly needs?: readonly ReportedNeed[]
  /** Left out if there is nothing to settle. */
  readonly toBeSettled?: readonly ReportedToSettle[]
  readonly warnings: readonly string[]
  /** Left out if there is none. */
  readonly ignored?: readonly ReportedIgnored[]
  /** Things that this key has created and that no state records; creations beside them are blocked. */
  readonly strangers?: readonly Made[]
  /** Entries that are blocked for the same reason: projects that lack what they declare. */
  readonly lacking?: readonly ReportedLacking[]
  /** The gates of the projects that the plan changes; left out if there are none. */
  readonly gates?: readonly ReportedGate[]
  /** The origins of an entry's values; left out if not requested. */
  readonly explained?: ReportedExplained
  /** The globs of the addresses that were planned; left out if all were. */
  readonly targeted?: readonly string[]
  readonly requestsSent: number
  /** The file of the saved plan, and its sha256 (hex); cannot be in the file itself. */
  readonly saved?: { readonly file: string; readonly sha256: string }
}

/** Whether nothing is declared, and nothing recorded. */
export const isEmpty = ({ summary }: PlanDocument): boolean =>
  Object.values(summary).every((count) => count === 0)
