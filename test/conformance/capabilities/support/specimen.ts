import type { Identity, KindDefinition, Values } from '@deploymgmt/provider/core'
import type { Scene } from './scene.ts'

/** The state of the service, as its control door tells it. */
export type Dump = any
/** A thing as the service holds it. */
export type Thing = any

/** What the cases of the capability table need of one kind: a scene for each cell, and what is to come of it. */
export interface Specimen {
  readonly kind: KindDefinition
  readonly contract: Contract
  /** What the service holds before anything is declared. */
  readonly fixture: object
  /** Things of the kind at the service. */
  readonly things: (dump: Dump) => Thing[]
  readonly identityOf: (thing: Thing) => Identity
  /** A thing in the words of an entry: what the API can change of it. */
  readonly inWords: (thing: Thing) => Values

  /** Not at the service. */
  readonly absent: Subject
  /** At the service, with other values than its entry declares, and never recorded. */
  readonly there: Subject
  /** Another thing that is there. */
  readonly other: Subject
  /** The one of them that the cases bring under management and then work on. */
  readonly managed: Subject

  /** Bodies of an adoption, in their order. */
  readonly adopted: readonly object[]
  /** An edit of each field that is written or that a creation alone takes. */
  readonly edits: Readonly<Record<string, Edit>>
  /** Somebody changes the managed thing, and no event tells of it. */
  readonly tamper: (thing: Thing, things: Thing[]) => void
  /** The same for fields that a list of their own shows. */
  readonly tamperPart?: Readonly<Record<string, (thing: Thing) => void>>
  /** Where no field is written: what the service holds of it that nobody can declare, and somebody changes. */
  readonly unchangeable?: { readonly declared: Values; readonly tamper: (thing: Thing) => void }
  /** Where it ends by itself. */
  readonly lifetime?: Lifetime
  /** Where it can be deleted: as many keys as the service can hold, those that stay, and those it never holds. */
  readonly removal?: {
    readonly fixture: object
    readonly stays: readonly string[]
    readonly neverThere: readonly string[]
  }
  /** Cases of each way of release. */
  readonly release: Readonly<Record<string, readonly Release[]>>
  /** Somebody's acts by the type of the event that they leave. */
  readonly acts: Readonly<Record<string, Act>>
  /** Leaves an event with the managed thing's key, of a type that is not about it. */
  readonly unrelated?: {
    readonly settings: Readonly<Record<string, string>>
    readonly cause: (scene: Scene) => Promise<void>
  }
  readonly guards: readonly Guarded[]
  readonly notes: readonly Note[]
}

/** The contract's table of kinds, section 2, by hand: it checks the definition as well as the product. */
export interface Contract {
  readonly endpoints: readonly number[]
  /** A request, or `no`. */
  readonly create: string
  readonly adopt: 'by id' | 'no'
  /** Requests that show it, or a part of it: the list first. */
  readonly observe: readonly ((key: string) => string)[]
  readonly change: { readonly fields: readonly string[]; readonly request: (key: string) => string } | 'no'
  readonly release: readonly string[]
  readonly remove: ((key: string) => string) | 'no'
}

export interface Subject {
  readonly entry: Values
  readonly is: (thing: Thing) => boolean
  /** What a creation sends of it. */
  readonly body?: object
}

export interface Edit {
  readonly to: unknown
  /** What a PATCH of it holds; none where the creation alone takes the field. */
  readonly body?: object
}

/** The service's time before and at the end, an edit, and the field values of a later one. */
export interface Lifetime {
  readonly running: (scene: Scene) => Promise<void>
  readonly over: (scene: Scene) => Promise<void>
  readonly edit: Values
  readonly later: Values
}

export interface Release {
  readonly title: string
  readonly settings?: Readonly<Record<string, string>>
  /** Declared besides the managed thing's entry. */
  readonly declared?: Values
  /** Between the apply and the removal. */
  readonly meanwhile?: (scene: Scene) => Promise<void>
  /** The last body; nothing where no request is sent. */
  readonly body?: object
  /** The thing afterwards; as it was where left out. */
  readonly leaves?: Values
  /** What the plan calls it, where not a release. */
  readonly action?: 'expired'
  /** The record is kept, blocked: what the service did not do is a person's. */
  readonly remains?: true
}

/** A write by somebody else, with another key. */
export interface Act {
  readonly method: 'PATCH' | 'DELETE'
  readonly path: (thing: Thing) => string
  readonly body?: object
  /** Declared besides the managed thing's entry, so that the act makes a difference. */
  readonly declared?: Values
  readonly settings?: Readonly<Record<string, string>>
}

/** Two declarations, of which the second does what a guard asks for. */
export interface Guarded {
  /** The word of the guard and its field. */
  readonly guard: string
  readonly title: string
  readonly fixture?: object
  readonly flag: string
  readonly before: Readonly<Record<string, Values>>
  readonly after: Readonly<Record<string, Values>>
  /** What the plan says, and the request that the flag lets out. */
  readonly because: RegExp
  readonly sends: string
}

/** A note of the kind's page, known by a few of its words, and what shows it: lines here, or a test end to end. */
export interface Note {
  readonly about: RegExp
  readonly shownBy: readonly string[]
}
