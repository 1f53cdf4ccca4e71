import type { Values } from '../../core/values.ts'
import type { Actor } from '../values/model.ts'
import { idOfEvent, timeOfEvent, typeOfEvent, isBySame, textIn } from '../read/event.ts'

/** Who made and changed an unmanaged thing, as far as events tell. */
export interface ActedBy {
  /** Who made it, if an event tells; otherwise who last changed what matters most about it, or changed it last. */
  readonly actor?: Actor
  /** The actor made it. */
  readonly isMaker?: true
  /** Who else changed it, newest first, each with their newest event. */
  readonly changedBy?: readonly Actor[]
}

interface Deeds {
  readonly madeBy?: RegExp
  /** The event that tells what matters most. */
  readonly from?: Values | undefined
}

/** Picks who made the thing, did what matters most, or acted last; and who else did something, newest first. */
export const actedBy = (newest: readonly Values[], { madeBy, from }: Deeds = {}): ActedBy => {
  const named = newest.filter((event) => Object.keys(whoOf(event)).length > 0)
  const made = named.findLast((event) => madeBy?.test(typeOfEvent(event)))
  const chief = made ?? named.find((event) => event === from) ?? named[0]
  if (chief === undefined) return {}
  const byActor = Map.groupBy(named, (event) => JSON.stringify(whoOf(event)))
  const others = [...byActor.values()].flatMap(([event]) =>
    event === undefined || isBySame(whoOf(event), whoOf(chief)) ? [] : [event],
  )
  const isSure = made !== undefined || newest.every((event) => isBySame(whoOf(event), whoOf(chief)))
  const confidence = isSure ? 'high' : 'medium'
  return {
    actor: actBy(chief, confidence),
    ...(made === undefined ? {} : { isMaker: true }),
    ...(others.length === 0 ? {} : { changedBy: others.map((event) => actBy(event, confidence)) }),
  }
}

const whoOf = (event: Values) => ({ ...textIn(event, 'username'), ...textIn(event, 'publicKey') })

const actBy = (event: Values, confidence: Actor['confidence']): Actor => ({
  ...whoOf(event),
  ...textIn(event, 'remoteAddress'),
  at: timeOfEvent(event),
  eventId: idOfEvent(event),
  eventTypeName: typeOfEvent(event),
  confidence,
})
