import { describe, expect, it } from 'vitest'
import { ORG, PROJECT } from '../support/installation.ts'
import { begin as beginPeople, expectApply, manifestOf, org, planOf, sam, SAM } from '../support/people.ts'
import { applied, at, begin, only } from '../support/scene.ts'

const users = (...roles: string[]) =>
  `  sam: { userId: ${SAM}, rolesComplete: true, roles: [${roles
    .map((roleName) => `{ roleName: ${roleName}, orgId: ${ORG} }`)
    .join(', ')}] }`

const window = (description: string) =>
  only(
    'maintenanceWindows',
    `  move: { alertTypeNames: [HOST], startDate: 2035-01-01T00:00:00Z, endDate: 2035-01-02T00:00:00Z, description: ${description} }`,
  )

describe('an edit of what others may have changed', () => {
  it('shows no role as unchanged that may not be there', async () => {
    const first = users('ORG_MEMBER', 'ORG_GROUP_CREATOR')
    const here = await beginPeople({
      users: first,
      people: [sam(org('ORG_MEMBER'), org('ORG_GROUP_CREATOR'))],
    })
    await expectApply(here, 0)
    await here.outside('PATCH', `/users/${SAM}`, { roles: [org('ORG_READ_ONLY'), org('ORG_GROUP_CREATOR')] })
    await here.manifest(manifestOf({ users: users('ORG_MEMBER', 'ORG_READ_ONLY') }))
    const { changes } = await planOf(here)
    expect(changes).toMatchObject([
      { action: 'update', evidence: { level: 'suspect' }, fields: [{ path: 'roles', before: null }] },
    ])
    expect((await here.run('plan')).stdout).toContain('(not known)')
    expect((await here.run('plan')).stdout).not.toContain('unchanged')
  })

  it('shows no description of a window that may be another', async () => {
    const here = await begin()
    await applied(here, window('Storage move'))
    const [{ id }] = (await here.control('GET', 'dump')).projects[0].maintenanceWindows
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
    await here.manifest(window('Storage move 2'))
    const { document } = await here.json('plan')
    expect(at(document, 'maintenanceWindows.move').fields).toContainEqual(
      expect.objectContaining({ path: 'description', before: null, after: 'Storage move 2' }),
    )
  })
})
