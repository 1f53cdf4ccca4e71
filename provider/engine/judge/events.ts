import type { KindDefinition, Witness } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import type { EngineClient } from '../read/client.ts'
import { readEvents, readFrom, type EventLog } from '../read/events.ts'
import { eventsWanted } from '../read/organizations.ts'
import { parseInstant } from '../values/compare.ts'
import type { Declaration, EventSeen, RecordedResource, WriteSpan } from '../values/model.ts'
import { SPAN_MARGIN_MS } from '../values/span.ts'

/** Events about the thing that are neither our own nor accepted, newest first. */
export const foreignEvents = (
  definition: KindDefinition,
  record: RecordedResource,
  log: EventLog,
  ownKey: string,
): EventSeen[] => {
  const { witness } = definition
  if (isNone(witness)) return []
  const value = witnessed(witness, record)
  if (value === undefined) return []
  const since = readFrom(record)
  const accepted = new Set(record.acknowledged)
  const about = log.events.filter(
    (event) =>
      event[witness.event] === value &&
      countsFor(witness, event) &&
      createdAt(event) >= since &&
      !accepted.has(String(event['id'])),
  )
  const own = ownEvents(witness, record, about, byUs(log, record.lastWrite?.by ?? ownKey))
  return about
    .filter((event) => !own.has(event))
    .toSorted((a, b) => createdAt(b) - createdAt(a))
    .map(seen)
}

/** The same, read now. */
export const eventsAbout = async (
  client: EngineClient,
  definition: KindDefinition,
  record: RecordedResource,
  declaration: Declaration,
): Promise<EventSeen[]> => {
  const since = eventsWanted([definition], [[record, readFrom(record)]], declaration)
  return since.size === 0
    ? []
    : foreignEvents(
        definition,
        record,
        await readEvents(client, since, { tentative: true }),
        client.publicKey,
      )
}

const createdAt = (event: Values): number => parseInstant(String(event['created']))

/** Whether any event about the thing can be seen, our own ones included. */
export const showsEvents = (witness: Witness, record: RecordedResource, log: EventLog): boolean => {
  const value = witnessed(witness, record)
  return value !== undefined && log.events.some((event) => event[witness.event] === value)
}

const countsFor = (witness: Witness, event: Values): boolean =>
  witness.types.length === 0 ||
  witness.types.some((prefix) => String(event['eventTypeName']).startsWith(prefix))

/** The value by which events speak of a recorded thing. */
export const witnessed = (
  { instance: name }: Witness,
  record: Pick<RecordedResource, 'identity' | 'answer' | 'applied'>,
): string | undefined => {
  const value = record.identity[name] ?? record.answer?.[name] ?? record.applied[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * Which events our last write caused: by our key, within its span, and in one place (a project, or an
 * organization) no more of a type than requests could have caused. One more is the same key used elsewhere,
 * and foreign.
 */
const ownEvents = (
  witness: Witness,
  { lastWrite: write, applied }: RecordedResource,
  events: readonly Values[],
  ours: (event: Values) => boolean,
): ReadonlySet<Values> => {
  const own = new Set<Values>()
  if (write === null) return own
  const from = parseInstant(write.from) - SPAN_MARGIN_MS
  const to = parseInstant(write.to) + SPAN_MARGIN_MS
  const left = new Map<string, number>()
  const oldestFirst = events.toSorted((a, b) => createdAt(a) - createdAt(b))
  for (const event of oldestFirst) {
    if (!ours(event) || createdAt(event) < from || createdAt(event) > to) continue
    const type = String(event['eventTypeName'])
    const place = witness.places.find((name) => typeof event[name] === 'string')
    const kind = JSON.stringify([type, place === undefined ? undefined : event[place]])
    const remaining = left.get(kind) ?? causes(witness, write, type) * (witness.atOnce?.(applied) ?? 1)
    if (remaining === 0) continue
    left.set(kind, remaining - 1)
    own.add(event)
  }
  return own
}

/** Events of a person's own key name the person and no key: where none names our key, they count as ours. */
const byUs = (log: EventLog, ownKey: string): ((event: Values) => boolean) => {
  const named = log.events.some((event) => event['publicKey'] === ownKey)
  return (event) =>
    event['publicKey'] === ownKey ||
    (!named && event['publicKey'] === undefined && event['username'] !== undefined)
}

/** The fields that events of a type speak of, where that is known. The service is free to name a type anything. */
export const spokenOf = ({ fields, sets }: Witness, type: string): readonly string[] | undefined => {
  if (Object.hasOwn(sets, type)) return Object.keys(sets[type] ?? {})
  return Object.hasOwn(fields, type) ? fields[type] : undefined
}

/** The values that an event says it gave to fields, where its type tells. */
export const setBy = ({ witness }: KindDefinition, { eventTypeName }: EventSeen): Values =>
  isNone(witness) || !Object.hasOwn(witness.sets, eventTypeName) ? {} : (witness.sets[eventTypeName] ?? {})

const causes = (witness: Witness, write: WriteSpan, type: string): number => {
  if (witness.repeated.includes(type)) return Number.POSITIVE_INFINITY
  const fields = spokenOf(witness, type)
  return write.sent.filter((sent) => fields === undefined || sent.some((name) => fields.includes(name)))
    .length
}

const seen = (event: Values): EventSeen => {
  const text = (name: string) => (typeof event[name] === 'string' ? { [name]: event[name] } : {})
  return {
    id: String(event['id']),
    eventTypeName: String(event['eventTypeName']),
    created: String(event['created']),
    ...text('username'),
    ...text('publicKey'),
    ...text('remoteAddress'),
  }
}

/** The writable fields that events can have changed: those their types speak of, or all. */
export const fieldsOf = (definition: KindDefinition, events: readonly EventSeen[]): string[] => {
  const { witness, write } = definition
  const writable = isNone(write) ? [] : write.fields
  if (isNone(witness)) return []
  const spoken = events.map(({ eventTypeName }) => spokenOf(witness, eventTypeName))
  return spoken.includes(undefined)
    ? [...writable]
    : writable.filter((name) => spoken.some((names) => names?.includes(name)))
}
