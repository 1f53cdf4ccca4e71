import { isIP } from 'node:net'
import type { DataSourceDefinition } from '../../core/data-source.ts'
import type { Field, FieldType } from '../../core/field.ts'
import { isInstant } from '../../core/instant.ts'
import { ID_PATTERN } from '../../core/json-schema.ts'
import { nearest } from '../../core/nearest.ts'
import type { Values } from '../../core/values.ts'
import type { ArgumentProblem } from '../../errors/index.ts'
import { formatInstant } from '../values/compare.ts'

/** A value as a path or a query takes it. */
export type ArgumentValue = string | number | boolean
export type ArgumentValues = Readonly<Record<string, ArgumentValue>>

type Read = { readonly value: ArgumentValue } | { readonly wrong: string }
const wrong = (message: string): Read => ({ wrong: message })

/**
 * The arguments as values of their types, and everything that is wrong with them. Numbers and truth values
 * may come as text, as a command line gives them.
 */
export const checkArguments = (
  definition: DataSourceDefinition,
  given: Values,
): { values: ArgumentValues; problems: readonly ArgumentProblem[] } => {
  const values: Record<string, ArgumentValue> = {}
  const problems: ArgumentProblem[] = []
  for (const [argument, value] of Object.entries(given)) {
    if (isLeftOut(value)) continue
    const field = fieldOf(definition, argument)
    const read = field === undefined ? wrong(unknownArgument(definition, argument)) : readValue(field, value)
    if ('wrong' in read) problems.push({ argument, message: read.wrong })
    else values[argument] = read.value
  }
  for (const [argument, field] of Object.entries(definition.arguments))
    if (field.need === 'always' && isLeftOut(given[argument]))
      problems.push({ argument, message: `is required: ${field.summary}` })
  return { values, problems }
}

const isLeftOut = (value: unknown): boolean => value === undefined || value === null

const fieldOf = (definition: DataSourceDefinition, argument: string): Field | undefined =>
  Object.hasOwn(definition.arguments, argument) ? definition.arguments[argument] : undefined

const unknownArgument = (definition: DataSourceDefinition, argument: string): string => {
  const known = Object.keys(definition.arguments)
  return `is not an argument${didYouMean(argument, known)}; there are ${known.join(', ')}`
}

const didYouMean = (word: string, candidates: readonly string[]): string => {
  const meant = nearest(word, candidates)
  return meant === undefined ? '' : `, did you mean ${meant}?`
}

const readValue = ({ type }: Field, value: unknown): Read => {
  if (type.is === 'boolean') return readBoolean(value)
  if (type.is === 'integer') return readCount(value)
  if (typeof value !== 'string' || value === '') return wrong('has to be text that is not empty')
  return value.isWellFormed() ? readText(type, value) : wrong('is not well-formed text')
}

const readText = (type: FieldType, value: string): Read => {
  if (type.is === 'enum' && !type.open && !type.values.includes(value)) {
    const allowed = type.values.join(', ')
    return wrong(`${shown(value)} is no ${type.noun}${didYouMean(value, type.values)}; allowed: ${allowed}`)
  }
  if (type.is === 'id' && !ID.test(value)) return wrong(`${shown(value)} is no id`)
  if (type.is === 'cidr' && !isAddressOrBlock(value))
    return wrong(`${shown(value)} is neither an address nor a block such as 192.0.2.0/24`)
  if (type.is !== 'instant') return { value }
  // The API's timestamps are in UTC.
  return isInstant(value)
    ? { value: formatInstant(Date.parse(value)) }
    : wrong(`${shown(value)} is not an instant such as 2026-12-05T02:00:00Z`)
}

const readBoolean = (value: unknown): Read => {
  if (value === true || value === 'true') return { value: true }
  if (value === false || value === 'false') return { value: false }
  return wrong(`${shown(value)} is neither true nor false`)
}

const readCount = (value: unknown): Read => {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 1
    ? { value: number }
    : wrong(`${shown(value)} is not a whole number above 0`)
}

/** `..` would lead out of the path, so that another thing was read. */
const ID = new RegExp(ID_PATTERN, 'u')

export const isAddressOrBlock = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value)
