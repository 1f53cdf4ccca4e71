import type { Context } from '../context.ts'
import { forbidden } from '../errors.ts'
import { type Role, type RoleName, includesRole } from '../model/roles.ts'
import type { Caller } from './caller.ts'

/** Whether a caller has a global role, or owns the installation. */
function isGlobal(roles: readonly Role[], ...names: readonly RoleName[]): boolean {
  return names.some((roleName) => includesRole(roles, { roleName }))
}

function ownsInstallation(roles: readonly Role[]): boolean {
  return isGlobal(roles, 'GLOBAL_OWNER')
}

export function ownsOrganization(roles: readonly Role[], orgId: string): boolean {
  return ownsInstallation(roles) || includesRole(roles, { roleName: 'ORG_OWNER', orgId })
}

/** A project is owned by its owners and by those of its organization. */
export function ownsProject(roles: readonly Role[], project: { id: string; orgId: string }): boolean {
  return (
    ownsOrganization(roles, project.orgId) ||
    includesRole(roles, { roleName: 'GROUP_OWNER', groupId: project.id })
  )
}

/** Endpoints 19 and 21: the Organization Member role. */
export function requireOrganizationMember(context: Context, caller: Caller, orgId: string): void {
  const named = includesRole(caller.roles, { roleName: 'ORG_MEMBER', orgId })
  const implied = context.settings.get('open.impliedRoles')
  if (named || (implied !== 'none' && ownsOrganization(caller.roles, orgId))) return
  if (implied === 'any' && hasAnyRoleInOrganization(caller.roles, orgId)) return
  throw forbidden('USER_UNAUTHORIZED', 'The Organization Member role is needed.')
}

/** Endpoint 20: the Project Read Only role. */
export function requireProjectReader(
  context: Context,
  caller: Caller,
  project: { id: string; orgId: string },
): void {
  const named = includesRole(caller.roles, { roleName: 'GROUP_READ_ONLY', groupId: project.id })
  const implied = context.settings.get('open.impliedRoles')
  if (named || (implied !== 'none' && ownsProject(caller.roles, project))) return
  if (implied === 'any' && hasAnyRoleInProject(caller.roles, project)) return
  throw forbidden('USER_UNAUTHORIZED', 'The Project Read Only role is needed.')
}

/** Endpoint 10: global owner or global monitoring admin. */
export function requireGlobalMonitor(caller: Caller): void {
  if (isGlobal(caller.roles, 'GLOBAL_OWNER', 'GLOBAL_MONITORING_ADMIN')) return
  throw forbidden('USER_UNAUTHORIZED', 'The Global Owner or Global Monitoring Admin role is needed.')
}

/** Who may give or take global roles. */
export function administersGlobalRoles(caller: Caller): boolean {
  return isGlobal(caller.roles, 'GLOBAL_OWNER', 'GLOBAL_USER_ADMIN')
}

/** The endpoints whose roles are not shown, at an organization (open.unstatedRoles). */
export function requireInOrganization(
  context: Context,
  caller: Caller,
  orgId: string,
  use: 'read' | 'write',
): void {
  const rule = context.settings.get('open.unstatedRoles')
  if (rule === 'none') return
  if (rule === 'owner' && use === 'write') {
    if (ownsOrganization(caller.roles, orgId)) return
    throw forbidden('NOT_ORG_ADMIN', 'The Organization Owner role is needed.')
  }
  if (hasAnyRoleInOrganization(caller.roles, orgId)) return
  throw forbidden('USER_UNAUTHORIZED', 'The caller has no role in this organization.')
}

/** The endpoints whose roles are not shown, at a project (open.unstatedRoles). */
export function requireInProject(
  context: Context,
  caller: Caller,
  project: { id: string; orgId: string },
  use: 'read' | 'write',
): void {
  const rule = context.settings.get('open.unstatedRoles')
  if (rule === 'none') return
  if (rule === 'owner' && use === 'write') {
    if (ownsProject(caller.roles, project)) return
    throw forbidden('USER_UNAUTHORIZED', 'The Project Owner role is needed.')
  }
  if (hasAnyRoleInProject(caller.roles, project)) return
  throw forbidden('NOT_IN_GROUP', 'The caller has no role in this project.')
}

function hasAnyRoleInOrganization(roles: readonly Role[], orgId: string): boolean {
  return roles.some((role) => role.orgId === orgId || isGlobalRole(role))
}

function hasAnyRoleInProject(roles: readonly Role[], project: { id: string; orgId: string }): boolean {
  return hasAnyRoleInOrganization(roles, project.orgId) || roles.some((role) => role.groupId === project.id)
}

function isGlobalRole(role: Role): boolean {
  return role.orgId === undefined && role.groupId === undefined
}
