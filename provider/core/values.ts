/** Declared or answered values by field name. */
export type Values = Readonly<Record<string, unknown>>
/** What names one thing at the service: path parameters by name. */
export type Identity = Readonly<Record<string, string>>

/** A value of data as text; what is no string is spelt as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** The same keys, each with what is made of its value. */
export const mapValues = <V, W>(
  record: Readonly<Record<string, V>>,
  change: (value: V, key: string) => W,
): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
