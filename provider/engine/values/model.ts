import type { Among } from '../../core/among.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { EventSeen, Reason } from '../reason.ts'

/** Where something was declared, for messages. Lines and columns count from 1. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** `FILE:LINE:COLUMN`, or a phrase for a declaration that is in no file. */
export const formatPosition = (position: Position | undefined): string =>
  position === undefined ? 'the declaration' : `${position.file}:${position.line}:${position.column}`

/** One declared entry, validated and with every reference resolved; what all doors pass to the engine. */
export interface Entry {
  /** The definition's `kind`. */
  readonly kind: string
  /** `SECTION.NAME`, followed by `[PROJECT]` if `projectIds` made several entries of one. */
  readonly address: string
  /** How to leave this place out, if what is written stands for several. */
  readonly among?: Among
  /** Declared values and defaults by field name; a secret is a reference (`{env}` or `{file}`). */
  readonly values: Values
  /** The declared way of release; the definition's first by default. */
  readonly onRemove: string
  /** Whether no write may remove or narrow the thing. */
  readonly protect: boolean
  /** Fields that are neither compared nor sent once the thing is recorded. */
  readonly ignoreChanges: readonly string[]
  /** Flags of guards that the entry allows for itself, such as `--allow-delete`. */
  readonly allow?: readonly string[]
  /** Fields whose values are known once something else is applied; until then they hold expressions. */
  readonly waiting?: readonly Waiting[]
  readonly declaredAt: Position | undefined
  /** Time zones in which its instants are declared, by field; for people to read. */
  readonly zones?: Readonly<Record<string, string>>
  /** Where its secrets are declared, by field; `declaredAt` applies to the others. */
  readonly secretsAt?: Readonly<Record<string, Position>>
  /** The paths of its secrets that are files, by field, as they are declared. */
  readonly secretPaths?: Readonly<Record<string, string>>
  /** Where fields are declared that another file says than `declaredAt` names, by field. */
  readonly overriddenAt?: Readonly<Record<string, Position>>
}

/** A field that refers to a value that another address will provide. */
export interface Waiting {
  readonly field: string
  readonly for: string
  /** The field of the other address that the service has yet to tell. */
  readonly needs: string
}

/** A whole declaration: the input of plan, apply and drift. */
export interface Declaration {
  readonly name: string
  readonly entries: readonly Entry[]
  /** The organization of each project, if declared; events are looked for there. */
  readonly organizations: ReadonlyMap<string, string>
  /** Organizations to look for events in, in addition to those of `organizations`. */
  readonly orgIds: readonly string[]
  /** Whether nothing else uses the calling key: what events name as made by it is ours. */
  readonly ownsKey?: boolean
  /** Names of projects, by project id; for people to read. */
  readonly projectNames: ReadonlyMap<string, string>
}

/** What is kept of one managed thing. It never has a secret, so it can be committed. */
export interface RecordedResource {
  readonly kind: string
  readonly identity: Identity
  /** Declared values as last applied. */
  readonly applied: Values
  /** The service's last answer, or what was last seen of a thing that is read; decoded, without anything redacted. */
  readonly answer: Values | null
  /** What the answer's lists hold in addition to what is declared, by field: writing the field would lose it. */
  readonly beside?: Readonly<Record<string, readonly unknown[]>>
  /** What adoption saw. */
  readonly adopted: Values | null
  readonly onRemove: string
  readonly protect?: boolean
  /** The span of the last write, in service time. */
  readonly lastWrite: WriteSpan | null
  /** Events created before this instant are settled. */
  readonly watermark: string
  /** Up to when no event has told of the thing. */
  readonly quiet?: Quiet
  /** Ids of later events that a person has accepted, or that a write has answered. */
  readonly acknowledged?: readonly string[]
  /**
   * Values that a write should have removed and did not, by field. Of an entry in force: what was there before it, and
   * still is.
   */
  readonly leftover?: Values
  /**
   * What we had applied to fields that somebody else has changed since, as an answer has shown; `applied` has the
   * current values.
   */
  readonly overridden?: Values
  /** Fields whose last write may or may not have taken effect; they are asserted again. */
  readonly unsure?: readonly string[]
  /**
   * What these writes may have left of a thing that is read: the values that each sent, and those that were there
   * before.
   */
  readonly lost?: readonly Values[]
  /**
   * When the answer to a write said that the thing does not exist, ISO 8601. No change is sent to it until a later
   * event is about it, or a person has looked. Its release still is: the answer may have been wrong.
   */
  readonly notFoundAt?: string
  /** The thing must not exist; it is recorded so that its return is noticed. */
  readonly absent?: boolean
  /** The record belongs to an entry that expands (an only-list), and to no thing at the service. */
  readonly standing?: boolean
}

/**
 * Up to when events were read since the last write, without another one about the thing: earlier ones need not be read
 * again. Instants are service time, ISO 8601.
 */
export interface Quiet {
  readonly upTo: string
  /** The organizations whose events were read: with another one, this no longer counts. */
  readonly orgs: readonly string[]
  /** What the record had then: once it has been written or accepted again, this no longer counts. */
  readonly watermark: string
  readonly written?: string
}

/** When a write was under way, ISO 8601. Service time has whole seconds, so our own events lie roughly in between. */
export interface WriteSpan {
  readonly from: string
  readonly to: string
  /** The public key that wrote; a later run may have another one. */
  readonly by: string
  /** The fields of each request that was sent: what our own events can be about. */
  readonly sent: readonly (readonly string[])[]
  /** The service's clock was set back during the span, so earlier writes may lie in it, too. */
  readonly isTwice?: boolean
  /**
   * What others did since was accepted at a time before the span's end, because the service's clock had been set
   * back.
   */
  readonly isAccepted?: boolean
}

/** What answers have shown of the service: that it refuses to create a second thing of the same name. */
export interface Learnt {
  /** The service's version at that time; another one may behave differently. */
  readonly serviceVersion?: string | undefined
}

/**
 * Our last write to a thing that is not recorded: if the thing is soon recorded again, events of this write are our
 * own.
 */
export interface EarlierWrite {
  readonly kind: string
  readonly identity: Identity
  readonly lastWrite: WriteSpan
}

/** A thing that was made and is not recorded here. */
export interface Made {
  readonly kind: string
  readonly identity: Identity
  /** When it was made, or a later instant; ISO 8601. */
  readonly at: string
  /** When it begins to silence alerts, ISO 8601; undefined if it does not, or if that is unknown. */
  readonly from?: string
  /** When it ends by itself, as last known, ISO 8601; undefined if it does not, or if that is unknown. */
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

/**
 * `read`: seen in this run. `recorded`: as last answered, no later event. `suspect`: a foreign event since.
 * `unknown`: never seen.
 */
export type EvidenceLevel = 'read' | 'recorded' | 'suspect' | 'unknown'
export interface Evidence {
  readonly level: EvidenceLevel
  /** Since when the recorded value stands, ISO 8601. */
  readonly since?: string
  /** Later events about the thing that are not our own, newest first. */
  readonly events?: readonly EventSeen[]
  /** Fields whose last write has an unknown outcome; their earlier values may have been seen. */
  readonly unsure?: readonly string[]
  /** Not all events that may be about it were read: finding none proves nothing. */
  readonly eventsUnread?: true
  /** Why it cannot be read, or why events could not be looked for. */
  readonly notes?: readonly Reason[]
}

/**
 * Who likely caused a drift, as far as events tell. It is never certain: an event shows an act, and seldom its
 * values.
 */
export interface Actor {
  readonly username?: string
  readonly publicKey?: string
  readonly at: string
  readonly eventId: string
  readonly eventTypeName: string
  readonly remoteAddress?: string
  /**
   * `high`: one event alone is a possible cause, and is about these fields. `medium`: several are, or it is also
   * about other fields. `low`: events are only about the thing.
   */
  readonly confidence: 'high' | 'medium' | 'low'
}

export interface FieldChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  /** Why it is written though it looks as declared, or what prevents the write. */
  readonly note?: Reason
  /** What an event tells of the side that no endpoint shows: `before` in a plan, `after` in a drift report. */
  readonly told?: ToldValue
}

/** What an event says was given to a field that no endpoint shows. It may be a part of the value, and out of date. */
export interface ToldValue {
  /** Undefined if events tell only of invitations. */
  readonly value?: unknown
  /** What that event or later ones added, and a person has yet to accept. */
  readonly invited?: unknown
  readonly eventTypeName: string
  readonly eventId: string
  readonly at: string
}

/** A field that has drifted: from what was last applied to what is live. */
export interface DriftedField extends FieldChange {
  /** What is declared now, if it is not what was last applied. */
  readonly declared?: unknown
  /** Who likely changed it, if not one actor changed everything that has drifted. */
  readonly actor?: Actor
  /** The change gives or takes away ownership, or invites an owner. */
  readonly owns?: true
  /** The change turned something off. */
  readonly turnsOff?: true
}

export interface RequestShape {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base URL. */
  readonly path: string
}

/** A flag that apply needs, and why. */
export interface Need {
  readonly flag: string
  readonly because: Reason
  /** Set if it is about one thing. */
  readonly address?: string
}

/** What happens at one address, as plain data; doors put its reasons into words. */
export interface Change {
  readonly address: string
  readonly kind: string
  /**
   * A description for people, if the thing was read and its entry has none: of an alert configuration, when it
   * alerts.
   */
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
  /** What will be sent; the notes say if a second request depends on the first answer. */
  readonly requests: readonly RequestShape[]
  /** The entry by selector that would stand for the thing if no entry named it by its id. */
  readonly takenFrom?: string
  /** For `moved`: the previous address. */
  readonly from?: string
  /** Addresses that are applied first, because a field here refers to what the service tells of them. */
  readonly waitsFor?: readonly string[]
  /** The fields that refer to these addresses; until then they hold expressions. */
  readonly awaited?: readonly string[]
  /** For people: invited roles, roles that were never listed, what redaction hides. */
  readonly notes?: readonly Reason[]
  readonly needs?: readonly Need[]
  /** The change turns something off, as far as that is known. */
  readonly turnsOff?: true
  /** For a `release` that sends something: its way. */
  readonly onRemove?: string
}

export type Verdict = 'in-sync' | 'drifted' | 'unverifiable' | 'pending'

/** What a drift report says about one address. */
export interface Drift {
  readonly address: string
  readonly kind: string
  /** Undefined if nothing is recorded yet. */
  readonly identity?: Identity
  /** A description for people, if the thing was read and its entry has none. */
  readonly what?: string
  readonly verdict: Verdict
  readonly declaredAt?: string
  /** More than one if evidence says several things. */
  readonly reasons: readonly Reason[]
  readonly fields: readonly DriftedField[]
  readonly evidence: Evidence
  readonly actor?: Actor
  /** The declaration now says what is live: an apply records that, and sends nothing. */
  readonly declared?: 'as live'
  /** For an unverifiable thing: what a plan notes of it, such as invited roles. */
  readonly notes?: readonly Reason[]
  /** Why a plan is blocked there, and what it notes: this API has no call to undo the drift. */
  readonly blocked?: { readonly because: Reason; readonly notes: readonly Reason[] }
  /** The address under which it is declared now, which commands have to name. */
  readonly movedTo?: string
  /** The setting that allows the thing to be gone. */
  readonly allowedBy?: string
  /** Somebody has become an owner, is one no longer, or is invited as one. */
  readonly owns?: true
  /** It was turned off. */
  readonly turnsOff?: true
  /** Fields that cannot be put back while the entry is protected, as far as that is known. */
  readonly protectedFields?: readonly string[]
  /** For a pending thing: it should be there by now. */
  readonly isLate?: true
  /** For a drifted thing: what else is declared differently now and not applied yet. */
  readonly edited?: Drift
}
