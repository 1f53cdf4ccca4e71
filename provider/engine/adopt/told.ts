import type { HowTold } from '../../core/adoption.ts'
import { check } from '../../core/check/index.ts'
import { isReadable, type KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { isObject, type Identity, type Values } from '../../core/values.ts'
import { spokenOf } from '../judge/events.ts'
import { hasEnded } from '../values/lifetime.ts'
import { newestFirst } from '../values/newest-first.ts'
import { typeOfEvent } from '../read/event.ts'

/** A thing that only events show. */
export interface EventThing {
  readonly definition: KindDefinition
  readonly place: Identity
  /** Other places where it may be: it was seen there too, and nothing was done to it. */
  readonly others: readonly Identity[]
  /** The value by which events name it; and its id, if events told it. */
  readonly value: string
  readonly key: string | undefined
  /** What an entry can declare of it. */
  readonly values: Values
  /** The parts of its names. */
  readonly names: readonly string[]
  /** The newest event about it, and the number of events. */
  readonly event: Values
  readonly count: number
}

/** One thing with the events that name it, newest first. */
interface Named {
  readonly value: string
  readonly events: Values[]
  key: string | undefined
}

interface Telling {
  readonly events: readonly Values[]
  readonly now: Date
  /** The public key of the caller. */
  readonly ownKey: string | undefined
}

/**
 * The things of a kind that events name, and that are neither gone nor over. The calling key is left out if only
 * its own acts show it: otherwise every apply would make it a find.
 */
export const toldIn = (definition: KindDefinition, { events, now, ownKey }: Telling): EventThing[] => {
  if (isReadable(definition) || definition.adoption.told === undefined) return []
  return [...namedIn(definition, newestFirst(events)).values()].flatMap((named): EventThing[] => {
    const isCaller = named.value === ownKey && aboutIn(definition, named.value, named.events).length === 0
    const told = isCaller ? undefined : toldOf(definition, named)
    return told === undefined || hasEnded(definition, told.values, now) ? [] : [told]
  })
}

const namedIn = (
  { witness, identity, adoption }: KindDefinition,
  events: readonly Values[],
): Map<string, Named> => {
  const found = new Map<string, Named>()
  if (isNone(witness)) return found
  const { actor } = adoption.told ?? {}
  const note = (event: Values, value: unknown, key: unknown): void => {
    if (typeof value !== 'string' || value === '') return
    const named = found.get(value) ?? { value, events: [], key: undefined }
    if (named.events.at(-1) !== event) named.events.push(event)
    if (typeof key === 'string') named.key ??= key
    found.set(value, named)
  }
  for (const event of events) {
    const value = event[witness.event]
    note(event, value, witness.instance === identity.key ? value : undefined)
    if (actor !== undefined) note(event, event[actor.name], event[actor.id])
  }
  return found
}

const toldOf = (definition: KindDefinition, { value, events, key }: Named): EventThing | undefined => {
  const { witness, adoption, fields } = definition
  const [event] = events
  const { told } = adoption
  if (event === undefined || isNone(witness) || told === undefined) return undefined
  const about = aboutIn(definition, value, events)
  // Who deletes another thing is there.
  if (about[0] === event && witness.endedBy.test(typeOfEvent(event))) return undefined
  // A thing can act elsewhere, but what is done to it is done where it is.
  const [inside] = placesToldBy(definition, about)
  const [place, ...others] = inside === undefined ? placesToldBy(definition, events) : [inside]
  if (place === undefined) return undefined
  const own = fields[witness.instance]
  const values = {
    ...(own?.part === 'value' && own.change !== 'computed' ? { [witness.instance]: value } : {}),
    ...valuesIn(definition, told, about, place),
  }
  const names = adoption.names({ ...values, [witness.instance]: value })
  return { definition, place, others, value, key, values, names, event, count: events.length }
}

/** The places where it may be, according to its events, newest first. */
const placesToldBy = ({ identity, fields }: KindDefinition, events: readonly Values[]): Identity[] => {
  const found = identity.scope.map((name) => {
    const wire = fields[name]?.wire ?? name
    const values = new Set(events.map((event) => event[wire]).filter((value) => typeof value === 'string'))
    return [...values].map((value): Identity => ({ [name]: value }))
  })
  return found.reduce<Identity[]>(
    (places, values) => places.flatMap((place) => values.map((value) => ({ ...place, ...value }))),
    [{}],
  )
}

/** Only the events about the thing itself: what it did to others tells nothing about it. */
const aboutIn = ({ witness }: KindDefinition, value: string, events: readonly Values[]): Values[] =>
  events.filter((event) => !isNone(witness) && event[witness.event] === value)

/** Values that events tell, each from the newest event that has it. Neither the values nor their form are documented. */
const valuesIn = (
  definition: KindDefinition,
  { values }: HowTold,
  events: readonly Values[],
  place: Identity,
): Values => {
  if (values === undefined) return {}
  const { fields } = definition
  const names = Object.keys(fields).filter(
    (name) => fields[name]?.part === 'value' && fields[name].change === 'write',
  )
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = fields[name]
      if (field === undefined) return []
      const event = events.find((each) => rawIn(each, values, field.wire ?? name) !== undefined)
      if (event === undefined || isChangedSince(definition, name, event, events)) return []
      const raw = rawIn(event, values, field.wire ?? name)
      const value = field.decode?.(raw, place).value ?? raw
      return check(field.type, value).length > 0 ? [] : [[name, value]]
    }),
  )
}

const rawIn = (event: Values, under: string, name: string): unknown => {
  const told = event[under]
  return isObject(told) ? (told[name] ?? undefined) : undefined
}

/** Whether a newer event changed the field without telling its value. */
const isChangedSince = (
  { witness }: KindDefinition,
  name: string,
  event: Values,
  newest: readonly Values[],
): boolean =>
  !isNone(witness) &&
  newest
    .slice(0, newest.indexOf(event))
    .some(({ eventTypeName }) => spokenOf(witness, String(eventTypeName))?.includes(name) === true)
