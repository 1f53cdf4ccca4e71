import { fixtureWith, ORG, PROJECT } from '../../../support/installation.ts'

export { ORG, PROJECT }

/** Two things of every kind: one to manage, and another that events can be about. */
export const ids = {
  ci: '5c47503320eef5699e1cce8d',
  oncall: '5c47503320eef5699e1cce8e',
  reporter: '5c47503320eef5699e1cce8f',
  sam: '5d2e1f0a9b8c7d6e5f4a3b2c',
  pat: '5d2e1f0a9b8c7d6e5f4a3b2d',
  hostDown: '5d1113b25a115342acc2d0f3',
  replicaSet: '5d1113b25a115342acc2d1aa',
  migration: '5e1f2a3b4c5d6e7f8091a2b3',
  nobody: '5c47503320eef5699e1cceff',
}

export const org = (roleName: string) => ({ roleName, orgId: ORG })
export const group = (roleName: string) => ({ roleName, groupId: PROJECT })

const person = (id: string, name: string, ...roles: object[]) => ({
  id,
  username: `${name}@example.com`,
  emailAddress: `${name}@example.com`,
  firstName: name,
  lastName: 'Reyes',
  mobileNumber: '2125550199',
  roles,
})

export const window = {
  alertTypeNames: ['HOST', 'REPLICA_SET'],
  startDate: '2035-01-06T02:00:00Z',
  endDate: '2035-01-06T04:00:00Z',
  description: 'Storage migration',
}

export const fixture = {
  ...fixtureWith({ maintenanceWindows: [{ id: ids.migration, ...window }] }),
  users: [person(ids.sam, 'sam', org('ORG_MEMBER')), person(ids.pat, 'pat', org('ORG_MEMBER'))],
}

/** A copy of the fixture with changes. */
export const fixtureBut = (change: (fixture: any) => void): object => {
  const copy = structuredClone(fixture)
  change(copy)
  return copy
}
