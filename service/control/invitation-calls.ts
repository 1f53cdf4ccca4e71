import { Type } from 'typebox'
import { notFound } from '../errors.ts'
import { record } from '../model/common.ts'
import { sortedRoles } from '../model/roles.ts'
import { presentUser } from '../present/user.ts'
import type { ControlCall } from './control-call.ts'

const InvitationBody = record({ userId: Type.String(), accept: Type.Boolean() })

/** Invitations: accepting makes the roles effective, declining drops them. */
export const invitationCalls: readonly ControlCall[] = [
  {
    method: 'POST',
    path: '/invitations',
    summary: 'Accepts or declines all pending invitations of a user',
    body: InvitationBody,
    handle: ({ context }, { body }) => {
      const { userId, accept } = body as { userId: string; accept: boolean }
      const { store } = context
      return store.transaction(() => {
        const user = store.get('user', '', userId)
        if (!user) throw notFound('USER_NOT_FOUND', 'There is no user with this id.')
        const roles = accept ? sortedRoles([...user.roles, ...user.invitations]) : user.roles
        const settled = { ...user, roles, invitations: [] }
        store.put('user', '', user.id, settled, user.username.toLowerCase())
        return presentUser(context, settled)
      })
    },
  },
]
