import { isDeepStrictEqual } from 'node:util'
import type { Page } from '../../api/index.ts'
import { formatInstant, parseInstant, wholeSecond } from '../../core/instant.ts'
import { fillPath, getList } from '../../core/operation.ts'
import { DAY_MS } from '../../core/recurrence/duration.ts'
import type { Values } from '../../core/values.ts'
import {
  ForbiddenError,
  ListUnstableError,
  MalformedAnswerError,
  NotFoundError,
  type RequestFacts,
} from '../../errors/index.ts'
import { reason, type Reason } from '../reason.ts'
import type { Quiet, RecordedResource } from '../values/model.ts'
import { SPAN_MARGIN_MS } from '../values/span.ts'
import { answeredRead, eventOf } from './answer-shape.ts'
import type { EngineClient } from './client.ts'
import { timeOfEvent } from './event.ts'

/** Endpoint 19: the only list with the acts of all actors of an organization. */
export const ORGANIZATION_EVENTS = getList('/orgs/{orgId}/events', 19)

/** Events can become visible late, so each reading starts this long before the watermark. */
export const EVENT_LAG_MS = 10 * 60_000
/** Looking back further than this for an event of a write of our own costs more than it tells. */
export const LONGEST_LOOK_MS = 7 * DAY_MS
const MAX_PAGES = 20
/** Everything that exists has to be looked at once, before the first creation. */
const MAX_PAGES_OF_ALL = 100

/** What one run knows of events. */
export interface EventLog {
  readonly events: readonly Values[]
  /** Organizations whose events were read. */
  readonly read: ReadonlySet<string>
  /** For each of them, from when on it was read, epoch ms. */
  readonly from: ReadonlyMap<string, number>
  /** Those of them whose older events were left unread, with the instant (epoch ms) from which on all were read. */
  readonly partly: ReadonlyMap<string, number>
  readonly warnings: readonly Reason[]
  /** When the first reading began, service time. */
  readonly readAt?: number
  /** Whether every reading was refused with 401, which wrong credentials cause as well. */
  readonly unproven?: boolean
}
export const NO_EVENTS: EventLog = {
  events: [],
  read: new Set(),
  from: new Map(),
  partly: new Map(),
  warnings: [],
}

/** As far back as there are events. */
const EVER = Number.NEGATIVE_INFINITY

interface Reading {
  /** Nothing else has proven the credentials yet, so a refusal may be due to wrong ones. */
  readonly tentative?: boolean
  /** Also reads the raw details of events, whose form is not documented. */
  readonly withRaw?: boolean
  /** Reads as far back as events go, because the question is not about recent records. */
  readonly far?: boolean
}

/** The service's time. If it is not known yet, the first challenge tells it. */
export const presentAt = async (client: EngineClient, orgIds: Iterable<string>): Promise<number> => {
  const [orgId] = orgIds
  if (orgId !== undefined && client.skewMs === undefined)
    await client.learnTime(fillPath(ORGANIZATION_EVENTS.path, { orgId }))
  return client.serviceNow()
}

/**
 * Reads each organization's events from its instant on. A refused reading causes a warning and no failure. As long
 * as nothing has proven the credentials, that holds only for tentative readings.
 */
export const readEvents = async (
  client: EngineClient,
  since: ReadonlyMap<string, number>,
  { tentative = false, withRaw = false, far = false }: Reading = {},
): Promise<EventLog> => {
  const { skewMs = 0 } = client
  const begunAt = client.serviceNow()
  const readings = await Promise.all(
    [...since].map(async ([org, from]) => readOne(client, org, from, { tentative, withRaw, far })),
  )
  return {
    // The first answers may have corrected the known time.
    readAt: begunAt + (client.skewMs ?? 0) - skewMs,
    events: together(readings.map(({ events }) => events)),
    read: new Set(readings.flatMap(({ org, warning }) => (warning === undefined ? [org] : []))),
    from: new Map(
      readings.flatMap(({ org, warning }) =>
        warning === undefined ? [[org, since.get(org) ?? EVER] as const] : [],
      ),
    ),
    partly: new Map(
      readings.flatMap(({ org, events, unread }) =>
        unread === undefined ? [] : [[org, allFrom(events)] as const],
      ),
    ),
    warnings: readings.flatMap(({ warning, unread }) =>
      [warning, unread].filter((text) => text !== undefined),
    ),
    unproven: readings.length > 0 && readings.every(({ status }) => status === 401),
  }
}

/**
 * When the oldest readable event of an organization was created, ISO 8601; undefined if there is none.
 * @throws MalformedAnswerError
 */
export const oldestEvent = async (
  client: Pick<EngineClient, 'get' | 'list' | 'baseUrl'>,
  orgId: string,
): Promise<string | undefined> => {
  const path = fillPath(ORGANIZATION_EVENTS.path, { orgId })
  const { totalCount } = await client.list(path, { itemsPerPage: 1 }, { maxPages: 1 })
  if (totalCount === 0) return undefined
  // Newest come first, so this is the last item.
  const query = { itemsPerPage: 1, pageNum: totalCount }
  const { body } = await client.get(path, query)
  const [last] = ((body as Values)['results'] as readonly unknown[] | undefined) ?? []
  return last === undefined ? undefined : timeOfEvent(eventOf(last, answeredRead(client, path)))
}

const firstReadAt = ({ readAt: a }: EventLog, { readAt: b }: EventLog): Pick<EventLog, 'readAt'> => {
  const at = Math.min(a ?? Number.POSITIVE_INFINITY, b ?? Number.POSITIVE_INFINITY)
  return at === Number.POSITIVE_INFINITY ? {} : { readAt: at }
}

/** Both maps; where both have a value, the one that is chosen. */
const joinedBy = (
  choose: (one: number, other: number) => number,
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> =>
  new Map([...a, ...[...b].map(([key, value]) => [key, choose(value, a.get(key) ?? value)] as const)])

/** Merges two readings of one run; an event that both have counts once. */
export const joined = (a: EventLog, b: EventLog): EventLog => ({
  ...firstReadAt(a, b),
  events: together([a.events, b.events]),
  read: new Set([...a.read, ...b.read]),
  from: joinedBy(Math.min, a.from, b.from),
  partly: joinedBy(Math.max, a.partly, b.partly),
  warnings: [
    ...a.warnings,
    ...b.warnings.filter((each) => !a.warnings.some((known) => isDeepStrictEqual(known, each))),
  ],
})

const eachOnce = (events: readonly Values[]): Values[] => [
  ...new Map(events.map((event) => [event['id'], event])).values(),
]

/** Lookups in events are cached by array. If one list has all events, that array itself is returned. */
const together = (lists: readonly (readonly Values[])[]): readonly Values[] => {
  const [one = [], ...more] = lists.filter(({ length }) => length > 0)
  return more.length === 0 ? one : eachOnce([one, ...more].flat())
}

/** Caches the events of a page that many runs share. */
const read = new WeakMap<Page, readonly Values[]>()

const eventsIn = (page: Page, org: string, request: RequestFacts): readonly Values[] => {
  let events = read.get(page)
  if (events === undefined) {
    // Only samples show that an event tells its organization, so it gets the one whose list it is in.
    events = eachOnce(page.results.map((raw) => ({ ...eventOf(raw, request), orgId: org })))
    read.set(page, events)
  }
  return events
}

/**
 * From when on the list is complete. Events come newest first, and some of the oldest second may be unread. In any
 * other order, nothing is certain.
 */
export const allFrom = (events: readonly Values[]): number => {
  const times = events.map(({ created }) => parseInstant(String(created)))
  const isNewestFirst = times.every((at, index) => index === 0 || at <= (times[index - 1] ?? at))
  const oldest = times.at(-1)
  return isNewestFirst && oldest !== undefined ? oldest + 1_000 : Number.POSITIVE_INFINITY
}

interface Read {
  readonly org: string
  readonly events: readonly Values[]
  readonly warning?: Reason
  readonly unread?: Reason
  /** The status of a refusal. */
  readonly status?: number | undefined
}

const readOne = async (
  client: EngineClient,
  org: string,
  from: number,
  { tentative, withRaw, far }: Required<Reading>,
): Promise<Read> => {
  const path = fillPath(ORGANIZATION_EVENTS.path, { orgId: org })
  const options = { maxPages: far ? MAX_PAGES_OF_ALL : MAX_PAGES, tentative }
  try {
    const query = () => ({ ...spanOfReading(client, from), ...(withRaw ? { includeRaw: true } : {}) })
    const page = await client.list(path, query(), options).catch((error: unknown) => {
      // Without a known time, the reading had no end, and new events shifted its pages.
      if (error instanceof ListUnstableError) return client.list(path, query(), options)
      throw error
    })
    const events = eventsIn(page, org, answeredRead(client, path))
    if (page.complete) return { org, events }
    const count = page.totalCount - events.length
    return { org, events, unread: reason('events-left-unread', { org, count, byRecords: !far }) }
  } catch (error) {
    if (error instanceof ListUnstableError)
      return { org, events: [], warning: reason('events-shifted', { org }) }
    const byStranger = error instanceof MalformedAnswerError && error.isRefusal
    if (!(byStranger || error instanceof ForbiddenError || error instanceof NotFoundError)) throw error
    const { status } = error
    const warning = reason('events-refused', { org, status: status ?? 0, byStranger })
    return { org, events: [], warning, status }
  }
}

/**
 * The period to request. It ends at a fixed instant, so that later events shift no page; that instant is known once
 * an answer told the time.
 */
const spanOfReading = (client: EngineClient, from: number): { minDate?: string; maxDate?: string } => {
  const since = from === EVER ? {} : { minDate: formatInstant(wholeSecond(from)) }
  // No request has told the time yet.
  if (client.skewMs === undefined) return since
  // The service's clock was set back: earlier events have later times than now.
  if (from > client.serviceNow()) return since
  // Includes what was created in this very second.
  return { ...since, maxDate: formatInstant(Math.ceil(client.serviceNow() / 1000) * 1000 + SPAN_MARGIN_MS) }
}

/** From when on to read events for a recorded thing, including late events and excluding settled ones. */
export const readFrom = (record: RecordedResource): number =>
  Math.max(startOf(record), parseInstant(record.watermark) - EVENT_LAG_MS)

/**
 * The same at a given service time. A record with a later time is from before the service's clock was set back. It
 * is not known when that was, so events are read as far back as the record lies ahead.
 */
export const readFromAt = (record: RecordedResource, now: number): number => ahead(readFrom(record), now)

/**
 * The same for whoever asks about recorded things alone: what was found quiet in these organizations is not read again,
 * except for late events.
 */
export const readAgainFromAt = (record: RecordedResource, orgs: readonly string[], now: number): number => {
  const upTo = quietUpTo(record, orgs, now)
  return upTo === undefined ? readFromAt(record, now) : Math.max(readFromAt(record, now), upTo - EVENT_LAG_MS)
}

/**
 * Up to when no event of these organizations has told of a thing, at a given service time, epoch ms; undefined if
 * nobody has noted that. A time ahead of the service's is from before its clock was set back, and does not count.
 */
export const quietUpTo = (
  { quiet, watermark, lastWrite }: RecordedResource,
  orgs: readonly string[],
  now: number,
): number | undefined => {
  if (quiet === undefined || quiet.watermark !== watermark || quiet.written !== lastWrite?.to)
    return undefined
  if (!orgs.every((org) => quiet.orgs.includes(org))) return undefined
  return isNotedAhead(quiet, now) ? undefined : parseInstant(quiet.upTo)
}

/** Whether it was noted before the service's clock was set back. */
export const isNotedAhead = ({ upTo }: Quiet, now: number): boolean =>
  parseInstant(upTo) > now + SPAN_MARGIN_MS

/** From when on to read events after everything up to an instant was looked at; everything if nothing was. */
export const readOnwards = (upTo: string | undefined, now: number): number =>
  upTo === undefined ? EVER : ahead(parseInstant(upTo) - EVENT_LAG_MS, now)

const ahead = (since: number, now: number): number => (since > now + SPAN_MARGIN_MS ? 2 * now - since : since)

/** From when on events about a recorded thing are new: its last write, or its adoption. */
const startOf = (record: RecordedResource): number =>
  wholeSecond(parseInstant(record.lastWrite?.from ?? record.watermark))
