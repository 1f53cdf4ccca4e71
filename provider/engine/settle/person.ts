import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { isWithinSpan } from '../values/span.ts'
import type { RecordedResource } from '../values/model.ts'
import type { SettleEvidence } from './facts.ts'

/**
 * Under which person's name events show what a key does, where it is a person's own. The event of a creation tells
 * it whose id the answer gave to us: nobody else has made that one. The event of a change could be of another
 * person, at the same moment, where our own is lost.
 */
export const personOf = (
  key: string,
  {
    log: { events },
    records,
    definitions,
    declaration,
  }: Pick<SettleEvidence, 'log' | 'records' | 'definitions' | 'declaration'>,
): string | undefined => {
  // An event that names a key shows that it is no person's.
  if (events.some((event) => event['publicKey'] === key)) return undefined
  const names = Object.entries(records).flatMap(([address, record]) => {
    const definition = definitions.find(({ kind }) => kind === record.kind)
    const entry = declaration.entries.find((each) => each.address === address)
    const isTakenOver =
      definition !== undefined && entry?.values[definition.identity.declaredAs] !== undefined
    if (definition === undefined || isTakenOver || record.lastWrite?.by !== key) return []
    return events.filter((event) => isItsCreation(definition, record, event))
  })
  const [name, ...others] = new Set(names.map(({ username }) => username))
  return typeof name === 'string' && others.length === 0 ? name : undefined
}

const isItsCreation = (
  { establish: { create }, identity: { key } }: KindDefinition,
  { identity, lastWrite, unsure }: RecordedResource,
  event: Values,
): boolean => {
  if (isNone(create) || isNone(create.lost) || create.lost.by !== 'id') return false
  // What a person has told is believed once it was asserted.
  if (lastWrite === null || unsure !== undefined) return false
  const { idInEvent, types } = create.lost
  return (
    event[idInEvent] === identity[key] &&
    types.test(String(event['eventTypeName'])) &&
    isWithinSpan(lastWrite, String(event['created']))
  )
}
