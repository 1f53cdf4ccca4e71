import type { FieldType } from '../field.ts'
import { isInstant, nowhereIn } from '../instant.ts'
import { ID_LENGTH, ID_PATTERN, USUAL_ID_PATTERN } from '../patterns.ts'
import { inCidr } from './cidr.ts'
import { nearestInstant } from './nearest-instant.ts'
import type { UnplacedProblem } from './problem.ts'

/** What is wrong with a text of a type. */
export const inText = (type: FieldType, value: string): UnplacedProblem[] => {
  if (!value.isWellFormed()) return [{ code: 'not-well-formed', facts: { value } }]
  switch (type.is) {
    case 'string':
      return inLength(type, value)
    case 'id':
      return inId(value)
    case 'enum':
      return inEnum(type, value)
    case 'instant':
      return isInstant(value)
        ? []
        : [
            {
              code: 'not-an-instant',
              facts: { value, meant: nearestInstant(value), nowhere: nowhereIn(value) },
            },
          ]
    case 'cidr':
      return inCidr(value)
    default:
      return []
  }
}

/** Whether a text can be an id: one segment of a path. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && (isUsualId(value) || (ID.test(value) && isAtMost(value, ID_LENGTH)))

const ID = new RegExp(ID_PATTERN, 'u')
const USUAL_ID = new RegExp(USUAL_ID_PATTERN, 'u')

const inId = (value: string): UnplacedProblem[] => {
  if (isUsualId(value)) {
    const meant = value.toLowerCase()
    return value === meant ? [] : [{ code: 'id-in-capitals', facts: { value, meant } }]
  }
  if (!isId(value)) return [{ code: 'not-an-id', facts: { value, atMost: ID_LENGTH } }]
  return [{ code: 'unusual-id', facts: { value } }]
}

/** Whether a text has the form of all known ids: a number of this form was meant as an id. */
export const isUsualId = (text: string): boolean => USUAL_ID.test(text)

/** An id in the service's spelling: most services treat capitals as the same id, but here it would be another one. */
export const asSpelled = (id: string): string =>
  // Most ids have no capitals, and lowering them would copy each.
  /[A-F]/.test(id) && isUsualId(id) ? id.toLowerCase() : id

const lengthOf = (text: string): number => Array.from(text).length

/** A character takes one code unit or two, so most texts need not be split. */
const isAtMost = (text: string, length: number): boolean => text.length <= length || lengthOf(text) <= length

type StringType = Extract<FieldType, { is: 'string' }>
const inLength = (
  { minLength: atLeast, maxLength: atMost }: StringType,
  value: string,
): UnplacedProblem[] => {
  if (atLeast === undefined && atMost === undefined) return []
  const length = lengthOf(value)
  if (atLeast !== undefined && length < atLeast)
    return [{ code: 'too-short', facts: { length, atLeast, atMost } }]
  return atMost !== undefined && length > atMost
    ? [{ code: 'too-long', facts: { length, atMost, atLeast } }]
    : []
}

type EnumType = Extract<FieldType, { is: 'enum' }>
const inEnum = ({ values, noun, open }: EnumType, value: string): UnplacedProblem[] => {
  if (values.includes(value)) return []
  // No service has an empty word, however open its set is.
  if (open && value === '')
    return [{ code: 'too-short', facts: { length: 0, atLeast: 1, atMost: undefined } }]
  const facts = { value, values, noun }
  return [open ? { code: 'not-a-known-word', facts } : { code: 'not-an-enum-value', facts }]
}
