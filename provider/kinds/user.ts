import { plainly } from '../core/adoption.ts'
import { assigned, defineKind, forget, nothing } from '../core/definition.ts'
import { one } from '../core/expansion.ts'
import { boolean, element, id, oneOf, secret, set, string } from '../core/field.ts'
import { none, patch, post } from '../core/operation.ts'
import { textOf } from '../core/values.ts'
import { ROLES } from '../vocabulary.ts'
import { checkScopes, isGlobal, isOfOrganization, isOfProject, rolesTold } from './roles.ts'

export default defineKind({
  kind: 'user',
  section: 'users',
  title: 'User',
  summary: 'A person and all of that person’s roles.',
  identity: assigned([], 'userId', {
    unlessDeclared: true,
    unique: ['username'],
    recognisedBy: ['username'],
  }),
  fields: {
    userId: id('An existing user to adopt. Without it, the user is created.')
      .names()
      .onTheWire('id')
      .optional(),
    rolesComplete: boolean(
      'Confirms that `roles` lists every role that the user has anywhere. Required to adopt a user.',
    )
      .local()
      .or(false),
    username: string('Name to sign in with.', { minLength: 1 }).createOnly().toCreate(),
    emailAddress: string('E-mail address.', { minLength: 1 }).createOnly().toCreate(),
    firstName: string('First name.', { minLength: 1 }).createOnly().toCreate(),
    lastName: string('Last name.', { minLength: 1 }).createOnly().toCreate(),
    mobileNumber: string('Mobile number.', { minLength: 1 }).createOnly().toCreate(),
    password: secret(
      'Initial password. It is read when the creation is sent, and stored nowhere; this API has no call to change it later.',
    )
      .createOnly()
      .toCreate(),
    roles: set(
      element.object({
        roleName: oneOf(ROLES, 'role', 'Name of the role.'),
        orgId: id('Organization of an organization role.', { place: 'organization' })
          .impliedWhen(isOfOrganization)
          .redundantWhen(isOfProject)
          .optional(),
        projectId: id('Project of a project role.', { place: 'project' }).onTheWire('groupId').optional(),
      }),
      'All roles of the user.',
    ).mayLag('invitations'),
  },
  expand: one(),
  observe: nothing('no endpoint returns a user'),
  establish: {
    create: {
      operation: post('/users', 11),
      conflict:
        'This user exists already. To adopt it, declare its {.userId} and {rolesComplete: true}. The plan and the apply that released the user have named the id; so do events that the user causes.',
      once: true,
      lost: {
        by: 'name',
        types: /CREATED/,
        actor: { name: 'username', id: 'userId' },
        repeats: ['roles'],
        refusedAs: 409,
        because: 'events about a user do not contain the id; only events that the user causes do',
      },
    },
    adopt: {
      requires: {
        field: 'rolesComplete',
        because: 'the API may replace all roles of a user, so every role everywhere has to be listed',
      },
      learnBy: [],
    },
  },
  write: patch(
    '/users/{userId}',
    9,
    'an owner role: ORG_OWNER in the organization, or GROUP_OWNER in the project',
  ),
  fixed: none('what is shown of a user can be declared'),
  absence: none(
    'this API has no call to delete a user',
    'By hand: Admin → Users, or {onRemove: revoke} to remove the roles.',
  ),
  lifetime: none('a user does not end by itself'),
  release: {
    forget,
    revoke: {
      way: 'send',
      summary:
        'All roles are removed. If the answer shows that some are left, the user stays in the state until they are gone.',
      body: () => ({ roles: [] }),
      empties: 'roles',
    },
  },
  witness: {
    event: 'targetUsername',
    instance: 'username',
    places: ['groupId', 'orgId'],
    types: [],
    fields: { USER_ROLES_CHANGED_AUDIT: ['roles'], INVITED_TO_ORG: ['roles'], INVITED_TO_GROUP: ['roles'] },
    sets: {},
    repeated: ['INVITED_TO_ORG', 'INVITED_TO_GROUP'],
    // Some services put a prefix before these types.
    endedBy: /(?:^|_)USER_(?:DELETED|REMOVED)(?:_AUDIT)?$/,
    // An organization's events tell global roles in addition to its own.
    atOnce: ({ roles }) => (isGlobal(roles) ? 2 : 1),
  },
  unmanaged: {
    foundBy: 'events',
    // Some services put a prefix before these types.
    shownBy: /(?:^|_)(?:USER_(?:CREATED|ADDED|ROLES?_CHANGED)|INVITED_TO|JOINED|ADDED_TO)(?:_|$)/,
    leftBy: /(?:^|_)REMOVED_FROM_(?:ORG|GROUP|PROJECT)(?:_AUDIT)?$/,
    madeBy: /(?:^|_)USER_CREATED(?:_|$)/,
    what: rolesTold,
  },
  guards: [
    {
      guard: 'keeps',
      field: 'roles',
      value: 'ORG_OWNER',
      elementField: 'roleName',
      scope: 'orgId',
      caller: undefined,
      flag: '--allow-owner-removal',
    },
  ],
  adoption: {
    ...plainly(({ username }) => [textOf(username).replace(/@.*$/, ''), textOf(username)]),
    told: {
      actor: { name: 'username', id: 'userId' },
      open: {
        userId: 'no event shows it before the user acts',
        rolesComplete: 'true, once roles lists every role of the user everywhere',
        roles: 'no endpoint shows them',
      },
    },
  },
  silences: none('a user does not affect alerts'),
  rules: [{ over: 'element', list: ['roles'], check: checkScopes }],
  docs: {
    example: `users:
  dana:
    username: dana@example.com
    emailAddress: dana@example.com
    firstName: Dana
    lastName: Reyes
    mobileNumber: "2125550198"
    password: { env: DANA_INITIAL_PASSWORD }
    roles:
      - { roleName: ORG_MEMBER, orgId: 5980cfdf0b6d97029d82f86e }
      - { roleName: GROUP_READ_ONLY, projectId: 5c8100bcf2a30b12ff88258f }`,
    notes: [
      'New organization and project roles start as invitations: a declared role that an answer does not show yet is *invited*. It is not a difference, and is not sent again.',
      'A role that is taken away before the person has accepted it may still be offered to them: no answer shows invitations, and a plan and an apply say so. Look at the service.',
      'A removed role that is still in the answer is `blocked`; a role that was never listed is shown but not compared.',
      'Changing a field that can only be set at creation is `blocked`: the API has no call for it.',
      'No endpoint shows whose `userId` it is before a write. An answer that shows another `username` than is recorded is `blocked` from then on: the id is that of somebody else, or the person was renamed. No roles are written beside that.',
      'If the answer to a creation is lost, the user is recorded once an event shows that they were created. Changes to their roles are `blocked` until their id is known: from an event that they cause, or from the manifest, with `userId` and `rolesComplete: true`.',
      'No endpoint deletes a user, or finds one: whoever comes back is adopted by the `userId`. Plan and apply name it when they release a user, with `forget` or `revoke`.',
    ],
  },
})
