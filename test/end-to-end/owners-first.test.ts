import { expect, it } from 'vitest'
import { manifestWith, ORG, PROJECT } from '../support/installation.ts'
import { begin, expectApply, ONCALL_ID, org, REPORTER, sam, SAM } from '../support/people.ts'
import { at, begin as beginScene, beginApplied, only, type Scene } from '../support/scene.ts'

const NAMED = ['apiKeys.reporting', 'unmanaged apiKeys', 'alertConfigurations.noisy']

/** Someone switches an alert, and gives a role to two keys: one is declared. */
const given = async (here: Scene, roleName: string): Promise<void> => {
  const alert = (await here.state()).resources['alertConfigurations.noisy'].identity.alertConfigId
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${alert}`, { enabled: true })
  for (const id of [REPORTER, ONCALL_ID])
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${id}`, { roles: [roleName] })
}

const orderIn = async (here: Scene, format: string): Promise<string[]> => {
  const { stdout } = await here.run('drift', '--format', format)
  const places = NAMED.map((name) => ({ name, at: stdout.indexOf(name) })).filter(
    ({ at: place }) => place >= 0,
  )
  return places.toSorted((a, b) => a.at - b.at).map(({ name }) => name)
}

it('who has got the rights of an owner stands before what else has drifted, declared or not', async () => {
  const here = await beginApplied(manifestWith())
  await given(here, 'ORG_OWNER')
  const { document } = await here.json('drift')
  expect(at(document, 'apiKeys.reporting')).toMatchObject({ owns: true })
  expect(at(document, 'alertConfigurations.noisy')).not.toHaveProperty('owns')
  expect(document.unmanaged).toMatchObject([{ section: 'apiKeys', owns: true }])
  expect(await orderIn(here, 'brief')).toEqual(NAMED.slice(0, 2))
})

it('so does a user whose rights of an owner may have been taken away', async () => {
  const users = `  zoe: { userId: ${SAM}, rolesComplete: true, roles: [{ roleName: ORG_OWNER, orgId: ${ORG} }] }`
  const apiKeys = `  a-oncall: { apiKeyId: ${ONCALL_ID}, desc: oncall }`
  const here = await begin({ apiKeys, users, people: [sam(org('ORG_OWNER'))] })
  await expectApply(here, 0, '--allow-owner-removal')
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${ONCALL_ID}`, { desc: 'other' })
  await here.outside('PATCH', `/users/${SAM}`, { roles: [org('ORG_MEMBER')] })
  const { stdout } = await here.run('drift', '--format', 'brief')
  expect(stdout.split('\n')[1]).toMatch(/^users\.zoe.*: roles: /)
})

it('other rights have no such place', async () => {
  const here = await beginApplied(manifestWith())
  await given(here, 'ORG_READ_ONLY')
  const { document } = await here.json('drift')
  expect(JSON.stringify(document)).not.toContain('"owns"')
  expect((await orderIn(here, 'brief'))[0]).toBe('alertConfigurations.noisy')
})

/** What a report says of a declared key that is gone, which held a role. */
const whetherGoneOwns = async (role: string): Promise<unknown> => {
  const key = `  reporting: { apiKeyId: ${REPORTER}, desc: r, roles: [${role}], accessList: [192.0.2.0/24, 198.51.100.7] }`
  const here = await beginScene({ proxied: true })
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: [role] })
  await here.manifest(only('apiKeys', key))
  expect((await here.run('apply', '--auto-approve')).code).toBe(0)
  // As a service answers about a key that was deleted.
  here.proxy.steer(async ({ method, path, authorized }, forward) => {
    if (method !== 'GET' || !authorized || !path.includes(`apiKeys/${REPORTER}`)) return forward()
    const body = JSON.stringify({ error: 400, errorCode: 'API_KEY_NOT_FOUND', parameters: [REPORTER] })
    return { status: 400, headers: { 'content-type': 'application/json' }, body }
  })
  const found = at((await here.json('drift')).document, 'apiKeys.reporting')
  expect(found).toMatchObject({ verdict: 'drifted', reasonCode: 'gone-at-service' })
  return found.owns
}

it('so does an owner that is gone as a whole, and no other key', async () => {
  expect(await whetherGoneOwns('ORG_OWNER')).toBe(true)
  expect(await whetherGoneOwns('ORG_MEMBER')).toBe(undefined)
})
