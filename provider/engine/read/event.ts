import { parseInstant } from '../../core/instant.ts'
import type { Values } from '../../core/values.ts'
import type { EventSeen } from '../reason.ts'

// `eventOf` has checked that each event has an id and a time.

export const idOfEvent = (event: Values): string => String(event['id'])

export const typeOfEvent = (event: Values): string => String(event['eventTypeName'])

/** When it was, as the service tells it. */
export const timeOfEvent = (event: Values): string => String(event['created'])

export const instantOfEvent = (event: Values): number => parseInstant(timeOfEvent(event))

/** A text that an event may tell, under its name. */
export const textIn = <N extends string>(event: Values, name: N): { readonly [name in N]?: string } =>
  typeof event[name] === 'string' ? ({ [name]: event[name] } as Readonly<Record<N, string>>) : {}

/** Whether two events tell of the same person and key. */
export const isBySame = (a: Who, b: Who): boolean => a.publicKey === b.publicKey && a.username === b.username
type Who = Pick<EventSeen, 'publicKey' | 'username'>
