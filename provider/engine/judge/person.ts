import type { KindDefinition, LostById } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { isWithinSpan } from '../values/span.ts'
import type { EventLog } from '../read/events.ts'
import type { Declaration, RecordedResource, Records, WriteSpan } from '../values/model.ts'
import { senderOf } from './sender.ts'
import { timeOfEvent, typeOfEvent } from '../read/event.ts'

interface CauserInput {
  readonly log: EventLog
  readonly records: Records
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
}

/**
 * The person's name under which events show what a key does, if the key is a person's own. It comes from events of
 * creations whose id we were answered, because nobody else can have made those things. The event of a change could
 * come from another person at the same moment, if our own event is lost.
 */
export const personOf = (key: string, { log: { events }, ...seen }: CauserInput): string | undefined => {
  // Skips the search if no event could tell, or if an event names the key, which shows that it is no person's.
  if (events.length === 0 || events.some((event) => event['publicKey'] === key)) return undefined
  const names = seen.definitions.flatMap((definition) => {
    const { create } = definition.establish
    if (isNone(create) || isNone(create.lost) || create.lost.by !== 'id') return []
    return creationsOf(definition, create.lost, ownOf(definition, key, seen), events)
  })
  const [name, ...others] = new Set(names.map(({ username }) => username))
  return typeof name === 'string' && others.length === 0 ? name : undefined
}

/** Who caused an event; also resolved by the name of the person who owns the key, if known. */
export const causerOf = (
  key: string,
  seen: CauserInput,
): ((event: Values) => 'the key' | 'another' | 'untold') => {
  const person = personOf(key, seen)
  const sender = senderOf(seen.log.events, key)
  return (event) => {
    const of = sender(event)
    if (of !== 'untold' || person === undefined) return of
    return event['username'] === person ? 'the key' : 'another'
  }
}

interface Own extends Pick<RecordedResource, 'identity'> {
  readonly lastWrite: WriteSpan
}

/**
 * Things whose last write was by the key. Leaves out those with unsure fields and those whose entry declares their
 * id, because the key may not have made them.
 */
const ownOf = (
  { kind, identity: { declaredAs } }: KindDefinition,
  key: string,
  { records, declaration }: Pick<CauserInput, 'records' | 'declaration'>,
): Own[] => {
  const takenOver = new Set(
    declaration.entries
      .filter((entry) => entry.kind === kind && entry.values[declaredAs] !== undefined)
      .map(({ address }) => address),
  )
  return Object.entries(records).flatMap(([address, record]) => {
    const { identity, lastWrite, unsure } = record
    if (record.kind !== kind || lastWrite?.by !== key || unsure !== undefined) return []
    return takenOver.has(address) ? [] : [{ identity, lastWrite }]
  })
}

const creationsOf = (
  { identity: { key } }: KindDefinition,
  { idInEvent, types }: LostById,
  own: readonly Own[],
  events: readonly Values[],
): Values[] => {
  if (own.length === 0) return []
  const about = Map.groupBy(events, (event) => event[idInEvent])
  return own.flatMap(({ identity, lastWrite }) =>
    (about.get(identity[key]) ?? []).filter(
      (event) => types.test(typeOfEvent(event)) && isWithinSpan(lastWrite, timeOfEvent(event)),
    ),
  )
}
