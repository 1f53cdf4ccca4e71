import type { KindDefinition, Witness } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import { ownValue, type Values } from '../../core/values.ts'
import type { EngineClient } from '../read/client.ts'
import { NO_EVENTS, presentAt, readEvents, readFrom, readFromAt, type EventLog } from '../read/events.ts'
import { asFarBackAs, eventsWanted, organizationsOf } from '../read/organizations.ts'
import type { EventSeen } from '../reason.ts'
import type { Declaration, RecordedResource, Records, WriteSpan } from '../values/model.ts'
import { newestFirst } from '../values/newest-first.ts'
import { SPAN_MARGIN_MS } from '../values/span.ts'
import { writableFields } from '../values/wire.ts'
import { eventsOf } from './by-field.ts'
import { senderOf } from './sender.ts'
import { idOfEvent, instantOfEvent, timeOfEvent, typeOfEvent, textIn } from '../read/event.ts'

/** Foreign events about the thing, newest first. */
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

/** The same, with those of our last write. */
export const allEvents = (
  definition: KindDefinition,
  record: RecordedResource,
  log: EventLog,
  ownKey: string,
): EventSeen[] => newestFirst(eventsSince(definition, record, log, ownKey).about).map(seen)

/** Whether events show an effect of every request of the last write, including those with an unknown outcome. */
export const showsLastWrite = (
  definition: KindDefinition,
  record: RecordedResource,
  log: EventLog,
  ownKey: string,
): boolean =>
  record.lastWrite !== null &&
  // If the clock was set back, the span may contain events of our earlier writes.
  record.lastWrite.isTwice !== true &&
  eventsSince(definition, record, log, ownKey).own.size >= record.lastWrite.sent.length

/**
 * How many own events are more than a second later than the end of our write. If the event of our write was lost,
 * each of them may come from the same key used elsewhere. Service time has a precision of one second.
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
  return [...own].filter((event) => instantOfEvent(event) > parseInstant(lastWrite.to) + 1_000).length
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
  // Earlier events are read because a clock may have been set back. The record knows only its last write, and
  // events of our earlier ones are among these.
  const isEarlier = (event: Values): boolean => instantOfEvent(event) < settled
  const accepted = new Set(record.acknowledged)
  const about = eventsOf(log.events, witness.event, value).filter(
    (event) =>
      countsFor(witness, event) &&
      instantOfEvent(event) >= since &&
      !(isEarlier(event) && sender(event) === 'the key') &&
      !accepted.has(idOfEvent(event)),
  )
  const { own, alike } = ownEvents(witness, record, about, sender)
  const perhaps = about.filter((event) => isEarlier(event) && sender(event) === 'untold')
  return { about, own, alike: new Set([...alike, ...perhaps]) }
}

/** What is declared and recorded. */
interface Known {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
}

/** Events about one thing, as read now. */
export interface EventsAbout {
  readonly events: readonly EventSeen[]
  /** Whether there is an organization whose events could tell of the thing; also true if its kind emits none. */
  readonly isSought: boolean
  /** Whether every request for events that could tell of the thing was answered. */
  readonly isRead: boolean
}

/** A recorded thing, and how it is read. */
interface Thing {
  readonly definition: KindDefinition
  readonly record: RecordedResource
}

/**
 * Reads the events about things now, each organization's once, as far back as a report on all records does: an older
 * event may show that the key is no person's.
 */
export const eventsAbout = async (
  client: EngineClient,
  things: readonly Thing[],
  { definitions, declaration, records }: Known,
): Promise<{ readonly about: ReadonlyMap<RecordedResource, EventsAbout> } & Pick<EventLog, 'warnings'>> => {
  const orgsOf = ({ definition, record }: Thing) => organizationsOf(definition, record, declaration)
  const now = await presentAt(client, things.flatMap(orgsOf))
  // Includes what a report showed a moment ago, when the record may have been ahead of the service's clock.
  const readAt = now - SPAN_MARGIN_MS
  const sinceOf = (of: readonly RecordedResource[]): Map<string, number> =>
    eventsWanted(
      definitions,
      of.map((each) => [each, readFromAt(each, readAt)]),
      declaration,
    )
  const since = asFarBackAs(sinceOf(Object.values(records)), sinceOf(things.map(({ record }) => record)))
  const log = since.size === 0 ? NO_EVENTS : await readEvents(client, since, { tentative: true })
  const aboutOne = (thing: Thing): EventsAbout => {
    const { definition, record } = thing
    const orgs = orgsOf(thing).filter((org) => since.has(org))
    if (orgs.length === 0) return { events: [], isSought: isNone(definition.witness), isRead: true }
    return {
      events: foreignEvents(definition, record, { ...log, readAt }, client.publicKey),
      isSought: true,
      isRead: orgs.every((org) => log.read.has(org)),
    }
  }
  return { about: new Map(things.map((each) => [each.record, aboutOne(each)])), warnings: log.warnings }
}

/**
 * Whether any event about the thing is visible since its last write, including that of the write itself. An older
 * event, read for another thing, does not show that such a write emits one.
 */
export const showsEvents = (witness: Witness, record: RecordedResource, log: EventLog): boolean => {
  const value = witnessed(witness, record)
  if (value === undefined) return false
  const from = record.lastWrite === null ? 0 : parseInstant(record.lastWrite.from) - SPAN_MARGIN_MS
  return eventsOf(log.events, witness.event, value).some((event) => instantOfEvent(event) >= from)
}

export const countsFor = (witness: Witness, event: Values): boolean =>
  witness.types.length === 0 || witness.types.some((prefix) => typeOfEvent(event).startsWith(prefix))

/** The value by which events name a recorded thing. */
export const witnessed = (
  { instance: name }: Witness,
  record: Pick<RecordedResource, 'identity' | 'answer' | 'applied'>,
): string | undefined => {
  const value = record.identity[name] ?? record.answer?.[name] ?? record.applied[name]
  return typeof value === 'string' ? value : undefined
}

interface Own {
  /** The oldest events, as many as our requests can have caused. */
  readonly own: ReadonlySet<Values>
  /** Groups in which some events are our own and some are not, and nothing shows which. */
  readonly alike: ReadonlySet<Values>
}

/**
 * Which events our last write caused: by our key, within its span, and in one place (a project, or an organization)
 * no more of a type than its requests can have caused. A further one comes from the same key used elsewhere, or
 * from another person if our key is a person's. If the clock was set back within the span, our earlier writes are
 * in it too, and all events that name our key count as our own.
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
    .filter(
      (event) => sender(event) !== 'another' && instantOfEvent(event) >= from && instantOfEvent(event) <= to,
    )
    .toSorted((a, b) => instantOfEvent(a) - instantOfEvent(b))
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

/**
 * The fields that events of a type are about, if known. The service is free to choose any name for a type, even one
 * that objects inherit.
 */
export const spokenOf = ({ fields, sets }: Witness, type: string): readonly string[] | undefined => {
  if (Object.hasOwn(sets, type)) return Object.keys(sets[type] ?? {})
  return ownValue(fields, type)
}

/** The values that events of a type give to fields, if it tells. */
export const setBy = ({ witness }: KindDefinition, type: string): Values =>
  isNone(witness) || !Object.hasOwn(witness.sets, type) ? {} : (witness.sets[type] ?? {})

const causes = (witness: Witness, write: WriteSpan, type: string): number => {
  if (witness.repeated.includes(type)) return Number.POSITIVE_INFINITY
  const fields = spokenOf(witness, type)
  return write.sent.filter((sent) => fields === undefined || sent.some((name) => fields.includes(name)))
    .length
}

const seen = (event: Values): EventSeen => ({
  id: idOfEvent(event),
  eventTypeName: typeOfEvent(event),
  created: timeOfEvent(event),
  ...textIn(event, 'username'),
  ...textIn(event, 'publicKey'),
  ...textIn(event, 'remoteAddress'),
})

/** The writable fields that accepted events can have changed; all of them if an accepted event can no longer be read. */
export const acceptedFields = (
  definition: KindDefinition,
  { acknowledged = [] }: RecordedResource,
  log: EventLog,
): readonly string[] => {
  const found = acknowledged.map((id) => eventsOf(log.events, 'id', id)[0])
  const known = found.filter((event) => event !== undefined).map(seen)
  const isWhole = known.length === found.length
  return isWhole ? fieldsOf(definition, known) : writableFields(definition)
}

/** The writable fields that events can have changed: those that their types are about, or all. */
export const fieldsOf = (definition: KindDefinition, events: readonly EventSeen[]): readonly string[] => {
  const { witness } = definition
  const writable = writableFields(definition)
  if (isNone(witness)) return []
  const spoken = events.map(({ eventTypeName }) => spokenOf(witness, eventTypeName))
  return spoken.includes(undefined)
    ? writable
    : writable.filter((name) => spoken.some((names) => names?.includes(name)))
}
