import type { Among } from '../../core/among.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { EventSeen, Reason } from '../reason.ts'

/** Where something was declared, for messages. Lines and columns count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** `FILE:LINE:COLUMN`, or a word for a declaration that no file holds. */
export const formatPosition = (position: Position | undefined): string =>
  position === undefined ? 'the declaration' : `${position.file}:${position.line}:${position.column}`

/** One declared entry, validated and with every reference resolved; what all doors hand to the engine. */
export interface Entry {
  /** The definition's `kind`. */
  readonly kind: string
  /** `SECTION.NAME`, with `[PROJECT]` behind it where `projectIds` made several of one entry. */
  readonly address: string
  /** Where what is written stands for several places: what leaves this one out. */
  readonly among?: Among
  /** Declared values and defaults by field name; a secret is a reference (`{env}` or `{file}`). */
  readonly values: Values
  /** The declared way of removal; the definition's first where none is. */
  readonly onRemove: string
  /** No write may remove or narrow it. */
  readonly protect: boolean
  /** Fields that are neither compared nor sent once the thing is recorded. */
  readonly ignoreChanges: readonly string[]
  /** Flags of guarded acts that the entry allows for itself, such as `--allow-delete`. */
  readonly allow?: readonly string[]
  /** Fields with a value that is told once something else is applied; until then they hold its expression. */
  readonly waiting?: readonly Waiting[]
  readonly declaredAt: Position | undefined
  /** Time zones in which instants of it are declared, by field: for people to read. */
  readonly zones?: Readonly<Record<string, string>>
  /** Where its secrets are declared, by field; where left out, the entry's own place has to do. */
  readonly secretsAt?: Readonly<Record<string, Position>>
}

/** A field that refers to what another address will have been given. */
export interface Waiting {
  readonly field: string
  readonly for: string
  /** The field of the other one that the service has yet to tell. */
  readonly needs: string
}

/** A whole declaration: what plan, apply and drift start from. */
export interface Declaration {
  readonly name: string
  readonly entries: readonly Entry[]
  /** Organization of a project, where the declaration tells; events are looked for there. */
  readonly organizations: ReadonlyMap<string, string>
  /** Organizations to look for events in, besides those of `organizations`. */
  readonly orgIds: readonly string[]
  /** Whether nothing else uses the calling key: what events name as made by it is ours. */
  readonly ownsKey?: boolean
  /** Names given to projects, by project id: for people to read. */
  readonly projectNames: ReadonlyMap<string, string>
}

/** What is kept about one managed thing. It can be committed: it never has a secret. */
export interface RecordedResource {
  readonly kind: string
  readonly identity: Identity
  /** Declared values as last applied. */
  readonly applied: Values
  /** The service's last answer, decoded, without anything redacted. */
  readonly answer: Values | null
  /** What the answer's lists held beside what this declares, by field: a write of the field would replace it. */
  readonly beside?: Readonly<Record<string, readonly unknown[]>>
  /** What adoption saw. */
  readonly adopted: Values | null
  readonly onRemove: string
  readonly protect?: boolean
  /** Between which instants (service time, ISO 8601) the last write was under way. */
  readonly lastWrite: WriteSpan | null
  /** Events created before this instant are settled. */
  readonly watermark: string
  /** Ids of later events that a person has accepted. */
  readonly acknowledged?: readonly string[]
  /** Values that a write should have removed and did not, by field. */
  readonly leftover?: Values
  /**
   * What we had applied of fields that an answer has since shown to be changed by somebody else, by field;
   * `applied` has what is there now.
   */
  readonly overridden?: Values
  /** Fields whose last write may or may not have had its effect; they are asserted again. */
  readonly unsure?: readonly string[]
  /** What such writes may have left of a thing that is read: the values that each sent, and those that were there before. */
  readonly lost?: readonly Values[]
  /** When the answer to a write has said that it is not there, ISO 8601; nothing is sent to it from then on. */
  readonly notFoundAt?: string
  /** It must not exist; it is recorded to notice its return. */
  readonly absent?: boolean
  /** It stands for an entry that expands (an only-list): nothing at the service is it. */
  readonly standing?: boolean
}

/** Service time is whole seconds, so an event of our own falls between `from` and `to` give or take. */
export interface WriteSpan {
  readonly from: string
  readonly to: string
  /** The public key that wrote; a later run may have another one. */
  readonly by?: string
  /** The fields of each request that was sent: what our own events can be about. */
  readonly sent: readonly (readonly string[])[]
  /** The service's clock was set back within it: writes of before the last ones can lie in it, too. */
  readonly isTwice?: boolean
  /** What others did since is accepted, at a time of before its end: the service's clock had been set back. */
  readonly isAccepted?: boolean
}

/** What the service's answers have shown of it: that it refuses to create a second thing of the same name. */
export interface Learnt {
  /** The version that it told then; another one may do otherwise. */
  readonly serviceVersion?: string | undefined
}

/** What we wrote to a thing that is not recorded: should it be recorded again at once, its events are our own. */
export interface EarlierWrite {
  readonly kind: string
  readonly identity: Identity
  readonly lastWrite: WriteSpan
}

/** A thing that was made, and that nothing records here. */
export interface Made {
  readonly kind: string
  readonly identity: Identity
  /** When it was made, or an instant after that; ISO 8601. */
  readonly at: string
  /** When it ends by itself, as it was last known, ISO 8601; left out of what does not, or is not known to. */
  readonly until?: string
}

export type Records = Readonly<Record<string, RecordedResource>>

export const ACTIONS = [
  'create',
  'adopt',
  'update',
  'delete',
  'release',
  'moved',
  'blocked',
  'expired',
  'unchanged',
] as const
export type Action = (typeof ACTIONS)[number]

/** `read`: seen in this run. `recorded`: as last answered, no later event. `suspect`: an event since. `unknown`: never seen. */
export type EvidenceLevel = 'read' | 'recorded' | 'suspect' | 'unknown'
export interface Evidence {
  readonly level: EvidenceLevel
  /** Since when the recorded value stands, ISO 8601. */
  readonly since?: string
  /** Later events about the thing that are not our own, newest first. */
  readonly events?: readonly EventSeen[]
  /** Fields whose last write has an unknown outcome; their earlier values may have been seen. */
  readonly unsure?: readonly string[]
  /** Not all events that could speak of it were read: that none does says nothing. */
  readonly eventsUnread?: true
  /** Why it cannot be read, or why no event could be looked for. */
  readonly notes?: readonly Reason[]
}

/** Who caused a drift, as far as events tell. `certain` is never claimed: an event shows an act, and seldom its values. */
export interface Actor {
  readonly username?: string
  readonly publicKey?: string
  readonly at: string
  readonly eventId: string
  readonly eventTypeName: string
  readonly remoteAddress?: string
  /** `high`: one event alone can be why, and is about these fields. `medium`: several can, or it is not about these alone. `low`: about the thing alone. */
  readonly confidence: 'high' | 'medium' | 'low'
}

export interface FieldChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  /** Why it is written though it looks as declared, or what stands against it. */
  readonly note?: Reason
}

/** What an event says that a field was given, where no endpoint shows it: it can be a part of it, and be so no more. */
export interface ToldValue {
  /** Not there where events tell of invitations alone. */
  readonly value?: unknown
  /** What was added to it since that event, or by it, and waits for a person to accept it. */
  readonly invited?: unknown
  readonly eventTypeName: string
  readonly eventId: string
  readonly at: string
}

/** A field that has drifted: from what was last applied to what is live. */
export interface DriftedField extends FieldChange {
  /** What is declared now, where that is not what was last applied. */
  readonly declared?: unknown
  /** Of what no endpoint shows: what an event tells of it. */
  readonly told?: ToldValue
  /** Who is likely to have changed it, where it was not one alone who changed all that has drifted. */
  readonly actor?: Actor
  /** By it somebody has gained or lost what makes an owner, or is invited as one. */
  readonly owns?: true
  /** By it something is off that was on. */
  readonly turnsOff?: true
}

export interface RequestShape {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base URL. */
  readonly path: string
}

/** A flag without which apply refuses, and why. */
export interface Need {
  readonly flag: string
  readonly because: Reason
  /** What it is about, where it is about one thing. */
  readonly address?: string
}

/** What happens at one address, as plain data; doors put its reasons into words. */
export interface Change {
  readonly address: string
  readonly kind: string
  /** What it is for a person, where it was read and its entry does not say it: of an alert configuration, when it alerts. */
  readonly what?: string
  readonly action: Action
  readonly reason: Reason
  /** `FILE:LINE:COLUMN`. */
  readonly declaredAt?: string
  readonly before: Values | null
  readonly after: Values | null
  readonly fields: readonly FieldChange[]
  readonly evidence: Evidence
  readonly actor?: Actor
  /** What will be sent; a conditional one is marked by its reason. */
  readonly requests: readonly RequestShape[]
  /** The entry by selector that would stand for it, did no entry name it by its id. */
  readonly takenFrom?: string
  /** For `moved`: the address it had. */
  readonly from?: string
  /** Addresses that are applied first, since a field here refers to what the service tells of them. */
  readonly waitsFor?: readonly string[]
  /** The fields that refer to them; until then they hold their expressions. */
  readonly awaited?: readonly string[]
  /** For a person: invited roles, roles never listed, what a redaction hides. */
  readonly notes?: readonly Reason[]
  readonly needs?: readonly Need[]
  /** It switches something off that is on, as far as that is known. */
  readonly turnsOff?: true
}

export type Verdict = 'in-sync' | 'drifted' | 'unverifiable' | 'pending'

/** What a drift report says of one address. */
export interface Drift {
  readonly address: string
  readonly kind: string
  /** Which thing it is; none where nothing is recorded yet. */
  readonly identity?: Identity
  /** What it is for a person, where it was read and its entry does not say it. */
  readonly what?: string
  readonly verdict: Verdict
  readonly declaredAt?: string
  /** More than one where evidence says several things. */
  readonly reasons: readonly Reason[]
  readonly fields: readonly DriftedField[]
  readonly evidence: Evidence
  readonly actor?: Actor
  /** The declaration says now what is live: an apply records it, and sends nothing. */
  readonly declared?: 'as live'
  /** Of what cannot be verified: what a plan notes of it, such as invited roles. */
  readonly notes?: readonly Reason[]
  /** Why a plan is blocked there, and what it notes: the way to undo it that this API has not. */
  readonly blocked?: { readonly because: Reason; readonly notes: readonly Reason[] }
  /** The address under which it is declared now: what applies to it names that. */
  readonly movedTo?: string
  /** The setting by which what is gone need not be there. */
  readonly allowedBy?: string
  /** Somebody has gained or lost what makes an owner, or is invited as one. */
  readonly owns?: true
  /** It is off, and was on. */
  readonly turnsOff?: true
  /** Fields that cannot be put back while its entry is protected, as far as is known. */
  readonly protectedFields?: readonly string[]
  /** Of what is pending: it should be there now. */
  readonly isLate?: true
  /** For something that has drifted: what else is now declared differently and not applied yet. */
  readonly edited?: Drift
}
