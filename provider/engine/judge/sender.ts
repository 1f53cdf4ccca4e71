import type { Values } from '../../core/values.ts'
import { eventsOf } from './by-field.ts'

/**
 * Who caused an event: the key, another one, or nothing tells. A person's own key appears in no event, which names
 * the person; an event that names a key shows that it is no person's.
 */
export const senderOf = (
  events: readonly Values[],
  key: string,
): ((event: Values) => 'the key' | 'another' | 'untold') => {
  const isNamed = eventsOf(events, 'publicKey', key).length > 0
  return ({ publicKey, username }) => {
    if (publicKey === key) return 'the key'
    return isNamed || publicKey !== undefined || username === undefined ? 'another' : 'untold'
  }
}
