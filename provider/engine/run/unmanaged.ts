import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { formatInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import type { Identity } from '../../core/values.ts'
import { showsEvents } from '../judge/events.ts'
import { strangersIn, type MayBeKnown, type Strangers } from '../judge/strangers.ts'
import { findUnmanaged, type UnmanagedFound } from '../judge/unmanaged.ts'
import { unseenProjects, wasWrittenIn } from '../judge/unseen-projects.ts'
import { claimsOn } from './claims.ts'
import type { EngineClient } from '../read/client.ts'
import { joined, readOnwards, type EventLog } from '../read/events.ts'
import type { Observations } from '../read/observe.ts'
import { organizationsIn, organizationsOf } from '../read/organizations.ts'
import { reason, type Reason } from '../reason.ts'
import type { Run, RunWithUnmanaged } from './run.ts'
import { readEarlier, readLists, readMore } from './unmanaged-reading.ts'
import { keyOf } from '../values/identity.ts'
import type { Declaration, Made, RecordedResource, Records } from '../values/model.ts'
import { placesIn } from '../values/places.ts'
import { SPAN_MARGIN_MS } from '../values/span.ts'

export interface UnmanagedInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** What this run has read is not read again. */
  readonly run: RunWithUnmanaged
  /** Whether a section is asked about. */
  readonly asks: (section: string) => boolean
  /** For each organization, up to when creations were compared with what is known; service time, ISO 8601. */
  readonly upTo: Readonly<Record<string, string>>
  /** Known things besides the records, here and in other states. Called after everything else is read. */
  readonly known: () => Promise<readonly Made[]>
  /**
   * The records of other manifests' states, and whether one of them is being written to or has requests with an
   * unknown outcome. Called likewise.
   */
  readonly elsewhere: () => Promise<{
    readonly records: readonly RecordedResource[]
    readonly isWriting: boolean
  }>
  /** Creations whose answer was lost, in this state and others, by the key that sent them. Called likewise. */
  readonly lost: () => Promise<readonly LostCreations[]>
  /**
   * Whether an act of the calling key at that time may belong to a creation that is under way or has an unknown
   * outcome.
   */
  readonly isOpen: (kind: string, at: number) => boolean
}

interface LostCreations {
  /** The public half of the key, which may have been replaced since. */
  readonly by: string
  /** The things that they may have made. */
  readonly mayBe: MayBeKnown
  /** When the first of them was sent, service time in milliseconds. */
  readonly since: number
}

/**
 * Finds what nobody declares in the places that a declaration names. Reads each list that the run has not read. For
 * organizations without events in the run, reads events as far back as something is recorded there.
 */
export const unmanagedOf = async (client: EngineClient, input: UnmanagedInput): Promise<UnmanagedFound> => {
  const { declaration, records, upTo, run, asks } = input
  const definitions = input.definitions.filter(({ section }) => asks(section))
  const places = placesIn(input.definitions, declaration)
  const asked = { ...input, definitions }
  const [lists, more] = await Promise.all([readLists(client, asked, places), readMore(client, asked)])
  const observed = { ...run.observed, scopes: new Map([...run.observed.scopes, ...lists.scopes]) }
  const log = joined(run.log, more)
  // Asked last, so that what another command has just made is already in its state.
  const known = await input.known()
  const { records: elsewhere, isWriting } = await input.elsewhere()
  const seen: StrangersFacts = { definitions, declaration, records, upTo, client, log, known }
  const lost = await Promise.all((await input.lost()).map((each) => madeByLost(seen, each)))
  const contested = lost.flatMap((each) => each.contested)
  const found = findUnmanaged({
    ...asked,
    // A thing that a lost creation made stays ours, even if somebody has changed it since.
    known: [...known, ...lost.flatMap(({ excused }) => excused), ...contested],
    elsewhere,
    places,
    observed,
    log,
    strangers: strangersOf(seen),
    isClaimed: claimsIn(definitions, { ...input, elsewhere, observed }),
    ownKey: client.publicKey,
    now: run.now,
    isOpen: (kind, at) => isWriting || input.isOpen(kind, at),
  })
  const warnings = [
    ...lists.warnings,
    ...more.warnings,
    ...unseenIn(input, { log, ownKey: client.publicKey }),
    // For what the run itself has read, its plan has the warning.
    ...unseenProjects({ ...input, log: more, ownKey: client.publicKey }),
    ...found.warnings,
    ...contestedIn(definitions, contested),
  ]
  const since = eventsSince(definitions, declaration, log)
  return { things: found.things, warnings, ...(since === undefined ? {} : { since }) }
}

/** From when on the events of all organizations were read; undefined if some organization's were not. */
const eventsSince = (
  definitions: readonly KindDefinition[],
  declaration: Declaration,
  { partly, from }: EventLog,
): string | undefined => {
  if (!definitions.some(({ unmanaged }) => unmanaged.foundBy === 'events')) return undefined
  const instants = organizationsIn(declaration).map((org) => partly.get(org) ?? from.get(org) ?? Infinity)
  const latest = Math.max(...instants)
  return Number.isFinite(latest) ? formatInstant(latest) : undefined
}

interface StrangersFacts extends Pick<UnmanagedInput, 'definitions' | 'declaration' | 'records' | 'upTo'> {
  readonly client: EngineClient
  readonly log: EventLog
  readonly known: readonly Made[]
}

/** Strangers that the key made, and those made by persons who may own the key. */
const strangersOf = ({ upTo, ...seen }: StrangersFacts): Made[] => {
  const now = seen.client.serviceNow()
  const from = organizationsIn(seen.declaration).map((org) => [org, readOnwards(upTo[org], now)] as const)
  const { own, perhaps } = strangersIn({ ...seen, from: new Map(from) })
  return [...own, ...perhaps]
}

/** What lost creations may have made. Events from that time show it, and may still have to be read. */
const madeByLost = async (
  seen: StrangersFacts,
  { by, mayBe, since }: LostCreations,
): Promise<Pick<Strangers, 'excused' | 'contested'>> => {
  const { client, declaration, log } = seen
  const from = new Map(organizationsIn(declaration).map((org) => [org, since - SPAN_MARGIN_MS] as const))
  const earlier = await readEarlier(client, from, log)
  const sender = { publicKey: by, serviceNow: () => client.serviceNow() }
  return strangersIn({ ...seen, client: sender, from, log: joined(log, earlier), mayBeKnown: mayBe })
}

/** Some of these things belong to nobody, but nothing shows which, so none is listed. */
const contestedIn = (definitions: readonly KindDefinition[], contested: readonly Made[]): Reason[] => {
  const ids = contested.flatMap((made) => keyOf(definitions, made) ?? [])
  return ids.length === 0 ? [] : [reason('unmanaged-or-lost', { ids })]
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

/** If events do not show our own writes, they need not show anybody else's. */
const unseenIn = (
  { definitions, declaration, records, asks }: UnmanagedInput,
  { log, ownKey }: { readonly log: EventLog; readonly ownKey: string },
): Reason[] =>
  [...log.from].flatMap(([org, since]) => {
    const from = log.partly.get(org) ?? since
    const written = Object.values(records).flatMap((record) => {
      const definition = definitionOf(definitions, record.kind)
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

const isShown = (
  {
    record,
    definition: { witness },
  }: { readonly record: RecordedResource; readonly definition: KindDefinition },
  log: EventLog,
): boolean => isNone(witness) || showsEvents(witness, record, log)
