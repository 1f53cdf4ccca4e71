import { check } from '../../core/check/index.ts'
import type { KindDefinition } from '../../core/definition.ts'
import { rawOf } from '../../core/told.ts'
import type { Values } from '../../core/values.ts'
import type { EventSeen } from '../reason.ts'
import type { EventLog } from '../read/events.ts'
import type { RecordedResource, ToldValue } from '../values/model.ts'
import { fromAnswer } from '../values/wire.ts'

/**
 * The value of a field according to the newest event that tells it, and the additions that have waited to be
 * accepted since. The form of what events tell is not documented, so values that the field does not allow are
 * ignored.
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
  const readAs = (as: string | undefined, raw: Values): unknown => {
    // A decoder may take a missing value for an empty list.
    if (as === undefined || raw[as] === undefined) return undefined
    const value = fromAnswer(definition, { [field.wire ?? name]: raw[as] }, identity).values[name]
    return value !== undefined && check(field.type, value).length === 0 ? value : undefined
  }
  let waiting: ToldValue | undefined
  for (const { id, eventTypeName, created, mayBeOwn } of events) {
    if (mayBeOwn === true) continue
    const raw = raws.get(id) ?? {}
    const from = { eventTypeName, eventId: id, at: created }
    const invited = readAs(field.invitedAs, raw)
    if (Array.isArray(invited) && invited.length > 0) waiting ??= { invited, ...from }
    const value = readAs(field.wire ?? name, raw)
    if (value !== undefined)
      return { value, ...(waiting === undefined ? {} : { invited: waiting.invited }), ...from }
  }
  return waiting
}
