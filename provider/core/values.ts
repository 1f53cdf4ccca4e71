/** Declared or answered values by field name. */
export type Values = Readonly<Record<string, unknown>>
/** What names one thing at the service: path parameters by name. */
export type Identity = Readonly<Record<string, string>>

/** A value of data as text; what is no string is spelt as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
