import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureWith, manifestWith, ORG, PROJECT, within } from '../support/installation.ts'
import type { Steer } from '../support/proxy.ts'
import { at, begin, writesIn, type Scene } from '../support/scene.ts'

/** Every id that the service answers, in another spelling. */
const spelling =
  (respelled: (id: string) => string): Steer =>
  async (_, forward) => {
    const answer = await forward()
    const body = answer.body.toString().replaceAll(/(?<=")[0-9a-f]{24}(?=")/g, respelled)
    return answer.status < 300 ? { ...answer, body } : answer
  }
const capitals = (id: string): string => id.toUpperCase()
/** Each character as an escape, as JSON may write any. */
const escaped = (id: string): string =>
  capitals(id).replaceAll(/./g, (each) => String.raw`\u00${each.charCodeAt(0).toString(16)}`)

/** The ids of windows, with letters that are no digits. */
const UNUSUAL: Steer = async (_, forward) => {
  const answer = await forward()
  if (answer.status > 299 || answer.body.length === 0) return answer
  const body = JSON.stringify(JSON.parse(answer.body.toString()), function (this: object, key, value) {
    const isOfWindow = 'alertTypeNames' in this ? key === 'id' : key === 'maintenanceWindowId'
    return isOfWindow ? `w-${String(value)}` : (value as unknown)
  })
  return { ...answer, body }
}

/** All that is known of what a person does elsewhere is its event. */
const changeOutside = async (here: Scene): Promise<void> => {
  const { resources } = await here.state()
  const { id } = resources['maintenanceWindows.migration'].identity
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'mine' })
}

describe.each([
  ['in capitals', capitals],
  ['in capitals that are escapes', escaped],
])('a service that answers ids %s', (_, respelled) => {
  it('is applied to, seen in drift and planned as one that writes them in small letters', async () => {
    const here = await begin({ manifest: manifestWith(), proxied: true })
    here.proxy.steer(spelling(respelled))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(JSON.stringify((await here.state()).resources)).not.toMatch(/[0-9A-F]{24}/)
    await here.forgetRequests()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^deploymgmt apply · nothing to do/),
    })
    expect(await writesIn(here)).toEqual([])
    await changeOutside(here)
    const { code, document } = await here.json('drift')
    expect({ code, unmanaged: document.unmanaged }).toEqual({ code: 2, unmanaged: [] })
    expect(at(document, 'maintenanceWindows.migration')).toMatchObject({
      verdict: 'drifted',
      actor: { publicKey: 'oncall' },
    })
  })

  it('is adopted, and the plan after that is empty', async () => {
    // A selector matches all of them, and the one that is off needs an entry by its id.
    const alertConfigs = ['f3', 'aa', 'ab'].map((end) => ({
      id: `5d1113b25a115342acc2d0${end}`,
      eventTypeName: 'HOST_DOWN',
      enabled: end !== 'ab',
    }))
    const here = await begin({ fixture: fixtureWith({ alertConfigs }), proxied: true })
    here.proxy.steer(spelling(respelled))
    const there = within(here, join(here.folder, 'there'))
    await mkdir(there.folder)
    const head = `version: 1\nname: test\nprojects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n`
    await writeFile(join(there.folder, 'deploymgmt.yaml'), head)
    const seen = await there.run('adopt', '--output', '-')
    expect(seen).toMatchObject({ code: 0, stdout: expect.not.stringMatching(/[0-9A-F]{24}/) })
    expect(await there.run('adopt', '--state', 'deploymgmt.state.json')).toMatchObject({ code: 0 })
    const files = ['-f', 'deploymgmt.yaml', '-f', 'deploymgmt.adopted.yaml']
    expect(await there.run('plan', ...files, '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await there.json('drift', ...files)).toMatchObject({ code: 0, document: { unmanaged: [] } })
  })
})

it('takes an id of any form for one, since ids are opaque', async () => {
  const here = await begin({ manifest: manifestWith(), proxied: true })
  here.proxy.steer(UNUSUAL)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect((await here.state()).resources['maintenanceWindows.migration'].identity.id).toMatch(/^w-/)
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})
