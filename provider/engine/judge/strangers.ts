import { isReadable, type KindDefinition, type LostById } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { EngineClient } from '../read/client.ts'
import type { EventLog } from '../read/events.ts'
import { declaredIdentity } from '../values/identity.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { Declaration, Made, Records } from '../values/model.ts'
import { newestFirst } from '../values/newest-first.ts'
import { fromAnswer } from '../values/wire.ts'
import { causerOf } from './person.ts'
import { instantOfEvent, timeOfEvent, typeOfEvent } from '../read/event.ts'

/**
 * How events tell of creations of a kind that no endpoint shows; undefined for other kinds, where a second creation
 * would be seen or refused.
 */
const creationsToldBy = (definition: KindDefinition): LostById | undefined => {
  const { create } = definition.establish
  return isReadable(definition) || isNone(create) || isNone(create.lost) || create.lost.by !== 'id'
    ? undefined
    : create.lost
}

/** Whether only events tell of the creations of a kind, so that a forgotten thing could be created twice. */
export const isToldByEvents = (definition: KindDefinition): boolean =>
  creationsToldBy(definition) !== undefined

/** A thing that was made, with what the event of its creation says. */
export interface ToldMade {
  readonly made: Made
  readonly told: Values
}

/** Picks, from all unknown things, those that creations with an unknown outcome may have made. */
export type MayBeKnown = (things: readonly ToldMade[]) => {
  /** Things that have one such creation each. */
  readonly excused: ReadonlySet<Made>
  /** More things than there are creations that can have made them, so it is not known which ones they made. */
  readonly contested: ReadonlySet<Made>
}

/** What tells strangers from known things. */
export interface StrangersInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** Known things that are not recorded. */
  readonly known: readonly Made[]
  readonly mayBeKnown?: MayBeKnown | undefined
  readonly client: Pick<EngineClient, 'publicKey' | 'serviceNow'>
  readonly log: EventLog
  /** For each organization, the time before which events do not matter; service time in milliseconds. */
  readonly from: ReadonlyMap<string, number>
}

/** Things that, according to events, were made, that nobody knows, and that are not over. */
export interface Strangers {
  /** Made with the calling key. */
  readonly own: readonly Made[]
  /** Made by persons, one of whom may own the key; nothing shows it. */
  readonly perhaps: readonly Made[]
  /** Not among these, because a creation with an unknown outcome can have made them. */
  readonly excused: readonly Made[]
  /** Among these, although a creation with an unknown outcome can have made some of them. */
  readonly contested: readonly Made[]
}

export const strangersIn = (seen: StrangersInput): Strangers => {
  const found = seen.definitions.flatMap((definition) => {
    const how = creationsToldBy(definition)
    return how === undefined ? [] : [...creationsIn(definition, how, seen, (of) => of !== 'another')]
  })
  const { excused, contested } = seen.mayBeKnown?.(found) ?? { excused: NONE, contested: NONE }
  const left = found.filter(({ made }) => !excused.has(made))
  return {
    own: left.flatMap(({ made, isOwn }) => (isOwn ? [made] : [])),
    perhaps: left.flatMap(({ made, isOwn }) => (isOwn ? [] : [made])),
    excused: [...excused],
    contested: [...contested],
  }
}

const NONE: ReadonlySet<Made> = new Set()

/** Things that, according to events, others made, that nobody knows, and that are not over. */
export const madeByOthers = (seen: StrangersInput): Pick<Creation, 'made' | 'latest'>[] =>
  seen.definitions.flatMap((definition) => {
    const how = creationsToldBy(definition)
    return how === undefined ? [] : [...creationsIn(definition, how, seen, (of) => of === 'another')]
  })

interface Creation extends ToldMade {
  readonly isOwn: boolean
  /** Its values as the newest events tell them; undefined if none tells when it ends. */
  readonly latest: Values | undefined
}

const creationsIn = (
  definition: KindDefinition,
  how: LostById,
  seen: StrangersInput,
  isSought: (of: ReturnType<ReturnType<typeof causerOf>>) => boolean,
) => {
  const { client, log } = seen
  const ids = knownIds(definition, seen)
  const whose = causerOf(client.publicKey, seen)
  const now = new Date(client.serviceNow())
  const about = Map.groupBy(log.events, (event) => event[how.idInEvent])
  const found = new Map<string, Creation>()
  for (const event of log.events) {
    const id = event[how.idInEvent]
    const of = whose(event)
    if (typeof id !== 'string' || ids.has(id) || !isSought(of)) continue
    if (!how.types.test(typeOfEvent(event)) || !isWanted(event, seen.from)) continue
    const last = lastTold(definition, how, about.get(id) ?? [])
    if (last !== undefined && hasEnded(definition, last, now)) continue
    const identity = { ...placeToldBy(definition, event), [definition.identity.key]: id }
    const made = { kind: definition.kind, identity, at: timeOfEvent(event), ...endIn(definition, last) }
    const told = fromAnswer(definition, event[how.told], {}).values
    const latest = last === undefined ? undefined : { ...told, ...last }
    found.set(id, { made, told, isOwn: of === 'the key', latest })
  }
  return found.values()
}

const isWanted = (event: Values, from: ReadonlyMap<string, number>): boolean => {
  const since = from.get(String(event['orgId']))
  return since !== undefined && instantOfEvent(event) >= since
}

/** The ids of the things of a kind that are recorded, known or declared. */
export const knownIds = (
  definition: KindDefinition,
  { records, known, declaration }: Pick<StrangersInput, 'records' | 'known' | 'declaration'>,
) => {
  const { kind } = definition
  const { key } = definition.identity
  const declared = declaration.entries
    .filter((entry) => entry.kind === kind)
    .map(({ values }) => declaredIdentity(definition, values)[key])
  const kept = [...Object.values(records), ...known].filter((each) => each.kind === kind)
  return new Set([...kept.map(({ identity }) => identity[key]), ...declared])
}

/** The place that an event tells; without it, the event may be about any place. */
export const placeToldBy = ({ identity: { scope }, fields }: KindDefinition, event: Values): Identity =>
  Object.fromEntries(
    scope.flatMap((name) => {
      const value = event[fields[name]?.wire ?? name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/**
 * What the newest event that tells the end shows; undefined if none does. An event without details may have moved the
 * end.
 */
const lastTold = (
  definition: KindDefinition,
  { told }: LostById,
  about: readonly Values[],
): Values | undefined => {
  const { lifetime } = definition
  if (isNone(lifetime)) return undefined
  for (const event of newestFirst(about)) {
    const { values } = fromAnswer(definition, event[told], {})
    if (values[lifetime.endsAt] !== undefined) return values
    if (Object.keys(values).length === 0) return undefined
  }
  return undefined
}

/** Until then, the thing may turn up in events, so it stays known if it is disowned. */
const endIn = ({ lifetime }: KindDefinition, last: Values | undefined): Pick<Made, 'until'> => {
  const end = isNone(lifetime) ? undefined : last?.[lifetime.endsAt]
  return typeof end === 'string' ? { until: end } : {}
}
