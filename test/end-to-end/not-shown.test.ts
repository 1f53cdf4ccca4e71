import { beforeEach, describe, expect, it } from 'vitest'
import { fixtureWith, ONCALL, PROJECT } from '../support/installation.ts'
import { actionsIn, applied, at, begin, only, writesIn, type Scene } from '../support/scene.ts'

let here: Scene

const DOWN = '5d1113b25a115342acc2d0f3'
const OTHER = '5d1113b25a115342acc2d0f4'
const ADDRESS = 'alertConfigurations.down'
const PATH = `/groups/${PROJECT}/alertConfigs/${DOWN}`

const declare = (more: string): string =>
  only('alertConfigurations', `  down: { alertConfigId: ${DOWN}, ${more} }`)

/** Takes a field out of these answers: an alert configuration may contain only a subset of its elements. */
const leaveOut = (
  name: string,
  isMeant: (method: string) => boolean = () => true,
  onWrite: (write: number) => Promise<void> = () => Promise.resolve(),
): void =>
  here.proxy.steer(async ({ method, write }, forward) => {
    await onWrite(write)
    const { body, ...passed } = await forward()
    if (!isMeant(method)) return { ...passed, body }
    return { ...passed, body: body.toString().replace(new RegExp(`"${name}":(?:true|false),?`, 'g'), '') }
  })

const enabledNow = async (): Promise<unknown> => {
  const { projects } = await here.control('GET', 'dump')
  return projects[0].alertConfigs.find(({ id }: { id: string }) => id === DOWN).enabled
}

/** A service that shows everything but whether a configuration is enabled. */
beforeEach(async () => {
  here = await begin({
    fixture: fixtureWith({
      alertConfigs: [{ id: DOWN, eventTypeName: 'HOST_DOWN', enabled: true }],
      integrations: [],
    }),
    proxied: true,
  })
  leaveOut('enabled')
})

describe('a declared field that a reading does not show', () => {
  it('is written by the first apply, and then known as recorded', async () => {
    await here.manifest(declare('enabled: false'))
    const { document } = await here.json('plan')
    expect(at(document, ADDRESS)).toMatchObject({
      action: 'adopt',
      fields: [{ path: 'enabled', before: null, after: false }],
      evidence: { level: 'unknown' },
    })
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
    expect(await enabledNow()).toBe(false)
    await here.forgetRequests()

    const again = await here.json('plan', '--detailed-exitcode')
    expect(again).toMatchObject({ code: 0, document: { inSync: true, summary: { unverifiable: 1 } } })
    expect(at(again.document, ADDRESS)).toMatchObject({
      action: 'unchanged',
      fields: [],
      evidence: { level: 'recorded' },
    })
    const text = await here.run('plan')
    expect(text.stdout).toContain('1 not verifiable')
    expect(text.stdout).toContain('service does not show enabled')
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
    expect(await writesIn(here)).toEqual([])

    const drift = await here.json('drift')
    expect(drift.code).toBe(0)
    expect(at(drift.document, ADDRESS)).toMatchObject({
      verdict: 'unverifiable',
      fields: [],
      evidence: { level: 'recorded' },
    })
  })

  it('is written again once it is declared otherwise', async () => {
    await applied(here, declare('enabled: false'))
    await here.manifest(declare('enabled: true'))
    expect(at((await here.json('plan')).document, ADDRESS)).toMatchObject({
      action: 'update',
      fields: [{ path: 'enabled', before: false, after: true }],
    })
    await applied(here, declare('enabled: true'))
    expect(await enabledNow()).toBe(true)
    expect((await here.run('plan', '--detailed-exitcode')).code).toBe(0)
  })

  it('is suspect after an event of somebody else, and asserted again', async () => {
    await applied(here, declare('enabled: false'))
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', PATH, { enabled: true })
    const { document, code } = await here.json('drift')
    expect(code).toBe(2)
    expect(at(document, ADDRESS)).toMatchObject({
      verdict: 'drifted',
      evidence: { level: 'suspect' },
      actor: { publicKey: ONCALL.publicKey },
    })
    expect(at((await here.json('plan')).document, ADDRESS)).toMatchObject({
      action: 'update',
      reason: expect.stringContaining('written again'),
      evidence: { level: 'suspect' },
    })
    await here.run('apply', '--auto-approve')
    expect(await enabledNow()).toBe(false)
    expect((await here.run('plan', '--detailed-exitcode')).code).toBe(0)
    expect((await here.run('drift')).code).toBe(0)
  })

  it('is suspect no more once it is accepted', async () => {
    await applied(here, declare('enabled: false'))
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', PATH, { enabled: true })
    expect((await here.run('state', 'accept', ADDRESS)).code).toBe(0)
    expect((await here.run('drift')).code).toBe(0)
  })

  it('is compared as soon as it is shown again', async () => {
    await applied(here, declare('enabled: false'))
    await here.outside('PATCH', PATH, { enabled: true })
    here.proxy.steer((_, forward) => forward())
    const { document } = await here.json('drift')
    expect(at(document, ADDRESS)).toMatchObject({
      verdict: 'drifted',
      fields: [{ path: 'enabled', before: false, after: true }],
      evidence: { level: 'read' },
    })
  })

  it.each([
    { of: 'somebody else', by: [true, false], words: [], left: true },
    { of: 'somebody else, with the flag', by: [true, false], words: ['--allow-overwrite'], left: false },
    { of: 'nobody', by: [], words: [], left: false },
  ])('meets a change of $of while an apply runs', async ({ by, words, left }) => {
    const both = (enabled: boolean): string =>
      only(
        'alertConfigurations',
        `  before: { alertConfigId: ${OTHER}, enabled: ${enabled} }\n  down: { alertConfigId: ${DOWN}, enabled: ${enabled} }`,
      )
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [
      { id: DOWN, eventTypeName: 'HOST_DOWN', enabled: true },
      { id: OTHER, eventTypeName: 'HOST_UP', enabled: true },
    ])
    await applied(here, both(false))
    await here.control('POST', 'clock', { advance: 'PT10S' })
    await here.manifest(both(true))
    leaveOut(
      'enabled',
      () => true,
      async (write) => {
        if (write !== 1) return
        for (const enabled of by) await here.outside('PATCH', PATH, { enabled })
        await here.control('POST', 'clock', { advance: 'PT6S' })
      },
    )
    const ran = await here.json('apply', '--auto-approve', '--concurrency', '1', ...words)
    const refused = [{ address: ADDRESS, error: { code: 'DM-GUARD' } }]
    expect(ran.document.problems).toMatchObject(left ? refused : [])
    expect(await enabledNow()).toBe(!left)
  })

  it('is known as it was seen at adoption, if it was', async () => {
    here.proxy.steer((_, forward) => forward())
    await applied(here, declare('enabled: true'))
    leaveOut('enabled')
    const { document, code } = await here.json('plan', '--detailed-exitcode')
    expect(code).toBe(0)
    expect(at(document, ADDRESS)).toMatchObject({ action: 'unchanged', evidence: { level: 'recorded' } })
    expect(at((await here.json('drift')).document, ADDRESS)).toMatchObject({ verdict: 'unverifiable' })
  })

  it('is neither compared nor called different if it is left to others', async () => {
    await applied(here, declare('enabled: false, ignoreChanges: [enabled]'))
    const plan = await here.json('plan', '--all', '--strict', '--detailed-exitcode')
    expect(plan).toMatchObject({ code: 0, document: { inSync: true, summary: { unverifiable: 0 } } })
    expect(at(plan.document, ADDRESS)).toMatchObject({
      action: 'unchanged',
      reason: 'the live values are as declared; enabled, which ignoreChanges names, was not compared',
    })
    expect((await here.run('plan')).stdout).not.toContain('ignored differences')
    const drift = await here.json('drift', '--strict')
    expect(drift.code).toBe(0)
    expect(at(drift.document, ADDRESS)).toMatchObject({ verdict: 'in-sync', evidence: { level: 'read' } })
  })

  it('is not restored to a value that adoption has not seen', async () => {
    await applied(here, declare('enabled: false, onRemove: restore'))
    await here.forgetRequests()
    await applied(here, only('alertConfigurations', ''))
    expect(await writesIn(here)).toEqual([])
  })

  it('is not restored to what only our own writes have shown', async () => {
    leaveOut('enabled', (method) => method === 'GET')
    await applied(here, declare('enabled: false, onRemove: restore'))
    await applied(here, declare('enabled: true, onRemove: restore'))
    await here.forgetRequests()
    await applied(here, only('alertConfigurations', ''))
    expect(await writesIn(here)).toEqual([])
  })

  it('is restored while no event is about it', async () => {
    here.proxy.steer((_, forward) => forward())
    await applied(here, declare('enabled: false, onRemove: restore'))
    leaveOut('enabled')
    await here.manifest(only('alertConfigurations', ''))
    expect(actionsIn((await here.json('plan')).document)).toEqual([[ADDRESS, 'release']])
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', PATH, { enabled: false })
    await here.forgetRequests()
    await here.run('apply', '--auto-approve')
    expect(await writesIn(here)).toEqual([])
  })

  it('is left to a person by adopt', async () => {
    await here.manifest(only('alertConfigurations', ''))
    const ran = await here.run('adopt')
    expect(ran.code).toBe(0)
    expect(ran.stderr).toContain(
      `payments: the service does not show enabled of the alert configuration ${DOWN}, which an entry needs; it is left alone.`,
    )
  })
})
