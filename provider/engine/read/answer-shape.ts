import type { KindDefinition, Part } from '../../core/definition.ts'
import type { Field } from '../../core/field.ts'
import { formatInstant, parseInstant } from '../../core/instant.ts'
import { instantOf } from '../../core/text.ts'
import { asList, isObject, pickBy, type Identity, type Values } from '../../core/values.ts'
import { MalformedAnswerError, type AnswerFault, type RequestFacts } from '../../errors/index.ts'
import { perDefinition } from '../values/per-definition.ts'
import type { EngineClient } from './client.ts'
import { problemsOf } from './item.ts'

/** The facts of a read, whose answer cannot be understood. It has no effect, whatever its answer is. */
export const answeredRead = ({ baseUrl }: Pick<EngineClient, 'baseUrl'>, path: string): RequestFacts => ({
  method: 'GET',
  url: baseUrl + path,
  path,
  status: 200,
  outcome: 'refused',
})

/**
 * Refuses an answer whose known fields have an undocumented shape: comparing or recording it would report
 * differences, or matches, that do not exist.
 * @throws MalformedAnswerError
 */
export const refuseMisshapen = (
  definition: KindDefinition,
  raw: unknown,
  identity: Identity,
  request: RequestFacts,
): void => {
  if (!isObject(raw)) {
    const [problem] = problemsOf({ is: 'object', fields: {} }, raw, '*')
    if (problem !== undefined) throw malformed(problem, request)
    return
  }
  for (const [name, field] of toldFields(definition)) {
    const problem = problemsIn(name, field, raw, identity)[0]
    if (problem !== undefined) throw malformed(problem, request)
  }
}

/** Fields that only the engine reads, and those that another endpoint shows, are not in the answer. */
const toldFields = perDefinition(({ fields }) =>
  Object.entries(fields).filter(
    ([, { part, change, type }]) => part !== 'local' && change !== 'elsewhere' && type.is !== 'secret',
  ),
)

/**
 * Refuses a list item without a key that identifies it.
 * @throws MalformedAnswerError
 */
export const refuseNameless = (definition: KindDefinition, raw: unknown, request: RequestFacts): void => {
  const { keyInAnswer } = definition.identity
  const key = isObject(raw) ? raw[keyInAnswer] : undefined
  if (typeof key !== 'string' || key === '' || !key.isWellFormed())
    throw malformed({ fault: 'item-without-key', key: keyInAnswer }, request)
}

/**
 * Refuses an answer that is not the thing that was read or written: another thing of its kind, one in another
 * place, or none at all. For a creation, the key is not known yet.
 * @throws MalformedAnswerError
 */
export const refuseAnother = (
  { identity: { scope, key, keyInAnswer }, fields }: KindDefinition,
  raw: unknown,
  identity: Identity,
  request: RequestFacts,
): void => {
  const told = (name: string): unknown => (isObject(raw) ? raw[name] : undefined)
  const isOther = (value: unknown, name: string): boolean =>
    typeof value !== 'string' || value.toLowerCase() !== identity[name]?.toLowerCase()
  const elsewhere = scope.some((name) => {
    const value = told(fields[name]?.wire ?? name)
    return value !== undefined && value !== null && isOther(value, name)
  })
  if (elsewhere || (identity[key] !== undefined && isOther(told(keyInAnswer), key)))
    throw malformed({ fault: 'another-thing' }, request)
}

/**
 * One item of a field that has a list of its own.
 * @throws MalformedAnswerError
 */
export const partOf = (
  { fields }: KindDefinition,
  [name, part]: readonly [string, Part],
  raw: unknown,
  request: RequestFacts,
): unknown => {
  const type = fields[name]?.type
  const item = isObject(raw) ? part.item(raw) : undefined
  if (item === undefined || type?.is !== 'set') throw malformed({ fault: 'nothing-named' }, request)
  const [problem] = problemsOf(type.of, item, '*')
  if (problem !== undefined) throw malformed(problem, request)
  return item
}

/**
 * Accepts an event that has an id and a time. Its other fields are checked where they are used. A service may write
 * null or an empty text for what it does not tell, so both are left out: an event that names no key must not look like
 * one of a key.
 * @throws MalformedAnswerError
 */
export const eventOf = (raw: unknown, request: RequestFacts): Values => {
  if (!isObject(raw) || typeof raw['id'] !== 'string' || Number.isNaN(parseInstant(String(raw['created']))))
    throw malformed({ fault: 'event-without-place' }, request)
  const told = Object.values(raw).some(isNothing) ? pickBy(raw, (value) => !isNothing(value)) : raw
  return instantOf(told['created']) === undefined ? { ...told, created: inUtc(told) } : told
}

const isNothing = (value: unknown): boolean => value === null || value === ''

/** Reports show when an event was; without its zone, a reader would take it for local time. */
const inUtc = ({ created }: Values): string => formatInstant(parseInstant(String(created)))

const NONE: readonly AnswerFault[] = []

const problemsIn = (name: string, field: Field, raw: Values, identity: Identity): readonly AnswerFault[] => {
  const { type, decode, wire = name } = field
  const value = raw[wire]
  if (value === undefined || value === null) return NONE
  if (decode === undefined) return problemsOf(type, value, wire)
  if (Array.isArray(value) ? !value.every(isObject) : type.is === 'set' || type.is === 'list')
    return [{ fault: 'not-objects', at: wire }]
  const placeless = asList(value).flatMap((item, at) =>
    placesNoText(item, identity, `${wire}[${String(at)}]`),
  )
  if (placeless.length > 0) return placeless
  return problemsOf(type, decode(value, identity).value, wire)
}

/** An item is decoded by its place: one that is no text would count as another place. */
const placesNoText = (item: Values, identity: Identity, at: string): readonly AnswerFault[] =>
  Object.keys(identity).flatMap((name) => problemsOf({ is: 'string' }, item[name] ?? null, `${at}.${name}`))

export const malformed = (fault: AnswerFault, request: RequestFacts): MalformedAnswerError =>
  new MalformedAnswerError([fault], request)
