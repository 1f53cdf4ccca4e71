import { check } from '../../core/check/index.ts'
import type { KindDefinition } from '../../core/definition.ts'
import { rawOf } from '../../core/told.ts'
import type { EventSeen } from '../reason.ts'
import type { EventLog } from '../read/events.ts'
import type { RecordedResource, ToldValue } from '../values/model.ts'
import { fromAnswer } from '../values/wire.ts'

/**
 * What the newest of these events that tells of a field says it was given. The form of what events tell is not
 * documented: what is no value of the field is left out.
 */
export const toldValueOf = (
  definition: KindDefinition,
  { identity }: Pick<RecordedResource, 'identity'>,
  { events, log }: { readonly events: readonly EventSeen[]; readonly log: EventLog },
  name: string,
): ToldValue | undefined => {
  const field = definition.fields[name]
  if (field === undefined || events.length === 0) return undefined
  const raws = new Map(log.events.map((event) => [event['id'], rawOf(event)]))
  for (const { id, eventTypeName, created, mayBeOwn } of events) {
    const raw = raws.get(id) ?? {}
    // A decoder may take nothing for a list of nothing.
    if (mayBeOwn === true || raw[field.wire ?? name] === undefined) continue
    const value = fromAnswer(definition, raw, identity).values[name]
    if (value !== undefined && check(field.type, value).length === 0)
      return { value, eventTypeName, eventId: id, at: created }
  }
  return undefined
}
