import { check, isAdvice, type Facts, type Problem, type ProblemCode } from '@deploymgmt/provider/core/check'
import {
  NAME_LENGTH,
  textOf,
  USUAL_ID_FORM,
  zonedTime,
  type DataSourceDefinition,
  type Field,
  type FieldType,
} from '@deploymgmt/provider/core'
import { quoted } from '../../text/display.ts'
import { mayHoldExpression } from './expressions.ts'
import type { Node } from '../tree/node.ts'
import { SOUNDS_SECRET } from '../tree/secrets.ts'
import { wrongTime } from './wrong-time.ts'

/** The message for a value that does not fit its type. */
export interface Wording {
  readonly message: string
  readonly suggestion?: string | undefined
  readonly allowed?: readonly string[] | undefined
}

export type Nearest = (word: string, candidates: readonly string[]) => string | undefined

/** `an organization role` */
const withArticle = (noun: string): string =>
  `${/^[aeiou]/i.test(noun) && !/^(us|un)i?/i.test(noun) ? 'an' : 'a'} ${noun}`

/** Whether a value may be quoted, and whether it is in the file or the result of an expression. */
type Showing = 'written' | 'derived' | 'hidden'

export const showing = (node: Node, secrets: ReadonlySet<Node>): Showing => {
  const expression = node.is === 'scalar' && mayHoldExpression(node.text)
  if (secrets.has(node) || (expression && SOUNDS_SECRET.test(node.text))) return 'hidden'
  return expression ? 'derived' : 'written'
}

/** A value in words. */
const inWords = (value: unknown, how: Showing): string => {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (how === 'hidden') return 'a value that is not shown here'
  return typeof value === 'string' ? quoted(value) : textOf(value)
}

/** How a value may be shown, and how to suggest a similar word. */
export interface Saying {
  readonly how: Showing
  readonly nearest: Nearest
  /** Set for a value that is compared with live values, and never sent. */
  readonly isCompared?: boolean
  /** The text of a list with the value as its only item, as it would stand in the file; undefined if there is none. */
  readonly asOnlyItem?: string | undefined
}

/** The message to a manifest's author about a problem with a value. */
export const wordingOf = ({ code, facts }: Problem, saying: Saying): Wording =>
  (WORDS[code] as (facts: Facts[ProblemCode], saying: Saying) => Wording)(facts, saying)

type Words = { readonly [C in ProblemCode]: (facts: Facts[C], saying: Saying) => Wording }

const WORDS: Words = {
  'wrong-type': ({ type, value }, saying) => wrongType(type, value, saying),
  'unknown-key': ({ name, known }, { nearest }) => ({
    message: `there is no field ${quoted(name)} here`,
    suggestion: nearest(name, known),
    allowed: known,
  }),
  'missing-key': ({ name }) => ({ message: missingWords([name]) }),
  'not-a-name': ({ name }) => {
    const like = nameLike(name)
    if (like !== undefined && name.startsWith(like) && name.length > NAME_LENGTH)
      return {
        message: `${quoted(name)} cannot be a name: it has ${name.length} characters, and a name has at most ${NAME_LENGTH}`,
      }
    return {
      message: `${quoted(name)} cannot be a name: use the letters A to Z, digits, - and _, beginning with a letter, a digit or one _`,
      suggestion: like,
    }
  },
  'not-an-id': ({ value, atMost }, { how }) => {
    if (value === '') return { message: 'an id cannot be empty', allowed: [`an id, of ${USUAL_ID_FORM}`] }
    if (value.length > atMost) return { message: `an id has at most ${atMost} characters` }
    const what = inWords(value, how)
    return {
      message: `${what} cannot be an id: an id is one part of a path, without slashes, spaces or invisible characters`,
    }
  },
  'unusual-id': ({ value }, { how }) => ({
    message: `${inWords(value, how)} does not look like an id of this API; those are ${USUAL_ID_FORM}`,
  }),
  'id-in-capitals': ({ value, meant }, { how }) => ({
    message: `${inWords(value, how)} has capital letters, which the ids of this API never have`,
    suggestion: meant,
  }),
  'not-an-enum-value': ({ value, values, noun }, { how, nearest }) => {
    const message = `${inWords(value, how)} is not ${withArticle(noun)}`
    return values.length === 0
      ? { message: `${message}; there is none` }
      : { message, suggestion: nearest(value, values), allowed: values }
  },
  'not-a-known-word': ({ value, values, noun }, { how, nearest, isCompared = false }) => ({
    message: `${inWords(value, how)} is not ${withArticle(noun)} that is known here; services have others, so it is ${isCompared ? 'compared with what is there' : 'sent'} as it is`,
    suggestion: nearest(value, values),
  }),
  'not-an-instant': ({ value, meant, nowhere }, { how }) =>
    nowhere === undefined
      ? {
          message: `${inWords(value, how)} is not an instant`,
          suggestion: meant,
          allowed: [
            'ISO 8601 with its offset, such as 2026-12-05T02:00:00Z, or with its zone, such as 2026-12-05T02:00:00[Europe/Madrid]',
          ],
        }
      : { message: `${inWords(value, how)} is not an instant: there is no such ${nowhere}` },
  'not-an-address': ({ value }, { how }) => noAddress(value, how, 'is not an address or a block'),
  'cidr-part-above-255': ({ value }, { how }) =>
    noAddress(value, how, 'is not an address or a block; part of it is above 255'),
  'cidr-leading-zero': ({ value, meant }, { how }) =>
    noAddress(value, how, 'has a leading zero, which some read as octal', meant),
  'cidr-length': ({ value, atMost }, { how }) =>
    noAddress(value, how, `has no prefix length after the slash; 0 to ${atMost} is allowed`),
  'cidr-host-bits': ({ value, network }, { how }) =>
    noAddress(value, how, 'has bits set beyond its prefix length', network),
  'not-well-formed': () => ({ message: 'the text contains half a character, which no request can send' }),
  'too-short': ({ length, atLeast, atMost }) => ({
    message: length === 0 ? 'the text is empty' : `the text is shorter than ${atLeast} characters`,
    allowed: [
      atMost === undefined
        ? `a text of at least ${atLeast} character${atLeast === 1 ? '' : 's'}`
        : `a text of ${atLeast} to ${atMost} characters`,
    ],
  }),
  'too-long': ({ length, atMost }) => ({
    message: `the text has ${length} characters; at most ${atMost} are allowed`,
  }),
  'too-small': ({ value, atLeast }) => ({ message: `${value} is not a whole number above ${atLeast - 1}` }),
  'too-few': ({ length, atLeast, of }) => ({
    message: `the list has ${length === 0 ? 'nothing' : String(length)} in it; it needs at least ${atLeast}`,
    allowed: of.is === 'enum' ? of.values : undefined,
  }),
  'listed-twice': ({ value }, { how }) => ({
    message: `${inWords(value, how)} is listed twice; once is enough`,
  }),
  'out-of-order': ({ value, from }, { how }) => ({
    message: `${inWords(value, how)} is before ${inWords(from, how)}, so nothing is between them`,
  }),
}

/** Missing names, and one that could replace them. */
export const missingWords = (names: readonly string[], adoptedBy?: string): string => {
  const instead = adoptedBy === undefined ? '' : `; or, to adopt one that exists, give ${adoptedBy}`
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing${instead}`
}

/** The message about an argument of a data source, to follow the argument's name. */
export const argumentWords = (
  problem: Problem,
  { arguments: fields }: DataSourceDefinition,
  saying: Saying,
): string => {
  const { message, suggestion, allowed } = argumentWording(problem, saying)
  const meant = suggestion === undefined ? '' : `, did you mean ${suggestion}?`
  if (problem.code === 'missing-key') return missingArgument(fields[problem.facts.name])
  if (problem.code === 'unknown-key')
    return `is not an argument${meant}; there are ${problem.facts.known.join(', ')}`
  if (problem.code === 'not-an-id' && problem.facts.value === '') return 'has to be an id, and is empty'
  // That a boolean is true or false was said already.
  if (problem.code === 'wrong-type' && problem.facts.type.is === 'boolean') return message
  return `${message}${meant}${allowed === undefined ? '' : `; allowed: ${allowed.join(', ')}`}`
}

const missingArgument = (field: Field | undefined): string => {
  const type = field?.type
  const allowed = type?.is === 'enum' && !type.open ? ` Allowed: ${type.values.join(', ')}` : ''
  return `is required: ${field?.summary ?? ''}${allowed}`
}

/** A local time with its zone that is no instant: in a manifest, its evaluation has said so already. */
const argumentWording = (problem: Problem, saying: Saying): Wording => {
  const time = problem.code === 'not-an-instant' ? zonedTime(problem.facts.value) : undefined
  if (problem.code !== 'not-an-instant' || time === undefined || time.is === 'instant')
    return wordingOf(problem, saying)
  const [message, more] = wrongTime(problem.facts.value, time)
  return { message, ...more }
}

const noAddress = (value: string, how: Showing, why: string, suggestion?: string): Wording => ({
  message: `${inWords(value, how)} ${why}`,
  suggestion,
  allowed: ['an address such as 198.51.100.7', 'a block such as 192.0.2.0/24'],
})

const nameLike = (name: string): string | undefined => {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, NAME_LENGTH)
  return slug === '' ? undefined : slug
}

const wrongType = (type: FieldType, value: unknown, saying: Saying): Wording => {
  const { how } = saying
  const what = inWords(value, how)
  switch (type.is) {
    case 'boolean':
      return value === null
        ? noValue('true or false')
        : { message: `${what} is not true or false`, suggestion: truthOf(value), allowed: ['true', 'false'] }
    case 'integer':
      return value === null ? noValue('a whole number') : { message: `${what} is not a whole number` }
    case 'number':
      return value === null ? noValue('a number') : { message: `${what} is not a number` }
    case 'set':
    case 'list':
      return notList(type.of, value, saying)
    case 'object':
      return { message: `${what} stands where a mapping is expected`, allowed: Object.keys(type.fields) }
    case 'secret':
      return {
        message: 'give the place of the secret, not its value: { env: NAME } or { file: PATH }',
        allowed: ['{ env: NAME }', '{ file: PATH }'],
      }
    case 'id':
      return typeof value === 'number'
        ? {
            message: `a number stands where an id is expected, which has ${USUAL_ID_FORM}: quote it; deploymgmt inventory shows ids`,
          }
        : notText(type, value, how, 'an id')
    case 'instant':
      return notText(type, value, how, 'an instant')
    case 'cidr':
      return notText(type, value, how, 'an address or a block')
    case 'enum':
      return {
        ...notText(type, value, how, withArticle(type.noun)),
        ...(type.open || value === null ? {} : { allowed: type.values }),
      }
    case 'string':
      return notText(type, value, how, 'a text')
    case 'json':
      return { message: `${what} cannot stand here` }
  }
}

const noValue = (expected: string): Wording => ({
  message: `there is no value here, where ${expected} is expected; give one, or omit the field if it is optional`,
})

/** YAML 1.2 reads `no` as text and `null` as nothing, which surprises people. */
const notText = (type: FieldType, value: unknown, how: Showing, expected: string): Wording => {
  const what = inWords(value, how)
  if (value === null) return noValue(expected)
  // Quotes are of no help if the word would be refused nevertheless.
  if (typeof value === 'boolean' && how === 'written' && check(type, what).every(isAdvice))
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

/** Suggests a list if the value could be its only element. */
const notList = (of: FieldType, value: unknown, { how, asOnlyItem }: Saying): Wording => {
  const isScalar =
    value !== null && typeof value !== 'object' && how === 'written' && check(of, value).length === 0
  return {
    message: `${inWords(value, how)} stands where a list is expected`,
    suggestion: isScalar ? asOnlyItem : undefined,
  }
}

/** The keys that every manifest starts with. */
export const HEAD = ['version', 'name'] as const

export const missingHead = (names: readonly string[]): string => {
  const example = names.map((name) => (name === 'version' ? 'version: 1' : `${name}: …`)).join(' and ')
  return `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} missing; begin with ${example}`
}
