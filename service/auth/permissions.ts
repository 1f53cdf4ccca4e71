import type { Context } from '../context.ts'
import { forbidden } from '../errors.ts'
import { type Role, type RoleName, includesRole } from '../model/roles.ts'
import type { Project } from '../store/records.ts'
import type { Caller } from './caller.ts'

/** Whether a caller has one of these global roles. */
const hasGlobalRole = (roles: readonly Role[], ...names: readonly RoleName[]): boolean =>
  names.some((roleName) => includesRole(roles, { roleName }))

const ownsInstallation = (roles: readonly Role[]): boolean => hasGlobalRole(roles, 'GLOBAL_OWNER')

/** Whether a caller has an owner role anywhere. */
export const ownsSomething = (roles: readonly Role[]): boolean =>
  roles.some(({ roleName }) => roleName.endsWith('_OWNER'))

export const ownsOrganization = (roles: readonly Role[], orgId: string): boolean =>
  ownsInstallation(roles) || includesRole(roles, { roleName: 'ORG_OWNER', orgId })

type ProjectPlace = Pick<Project, 'id' | 'orgId'>

/** A project is owned by its owners and by those of its organization. */
export const ownsProject = (roles: readonly Role[], project: ProjectPlace): boolean =>
  ownsOrganization(roles, project.orgId) ||
  includesRole(roles, { roleName: 'GROUP_OWNER', groupId: project.id })

/** The effective standing of a caller in an organization or a project. */
interface Standing {
  readonly owns: boolean
  readonly belongs: boolean
}

const inOrganization = (roles: readonly Role[], orgId: string): Standing => ({
  owns: ownsOrganization(roles, orgId),
  belongs: roles.some((role) => role.orgId === orgId || isGlobalRole(role)),
})

const inProject = (roles: readonly Role[], project: ProjectPlace): Standing => ({
  owns: ownsProject(roles, project),
  belongs: inOrganization(roles, project.orgId).belongs || roles.some((role) => role.groupId === project.id),
})

const isGlobalRole = (role: Role): boolean => role.orgId === undefined && role.groupId === undefined

/** Whether a caller has a required role, or one that implies it (open.impliedRoles). */
const satisfies = (context: Context, { roles }: Caller, stated: Role, standing: Standing): boolean => {
  const implied = context.settings.get('open.impliedRoles')
  if (includesRole(roles, stated) || (implied !== 'none' && standing.owns)) return true
  return implied === 'any' && standing.belongs
}

/** Endpoints 19 and 21: the Organization Member role. */
export const requireOrganizationMember = (context: Context, caller: Caller, orgId: string): void => {
  const stated: Role = { roleName: 'ORG_MEMBER', orgId }
  if (satisfies(context, caller, stated, inOrganization(caller.roles, orgId))) return
  throw forbidden('USER_UNAUTHORIZED', 'The Organization Member role is required.')
}

/** Endpoint 20: the Project Read Only role. */
export const requireProjectReader = (context: Context, caller: Caller, project: ProjectPlace): void => {
  const stated: Role = { roleName: 'GROUP_READ_ONLY', groupId: project.id }
  if (satisfies(context, caller, stated, inProject(caller.roles, project))) return
  throw forbidden('USER_UNAUTHORIZED', 'The Project Read Only role is required.')
}

/** Endpoint 10: global owner or global monitoring admin. */
export const requireGlobalMonitor = (caller: Caller): void => {
  if (hasGlobalRole(caller.roles, 'GLOBAL_OWNER', 'GLOBAL_MONITORING_ADMIN')) return
  throw forbidden('USER_UNAUTHORIZED', 'The Global Owner or Global Monitoring Admin role is required.')
}

/** Who may grant or revoke global roles. */
export const administersGlobalRoles = (caller: Caller): boolean =>
  hasGlobalRole(caller.roles, 'GLOBAL_OWNER', 'GLOBAL_USER_ADMIN')

type Use = 'read' | 'write'

/**
 * What a caller without a required role lacks for an endpoint whose roles are not documented (open.unstatedRoles).
 */
const lackedBy = (context: Context, use: Use, { owns, belongs }: Standing): 'owner' | 'any' | undefined => {
  const rule = context.settings.get('open.unstatedRoles')
  if (rule === 'none') return undefined
  if (!belongs) return 'any'
  return rule === 'owner' && use === 'write' && !owns ? 'owner' : undefined
}

/** Endpoint 11 without roles: a write that names neither organization nor project. */
export const requireAnywhere = (context: Context, { roles }: Caller): void => {
  if (context.settings.get('open.unstatedRoles') !== 'owner' || ownsSomething(roles)) return
  throw forbidden('USER_UNAUTHORIZED', 'An owner role of an organization or project is required.')
}

/** The endpoints without documented roles, for an organization. */
export const requireInOrganization = (context: Context, caller: Caller, orgId: string, use: Use): void => {
  const lacked = lackedBy(context, use, inOrganization(caller.roles, orgId))
  if (lacked === 'owner') throw forbidden('NOT_ORG_ADMIN', 'The Organization Owner role is required.')
  if (lacked === 'any') throw forbidden('USER_UNAUTHORIZED', 'The caller has no role in this organization.')
}

/** The endpoints without documented roles, for a project. */
export const requireInProject = (context: Context, caller: Caller, project: ProjectPlace, use: Use): void => {
  const lacked = lackedBy(context, use, inProject(caller.roles, project))
  if (lacked === 'owner') throw forbidden('USER_UNAUTHORIZED', 'The Project Owner role is required.')
  if (lacked === 'any') throw forbidden('NOT_IN_GROUP', 'The caller has no role in this project.')
}
