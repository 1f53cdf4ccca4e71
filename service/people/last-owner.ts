import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { type Role, includesRole } from '../model/roles.ts'

/** Refuses a change after which an organization has no ORG_OWNER, neither user nor key (open.lastOwner). */
export const keepLastOwner = (context: Context, before: readonly Role[], after: readonly Role[]): void => {
  if (context.settings.get('open.lastOwner') === 'allow') return
  for (const role of before) {
    if (role.roleName !== 'ORG_OWNER' || includesRole(after, role)) continue
    if (countOwners(context, role) > 1) continue
    throw new ApiError(
      403,
      'CANNOT_DEMOTE_LAST_ORG_OWNER',
      'The last owner of an organization must remain an owner.',
      {
        parameters: [role.orgId ?? ''],
      },
    )
  }
}

const countOwners = (context: Context, role: Role): number => {
  const holders = [...context.store.listAll('apiKey'), ...context.store.listAll('user')]
  return holders.filter(({ item }) => includesRole(item.roles, role)).length
}
