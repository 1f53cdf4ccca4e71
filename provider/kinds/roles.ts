import type { Decode } from '../core/field.ts'
import type { Finding } from '../core/definition.ts'
import { textOf, type Values } from '../core/values.ts'

/**
 * An API key's answer lists roles of every scope as objects; a declaration lists the names of those within
 * the key's organization. The others are kept beside them, because a write would replace them too.
 */
export const rolesWithin =
  (scope: string): Decode =>
  (raw, identity) => {
    const roles = Array.isArray(raw) ? (raw as Values[]) : []
    const inside = roles.filter((role) => role[scope] === identity[scope])
    return {
      value: inside.map((role) => role['roleName']),
      beside: roles.filter((role) => !inside.includes(role)).map((role) => role['roleName']),
    }
  }

/** What a role is in: an organization, a project, or the whole installation. */
const placeOf = (role: Values): 'orgId' | 'projectId' | undefined => {
  const name = String(role['roleName'])
  return name.startsWith('ORG_') ? 'orgId' : name.startsWith('GROUP_') ? 'projectId' : undefined
}

export const isOfOrganization = (role: Values): boolean => placeOf(role) === 'orgId'

/** Organization roles take an orgId, project roles a projectId, global roles neither (endpoints 9 and 11). */
export const scopesOf = (role: Values): Finding[] => {
  const name = String(role['roleName'])
  const wants = placeOf(role)
  return (['orgId', 'projectId'] as const).flatMap((scope): Finding[] => {
    const given = role[scope] !== undefined
    if (scope === wants && !given)
      return [{ path: [], text: `{name} needs {.${scope}}`, of: { name }, needs: scope }]
    // A project role may say its organization too; nothing else takes a scope it does not need.
    if (scope !== wants && given && !(name.startsWith('GROUP_') && scope === 'orgId'))
      return [{ path: [scope], text: `{name} takes no {.${scope}}`, of: { name } }]
    return []
  })
}

/** Whether a user's roles are in part roles of the whole installation. */
export const isGlobal = (roles: unknown): boolean =>
  Array.isArray(roles) &&
  (roles as Values[]).some(({ orgId, projectId }) => orgId === undefined && projectId === undefined)

/** The roles that the raw document of an event tells, which can be anything: in words, or nothing. */
export const rolesTold = (verb: string, roles: unknown): string[] => {
  const told = Array.isArray(roles) ? (roles as (Values | null)[]) : []
  const names = new Set(told.map((role) => role?.['roleName']).filter((name) => typeof name === 'string'))
  return names.size === 0 ? [] : [`${verb} ${[...names].map(textOf).join(', ')}`]
}
