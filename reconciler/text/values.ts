import { visible } from './display.ts'
import { formatInstant, instantOf } from './instants.ts'

/** What a definition says that a value is, as far as that counts for how it is shown. */
export interface ValueType {
  readonly is: string
  /** Of a list. */
  readonly of?: ValueType
  /** Of an object. */
  readonly fields?: FieldTypes
}
export type FieldTypes = Readonly<Record<string, { readonly type: ValueType }>>

export interface ValueOptions {
  /** Columns of an id inside an object; whole where left out. */
  readonly idLength?: number | undefined
  /** Those that are shortened, of ids that have no name; all where left out. */
  readonly shortened?: readonly string[] | undefined
  /** What people call ids. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** What its definition says of it; without one, what looks like an instant is taken for one. */
  readonly type?: ValueType | undefined
}

/**
 * A value on one line, with nothing in it that a terminal obeys. Sets are joined by `, `, an object is
 * what it is called and then its other fields: `ORG_MEMBER orgId 5980…`.
 */
export const showValue = (value: unknown, options: ValueOptions = {}): string => show(value, options, 0)

const show = (value: unknown, options: ValueOptions, depth: number): string => {
  if (value === null || value === undefined) return '(none)'
  if (typeof value === 'string') {
    const name = nameOf(value, options)
    return name === undefined
      ? showText(value, options, depth > 0)
      : `${visible(name)} (${value.slice(0, options.idLength)}${(options.idLength ?? value.length) < value.length ? '…' : ''})`
  }
  if (Array.isArray(value))
    return value.length === 0
      ? '(empty)'
      : value.map((item: unknown) => show(item, within(options), depth + 1)).join(', ')
  if (typeof value === 'object') return showObject(value as Readonly<Record<string, unknown>>, options, depth)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '(none)'
}

/** What people call it; a text says what it says, whatever else is called so. */
const nameOf = (value: string, { names, type }: ValueOptions): string | undefined =>
  isText(type) ? undefined : names?.get(value)

const isText = (type: ValueType | undefined): boolean => type?.is === 'string'

/** The options for what is in a list, or for a field of an object. */
const within = (options: ValueOptions, name?: string): ValueOptions =>
  options.type === undefined ? options : { ...options, type: partOf(options.type, name) }

/** What a definition says of one of its fields. */
export const typeIn = (fields: FieldTypes | undefined, name: string): ValueType | undefined =>
  fields && (fields[name]?.type ?? UNTOLD)

const partOf = ({ of, fields }: ValueType, name: string | undefined): ValueType =>
  (name === undefined ? of : fields?.[name]?.type) ?? UNTOLD
/** What no definition says anything of. */
const UNTOLD: ValueType = { is: 'json' }

const showText = (text: string, { type }: ValueOptions, isPart: boolean): string => {
  const at = type === undefined || type.is === 'instant' ? instantOf(text) : undefined
  if (at !== undefined) return formatInstant(at)
  const plain = visible(text)
  // Quotes where the reader could not tell where the text begins or ends.
  return text === '' || text.trim() !== text || (isPart && text.includes(', ')) ? `"${plain}"` : plain
}

const NAMES_IT = /^(?:name|type)$|Name$/

const showObject = (
  value: Readonly<Record<string, unknown>>,
  options: ValueOptions,
  depth: number,
): string => {
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  if (fields.length === 0) return '(empty)'
  const title = fields.find(([name, inner]) => NAMES_IT.test(name) && typeof inner === 'string')
  const others = fields.filter((field) => field !== title)
  const shown = others.map(
    ([name, inner]) => `${visible(name)} ${showPart(inner, within(options, name), depth + 1)}`,
  )
  return [
    ...(title === undefined ? [] : [show(title[1], within(options, title[0]), depth + 1)]),
    ...shown,
  ].join(' ')
}

const showPart = (value: unknown, options: ValueOptions, depth: number): string => {
  const name = typeof value === 'string' ? nameOf(value, options) : undefined
  if (name !== undefined) return visible(name)
  if (typeof value === 'string' && isId(value) && options.idLength !== undefined && !isText(options.type))
    return options.shortened?.includes(value) !== false && options.idLength < value.length
      ? `${value.slice(0, options.idLength)}…`
      : value
  const isComposed = typeof value === 'object' && value !== null
  return isComposed ? `(${show(value, options, depth)})` : show(value, options, depth)
}

export const isId = (text: string): boolean => /^(?:[0-9a-f]{24}|[0-9a-f]{32})$/.test(text)

/** An id where it only has to be found again, such as an event's. */
export const shortId = (id: string): string => (isId(id) ? `${id.slice(0, 4)}…` : visible(id))

const SHORTEST_ID = 4

/** The least length that still tells all ids in these values apart. */
export const tellingLength = (values: readonly unknown[]): number => {
  const ids = [...new Set(values.flatMap((value) => idsIn(value)))]
  let length = SHORTEST_ID
  while (length < 24 && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length += 2
  return length
}

const idsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return isId(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((inner: unknown) => idsIn(inner))
}
