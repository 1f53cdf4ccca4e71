import type { Context } from './context.ts'
import { type ErrorCode, notFound } from './errors.ts'
import { isId } from './ids.ts'
import type { Organization, Project } from './store/records.ts'

/** The organization of a path, or 404. */
export const findOrganization = (context: Context, orgId: string): Organization => {
  checkId(orgId, 'INVALID_ORG_ID', 'organization')
  const organization = context.store.get('organization', '', orgId)
  return found(organization, 'ORG_NOT_FOUND', 'There is no organization with this id.', orgId)
}

/** The project of a path, or 404. */
export const findProject = (context: Context, projectId: string): Project => {
  checkId(projectId, 'INVALID_GROUP_ID', 'project')
  const project = context.store.get('project', '', projectId)
  return found(project, 'GROUP_NOT_FOUND', 'There is no project with this id.', projectId)
}

/** A text that cannot be an id names nothing: 404, with a code that says why. */
export const checkId = (id: string, errorCode: ErrorCode, what: string): void => {
  const detail = `This is not the id of any ${what}: ids have 24 hex digits.`
  found(isId(id) ? id : undefined, errorCode, detail, id)
}

/** The thing that a path names, or 404. */
export const found = <T>(thing: T | undefined, errorCode: ErrorCode, detail: string, name: string): T => {
  if (thing === undefined) throw notFound(errorCode, detail, [name.slice(0, 100)])
  return thing
}
