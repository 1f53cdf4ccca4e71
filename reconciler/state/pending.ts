import type { PendingSince } from './contents/model.ts'
import type { Session } from './session.ts'

/**
 * Records that an apply of the whole declaration has ended, and which addresses it left undone, each since it was
 * first left. The fact is saved together with other changes; it causes a save of its own only if the set of
 * addresses has changed.
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
