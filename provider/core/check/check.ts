import type { Fields, FieldType } from '../field.ts'
import { oncePer } from '../once.ts'
import { isObject, ownValue } from '../values.ts'
import type { Facts, UnplacedProblem, Problem, Within } from './problem.ts'
import { inText } from './text.ts'

/**
 * Everything that is wrong with a value of a type. An undefined field counts as omitted. A value that is not known
 * yet may look wrong; the door drops the problems at its place.
 */
export const check = (type: FieldType, value: unknown, within: Within = []): readonly Problem[] => {
  if (type.is === 'object') return inObject(type, value, within)
  if (type.is === 'set' || type.is === 'list') return inList(type, value, within)
  return inScalar(type, value).map((found): Problem => ({ within, ...found }))
}

type ObjectType = Extract<FieldType, { is: 'object' }>
const inObject = (type: ObjectType, value: unknown, within: Within): readonly Problem[] => {
  const { fields, shorthand } = type
  const short = shorthand === undefined ? undefined : fields[shorthand]
  // What is wrong with it is at its place, where no field is written.
  if (short !== undefined && typeof value === 'string') return check(short.type, value, within)
  if (!isObject(value)) return [{ within, code: 'wrong-type', facts: { type, value } }]
  // Most values are valid, and no list is made for them.
  let problems: Problem[] | undefined
  // Declared values are plain objects without inherited properties, so their keys need not be listed first.
  for (const name in value) {
    const item = value[name]
    if (item === undefined) continue
    const field = ownValue(fields, name)
    const found =
      field === undefined ? [unknown(name, fields, within)] : checkIn(field.type, item, within, name)
    for (const each of found) (problems ??= []).push(each)
  }
  for (const name of demandedOf(fields))
    if (value[name] === undefined) (problems ??= []).push(missing({ name, toCreate: false }, within))
  return problems ?? NONE
}

const unknown = (name: string, fields: Fields, within: Within): Problem => ({
  within: [...within, name],
  code: 'unknown-key',
  facts: { name, known: Object.keys(fields) },
})

/** Required fields, found once for all values of a type. */
const demandedOf = oncePer((fields: Fields): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]?.need === 'always'),
)

/** Most values are valid: the path is built only if something is wrong. */
const checkIn = (
  type: FieldType,
  value: unknown,
  within: Within,
  step: string | number,
): readonly Problem[] => {
  if (type.is === 'object' || type.is === 'set' || type.is === 'list')
    return check(type, value, [...within, step])
  // The most frequent type, and no list is made for it.
  if (type.is === 'boolean' && typeof value === 'boolean') return NONE
  const found = inScalar(type, value)
  return found.length === 0 ? NONE : found.map((each): Problem => ({ within: [...within, step], ...each }))
}
const NONE: readonly Problem[] = []

/** A required name that is missing. */
export const missing = (facts: Facts['missing-key'], within: Within): Problem => ({
  within: [...within, facts.name],
  code: 'missing-key',
  facts,
})

type ListType = Extract<FieldType, { is: 'set' | 'list' }>
const inList = (type: ListType, value: unknown, within: Within): Problem[] => {
  if (!Array.isArray(value)) return [{ within, code: 'wrong-type', facts: { type, value } }]
  const elements = value as readonly unknown[]
  const problems = elements.flatMap((item, index) => checkIn(type.of, item, within, index))
  if (type.is === 'list') return problems
  const { length } = elements
  const { atLeast = 0 } = type
  if (length < atLeast) problems.push({ within, code: 'too-few', facts: { length, atLeast, of: type.of } })
  return [...problems, ...twiceIn(elements, within)]
}

const twiceIn = (elements: readonly unknown[], within: Within): Problem[] => {
  const seen = new Map<string, number>()
  return elements.flatMap((value, index): Problem[] => {
    const key = elementKey(value)
    const first = seen.get(key)
    if (first === undefined) seen.set(key, index)
    return first === undefined
      ? []
      : [{ within: [...within, index], code: 'listed-twice', facts: { value, first } }]
  })
}

/** A key that is equal for equal mappings, whatever the order of their fields. */
export const elementKey = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))) : item,
  ) ?? ''

const inScalar = (type: FieldType, value: unknown): UnplacedProblem[] => {
  if (type.is === 'json') return []
  if (type.is === 'integer' && Number.isSafeInteger(value)) return inSize(type, value as number)
  if (isTextual(type) && typeof value === 'string') return inText(type, value)
  return fits(type, value) ? [] : [{ code: 'wrong-type', facts: { type, value } }]
}

type IntegerType = Extract<FieldType, { is: 'integer' }>
const inSize = ({ atLeast }: IntegerType, value: number): UnplacedProblem[] =>
  atLeast !== undefined && value < atLeast ? [{ code: 'too-small', facts: { value, atLeast } }] : []

const TEXTUAL: ReadonlySet<FieldType['is']> = new Set(['string', 'id', 'instant', 'cidr', 'enum'])
const isTextual = ({ is }: FieldType): boolean => TEXTUAL.has(is)

const fits = ({ is }: FieldType, value: unknown): boolean => {
  if (is === 'boolean') return typeof value === 'boolean'
  if (is === 'number') return typeof value === 'number' && Number.isFinite(value)
  return is === 'secret' && isReference(value)
}

/** `{ env: NAME }` or `{ file: PATH }`: where a secret is, not the secret itself. */
const isReference = (value: unknown): boolean => {
  if (!isObject(value)) return false
  const [entry, ...more] = Object.entries(value)
  if (entry === undefined || more.length > 0) return false
  const [name, place] = entry
  return ['env', 'file'].includes(name) && typeof place === 'string' && place !== ''
}
