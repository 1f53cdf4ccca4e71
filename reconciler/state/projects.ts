import { isDeepStrictEqual } from 'node:util'
import type { Session } from './session.ts'

/**
 * What manifests call projects, as long as something of them is recorded: once one is named no more, nothing else tells
 * whose what is released was. By itself it is worth no save.
 */
export const noteProjects = (session: Session, names: ReadonlyMap<string, string>): void => {
  if (!session.dirty) return
  const { resources, projects = {} } = session.state
  const recorded = new Set(Object.values(resources).flatMap(({ identity }) => Object.values(identity)))
  const known = Object.entries({ ...projects, ...Object.fromEntries(names) })
  const kept = Object.fromEntries(known.filter(([id]) => recorded.has(id)))
  if (!isDeepStrictEqual(kept, projects)) session.called(kept)
}
