import type { EventSeen } from '../engine/index.ts'

/** Who did it, as an event names them. */
export const actorText = ({
  publicKey,
  username,
  mayBeOwn,
}: Pick<EventSeen, 'publicKey' | 'username' | 'mayBeOwn'>): string => {
  if (mayBeOwn === true) return 'someone'
  if (publicKey !== undefined) return `key "${publicKey}"`
  return username === undefined ? 'someone' : `user ${username}`
}

/** By whom something was changed, in brackets behind it; nothing where no event tells. Newest first. */
export const byWhom = ([newest, ...others]: readonly EventSeen[]): string => {
  if (newest === undefined) return ''
  const { created, eventTypeName, id } = newest
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return ` (${actorText(newest)}, ${created}, ${eventTypeName}, event ${id}${more})`
}
