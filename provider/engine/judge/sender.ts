import type { Values } from '../../core/values.ts'
import { eventsOf } from './by-field.ts'

/**
 * Tells who caused an event: the key, another actor, or unknown. Events name a person instead of the person's own
 * key, so an event that names the key shows that it is no person's. If none does, one that names nobody, or only by
 * an id of the service, can be anybody's.
 */
export const senderOf = (
  events: readonly Values[],
  key: string,
): ((event: Values) => 'the key' | 'another' | 'untold') => {
  const isNamed = eventsOf(events, 'publicKey', key).length > 0
  return ({ publicKey }) => {
    if (publicKey === key) return 'the key'
    return isNamed || publicKey !== undefined ? 'another' : 'untold'
  }
}
