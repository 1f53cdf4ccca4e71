import type { Diff } from '../model/event.ts'
import { type Role, includesRole, scopeOf } from '../model/roles.ts'

/** The diff of a change of roles, or none if nothing changed. */
export const roleDiffs = (
  id: string,
  name: string,
  before: readonly Role[],
  after: readonly Role[],
): Diff[] => {
  const added = after.filter((role) => !includesRole(before, role))
  const removed = before.filter((role) => !includesRole(after, role))
  const params = [
    ...added.map((role) => ({ display: 'Role', new: describe(role), old: '', param: 'roles' })),
    ...removed.map((role) => ({ display: 'Role', new: '', old: describe(role), param: 'roles' })),
  ]
  return params.length > 0 ? [{ id, name, params, status: 'MODIFIED', type: 'ROLES' }] : []
}

const describe = (role: Role): string => `${role.roleName} ${scopeOf(role)}`
