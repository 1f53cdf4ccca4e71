/**
 * A field of a kind or a data source, written once. Everything that has to know about it (types,
 * JSON Schema, Terraform schema, comparison, docs) derives from this object.
 */

/** Where things are; every project is in an organization. */
export type Place = 'project' | 'organization'

/** The shapes a value can have. `open` enumerations warn about values they do not list; closed ones refuse them. */
export type FieldType =
  | { readonly is: 'string'; readonly minLength?: number; readonly maxLength?: number }
  /** `place`: it names one, whose events speak of what is in it. */
  | { readonly is: 'id'; readonly place?: Place }
  | { readonly is: 'boolean' }
  | { readonly is: 'integer'; readonly atLeast?: number }
  | { readonly is: 'number' }
  | { readonly is: 'instant' }
  | { readonly is: 'cidr' }
  | { readonly is: 'enum'; readonly values: readonly string[]; readonly open: boolean; readonly noun: string }
  | { readonly is: 'secret' }
  | { readonly is: 'json' }
  /** `orAll`: in a manifest, `all` or `{ all: true, except: [NAME] }` may stand in its place. */
  | { readonly is: 'set'; readonly of: FieldType; readonly atLeast?: number; readonly orAll?: true }
  | { readonly is: 'list'; readonly of: FieldType }
  /** `shorthand`: the value of this field may stand alone instead of the object. */
  | { readonly is: 'object'; readonly fields: Fields; readonly shorthand?: string }

export type Fields = Readonly<Record<string, Field>>

/** Translates one field of an answer into the declared form; `beside` is what the same list also held. */
export type Decode = (raw: unknown, identity: Readonly<Record<string, string>>) => DecodedField
export interface DecodedField {
  readonly value: unknown
  /** Parts of the answer that are outside what this field declares, such as roles in another scope. */
  readonly beside?: readonly unknown[]
}

interface Traits {
  readonly need: 'always' | 'to-create' | 'never'
  /** `value` is kept at the service, `name` is part of the identity, `local` speaks to the engine alone. */
  readonly part: 'value' | 'name' | 'local'
  readonly change: 'write' | 'create-only' | 'computed' | 'elsewhere'
  readonly wire: string | undefined
  readonly lags: boolean
  /** What events call those of its elements that a person has yet to accept. */
  readonly invitedAs: string | undefined
  readonly decode: Decode | undefined
  /** In which direction moving an instant narrows the thing; of sets and booleans the type tells. */
  readonly narrowing: 'earlier' | 'later' | undefined
  /** Of the elements that omit it, those that a manifest's own word for all of them stands for. */
  readonly impliedFor: ((element: Readonly<Record<string, unknown>>) => boolean) | undefined
  readonly default: unknown
  readonly example: unknown
}

const PLAIN: Traits = {
  need: 'always',
  part: 'value',
  change: 'write',
  wire: undefined,
  lags: false,
  invitedAs: undefined,
  decode: undefined,
  narrowing: undefined,
  impliedFor: undefined,
  default: undefined,
  example: undefined,
}

/** An immutable description; each method answers a changed copy. `T` is the TypeScript type, `O` its optionality. */
export class Field<T = unknown, O extends boolean = boolean> implements Traits {
  declare readonly ['#t']: T
  declare readonly ['#o']: O
  readonly type: FieldType
  readonly summary: string
  declare readonly need: Traits['need']
  declare readonly part: Traits['part']
  declare readonly change: Traits['change']
  declare readonly wire: Traits['wire']
  declare readonly lags: Traits['lags']
  declare readonly invitedAs: Traits['invitedAs']
  declare readonly decode: Traits['decode']
  declare readonly narrowing: Traits['narrowing']
  declare readonly impliedFor: Traits['impliedFor']
  declare readonly default: Traits['default']
  declare readonly example: Traits['example']

  constructor(type: FieldType, summary: string, traits: Partial<Traits> = {}) {
    Object.assign(this, PLAIN, traits)
    this.type = type
    this.summary = summary
  }

  /** May be left out; what is left out is not compared and not sent. */
  optional(): Field<T, true> {
    return this.#with({ need: 'never' })
  }
  /** Has to be there when the thing is created, and may be left out when it is adopted. */
  toCreate(): Field<T, true> {
    return this.#with({ need: 'to-create' })
  }
  /** Names the thing at the service: part of every path, never of a body. */
  names(): Field<T, O> {
    return this.#with({ part: 'name' })
  }
  /** Speaks to the engine; the service never hears of it. */
  local(): Field<T, O> {
    return this.#with({ part: 'local' })
  }
  /** Sent by the creation; no endpoint changes it afterwards. */
  createOnly(): Field<T, O> {
    return this.#with({ change: 'create-only' })
  }
  /** Told by the service, never declared. */
  computed(): Field<T, true> {
    return this.#with({ change: 'computed', need: 'never' })
  }
  /** Shown by an endpoint of its own and changed by none: compared, never sent. */
  comparedOnly(): Field<T, O> {
    return this.#with({ change: 'elsewhere' })
  }
  /** The name that the API's bodies use, where it differs. */
  onTheWire(name: string): Field<T, O> {
    return this.#with({ wire: name })
  }
  /**
   * An answer may show the old value for a while (invitations); it is then no difference.
   *
   * @param invitedAs what events call those that wait
   */
  mayLag(invitedAs?: string): Field<T, O> {
    return this.#with({ lags: true, invitedAs })
  }
  /** How an answer's value becomes the declared form, where the two differ. */
  readAs(decode: Decode): Field<T, O> {
    return this.#with({ decode })
  }
  /** Moving the instant earlier (or later) narrows the thing, which `protect` refuses. */
  narrowsWhen(direction: 'earlier' | 'later'): Field<T, O> {
    return this.#with({ narrowing: direction })
  }
  /** Where such an element of a list leaves it out, a manifest takes what it says of all entries. */
  impliedWhen(isSuch: NonNullable<Traits['impliedFor']>): Field<T, O> {
    return this.#with({ impliedFor: isSuch })
  }
  /** The value that stands when nothing is declared. */
  or(value: T): Field<T, true> {
    return this.#with({ default: value, need: 'never' })
  }
  /** A value for the docs and the starter manifest. */
  like(example: T): Field<T, O> {
    return this.#with({ example })
  }

  #with<P extends boolean>(traits: Partial<Traits>): Field<T, P> {
    return new Field<T, P>(this.type, this.summary, { ...(this as Traits), ...traits })
  }
}

type Shape<F extends Fields> = {
  [K in keyof F as F[K] extends Field<unknown, true> ? never : K]: TypeOf<F[K]>
} & {
  [K in keyof F as F[K] extends Field<unknown, true> ? K : never]?: TypeOf<F[K]>
}
/** The TypeScript type of a field's value. */
export type TypeOf<F> = F extends Field<infer T> ? T : never
/** The TypeScript type of an object with these fields. */
export type ValuesOf<F extends Fields> = { [K in keyof Shape<F>]: Shape<F>[K] }

type Of<T> = { readonly type: FieldType; readonly ['#t']?: T }
const elementOf = <T>(type: FieldType): Of<T> => ({ type })

/** Element types for `set` and `list`. */
export const element = {
  string: elementOf<string>({ is: 'string' }),
  cidr: elementOf<string>({ is: 'cidr' }),
  json: elementOf<unknown>({ is: 'json' }),
  oneOf: <const V extends string>(values: readonly V[], noun: string): Of<V> =>
    elementOf({ is: 'enum', values, open: false, noun }),
  commonly: (values: readonly string[], noun: string): Of<string> =>
    elementOf({ is: 'enum', values, open: true, noun }),
  object: <F extends Fields>(fields: F): Of<ValuesOf<F>> => elementOf({ is: 'object', fields }),
}

type Required<T> = Field<T, false>
const field = <T>(type: FieldType, summary: string): Required<T> => new Field<T, false>(type, summary)

export const string = (summary: string, limits: { minLength?: number; maxLength?: number } = {}) =>
  field<string>({ is: 'string', ...limits }, summary)
export const id = (summary: string, more: { place?: Place } = {}) =>
  field<string>({ is: 'id', ...more }, summary)
export const boolean = (summary: string) => field<boolean>({ is: 'boolean' }, summary)
export const integer = (summary: string, limits: { atLeast?: number } = {}) =>
  field<number>({ is: 'integer', ...limits }, summary)
export const number = (summary: string) => field<number>({ is: 'number' }, summary)
/** ISO 8601 in UTC; compared as an instant. */
export const instant = (summary: string) => field<string>({ is: 'instant' }, summary)
export const secret = (summary: string) => field<SecretReference>({ is: 'secret' }, summary)
export const json = (summary: string) => field<unknown>({ is: 'json' }, summary)
export const oneOf = <const V extends string>(values: readonly V[], noun: string, summary: string) =>
  field<V>({ is: 'enum', values, open: false, noun }, summary)
export const commonly = (values: readonly string[], noun: string, summary: string) =>
  field<string>({ is: 'enum', values, open: true, noun }, summary)
/** Without order and without doubles; compared as such. */
export const set = <T>(of: Of<T>, summary: string, limits: { atLeast?: number } = {}) =>
  field<readonly T[]>({ is: 'set', of: of.type, ...limits }, summary)
export const list = <T>(of: Of<T>, summary: string) =>
  field<readonly T[]>({ is: 'list', of: of.type }, summary)
export const object = <F extends Fields>(fields: F, summary: string) =>
  field<ValuesOf<F>>({ is: 'object', fields }, summary)

/** Where a secret is to be read when, and only when, it is sent. */
export type SecretReference = { readonly env: string } | { readonly file: string }
