import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureWith, manifestWith, PROJECT } from '../support/installation.ts'
import { applied, at, begin, beginApplied, only } from '../support/scene.ts'

const NOISY = '5d1113b25a115342acc2d1aa'
const DOWN = '5d1113b25a115342acc2d0f3'
const ONE = `  noisy: { alertConfigId: ${NOISY}, enabled: true }`
const TWO = `${ONE}\n  down: { alertConfigId: ${DOWN}, enabled: false }`
const weekly = (horizon: string): string =>
  only(
    'maintenanceWindows',
    `  weekly: { alertTypeNames: [HOST], schedule: { rrule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0", timezone: UTC, duration: PT2H, horizon: ${horizon} } }`,
  )

const both = (enabled: boolean): string =>
  manifestWith({
    apiKeys: '',
    users: '',
    alertConfigurations: ONE.replace('true', String(enabled)),
    maintenanceWindows: '',
    integrations: '  mail: { type: PAGING, ensure: present }',
  })

/** A key whose access list differs from the declared one, which no call can change. */
const key = (desc: string): string =>
  manifestWith({
    users: '',
    alertConfigurations: '',
    maintenanceWindows: '',
    integrations: '',
    apiKeys: `  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: ${desc}, accessList: [203.0.113.0/24] }`,
  })

describe('what is declared and not applied', () => {
  it('is late once no apply has recorded anything for a day', async () => {
    const here = await beginApplied(only('alertConfigurations', ONE))
    await here.manifest(only('alertConfigurations', TWO))
    await here.control('POST', 'clock', { advance: 'PT23H' })
    expect(await here.json('drift')).toMatchObject({ code: 0, document: { summary: { pending: 1 } } })
    expect(await here.json('drift', '--pending-for', '22h')).toMatchObject({ code: 2 })
    await here.control('POST', 'clock', { advance: 'PT2H' })
    const { code, document } = await here.json('drift')
    expect({ code, exitCode: document.exitCode, inSync: document.inSync }).toEqual({
      code: 2,
      exitCode: 2,
      inSync: false,
    })
    expect(at(document, 'alertConfigurations.down')).toMatchObject({
      verdict: 'pending',
      isLate: true,
      reasonCode: 'nothing-applied-since',
    })
    expect((await here.json('drift', '--pending-for', '2d')).code).toBe(0)
    const { stdout } = await here.run('drift')
    expect(stdout).toMatch(/^ {2}late {12}alertConfigurations\.down \(HOST_DOWN\): /m)
    expect(stdout).toMatch(/\n1 late, 2 unmanaged, 1 in sync · exit code 2\n$/)
  })

  it('is late of a state into which nothing was ever applied', async () => {
    const here = await begin({ manifest: only('alertConfigurations', ONE) })
    expect((await here.json('drift')).code).toBe(0)
    await here.control('POST', 'clock', { advance: 'PT25H' })
    expect((await here.json('drift')).code).toBe(2)
  })

  it('is late by when an apply first left it undone, whatever else is applied every day', async () => {
    const here = await begin({ manifest: both(true), fixture: fixtureWith({ integrations: [] }) })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
    const { pending } = await here.state()
    expect(Object.keys(pending.left)).toEqual(['integrations.mail'])
    await here.control('POST', 'clock', { advance: 'PT13H' })
    await here.manifest(both(false))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
    expect((await here.json('drift')).code).toBe(0)
    await here.control('POST', 'clock', { advance: 'PT13H' })
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(at(document, 'integrations.mail')).toMatchObject({ isLate: true, reasonCode: 'left-undone-since' })
    expect((await here.state()).pending.left).toEqual(pending.left)
    // Once the integration exists, it is no longer listed as left undone.
    await here.control('PUT', `projects/${PROJECT}/integrations`, [{ type: 'PAGING', serviceKey: 'a' }])
    await here.run('apply', '--auto-approve')
    expect((await here.state()).pending).not.toHaveProperty('left')
  })

  it('is late so also where a part of a recorded thing is what was left undone', async () => {
    const here = await begin({ manifest: key('first') })
    for (const desc of ['first', 'second', 'third']) {
      await here.manifest(key(desc))
      expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
      await here.control('POST', 'clock', { advance: 'PT13H' })
    }
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(at(document, 'apiKeys.reporting')).toMatchObject({
      verdict: 'pending',
      isLate: true,
      reasonCode: 'left-undone-since',
    })
  })

  it('costs no save of its own', async () => {
    const here = await beginApplied(only('alertConfigurations', ONE))
    const before = await here.state()
    await here.control('POST', 'clock', { advance: 'P3D' })
    await applied(here, only('alertConfigurations', ONE))
    expect(await here.state()).toEqual(before)
  })

  it('is judged by the last write if the state says nothing else', async () => {
    const here = await beginApplied(
      only('alertConfigurations', `  noisy: { alertConfigId: ${NOISY}, enabled: false }`),
    )
    const { pending: _, ...older } = await here.state()
    await writeFile(join(here.folder, 'deploymgmt.state.json'), JSON.stringify(older))
    await here.manifest(only('alertConfigurations', TWO))
    await here.control('POST', 'clock', { advance: 'PT25H' })
    expect((await here.json('drift')).code).toBe(2)
  })
})

describe('an occurrence', () => {
  it('that starts within its horizon and is not there is late at once', async () => {
    const here = await beginApplied(weekly('P2D'))
    expect((await here.json('drift')).code).toBe(0)
    await here.control('POST', 'clock', { advance: 'P1D' })
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(document.resources.filter(({ isLate }: any) => isLate)).toMatchObject([
      { verdict: 'pending', reasonCode: 'occurrence-missing' },
    ])
    await applied(here, weekly('P2D'))
    expect((await here.json('drift')).code).toBe(0)
  })
})
