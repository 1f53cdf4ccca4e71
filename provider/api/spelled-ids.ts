import { asSpelled } from '../core/check/id.ts'
import { isObject } from '../core/values.ts'

/** A text of an id with a capital; `id`, `groupId` and `teamIds` are names of fields with ids. */
const capital = /[Ii]ds?"\s*:[\s\["]*[0-9A-Fa-f]{0,23}[A-F]/v
const name = /(?:^i|I)ds?$/v

/**
 * The body of an answer with its ids in small letters: the same id in capitals, in a list or in an event, would count
 * as another thing than the one that is recorded. Most answers have no such id, and are not gone through.
 */
export const withSpelledIds = (body: unknown, text: string): unknown =>
  capital.test(text) || text.includes('\\u00') ? spelled(body) : body

const spelled = (value: unknown, field = ''): unknown => {
  if (typeof value === 'string') return name.test(field) ? asSpelled(value) : value
  if (Array.isArray(value)) return value.map((each) => spelled(each, field))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([own, each]) => [own, spelled(each, own)]))
}
