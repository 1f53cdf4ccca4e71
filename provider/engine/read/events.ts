import type { KindDefinition, Witness } from '../../core/definition.ts'
import { fillPath, getList, isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { ForbiddenError, ListUnstableError, NotFoundError } from '../../errors/index.ts'
import { eventOf } from './answer-shape.ts'
import type { EngineClient } from './client.ts'
import { formatInstant, parseInstant } from '../values/compare.ts'
import type { EventSeen, RecordedResource, WriteSpan } from '../values/model.ts'
import { SPAN_MARGIN_MS } from '../values/span.ts'

/** Endpoint 19: the one list in which the acts of all actors of an organization appear. */
export const ORGANIZATION_EVENTS = getList('/orgs/{orgId}/events', 19)

/** Events can become visible late, so each reading starts this long before the watermark. */
export const EVENT_LAG_MS = 10 * 60_000
const MAX_PAGES = 20

/** What one run knows of events. */
export interface EventLog {
  readonly events: readonly Values[]
  /** Organizations whose events were read. */
  readonly read: ReadonlySet<string>
  /** Those of them of which older events were left unread. */
  readonly partly?: ReadonlySet<string>
  readonly warnings: readonly string[]
  /** Whether nothing could be read, for a reason that wrong credentials have too. */
  readonly unproven?: boolean
}
export const NO_EVENTS: EventLog = { events: [], read: new Set(), warnings: [] }

/**
 * Reads each organization's events from its instant on; a refused reading warns and fails nothing. Tentative
 * readings do so, too, where nothing else has proven the credentials yet.
 */
export const readEvents = async (
  client: EngineClient,
  since: ReadonlyMap<string, number>,
  { tentative = false } = {},
): Promise<EventLog> => {
  const readings = await Promise.all(
    [...since].map(async ([orgId, from]) => readOne(client, orgId, from, tentative)),
  )
  const unique = new Map<string, Values>()
  for (const event of readings.flatMap(({ events }) => events)) unique.set(String(event['id']), event)
  return {
    events: [...unique.values()],
    read: new Set(readings.flatMap(({ orgId, warning }) => (warning === undefined ? [orgId] : []))),
    partly: new Set(readings.flatMap(({ orgId, unread }) => (unread === undefined ? [] : [orgId]))),
    warnings: readings.flatMap(({ warning, unread }) =>
      [warning, unread].filter((text) => text !== undefined),
    ),
    unproven: readings.length > 0 && readings.every(({ status }) => status === 401),
  }
}

interface Reading {
  readonly orgId: string
  readonly events: readonly Values[]
  readonly warning?: string
  readonly unread?: string
  /** That of a refusal. */
  readonly status?: number | undefined
}

const readOne = async (
  client: EngineClient,
  orgId: string,
  from: number,
  tentative: boolean,
): Promise<Reading> => {
  const path = fillPath(ORGANIZATION_EVENTS.path, { orgId })
  const options = { maxPages: MAX_PAGES, tentative }
  try {
    const page = await client.list(path, spanOfReading(client, from), options).catch((error: unknown) => {
      // Without a known time the reading had no end, and new events have shifted its pages.
      if (error instanceof ListUnstableError) return client.list(path, spanOfReading(client, from), options)
      throw error
    })
    const asked = { method: 'GET', path, status: 200, outcome: 'refused' } as const
    const events = page.results.map((raw) => eventOf(raw, asked))
    if (page.complete) return { orgId, events }
    const left = page.totalCount - events.length
    return {
      orgId,
      events,
      unread: `organization ${orgId}: ${left} older events were not read; what they tell is not in this report`,
    }
  } catch (error) {
    if (error instanceof ListUnstableError)
      return {
        orgId,
        events: [],
        warning: `organization ${orgId}: its events changed while they were read, and are left out of this report`,
      }
    if (!(error instanceof ForbiddenError || error instanceof NotFoundError)) throw error
    const warning = `organization ${orgId}: its events cannot be read (${String(error.status)}); the calling key needs the role ORG_MEMBER there. Evidence about things that no endpoint shows is weaker for it`
    return { orgId, events: [], warning, status: error.status }
  }
}

/** One reading ends at a fixed instant, so that later events shift no page of it; known once an answer told the time. */
const spanOfReading = (client: EngineClient, from: number): { minDate: string; maxDate?: string } => {
  const minDate = formatInstant(Math.floor(from / 1000) * 1000)
  // A request that is under way has told nothing yet.
  if (client.skewMs === undefined) return { minDate }
  // What was created in this very second has to be in it.
  return { minDate, maxDate: formatInstant(Math.ceil(client.serviceNow() / 1000) * 1000 + SPAN_MARGIN_MS) }
}

/** From when on events are to be read for a recorded thing: late ones count, settled ones do not. */
export const readFrom = (record: RecordedResource): number =>
  Math.max(startOf(record), parseInstant(record.watermark) - EVENT_LAG_MS)

/** From when on events about a recorded thing say something new: its last write, or its adoption. */
export const startOf = (record: RecordedResource): number =>
  Math.floor(parseInstant(record.lastWrite?.from ?? record.watermark) / 1000) * 1000

/** Events about the thing that are neither our own nor accepted, newest first. */
export const foreignEvents = (
  definition: KindDefinition,
  record: RecordedResource,
  log: EventLog,
  ownKey: string,
): EventSeen[] => {
  const { witness } = definition
  if (isNone(witness)) return []
  const value = lookUp(record, witness.instance)
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

const createdAt = (event: Values): number => parseInstant(String(event['created']))

/** Whether any event about the thing can be seen, our own ones included. */
export const showsEvents = (witness: Witness, record: RecordedResource, log: EventLog): boolean => {
  const value = lookUp(record, witness.instance)
  return value !== undefined && log.events.some((event) => event[witness.event] === value)
}

const countsFor = (witness: Witness, event: Values): boolean =>
  witness.types.length === 0 ||
  witness.types.some((prefix) => String(event['eventTypeName']).startsWith(prefix))

const lookUp = (record: RecordedResource, name: string): string | undefined => {
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
    const kind = JSON.stringify([type, event['groupId'] ?? event['orgId']])
    const remaining = left.get(kind) ?? causes(witness, write, type) * (witness.atOnce?.(applied) ?? 1)
    if (remaining === 0) continue
    left.set(kind, remaining - 1)
    own.add(event)
  }
  return own
}

/** A person's own key is in no event: the person is. Where our key is never named, a write of ours names them. */
const byUs = (log: EventLog, ownKey: string): ((event: Values) => boolean) => {
  const named = log.events.some((event) => event['publicKey'] === ownKey)
  return (event) =>
    event['publicKey'] === ownKey ||
    (!named && event['publicKey'] === undefined && event['username'] !== undefined)
}

/** The fields that events of a type speak of, where that is known. The service is free to name a type anything. */
export const spokenOf = ({ fields }: Witness, type: string): readonly string[] | undefined =>
  Object.hasOwn(fields, type) ? fields[type] : undefined

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
