import type { Adoption } from './adoption.ts'
import type { Fields } from './field.ts'
import type { Expansion } from './expansion.ts'
import { isNone, type None, type Operation } from './operation.ts'
import type { Rule } from './rule.ts'
import type { Values } from './values.ts'

/**
 * Everything about one kind. Every word is required, so a definition that forgets one does not compile; what the API
 * lacks is `none(reason)`. The engine reads these words and names no kind.
 */
export interface KindDefinition<F extends Fields = Fields> {
  /** `snake_case`: the Terraform type without its prefix. */
  readonly kind: string
  /** `camelCase` plural: the manifest's section. */
  readonly section: string
  readonly title: string
  readonly summary: string
  readonly identity: IdentityWord
  readonly fields: F
  readonly expand: Expansion
  readonly observe: Observe
  readonly establish: Establish
  readonly write: Write | None
  /** What a person might want to declare because answers show it, but no call can change. */
  readonly fixed: Fixed | None
  readonly absence: Absence | None
  readonly lifetime: Lifetime | None
  /** Ways of release by name; the first is the default. */
  readonly release: Readonly<Record<string, ReleaseWay>>
  readonly witness: Witness | None
  readonly unmanaged: Unmanaged
  readonly guards: readonly Guard[]
  /** How `adopt` writes existing things into a manifest. */
  readonly adoption: Adoption
  /** How its things suppress alerts for a while; at most one kind has it. */
  readonly silences: Silences | None
  /** Rules across fields and entries that have to hold before anything is sent. */
  readonly rules: readonly Rule[]
  readonly docs: { readonly example: string; readonly notes: readonly string[] }
}

/** `scope`: the declared path parameters; `key`: the last one; `assigned`: whether the service assigns it. */
interface IdentityWord {
  readonly scope: readonly string[]
  readonly key: string
  readonly assigned: 'by-service' | 'never' | 'unless-declared'
  /** The field by which a manifest names an existing thing, if it is not named like the key. */
  readonly declaredAs: string
  /** The name of the key in answers, if it differs from the field's. */
  readonly keyInAnswer: string
  /** Values that no two entries may share, in addition to the identity. */
  readonly unique: readonly string[]
  /** Values by which a renamed entry finds its record again, if the service assigns the key. */
  readonly recognisedBy: readonly string[]
}

/** How a live thing is read. */
export type Observe =
  | { readonly how: 'everything'; readonly list: Operation; readonly get: Operation | None }
  /** Parts have lists of their own; no endpoint shows the rest. */
  | { readonly how: 'parts'; readonly reason: string; readonly parts: Readonly<Record<string, Part>> }
  | { readonly how: 'nothing'; readonly reason: string }

/** A kind whose things an endpoint shows whole, and a list all of those in one place. */
export type ReadableKind = KindDefinition & { readonly observe: Extract<Observe, { how: 'everything' }> }

/** Whether what is read decides about the things of a kind. Of the others, the record and events tell. */
export const isReadable = (definition: KindDefinition): definition is ReadableKind =>
  definition.observe.how === 'everything'

/** The fields of a kind with lists of their own; most kinds have none. */
export const partsOf = ({ observe }: KindDefinition): Readonly<Record<string, Part>> =>
  observe.how === 'parts' ? observe.parts : NO_PARTS
const NO_PARTS = {}

/** A field with a list of its own: each item is one element. */
export interface Part {
  readonly list: Operation
  readonly item: (raw: Values) => unknown
  /** Error codes that say that the thing itself does not exist, and not only the part. */
  readonly goneCodes: RegExp
  /** Error codes that say that the place does not exist. */
  readonly placeCodes: RegExp
  /** What a person does if the part differs, because no endpoint writes it. */
  readonly byHand: string
}

interface Establish {
  readonly create: Create | None
  readonly adopt: Adopt | None
}
export interface Create {
  readonly operation: Operation
  /** The advice if the service answers that the thing already exists. */
  readonly conflict?: string
  /** A list that shows whether the place exists, if nothing else is read before a creation. */
  readonly place?: Operation
  /**
   * Created once and for all: nothing deletes it, and a second creation is answered with a conflict. So nothing
   * replaces it, and no door gives it up in one place to take it up in another.
   */
  readonly once?: true
  /** How a creation whose answer was lost is settled: by events that name the new thing, or only by a person. */
  readonly lost: LostCreation | None
}
export type LostCreation = LostById | LostByName

/** Events name the new thing by its id, and the thing itself is asked whether it is the wanted one. */
export interface LostById {
  readonly by: 'id'
  /** The event's field with the id of the new thing. */
  readonly idInEvent: string
  /** Event types that mean a creation; a change of a thing does not prove one. */
  readonly types: RegExp
  /** The event's field with values of the new thing, by the API's names: they can rule it out, but prove nothing. */
  readonly told: string
  /** To ask a candidate, the first declared one of these is written: harmless ones first, and no instants. */
  readonly asks: readonly string[]
}

/** Events name the new thing by the value that the witness has of it, and tell its id once it acts itself. */
export interface LostByName {
  readonly by: 'name'
  readonly types: RegExp
  /** The event's fields with the value and the id of whoever caused it. */
  readonly actor: { readonly name: string; readonly id: string }
  /** Fields that can be written again with their current values, which causes an event and nothing else. */
  readonly repeats: readonly string[]
  /** The status that refuses a second thing of the same name; whether a service does so is learnt, not assumed. */
  readonly refusedAs: number
  /** Why no event of the creation tells the id. */
  readonly because: string
}
export interface Adopt {
  /** A declared field that must be true first, and why. */
  readonly requires?: { readonly field: string; readonly because: string }
  /** Fields of the first, harmless write, whose answer shows the rest. */
  readonly learnBy: readonly string[]
  /** A declared field that says that it is fine if nothing is there. */
  readonly mayBeMissing?: string
}

export interface Write {
  readonly operation: Operation
  /** Fields that a change can send: stored by the service, and neither read-only nor set only once. */
  readonly fields: readonly string[]
}

/** Names that answers have and entries cannot have, and why. */
interface Fixed {
  readonly names: readonly string[]
  readonly because: None
}

/** How a thing that must not exist is deleted, and which keys the API can delete. */
export interface Absence {
  readonly operation: Operation
  readonly deletable: readonly string[]
  /** The flag that allows deleting what an only-list does not name. */
  readonly unlisted: string
  readonly byHand: string
}

/** A thing that ends by itself: no write is accepted after this instant. */
export interface Lifetime {
  readonly endsAt: string
  /** A thing that is over is created anew if these fields get other values. */
  readonly dates: readonly string[]
  /** Error codes that say that the thing is over and takes no more changes. */
  readonly overCodes: RegExp
  /** A list of the same scope: reading one item tells the service's time if nothing else had to be read. */
  readonly timeFrom: Operation
}

type LastBody = (record: { applied: Values; adopted: Values | null }, now: Date) => Values | undefined

export type ReleaseWay =
  | { readonly way: 'forget'; readonly summary: string }
  | {
      readonly way: 'send'
      readonly summary: string
      /** The last body, or undefined if nothing is left to do. */
      readonly body: LastBody
      /** A second attempt, if the service refused the first only because time has passed. */
      readonly again?: {
        /** Whether an instant of the refused body passed on its way. Any other refusal would be repeated. */
        readonly where: (refused: Values, now: Date) => boolean
        readonly body: LastBody
      }
      /** Only if live values are still those that were last written. */
      readonly ifUntouched?: boolean
      /** A field that must be empty in the answer; if anything remains, the record is kept. */
      readonly empties?: string
    }

/** Which events are about an instance, and which fields they affect. */
export interface Witness {
  /** The event's field, and the instance's field with the same value. */
  readonly event: string
  readonly instance: string
  /** The event's fields that say in which place it happened, the narrower ones first. */
  readonly places: readonly string[]
  /** Event types (prefixes of names) that count; all if empty. */
  readonly types: readonly string[]
  /** Which fields an event type affects; a type that is neither here nor in `sets` may affect any field. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** Event types that tell which values they gave to the fields that they affect. */
  readonly sets: Readonly<Record<string, Values>>
  /** Event types of which one write can cause any number. */
  readonly repeated: readonly string[]
  /** Event types that say that the thing is gone altogether. */
  readonly endedBy: RegExp
  /** How many events of a type that is not `repeated` one request can cause in one of its `places`. */
  readonly atOnce?: (applied: Values) => number
}

/** How unmanaged things are found, and how one is described to a person. */
export type Unmanaged =
  /** By the list of `observe`; events of the witness tell who made or changed it. */
  | {
      readonly foundBy: 'list'
      /** What the list shows besides the identity, and a manifest can use to name known things. */
      readonly alsoNamedBy: readonly string[]
      /** Describes a thing to a person, by what the list shows of it. */
      readonly what: (seen: Values) => string
    }
  /** Only by the events of the witness. */
  | {
      readonly foundBy: 'events'
      /** Event types that show that it exists, and who made or changed it. */
      readonly shownBy: RegExp
      /** Event types that say that it has left one place (the narrowest that they tell) and everything within it. */
      readonly leftBy: RegExp | None
      /** Event types whose actor made the thing. */
      readonly madeBy: RegExp
      /** Describes a thing by the raw documents of its events, the newest first. */
      readonly what: (events: readonly Values[]) => What
    }

/** What events tell of a thing. */
export interface What {
  /** A description for people. */
  readonly says: string
  /** The event that tells what matters most; omitted if all of them do. */
  readonly from?: Values
  /** It is an owner: it may take everything away from anybody. */
  readonly owns?: true
}

/** For things that suppress alerts for a while: the fields that say which types, from when, until when and why. */
export interface Silences<Name extends string = string> {
  readonly types: Name
  readonly from: Name
  readonly to: Name
  readonly why: Name
  /** The way of release that ends the suppression. */
  readonly ending: string
}

export type Guard =
  /** Losing the last holder of `value` in `field`, or the caller's own, requires `flag`. */
  | {
      readonly guard: 'keeps'
      readonly field: string
      readonly value: string
      /** The field of an element that holds the value; undefined if elements are the values. */
      readonly elementField?: string
      /** The element's or the identity's field that names the scope in which holders are counted. */
      readonly scope: string
      /** The answer's field that shows whether the instance is the caller. */
      readonly caller: string | undefined
      readonly flag: string
    }
  /** Writing the declared field would lose other parts of the answer. */
  | {
      readonly guard: 'nothing-beside'
      readonly field: string
      readonly flag: string
      readonly because: string
    }

/** A definition as it is written: the fields that a change can send follow from their traits. */
interface Written<F extends Fields> extends Omit<KindDefinition<F>, 'write'> {
  readonly write: Operation | None
  readonly silences: Silences<keyof F & string> | None
}

/** Keeps the literal types of `fields`, so that a manifest's types derive from them. */
export const defineKind = <const F extends Fields>({ write, ...rest }: Written<F>): KindDefinition<F> =>
  Object.freeze({
    ...rest,
    write: isNone(write) ? write : { operation: write, fields: writable(rest.fields) },
  })

const writable = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => {
    const field = fields[name]
    return field?.part === 'value' && field.change === 'write' && field.type.is !== 'secret'
  })

/** The thing is identified by declared values. */
export const named = (
  scope: readonly string[],
  key: string,
  more: { keyInAnswer?: string } = {},
): IdentityWord => ({
  scope,
  key,
  assigned: 'never',
  declaredAs: key,
  keyInAnswer: more.keyInAnswer ?? 'id',
  unique: [],
  recognisedBy: [],
})

/** The service assigns the key when the thing is created. */
export const assigned = (
  scope: readonly string[],
  key: string,
  more: {
    unlessDeclared?: boolean
    declaredAs?: string
    unique?: readonly string[]
    recognisedBy: readonly string[]
  },
): IdentityWord => ({
  scope,
  key,
  assigned: more.unlessDeclared === true ? 'unless-declared' : 'by-service',
  declaredAs: more.declaredAs ?? key,
  keyInAnswer: 'id',
  unique: more.unique ?? [],
  recognisedBy: more.recognisedBy,
})

export const everything = (list: Operation, get: Operation | None): Observe => ({
  how: 'everything',
  list,
  get,
})
export const partly = (reason: string, parts: Readonly<Record<string, Part>>): Observe => ({
  how: 'parts',
  reason,
  parts,
})
export const nothing = (reason: string): Observe => ({ how: 'nothing', reason })

export const forget: ReleaseWay = {
  way: 'forget',
  summary: 'It is removed from the state. Nothing is sent, and the service keeps it as it is.',
}

/** How a thing is released if nothing else is said. */
export const defaultRelease = ({ release }: Pick<KindDefinition, 'release'>): string =>
  Object.keys(release)[0] ?? 'forget'

/** The definition of a kind; undefined if there is none. */
export const definitionOf = (
  definitions: readonly KindDefinition[],
  kind: string,
): KindDefinition | undefined => definitions.find((each) => each.kind === kind)
