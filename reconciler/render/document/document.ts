import type {
  Action,
  Actor,
  Change,
  Drift,
  DriftedField,
  FieldChange,
  Evidence,
  Made,
  Need,
  Reason,
  Settled,
  ToldValue,
  Verdict,
} from '@deploymgmt/provider/engine'
import type { Words } from '@deploymgmt/provider/words'
import type { About } from './about.ts'
import type { SaidExplained } from './explained.ts'
import type { SaidLacking } from './lacking.ts'

/** How well something is known, for readers. */
export interface SaidEvidence extends Omit<Evidence, 'notes'> {
  /** Why it cannot be read, or why no event could be looked for. */
  readonly note?: string
}
export interface SaidField extends Omit<FieldChange, 'note'> {
  readonly note?: string
}
export interface SaidDriftedField extends SaidField {
  /** What is declared by now, where that is not what was last applied. */
  readonly declared?: unknown
  /** Of what no endpoint shows: what an event tells of it. */
  readonly told?: ToldValue
  /** Who changed it, where it was not one alone who changed all of them. */
  readonly actor?: Actor
  /** By it somebody has got or lost what makes an owner, or is invited as one. */
  readonly owns?: true
  /** By it something is off that was on. */
  readonly turnsOff?: true
}
export interface SaidNeed extends Omit<Need, 'because'> {
  readonly because: string
}

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

export interface SaidDrift extends Omit<
  Drift,
  'reasons' | 'fields' | 'evidence' | 'blocked' | 'notes' | 'edited'
> {
  /** Of what has drifted: what besides is declared otherwise by now, and yet to be applied. */
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
  readonly undo?: WayOut
  readonly keep?: WayOut
  readonly acceptance?: Acceptance
  /** As what it was accepted, until a time that is over; it counts again. */
  readonly acceptanceEnded?: readonly FormerAcceptance[]
  /** As what it was accepted, before it changed once more. */
  readonly acceptanceChanged?: readonly FormerAcceptance[]
}

export type SaidEdit = Pick<SaidDrift, 'reasonCode' | 'reason' | 'fields' | 'isLate'>

/** A request whose outcome is unknown until an apply has settled it. */
export interface SaidToSettle {
  readonly address: string
  readonly reasonCode: string
  /** What an apply settles it by. */
  readonly reason: string
}

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
  /** Those of the fields that have drifted, or are changed, which it was of; left out where no field says what has drifted. */
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
  /** Seen in a list, or told by events alone: what came of it since may not be known. */
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

export type ToSettle = Pick<Settled, 'address' | 'how'>

export const sayChange = (change: Change, words: Words): SaidChange => {
  const { reason, fields, evidence, notes, needs, ...plain } = change
  const byHand = change.action === 'blocked' ? words.step(reason) : undefined
  return {
    ...plain,
    reasonCode: reason.code,
    reason: words.says(reason),
    fields: sayFields(fields, words),
    evidence: sayEvidence(evidence, words),
    ...(byHand === undefined ? {} : { byHand }),
    ...(notes === undefined ? {} : { notes: notes.map(words.says) }),
    ...(needs === undefined ? {} : { needs: sayNeeds(needs, words) }),
  }
}

/** A need's own address is left out where its reason names it. */
export const sayNeeds = (needs: readonly Need[], { says }: Words): SaidNeed[] =>
  needs.map(({ address, flag, because }) => ({
    flag,
    because: says(because),
    ...(address === undefined || 'address' in because ? {} : { address }),
  }))

/** The plan above has said where; a refusal says it shorter. */
export const sayNeedsShortly = (needs: readonly Need[], words: Words): SaidNeed[] =>
  sayNeeds(
    needs.map((need) =>
      need.because.code === 'changes-many' ? { ...need, because: { ...need.because, places: [] } } : need,
    ),
    words,
  )

export const sayFields = (fields: readonly DriftedField[], { says }: Words): SaidDriftedField[] =>
  fields.map(({ note, ...field }) => ({ ...field, ...(note === undefined ? {} : { note: says(note) }) }))

export const sayEvidence = ({ notes, ...evidence }: Evidence, words: Words): SaidEvidence => ({
  ...evidence,
  ...(notes === undefined ? {} : { note: asSentences(notes, words) }),
})

export const asSentences = (reasons: readonly Reason[], { sentence }: Words): string =>
  reasons.map(sentence).join(' ')

export const sayToSettle = (toSettle: readonly ToSettle[], { says }: Words): SaidToSettle[] =>
  toSettle.map(({ address, how }) => ({ address, reasonCode: how.code, reason: says(how) }))

/** The addresses that alone were looked at, where not all were. */
export const targetedBy = (target: readonly string[]): Pick<PlanDocument, 'targeted'> =>
  target.length === 0 ? {} : { targeted: target }
