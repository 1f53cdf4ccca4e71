import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { parseInstant, same } from '../values/compare.ts'
import type { Actor, EventSeen } from '../values/model.ts'
import { fieldsOf, setBy, spokenOf } from './events.ts'

/**
 * The newest foreign event that can be the cause of a difference, with how sure that is. `seen` are the live
 * values: an act of the opposite effect is not the cause, nor is one that such an act came after.
 */
export const actorOf = (
  definition: KindDefinition,
  events: readonly EventSeen[],
  changed: readonly string[],
  seen: Values,
): Actor | undefined => {
  const about = events.filter((event) => isAbout(definition, event, changed))
  const possible = about.filter((event) =>
    changed.some((name) => canHaveMade(definition, event, { name, seen: seen[name] }, about)),
  )
  const [event] = about.length === 0 ? events : possible
  if (event === undefined) return undefined
  const { id, created, ...who } = event
  return { ...who, at: created, eventId: id, confidence: confidenceIn(definition, possible, changed) }
}

const isAbout = (definition: KindDefinition, event: EventSeen, changed: readonly string[]): boolean =>
  fieldsOf(definition, [event]).some((name) => changed.includes(name))

interface SeenField {
  readonly name: string
  readonly seen: unknown
}

const canHaveMade = (
  definition: KindDefinition,
  event: EventSeen,
  field: SeenField,
  about: readonly EventSeen[],
): boolean =>
  isAbout(definition, event, [field.name]) &&
  !about.some(
    (other) =>
      (other === event || parseInstant(other.created) > parseInstant(event.created)) &&
      isOpposite(definition, other, field),
  )

const isOpposite = (definition: KindDefinition, event: EventSeen, { name, seen }: SeenField): boolean => {
  const field = definition.fields[name]
  const made = setBy(definition, event)[name]
  return field !== undefined && made !== undefined && seen !== undefined && !same(field, made, seen)
}

const confidenceIn = (
  definition: KindDefinition,
  possible: readonly EventSeen[],
  changed: readonly string[],
): Actor['confidence'] => {
  if (possible.length === 0) return 'low'
  const { witness } = definition
  const precise =
    !isNone(witness) &&
    possible.every(
      ({ eventTypeName }) =>
        spokenOf(witness, eventTypeName)?.some((name) => changed.includes(name)) === true,
    )
  return precise && possible.length === 1 ? 'high' : 'medium'
}
