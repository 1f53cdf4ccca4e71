import type { Context } from '../context.ts'
import { roleDiffs } from '../events/diffs.ts'
import { type WriteOrigin, emit } from '../events/emit.ts'
import type { Diff } from '../model/event.ts'
import { type Role, includesRole, scopeOf } from '../model/roles.ts'
import type { User } from '../model/user.ts'
import { type ScopeChange, removals } from './plan-roles.ts'

/** Writes the events of a role update: an invitation if there is a new one, otherwise a change of roles. */
export const leaveRoleEvents = (origin: WriteOrigin, user: User, changes: readonly ScopeChange[]): void => {
  for (const change of changes) {
    const { before, after } = change
    const invited = after.invitations.filter((role) => !includesRole(before.invitations, role))
    const hasNewRoles = after.roles.some((role) => !includesRole(before.roles, role))
    if (invited.length > 0) leaveInvitation(origin, user, change.scope, invited)
    if (invited.length > 0 && !hasNewRoles && removals(change).length === 0) continue
    const diffs = roleDiffs(user.id, user.username, before.roles, after.roles)
    for (const place of places(origin, user, change.scope)) {
      const raw = { roles: after.roles, invitations: after.invitations }
      emit(origin, {
        eventTypeName: 'USER_ROLES_CHANGED_AUDIT',
        ...place,
        targetUsername: user.username,
        ...(diffs.length > 0 ? { diffs } : {}),
        raw,
      })
    }
  }
}

/** Writes the events of a creation: one in each affected organization, and the invitations. */
export const leaveCreationEvents = (origin: WriteOrigin, user: User): void => {
  const invited = Map.groupBy(user.invitations, scopeOf)
  const direct = user.roles.map(scopeOf).filter((scope) => scope !== 'global')
  const concerned = [...invited.keys(), ...direct].flatMap((scope) => places(origin, user, scope))
  const organizations = new Set(concerned.map(({ orgId }) => orgId))
  // The event of a creation without roles is in the organization of its creator.
  const told = organizations.size > 0 ? organizations : new Set(callerOrganizations(origin))
  const diffs: Diff[] = [{ id: user.id, name: user.username, params: [], status: 'NEW', type: 'USERS' }]
  for (const orgId of told) {
    emit(origin, {
      eventTypeName: 'USER_CREATED_AUDIT',
      orgId,
      targetUsername: user.username,
      diffs,
      raw: {},
    })
  }
  for (const [scope, roles] of invited) leaveInvitation(origin, user, scope, roles)
}

const leaveInvitation = (origin: WriteOrigin, user: User, scope: string, invited: readonly Role[]): void => {
  for (const place of places(origin, user, scope)) {
    emit(origin, {
      eventTypeName: place.groupId === undefined ? 'INVITED_TO_ORG' : 'INVITED_TO_GROUP',
      ...place,
      targetUsername: user.username,
      raw: { invitations: invited },
    })
  }
}

/** Where an event about a scope is written; for global roles, the user's organizations. */
const places = (origin: WriteOrigin, user: User, scope: string): { orgId: string; groupId?: string }[] => {
  const [kind, id = ''] = scope.split(':')
  if (kind === 'org') return [{ orgId: id }]
  if (kind === 'group') {
    const project = origin.context.store.get('project', '', id)
    return project ? [{ orgId: project.orgId, groupId: project.id }] : []
  }
  const ids = [...user.roles, ...user.invitations].flatMap((role) => organizationOf(origin.context, role))
  return [...new Set([...ids, ...callerOrganizations(origin)])].map((orgId) => ({ orgId }))
}

const callerOrganizations = ({ context, caller }: WriteOrigin): string[] => {
  if (caller.kind === 'apiKey') return [caller.orgId]
  return caller.roles.flatMap((role) => organizationOf(context, role))
}

const organizationOf = (context: Context, role: Role): string[] => {
  if (role.orgId !== undefined) return [role.orgId]
  const project = role.groupId === undefined ? undefined : context.store.get('project', '', role.groupId)
  return project ? [project.orgId] : []
}
