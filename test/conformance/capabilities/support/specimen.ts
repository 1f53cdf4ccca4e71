import type { Identity, KindDefinition, Values } from '@deploymgmt/provider/core'
import type { Scene } from './scene.ts'

/** The state of the service, as its control endpoint returns it. */
export type Dump = any
/** A thing in that state. */
export type Thing = any

/** What the capability cases need to know about one kind: a scene for each cell, and its expected outcome. */
export interface Specimen {
  readonly kind: KindDefinition
  readonly contract: Contract
  /** What the service holds at the start. */
  readonly fixture: object
  /** The things of this kind at the service. */
  readonly things: (dump: Dump) => Thing[]
  readonly identityOf: (thing: Thing) => Identity
  /** A thing in the terms of a manifest entry: what the API can change. */
  readonly inWords: (thing: Thing) => Values

  /** Does not exist at the service. */
  readonly absent: Subject
  /** Exists at the service, with values other than its entry declares, and is not recorded. */
  readonly there: Subject
  /** Another existing thing. */
  readonly other: Subject
  /** The one of these that the cases manage and then work on. */
  readonly managed: Subject

  /** The bodies that an adoption sends, in order. */
  readonly adopted: readonly object[]
  /** An edit of each field that is written or that only a creation takes. */
  readonly edits: Readonly<Record<string, Edit>>
  /** Changes the managed thing without an event about it. */
  readonly tamper: (thing: Thing, things: Thing[]) => void
  /** The same for parts of it that another endpoint lists. */
  readonly tamperPart?: Readonly<Record<string, (thing: Thing) => void>>
  /** If no field can be written: something the service holds that cannot be declared, and a change of it. */
  readonly unchangeable?: { readonly declared: Values; readonly tamper: (thing: Thing) => void }
  /** If the thing ends by itself. */
  readonly lifetime?: Lifetime
  /**
   * If it can be deleted: a fixture with all possible keys, the keys that cannot be deleted, and those never listed.
   */
  readonly removal?: {
    readonly fixture: object
    readonly stays: readonly string[]
    readonly neverThere: readonly string[]
  }
  /** Cases for each way of removal. */
  readonly release: Readonly<Record<string, readonly Release[]>>
  /** Acts of somebody else, by the type of event that each one leaves. */
  readonly acts: Readonly<Record<string, Act>>
  /** Causes an event that has the managed thing's key, but is of a type that is not about it. */
  readonly unrelated?: {
    readonly settings: Readonly<Record<string, string>>
    readonly cause: (scene: Scene) => Promise<void>
  }
  readonly guards: readonly Guarded[]
  readonly notes: readonly Note[]
}

/** The contract's table of kinds, section 2, copied by hand: it checks both the definition and the product. */
interface Contract {
  readonly endpoints: readonly number[]
  readonly create: string
  readonly adopt: 'by id' | 'no'
  /** Requests that show it or a part of it, the list first. */
  readonly observe: readonly ((key: string) => string)[]
  readonly change: { readonly fields: readonly string[]; readonly request: (key: string) => string } | 'no'
  readonly release: readonly string[]
  readonly remove: ((key: string) => string) | 'no'
}

export interface Subject {
  readonly entry: Values
  readonly is: (thing: Thing) => boolean
  /** What a creation sends. */
  readonly body?: object
}

export interface Edit {
  readonly to: unknown
  /** The body of its PATCH; undefined if only a creation takes the field. */
  readonly body?: object
}

/** Sets the service's time before and at the end; an edit, and the field values of a later period. */
export interface Lifetime {
  readonly running: (scene: Scene) => Promise<void>
  readonly over: (scene: Scene) => Promise<void>
  readonly edit: Values
  readonly later: Values
}

export interface Release {
  readonly title: string
  readonly settings?: Readonly<Record<string, string>>
  /** Declared in addition to the managed thing's entry. */
  readonly declared?: Values
  /** Runs between the apply and the removal. */
  readonly meanwhile?: (scene: Scene) => Promise<void>
  /** The body of the last request; undefined if none is sent. */
  readonly body?: object
  /** What changes at the thing; undefined if nothing does. */
  readonly leaves?: Values
  /** The action in the plan, if it is not a release. */
  readonly action?: 'expired'
  /** The record stays, blocked, because a person has to do what the API cannot. */
  readonly remains?: true
}

/** A write by somebody else, with another key. */
export interface Act {
  readonly method: 'PATCH' | 'DELETE'
  readonly path: (thing: Thing) => string
  readonly body?: object
  /** Declared in addition to the managed thing's entry, so that the act makes a difference. */
  readonly declared?: Values
  readonly settings?: Readonly<Record<string, string>>
}

/** Two declarations; the second one triggers a guard. */
export interface Guarded {
  /** The guard and its field. */
  readonly guard: string
  readonly title: string
  readonly fixture?: object
  readonly flag: string
  readonly before: Readonly<Record<string, Values>>
  readonly after: Readonly<Record<string, Values>>
  /** What the plan says, and the request that is sent with the flag. */
  readonly because: RegExp
  readonly sends: string
}

/** A note on the kind's page, and what shows it: lines of the table, or a test end to end. */
export interface Note {
  readonly about: RegExp
  readonly shownBy: readonly string[]
}
