import { textOf, type FieldType } from '@deploymgmt/provider/core'
import { quoted } from '../text/display.ts'
import { mayHoldExpression } from './expressions.ts'
import type { Node } from './node.ts'
import { SOUNDS_SECRET } from './secrets.ts'

/** What is said where a value does not fit its type. */
export interface Wording {
  readonly message: string
  readonly suggestion?: string | undefined
  readonly allowed?: readonly string[] | undefined
}

export type Nearest = (word: string, candidates: readonly string[]) => string | undefined

/** `an organization role` */
export const withArticle = (noun: string): string =>
  `${/^[aeiou]/i.test(noun) && !/^(us|un)i?/i.test(noun) ? 'an' : 'a'} ${noun}`

/** Whether a value may be quoted, and whether it stands in the file or came from an expression. */
export type Showing = 'written' | 'derived' | 'hidden'

export const showing = (node: Node, secrets: ReadonlySet<Node>): Showing => {
  const expression = node.is === 'scalar' && mayHoldExpression(node.text)
  if (secrets.has(node) || (expression && SOUNDS_SECRET.test(node.text))) return 'hidden'
  return expression ? 'derived' : 'written'
}

/** A value in words. */
export const inWords = (value: unknown, how: Showing): string => {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (how === 'hidden') return 'a value that is not shown here'
  return typeof value === 'string' ? quoted(value) : textOf(value)
}

/** Why `value` is no `type`, after a schema's `keyword` has refused it. */
export const misfit = (
  type: FieldType,
  value: unknown,
  keyword: string,
  how: Showing,
  nearest: Nearest,
): Wording => {
  const what = inWords(value, how)
  switch (type.is) {
    case 'enum':
      return typeof value === 'string'
        ? outsideSet(type, value, what, nearest)
        : notText(value, how, withArticle(type.noun))
    case 'boolean':
      return {
        message: `${what} is not true or false`,
        suggestion: truthOf(value),
        allowed: ['true', 'false'],
      }
    case 'integer':
      return { message: `${what} is not a whole number` }
    case 'number':
      return { message: `${what} is not a number` }
    case 'set':
    case 'list':
      return notList(type, value, what, how)
    case 'object':
      return { message: `${what} stands where a mapping is expected`, allowed: Object.keys(type.fields) }
    case 'secret':
      return {
        message: 'say where the secret is, and not what it is: { env: NAME } or { file: PATH }',
        allowed: ['{ env: NAME }', '{ file: PATH }'],
      }
    case 'id':
      return typeof value === 'string' ? { message: notId(value, what) } : notText(value, how, 'an id')
    case 'instant':
      return notText(value, how, 'an instant')
    case 'cidr':
      return notText(value, how, 'an address or a block')
    case 'string':
      return typeof value === 'string' ? wrongLength(type, value, keyword) : notText(value, how, 'a text')
    case 'json':
      return { message: `${what} cannot stand here` }
  }
}

type EnumType = Extract<FieldType, { is: 'enum' }>
const outsideSet = ({ values, noun }: EnumType, value: string, what: string, nearest: Nearest): Wording =>
  values.length === 0
    ? { message: `${what} is not ${withArticle(noun)}; there is none` }
    : { message: `${what} is not ${withArticle(noun)}`, suggestion: nearest(value, values), allowed: values }

/** YAML 1.2 reads `no` as text and `null` as nothing; both surprise people. */
const notText = (value: unknown, how: Showing, expected: string): Wording => {
  const what = inWords(value, how)
  if (value === null)
    return { message: `nothing stands here, where ${expected} is expected; give one or leave the field out` }
  if (typeof value === 'boolean' && how === 'written')
    return {
      message: `YAML reads ${what} as a truth value, where ${expected} is expected; quote it`,
      suggestion: `"${what}"`,
    }
  return { message: `${what} stands where ${expected} is expected` }
}

const truthOf = (value: unknown): string | undefined => {
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (['yes', 'y', 'on', 'true', '1', 1].includes(word as string)) return 'true'
  return ['no', 'n', 'off', 'false', '0', 0].includes(word as string) ? 'false' : undefined
}

type ListType = Extract<FieldType, { is: 'set' | 'list' }>
const notList = (type: ListType, value: unknown, what: string, how: Showing): Wording => {
  if (Array.isArray(value)) {
    const least = type.is === 'set' ? (type.atLeast ?? 0) : 0
    return value.length < least
      ? {
          message: `the list has ${value.length === 0 ? 'nothing' : String(value.length)} in it; at least ${least} is needed`,
        }
      : { message: 'nothing can be listed here' }
  }
  const isScalar = value !== null && typeof value !== 'object' && how === 'written'
  return {
    message: `${what} stands where a list is expected`,
    suggestion: isScalar ? `[${typeof value === 'string' ? value.slice(0, 60) : textOf(value)}]` : undefined,
  }
}

const notId = (value: string, what: string): string => {
  if (value === '') return 'an id cannot be empty'
  if (value.length > 200) return 'an id has at most 200 characters'
  return `${what} cannot be an id: an id is one part of a path, without slashes, spaces or invisible characters`
}

type StringType = Extract<FieldType, { is: 'string' }>
const wrongLength = ({ minLength, maxLength }: StringType, value: string, keyword: string): Wording =>
  keyword === 'minLength'
    ? {
        message:
          value === '' ? 'the text is empty' : `the text is shorter than ${String(minLength)} characters`,
      }
    : {
        message: `the text has ${Array.from(value).length} characters; at most ${String(maxLength)} are allowed`,
      }
