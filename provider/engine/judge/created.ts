import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { formatInstant, parseInstant } from '../../core/instant.ts'
import type { EngineClient } from '../read/client.ts'
import {
  EVENT_LAG_MS,
  LONGEST_LOOK_MS,
  NO_EVENTS,
  presentAt,
  readEvents,
  readFrom,
  readOnwards,
} from '../read/events.ts'
import { eventsWanted, organizationsIn, organizationsOf } from '../read/organizations.ts'
import { reason, type Reason } from '../reason.ts'
import { keyOf } from '../values/identity.ts'
import { thingKey, type Identified } from '../values/kept-things.ts'
import type { Declaration, Made, Records } from '../values/model.ts'
import { alikeByOthers, alikeForgotten, type ToCreate } from './alike.ts'
import {
  isToldByEvents,
  strangersIn,
  type MayBeKnown,
  type Strangers,
  type StrangersInput,
} from './strangers.ts'

/** What a door knows besides its records: a thing that is neither recorded nor known is a stranger. */
export interface KnownThings {
  /** For each organization, up to when creations were compared before; service time, ISO 8601. */
  readonly upTo: Readonly<Record<string, string>>
  /** Those that this door once recorded or disowned itself. */
  readonly forgotten?: readonly Made[]
  /** What other states record, and what they know in the same way. Called together with `known`. */
  readonly others?: () => Promise<{
    readonly records: readonly Identified[]
    readonly forgotten: readonly Made[]
  }>
  /** Known things that are not recorded here. Called only if events show something that is not recorded. */
  readonly known: () => Promise<readonly Made[]>
  /**
   * Which other things another state may know, because it has creations with an unknown outcome. Called together
   * with `known`.
   */
  readonly mayBeKnown?: () => Promise<MayBeKnown>
}

/** The result of comparing what is to be created with what, according to events, was created before. */
export interface Compared {
  /** The strangers that the calling key made. */
  readonly strangers: readonly Made[]
  /** The compared organizations. Creations in others were compared with nothing. */
  readonly orgs: readonly string[]
  /** For each organization, up to when creations need no further look. */
  readonly upTo: Readonly<Record<string, string>>
  readonly notes: readonly Reason[]
}

/** Repeats the comparison for what is declared and recorded later, without sending anything. */
export type Comparison = (declaration: Declaration, records: Records) => Compared

interface Input {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly knownThings?: KnownThings
}

/**
 * Reads what the calling key made according to events, in the organizations where something is to be created that
 * only events tell of. It reads as far back as events go, or back to the last comparison.
 */
export const compare = async (
  client: EngineClient,
  { definitions, declaration, records, knownThings }: Input,
  creations: readonly ToCreate[],
): Promise<Comparison | undefined> => {
  if (knownThings === undefined) return undefined
  const orgs = organizationsFor(creations, { definitions, declaration })
  if (orgs === undefined) return undefined
  const now = client.serviceNow()
  const from = new Map(orgs.map((org) => [org, readOnwards(knownThings.upTo[org], now)]))
  const since = withOwnWrites(from, client.publicKey, { definitions, declaration, records })
  const reading = { tentative: true, withRaw: true, far: true }
  const log = since.size === 0 ? NO_EVENTS : await readEvents(client, since, reading)
  const context = { definitions, client, log, from }
  const unknown = { ...context, declaration, records, known: [] }
  const { own, perhaps } = strangersIn(unknown)
  const { forgotten = [] } = knownThings
  const alike = [...alikeByOthers(creations, unknown), ...alikeForgotten(creations, forgotten, unknown)]
  const isAlone = own.length + perhaps.length + alike.length === 0
  const known = isAlone ? [] : await knownThings.known()
  const mayBeKnown = isAlone ? undefined : await knownThings.mayBeKnown?.()
  const left = isAlone ? [] : await leftAnywhere(knownThings)
  return (later, recorded) =>
    comparedWith({ ...context, declaration: later, records: recorded, known, mayBeKnown }, creations, left)
}

/** What states have known and none records: what another state records is not there twice because of us. */
const leftAnywhere = async ({ forgotten = [], others }: KnownThings): Promise<Made[]> => {
  const there = await others?.()
  const recorded = new Set(there?.records.map(thingKey))
  return [...forgotten, ...(there?.forgotten ?? [])].filter((made) => !recorded.has(thingKey(made)))
}

/** All strangers in the organizations that a declaration names, whatever is to be created. */
export const strangersNow = async (
  client: EngineClient,
  { definitions, declaration, records, knownThings }: Input & { readonly knownThings: KnownThings },
): Promise<Strangers> => {
  const orgs = organizationsIn(declaration)
  const now = await presentAt(client, orgs)
  const from = new Map(orgs.map((org) => [org, readOnwards(knownThings.upTo[org], now)]))
  const since = withOwnWrites(from, client.publicKey, { definitions, declaration, records })
  const log = await readEvents(client, since, { withRaw: true, far: true })
  const [known, mayBeKnown] = [await knownThings.known(), await knownThings.mayBeKnown?.()]
  return strangersIn({ definitions, client, log, from, declaration, records, known, mayBeKnown })
}

/** Whether these creations were compared, as far as there is anything to compare them with. */
export const areCompared = (
  creations: readonly ToCreate[],
  compared: Compared | undefined,
  where: Pick<Input, 'definitions' | 'declaration'>,
): boolean => {
  const orgs = organizationsFor(creations, where)
  return orgs === undefined || (compared !== undefined && orgs.every((org) => compared.orgs.includes(org)))
}

/** The organizations whose events are needed; undefined if every creation is of a kind that more than events show. */
const organizationsFor = (
  creations: readonly ToCreate[],
  { definitions, declaration }: Pick<Input, 'definitions' | 'declaration'>,
): string[] | undefined => {
  const told = new Set(definitions.filter(isToldByEvents).map(({ kind }) => kind))
  const places = creations.flatMap((each) => (told.has(each.kind) ? [[each, 0] as const] : []))
  return places.length === 0 ? undefined : [...eventsWanted(definitions, places, declaration).keys()]
}

/**
 * From when on to read events: early enough to include an event of what the key last wrote, unless that is too long
 * ago. Such an event shows whether the key is a person's, and whose.
 */
const withOwnWrites = (
  from: ReadonlyMap<string, number>,
  ownKey: string,
  { definitions, declaration, records }: Pick<Input, 'definitions' | 'declaration' | 'records'>,
): Map<string, number> => {
  const since = new Map(from)
  for (const [org, upTo] of from) {
    const written = Object.values(records).flatMap((record) => {
      const definition = definitionOf(definitions, record.kind)
      const isOurs = definition !== undefined && isToldByEvents(definition) && record.lastWrite?.by === ownKey
      return isOurs && organizationsOf(definition, record, declaration).includes(org)
        ? [readFrom(record)]
        : []
    })
    const newest = written.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
    if (newest > upTo - LONGEST_LOOK_MS) since.set(org, Math.min(upTo, newest))
  }
  return since
}

const comparedWith = (
  seen: StrangersInput,
  creations: readonly ToCreate[],
  forgotten: readonly Made[],
): Compared => {
  const { log, from } = seen
  const { own, perhaps, excused } = strangersIn(seen)
  const [read, unread] = [[...log.read], [...from.keys()].filter((org) => !log.read.has(org))]
  const at = log.readAt === undefined ? undefined : formatInstant(log.readAt)
  return {
    strangers: own,
    orgs: [...from.keys()],
    // Strangers that stop creations now have to be found again. So do things that may be the key's, once an event
    // tells whose it is, and excused things, so that an unknown outcome excuses nothing else.
    upTo:
      own.length + perhaps.length + excused.length > 0 || at === undefined
        ? {}
        : Object.fromEntries(read.map((org) => [org, at])),
    notes: [
      ...log.warnings.filter(({ code }) => code === 'events-left-unread'),
      ...unread.map((org) => reason('events-not-compared', { org })),
      ...(from.size === 0 ? [reason('nowhere-to-look')] : []),
      ...(perhaps.length === 0
        ? []
        : [
            reason('made-by-persons', {
              ids: perhaps.flatMap((made) => keyOf(seen.definitions, made) ?? []),
            }),
          ]),
      ...alikeByOthers(creations, seen),
      ...alikeForgotten(creations, forgotten, seen),
    ],
  }
}

/** How many things that are over stay known without a comparison: where events are refused, there is never one. */
const UNCOMPARED = 1_000

/**
 * The known things that still matter after creations were compared up to these times. Events from before the end of
 * a thing that is over are not read again. A thing that is not over may still turn up in events of what others do
 * to it.
 */
export const stillToKnow = (
  known: readonly Made[],
  upTo: Readonly<Record<string, string>>,
  { definitions, declaration, now }: Pick<Input, 'definitions' | 'declaration'> & { readonly now: number },
): Made[] => {
  const uncompared = known.filter((made) => {
    const definition = definitionOf(definitions, made.kind)
    if (definition === undefined) return true
    const orgs = organizationsOf(definition, { ...made, applied: {} }, declaration)
    const last = Math.max(parseInstant(made.at), made.until === undefined ? 0 : parseInstant(made.until))
    const isPast = (org: string): boolean => last < parseInstant(upTo[org] ?? '') - EVENT_LAG_MS
    return orgs.length === 0 || !orgs.every(isPast)
  })
  const over = uncompared.filter(({ until }) => until !== undefined && parseInstant(until) < now)
  const surplus = new Set(over.slice(0, -UNCOMPARED))
  return uncompared.filter((made) => !surplus.has(made))
}
