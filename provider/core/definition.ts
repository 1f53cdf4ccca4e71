import type { Adoption } from './adoption.ts'
import type { Decode, Fields } from './field.ts'
import type { Expansion } from './expansion.ts'
import { isNone, type None, type Operation } from './operation.ts'
import type { Identity, Values } from './values.ts'

/**
 * The whole truth about one kind. Every word is required, so a definition which forgets one does not
 * compile; what the API lacks is said with `none(reason)`. The engine reads these words and names no kind.
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
  /** What a person might want to declare, because it is shown, but no call can change it. */
  readonly fixed: Fixed | None
  readonly absence: Absence | None
  readonly lifetime: Lifetime | None
  /** Ways of removal by name; the first is the default. */
  readonly release: Readonly<Record<string, ReleaseWay>>
  readonly witness: Witness | None
  readonly unmanaged: Unmanaged
  readonly guards: readonly Guard[]
  /** How `adopt` writes what is there into a manifest. */
  readonly adoption: Adoption
  /** How its things keep alerts quiet for a while; one kind at most has it. */
  readonly silences: Silences | None
  /** Rules across fields and entries that hold before anything is sent. */
  readonly rules: readonly Rule[]
  readonly docs: { readonly example: string; readonly notes: readonly string[] }
}

/** `scope` are the declared path parameters, `key` the last one, `assigned` whether the service makes it up. */
export interface IdentityWord {
  readonly scope: readonly string[]
  readonly key: string
  readonly assigned: 'by-service' | 'never' | 'unless-declared'
  /** The field by which a manifest names a thing that exists, where it is not called as the key is. */
  readonly declaredAs: string
  /** The name of the key in answers, where it differs from the field's. */
  readonly keyInAnswer: string
  /** Values that no two entries may share, besides the identity. */
  readonly unique: readonly string[]
  /** Values by which a renamed entry recognises its record, where the service assigns the key. */
  readonly recognisedBy: readonly string[]
}

/** How the live thing is read. */
export type Observe =
  | { readonly how: 'everything'; readonly list: Operation; readonly get: Operation | None }
  /** Parts have a list of their own; the rest is shown by no endpoint. */
  | { readonly how: 'parts'; readonly reason: string; readonly parts: Readonly<Record<string, Part>> }
  | { readonly how: 'nothing'; readonly reason: string }

/** A field that a list of its own shows: each of its items is one element. */
export interface Part {
  readonly list: Operation
  readonly item: (raw: Values) => unknown
  /** Error codes by which the service says that the thing itself is not there, and not the part alone. */
  readonly goneCodes: RegExp
  /** Error codes by which it says that the place is not there. */
  readonly placeCodes: RegExp
  /** What a person does if the part differs, because no endpoint writes it. */
  readonly byHand: string
}

export interface Establish {
  readonly create: Create | None
  readonly adopt: Adopt | None
}
export interface Create {
  readonly operation: Operation
  /** What is said if the service answers that it already exists. */
  readonly conflict?: string
  /** A list of the place: whether the place is there shows in it, where nothing else is read before a creation. */
  readonly place?: Operation
  /**
   * Made once for all: nothing deletes it, and a second creation is answered with a conflict. So nothing replaces
   * it, and no door gives it up in one place to take it up in another.
   */
  readonly once?: true
  /** How a lost answer is settled: by events that name the new thing, or only by a person. */
  readonly lost: LostCreation | None
}
export type LostCreation = LostById | LostByName

/** Events name what was made by its id, and the thing itself is asked whether it is the one that was wanted. */
export interface LostById {
  readonly by: 'id'
  /** The event's field with the id of the new thing. */
  readonly idInEvent: string
  /** Event types that mean a creation; a change of a thing proves none. */
  readonly types: RegExp
  /** The event's field that tells values of the new thing by the API's names: it can rule it out, and proves nothing. */
  readonly told: string
  /** To ask a candidate, the first declared one of these is written: harmless ones come first, and none says when. */
  readonly asks: readonly string[]
}

/** Events name what was made by the value that the witness has of it, and its id once it acts itself. */
export interface LostByName {
  readonly by: 'name'
  readonly types: RegExp
  /** The event's fields with the value and the id of whoever caused it. */
  readonly actor: { readonly name: string; readonly id: string }
  /** Fields that can be written again with the values that they have, which causes an event and nothing else. */
  readonly repeats: readonly string[]
  /** The status by which a service refuses a second one of the same name; that it does is learnt, not assumed. */
  readonly refusedAs: number
  /** Why no event of the creation tells the id. */
  readonly because: string
}
export interface Adopt {
  /** A declared field that has to be true first, and why. */
  readonly requires?: { readonly field: string; readonly because: string }
  /** Fields of the first, harmless write, whose answer tells the rest. */
  readonly learnBy: readonly string[]
  /** A declared field which says that it is fine if nothing is there. */
  readonly mayBeMissing?: string
}

export interface Write {
  readonly operation: Operation
  /** The fields that a change can be sent of: kept at the service, and not told by it or given once. */
  readonly fields: readonly string[]
}

/** Names that answers have and an entry cannot have, and why. */
export interface Fixed {
  readonly names: readonly string[]
  readonly because: None
}

/** How a thing that must not exist is deleted, and for which keys the API can. */
export interface Absence {
  readonly operation: Operation
  readonly deletable: readonly string[]
  /** The flag that has to be given for what is deleted only because a list does not name it. */
  readonly unlisted: string
  readonly byHand: string
}

/** A thing that ends by itself: no write is accepted after this instant. */
export interface Lifetime {
  readonly endsAt: string
  /** What is over and gets other values of these is another thing, to be created. */
  readonly dates: readonly string[]
  /** Error codes by which the service says that it is over and takes no change any more. */
  readonly overCodes: RegExp
  /** A list of the same scope: one item of it tells the service's time where nothing else had to be read. */
  readonly timeFrom: Operation
}

type LastBody = (record: { applied: Values; adopted: Values | null }, now: Date) => Values | undefined

export type ReleaseWay =
  | { readonly way: 'forget'; readonly summary: string }
  | {
      readonly way: 'send'
      readonly summary: string
      /** The last body, or nothing if there is nothing left to do. */
      readonly body: LastBody
      /** What is sent once more where the service has refused the first for what time alone has made of it. */
      readonly again?: {
        /** Whether a moment of the refused body has passed on its way. Any other refusal would be repeated. */
        readonly where: (refused: Values, now: Date) => boolean
        readonly body: LastBody
      }
      /** Only where live values are still those that were last written. */
      readonly ifUntouched?: boolean
      /** A field that must be empty in the answer; what remains keeps the record. */
      readonly empties?: string
    }

/** Which events are about an instance, and which fields they speak of. */
export interface Witness {
  /** The event's field, and where the instance keeps the same value. */
  readonly event: string
  readonly instance: string
  /** The event's fields that say in which place it happened, the narrower ones first. */
  readonly places: readonly string[]
  /** Event types (beginnings of names) that count; every type where none is given. */
  readonly types: readonly string[]
  /** Which fields an event type speaks of; a type that is neither here nor in `sets` may mean any field. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** Event types that tell which values they gave to the fields that they speak of. */
  readonly sets: Readonly<Record<string, Values>>
  /** Event types that one write can cause any number of. */
  readonly repeated: readonly string[]
  /** How many events of a type that is not `repeated` one request can cause in one of its `places`. */
  readonly atOnce?: (applied: Values) => number
}

/** How things that nobody declares are found, and what a person learns about them. */
export type Unmanaged =
  /** By the list of `observe`; events of the witness tell who made or changed it. */
  | {
      readonly foundBy: 'list'
      /** What the list shows besides the identity, by which a manifest can name those that are known. */
      readonly alsoNamedBy: readonly string[]
      /** What it is, for a person, by what the list shows of it. */
      readonly what: (seen: Values) => string
    }
  /** Only by the events of the witness. */
  | {
      readonly foundBy: 'events'
      /** Event types that show that it is there, and who made or changed it. */
      readonly shownBy: RegExp
      /** Event types that say that it is gone altogether. */
      readonly endedBy: RegExp
      /** Those that say that it has left one place, the narrowest that they tell, and what is within that. */
      readonly leftBy: RegExp | None
      /** Event types whose actor made the thing. */
      readonly madeBy: RegExp
      /** The same, by the raw documents of its events, the newest first. */
      readonly what: (events: readonly Values[]) => What
    }

/** What events tell of a thing. */
export interface What {
  /** For a person. */
  readonly says: string
  /** The event that tells what matters most of it; omitted if that is of all of them. */
  readonly from?: Values
  /** It owns: it may take all else away from anybody. */
  readonly owns?: true
}

/** For things that keep alerts quiet for a while: the fields that say of which types, from when, until when and why. */
export interface Silences<Name extends string = string> {
  readonly types: Name
  readonly from: Name
  readonly to: Name
  readonly why: Name
  /** The way of release by which alerts are quiet no longer. */
  readonly ending: string
}

export type Guard =
  /** Losing the last holder of `value` in `field`, or the caller's own, has to be asked for with `flag`. */
  | {
      readonly guard: 'keeps'
      readonly field: string
      readonly value: string
      /** The field of an element that holds the value; none where elements are the values. */
      readonly elementField?: string
      /** The element's field, or the identity's, that names the scope in which holders are counted. */
      readonly scope: string
      /** The answer's field that shows whether the instance is the caller. */
      readonly caller: string | undefined
      readonly flag: string
    }
  /** Parts of an answer outside the declared field would be lost by writing it. */
  | {
      readonly guard: 'nothing-beside'
      readonly field: string
      readonly flag: string
      readonly because: string
    }

/** A rule across the fields of one entry; answers what is wrong and at which field. */
export type Rule =
  | {
      readonly over: 'entry'
      /** Fields that it looks at: it is asked only where these are sound by themselves. */
      readonly reads: readonly string[]
      readonly check: (values: Values) => readonly Finding[]
    }
  /** About which fields are given: it is asked whatever is wrong with their values. */
  | {
      readonly over: 'presence'
      readonly reads: readonly string[]
      readonly check: (values: Values) => readonly Finding[]
    }
  /** About one mapping of the entry, as far as what stands in it is sound; paths begin at the mapping. */
  | {
      readonly over: 'mapping'
      readonly field: string
      /** `isSound` says whether the value of a name is known and valid by itself, also if it is omitted. */
      readonly check: (mapping: Values, isSound: (name: string) => boolean) => readonly Finding[]
    }
  /** About each mapping of a list by itself, where that is sound; paths begin at the element. */
  | {
      readonly over: 'element'
      /** Where the list stands in the entry. */
      readonly list: readonly string[]
      readonly check: (element: Values) => readonly Finding[]
    }
  /** Across all entries of the section whose fields are sound: indexes of the two that disagree. */
  | {
      readonly over: 'section'
      readonly reads: readonly string[]
      readonly check: (entries: readonly Values[]) => readonly Disagreement[]
    }

/** A sentence of a definition, with the values that its braces name. */
export interface Sentence {
  readonly text: string
  readonly of?: Values
}

/** What is wrong with an entry, and where; a door spells the fields in it: `{.alertConfigId}`. */
export interface Finding extends Sentence {
  readonly path: readonly (string | number)[]
  /** The field that has to be given there. */
  readonly needs?: string
}
export interface Disagreement extends Sentence {
  readonly entries: readonly [number, number]
}

/** A definition as it is written: which fields a change is sent of follows from their traits. */
interface Written<F extends Fields> extends Omit<KindDefinition<F>, 'write'> {
  readonly write: Operation | None
  readonly silences: Silences<keyof F & string> | None
}

/** Keeps the literal types of `fields`, so a manifest's types derive from it. */
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

/** The thing is named by values that are declared. */
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

/** The service names the thing when it is created. */
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
  summary: 'The record is dropped. Nothing is sent, and the thing stays as it is.',
}

/** The definition of a kind; nothing where none of them is of it. */
export const definitionOf = (
  definitions: readonly KindDefinition[],
  kind: string,
): KindDefinition | undefined => definitions.find((each) => each.kind === kind)

export type { Decode, Fields, Identity, Operation, Values }
