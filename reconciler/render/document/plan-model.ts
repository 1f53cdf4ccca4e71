import type { Action, Change, Made } from '@deploymgmt/provider/engine'
import type { About } from './about.ts'
import type { SaidExplained } from './explained.ts'
import type { SaidLacking } from './lacking.ts'
import type { SaidEvidence, SaidField, SaidNeed, SaidToSettle } from './said.ts'
import type { FormerAcceptance } from './drift-model.ts'

/** One change of a plan document: shown, saved and compared. */
export interface SaidChange extends Omit<Change, 'reason' | 'fields' | 'evidence' | 'notes' | 'needs'> {
  /** The stable code of the reason; an earlier version's plan has none. */
  readonly reasonCode?: string
  readonly reason: string
  readonly fields: readonly SaidField[]
  readonly evidence: SaidEvidence
  /** For `blocked`: what a person does instead. */
  readonly byHand?: string
  /** For a person: invited roles, roles never listed, what a redaction hides. */
  readonly notes?: readonly string[]
  /** Flags without which apply refuses, each with its reason. */
  readonly needs?: readonly SaidNeed[]
  /** What a person has accepted as it is, and that carrying it out ends. */
  readonly endsAcceptances?: readonly FormerAcceptance[]
  /** Time zones in which its instants are declared, by field. */
  readonly zones?: Readonly<Record<string, string>>
}

/** How a gate stood when the plan was made. */
export interface SaidGate {
  readonly projectId: string
  /** The name that the manifest gives the project. */
  readonly project?: string
  readonly gate: string
  /** What holds where it is open. */
  readonly goal: string
  readonly open: boolean
  /** What closes it. */
  readonly hindrances: readonly SaidHindrance[]
  /** What would close it, but for an exception. */
  readonly excepted?: readonly (SaidHindrance & { readonly reason: string; readonly until?: string })[]
  /** Exceptions that hold no more. */
  readonly ended?: readonly { readonly name: string; readonly until: string }[]
  /** What a person does. */
  readonly byHand?: string
  readonly declaredAt: string
}

/** One thing that stands against a condition: a sentence, and what is known of it. */
export interface SaidHindrance {
  readonly says: string
  readonly facts: Readonly<Record<string, unknown>>
}

export type Summary = Record<Action | 'unverifiable', number>

export interface PlanDocument {
  readonly formatVersion: 1
  /** An earlier version's plan has none. */
  readonly about?: About
  readonly inSync: boolean
  readonly summary: Summary
  readonly changes: readonly SaidChange[]
  /** Flags without which apply refuses the plan as a whole; those of single changes stand with them. */
  readonly needs?: readonly SaidNeed[]
  /** Left out where there is nothing to settle. */
  readonly toBeSettled?: readonly SaidToSettle[]
  readonly warnings: readonly string[]
  /** What this key has made and nobody knows: what would be created beside it is blocked. */
  readonly strangers?: readonly Made[]
  /** What is blocked alike: projects that have nothing of what several entries declare. */
  readonly lacking?: readonly SaidLacking[]
  /** What is asked of the projects that it changes; left out where nothing is. */
  readonly gates?: readonly SaidGate[]
  /** Where the values of one entry come from; left out where nobody asked. */
  readonly explained?: SaidExplained
  /** The addresses, as globs, that alone were looked at; left out where all were. */
  readonly targeted?: readonly string[]
  readonly requestsSent: number
  /** The file that it was saved to, and the sha256 (hex) of that file; it cannot be in the file itself. */
  readonly saved?: { readonly file: string; readonly sha256: string }
}

/** Whether nothing is declared, and nothing recorded. */
export const isEmpty = ({ summary }: PlanDocument): boolean =>
  Object.values(summary).every((count) => count === 0)
