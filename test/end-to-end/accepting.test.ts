import { expect, it } from 'vitest'
import { manifestWith, ORG, type Installation } from '../support/installation.ts'
import { beginApplied } from '../support/scene.ts'

let here: Installation

const ROLES = `roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }]`
const WINDOW =
  '  w: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }'
const REFERENCE = '"${maintenanceWindows.w.id}"'
const manifest = (users: string, maintenanceWindows = WINDOW): string =>
  manifestWith({ apiKeys: '', alertConfigurations: '', integrations: '', users, maintenanceWindows })
const dana = (firstName: string): string =>
  `  dana: { username: dana@example.com, emailAddress: dana@example.com, firstName: ${firstName}, lastName: Reyes, mobileNumber: "1", password: { env: DANA_INITIAL_PASSWORD }, ${ROLES} }`

const recordOf = async (address: string): Promise<any> => (await here.state()).resources[address]

it('a reference in what only a creation takes is accepted as its value', async () => {
  here = await beginApplied(manifest(dana(REFERENCE)))
  const { id } = (await recordOf('maintenanceWindows.w')).identity
  expect(await here.run('state', 'accept', 'users.dana')).toMatchObject({ code: 0 })
  expect((await recordOf('users.dana')).applied.firstName).toBe(id)
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

it('a reference to what is not recorded yet is no value to be accepted', async () => {
  here = await beginApplied(manifest(dana('Dana'), ''))
  await here.manifest(manifest(dana(REFERENCE)))
  expect(await here.run('state', 'accept', 'users.dana')).toMatchObject({ code: 0 })
  expect((await recordOf('users.dana')).applied.firstName).toBe('Dana')
})
