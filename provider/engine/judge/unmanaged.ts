import type { KindDefinition, Unmanaged, Witness } from '../../core/definition.ts'
import { formatInstant, parseInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import { newestTold } from '../../core/told.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { EventLog } from '../read/events.ts'
import type { Thing } from '../read/listed.ts'
import { thingsIn, type Observations } from '../read/observe.ts'
import { reason, type Reason } from '../reason.ts'
import { declaredIdentity, identityKey, isComplete } from '../values/identity.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { Declaration, Made, RecordedResource, Records } from '../values/model.ts'
import { newestFirst } from '../values/newest-first.ts'
import { scopesOf, type Places } from '../values/places.ts'
import { fromAnswer } from '../values/wire.ts'
import { countsFor, witnessed } from './events.ts'
import { causerOf, personOf } from './person.ts'
import { isToldByEvents, placeToldBy } from './strangers.ts'
import { actedBy, type ActedBy } from './unmanaged-actors.ts'
import { instantOfEvent, typeOfEvent } from '../read/event.ts'

/** An existing thing that nobody declares. */
export interface UnmanagedThing extends ActedBy {
  readonly kind: string
  readonly section: string
  /** Its identity, or its place with the value by which events name it. */
  readonly identity: Identity
  /** Other values that can name it. */
  readonly alsoNamed: Values
  /** The known values of its fields, from a list or from events, whose form is not documented. */
  readonly values: Values
  /** What it is, for a person. */
  readonly what: string
  readonly seenIn: 'list' | 'events'
  /** When it ends by itself, according to events; ISO 8601. */
  readonly endsAt?: string
  /** It has begun and not ended, as far as events tell. */
  readonly isInForce?: true
  /** It has an owner's rights, as far as events tell. */
  readonly owns?: true
}

export interface UnmanagedFacts {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** The records of the states of other manifests. */
  readonly elsewhere: readonly RecordedResource[]
  /** Things that were recorded once, in any state, or were disowned. */
  readonly known: readonly Made[]
  /** Strangers that the calling key made, and those made by persons who may own the key. */
  readonly strangers: readonly Made[]
  readonly places: Places
  readonly observed: Observations
  /** Whether a listed thing is claimed. */
  readonly isClaimed: (definition: KindDefinition, identity: Identity) => boolean
  readonly log: EventLog
  readonly ownKey: string
  readonly now: Date
  /**
   * Whether an act of the calling key at that time may belong to a creation that is under way or has an unknown
   * outcome.
   */
  readonly isOpen: (kind: string, at: number) => boolean
}

export interface UnmanagedFound {
  readonly things: readonly UnmanagedThing[]
  readonly warnings: readonly Reason[]
  /** From when on the events that tell of unlisted things were read, ISO 8601. */
  readonly since?: string
}

/** Finds the things that nobody declares in the places that a declaration names. A pure function of what was read. */
export const findUnmanaged = (input: UnmanagedFacts): UnmanagedFound => {
  const found = input.definitions.map((definition) => {
    const { unmanaged: how, witness } = definition
    if (how.foundBy === 'list') return { things: listedThings(definition, how, input), warnings: [] }
    return isNone(witness) ? { things: [], warnings: [] } : eventThings({ definition, how, witness }, input)
  })
  return {
    things: found.flatMap(({ things }) => things),
    warnings: found.flatMap(({ warnings }) => warnings),
  }
}

type KnownByList = Extract<Unmanaged, { foundBy: 'list' }>

const listedThings = (
  definition: KindDefinition,
  how: KnownByList,
  input: UnmanagedFacts,
): UnmanagedThing[] => {
  const { observed, places, declaration, isClaimed } = input
  const listed = scopesOf(definition, places, declaration).flatMap((scope) =>
    thingsIn(observed, definition, scope),
  )
  const free = listed.filter(({ identity }) => !isClaimed(definition, identity))
  const { witness } = definition
  const byThing = isNone(witness) ? undefined : Map.groupBy(input.log.events, (event) => event[witness.event])
  return free.map((thing) => {
    const about = isNone(witness) ? [] : (byThing?.get(thing.identity[witness.instance]) ?? [])
    return describe(definition, how, thing, about)
  })
}

const describe = (
  definition: KindDefinition,
  how: KnownByList,
  { identity, raw, values }: Thing,
  events: EventLog['events'],
): UnmanagedThing => {
  const { witness } = definition
  const about = isNone(witness) ? [] : events.filter((event) => countsFor(witness, event))
  return {
    kind: definition.kind,
    section: definition.section,
    identity,
    alsoNamed: Object.fromEntries(how.alsoNamedBy.map((name) => [name, raw[name]])),
    values,
    what: how.what(raw),
    seenIn: 'list',
    ...actedBy(newestFirst(about)),
  }
}

interface KnownByEvents {
  readonly definition: KindDefinition
  readonly how: Extract<Unmanaged, { foundBy: 'events' }>
  readonly witness: Witness
}

const eventThings = (kind: KnownByEvents, input: UnmanagedFacts): UnmanagedFound => {
  const { witness } = kind
  const ours = valuesOfOurs(kind, input)
  const isCounted = countedBy(kind, input)
  const inPlaces = input.log.events.filter((event) => isIn(input.places, witness, event))
  const found = [...Map.groupBy(inPlaces, (event) => event[witness.event])].flatMap(([value, events]) => {
    if (typeof value !== 'string' || ours.has(value)) return []
    const there = sinceGone(kind, newestFirst(events), input.declaration)
    const seen = there.filter((event) => kind.how.shownBy.test(typeOfEvent(event)) && isCounted(event, value))
    return eventThing(kind, { value, seen, all: there }, input.now)
  })
  const things = found.filter((each) => typeof each !== 'string')
  const nameless = things.length === 0 ? undefined : namelessIn(kind, input)
  if (nameless !== undefined) return { things: [], warnings: [reason('unmanaged-not-told-apart', nameless)] }
  const ids = found.filter((each) => typeof each === 'string')
  return { things, warnings: ids.length === 0 ? [] : [reason('unmanaged-end-untold', { ids })] }
}

interface About {
  /** The value by which events name it. */
  readonly value: string
  /** The events that show it, newest first. */
  readonly seen: readonly Values[]
  /** The same, with those of the calling key: all that is told of it. */
  readonly all: readonly Values[]
}

/** The thing, or only its name if nothing tells whether it is over. */
const eventThing = (
  { definition, how, witness }: KnownByEvents,
  { value, seen, all }: About,
  now: Date,
): (UnmanagedThing | string)[] => {
  const [last] = seen
  if (last === undefined) return []
  const { kind, section, identity } = definition
  const place = placeToldBy(definition, last)
  // If nothing shows where it is, it may be in a place that nobody named.
  if (Object.keys(place).length < identity.scope.length) return []
  const { values } = fromAnswer(definition, newestTold(all), {})
  const { end, isInForce } = periodIn(definition, values, now)
  if (end === 'untold') return [value]
  if (end === 'over') return []
  const { says: what, from, owns } = how.what(all)
  return [
    {
      kind,
      section,
      identity: { ...place, [witness.instance]: value },
      alsoNamed: {},
      values,
      what,
      seenIn: 'events',
      ...endIn(definition, values),
      ...(isInForce ? { isInForce } : {}),
      ...(owns === undefined ? {} : { owns }),
      ...actedBy(seen, { madeBy: how.madeBy, from }),
    },
  ]
}

/** A declared or recorded thing without the value by which events name it: what was found could be this thing. */
const namelessIn = (
  { definition, witness }: KnownByEvents,
  { declaration, records, elsewhere }: UnmanagedFacts,
): { readonly section: string; readonly address: string; readonly field: string } | undefined => {
  const { kind, section } = definition
  const recorded = Object.entries(records).filter(([, record]) => record.kind === kind)
  const isNamed = (record: Parameters<typeof witnessed>[1]): boolean =>
    witnessed(witness, record) !== undefined
  const namedKeys = new Set(
    [...recorded.map(([, record]) => record), ...elsewhere.filter((each) => each.kind === kind)]
      .filter(isNamed)
      .map(({ identity }) => identityKey(definition, identity)),
  )
  const isNameless = (identity: Identity, record: Parameters<typeof witnessed>[1]): boolean =>
    isComplete(definition, identity) && !isNamed(record) && !namedKeys.has(identityKey(definition, identity))
  const open = recorded.find(([, record]) => isNameless(record.identity, record))?.[0]
  const yet = declaration.entries.find(({ kind: of, values }) => {
    if (of !== kind) return false
    const identity = declaredIdentity(definition, values)
    return isNameless(identity, { identity, answer: null, applied: values })
  })
  const address = open ?? yet?.address
  return address === undefined ? undefined : { section, address, field: witness.instance }
}

/**
 * The values by which events name the caller, and the things that are declared, recorded or known here, or recorded
 * elsewhere.
 */
const valuesOfOurs = (
  { definition, witness }: KnownByEvents,
  { elsewhere, known, ownKey, ...seen }: UnmanagedFacts,
): ReadonlySet<string | undefined> => {
  const { kind } = definition
  const { declaration, records } = seen
  const isOfKind = (each: { readonly kind: string }): boolean => each.kind === kind
  const declared = declaration.entries.filter(isOfKind).flatMap(({ values }) => {
    const identity = declaredIdentity(definition, values)
    return [
      witnessed(witness, { identity, answer: null, applied: values }),
      identity[definition.identity.key],
    ]
  })
  const recorded = [...Object.values(records), ...elsewhere]
    .filter(isOfKind)
    .map((record) => witnessed(witness, record))
  const once = known.filter(isOfKind).map(({ identity }) => identity[witness.instance])
  return new Set([...declared, ...recorded, ...once, ownKey, personOf(ownKey, seen)])
}

/**
 * Tells whether an event shows something of somebody else. An act of the calling key counts only if events alone
 * tell of the kind, and what it made is known not to be ours.
 */
const countedBy = (
  { definition }: KnownByEvents,
  { strangers, ownKey, isOpen, ...seen }: UnmanagedFacts,
): ((event: Values, value: string) => boolean) => {
  const { kind, identity } = definition
  const made = new Set(
    strangers.filter((each) => each.kind === kind).map((each) => each.identity[identity.key]),
  )
  const causer = causerOf(ownKey, seen)
  return (event, value) => {
    const of = causer(event)
    if (of === 'another') return true
    if (isOpen(kind, instantOfEvent(event))) return false
    return isToldByEvents(definition) ? made.has(value) : of === 'untold'
  }
}

/** The places where it happened, narrowest first. */
const happenedIn = ({ places: names }: Witness, event: Values): unknown[] =>
  names.map((name) => event[name]).filter((id) => typeof id === 'string')

/** Whether the narrowest place that the event tells is a named one. */
const isIn = (places: Places, witness: Witness, event: Values): boolean => {
  const [place] = happenedIn(witness, event)
  return Object.values(places).some((ids: ReadonlySet<unknown>) => ids.has(place))
}

/** The events since the thing was last gone, altogether or from the place of the event. */
const sinceGone = (
  { how: { leftBy }, witness }: KnownByEvents,
  newest: readonly Values[],
  { organizations }: Declaration,
): Values[] => {
  const gone = newest.findIndex((event) => witness.endedBy.test(typeOfEvent(event)))
  const since = newest.slice(0, gone === -1 ? undefined : gone)
  if (isNone(leftBy)) return since
  const left = new Set<unknown>()
  return since.filter((event) => {
    const places = happenedIn(witness, event)
    if (leftBy.test(typeOfEvent(event))) left.add(places[0])
    return ![...places, organizations.get(String(places[0]))].some((id) => id !== undefined && left.has(id))
  })
}

const endIn = ({ lifetime }: KindDefinition, values: Values): Pick<UnmanagedThing, 'endsAt'> => {
  const end = isNone(lifetime) ? undefined : values[lifetime.endsAt]
  return typeof end === 'string' ? { endsAt: formatInstant(parseInstant(end)) } : {}
}

/** The period of a thing. One that ends by itself counts as existing only if events tell when it ends. */
const periodIn = (
  definition: KindDefinition,
  values: Values,
  now: Date,
): { readonly end: 'none' | 'ahead' | 'over' | 'untold'; readonly isInForce: boolean } => {
  const { lifetime } = definition
  if (isNone(lifetime)) return { end: 'none', isInForce: false }
  const instant = (name: string | undefined): number => {
    const value = name === undefined ? undefined : values[name]
    return typeof value === 'string' ? parseInstant(value) : Number.NaN
  }
  if (Number.isNaN(instant(lifetime.endsAt))) return { end: 'untold', isInForce: false }
  const isOver = hasEnded(definition, values, now)
  return {
    end: isOver ? 'over' : 'ahead',
    isInForce: !isOver && instant(lifetime.dates[0]) <= now.getTime(),
  }
}
