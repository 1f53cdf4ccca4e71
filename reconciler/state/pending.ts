import type { PendingSince } from './contents/model.ts'
import type { Session } from './session.ts'

/**
 * An apply of all that is declared has ended, and has left these addresses undone: each counts since it first was. What
 * else there is to save takes that along; by itself only other addresses than before are worth a save.
 */
export const noteReached = (session: Session, now: string, left: readonly string[]): void => {
  const before = session.state.pending?.left ?? {}
  const isSame =
    left.length === Object.keys(before).length && left.every((each) => Object.hasOwn(before, each))
  if (!session.exists || (isSame && !session.dirty)) return
  const since = Object.fromEntries(left.map((each) => [each, before[each] ?? now]))
  const pending: PendingSince = { since: now, ...(left.length === 0 ? {} : { left: since }) }
  session.reached(pending)
}
