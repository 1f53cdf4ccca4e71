import { isDeepStrictEqual } from 'node:util'
import type { Session } from './session.ts'

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
  if (!isDeepStrictEqual(kept, projects)) session.called(kept)
}
