/** Declared or answered values by field name. */
export type Values = Readonly<Record<string, unknown>>
/** What names one thing at the service: path parameters by name. */
export type Identity = Readonly<Record<string, string>>

/** Whether the value is a mapping; a list is not. */
export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as text; anything but a string is written as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Values as the words of one text, without those that are absent or empty. */
export const spaced = (values: readonly unknown[]): string =>
  values
    .filter((value) => value !== undefined && value !== null && value !== '')
    .map((value) => textOf(value))
    .join(' ')

/** The mappings in a list; empty if the value is no list. */
export const asList = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isObject) : []

/** The value of an own key: what every object inherits, such as `constructor`, is nothing that anybody wrote. */
export const ownValue = <V>(record: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The same keys with converted values. */
export const mapValues = <V, W>(
  record: Readonly<Record<string, V>>,
  change: (value: V, key: string) => W,
): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

/** How many items have each key; keys without items are left out. */
export const countBy = <T, K extends string>(
  items: readonly T[],
  keyOf: (item: T) => K,
): Partial<Record<K, number>> => {
  const counts: Partial<Record<K, number>> = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}

/** Only these keys, whether they have a value or not. */
export const pick = <V>(
  record: Readonly<Record<string, V>>,
  names: readonly string[],
): Record<string, V | undefined> => Object.fromEntries(names.map((name) => [name, record[name]]))

/** All but these keys. */
export const omit = <T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key as K))) as Omit<T, K>

/** The entries that a test keeps. */
export const pickBy = <V>(
  record: Readonly<Record<string, V>>,
  keeps: (value: V, key: string) => boolean,
): Record<string, V> => Object.fromEntries(Object.entries(record).filter(([key, value]) => keeps(value, key)))
