import { isDeepStrictEqual } from 'node:util'
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
  session.noted({ pending: { since: now, ...(left.length === 0 ? {} : { left: since }) } })
}

/**
 * Records the names that manifests give to projects, as long as a thing of the project is recorded: once no manifest
 * names the project, nothing else shows whose the released things were. Does not cause a save of its own.
 */
export const noteProjects = (session: Session, names: ReadonlyMap<string, string>): void => {
  if (!session.dirty) return
  const { resources, projects = {} } = session.state
  const recorded = new Set(Object.values(resources).flatMap(({ identity }) => Object.values(identity)))
  const known = Object.entries({ ...projects, ...Object.fromEntries(names) })
  const kept = Object.fromEntries(known.filter(([id]) => recorded.has(id)))
  if (!isDeepStrictEqual(kept, projects)) session.noted({ projects: kept })
}

/**
 * Records which manifests an apply of the whole declaration has read: one that a later command does not read was
 * forgotten, if it still declares what is recorded. Another list than the recorded one is saved, too.
 *
 * @param isDone whether nothing was left undone; otherwise what earlier files declared may still be recorded
 */
export const noteFiles = (session: Session, read: readonly string[], isDone: boolean): void => {
  const { files } = session.state
  if (!session.exists && !session.dirty) return
  const now = [...new Set([...read, ...(isDone ? [] : (files ?? []))])].toSorted()
  if (!isDeepStrictEqual(now, files)) session.noted({ files: now })
}
