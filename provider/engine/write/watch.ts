import { isReadable, type KindDefinition } from '../../core/definition.ts'
import { foreignEvents, showsLastWrite } from '../judge/events.ts'
import { unshownOf } from '../judge/standing.ts'
import type { EngineClient } from '../read/client.ts'
import { EVENT_LAG_MS, joined, NO_EVENTS, readEvents, type EventLog } from '../read/events.ts'
import { thingIn, type Observations } from '../read/observe.ts'
import { organizationsOf } from '../read/organizations.ts'
import type { EventSeen } from '../reason.ts'
import type { Declaration, RecordedResource } from '../values/model.ts'

/** How long a look at events holds: what others do within this time shows only in the answer to a write. */
export const LOOK_HOLDS_MS = 5_000

/** Looks at events while a plan is carried out. */
export interface Watch {
  /** Events about a recorded thing that the plan did not know, newest first. `atOnce` ignores earlier looks. */
  readonly eventsSince: (
    definition: KindDefinition,
    record: RecordedResource,
    options?: { readonly atOnce?: boolean },
  ) => Promise<EventSeen[]>
  /** Whether the plan has seen an effect of each request of the last write. */
  readonly showsLastWrite: (definition: KindDefinition, record: RecordedResource) => boolean
}

/** What the plan was made from. */
interface Planned {
  readonly log: EventLog
  readonly declaration: Declaration
  /** What was read, if anything was. */
  readonly observed?: Observations
}

interface Look {
  /** When the look began, in milliseconds of service time. */
  readonly at: number
  readonly log: Promise<EventLog>
}

/**
 * Joins logs, reusing the last result: thousands of writes join the same logs, and lookups are cached by the joined
 * log.
 */
const joining = (): ((logs: readonly EventLog[]) => EventLog) => {
  let last: { readonly logs: readonly EventLog[]; readonly seen: EventLog } = { logs: [], seen: NO_EVENTS }
  return (logs) => {
    const isSame = logs.length === last.logs.length && logs.every((log, at) => log === last.logs[at])
    if (!isSame) last = { logs, seen: logs.reduce(joined, NO_EVENTS) }
    return last.seen
  }
}

/** Looks again at organizations whose events the plan has read; one look serves all of their things. */
export const watchEvents = (client: EngineClient, { log, declaration, observed }: Planned): Watch => {
  const known = new Set(log.events.map(({ id }) => id))
  const looks = new Map<string, Look>()
  const together = joining()
  const holds = (at: number): boolean => Math.abs(client.serviceNow() - at) <= LOOK_HOLDS_MS
  const look = (orgId: string, plannedAt: number, atOnce: boolean): Promise<EventLog> => {
    const last = looks.get(orgId) ?? { at: plannedAt, log: Promise.resolve(NO_EVENTS) }
    if (!atOnce && holds(last.at)) return last.log
    const fresh = readEvents(
      client,
      new Map([[orgId, Math.min(plannedAt, client.serviceNow()) - EVENT_LAG_MS]]),
    )
    looks.set(orgId, { at: client.serviceNow(), log: fresh })
    // Whoever awaits the look learns that it failed; the next caller looks again.
    fresh.catch(() => looks.delete(orgId))
    return fresh
  }
  // If an endpoint shows a thing whole, the read tells what changed; only other things need events.
  const isShown = (definition: KindDefinition, record: RecordedResource): boolean => {
    const live = observed && thingIn(observed, definition, record.identity)
    return isReadable(definition) && unshownOf(definition, record, live ?? 'unseen').length === 0
  }
  return {
    async eventsSince(definition, record, { atOnce = false } = {}) {
      const { readAt } = log
      if (readAt === undefined || isShown(definition, record)) return []
      const orgIds = organizationsOf(definition, record, declaration).filter((id) => log.read.has(id))
      const logs = await Promise.all(orgIds.map((orgId) => look(orgId, readAt, atOnce)))
      const seen = together(logs)
      return foreignEvents(definition, record, seen, client.publicKey).filter(({ id }) => !known.has(id))
    },
    showsLastWrite: (definition, record) => showsLastWrite(definition, record, log, client.publicKey),
  }
}
