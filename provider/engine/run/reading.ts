import { definitionOf, isReadable, type KindDefinition } from '../../core/definition.ts'
import { fillPath, isNone } from '../../core/operation.ts'
import { ForbiddenError, NotFoundError } from '../../errors/index.ts'
import { changedIn, seenOtherwise, unshownOf } from '../judge/standing.ts'
import { wayOf } from '../plan/undeclared.ts'
import type { EngineClient } from '../read/client.ts'
import { checkCredentials } from '../read/credentials.ts'
import {
  joined,
  NO_EVENTS,
  presentAt,
  readAgainFromAt,
  readEvents,
  readFromAt,
  type EventLog,
} from '../read/events.ts'
import { isAbsent, observe, thingIn, type Observations } from '../read/observe.ts'
import { asFarBackAs, eventsWanted, organizationsOf } from '../read/organizations.ts'
import { declaredIdentity, placeKey, scopeKey } from '../values/identity.ts'
import type { Declaration, Entry, RecordedResource, Records } from '../values/model.ts'
import { sortOf } from '../values/sort.ts'
import { readsOf, splitByTarget, undeclaredBy, type RunInput } from './input.ts'

/** Reads only what a plan of the declaration needs. */
export const readNeeded = async (client: EngineClient, input: RunInput): Promise<Read> => {
  const split = splitByTarget(input, input.declaration)
  const read = await readLive(client, input, split)
  const absent = await learnTime(client, input.definitions, split.declaration)
  if (absent === undefined) return read
  const { observed, log } = read
  return { observed: { ...observed, absent: new Set([...observed.absent, absent]) }, log }
}

interface Read {
  readonly observed: Observations
  readonly log: EventLog
}

const readLive = async (
  client: EngineClient,
  input: RunInput,
  { declaration, others }: ReturnType<typeof splitByTarget>,
): Promise<Read> => {
  const { definitions } = input
  const { look, withUnmanaged, withRaw, provenBy, ...how } = readsOf(input)
  const kept = keptIn(input)
  const unseen = unseenIn(kept, input)
  const wanted =
    look === 'at-everything'
      ? kept
      : targeted(input).filter((record) => needsReading(definitionOf(definitions, record.kind), record))
  // What nobody has recorded may have happened before the recorded things became quiet.
  const since = sinceOf(client, input, declaration, { isWhole: withUnmanaged })
  await presentAt(client, since(unseen).keys())
  // Computed after `presentAt`, because only that tells the service's time.
  // Otherwise a newly declared window would hide which unmanaged things were reported until then.
  const early = withUnmanaged
    ? asFarBackAs(since(Object.values(input.records)), since(unseen))
    : since(unseen)
  const mayTake = mayTakeFrom(definitions, look === 'at-everything' ? [] : wanted)
  const entries = [...declaration.entries, ...others.filter(mayTake)]
  const [observed, log] = await Promise.all([
    observe(client, { definitions, entries, records: wanted, withUnmanaged, ...how }),
    unseen.length === 0 ? NO_EVENTS : readEvents(client, early, { tentative: true, withRaw }),
  ])
  const { things, scopes, parts } = observed
  // If no organization is known, but the time is, nothing at all has been requested.
  const isUnproven =
    early.size === 0 ? look === 'at-everything' && client.skewMs !== undefined : log.unproven === true
  if (isUnproven && things.size + scopes.size + parts.size === 0)
    await checkCredentials(client, provenBy, unseen)
  const changed = kept.filter((record) =>
    hasChanged(definitionOf(definitions, record.kind), record, observed),
  )
  const late = await readMissing(client, since(changed), early, withRaw)
  return { observed, log: joined(log, late) }
}

/** Reads the events of recorded things that no endpoint shows, and nothing else. */
export const readUnseenEvents = (
  client: EngineClient,
  input: RunInput,
  whole: Declaration,
): Promise<EventLog> => {
  const { declaration } = splitByTarget(input, whole)
  const since = sinceOf(client, input, declaration, { isWhole: false })
  return readEvents(client, since(unseenIn(keptIn(input), input)))
}

/** The records of everything that is planned. */
const targeted = ({ records, target }: RunInput): RecordedResource[] =>
  recordsAt(records, (address) => target?.includes(address) ?? true)

/** Those, and the ones that nothing declares any more: something planned may take them over under its new name. */
const keptIn = (input: RunInput): RecordedResource[] => {
  const { records, target, declaration, definitions } = input
  if (target === undefined) return targeted(input)
  const { entries } = declaration
  const isLeft = undeclaredBy(definitions, entries)
  const planned = new Set(entries.flatMap(({ address, kind }) => (target.looksAt(address) ? [kind] : [])))
  return recordsAt(
    records,
    (address, record) => target.includes(address) || (planned.has(record.kind) && isLeft(address, record)),
  )
}

const recordsAt = (
  records: Records,
  isMeant: (address: string, record: RecordedResource) => boolean,
): RecordedResource[] =>
  Object.entries(records)
    .filter(([address, record]) => isMeant(address, record))
    .map(([, record]) => record)

const unseenIn = (
  kept: readonly RecordedResource[],
  { definitions }: Pick<RunInput, 'definitions'>,
): RecordedResource[] => kept.filter((record) => needsEvents(definitionOf(definitions, record.kind), record))

/**
 * For each organization, from when on events matter to some records.
 *
 * @param isWhole whether also those matter that were read before and told nothing of a recorded thing
 */
const sinceOf =
  (
    client: EngineClient,
    { definitions }: Pick<RunInput, 'definitions'>,
    declaration: Declaration,
    { isWhole }: { readonly isWhole: boolean },
  ) =>
  (of: readonly RecordedResource[]): Map<string, number> => {
    const now = client.serviceNow()
    const fromOf = (record: RecordedResource): number => {
      const definition = definitionOf(definitions, record.kind)
      if (isWhole || definition === undefined || record.quiet === undefined) return readFromAt(record, now)
      return readAgainFromAt(record, organizationsOf(definition, record, declaration), now)
    }
    return eventsWanted(
      definitions,
      of.map((record) => [record, fromOf(record)]),
      declaration,
    )
  }

/**
 * Things that end by themselves are judged by the service's time, which every answer tells. If nothing had to be
 * read, one small reading tells it, and may be refused. Returns the key of the place if the service does not know
 * it.
 */
const learnTime = async (
  client: EngineClient,
  definitions: readonly KindDefinition[],
  { entries }: Declaration,
): Promise<string | undefined> => {
  if (client.skewMs !== undefined) return undefined
  for (const definition of definitions) {
    const { lifetime, kind } = definition
    const entry = entries.find((each) => each.kind === kind)
    if (isNone(lifetime) || entry === undefined) continue
    const place = declaredIdentity(definition, entry.values)
    const path = fillPath(lifetime.timeFrom.path, place)
    try {
      await client.list(path, { itemsPerPage: 1 }, { maxPages: 1 })
    } catch (error) {
      if (error instanceof NotFoundError) return placeKey(definition, place)
      if (!(error instanceof ForbiddenError)) throw error
    }
    return undefined
  }
  return undefined
}

/** Things that no endpoint shows are judged by events in every run. */
const needsEvents = (definition: KindDefinition | undefined, record: RecordedResource): boolean =>
  definition !== undefined &&
  !isReadable(definition) &&
  !isNone(definition.witness) &&
  sortOf(record) !== 'absent'

/** Whether a plan has to read a recorded thing that nothing declares any more: its release depends on live values. */
const needsReading = (definition: KindDefinition | undefined, record: RecordedResource): boolean => {
  if (definition === undefined || !isReadable(definition)) return false
  const way = wayOf(definition, record)
  return way.way === 'send' && way.ifUntouched === true
}

/** Whether an entry that is not planned may stand for something to be released, which the list of its place tells. */
const mayTakeFrom = (
  definitions: readonly KindDefinition[],
  released: readonly RecordedResource[],
): ((entry: Entry) => boolean) => {
  const keyIn = ({ kind, identity }: Pick<RecordedResource, 'kind' | 'identity'>): string => {
    const definition = definitionOf(definitions, kind)
    return definition === undefined ? '' : scopeKey(definition, identity)
  }
  const places = new Set(released.map(keyIn))
  return ({ kind, values }) => {
    const definition = definitionOf(definitions, kind)
    return (
      definition !== undefined &&
      definition.expand.reads(values) === 'scope' &&
      places.has(scopeKey(definition, declaredIdentity(definition, values)))
    )
  }
}

/**
 * Readable things need events only if they are gone, or if the live values are not those last applied or seen, to name
 * who did it; or if they do not show all of these.
 */
const hasChanged = (
  definition: KindDefinition | undefined,
  record: RecordedResource,
  observed: Observations,
): boolean => {
  if (definition === undefined || isNone(definition.witness) || isNone(definition.write)) return false
  const live = thingIn(observed, definition, record.identity) ?? 'unseen'
  if (live === 'missing')
    return sortOf(record) !== 'absent' && !isAbsent(observed, definition, record.identity)
  return (
    unshownOf(definition, record, live).length > 0 ||
    changedIn(definition, record, { live, parts: 'unseen' }).length > 0 ||
    seenOtherwise(definition, record, live).length > 0
  )
}

/** Reads organizations that the first reading did not cover, or not from early enough. */
const readMissing = async (
  client: EngineClient,
  wanted: ReadonlyMap<string, number>,
  had: ReadonlyMap<string, number>,
  withRaw: boolean,
): Promise<EventLog> => {
  const missing = [...wanted].filter(([orgId, from]) => from < (had.get(orgId) ?? Number.POSITIVE_INFINITY))
  return missing.length === 0 ? NO_EVENTS : readEvents(client, new Map(missing), { withRaw })
}
