import type { FieldType } from '../field.ts'
import { isInstant, nowhereIn } from '../instant.ts'
import { ID_LENGTH } from '../patterns.ts'
import { inCidr } from './cidr.ts'
import { isId, isUsualId } from './id.ts'
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

const inId = (value: string): UnplacedProblem[] => {
  if (isUsualId(value)) {
    const meant = value.toLowerCase()
    return value === meant ? [] : [{ code: 'id-in-capitals', facts: { value, meant } }]
  }
  if (!isId(value)) return [{ code: 'not-an-id', facts: { value, atMost: ID_LENGTH } }]
  return [{ code: 'unusual-id', facts: { value } }]
}

const lengthOf = (text: string): number => Array.from(text).length

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
