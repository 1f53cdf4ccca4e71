import type { Actor, Drift, Verdict } from '@deploymgmt/provider/engine'
import type { About } from './about.ts'
import type { SaidDriftedField, SaidEvidence, SaidToSettle } from './said.ts'

export interface SaidDrift extends Omit<
  Drift,
  'reasons' | 'fields' | 'evidence' | 'blocked' | 'notes' | 'edited'
> {
  /** For something that has drifted: what else is now declared differently and not applied yet. */
  readonly edited?: SaidEdit
  /** The stable code of the last reason, which says the most. */
  readonly reasonCode?: string
  readonly reason: string
  /** What a plan notes of what cannot be verified, such as invited roles; `reason` has it too. */
  readonly notes?: readonly string[]
  /** What a person does to undo it, since this API cannot. */
  readonly byHand?: string
  /** The gravest first. */
  readonly fields: readonly SaidDriftedField[]
  readonly evidence: SaidEvidence
  /** What its actor's confidence rests on; left out where it is high. */
  readonly likelihood?: string
  /** What has drifted is of a kind that keeps alerts quiet. */
  readonly silences?: true
  /** Of what is gone by no documented event: whose events may tell who took it away. */
  readonly orgId?: string
  readonly undo?: WayOut
  readonly keep?: WayOut
  readonly acceptance?: Acceptance
  /** As what it was accepted, until a time that is over; it counts again. */
  readonly acceptanceEnded?: readonly FormerAcceptance[]
  /** As what it was accepted, before it changed once more. */
  readonly acceptanceChanged?: readonly FormerAcceptance[]
}

export type SaidEdit = Pick<SaidDrift, 'reasonCode' | 'reason' | 'fields' | 'isLate'>

/** How a person undoes a drift, or keeps it. */
export interface WayOut {
  /** To be copied whole. */
  readonly command?: string
  /** Otherwise, or besides: what a person does, or has to know. */
  readonly text?: string
  /** What to change in which file: a unified diff of it. */
  readonly patch?: string
}

/** What a person has accepted, as `deploymgmt.accepted.yaml` has it. */
export interface Acceptance {
  readonly reason: string
  /** The last day or instant on which it holds, as it is written there; for ever without. */
  readonly until?: string
  /** `FILE:LINE:COLUMN`. */
  readonly at: string
}

/** One that does not hold any more, or that an apply ends. */
export interface FormerAcceptance extends Acceptance {
  /** Which of the fields that have drifted or are changed it covered; left out where no field says what has drifted. */
  readonly fields?: readonly string[]
}

/** Something that is there and that nobody declares. */
export interface SaidUnmanaged {
  readonly kind: string
  /** What its manifest's section is called. */
  readonly section: string
  /** What names it at the service, by field: `projectId`, `id`, `type`, `username`, … */
  readonly identity: Readonly<Record<string, string>>
  /** What it is, for a person: `turns off HOST, REPLICA_SET until 2030-01-01`. */
  readonly what: string
  /** Seen in a list, or known from events only: it may have changed since. */
  readonly seenIn: 'list' | 'events'
  /** It keeps alerts quiet. */
  readonly silences?: true
  /** When it ends by itself, as events tell. */
  readonly endsAt?: string
  /** It keeps them quiet now, as far as events tell. */
  readonly isInForce?: true
  /** It owns: it may take all else away from anybody. */
  readonly owns?: true
  /** Who made it where an event tells that; else who changed what matters most of it, or changed it last. */
  readonly actor?: Actor
  /** Whoever `actor` is has made it. */
  readonly isMaker?: true
  /** Who else has changed it, the newest first, each by their newest event. */
  readonly changedBy?: readonly Actor[]
  /** How a person declares it, or lets it be; left out of what is known. */
  readonly declare?: WayOut
  readonly leave?: WayOut
  /** Named in the manifest as known, with its reason; it does not count. */
  readonly ignored?: Known
  /** It was named there until then, and counts again. */
  readonly ignoredBefore?: Known
}

/** Whether the manifest does not name it as known. */
export const isNews = ({ ignored }: SaidUnmanaged): boolean => ignored === undefined

/** As what a manifest names it. */
export interface Known {
  readonly reason: string
  /** The last day or instant on which that holds, as it is written there; for ever without. */
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
    /** Those that are not named as known; left out where they are not looked for. */
    readonly unmanaged?: number
  }
  readonly resources: readonly SaidDrift[]
  /** What all patches of these change, in one unified diff; left out where none has one. */
  readonly patch?: string
  /** Drift that is accepted: it is listed apart, and does not count. */
  readonly accepted?: readonly SaidDrift[]
  /** What is there and nobody declares; left out where it is not looked for. */
  readonly unmanaged?: readonly SaidUnmanaged[]
  /**
   * From when on events were read that tell of what nobody declares and no list shows, ISO 8601; left out where those of
   * an organization were not read.
   */
  readonly eventsSince?: string
  /** What nobody declares fails the command. */
  readonly unmanagedCounts?: boolean
  readonly toBeSettled: readonly SaidToSettle[]
  readonly warnings: readonly string[]
  /** The addresses, as globs, that alone were looked at; left out where all were. */
  readonly targeted?: readonly string[]
  readonly requestsSent: number
  /** What the command ends with. */
  readonly exitCode: number
}
