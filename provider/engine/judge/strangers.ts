import type { KindDefinition, LostById } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
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

/** How events tell what was made of a kind that no endpoint shows; of others a second creation is seen, or refused. */
const toldBy = ({ establish: { create }, observe }: KindDefinition): LostById | undefined =>
  isNone(create) || isNone(create.lost) || create.lost.by !== 'id' || observe.how === 'everything'
    ? undefined
    : create.lost

/** Whether events alone tell what was made of a kind, so what was made and forgotten could be made twice. */
export const isToldByEvents = (definition: KindDefinition): boolean => toldBy(definition) !== undefined

/** A thing that was made, with what the event of its creation says. */
export interface ToldMade {
  readonly made: Made
  readonly told: Values
}

/** Which of all things that nobody knows are taken for what creations with an unknown outcome have made. */
export type MayBeKnown = (things: readonly ToldMade[]) => {
  /** One thing for a creation. */
  readonly excused: ReadonlySet<Made>
  /** More than there are creations that can have made them: which of them it is, is not known. */
  readonly contested: ReadonlySet<Made>
}

/** What creations are compared with. */
export interface Acquaintance {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** What is known and not recorded. */
  readonly known: readonly Made[]
  readonly mayBeKnown?: MayBeKnown | undefined
  readonly client: Pick<EngineClient, 'publicKey' | 'serviceNow'>
  readonly log: EventLog
  /** Earlier events do not matter: service time in milliseconds, by organization. */
  readonly from: ReadonlyMap<string, number>
}

/** What events say was made, that nobody knows, and that is not over. */
export interface Strangers {
  /** With the calling key. */
  readonly own: readonly Made[]
  /** Made by people, one of whom may own the key: nothing shows it. */
  readonly perhaps: readonly Made[]
  /** What is not among these, since a creation with an unknown outcome can have made it. */
  readonly excused: readonly Made[]
  /** What is among these, and can be of such a creation, as others can. */
  readonly contested: readonly Made[]
}

export const strangersIn = (seen: Acquaintance): Strangers => {
  const found = seen.definitions.flatMap((definition) => {
    const how = toldBy(definition)
    return how === undefined ? [] : [...creationsIn(definition, how, seen)]
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

const creationsIn = (definition: KindDefinition, how: LostById, seen: Acquaintance) => {
  const { client, log } = seen
  const ids = knownIds(definition, seen)
  const whose = causerOf(client.publicKey, seen)
  const now = new Date(client.serviceNow())
  const about = Map.groupBy(log.events, (event) => event[how.idInEvent])
  const found = new Map<string, ToldMade & { readonly isOwn: boolean }>()
  for (const event of log.events) {
    const id = event[how.idInEvent]
    const of = whose(event)
    if (typeof id !== 'string' || ids.has(id) || of === 'another') continue
    if (!how.types.test(String(event['eventTypeName'])) || !isWanted(event, seen.from)) continue
    if (isOver(definition, how, about.get(id) ?? [], now)) continue
    const identity = { ...placeIn(definition, event), [definition.identity.key]: id }
    const made = { kind: definition.kind, identity, at: String(event['created']) }
    const told = fromAnswer(definition, event[how.told], {}).values
    found.set(id, { made, told, isOwn: of === 'the key' })
  }
  return found.values()
}

const isWanted = (event: Values, from: ReadonlyMap<string, number>): boolean => {
  const since = from.get(String(event['orgId']))
  return since !== undefined && parseInstant(String(event['created'])) >= since
}

const knownIds = (definition: KindDefinition, { records, known, declaration }: Acquaintance) => {
  const { kind } = definition
  const { key } = definition.identity
  const declared = declaration.entries
    .filter((entry) => entry.kind === kind)
    .map(({ values }) => declaredIdentity(definition, values)[key])
  const kept = [...Object.values(records), ...known].filter((each) => each.kind === kind)
  return new Set([...kept.map(({ identity }) => identity[key]), ...declared])
}

/** An event that does not tell its place may be of any. */
export const placeIn = ({ identity: { scope }, fields }: KindDefinition, event: Values): Identity =>
  Object.fromEntries(
    scope.flatMap((name) => {
      const value = event[fields[name]?.wire ?? name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** Whether the last event that tells its end says that it is over. One that tells nothing may have moved it. */
const isOver = (
  definition: KindDefinition,
  { told }: LostById,
  about: readonly Values[],
  now: Date,
): boolean => {
  const { lifetime } = definition
  if (isNone(lifetime)) return false
  for (const event of newestFirst(about)) {
    const { values } = fromAnswer(definition, event[told], {})
    if (values[lifetime.endsAt] !== undefined) return hasEnded({ definition }, values, now)
    if (Object.keys(values).length === 0) return false
  }
  return false
}
