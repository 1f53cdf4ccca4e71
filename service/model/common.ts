import { type Static, type TSchema, Type } from 'typebox'

const strict = { additionalProperties: false } as const

/** A schema without additional fields. */
export const record = <P extends Record<string, TSchema>>(properties: P, options: object = {}) =>
  Type.Object(properties, { ...strict, ...options })

/** The same with every field optional, for fixtures. */
export const draft = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Partial(Type.Object(properties), strict)

/** A resource in an answer: additional fields are allowed, documented ones have their types. */
export const resource = <P extends Record<string, TSchema>>(properties: P, title: string) =>
  Type.Object(properties, { title })

/** An instant in an answer: UTC, with `Z`. */
export const Timestamp = Type.String({
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$`,
})

export const optional = Type.Optional

export const isOneOf = <T extends string>(values: readonly T[], text: string): text is T =>
  (values as readonly string[]).includes(text)

export const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const Link = Type.Object({ href: Type.String(), rel: Type.String() }, { title: 'Link' })
export type Link = Static<typeof Link>

export const Links = Type.Array(Link)

/** Units enumeration of currentValue. */
const units = [
  'RAW',
  'BITS',
  'BYTES',
  'KILOBITS',
  'KILOBYTES',
  'MEGABITS',
  'MEGABYTES',
  'GIGABITS',
  'GIGABYTES',
  'TERABYTES',
  'PETABYTES',
  'MILLISECONDS',
  'SECONDS',
  'MINUTES',
  'HOURS',
  'DAYS',
] as const

/** A valid unit for currentValue: the unit of a configuration can be any text. */
export const unitOf = (text = 'RAW'): CurrentValue['units'] => units.find((unit) => unit === text) ?? 'RAW'

export const CurrentValue = record({ number: Type.Number(), units: Type.Enum([...units]) })
export type CurrentValue = Static<typeof CurrentValue>

/** The envelope of all list endpoints; `status` is set with envelope=true. */
export const listOf = (item: TSchema) =>
  Type.Object({
    results: Type.Array(item),
    links: Links,
    totalCount: Type.Integer({ minimum: 0 }),
    status: optional(Type.Integer()),
  })

export const ErrorResource = Type.Object(
  {
    detail: Type.String(),
    error: Type.Integer(),
    errorCode: Type.String(),
    parameters: Type.Array(Type.Unknown()),
    reason: Type.String(),
  },
  { title: 'Error' },
)
