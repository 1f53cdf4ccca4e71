import { describe, expect, it, test } from 'vitest'
import { failing, manifestWith, ONCALL, PROJECT, type Key } from '../support/installation.ts'
import { at, begin, beginApplied, only, type Scene } from '../support/scene.ts'

let here: Scene

const DOWN = '5d1113b25a115342acc2d0f3'
const REPORTER: Key = { publicKey: 'reporter', privateKey: '7a6b5c4d-canary-0003' }

describe('what an entry outside of the target claims', () => {
  it('is not written by a selector within it', async () => {
    here = await beginApplied(
      only(
        'alertConfigurations',
        `  all: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n  noisy: { alertConfigId: ${DOWN}, enabled: false }`,
      ),
    )
    await here.forgetRequests()
    const { code, document } = await here.json('plan', '--target', 'alertConfigurations.all', '--all')
    expect(code).toBe(0)
    expect(at(document, `alertConfigurations.all[${DOWN}]`)).toBeUndefined()
    expect(document.summary).toMatchObject({ update: 0, adopt: 0 })
  })

  it('by another selector that disagrees is an error, as it is without a target', async () => {
    here = await begin({
      manifest: only(
        'alertConfigurations',
        `  on: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n  off: { select: { eventTypeName: HOST_DOWN }, enabled: false }`,
      ),
    })
    const { code, stderr } = await here.run('plan', '--target', 'alertConfigurations.on')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-SELECTOR-CONFLICT')
  })
})

test('a drift report does not accuse the own key where an event was read twice', async () => {
  const manifest = (description: string): string =>
    manifestWith({
      apiKeys: '',
      users: '',
      integrations: '',
      alertConfigurations: `  noisy: { alertConfigId: ${DOWN}, enabled: false }`,
      maintenanceWindows: `  migration: { alertTypeNames: [HOST], startDate: 2126-12-05T02:00:00Z, endDate: 2126-12-05T04:00:00Z, description: ${description} }`,
    })
  here = await beginApplied(manifest('first'))
  await here.control('POST', 'clock', { advance: 'PT10S' })
  await here.manifest(manifest('second'))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await here.control('POST', 'clock', { advance: 'PT10S' })
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${DOWN}`, { enabled: true }, ONCALL)
  const { document } = await here.json('drift')
  const verdicts = document.resources.map(({ address, verdict, actor }: any) => [
    address,
    verdict,
    actor?.publicKey,
  ])
  expect(Object.fromEntries(verdicts.map(([address, ...rest]: string[]) => [address, rest]))).toEqual({
    'alertConfigurations.noisy': ['drifted', ONCALL.publicKey],
    'maintenanceWindows.migration': ['unverifiable', undefined],
  })
})

const judged = async (): Promise<any> => at((await here.json('drift')).document, 'alertConfigurations.down')

describe('who is named for what is seen', () => {
  const CONFIG = `/groups/${PROJECT}/alertConfigs/${DOWN}`
  const anyMemberWrites = { 'open.unstatedRoles': 'membership' }
  const on = only('alertConfigurations', `  down: { alertConfigId: ${DOWN}, enabled: true }`)
  const turned = async (enabled: boolean, key = ONCALL): Promise<void> => {
    await here.control('POST', 'clock', { advance: 'PT10S' })
    await here.outside('PATCH', CONFIG, { enabled }, key)
  }
  /** Nobody hears of this one. */
  const turnedUnseen = async (enabled: boolean): Promise<void> => {
    await failing(here, 'PATCH', 'alertConfigs', { fault: 'lose-events', count: 1 })
    await turned(enabled)
  }
  it('is nobody whose only event has the opposite effect', async () => {
    here = await beginApplied(on)
    await turnedUnseen(false)
    await turned(true)
    await turnedUnseen(false)
    const drift = await judged()
    expect(drift).toMatchObject({ verdict: 'drifted', fields: [{ path: 'enabled', after: false }] })
    expect(drift.evidence.events).toMatchObject([{ eventTypeName: 'ALERT_CONFIG_ENABLED_AUDIT' }])
    expect(drift.actor).toBeUndefined()
    const plan = at((await here.json('plan')).document, 'alertConfigurations.down')
    expect(plan.action).toBe('update')
    expect(plan.actor).toBeUndefined()
  })

  it('is nobody whose act somebody else has undone since', async () => {
    here = await beginApplied(on, { settings: anyMemberWrites })
    await turned(false)
    await turned(true, REPORTER)
    await turnedUnseen(false)
    expect((await judged()).actor).toBeUndefined()
  })

  it('is the last one with this effect, and for sure, whatever was done before', async () => {
    here = await beginApplied(on, { settings: anyMemberWrites })
    await turned(false)
    await turned(true)
    await turned(false, REPORTER)
    expect((await judged()).actor).toMatchObject({ publicKey: REPORTER.publicKey, confidence: 'high' })
  })
})
