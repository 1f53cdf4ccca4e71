import { type Static, type TSchema, Type } from 'typebox'

const strict = { additionalProperties: false } as const

/** A schema for something of ours: no fields but those named. */
export const record = <P extends Record<string, TSchema>>(properties: P, options: object = {}) =>
  Type.Object(properties, { ...strict, ...options })

/** The same with every field optional: what a fixture may leave out. */
export const draft = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Partial(Type.Object(properties), strict)

/** A resource in an answer: extra fields are part of the bargain, the described ones have their types. */
export const resource = <P extends Record<string, TSchema>>(properties: P, title: string) =>
  Type.Object(properties, { title })

/** An instant in an answer: UTC, with `Z`. */
export const Timestamp = Type.String({
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$`,
})

export const optional = Type.Optional

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

/** A unit that a currentValue can have: a configuration's own can be any text. */
export const unitOf = (text = 'RAW'): CurrentValue['units'] => units.find((unit) => unit === text) ?? 'RAW'

export const CurrentValue = record({ number: Type.Number(), units: Type.Enum([...units]) })
export type CurrentValue = Static<typeof CurrentValue>

/** The list envelope of all list endpoints; `status` is there with envelope=true. */
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
