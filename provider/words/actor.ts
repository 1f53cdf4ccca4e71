import type { Actor, EventSeen } from '../engine/index.ts'
import { sayMoment } from '../core/text.ts'
import { wordBefore } from './sureness.ts'

type Who = Pick<EventSeen, 'publicKey' | 'username' | 'mayBeOwn'>

/** The actor as an event names them: a user by name, a key as a key. The service is free to send any text. */
export const whoIs = ({ username, publicKey, mayBeOwn }: Who): string => {
  if (mayBeOwn === true) return 'someone'
  return username ?? (publicKey === undefined ? 'someone' : `key "${publicKey}"`)
}

/** The same within a sentence, where a user is called one. */
export const actorText = (who: Who): string =>
  who.mayBeOwn !== true && who.username !== undefined ? `user ${who.username}` : whoIs(who)

/** By whom something was changed, in parentheses; empty if no event tells. Events are given newest first. */
export const byWhom = ([newest, ...others]: readonly EventSeen[]): string => {
  if (newest === undefined) return ''
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return ` (${actorText(newest)}, ${eventText(newest)}${more})`
}

const eventText = ({
  created,
  eventTypeName,
  id,
}: Pick<EventSeen, 'created' | 'eventTypeName' | 'id'>): string =>
  `${sayMoment(created)}, ${eventTypeName}, event ${id}`

/** Who likely did it: `likely key "oncall", 2026-12-05 02:00:01 UTC, …`. */
export const doneBy = ({ confidence, at, eventId, ...who }: Actor): string =>
  `${wordBefore(confidence)}${actorText(who)}, ${eventText({ ...who, created: at, id: eventId })}`
