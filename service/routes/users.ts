import { Type } from 'typebox'
import {
  administersGlobalRoles,
  requireAnywhere,
  requireInOrganization,
  requireInProject,
} from '../auth/permissions.ts'
import type { Context } from '../context.ts'
import { ApiError, forbidden, notFound } from '../errors.ts'
import { checkId, findProject, found } from '../found.ts'
import { type Call, defineEndpoint, listPage, one } from '../http/endpoint.ts'
import { newId } from '../ids.ts'
import { AccessListEntryResource } from '../model/access-list.ts'
import { listOf, record } from '../model/common.ts'
import { Role, sortedRoles } from '../model/roles.ts'
import { type User, UserResource } from '../model/user.ts'
import { checkRoles } from '../people/check-roles.ts'
import { applyChanges, planRoles } from '../people/plan-roles.ts'
import { leaveCreationEvents, leaveRoleEvents } from '../people/role-events.ts'
import {
  checkChanges,
  globalRoleRefused,
  isSelf,
  ownsScope,
  requireRoleUpdater,
} from '../people/role-rights.ts'
import { checkPassword, checkUsername } from '../people/usernames.ts'
import { presentAccessListEntry } from '../present/api-key.ts'
import { presentCreatedUser, presentUser } from '../present/user.ts'
import { keepLastOwner } from '../people/last-owner.ts'

const RolesBody = record(
  { roles: Type.Array(Role) },
  { 'x-read-only': [...Object.keys(UserResource.properties).filter((name) => name !== 'roles'), 'password'] },
)

/** Endpoint 9: only role assignments change; new ones start as invitations. */
const updateRoles = defineEndpoint({
  number: 9,
  method: 'PATCH',
  path: '/users/{userId}',
  summary: 'Update roles of one user',
  body: RolesBody,
  answer: UserResource,
  handle(call) {
    const { context, caller, params, body } = call
    const { settings, store } = context
    checkId(params.userId, 'INVALID_USER_ID', 'user')
    const user = findUser(context, params.userId)
    requireRoleUpdater(context, caller, user)
    checkRoles(context, body.roles)
    const changes = planRoles(user, body.roles, {
      mode: settings.get('open.userRoles'),
      bypassInvitations: settings.get('service.user.bypassInviteForExistingUsers') === 'true',
      emptied: (scope) =>
        settings.get('open.emptyRoles') === 'owned' &&
        (ownsScope(context, caller, scope) || (isSelf(caller, user) && scope !== 'global')),
    })
    checkChanges(context, caller, user, changes)
    const after: User = { ...user, ...applyChanges(user, changes) }
    keepLastOwner(context, user.roles, after.roles)
    store.put('user', '', user.id, after)
    leaveRoleEvents(call, after, changes)
    return one(presentUser(context, after))
  },
})

const UserBody = record(
  {
    username: Type.String(),
    password: Type.String(),
    emailAddress: Type.String(),
    mobileNumber: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    roles: Type.Array(Role),
  },
  { 'x-read-only': ['id', 'links', 'teamIds'] },
)

/** Endpoint 11: organization and project roles start as invitations. */
const createUser = defineEndpoint({
  number: 11,
  method: 'POST',
  path: '/users',
  summary: 'Create one user',
  body: UserBody,
  answer: UserResource,
  statuses: [201],
  handle(call) {
    const { context, body } = call
    const { store, settings } = context
    checkUsername(body.username, settings)
    checkPassword(body.password, settings)
    checkRoles(context, body.roles)
    requireCreator(call)
    if (store.find('user', body.username.toLowerCase())) {
      throw new ApiError(409, 'USER_ALREADY_EXISTS', 'There is already a user with this username.')
    }
    const user: User = {
      ...body,
      id: newId(context.clock.now()),
      ...firstRoles(call),
      teamIds: [],
      accessList: [],
    }
    store.put('user', '', user.id, user)
    leaveCreationEvents(call, user)
    return one(presentCreatedUser(context, user), 201)
  },
})

/** Global roles take effect at once; others only under both settings. */
const firstRoles = ({
  context,
  body,
}: Call<string, typeof UserBody>): Pick<User, 'roles' | 'invitations'> => {
  const { settings } = context
  const bypasses =
    settings.get('open.bypassInviteOnCreation') === 'true' &&
    settings.get('service.user.bypassInviteForExistingUsers') === 'true'
  const isDirect = (role: Role) => bypasses || (role.orgId === undefined && role.groupId === undefined)
  return {
    roles: sortedRoles(body.roles.filter(isDirect)),
    invitations: sortedRoles(body.roles.filter((role) => !isDirect(role))),
  }
}

/**
 * The required roles are not documented (open.unstatedRoles): checked in each organization and project named, or
 * anywhere.
 */
const requireCreator = ({ context, caller, body }: Call<string, typeof UserBody>): void => {
  if (body.roles.length === 0) requireAnywhere(context, caller)
  for (const { orgId, groupId } of body.roles) {
    if (orgId !== undefined) requireInOrganization(context, caller, orgId, 'write')
    else if (groupId !== undefined) requireInProject(context, caller, findProject(context, groupId), 'write')
    else if (!administersGlobalRoles(caller)) throw globalRoleRefused()
  }
}

/** Endpoint 13: only for the current user, and only by the ipAddress field. */
const getAccessListEntry = defineEndpoint({
  number: 13,
  method: 'GET',
  path: '/users/{userId}/accessList/{accessListEntry}',
  summary: 'Get an access-list entry of a user',
  answer: listOf(AccessListEntryResource),
  handle({ context, caller, params }) {
    const { settings } = context
    checkId(params.userId, 'INVALID_USER_ID', 'user')
    if (caller.kind !== 'user')
      throw forbidden('NO_CURRENT_USER', 'An organization API key has no current user.')
    const user = findUser(context, params.userId)
    if (caller.userId !== user.id) throw forbidden('USER_UNAUTHORIZED', 'The user must be the current user.')
    const wanted = params.accessListEntry
    const alsoBlocks = settings.get('open.accessListEntryMatch') === 'ipAddressOrCidrBlock'
    const entries = user.accessList.filter(
      (entry) => entry.ipAddress === wanted || (alsoBlocks && entry.cidrBlock === wanted),
    )
    if (entries.length === 0 && settings.get('open.accessListNoMatch') === '404') {
      throw notFound('ACCESS_LIST_NOT_FOUND', 'The user has no such access-list entry.', [
        wanted.slice(0, 100),
      ])
    }
    const path = `/users/${user.id}/accessList`
    return listPage({ items: entries, total: entries.length }, (entry) =>
      presentAccessListEntry(context, entry, path),
    )
  },
})

const findUser = ({ store }: Context, id: string): User =>
  found(store.get('user', '', id), 'USER_NOT_FOUND', 'There is no user with this id.', id)

export const userEndpoints = [updateRoles, createUser, getAccessListEntry]
