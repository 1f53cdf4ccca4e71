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
    docs: {
      bodies: [{ userId: '5d2e1f0a9b8c7d6e5f4a3b2c', accept: true }],
      answer: {
        id: '5d2e1f0a9b8c7d6e5f4a3b2c',
        username: 'sam@example.com',
        roles: [{ roleName: 'ORG_MEMBER', orgId: '5980cfdf0b6d97029d82f86e' }],
      },
      note: 'Returns the user, as endpoint 9 does. With `"accept": false` the invitations are dropped.',
    },
    handle: ({ context }, { body }) => {
      const { userId, accept } = body as { userId: string; accept: boolean }
      const { store } = context
      return store.transaction(() => {
        const user = store.get('user', '', userId)
        if (!user) throw notFound('USER_NOT_FOUND', 'There is no user with this id.')
        const roles = accept ? sortedRoles([...user.roles, ...user.invitations]) : user.roles
        const settled = { ...user, roles, invitations: [] }
        store.put('user', '', user.id, settled)
        return presentUser(context, settled)
      })
    },
  },
]
