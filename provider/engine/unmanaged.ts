import type { KindDefinition } from '../core/definition.ts'
import { isNone } from '../core/operation.ts'
import type { Identity } from '../core/values.ts'
import { ForbiddenError, ListUnstableError, NotFoundError } from '../errors/index.ts'
import { showsEvents } from './judge/events.ts'
import { strangersIn, type MayBeKnown } from './judge/strangers.ts'
import { findUnmanaged, type UnmanagedFound } from './judge/unmanaged.ts'
import { claimsOn } from './plan/claims.ts'
import type { EngineClient } from './read/client.ts'
import {
  EVENT_LAG_MS,
  joined,
  NO_EVENTS,
  readEvents,
  readFromAt,
  readOnwards,
  type EventLog,
} from './read/events.ts'
import { listedIn, type Observations, type Thing } from './read/observe.ts'
import { eventsWanted, organizationsIn, organizationsOf } from './read/organizations.ts'
import { reason, type Reason } from './reason.ts'
import type { Run } from './run.ts'
import { parseInstant } from './values/compare.ts'
import { placeKey, scopeKey } from './values/identity.ts'
import type { Declaration, Made, RecordedResource, Records } from './values/model.ts'
import { placesIn, scopesOf, type Places } from './values/places.ts'

export interface UnmanagedInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** What it has read is not read again. */
  readonly run: Run
  /** Whether what is in a section is asked about. */
  readonly asks: (section: string) => boolean
  /** Up to when the creations of each organization were compared with what is known, service time, ISO 8601. */
  readonly upTo: Readonly<Record<string, string>>
  /** What is known besides the records, here and there; asked for once all else is read. */
  readonly known: () => Promise<readonly Made[]>
  /** What states of other manifests record, and whether one of them is written to, or has requests of unknown outcome; likewise. */
  readonly elsewhere: () => Promise<{
    readonly records: readonly RecordedResource[]
    readonly isWriting: boolean
  }>
  /** Whether a lost creation can have made a thing, of this state or of another; likewise. */
  readonly mayBeOurs: () => Promise<MayBeKnown>
  /** Whether what the calling key did at a time can be of a creation under way, or of unknown outcome. */
  readonly isOpen: (kind: string, at: number) => boolean
}

/**
 * What is there and nobody declares, in the places that a declaration names. Lists that the run has not read are read
 * once each; events of an organization of which it has read none, as far back as something is recorded there.
 */
export const unmanagedOf = async (client: EngineClient, input: UnmanagedInput): Promise<UnmanagedFound> => {
  const { declaration, run, asks } = input
  const definitions = input.definitions.filter(({ section }) => asks(section))
  const places = placesIn(input.definitions, declaration)
  const [lists, more] = await Promise.all([
    readLists(client, { ...input, definitions }, places),
    readMore(client, { ...input, definitions }),
  ])
  const observed = { ...run.observed, scopes: new Map([...run.observed.scopes, ...lists.scopes]) }
  const log = joined(run.log, more)
  // Only now, so that what another command has just made is in its state.
  const known = await input.known()
  const { records: elsewhere, isWriting } = await input.elsewhere()
  const strangers = strangersOf(client, { ...input, definitions }, { log, known })
  // What somebody has done to it since makes it nobody else's.
  const perhapsOurs = without(
    strangers,
    strangersOf(client, { ...input, definitions }, { log, known, mayBeKnown: await input.mayBeOurs() }),
  )
  const found = findUnmanaged({
    ...input,
    definitions,
    known: [...known, ...perhapsOurs],
    elsewhere,
    places,
    observed,
    log,
    strangers,
    isClaimed: claimsIn(definitions, { ...input, elsewhere, observed }),
    ownKey: client.publicKey,
    now: run.now,
    isOpen: (kind, at) => isWriting || input.isOpen(kind, at),
  })
  const warnings = [
    ...lists.warnings,
    ...more.warnings,
    ...unseenIn(input, { log, ownKey: client.publicKey }),
    ...found.warnings,
  ]
  return { things: found.things, warnings }
}

interface Lists {
  readonly scopes: ReadonlyMap<string, readonly Thing[]>
  readonly warnings: readonly Reason[]
}

/** A list that is refused fails nothing: nothing that is declared needs it. */
const readLists = async (
  client: EngineClient,
  { definitions, declaration, run: { observed } }: UnmanagedInput,
  places: Places,
): Promise<Lists> => {
  const scopes = new Map<string, readonly Thing[]>()
  const warnings: Reason[] = []
  const readings = definitions.flatMap((definition) => {
    const { observe: how, unmanaged, section } = definition
    if (unmanaged.foundBy !== 'list' || how.how !== 'everything') return []
    return scopesOf(definition, places, declaration)
      .filter((scope) => isUnread(definition, scope, observed))
      .map(async (place) => {
        const things = await listedIn(client, definition, how.list.path, place, { tentative: true }).catch(
          statusOrThrow,
        )
        if (typeof things === 'number')
          warnings.push(reason('unmanaged-not-listed', { section, place, status: things }))
        else scopes.set(scopeKey(definition, place), things)
      })
  })
  await Promise.all(readings)
  return { scopes, warnings }
}

const isUnread = (definition: KindDefinition, scope: Identity, { scopes, absent }: Observations): boolean =>
  !scopes.has(scopeKey(definition, scope)) && !absent.has(placeKey(definition, scope))

const statusOrThrow = (error: unknown): number => {
  if (error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof ListUnstableError)
    return error.status ?? 0
  throw error
}

/** Of an organization of whose events the run had no need. */
const readMore = async (
  client: EngineClient,
  { definitions, declaration, records, run: { log } }: UnmanagedInput,
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
    : readEvents(client, new Map(missing), { tentative: true, whole: true })
}

/** What nobody knows of all that the key made, or that persons made who can be its owner. */
const strangersOf = (
  client: EngineClient,
  { definitions, declaration, records, upTo }: UnmanagedInput,
  seen: { readonly log: EventLog; readonly known: readonly Made[]; readonly mayBeKnown?: MayBeKnown },
): Made[] => {
  const now = client.serviceNow()
  const from = new Map(organizationsIn(declaration).map((org) => [org, readOnwards(upTo[org], now)]))
  const { own, perhaps } = strangersIn({ definitions, client, from, declaration, records, ...seen })
  return [...own, ...perhaps]
}

const without = (all: readonly Made[], some: readonly Made[]): Made[] => {
  const ids = new Set(some.map(({ kind, identity }) => JSON.stringify([kind, identity])))
  return all.filter(({ kind, identity }) => !ids.has(JSON.stringify([kind, identity])))
}

interface Claiming extends Pick<UnmanagedInput, 'declaration' | 'records'> {
  readonly elsewhere: readonly RecordedResource[]
  readonly observed: Observations
  readonly run: Pick<Run, 'now'>
}

const claimsIn = (
  definitions: readonly KindDefinition[],
  { declaration: { entries }, records, elsewhere, observed, run: { now } }: Claiming,
) => {
  const all = [...Object.values(records), ...elsewhere]
  const claims = new Map(
    definitions.map((each) => [each, claimsOn(each, { entries, records: all, observed, now })]),
  )
  return (definition: KindDefinition, identity: Identity): boolean =>
    claims.get(definition)?.(identity) ?? true
}

/** Where events show nothing of our own writes, they need not show anybody else's. */
const unseenIn = (
  { definitions, declaration, records, asks }: UnmanagedInput,
  { log, ownKey }: { readonly log: EventLog; readonly ownKey: string },
): Reason[] =>
  [...(log.from ?? [])].flatMap(([org, since]) => {
    const from = log.partly?.get(org) ?? since
    const written = Object.values(records).flatMap((record) => {
      const definition = definitions.find(({ kind }) => kind === record.kind)
      return definition !== undefined &&
        wasWrittenIn(record, { from, log, ownKey }) &&
        organizationsOf(definition, record, declaration).includes(org)
        ? [{ record, definition }]
        : []
    })
    const unseen = definitions.filter(({ unmanaged, identity, section }) => {
      const alike = written.filter((each) => each.definition.identity.scope.join() === identity.scope.join())
      return (
        asks(section) &&
        unmanaged.foundBy === 'events' &&
        alike.length > 0 &&
        !alike.some((each) => isShown(each, log))
      )
    })
    const sections = unseen.map(({ section }) => section)
    return sections.length === 0 ? [] : [reason('unmanaged-not-shown', { org, sections })]
  })

/** Whether a write of ours is of a time of which all events were read, late ones too. */
const wasWrittenIn = (
  { lastWrite, standing }: RecordedResource,
  { from, log, ownKey }: { readonly from: number; readonly log: EventLog; readonly ownKey: string },
): boolean => {
  if (lastWrite === null || standing === true || lastWrite.by !== ownKey) return false
  const until = (log.readAt ?? Number.NEGATIVE_INFINITY) - EVENT_LAG_MS
  return (
    lastWrite.sent.length > 0 && parseInstant(lastWrite.from) >= from && parseInstant(lastWrite.to) < until
  )
}

const isShown = (
  {
    record,
    definition: { witness },
  }: { readonly record: RecordedResource; readonly definition: KindDefinition },
  log: EventLog,
): boolean => isNone(witness) || showsEvents(witness, record, log)
