import type { Field, FieldType, Fields } from '@deploymgmt/provider/core'
import { code } from './markdown.ts'

/** A field with its path: `select.matchers[].value`. */
interface Placed {
  readonly path: string
  readonly field: Field
}

/** Every field, with those of an object after the object. */
export const flattened = (fields: Fields, before = ''): Placed[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const path = before + name
    return [{ path, field }, ...inside(field.type, path)]
  })

const inside = (type: FieldType, path: string): Placed[] => {
  if (type.is === 'object') return flattened(type.fields, `${path}.`)
  if (type.is === 'set' || type.is === 'list') return inside(type.of, `${path}[]`)
  return []
}

type Enumeration = Extract<FieldType, { is: 'enum' }>

/** More values than this are listed below the table. */
const SHORT = 6

/** A type in words. */
export const typeName = (type: FieldType): string => {
  switch (type.is) {
    case 'set':
      return `set of ${plural(type.of)}${type.atLeast === undefined ? '' : `, at least ${String(type.atLeast)}`}`
    case 'list':
      return `list of ${plural(type.of)}`
    case 'string':
      return `text${lengths(type)}`
    case 'enum':
      return enumeration(type)
    case 'cidr':
      return 'IP address or CIDR block'
    case 'boolean':
      return 'true or false'
    case 'integer':
      return 'whole number'
    case 'secret':
      return 'secret: `{ env: NAME }` or `{ file: PATH }`'
    case 'json':
      return 'JSON'
    default:
      return type.is
  }
}

const plural = (type: FieldType): string => {
  const names: Partial<Record<FieldType['is'], string>> = {
    string: 'texts',
    cidr: 'IP addresses and CIDR blocks',
    object: 'objects',
  }
  if (type.is === 'enum')
    return enumeration(type)
      .replace(/^one of /, '')
      .replace(/^text, /, 'texts ')
  return names[type.is] ?? `${type.is}s`
}

const enumeration = (type: Enumeration): string => {
  const values = type.values.map((value) => code(value)).join(', ')
  if (type.values.length > SHORT) return `[${type.noun}](#${anchor(type)})`
  if (type.open) return `text, such as ${values}`
  return type.values.length === 1 ? values : `one of ${values}`
}

const lengths = ({ minLength, maxLength }: Extract<FieldType, { is: 'string' }>): string => {
  if (maxLength !== undefined) return `, ${String(minLength ?? 0)} to ${String(maxLength)} characters`
  return minLength === undefined || minLength === 0 ? '' : ', not empty'
}

const heading = ({ noun }: Enumeration): string => `Values of ${noun}`
const anchor = (type: Enumeration): string => heading(type).toLowerCase().replaceAll(' ', '-')

/** The value sets that are too long for a table, each once. */
export const valueSets = (...fields: readonly Fields[]): string[] => {
  const long = fields
    .flatMap((some) => flattened(some))
    .flatMap(({ field }) => enumerationsOf(field.type))
    .filter(({ values }) => values.length > SHORT)
  const byHeading = new Map(long.map((type) => [heading(type), type]))
  return [...byHeading].flatMap(([title, { open, values }]) => [
    `## ${title}`,
    open ? 'Known values; the service may have others:' : 'One of these:',
    values.map((value) => code(value)).join(', '),
  ])
}

const enumerationsOf = (type: FieldType): Enumeration[] => {
  if (type.is === 'enum') return [type]
  return type.is === 'set' || type.is === 'list' ? enumerationsOf(type.of) : []
}
