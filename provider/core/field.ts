/**
 * A field of a kind or a data source, written once. Types, JSON Schema, Terraform schema, comparison and docs derive
 * from this object.
 */

/** What holds things; every project is in an organization. */
export type Place = 'project' | 'organization'

/** The types of values. Open enumerations warn about values that they do not list; closed ones refuse them. */
export type FieldType =
  | { readonly is: 'string'; readonly minLength?: number; readonly maxLength?: number }
  /** `place`: the id names a place, whose events are about what is in it. */
  | { readonly is: 'id'; readonly place?: Place }
  | { readonly is: 'boolean' }
  | { readonly is: 'integer'; readonly atLeast?: number }
  | { readonly is: 'number' }
  | { readonly is: 'instant' }
  | { readonly is: 'cidr' }
  | { readonly is: 'enum'; readonly values: readonly string[]; readonly open: boolean; readonly noun: string }
  | { readonly is: 'secret' }
  | { readonly is: 'json' }
  /** `orAll`: a manifest may write `all` or `{ all: true, except: [NAME] }` instead. */
  | { readonly is: 'set'; readonly of: FieldType; readonly atLeast?: number; readonly orAll?: true }
  | { readonly is: 'list'; readonly of: FieldType }
  /** `shorthand`: the value of this field may replace the object. */
  | { readonly is: 'object'; readonly fields: Fields; readonly shorthand?: string }

export type Fields = Readonly<Record<string, Field>>

/** Converts one field of an answer to the declared form; `beside` is what the same list also held. */
export type Decode = (raw: unknown, identity: Readonly<Record<string, string>>) => DecodedField
interface DecodedField {
  readonly value: unknown
  /** Parts of the answer that are outside what this field declares, such as roles in another scope. */
  readonly beside?: readonly unknown[]
}

interface Traits {
  readonly need: 'always' | 'to-create' | 'never'
  /** `value` is stored by the service, `name` is part of the identity, `local` is only for the engine. */
  readonly part: 'value' | 'name' | 'local'
  readonly change: 'write' | 'create-only' | 'computed' | 'elsewhere'
  readonly wire: string | undefined
  readonly lags: boolean
  /** The name in events for elements that a person has yet to accept. */
  readonly invitedAs: string | undefined
  readonly decode: Decode | undefined
  /** The direction in which moving an instant narrows the thing; for sets and booleans, the type tells. */
  readonly narrowing: 'earlier' | 'later' | undefined
  /** Which elements that omit the field take what a manifest says for all entries. */
  readonly impliedFor: ((element: Readonly<Record<string, unknown>>) => boolean) | undefined
  /** Which elements mean the same with the field and without it. */
  readonly redundantFor: ((element: Readonly<Record<string, unknown>>) => boolean) | undefined
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
  redundantFor: undefined,
  default: undefined,
  example: undefined,
}

/** An immutable description; each method returns a changed copy. `T` is the TypeScript type, `O` its optionality. */
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
  declare readonly redundantFor: Traits['redundantFor']
  declare readonly default: Traits['default']
  declare readonly example: Traits['example']

  constructor(type: FieldType, summary: string, traits: Partial<Traits> = {}) {
    Object.assign(this, PLAIN, traits)
    this.type = type
    this.summary = summary
  }

  /** May be omitted; an omitted field is neither compared nor sent. */
  optional(): Field<T, true> {
    return this.#with({ need: 'never' })
  }
  /** Required when the thing is created, optional when it is adopted. */
  toCreate(): Field<T, true> {
    return this.#with({ need: 'to-create' })
  }
  /** Names the thing at the service: part of every path, never of a body. */
  names(): Field<T, O> {
    return this.#with({ part: 'name' })
  }
  /** Only for the engine; never sent to the service. */
  local(): Field<T, O> {
    return this.#with({ part: 'local' })
  }
  /** Sent by a creation; no endpoint changes it afterwards. */
  createOnly(): Field<T, O> {
    return this.#with({ change: 'create-only' })
  }
  /** Returned by the service, never declared. */
  computed(): Field<T, true> {
    return this.#with({ change: 'computed', need: 'never' })
  }
  /** Shown by an endpoint of its own and changed by none: compared, never sent. */
  comparedOnly(): Field<T, O> {
    return this.#with({ change: 'elsewhere' })
  }
  /** The name in the API's bodies, if it differs. */
  onTheWire(name: string): Field<T, O> {
    return this.#with({ wire: name })
  }
  /**
   * An answer may show the old value for a while (invitations), which is then no difference.
   * @param invitedAs the name in events for elements that wait to be accepted
   */
  mayLag(invitedAs?: string): Field<T, O> {
    return this.#with({ lags: true, invitedAs })
  }
  /** How an answer's value becomes the declared form, if the two differ. */
  readAs(decode: Decode): Field<T, O> {
    return this.#with({ decode })
  }
  /** Moving the instant earlier (or later) narrows the thing, which `protect` refuses. */
  narrowsWhen(direction: 'earlier' | 'later'): Field<T, O> {
    return this.#with({ narrowing: direction })
  }
  /** If such an element of a list omits the field, it takes what a manifest says for all entries. */
  impliedWhen(isSuch: NonNullable<Traits['impliedFor']>): Field<T, O> {
    return this.#with({ impliedFor: isSuch })
  }
  /** Such an element of a list already says the field by another one, so the field is not compared. */
  redundantWhen(isSuch: NonNullable<Traits['redundantFor']>): Field<T, O> {
    return this.#with({ redundantFor: isSuch })
  }
  /** The default value. */
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
type TypeOf<F> = F extends Field<infer T> ? T : never
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
/** Unordered and without duplicates; compared as such. */
export const set = <T>(of: Of<T>, summary: string, limits: { atLeast?: number } = {}) =>
  field<readonly T[]>({ is: 'set', of: of.type, ...limits }, summary)
export const list = <T>(of: Of<T>, summary: string) =>
  field<readonly T[]>({ is: 'list', of: of.type }, summary)
export const object = <F extends Fields>(fields: F, summary: string) =>
  field<ValuesOf<F>>({ is: 'object', fields }, summary)

/** Where to read a secret when, and only when, it is sent. */
type SecretReference = { readonly env: string } | { readonly file: string }
