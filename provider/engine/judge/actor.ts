import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { same } from '../values/compare.ts'
import type { EventSeen } from '../reason.ts'
import type { Actor } from '../values/model.ts'
import { setBy, spokenOf } from './events.ts'
import { isBySame } from '../read/event.ts'

/**
 * The one actor who can have caused all differences, by the newest event that can have caused one, with a
 * confidence. Undefined if several actors can have, or if the event may be our own. `seen` has the live values: an
 * event that gave a field another value is not the cause, nor is any event before it, nor an event that found the
 * value already there. An empty `changed` stands for the thing as a whole.
 */
export const actorOf = (
  definition: KindDefinition,
  acts: Acts,
  changed: readonly string[],
  seen: Values,
): Actor | undefined => {
  const { events } = acts
  const causes = changed.map((name) => causesOf(definition, acts, { name, seen: seen[name] }))
  if (causes.some((some) => some.length === 0)) return undefined
  const possible = changed.length === 0 ? events : events.filter((event) => causes.flat().includes(event))
  return theOneOf(possible, confidenceIn(definition, possible, changed))
}

/** Whether an event says that the thing is gone. */
export const tellsEnd = ({ witness }: KindDefinition, event: EventSeen | undefined): boolean =>
  event !== undefined && !isNone(witness) && witness.endedBy.test(event.eventTypeName)

/** The one actor who has removed the thing, by the newest of the foreign events that say that it is gone. */
export const removerOf = (definition: KindDefinition, events: readonly EventSeen[]): Actor | undefined => {
  const telling = events.filter((event) => tellsEnd(definition, event))
  return theOneOf(telling, telling.length === 1 ? 'high' : 'medium')
}

/** Who caused all of these events, newest first, if it is one actor and certainly none of them is our own. */
const theOneOf = (
  [newest, ...others]: readonly EventSeen[],
  confidence: Actor['confidence'],
): Actor | undefined => {
  if (newest === undefined || [newest, ...others].some(({ mayBeOwn }) => mayBeOwn)) return undefined
  // That several events name nobody does not show that one person caused them.
  const isNamed = (newest.publicKey ?? newest.username) !== undefined
  if (!others.every((other) => isNamed && isBySame(other, newest))) return undefined
  const { id, created, ...who } = newest
  return { ...who, at: created, eventId: id, confidence }
}

interface Acts {
  /** Foreign events, newest first. */
  readonly events: readonly EventSeen[]
  /** The same, with those of our last write. */
  readonly all: readonly EventSeen[]
  /** The values that our last write certainly left. */
  readonly left?: Values
}

interface SeenField {
  readonly name: string
  readonly seen: unknown
}

/** The events that can have given a field its live value: those since the last one that gave it another. */
const causesOf = (
  definition: KindDefinition,
  { events, all, left = {} }: Acts,
  field: SeenField,
): EventSeen[] => {
  const theirs = new Set(events.map(({ id }) => id))
  const isUndone = isOther(definition, field, left[field.name])
  const about = all.filter(
    (event) =>
      speaksOf(definition, event.eventTypeName, field.name) &&
      // Our own write-back, even if its event is lost, undid this event, so it is not the cause of the live value.
      !(isUndone && !theirs.has(event.id) && hasMade(definition, event, field) === 'this'),
  )
  const undone = about.findIndex((event) => hasMade(definition, event, field) === 'other')
  const since = undone === -1 ? about : about.slice(0, undone)
  const first = since.findLast((event) => hasMade(definition, event, field) === 'this')
  const causes = since.filter((event) => event === first || hasMade(definition, event, field) === undefined)
  const ids = new Set(causes.map(({ id }) => id))
  return events.filter(({ id }) => ids.has(id))
}

const isOther = ({ fields }: KindDefinition, { name, seen }: SeenField, left: unknown): boolean =>
  left !== undefined && seen !== undefined && !same(fields[name], left, seen)

const speaksOf = ({ witness }: KindDefinition, type: string, name: string): boolean =>
  !isNone(witness) && spokenOf(witness, type)?.includes(name) !== false

/** Whether an event says that it gave a field this value, or another one. Most events tell neither. */
const hasMade = (
  definition: KindDefinition,
  event: EventSeen,
  { name, seen }: SeenField,
): 'this' | 'other' | undefined => {
  const made = setBy(definition, event.eventTypeName)[name]
  if (made === undefined || seen === undefined) return undefined
  return same(definition.fields[name], made, seen) ? 'this' : 'other'
}

const confidenceIn = (
  definition: KindDefinition,
  possible: readonly EventSeen[],
  changed: readonly string[],
): Actor['confidence'] => {
  const { witness, write } = definition
  if (isNone(write) || !changed.some((name) => write.fields.includes(name))) return 'low'
  const isPrecise =
    !isNone(witness) && possible.every(({ eventTypeName }) => spokenOf(witness, eventTypeName) !== undefined)
  return isPrecise && possible.length === 1 ? 'high' : 'medium'
}
