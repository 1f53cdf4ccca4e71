import { type Static, Type } from 'typebox'
import { optional, record } from './common.ts'

export const organizationRoles = ['ORG_OWNER', 'ORG_MEMBER', 'ORG_GROUP_CREATOR', 'ORG_READ_ONLY'] as const

const projectRoles = [
  'GROUP_OWNER',
  'GROUP_READ_ONLY',
  'GROUP_DATA_ACCESS_ADMIN',
  'GROUP_DATA_ACCESS_READ_WRITE',
  'GROUP_DATA_ACCESS_READ_ONLY',
  'GROUP_AUTOMATION_ADMIN',
  'GROUP_BACKUP_ADMIN',
  'GROUP_MONITORING_ADMIN',
  'GROUP_USER_ADMIN',
] as const

const globalRoles = [
  'GLOBAL_AUTOMATION_ADMIN',
  'GLOBAL_BACKUP_ADMIN',
  'GLOBAL_MONITORING_ADMIN',
  'GLOBAL_OWNER',
  'GLOBAL_READ_ONLY',
  'GLOBAL_USER_ADMIN',
] as const

/** All role names, in the order of the API description. */
export const roleNames = [...organizationRoles, ...projectRoles, ...globalRoles] as const

export type RoleName = (typeof roleNames)[number]

/** A role and its scope: an organization, a project, or (with neither) the installation. */
export const Role = record({
  roleName: Type.Enum([...roleNames]),
  orgId: optional(Type.String()),
  groupId: optional(Type.String()),
})

export type Role = Static<typeof Role>

/** The kind of scope of a role. */
export const roleKind = (roleName: RoleName): 'organization' | 'project' | 'global' => {
  if (roleName.startsWith('ORG_')) return 'organization'
  return roleName.startsWith('GROUP_') ? 'project' : 'global'
}

/** The scope of a role, as a comparable text: `org:…`, `group:…` or `global`. */
export const scopeOf = (role: Role): string => {
  if (role.orgId !== undefined) return `org:${role.orgId}`
  return role.groupId === undefined ? 'global' : `group:${role.groupId}`
}

const sameRole = (left: Role, right: Role): boolean =>
  left.roleName === right.roleName && scopeOf(left) === scopeOf(right)

export const includesRole = (roles: readonly Role[], role: Role): boolean =>
  roles.some((candidate) => sameRole(candidate, role))

/** Roles without duplicates, in the service's own order. */
export const sortedRoles = (roles: readonly Role[]): Role[] => {
  const unique = roles.filter((role, index) => roles.findIndex((other) => sameRole(other, role)) === index)
  return unique.toSorted(
    (left, right) =>
      compareTexts(scopeOf(left), scopeOf(right)) ||
      roleNames.indexOf(left.roleName) - roleNames.indexOf(right.roleName),
  )
}

const compareTexts = (left: string, right: string): number => {
  if (left === right) return 0
  return left < right ? -1 : 1
}
