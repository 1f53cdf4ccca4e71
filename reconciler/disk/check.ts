import { isObject, parseInstant } from '@deploymgmt/provider/core'

/** A fault in a value that was read back from disk: its place (a JSON path), and what was expected. */
export interface Fault {
  readonly at: string
  readonly expected: string
}

export type JsonSchema = Readonly<Record<string, unknown>>

/** Converts a check to JSON Schema. What is passed to `define` is converted once, and referred to. */
type Draw = (define: Define) => JsonSchema
type Define = (name: string, draw: Draw) => JsonSchema

interface Drawn {
  /** The schema for others, which is stricter: unknown fields are refused. */
  readonly draw?: Draw
}

/** Finds the first difference between a value and the type. */
export interface Check<T> extends Drawn {
  (value: unknown, at: string): Fault | undefined
  /** The type in both directions, so that a check is neither wider nor narrower than its type. */
  readonly of?: (value: T) => T
}

/**
 * A value as its type, if it matches completely.
 * @param refuse receives the first fault, and a sentence: `$.serial has to be a whole number from 1`
 */
export const readAs = <T>(
  check: Check<T>,
  value: unknown,
  refuse: (fault: Fault, words: string) => Error,
): T => {
  const fault = check(value, '$')
  if (fault !== undefined) throw refuse(fault, `${fault.at} has to be ${fault.expected}`)
  return value as T
}

export const conforms = <T>(check: Check<T>, value: unknown): value is T => check(value, '$') === undefined

/** A check as JSON Schema (2020-12). @throws RangeError if a part of it has none */
export const schemaOf = (check: Drawn, title: string): JsonSchema => {
  const defined: Record<string, JsonSchema> = {}
  const define: Define = (name, draw) => {
    defined[name] ??= draw(define)
    return { $ref: `#/$defs/${name}` }
  }
  const schema = drawOf(check)(define)
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema, $defs: defined }
}

const drawOf = ({ draw }: Drawn): Draw => {
  if (draw === undefined) throw new RangeError('a check of files of our own has no schema for others')
  return draw
}

const drawn = <T>(draw: Draw, check: Check<T>): Check<T> => Object.assign(check, { draw })

/** The check with a description of its value. */
export const described = <T>(meaning: string, check: Check<T>): Check<T> =>
  drawn(
    (define) => ({ ...drawOf(check)(define), description: meaning }),
    (value, at) => check(value, at),
  )

/** The check with a name of its own in a schema. */
export const named = <T>(name: string, check: Check<T>): Check<T> =>
  drawn(
    (define) => define(name, drawOf(check)),
    (value, at) => check(value, at),
  )

/** @param schema the schema for others, if they read the value */
export const expecting = <T>(
  expected: string,
  holds: (value: unknown) => boolean,
  schema?: JsonSchema,
): Check<T> => {
  const check: Check<T> = (value, at) => (holds(value) ? undefined : { at, expected })
  return schema === undefined ? check : drawn(() => schema, check)
}

const wholeFrom = (least: number): Check<number> =>
  expecting(
    `a whole number from ${least}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least,
    { type: 'integer', minimum: least },
  )

export const anything = expecting<unknown>('a value', () => true, {})
export const text = expecting<string>('a string', (value) => typeof value === 'string', { type: 'string' })
export const filled = expecting<string>(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
)
export const instant = expecting<string>(
  'an instant',
  (value) => typeof value === 'string' && !Number.isNaN(parseInstant(value)),
  { type: 'string', format: 'date-time' },
)
export const flag = expecting<boolean>('true or false', (value) => typeof value === 'boolean', {
  type: 'boolean',
})
export const values = expecting<Readonly<Record<string, unknown>>>('an object', isObject, { type: 'object' })
export const fromZero = wholeFrom(0)
export const quantity = expecting<number>(
  'a number from 0',
  (value) => typeof value === 'number' && value >= 0,
  { type: 'number', minimum: 0 },
)
export const fromOne = wholeFrom(1)

export const constant = <const T extends string | number | boolean>(only: T): Check<T> =>
  expecting(
    `${typeof only === 'number' ? 'the number ' : ''}${JSON.stringify(only)}`,
    (value) => value === only,
    { const: only },
  )

/** One of the keys of a table, so that no member of the type can be forgotten. */
export const wordOf = <T extends string>(words: Readonly<Record<T, unknown>>): Check<T> =>
  expecting(
    `one of ${Object.keys(words).join(', ')}`,
    (value) => typeof value === 'string' && Object.hasOwn(words, value),
    { enum: Object.keys(words) },
  )

export const orNull = <T>(check: Check<T>): Check<T | null> =>
  drawn(
    (define) => ({ anyOf: [drawOf(check)(define), { type: 'null' }] }),
    (value, at) => {
      const fault = value === null ? undefined : check(value, at)
      return fault?.at === at ? { at, expected: `${fault.expected} or null` } : fault
    },
  )

export const listOf = <T>(item: Check<T>): Check<readonly T[]> =>
  drawn(
    (define) => ({ type: 'array', items: drawOf(item)(define) }),
    (value, at) => (Array.isArray(value) ? inEachOf(value, item, at) : { at, expected: 'a list' }),
  )

const inEachOf = <T>(value: readonly unknown[], item: Check<T>, at: string): Fault | undefined => {
  for (let index = 0; index < value.length; index++) {
    const fault = item(value[index], '')
    if (fault !== undefined) return within(at, `[${index}]`, fault)
  }
  return undefined
}

export const mapOf = <T>(item: Check<T>): Check<Readonly<Record<string, T>>> =>
  drawn(
    (define) => ({ type: 'object', additionalProperties: drawOf(item)(define) }),
    (value, at) => (isObject(value) ? inEach(value, item, at) : { at, expected: 'an object' }),
  )

const inEach = <T>(
  value: Readonly<Record<string, unknown>>,
  item: Check<T>,
  at: string,
): Fault | undefined => {
  // A parsed value has only own properties, which need not be listed first.
  for (const key in value) {
    const fault = item(value[key], '')
    if (fault !== undefined) return within(at, step(key), fault)
  }
  return undefined
}

/** Adds the place to a fault. Built from inside out, because valid values need no place. */
const within = (at: string, last: string, fault: Fault): Fault => ({
  ...fault,
  at: `${at}${last}${fault.at}`,
})

const step = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)

interface Optional<T> {
  readonly optional: Check<T>
}
export const optional = <T>(check: Check<T>): Optional<T> => ({ optional: check })

/** A check for each field of `T`, optional if the type is, so that no field can be forgotten. */
type FieldsOf<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K> ? Optional<Exclude<T[K], undefined>> : Check<T[K]>
}

type AnyField = Check<unknown> | Optional<unknown>

/** An object with the fields of `T`; other fields are kept. */
export const objectOf = <T>(fields: FieldsOf<T>): Check<T> => {
  const known = Object.entries(fields as Readonly<Record<string, AnyField>>)
  const looks = known.map(([name, field]) =>
    'optional' in field
      ? { name, look: field.optional, isOptional: true }
      : { name, look: field, isOptional: false },
  )
  return drawn(drawObject(known), (value, at) => {
    if (!isObject(value)) return { at, expected: 'an object' }
    for (const { name, look, isOptional } of looks) {
      const isThere = Object.hasOwn(value, name)
      if (!isThere && isOptional) continue
      const fault = look(isThere ? value[name] : undefined, '')
      if (fault !== undefined) return within(at, `.${name}`, fault)
    }
    return undefined
  })
}

const drawObject =
  (fields: readonly (readonly [string, AnyField])[]): Draw =>
  (define) => ({
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, drawOf('optional' in field ? field.optional : field)(define)]),
    ),
    required: fields.flatMap(([name, field]) => ('optional' in field ? [] : [name])),
    additionalProperties: false,
  })

/** The type that a check enforces. */
export type TypeOf<C> = C extends Check<infer T> ? T : never

/** The type that follows from the checks of fields, for values that are only written here. */
type FieldTypes<F> = {
  [K in keyof F as F[K] extends AnyOptional ? never : K]: TypeOf<F[K]>
} & {
  [K in keyof F as F[K] extends AnyOptional ? K : never]?: F[K] extends Optional<infer T>
    ? T | undefined
    : never
}
interface AnyOptional {
  readonly optional: unknown
}

/** An object whose type follows from its fields. */
export const shapeOf = <F extends object>(fields: F): Check<FieldTypes<F>> =>
  objectOf<FieldTypes<F>>(fields as unknown as FieldsOf<FieldTypes<F>>)

/** One of two forms that no value can have both of; the first has a name of its own in a schema. */
export const eitherOf = <T, U>(name: string, one: Check<T>, other: Check<U>): Check<T | U> =>
  drawn(
    (define) => ({ oneOf: [define(name, drawOf(one)), drawOf(other)(define)] }),
    (value, at) => (other(value, at) === undefined ? undefined : one(value, at)),
  )

/** One of several kinds of objects, distinguished by a field. */
export const variantsOf = <K extends string, T extends Readonly<Record<K, string>>>(
  key: K,
  variants: { readonly [V in T[K]]: Check<Extract<T, Readonly<Record<K, V>>>> },
): Check<T> => {
  const word = wordOf(variants)
  return drawn(
    (define) => ({ oneOf: Object.values<Drawn>(variants).map((each) => drawOf(each)(define)) }),
    (value, at) => {
      if (!isObject(value)) return { at, expected: 'an object' }
      const fault = word(value[key], `${at}.${key}`)
      return fault ?? variants[value[key] as T[K]](value, at)
    },
  )
}
