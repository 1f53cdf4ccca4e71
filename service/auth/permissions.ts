import type { Context } from '../context.ts'
import { forbidden } from '../errors.ts'
import { type Role, type RoleName, includesRole } from '../model/roles.ts'
import type { Caller } from './caller.ts'

/** Whether a caller has a global role, or owns the installation. */
const isGlobal = (roles: readonly Role[], ...names: readonly RoleName[]): boolean =>
  names.some((roleName) => includesRole(roles, { roleName }))

const ownsInstallation = (roles: readonly Role[]): boolean => isGlobal(roles, 'GLOBAL_OWNER')

export const ownsOrganization = (roles: readonly Role[], orgId: string): boolean =>
  ownsInstallation(roles) || includesRole(roles, { roleName: 'ORG_OWNER', orgId })

/** A project is owned by its owners and by those of its organization. */
export const ownsProject = (roles: readonly Role[], project: { id: string; orgId: string }): boolean =>
  ownsOrganization(roles, project.orgId) ||
  includesRole(roles, { roleName: 'GROUP_OWNER', groupId: project.id })

/** Endpoints 19 and 21: the Organization Member role. */
export const requireOrganizationMember = (context: Context, caller: Caller, orgId: string): void => {
  const named = includesRole(caller.roles, { roleName: 'ORG_MEMBER', orgId })
  const implied = context.settings.get('open.impliedRoles')
  if (named || (implied !== 'none' && ownsOrganization(caller.roles, orgId))) return
  if (implied === 'any' && hasAnyRoleInOrganization(caller.roles, orgId)) return
  throw forbidden('USER_UNAUTHORIZED', 'The Organization Member role is needed.')
}

/** Endpoint 20: the Project Read Only role. */
export const requireProjectReader = (
  context: Context,
  caller: Caller,
  project: { id: string; orgId: string },
): void => {
  const named = includesRole(caller.roles, { roleName: 'GROUP_READ_ONLY', groupId: project.id })
  const implied = context.settings.get('open.impliedRoles')
  if (named || (implied !== 'none' && ownsProject(caller.roles, project))) return
  if (implied === 'any' && hasAnyRoleInProject(caller.roles, project)) return
  throw forbidden('USER_UNAUTHORIZED', 'The Project Read Only role is needed.')
}

/** Endpoint 10: global owner or global monitoring admin. */
export const requireGlobalMonitor = (caller: Caller): void => {
  if (isGlobal(caller.roles, 'GLOBAL_OWNER', 'GLOBAL_MONITORING_ADMIN')) return
  throw forbidden('USER_UNAUTHORIZED', 'The Global Owner or Global Monitoring Admin role is needed.')
}

/** Who may give or take global roles. */
export const administersGlobalRoles = (caller: Caller): boolean =>
  isGlobal(caller.roles, 'GLOBAL_OWNER', 'GLOBAL_USER_ADMIN')

/** The endpoints whose roles are not shown, at an organization (open.unstatedRoles). */
export const requireInOrganization = (
  context: Context,
  caller: Caller,
  orgId: string,
  use: 'read' | 'write',
): void => {
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
export const requireInProject = (
  context: Context,
  caller: Caller,
  project: { id: string; orgId: string },
  use: 'read' | 'write',
): void => {
  const rule = context.settings.get('open.unstatedRoles')
  if (rule === 'none') return
  if (rule === 'owner' && use === 'write') {
    if (ownsProject(caller.roles, project)) return
    throw forbidden('USER_UNAUTHORIZED', 'The Project Owner role is needed.')
  }
  if (hasAnyRoleInProject(caller.roles, project)) return
  throw forbidden('NOT_IN_GROUP', 'The caller has no role in this project.')
}

const hasAnyRoleInOrganization = (roles: readonly Role[], orgId: string): boolean =>
  roles.some((role) => role.orgId === orgId || isGlobalRole(role))

const hasAnyRoleInProject = (roles: readonly Role[], project: { id: string; orgId: string }): boolean =>
  hasAnyRoleInOrganization(roles, project.orgId) || roles.some((role) => role.groupId === project.id)

const isGlobalRole = (role: Role): boolean => role.orgId === undefined && role.groupId === undefined
