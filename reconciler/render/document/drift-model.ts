import type { Actor, Drift, Verdict } from '@deploymgmt/provider/engine'
import type { About } from './about.ts'
import type { ReportedDriftedField, ReportedEvidence, ReportedIgnored, ReportedToSettle } from './reported.ts'

export interface ReportedDrift extends Omit<
  Drift,
  'reasons' | 'fields' | 'evidence' | 'blocked' | 'notes' | 'edited'
> {
  /** For a drifted thing: what else was edited and is not applied yet. */
  readonly edited?: ReportedEdit
  /** The stable code of the last reason, which is the most specific. */
  readonly reasonCode?: string
  readonly reason: string
  /** The notes of a plan on an unverifiable thing; also in `reason`. */
  readonly notes?: readonly string[]
  /** How a person undoes the drift, if the API cannot. */
  readonly byHand?: string
  /** The gravest first. */
  readonly fields: readonly ReportedDriftedField[]
  readonly evidence: ReportedEvidence
  /** What the actor's confidence is based on; left out if it is high. */
  readonly likelihood?: string
  /** Set if the drifted thing silences alerts. */
  readonly silences?: true
  /** For a thing that is gone by no documented event: the organization whose events may name who deleted it. */
  readonly orgId?: string
  readonly undo?: WayOut
  readonly keep?: WayOut
  readonly acceptance?: Acceptance
  /** Acceptances whose time is over; the drift counts again. */
  readonly acceptanceEnded?: readonly FormerAcceptance[]
  /** Acceptances from before a further change. */
  readonly acceptanceChanged?: readonly FormerAcceptance[]
}

export type ReportedEdit = Pick<ReportedDrift, 'reasonCode' | 'reason' | 'fields' | 'isLate'>

/** How a person undoes a drift, or keeps it. */
export interface WayOut {
  /** To be copied as a whole. */
  readonly command?: string
  /** Instead of the command, or in addition: what a person does, or must know. */
  readonly text?: string
  /** A part of the text that is to be pasted into a manifest. */
  readonly entry?: string
  /** A unified diff of the files to edit. */
  readonly patch?: string
}

/** What a person has accepted, as in `deploymgmt.accepted.yaml`. */
export interface Acceptance {
  readonly reason: string
  /** The last day or instant on which it applies, as written; permanent by default. */
  readonly until?: string
  /** `FILE:LINE:COLUMN`. */
  readonly at: string
}

/** An acceptance that no longer applies, or that an apply ends. */
export interface FormerAcceptance extends Acceptance {
  /** Which of the drifted or changed fields it covered; left out if the drift has no fields. */
  readonly fields?: readonly string[]
}

/** An unmanaged thing. */
export interface ReportedUnmanaged {
  readonly kind: string
  /** The manifest section of its kind. */
  readonly section: string
  /** The identity by field: `projectId`, `id`, `type`, `username`, … */
  readonly identity: Readonly<Record<string, string>>
  /** A description for a person: `silences HOST from 2030-01-01T00:00:00Z until 2030-01-02T00:00:00Z`. */
  readonly what: string
  /** Seen in a list, or known from events only, in which case it may have changed since. */
  readonly seenIn: 'list' | 'events'
  /** Set if it silences alerts. */
  readonly silences?: true
  /** When it ends by itself, according to events. */
  readonly endsAt?: string
  /** Set if it silences alerts now, as far as events show. */
  readonly isInForce?: true
  /** Set if it grants ownership: an owner can take everything away from anybody. */
  readonly owns?: true
  /** Who created it, if an event shows that; otherwise who changed its most important part, or changed it last. */
  readonly actor?: Actor
  /** Set if `actor` has created it. */
  readonly isMaker?: true
  /** Who else has changed it, newest first, each with their newest event. */
  readonly changedBy?: readonly Actor[]
  /** How a person declares or ignores it; left out if it is known. */
  readonly declare?: WayOut
  readonly leave?: WayOut
  /** Set if the manifest names it as known, with the reason; it does not count. */
  readonly ignored?: Known
  /** Set if it was named as known until then; it counts again. */
  readonly ignoredBefore?: Known
}

/** Whether the manifest does not name it as known. */
export const isNews = ({ ignored }: ReportedUnmanaged): boolean => ignored === undefined

const GONE: ReadonlySet<string | undefined> = new Set(['not-found', 'gone-at-service'])

/** Whether a drifted thing no longer exists, or did not at the last write. */
export const isGone = ({ reasonCode }: Pick<ReportedDrift, 'reasonCode'>): boolean => GONE.has(reasonCode)

/** Whether an event says that it was deleted, and nothing shows whether it is there. */
export const isToldGone = ({ reasonCode }: Pick<ReportedDrift, 'reasonCode'>): boolean =>
  reasonCode === 'told-gone'

/** Whether only events suggest a drift, and nothing shows their effect. */
export const isPerhaps = (drift: ReportedDrift): boolean =>
  drift.verdict === 'drifted' &&
  drift.evidence.level === 'suspect' &&
  !isGone(drift) &&
  drift.fields.every(({ after }) => after === null)

/** An item with which a manifest names it as known. */
export interface Known {
  readonly reason: string
  /** The last day or instant on which it applies, as written; permanent by default. */
  readonly until?: string
  /** `FILE:LINE:COLUMN`. */
  readonly at?: string
}

export interface DriftDocument {
  readonly formatVersion: 1
  readonly about: About
  readonly inSync: boolean
  readonly checkedAt: string
  readonly summary: Record<Verdict | 'accepted', number> & {
    /** The number of unmanaged things that are not named as known; left out if they are not looked for. */
    readonly unmanaged?: number
  }
  readonly resources: readonly ReportedDrift[]
  /** All patches of these in one unified diff; left out if there are none. */
  readonly patch?: string
  /** Accepted drift: listed separately, and does not count. */
  readonly accepted?: readonly ReportedDrift[]
  /** Unmanaged things; left out if they are not looked for. */
  readonly unmanaged?: readonly ReportedUnmanaged[]
  /**
   * The time, ISO 8601, from which events were read that show unmanaged things that no list shows; left out if the
   * events of an organization were not read.
   */
  readonly eventsSince?: string
  /** Set if unmanaged things fail the command. */
  readonly unmanagedCounts?: boolean
  readonly toBeSettled: readonly ReportedToSettle[]
  readonly warnings: readonly string[]
  /** Left out if there is none. */
  readonly ignored?: readonly ReportedIgnored[]
  /** The globs of the addresses that were read; left out if all were. */
  readonly targeted?: readonly string[]
  readonly requestsSent: number
  /** The exit code of the command. */
  readonly exitCode: number
}
