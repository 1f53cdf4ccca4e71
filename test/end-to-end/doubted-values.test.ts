import { describe, expect, it } from 'vitest'
import { ORG, PROJECT } from '../support/installation.ts'
import {
  begin as beginPeople,
  driftOf,
  expectApply,
  manifestOf,
  org,
  planOf,
  REPORTER,
  sam,
  SAM,
} from '../support/people.ts'
import { windowsAt } from '../support/one-window.ts'
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

const key = (protect: string) =>
  `  reporting: { apiKeyId: ${REPORTER}, desc: Reports, roles: [ORG_MEMBER]${protect} }`

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
    expect((await here.run('plan')).stdout).toContain(
      '(not known; USER_ROLES_CHANGED_AUDIT says: ORG_GROUP_CREATOR',
    )
    expect((await here.run('plan')).stdout).not.toContain('unchanged')
  })

  it('shows no description of a window that may be another', async () => {
    const here = await begin()
    await applied(here, window('Storage move'))
    const [{ id }] = await windowsAt(here)
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
    await here.manifest(window('Storage move 2'))
    const { document } = await here.json('plan')
    expect(at(document, 'maintenanceWindows.move').fields).toContainEqual(
      expect.objectContaining({ path: 'description', before: null, after: 'Storage move 2' }),
    )
  })
})

describe('what an answer has shown, and others may have changed since', () => {
  it('is not told as what is there', async () => {
    const here = await beginPeople({ apiKeys: key('') })
    await expectApply(here, 0)
    await here.manifest(manifestOf({ apiKeys: key(', protect: true') }))
    await expectApply(here, 0)
    const change = async (roles: string[]): Promise<void> => {
      await here.control('POST', 'clock', { advance: 'PT1M' })
      await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles })
    }
    await change(['ORG_OWNER'])
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'theirs' })
    // This writes the description. The answer shows the roles, which are protected.
    await here.run('apply', '--auto-approve')
    const shown = await driftOf(here, 'apiKeys.reporting')
    expect(shown.fields).toMatchObject([{ path: 'roles', before: ['ORG_MEMBER'], after: ['ORG_OWNER'] }])
    await change(['ORG_READ_ONLY'])
    const { fields, actor } = await driftOf(here, 'apiKeys.reporting')
    expect(fields).toMatchObject([
      { path: 'roles', before: ['ORG_MEMBER'], after: null, told: { value: ['ORG_READ_ONLY'] } },
    ])
    expect(actor).toMatchObject({ publicKey: 'oncall' })
    const { stdout } = await here.run('drift')
    expect(stdout).toContain('1 perhaps drifted')
    expect(stdout).not.toContain('ORG_OWNER')
  })
})
