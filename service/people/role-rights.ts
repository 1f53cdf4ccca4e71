import type { Caller } from '../auth/caller.ts'
import { administersGlobalRoles, ownsOrganization, ownsProject, ownsSomething } from '../auth/permissions.ts'
import type { Context } from '../context.ts'
import { ApiError, forbidden } from '../errors.ts'
import { scopeOf } from '../model/roles.ts'
import type { User } from '../model/user.ts'
import { type ScopeChange, additions, removals } from './plan-roles.ts'

/** Whether a caller has an owner role for a scope. */
export const ownsScope = (context: Context, caller: Caller, scope: string): boolean => {
  const [kind, id = ''] = scope.split(':')
  if (kind === 'global') return administersGlobalRoles(caller)
  if (kind === 'org') return ownsOrganization(caller.roles, id)
  const project = context.store.get('project', '', id)
  return project !== undefined && ownsProject(caller.roles, project)
}

export const isSelf = (caller: Caller, user: User): boolean =>
  caller.kind === 'user' && caller.userId === user.id

/**
 * Endpoint 9: the caller needs an owner role at the organization or project level, and the user must be a member
 * there; users can always update their own account (open.selfRoleUpdate).
 */
export const requireRoleUpdater = (context: Context, caller: Caller, user: User): void => {
  const { settings } = context
  if (isSelf(caller, user) && settings.get('open.selfRoleUpdate') === 'allowed') return
  if (!ownsSomething(caller.roles))
    throw forbidden('NOT_USER_ADMIN', 'An owner role of an organization or project is required.')
  if (settings.get('open.roleUpdateOfNonMembers') === 'allowed') return
  const scopes = [...user.roles, ...user.invitations].map(scopeOf)
  // A user without memberships can be invited by anybody.
  if (scopes.length === 0 || scopes.some((scope) => ownsScope(context, caller, scope))) return
  throw forbidden(
    'NOT_USER_ADMIN',
    'The user is not a member of any organization or project that the caller owns.',
  )
}

export const globalRoleRefused = (): ApiError =>
  new ApiError(403, 'CANNOT_ADD_GLOBAL_ROLE', 'The Global Owner or Global User Admin role is required.')

/** Refuses roles that a caller may not grant or revoke in a scope. */
export const checkChanges = (
  context: Context,
  caller: Caller,
  user: User,
  changes: readonly ScopeChange[],
): void => {
  for (const change of changes) {
    const gives = additions(change).length > 0
    const takes = removals(change).length > 0
    if ((!gives && !takes) || ownsScope(context, caller, change.scope)) continue
    if (change.scope === 'global') throw globalRoleRefused()
    // Revoking is part of open.userRoles=replace, and of updating one's own account; granting never is.
    if (!gives && (isSelf(caller, user) || context.settings.get('open.userRoles') === 'replace')) continue
    throw forbidden('NOT_USER_ADMIN', 'An owner role of each organization and project concerned is required.')
  }
}
