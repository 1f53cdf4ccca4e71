import { user } from '@deploymgmt/provider/kinds'
import { PASSWORD } from '../../../support/installation.ts'
import type { Specimen } from '../support/specimen.ts'
import { fixture, fixtureBut, group, ids, org, ORG, PROJECT } from './fixture.ts'

const at = (key: string): string => `/users/${key}`
const MEMBER = { roleName: 'ORG_MEMBER', orgId: ORG }
const CREATOR = { roleName: 'ORG_GROUP_CREATOR', orgId: ORG }
const OWNER = { roleName: 'ORG_OWNER', orgId: ORG }
const READER = { roleName: 'GROUP_READ_ONLY', projectId: PROJECT }

const person = {
  username: 'dana@example.com',
  emailAddress: 'dana@example.com',
  firstName: 'Dana',
  lastName: 'Reyes',
  mobileNumber: '2125550198',
}
const dana = {
  entry: { ...person, password: { env: 'DANA_INITIAL_PASSWORD' }, roles: [MEMBER, READER] },
  is: ({ username }: any) => username === person.username,
  body: { ...person, password: PASSWORD, roles: [org('ORG_MEMBER'), group('GROUP_READ_ONLY')] },
}
const adopted = (userId: string, ...roles: object[]) => ({ userId, rolesComplete: true, roles })
const effective = {
  'open.bypassInviteOnCreation': 'true',
  'service.user.bypassInviteForExistingUsers': 'true',
}

const specimen: Specimen = {
  kind: user,
  contract: {
    endpoints: [9, 11],
    create: 'POST /users',
    adopt: 'by id',
    observe: [],
    change: { fields: ['roles'], request: (id) => `PATCH ${at(id)}` },
    release: ['forget', 'revoke'],
    remove: 'no',
  },
  fixture,
  things: ({ users }) => users,
  identityOf: ({ id }) => ({ userId: id }),
  // A role starts as an invitation, which counts as the role.
  inWords: ({ roles, invitations, username, emailAddress, firstName, lastName, mobileNumber }) => ({
    username,
    emailAddress,
    firstName,
    lastName,
    mobileNumber,
    roles: [...roles, ...invitations].map(({ groupId, ...role }: any) =>
      groupId === undefined ? role : { ...role, projectId: groupId },
    ),
  }),
  absent: dana,
  there: { entry: adopted(ids.sam, MEMBER, CREATOR), is: ({ id }) => id === ids.sam },
  other: { entry: adopted(ids.pat, MEMBER), is: ({ id }) => id === ids.pat },
  managed: dana,
  adopted: [{ roles: [org('ORG_MEMBER'), org('ORG_GROUP_CREATOR')] }],
  edits: {
    roles: {
      to: [MEMBER, CREATOR, READER],
      body: { roles: [org('ORG_MEMBER'), org('ORG_GROUP_CREATOR'), group('GROUP_READ_ONLY')] },
    },
    username: { to: 'dr@example.com' },
    emailAddress: { to: 'dr@example.com' },
    firstName: { to: 'Daniela' },
    lastName: { to: 'Reyes-Ortiz' },
    mobileNumber: { to: '2125550100' },
  },
  tamper: (thing) => {
    thing.roles = [org('ORG_OWNER')]
    thing.invitations = []
  },
  release: {
    forget: [{ title: 'leaves them as they are' }],
    revoke: [
      { title: 'takes all roles away', body: { roles: [] }, leaves: { roles: [] } },
      {
        title: 'keeps the record while roles remain in the answer',
        settings: { ...effective, 'open.emptyRoles': 'nothing' },
        body: { roles: [] },
        remains: true,
      },
    ],
  },
  acts: {
    USER_ROLES_CHANGED_AUDIT: {
      method: 'PATCH',
      path: ({ id }) => at(id),
      body: { roles: [org('ORG_READ_ONLY')] },
      settings: effective,
    },
    INVITED_TO_ORG: {
      method: 'PATCH',
      path: ({ id }) => at(id),
      body: { roles: [org('ORG_MEMBER'), org('ORG_GROUP_CREATOR')] },
    },
    INVITED_TO_GROUP: {
      method: 'PATCH',
      path: ({ id }) => at(id),
      body: { roles: [group('GROUP_READ_ONLY'), group('GROUP_DATA_ACCESS_ADMIN')] },
    },
  },
  guards: [
    {
      guard: 'keeps roles',
      title: 'of the last holder that was seen',
      fixture: fixtureBut(({ users }) => users[0].roles.push(org('ORG_OWNER'))),
      flag: '--allow-owner-removal',
      before: { mine: adopted(ids.sam, OWNER, MEMBER) },
      after: { mine: adopted(ids.sam, MEMBER) },
      because: /it is the last known holder of ORG_OWNER in \w+, and would lose it/,
      sends: `PATCH ${at(ids.sam)}`,
    },
  ],
  notes: [
    { about: /answer to a creation is lost, the user/, shownBy: ['Create'] },
    {
      about: /start as invitations/,
      shownBy: ['Create', 'end to end'],
    },
    { about: /taken away before the person has accepted/, shownBy: ['end to end'] },
    {
      about: /removed role that is still in the answer/,
      shownBy: ['end to end'],
    },
    { about: /field that can only be set at creation/, shownBy: ['Change'] },
    { about: /shows another `username`/, shownBy: ['end to end'] },
    { about: /No endpoint deletes/, shownBy: ['Delete'] },
  ],
}
export default specimen
