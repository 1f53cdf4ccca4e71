import type { Actor, EventSeen } from '../engine/index.ts'
import { sayMoment } from './instant.ts'

/** The actor as an event names them. */
export const actorText = ({
  publicKey,
  username,
  mayBeOwn,
}: Pick<EventSeen, 'publicKey' | 'username' | 'mayBeOwn'>): string => {
  if (mayBeOwn === true) return 'someone'
  if (publicKey !== undefined) return `key "${publicKey}"`
  return username === undefined ? 'someone' : `user ${username}`
}

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
  `${SURELY[confidence]}${actorText(who)}, ${eventText({ ...who, created: at, id: eventId })}`

const SURELY = { high: '', medium: 'likely ', low: 'perhaps ' } as const
