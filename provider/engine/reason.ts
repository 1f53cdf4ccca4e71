import type { Among } from '../core/among.ts'
import type { Sentence } from '../core/rule.ts'
import type { None as NoCall } from '../core/operation.ts'
import type { Identity, Values } from '../core/values.ts'

/** An event about a thing, as reports show it. */
export interface EventSeen {
  readonly id: string
  readonly eventTypeName: string
  readonly created: string
  readonly username?: string
  readonly publicKey?: string
  readonly remoteAddress?: string
  /** One of several events at the same moment, some of which are our own: it names nobody. */
  readonly mayBeOwn?: boolean
}

/**
 * Why something is planned, blocked, doubted or noted: a code with its facts. The engine decides by codes and
 * contains no sentences. Each door words every code, and another wording changes no behaviour.
 */
export type Reason<C extends ReasonCode = ReasonCode> = {
  readonly [Code in C]: { readonly code: Code } & ReasonFacts[Code]
}[C]
export type ReasonCode = keyof ReasonFacts

/** Whether the entry is still declared, and only does not stand for the thing any more. */
interface OfEntry {
  readonly ofEntry: boolean
}

/** What a definition says of a call that the API lacks. */
export interface Lacking {
  readonly because: string
  /** What a person does instead. */
  readonly step?: Sentence
}

interface None {
  readonly [fact: string]: never
}
interface Fields {
  /** By the definition's names. */
  readonly fields: readonly string[]
}
interface Events {
  /** Events that tell who did it, newest first. */
  readonly events: readonly EventSeen[]
}
/** The size of the whole, and its kind. */
interface Mass {
  readonly total: number
  readonly kind: string
}
/** An element of a list: a text, or the parts of an object in the order of its definition. */
export type Element = string | Readonly<Record<string, string>>
interface Elements {
  readonly elements: readonly Element[]
}

export interface ReasonFacts {
  // Declared, and not recorded.
  'not-recorded': None
  'not-recorded-as-declared': None
  'not-recorded-differs': None
  'not-recorded-never-seen': None
  'not-recorded-not-written': None

  // Declared and recorded.
  'as-declared': None
  /** Live differs in these. */
  'as-declared-but-ignored': Fields
  /** These are not shown, or not compared. */
  'as-declared-where-compared': Fields
  'as-last-applied': None
  'live-differs': None
  'declared-differs': None
  'settings-differ': None
  'asserted-after-event': None
  'told-gone': None
  'asserted-after-lost-answer': None
  'in-force': None
  moved: { readonly from: string }
  'declared-as': { readonly address: string }
  /** An id of an entry was edited: the thing that it now names. */
  'means-another': { readonly key?: string }

  // Things that must exist, and things that must not.
  missing: Partial<Lacking> & {
    readonly found: 'nothing' | 'no-match'
    /** The setting that allows the thing to be absent. */
    readonly allowedBy?: string
    /** What leaves the place of the thing out of its entry. */
    readonly among?: Among
  }
  'missing-allowed': {
    readonly found: 'nothing' | 'no-match'
    readonly by: string
    readonly forgotten: boolean
  }
  'place-missing': { readonly place: Identity }
  'not-found': Partial<Lacking>
  /** The entry declares an id that nothing has, although the API could create the thing. */
  'declared-id-not-found': { readonly field: string }
  'not-movable': { readonly field: string }
  'absent-as-declared': None
  'must-be-absent': None
  'not-listed': None
  'cannot-delete': Lacking
  'key-not-deletable': { readonly endpoint: number; readonly key: string; readonly step: Sentence }
  'cannot-write': { readonly because: string }
  'recorded-elsewhere': { readonly address: string }
  'cannot-adopt': { readonly because: string }
  'adoption-requires': { readonly field: string; readonly because: string }
  'protected-from-deletion': None
  'protected-from-narrowing': Fields
  'create-only': Fields
  /** A note: what is not written, because the thing may be another one. */
  withheld: Fields
  'kept-after-removal': Fields
  'part-differs': {
    readonly field: string
    readonly lacking: readonly string[]
    readonly extra: readonly string[]
    readonly step: Sentence
  }

  /** Strangers that the calling key made. */
  'beside-strangers': { readonly field: string; readonly ids: readonly string[] }

  // Things that end by themselves.
  ended: None
  'ended-before-creation': None
  'ended-and-moved': None
  /** The entry has dates ahead, but names a thing that is over. */
  'ended-and-named': { readonly field: string }
  'ended-or-prolonged': None

  // Recorded, and no longer declared, or no longer what a declared entry stands for (`ofEntry`).
  'undeclared-forgotten': None
  'id-forgotten': { readonly field: string; readonly id: string }
  /** With the field that its release would empty, and how it is declared. */
  'undeclared-left': OfEntry & { readonly keeps?: { readonly field: string; readonly onRemove: string } }
  /** `isProlonged`: it would be over, but an event may have prolonged it. */
  'undeclared-released': OfEntry & {
    readonly onRemove: string
    readonly isProlonged: boolean
    /** The entry says another `onRemove`. */
    readonly isOverruled: boolean
  }
  'undeclared-ended': None
  /** Events that could say otherwise were not read. The entry may still be declared. */
  'should-have-ended': { readonly days: number }
  'undeclared-declared-elsewhere': { readonly address: string }
  'undeclared-nothing-to-restore': OfEntry
  'undeclared-gone': OfEntry
  'gone-forgotten': None
  'undeclared-changed-since': OfEntry
  /** No write of these fields is recorded. */
  'undeclared-not-written': OfEntry & Fields
  'undeclared-protected': None
  /** What the entry has instead is blocked at this address. */
  'undeclared-held': { readonly address: string }
  'undeclared-kept': OfEntry & { readonly onRemove: string; readonly field: string }

  // References to what another change will provide.
  'reference-not-told': { readonly field: string; readonly address: string; readonly needs: string }
  'reference-not-recorded': { readonly field: string; readonly address: string }
  'reference-to-several': { readonly field: string; readonly address: string; readonly needs: string }
  'reference-in-circle': {
    readonly field: string
    readonly addresses: readonly string[]
    readonly more: number
  }
  'known-once-applied': Fields & { readonly addresses: readonly string[] }

  // Notes on a change or a field.
  'check-key-first': { readonly key: string }
  'added-too-late': { readonly by: string }
  'deletion-is-final': None
  'release-does': { readonly summary: string }
  'sent-first': Fields & { readonly later: readonly string[] }
  invited: Elements
  'never-declared': Elements
  'perhaps-still-invited': Elements
  'event-about-undeclared': None
  'may-have-changed': None
  'may-be-gone': None
  'may-be-as-accepted': None
  'outcome-unknown': None
  'still-in-answer': None

  // Evidence.
  unreadable: { readonly because: string }
  /** What was read leaves these out. */
  'not-shown': Fields
  'events-not-emitted': { readonly because: string }
  'events-partly-read': None
  'events-unread': None
  'events-accepted': { readonly until: string }
  'no-event-since': None
  'no-event-since-but-near': { readonly count: number }
  'no-event-visible': None
  'not-shown-as-ours': { readonly field: string }
  'id-not-told': { readonly field: string; readonly because: string }
  'last-write-unknown': Fields
  'not-looked-at': None

  // What a flag has to allow.
  'would-lose-others': { readonly because: string }
  /** `key`: the calling key's public half. */
  'could-take-away': {
    readonly field: string
    readonly value: string
    readonly key: string
    /** The fields that would show the value first, if they were declared. */
    readonly learnBy: readonly string[]
  }
  'caller-unknown': { readonly value: string }
  'caller-loses': { readonly value: string }
  'last-holder': { readonly value: string; readonly scope: string }
  'changed-meanwhile': Fields & Events
  'changed-since-plan': Events
  'deletes-unlisted': { readonly address: string }
  'removes-many': Mass & { readonly removed: number }
  'changes-many': Mass & {
    readonly field: string
    readonly changed: number
    /** How many of them were never seen, or may have changed. */
    readonly unseen: number
    /** Counts by place, such as a project; a single empty place for kinds without places. */
    readonly places: readonly { readonly place: Identity; readonly count: number }[]
  }

  // Warnings of a run.
  'events-left-unread': {
    readonly org: string
    readonly count: number
    /** Whether the oldest record said from when on events are read, and not their own beginning. */
    readonly byRecords: boolean
  }
  'events-shifted': { readonly org: string }
  /** `byStranger`: it is not the service that has answered. */
  'events-refused': { readonly org: string; readonly status: number; readonly byStranger: boolean }
  'strangers-there': { readonly field: string; readonly ids: readonly string[] }
  /** Events of the calling key that no recorded write explains. */
  'own-key-elsewhere': { readonly key: string; readonly count: number }
  'events-not-compared': { readonly org: string }
  /** The projects may belong to another organization than declared. */
  'project-without-events': {
    readonly org: string
    readonly projects: readonly string[]
    /** When this key last wrote there, service time, ISO 8601. */
    readonly at: string
  }
  'made-by-persons': { readonly ids: readonly string[] }
  /** Others made these, of the same place and dates as what is created. */
  'made-alike': { readonly ids: readonly string[] }
  /** A state has known and no longer records these, which are of the same place and dates as what is created. */
  'forgotten-alike': { readonly ids: readonly string[] }
  'target-meets-nothing': { readonly glob: string }
  'kind-unknown': { readonly address: string; readonly kind: string }
  /** What an entry creates, others declare by ids that are not recorded yet. */
  'created-beside-named': { readonly address: string; readonly twins: readonly string[] }
  /** What one entry creates begins or ends as what another one releases, which is no longer declared. */
  'renamed-and-edited': { readonly from: string; readonly to: string }

  // Unmanaged things.
  'unmanaged-not-listed': {
    readonly section: string
    readonly place: Identity
    readonly status: number
  }
  /** Events do not show our own writes there either. */
  'unmanaged-not-shown': { readonly org: string; readonly sections: readonly string[] }
  'unmanaged-not-told-apart': {
    readonly section: string
    readonly address: string
    readonly field: string
  }
  'unmanaged-end-untold': { readonly ids: readonly string[] }
  /** More things than there are creations with an unknown outcome that can have made them. */
  'unmanaged-or-lost': { readonly ids: readonly string[] }

  // How carrying out a change ended.
  'over-before-creation': None
  'begun-before-creation': None
  'over-before-change': None
  'had-ended': None
  'nothing-left-to-do': None
  'gone-when-released': None
  'waits-for-replacement': None
  'invited-now': { readonly count: number; readonly field: string }
  /** `has`: what the service answered. */
  'create-only-differs': { readonly field: string; readonly has: unknown }
  'kept-in-answer': Fields & {
    readonly kept: readonly { readonly field: string; readonly elements: readonly Element[] }[]
  }
  'answered-otherwise': { readonly field: string }
  overwritten: Fields
  'accepted-differs': Fields
  'remains-after-release': Fields
  'not-begun': None
  'not-sent': None
  interrupted: None
  'interrupted-between': None
  'answer-unsaved': None
  'created-unsaved': { readonly id: string }
  unsaved: None
  'held-back': None
  'refers-to-not-applied': { readonly addresses: readonly string[] }
  'other-than-shown': None

  /** A warning of a plan: clocks skip the times that a schedule asks for. */
  'occurrences-left-out': {
    readonly address: string
    readonly times: readonly string[]
    readonly zone: string
  }

  // A drift report.
  'as-applied': None
  'as-applied-but-ignored': Fields
  'not-as-applied': None
  'back-again': None
  'gone-at-service': Partial<Lacking>
  'event-since': None
  /** About something that is no longer as it was last applied. */
  'nobody-told': None
  'told-and-accepted': { readonly until: string }
  'no-endpoint-shows-it': None
  'ended-by-itself': None
  /** About something pending. */
  'occurrence-missing': None
  'left-undone-since': { readonly since: string }
  'nothing-applied-since': { readonly since: string }

  // What became of a request whose answer was lost.
  'write-of-unknown-kind': { readonly kind: string }
  'told-by-next-reading': None
  'can-be-sent-again': None
  'answered-as-created': { readonly id: string }
  'answered-as-another': { readonly id: string }
  'made-with-own-key': { readonly id: string }
  'to-be-asked': { readonly id: string; readonly field: string }
  'not-created': None
  'to-be-made-sure': None
  'to-be-sent-again': { readonly name: string }
  'second-refused': { readonly name: string }
  'not-created-before': None
  'created-id-unknown': { readonly name: string }
  'over-meanwhile': None
  'candidate-cannot-be-asked': { readonly id: string }
  'candidate-not-told': { readonly id: string }
  'candidate-is-another': { readonly id: string }
  'nowhere-to-look': None
  'can-still-happen': { readonly until: string }
  'events-name-others': { readonly ids: readonly string[] }
  'events-name-persons': { readonly ids: readonly string[] }
  'changed-by-others': { readonly event: string }
  'events-incomplete': None
  'no-event-names-it': None
  'sent-with-another-key': { readonly key: string }
  'events-name-several': { readonly ids: readonly string[]; readonly open: number }
  'exists-id-unknown': { readonly name: string; readonly ids: readonly string[] }
  'no-event-shows-it': None
}

/** What a definition says of a call that the API lacks, with what a person does instead. */
export const lacking = ({ none, byHand }: NoCall, of: Values): Lacking => ({
  because: none,
  ...(byHand === undefined ? {} : { step: { text: byHand, of } }),
})

/** The reason with this code and the facts that the code needs. */
export const reason = <C extends ReasonCode>(
  code: C,
  ...[facts]: ReasonFacts[C] extends None ? [] : [facts: ReasonFacts[C]]
): Reason<C> => ({ code, ...facts }) as unknown as Reason<C>
