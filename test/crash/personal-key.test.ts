import { beforeEach, describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT, type Key } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import type { Steer } from '../support/proxy.ts'
import { begin, writesIn, type Scene } from '../support/scene.ts'
import { disownStrangers, expectConverged, expectStuck } from './support/unknown.ts'
import { A, B, descriptionsAt, ownKey, windows } from './support/two-windows.ts'

let here: Scene

const SAM: Key = { publicKey: 'sampersonal', privateKey: '3b7e5f11-canary-0009' }
const PAT: Key = { publicKey: 'patpersonal', privateKey: '3b7e5f11-canary-0010' }
const person = (n: number, username: string, key: Key): object => ({
  id: `5d2e1f0a9b8c7d6e5f4a3b2${n}`,
  username,
  roles: [{ roleName: 'ORG_OWNER', orgId: ORG }],
  apiKeys: [key],
})
const held = (): Promise<any[]> => windowsAt(here)
const descriptions = (): Promise<string[]> => descriptionsAt(here)
const lose = (fault: string): Promise<void> =>
  here.control('POST', 'faults', { method: 'POST', path: 'Windows', fault, count: 1 })
const later = (advance = 'PT3M'): Promise<void> => here.control('POST', 'clock', { advance })
const stranger = (month: string): object => ({
  alertTypeNames: ['BACKUP'],
  startDate: `2036-${month}-01T00:00:00Z`,
  endDate: `2036-${month}-01T01:00:00Z`,
  description: 'theirs',
})
const by = (key: Key): Promise<any> =>
  here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, stranger('05'), key)

/** The service writes null for what an event does not tell. */
const withNulls: Steer = async ({ path }, forward) => {
  const answer = await forward()
  if (!path.includes('/events?') || answer.status !== 200) return answer
  const body = JSON.parse(String(answer.body))
  const results = body.results.map((event: object) => ({ apiKeyId: null, publicKey: null, ...event }))
  return { ...answer, body: JSON.stringify({ ...body, results }) }
}

/** One window is recorded, and the creation of a second one loses its answer. */
const loseSecond = async (fault: string, manifest = windows(A, B)): Promise<void> => {
  await here.manifest(manifest)
  await lose(fault)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
}

describe('a lost creation, where the calling key is the own one of a person', () => {
  beforeEach(async () => {
    const users = [person(1, 'sam@example.com', SAM), person(2, 'pat@example.com', PAT)]
    here = await begin({ fixture: { ...fixtureWith(), users }, proxied: true })
    here.env['DEPLOYMGMT_PUBLIC_KEY'] = SAM.publicKey
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = SAM.privateKey
    await here.manifest(windows(A))
    await here.run('apply', '--auto-approve')
  })

  it.each([
    ['', windows(A, B)],
    [', who can do more beside than what a key of one manifest does', ownKey(windows(A, B))],
  ])('is asked if its event names the same person as earlier creations of ours%s', async (_, manifest) => {
    await loseSecond('reset-after', manifest)
    await later()
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('and its answer has the values of this creation')
    await expectConverged(here)
    expect(await descriptions()).toEqual(['a', 'b'])
  })

  it('is asked, and nothing of ours is suspect, also where events name no key with null', async () => {
    here.proxy.steer(withNulls)
    expect(JSON.parse((await here.run('plan', '--format', 'json')).stdout)).toMatchObject({ inSync: true })
    await loseSecond('reset-after')
    await later()
    await expectConverged(here)
    expect(await descriptions()).toEqual(['a', 'b'])
  })

  it('counts as not made if events of that time name only others, and a later one is ours', async () => {
    await loseSecond('reset-before')
    await by(PAT)
    await later()
    await expectConverged(here)
    expect(await descriptions()).toEqual(['a', 'b', 'theirs'])
  })

  it('is not confused with what the same person makes elsewhere', async () => {
    await loseSecond('reset-before')
    await by(SAM)
    await later()
    await disownStrangers(here)
    await expectConverged(here)
    expect(await descriptions()).toEqual(['a', 'b', 'theirs'])
  })

  it('is left to a person where what was made before was taken over, or has no event of its creation', async () => {
    await here.run('state', 'forget', 'maintenanceWindows.a')
    await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, stranger('04'), PAT)
    const taken = (await held()).at(-1).id
    const entry = `  a: { windowId: ${taken}, ${A.split('{ ')[1]}`
    await here.manifest(windows(entry))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.manifest(windows(entry, B))
    await lose('reset-after')
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await later()
    expect(await expectStuck(here, ['maintenanceWindows.b'])).toContain(
      'this key or the person who owns it made it',
    )
    expect((await writesIn(here)).length).toBe(0)
  })
})
