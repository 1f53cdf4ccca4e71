import type { Caller } from '../auth/caller.ts'
import { requireInOrganization, requireInProject } from '../auth/permissions.ts'
import type { Context } from '../context.ts'
import { findOrganization, findProject } from '../found.ts'
import type { Organization, Project } from '../store/records.ts'

interface CallBelow<P> {
  readonly context: Context
  readonly caller: Caller
  readonly params: P
}

/** The organization of a path, once the caller may use it (open.unstatedRoles). */
export const organizationFor = (
  { context, caller, params }: CallBelow<{ readonly orgId: string }>,
  use: 'read' | 'write',
): Organization => {
  const organization = findOrganization(context, params.orgId)
  requireInOrganization(context, caller, organization.id, use)
  return organization
}

/** The project of a path, once the caller may use it (open.unstatedRoles). */
export const projectFor = (
  { context, caller, params }: CallBelow<{ readonly projectId: string }>,
  use: 'read' | 'write',
): Project => {
  const project = findProject(context, params.projectId)
  requireInProject(context, caller, project, use)
  return project
}
