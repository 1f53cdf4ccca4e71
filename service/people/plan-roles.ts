import { type Role, includesRole, scopeOf, sortedRoles } from '../model/roles.ts'

/** The roles of a user in one scope: effective and invited ones. */
interface ScopeRoles {
  readonly roles: readonly Role[]
  readonly invitations: readonly Role[]
}

/** The effect of an update in one scope: an organization, a project, or the installation. */
export interface ScopeChange {
  readonly scope: string
  readonly before: ScopeRoles
  readonly after: ScopeRoles
}

interface RolePlanOptions {
  /** open.userRoles */
  readonly mode: 'scoped' | 'replace' | 'merge'
  /** service.user.bypassInviteForExistingUsers */
  readonly bypassInvitations: boolean
  /** The scopes from which an empty list removes roles (open.emptyRoles). */
  readonly emptied: (scope: string) => boolean
}

/** Computes per scope what submitted roles do to a user (endpoint 9). Pure. */
export const planRoles = (
  user: ScopeRoles,
  submitted: readonly Role[],
  options: RolePlanOptions,
): ScopeChange[] => {
  const held = new Set([...user.roles, ...user.invitations].map(scopeOf))
  const named = new Set(submitted.map(scopeOf))
  const touched =
    submitted.length === 0
      ? [...held].filter((scope) => options.mode !== 'merge' && options.emptied(scope))
      : [...new Set([...named, ...(options.mode === 'replace' ? held : [])])]
  return touched.map((scope) => {
    const inScope = (roles: readonly Role[]) => roles.filter((role) => scopeOf(role) === scope)
    const before = { roles: inScope(user.roles), invitations: inScope(user.invitations) }
    return { scope, before, after: planScope(before, inScope(submitted), scope, options) }
  })
}

const planScope = (
  before: ScopeRoles,
  submitted: readonly Role[],
  scope: string,
  options: RolePlanOptions,
): ScopeRoles => {
  const merges = options.mode === 'merge'
  const kept = merges ? before.roles : before.roles.filter((role) => includesRole(submitted, role))
  const added = submitted.filter((role) => !includesRole(before.roles, role))
  // Global roles need no invitation; organization and project roles start as invitations.
  if (scope === 'global' || options.bypassInvitations) {
    const pending = merges ? before.invitations.filter((role) => !includesRole(added, role)) : []
    return { roles: sortedRoles([...kept, ...added]), invitations: pending }
  }
  return {
    roles: sortedRoles(kept),
    invitations: sortedRoles([...(merges ? before.invitations : []), ...added]),
  }
}

/** The user's roles after the changes. */
export const applyChanges = (user: ScopeRoles, changes: readonly ScopeChange[]): ScopeRoles => {
  const touched = new Set(changes.map((change) => change.scope))
  const untouched = (roles: readonly Role[]) => roles.filter((role) => !touched.has(scopeOf(role)))
  return {
    roles: sortedRoles([...untouched(user.roles), ...changes.flatMap((change) => change.after.roles)]),
    invitations: sortedRoles([
      ...untouched(user.invitations),
      ...changes.flatMap((change) => change.after.invitations),
    ]),
  }
}

/** The roles that only `after` has, effective or invited. */
export const additions = ({ before, after }: ScopeChange): Role[] => lackedBy(before, after)

/** The roles that only `before` has, effective or invited. */
export const removals = ({ before, after }: ScopeChange): Role[] => lackedBy(after, before)

const lackedBy = (some: ScopeRoles, others: ScopeRoles): Role[] =>
  allOf(others).filter((role) => !includesRole(allOf(some), role))

const allOf = ({ roles, invitations }: ScopeRoles): Role[] => [...roles, ...invitations]
