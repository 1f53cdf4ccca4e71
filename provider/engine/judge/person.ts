import type { KindDefinition, LostById } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { isWithinSpan } from '../values/span.ts'
import type { EventLog } from '../read/events.ts'
import type { Declaration, RecordedResource, Records, WriteSpan } from '../values/model.ts'
import { senderOf } from './sender.ts'

interface Seen {
  readonly log: EventLog
  readonly records: Records
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
}

/**
 * Under which person's name events show what a key does, where it is a person's own. The event of a creation tells
 * it whose id the answer gave to us: nobody else has made that one. The event of a change could be of another
 * person, at the same moment, where our own is lost.
 */
export const personOf = (key: string, { log: { events }, ...seen }: Seen): string | undefined => {
  // What the key wrote need not be gone through where no event could tell of it. One that names a key shows that it is
  // no person's.
  if (events.length === 0 || events.some((event) => event['publicKey'] === key)) return undefined
  const names = seen.definitions.flatMap((definition) => {
    const { create } = definition.establish
    if (isNone(create) || isNone(create.lost) || create.lost.by !== 'id') return []
    return creationsOf(definition, create.lost, ownOf(definition, key, seen), events)
  })
  const [name, ...others] = new Set(names.map(({ username }) => username))
  return typeof name === 'string' && others.length === 0 ? name : undefined
}

/** Who caused an event, told by the person too whose key it is, where that is known. */
export const causerOf = (key: string, seen: Seen): ((event: Values) => 'the key' | 'another' | 'untold') => {
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

/** What the key wrote last; of what a person has told that it made, once it was asserted. */
const ownOf = (
  { kind, identity: { declaredAs } }: KindDefinition,
  key: string,
  { records, declaration }: Pick<Seen, 'records' | 'declaration'>,
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
      (event) =>
        types.test(String(event['eventTypeName'])) && isWithinSpan(lastWrite, String(event['created'])),
    ),
  )
}
