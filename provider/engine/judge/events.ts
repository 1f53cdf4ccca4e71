import type { KindDefinition, Witness } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import type { EngineClient } from '../read/client.ts'
import { presentAt, readEvents, readFrom, readFromAt, type EventLog } from '../read/events.ts'
import { eventsWanted, organizationsOf } from '../read/organizations.ts'
import type { EventSeen, Reason } from '../reason.ts'
import type { Declaration, RecordedResource, WriteSpan } from '../values/model.ts'
import { newestFirst } from '../values/newest-first.ts'
import { SPAN_MARGIN_MS } from '../values/span.ts'
import { eventsOf } from './by-field.ts'
import { senderOf } from './sender.ts'

/** Events about the thing that are neither our own nor accepted, newest first. */
export const foreignEvents = (
  definition: KindDefinition,
  record: RecordedResource,
  log: EventLog,
  ownKey: string,
): EventSeen[] => {
  const { about, own, alike } = eventsSince(definition, record, log, ownKey)
  return newestFirst(about.filter((event) => !own.has(event))).map((event) =>
    alike.has(event) ? { ...seen(event), mayBeOwn: true } : seen(event),
  )
}

/** The same with those of our last write among them. */
export const allEvents = (
  definition: KindDefinition,
  record: RecordedResource,
  log: EventLog,
  ownKey: string,
): EventSeen[] => newestFirst(eventsSince(definition, record, log, ownKey).about).map(seen)

/** Whether events show an effect of each request of the last write, those with an unknown outcome included. */
export const showsLastWrite = (
  definition: KindDefinition,
  record: RecordedResource,
  log: EventLog,
  ownKey: string,
): boolean =>
  record.lastWrite !== null &&
  // Events of earlier writes of ours can lie in its span.
  record.lastWrite.isTwice !== true &&
  eventsSince(definition, record, log, ownKey).own.size >= record.lastWrite.sent.length

/**
 * How many events count as our own that are of more than a second after our write had ended: where our own was lost,
 * each can be of the same key used elsewhere. The service's time is known to a second.
 */
export const afterOwnWrite = (
  definition: KindDefinition,
  record: RecordedResource,
  log: EventLog,
  ownKey: string,
): number => {
  const { lastWrite } = record
  if (lastWrite === null) return 0
  const { own } = eventsSince(definition, record, log, ownKey)
  return [...own].filter((event) => createdAt(event) > parseInstant(lastWrite.to) + 1_000).length
}

interface Since extends Own {
  readonly about: readonly Values[]
}

/** Events about the thing since its last write that are not accepted, and which of them are our own. */
const eventsSince = (
  { witness }: KindDefinition,
  record: RecordedResource,
  log: EventLog,
  ownKey: string,
): Since => {
  const none = { about: [], own: new Set<Values>(), alike: new Set<Values>() }
  if (isNone(witness)) return none
  const value = witnessed(witness, record)
  if (value === undefined) return none
  const settled = readFrom(record)
  const since = log.readAt === undefined ? settled : readFromAt(record, log.readAt)
  const sender = senderOf(log.events, record.lastWrite?.by ?? ownKey)
  // Looked at because a clock was set back: a record knows of its last write alone, and earlier ones of ours are there.
  const isEarlier = (event: Values): boolean => createdAt(event) < settled
  const accepted = new Set(record.acknowledged)
  const about = eventsOf(log.events, witness.event, value).filter(
    (event) =>
      countsFor(witness, event) &&
      createdAt(event) >= since &&
      !(isEarlier(event) && sender(event) === 'the key') &&
      !accepted.has(String(event['id'])),
  )
  const { own, alike } = ownEvents(witness, record, about, sender)
  const perhaps = about.filter((event) => isEarlier(event) && sender(event) === 'untold')
  return { about, own, alike: new Set([...alike, ...perhaps]) }
}

/** Events about one thing that were read now. */
export interface EventsAbout {
  readonly events: readonly EventSeen[]
  /** Whether there is an organization whose events could tell of it, where any do. */
  readonly isSought: boolean
  /** Whether each reading that could tell of it was answered. */
  readonly isRead: boolean
  /** What was not read, and why. */
  readonly warnings: readonly Reason[]
}

/** The same, read now. */
export const eventsAbout = async (
  client: EngineClient,
  definition: KindDefinition,
  record: RecordedResource,
  declaration: Declaration,
): Promise<EventsAbout> => {
  const now = await presentAt(client, organizationsOf(definition, record, declaration))
  // What a report has shown a moment ago is looked at, too: the record can have lain ahead of the service's clock then.
  const readAt = now - SPAN_MARGIN_MS
  const since = eventsWanted([definition], [[record, readFromAt(record, readAt)]], declaration)
  if (since.size === 0)
    return { events: [], isSought: isNone(definition.witness), isRead: true, warnings: [] }
  const log = await readEvents(client, since, { tentative: true })
  return {
    events: foreignEvents(definition, record, { ...log, readAt }, client.publicKey),
    isSought: true,
    isRead: log.read.size === since.size,
    warnings: log.warnings,
  }
}

const createdAt = (event: Values): number => parseInstant(String(event['created']))

/**
 * Whether any event about the thing can be seen since its last write, that of the write included. An older one, which
 * was read for another thing, does not tell that a write like this leaves one.
 */
export const showsEvents = (witness: Witness, record: RecordedResource, log: EventLog): boolean => {
  const value = witnessed(witness, record)
  if (value === undefined) return false
  const from = record.lastWrite === null ? 0 : parseInstant(record.lastWrite.from) - SPAN_MARGIN_MS
  return eventsOf(log.events, witness.event, value).some((event) => createdAt(event) >= from)
}

export const countsFor = (witness: Witness, event: Values): boolean =>
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

interface Own {
  /** As many as our requests can have caused; the oldest. */
  readonly own: ReadonlySet<Values>
  /** Some of them are our own and some are not, and nothing shows which. */
  readonly alike: ReadonlySet<Values>
}

/**
 * Which events our last write caused: by our key, within its span, and in one place (a project, or an
 * organization) no more of a type than requests could have caused. One more is the same key used elsewhere, or
 * another person where ours is a person's key. In a time that was there twice, earlier writes of ours are not counted.
 */
const ownEvents = (
  witness: Witness,
  { lastWrite: write, applied }: RecordedResource,
  events: readonly Values[],
  sender: ReturnType<typeof senderOf>,
): Own => {
  if (write === null) return { own: new Set(), alike: new Set() }
  const from = parseInstant(write.from) - SPAN_MARGIN_MS
  const to = parseInstant(write.to) + SPAN_MARGIN_MS
  const possible = events
    .filter((event) => sender(event) !== 'another' && createdAt(event) >= from && createdAt(event) <= to)
    .toSorted((a, b) => createdAt(a) - createdAt(b))
  const groups = [...Map.groupBy(possible, (event) => groupOf(witness, event)).values()].map((group) => ({
    group,
    ours:
      write.isTwice === true && group.every((event) => sender(event) === 'the key')
        ? group.length
        : causes(witness, write, String(group[0]?.['eventTypeName'])) * (witness.atOnce?.(applied) ?? 1),
  }))
  return {
    own: new Set(groups.flatMap(({ group, ours }) => group.slice(0, ours))),
    alike: new Set(groups.flatMap(({ group, ours }) => (ours > 0 && ours < group.length ? group : []))),
  }
}

const groupOf = (witness: Witness, event: Values): string => {
  const place = witness.places.find((name) => typeof event[name] === 'string')
  return JSON.stringify([event['eventTypeName'], place === undefined ? undefined : event[place]])
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

/** The writable fields that events which a person has accepted can have changed: all, where one is not read any more. */
export const acceptedFields = (
  definition: KindDefinition,
  { acknowledged = [] }: RecordedResource,
  log: EventLog,
): string[] => {
  const known = log.events.filter(({ id }) => acknowledged.includes(String(id))).map(seen)
  const isWhole = acknowledged.every((id) => known.some((event) => event.id === id))
  return isWhole || isNone(definition.write) ? fieldsOf(definition, known) : [...definition.write.fields]
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
