import { visible } from './display.ts'
import { showExactTime, showTime, instantOf } from './instants.ts'
import { largest } from './lines.ts'

/** The part of a value's type that affects how it is shown. */
export interface ValueType {
  readonly is: string
  /** For a list. */
  readonly of?: ValueType
  /** For an object. */
  readonly fields?: FieldTypes
}
export type FieldTypes = Readonly<Record<string, { readonly type: ValueType }>>

export interface ValueOptions {
  /** The width of an id inside an object; full by default. */
  readonly idLength?: number | undefined
  /** The ids to shorten, among those without a name; all by default. */
  readonly shortened?: readonly string[] | undefined
  /** What people call ids. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** Whether fractions of a second are shown. */
  readonly isExact?: boolean | undefined
  /** The type from the definition; without one, anything that looks like an instant is treated as one. */
  readonly type?: ValueType | undefined
}

/**
 * A value on one line, without control characters. The items of a set are separated by `, `; an object is its name,
 * then its other fields: `ORG_MEMBER orgId 5980…`.
 */
export const showValue = (value: unknown, options: ValueOptions = {}): string => show(value, options, 0)

const show = (value: unknown, options: ValueOptions, depth: number): string => {
  if (value === null || value === undefined) return '(none)'
  if (typeof value === 'string') {
    const name = nameOf(value, options)
    return name === undefined
      ? showText(value, options, depth > 0)
      : `${visible(name)} (${visible(value.slice(0, options.idLength))}${(options.idLength ?? value.length) < value.length ? '…' : ''})`
  }
  if (Array.isArray(value))
    return value.length === 0
      ? '(empty)'
      : value.map((item: unknown) => show(item, within(options), depth + 1)).join(', ')
  if (typeof value === 'object') return showObject(value as Readonly<Record<string, unknown>>, options, depth)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '(none)'
}

/** What people call the id; a text stays as it is, even if it equals a known id. */
const nameOf = (value: string, { names, type }: ValueOptions): string | undefined =>
  isText(type) ? undefined : names?.get(value)

const isText = (type: ValueType | undefined): boolean => type?.is === 'string'

/** The options for the items of a list, or for a field of an object. */
const within = (options: ValueOptions, name?: string): ValueOptions =>
  options.type === undefined ? options : { ...options, type: partOf(options.type, name) }

/** The type of a field, from the definition. */
export const typeIn = (fields: FieldTypes | undefined, name: string): ValueType | undefined =>
  fields && (fields[name]?.type ?? UNTOLD)

const partOf = ({ of, fields }: ValueType, name: string | undefined): ValueType =>
  (name === undefined ? of : fields?.[name]?.type) ?? UNTOLD
/** The type of values without a definition. */
const UNTOLD: ValueType = { is: 'json' }

const showText = (text: string, { type, isExact }: ValueOptions, isPart: boolean): string => {
  const at = type === undefined || type.is === 'instant' ? instantOf(text) : undefined
  if (at !== undefined) return isExact === true ? showExactTime(at) : showTime(at)
  const plain = visible(text)
  // Quoted if the beginning or end of the text would be unclear.
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
  if (
    typeof value === 'string' &&
    looksLikeId(value) &&
    options.idLength !== undefined &&
    !isText(options.type)
  )
    return options.shortened?.includes(value) !== false && options.idLength < value.length
      ? `${value.slice(0, options.idLength)}…`
      : value
  const isComposed = typeof value === 'object' && value !== null
  return isComposed ? `(${show(value, options, depth)})` : show(value, options, depth)
}

export const looksLikeId = (text: string): boolean => /^(?:[0-9a-f]{24}|[0-9a-f]{32})$/.test(text)

/** A short id for something that only has to be found again, such as an event. */
export const shortId = (id: string): string => (looksLikeId(id) ? `${id.slice(0, 4)}…` : visible(id))

const SHORTEST_ID = 4

/** The smallest length at which all ids in these values differ, and all ids with a name. */
export const tellingLength = (
  values: readonly unknown[],
  names: ReadonlyMap<string, string> = NO_NAMES,
): number => {
  const known = ofNames.get(names) ?? lengthFor([...names.keys()])
  ofNames.set(names, known)
  return Math.max(known, lengthFor(values))
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()
/** All fields of a report have the same names. */
const ofNames = new WeakMap<ReadonlyMap<string, string>, number>()

const lengthFor = (values: readonly unknown[]): number => {
  const ids = [...new Set(values.flatMap((value) => idsIn(value)))]
  const longest = largest(ids.map((id) => id.length))
  let length = SHORTEST_ID
  while (length < longest && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length += 2
  return length
}

const idsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return looksLikeId(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((inner: unknown) => idsIn(inner))
}

/** API links are for machines, which read the other format. An empty list is known by its type. */
export const isLinks = (value: unknown, type?: ValueType): boolean =>
  Array.isArray(value) &&
  (value.length === 0 ? isLink(type?.of?.fields) : (value as readonly unknown[]).every(isLink))

const isLink = (each: unknown): boolean =>
  typeof each === 'object' && each !== null && 'href' in each && 'rel' in each
