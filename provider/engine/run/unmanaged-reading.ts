import { isReadable, type KindDefinition } from '../../core/definition.ts'
import type { Identity } from '../../core/values.ts'
import { ForbiddenError, ListUnstableError, NotFoundError } from '../../errors/index.ts'
import type { JudgeContext } from '../judge/standing.ts'
import type { EngineClient } from '../read/client.ts'
import { NO_EVENTS, readEvents, readFromAt, type EventLog } from '../read/events.ts'
import { listedIn, type Listed } from '../read/listed.ts'
import { isAbsent, isListed, type Observations } from '../read/observe.ts'
import { eventsWanted, organizationsIn } from '../read/organizations.ts'
import { reason, type Reason } from '../reason.ts'
import { scopeKey } from '../values/identity.ts'
import type { Declaration, Records } from '../values/model.ts'
import { scopesOf, type Places } from '../values/places.ts'

interface UnmanagedReading {
  /** The kinds that are asked about. */
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** What this run has read is not read again. */
  readonly run: Pick<JudgeContext, 'observed' | 'log'>
}

interface Lists {
  readonly scopes: ReadonlyMap<string, Listed>
  readonly warnings: readonly Reason[]
}

/** A refused list causes no failure, because nothing that is declared needs it. */
export const readLists = async (
  client: EngineClient,
  { definitions, declaration, run: { observed } }: UnmanagedReading,
  places: Places,
): Promise<Lists> => {
  const scopes = new Map<string, Listed>()
  const warnings: Reason[] = []
  const readings = definitions.flatMap((definition) => {
    const { unmanaged, section } = definition
    if (unmanaged.foundBy !== 'list' || !isReadable(definition)) return []
    return scopesOf(definition, places, declaration)
      .filter((scope) => isUnread(definition, scope, observed))
      .map(async (place) => {
        const listed = await listedIn(client, definition, place, { tentative: true }).catch(statusOrThrow)
        if (typeof listed === 'number')
          warnings.push(reason('unmanaged-not-listed', { section, place, status: listed }))
        else scopes.set(scopeKey(definition, place), listed)
      })
  })
  await Promise.all(readings)
  return { scopes, warnings }
}

const isUnread = (definition: KindDefinition, scope: Identity, observed: Observations): boolean =>
  !isListed(observed, definition, scope) && !isAbsent(observed, definition, scope)

const statusOrThrow = (error: unknown): number => {
  if (error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof ListUnstableError)
    return error.status ?? 0
  throw error
}

/** Reads organizations whose events the run did not need. */
export const readMore = async (
  client: EngineClient,
  { definitions, declaration, records, run: { log } }: UnmanagedReading,
): Promise<EventLog> => {
  if (!definitions.some(({ unmanaged }) => unmanaged.foundBy === 'events')) return NO_EVENTS
  const orgs = organizationsIn(declaration)
  if (orgs.length === 0) return { ...NO_EVENTS, warnings: [reason('nowhere-to-look')] }
  const now = client.serviceNow()
  const since = eventsWanted(
    definitions,
    Object.values(records).map((record) => [record, readFromAt(record, now)]),
    declaration,
  )
  const wasRefused = (org: string): boolean => log.warnings.some((each) => 'org' in each && each.org === org)
  const missing = [...since].filter(([org]) => orgs.includes(org) && !log.read.has(org) && !wasRefused(org))
  return missing.length === 0
    ? NO_EVENTS
    : readEvents(client, new Map(missing), { tentative: true, withRaw: true })
}

/** Reads organizations whose events were read, but not from early enough. */
export const readEarlier = async (
  client: EngineClient,
  wanted: ReadonlyMap<string, number>,
  log: EventLog,
): Promise<EventLog> => {
  const unread = [...wanted].filter(([org, at]) => log.read.has(org) && (log.from.get(org) ?? at) > at)
  return unread.length === 0 ? NO_EVENTS : readEvents(client, new Map(unread), { tentative: true })
}
