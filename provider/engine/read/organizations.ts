import type { Declaration, RecordedResource } from '../values/model.ts'
import { readFrom } from './events.ts'

/** The organizations whose events could be about a recorded thing. */
export const organizationsOf = (
  record: Pick<RecordedResource, 'identity' | 'applied'>,
  declaration: Declaration,
): readonly string[] => {
  const own = record.identity['orgId']
  if (own !== undefined) return [own]
  const project = record.identity['projectId']
  if (project === undefined) return [...new Set([...declaration.orgIds, ...namedIn(record, declaration)])]
  const known = declaration.organizations.get(project)
  return known === undefined ? declaration.orgIds : [known]
}

/** The organizations that values name, as a user's roles do, by themselves or by a project of theirs. */
const namedIn = ({ applied }: Pick<RecordedResource, 'applied'>, { organizations }: Declaration): string[] =>
  Object.values(applied)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []))
    .flatMap((element): (string | undefined)[] => {
      if (typeof element !== 'object' || element === null) return []
      const { orgId, projectId } = element as { orgId?: string; projectId?: string }
      return [orgId, projectId === undefined ? undefined : organizations.get(projectId)]
    })
    .filter((orgId) => orgId !== undefined)

/** From when on each organization's events matter to what is recorded. */
export const eventsWanted = (
  records: readonly RecordedResource[],
  declaration: Declaration,
): Map<string, number> => {
  const since = new Map<string, number>()
  for (const record of records)
    for (const orgId of organizationsOf(record, declaration))
      since.set(orgId, Math.min(since.get(orgId) ?? Number.POSITIVE_INFINITY, readFrom(record)))
  return since
}
