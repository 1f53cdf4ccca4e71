import { isReadable, partsOf, type KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { pickBy, type Identity, type Values } from '../../core/values.ts'
import { ForbiddenError } from '../../errors/index.ts'
import { eventsOf } from '../judge/by-field.ts'
import { countsFor, setBy } from '../judge/events.ts'
import { expand } from '../plan/expand.ts'
import { claimOf } from '../plan/holders.ts'
import type { EngineClient } from '../read/client.ts'
import { readEvents, type EventLog } from '../read/events.ts'
import type { Thing } from '../read/listed.ts'
import { isListed, observe, thingsIn, type Observations } from '../read/observe.ts'
import { readParts } from '../read/parts.ts'
import { organizationsIn } from '../read/organizations.ts'
import { identityKey, placeKey } from '../values/identity.ts'
import type { Declaration, Records } from '../values/model.ts'
import { scopesOf } from '../values/places.ts'
import { newestFirst } from '../values/newest-first.ts'
import {
  byName,
  knownElsewhere,
  toldNames,
  recordedKeys,
  type Elsewhere,
  type KnownElsewhere,
  type Met,
} from './elsewhere.ts'
import { proposalsIn, type Changed, type ListedIn, type Proposal } from './proposals.ts'
import { isDeclarable, unshownNeeds } from './declarable.ts'
import { toldIn, type EventThing } from './told.ts'
import { isIn, undeclaredIn } from './undeclared.ts'
import { typeOfEvent } from '../read/event.ts'

export type { EventThing } from './told.ts'

export interface FindInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** Identities of places, such as `{ projectId }`. */
  readonly places: readonly Identity[]
  /** Whether a person's files name a value, even in a comment. What is named there is known. */
  readonly isMentioned: (value: string) => boolean
  /** What other states record, and what else they know. Called after everything is read. */
  readonly elsewhere: () => Promise<Elsewhere>
  /** Whether a thing, by the values that can name it, is known and left undeclared on purpose. */
  readonly isIgnored: (definition: KindDefinition, names: Values, now: Date) => boolean
  /** Whether things that several places have in common become one entry. */
  readonly inCommon: boolean
  /** Whether recorded things that no entry declares any more are found too. */
  readonly again: boolean
}

/** The existing things that nobody declares. */
export interface Found {
  readonly proposals: readonly Proposal[]
  /** Proposals that no manifest can express, for example because this version does not know a type. */
  readonly undeclarable: readonly Proposal[]
  /** Things whose list does not show what an entry needs. */
  readonly unshown: readonly Unshown[]
  /** Things that no list shows. */
  readonly told: readonly EventThing[]
  /** Places that the service does not know. */
  readonly absent: readonly Identity[]
  /** Places with a list that may not be read, with the service's error. What is found in them is incomplete. */
  readonly refused: readonly { readonly place: Identity; readonly error: ForbiddenError }[]
  readonly log: EventLog
  /** How many things were left alone because they are known. */
  readonly ignored: number
  /** The owners of the things that were left alone because another state has them, or may have. */
  readonly elsewhere: readonly Met[]
  /** Addresses of records that no entry declares any more. */
  readonly undeclared: readonly string[]
}

interface Unshown extends Pick<Proposal, 'definition' | 'place' | 'keys'> {
  readonly fields: readonly string[]
}

/** Reads every list of the places once, and all events of their organizations. Sends nothing else. */
export const found = async (client: EngineClient, given: FindInput): Promise<Found> => {
  const { definitions, places } = given
  const lists = listsIn(given)
  const seen = await readAll(client, given, lists)
  const { observed, log, now } = seen
  const declared = declaredIn(given, observed, now)
  const undeclared = undeclaredIn(given, { declared, shown: shownIn(lists, observed) })
  const lost = new Set(given.again ? undeclared : [])
  const input = { ...given, records: pickBy(given.records, (_, address) => !lost.has(address)) }
  // Asked last, so that what another command has just made is already in its state.
  const others = await given.elsewhere()
  const { isRecorded, isKnown, met } = knownElsewhere(definitions, others, { ...input, ...seen, client })
  const { isFree, ignored } = sparing({ ...input, isRecorded }, freeIn(input, declared), now)
  const proposals = [...Map.groupBy(lists, ({ definition }) => definition)].flatMap(([definition, own]) => {
    const listings = own.map(({ place }): ListedIn => ({
      place,
      things: thingsIn(observed, definition, place),
      isFree: (thing) => unshownNeeds(definition, thing.values).length === 0 && isFree(definition, thing),
    }))
    return proposalsIn(definition, listings, { now, inCommon: given.inCommon })
  })
  const isNew = newIn(input)
  const told = definitions
    .flatMap((definition) => toldIn(definition, { events: log.events, now, ownKey: client.publicKey }))
    .filter((each) => isIn(places, each.place))
    .filter((each) => isNew(each) && !isKnown(each) && !isIgnoredTold(each, input, now))
  return {
    proposals: proposals.filter(isTaken).map((each) => withChanges(each, log)),
    undeclarable: proposals.filter((each) => !isTaken(each)),
    unshown: unshownIn(lists, observed, isFree),
    told: await Promise.all(told.map((each) => withParts(client, each))),
    ...unreadIn(lists, observed),
    log,
    ignored: ignored.size,
    elsewhere: [...met.values()],
    undeclared,
  }
}

/** What the service shows of one kind in one place. */
interface List {
  readonly definition: KindDefinition
  readonly place: Identity
}

/** The lists of the given places, and of the organizations for a kind that belongs to these. */
const listsIn = ({ definitions, places, declaration }: FindInput): List[] =>
  definitions.filter(isReadable).flatMap((definition) => {
    const { scope } = definition.identity
    const within = { project: NOWHERE, organization: new Set(organizationsIn(declaration)) }
    const given = places.filter((place) => scope.every((name) => place[name] !== undefined))
    const all = given.length > 0 ? given : scopesOf(definition, within, { entries: [] })
    return all.map((place) => ({ definition, place }))
  })
const NOWHERE: ReadonlySet<string> = new Set()

/** Every list, and all events of the organizations. */
const readAll = async (
  client: EngineClient,
  { definitions, declaration }: FindInput,
  lists: readonly List[],
): Promise<{ readonly observed: Observations; readonly log: EventLog; readonly now: Date }> => {
  const places = lists.map(({ place }) => place)
  const since = new Map(organizationsIn(declaration).map((org) => [org, EVER]))
  const how = { entries: [], records: [], places, withUnmanaged: true, sparesRefused: true }
  const [observed, log] = await Promise.all([
    observe(client, { definitions, ...how }),
    readEvents(client, since, { withRaw: true, far: true }),
  ])
  return { observed, log, now: new Date(client.serviceNow()) }
}

/** The free things that no entry can stand for, as long as the service does not show what an entry needs. */
const unshownIn = (
  lists: readonly List[],
  observed: Observations,
  isFree: (definition: KindDefinition, thing: Thing) => boolean,
): Unshown[] =>
  lists.flatMap(({ definition, place }) => {
    const needsOf = ({ values }: Thing): readonly string[] => unshownNeeds(definition, values)
    const things = thingsIn(observed, definition, place).filter(
      (thing) => needsOf(thing).length > 0 && isFree(definition, thing),
    )
    const keys = things.map(({ identity }) => identity[definition.identity.key] ?? '')
    return keys.length === 0
      ? []
      : [{ definition, place, keys, fields: [...new Set(things.flatMap(needsOf))] }]
  })

/** The places of which not everything was read. */
const unreadIn = (lists: readonly List[], observed: Observations): Pick<Found, 'refused' | 'absent'> => {
  const byPlace = Map.groupBy(lists, ({ definition, place }) => placeKey(definition, place))
  const refused = [...byPlace].flatMap(([key, [list]]) => {
    const error = observed.refused.get(key)
    return error === undefined || list === undefined ? [] : [{ place: list.place, error }]
  })
  const absent = [...byPlace].flatMap(([key, there]) => {
    const unread = there.find(({ definition, place }) => !isListed(observed, definition, place))
    return unread === undefined || observed.refused.has(key) ? [] : [unread.place]
  })
  return { refused, absent }
}

/** Identity keys of everything that lists show. */
const shownIn = (lists: readonly List[], observed: Observations): ReadonlySet<string> =>
  new Set(
    lists.flatMap(({ definition, place }) =>
      thingsIn(observed, definition, place).map(({ identity }) => identityKey(definition, identity)),
    ),
  )

/** Leaves out the known things from the free ones, and collects those that are ignored. */
const sparing = (
  { isIgnored, isRecorded }: Pick<FindInput, 'isIgnored'> & Pick<KnownElsewhere, 'isRecorded'>,
  isFree: (definition: KindDefinition, identity: Identity) => boolean,
  now: Date,
): { isFree: (definition: KindDefinition, thing: Thing) => boolean; ignored: ReadonlySet<string> } => {
  const ignored = new Set<string>()
  return {
    ignored,
    isFree: (definition, { identity, raw }) => {
      if (!isFree(definition, identity) || isRecorded(definition, identity)) return false
      const { unmanaged } = definition
      const more = unmanaged.foundBy === 'list' ? unmanaged.alsoNamedBy : []
      const names = { ...identity, ...Object.fromEntries(more.map((name) => [name, raw[name]])) }
      if (!isIgnored(definition, names, now)) return true
      ignored.add(identityKey(definition, identity))
      return false
    },
  }
}

const isIgnoredTold = (
  { definition, place, value }: EventThing,
  { isIgnored }: FindInput,
  now: Date,
): boolean =>
  !isNone(definition.witness) &&
  isIgnored(definition, { ...place, [definition.witness.instance]: value }, now)

/** Adds who turned off what is off. For a single unusual thing, adds who last acted on it. */
const withChanges = (proposal: Proposal, { events }: EventLog): Proposal => {
  const { definition, keys, remarks, isOff } = proposal
  const { witness } = definition
  if (isNone(witness) || remarks.length === 0 || (keys.length > 1 && !isOff)) return proposal
  const changes = keys.flatMap((key): Changed[] => {
    const about = eventsOf(events, witness.event, key).filter((event) => countsFor(witness, event))
    const newest = newestFirst(about)
    const setIn = (event: Values): Values => setBy(definition, typeOfEvent(event))
    const switched = newest.find((event) => Object.keys(setIn(event)).length > 0)
    const off =
      isOff && switched !== undefined && definition.adoption.isOff(setIn(switched)) ? switched : undefined
    const event = off ?? (keys.length > 1 ? undefined : newest[0])
    return event === undefined ? [] : [{ event, turnedOff: off !== undefined }]
  })
  return { ...proposal, changes }
}

/** Whether a manifest accepts the proposal. */
const isTaken = ({ definition, values }: Proposal): boolean => isDeclarable(definition, values)

const EVER = Number.NEGATIVE_INFINITY

/** Identity keys of everything that is declared, for kinds with lists. */
const declaredIn = (
  { definitions, declaration }: FindInput,
  observed: Observations,
  now: Date,
): ReadonlySet<string> => {
  const listed = new Set(definitions.filter(isReadable).map(({ kind }) => kind))
  const entries = declaration.entries.filter(({ kind }) => listed.has(kind))
  const instances = expand(definitions, entries, { observed, now, recorded: () => [] })
  return new Set(instances.flatMap((instance) => claimOf(instance) ?? []))
}

/**
 * Tells which things are neither declared nor recorded. Something that a person has just taken out of a manifest is
 * not put back.
 */
const freeIn = (
  { definitions, records }: FindInput,
  declared: ReadonlySet<string>,
): ((definition: KindDefinition, identity: Identity) => boolean) => {
  const known = new Set([...declared, ...recordedKeys(definitions, Object.values(records))])
  return (definition, identity) => !known.has(identityKey(definition, identity))
}

/** Tells which things nothing names that is declared or recorded, and no file of a person. */
const newIn = ({ declaration, records, isMentioned }: FindInput): ((told: EventThing) => boolean) => {
  const declared = declaration.entries.map(({ kind, values }) => ({ kind, identity: {}, applied: values }))
  const knownAs = byName([...declared, ...Object.values(records)])
  return (told) => knownAs(told) === undefined && !toldNames(told).some(isMentioned)
}

/**
 * Adds what the thing's own lists show, if its id is known and the key may read them. If the thing may be in
 * several places, the list that answers tells in which; if none does, its place is unknown.
 */
const withParts = async (client: EngineClient, told: EventThing): Promise<EventThing> => {
  const { definition, place, others, key, values } = told
  const lists = Object.entries(partsOf(definition))
  if (lists.length === 0 || key === undefined) return told
  for (const each of [place, ...others]) {
    const identity = { ...each, [definition.identity.key]: key }
    const parts = await readParts(client, { definition, identity, fields: lists }).catch((error: unknown) => {
      if (error instanceof ForbiddenError) return 'missing' as const
      throw error
    })
    if (typeof parts !== 'string') return { ...told, place: each, values: { ...values, ...parts } }
  }
  return others.length === 0 ? told : { ...told, place: {} }
}
