import type { Context } from '../context.ts'
import { type ErrorCode, invalid } from '../errors.ts'
import { findOrganization, findProject } from '../found.ts'
import { type Role, roleKind } from '../model/roles.ts'

/** Checks the roles of endpoints 9 and 11: each has a valid, existing scope. */
export const checkRoles = (context: Context, roles: readonly Role[]): void => {
  for (const [index, role] of roles.entries()) {
    const at = `roles/${index}`
    const kind = roleKind(role.roleName)
    const needs = (code: ErrorCode, what: string) => invalid(code, `${role.roleName} needs ${what}.`, [at])
    if (kind === 'organization' && role.orgId === undefined) throw needs('ROLE_NEEDS_ORG_ID', 'an orgId')
    if (kind === 'project' && role.groupId === undefined) throw needs('ROLE_NEEDS_GROUP_ID', 'a groupId')
    if (kind !== 'organization' && role.orgId !== undefined) throw needs('ROLE_NEEDS_NO_ORG_ID', 'no orgId')
    if (kind !== 'project' && role.groupId !== undefined) throw needs('ROLE_NEEDS_NO_GROUP_ID', 'no groupId')
    if (role.orgId !== undefined) findOrganization(context, role.orgId)
    if (role.groupId !== undefined) findProject(context, role.groupId)
  }
}
