import { describe, expect, it } from 'vitest'
import { runHere, type Ran } from '../support/command.ts'
import { failing, ONCALL, ORG, PROJECT } from '../support/installation.ts'
import { applied, at, begin, beginApplied, only, type Scene } from '../support/scene.ts'
import { MIGRATION, one, windowsAt } from '../support/one-window.ts'

let here: Scene

const KEY = '5c47503320eef5699e1cce8f'
const HOUR_MS = 3_600_000
const adopting = (desc: string, more = ''): string =>
  only('apiKeys', `  reporting: { apiKeyId: ${KEY}, desc: ${desc}${more} }`)
const advance = (period: string): Promise<void> => here.control('POST', 'clock', { advance: period })
const describeKey = (desc: string): Promise<any> =>
  here.outside('PATCH', `/orgs/${ORG}/apiKeys/${KEY}`, { desc }, ONCALL)

/** Runs a command on a machine whose clock is an hour ahead of the service's. */
const ahead = (...words: string[]): Promise<Ran> =>
  runHere(here, words, { now: () => new Date(Date.now() + HOUR_MS) })

const lost = async (fault: string): Promise<void> => {
  here = await begin({ manifest: adopting('Reporting') })
  await failing(here, 'PATCH', 'apiKeys', { fault, count: 1 })
  expect(await ahead('apply', '--auto-approve')).toMatchObject({ code: 3 })
}

describe('a machine whose clock is an hour ahead, and a run whose first request is a write', () => {
  it.each(['reset-after', 'reset-before'])(
    'sees what others change after its answer was lost (%s)',
    async (fault) => {
      await lost(fault)
      expect(await ahead('apply', '--auto-approve')).toMatchObject({ code: 0 })
      const { lastWrite } = (await here.state()).resources['apiKeys.reporting']
      expect(Date.parse(lastWrite.from)).toBeLessThanOrEqual(Date.parse(lastWrite.to))
      await advance('PT10S')
      await describeKey('theirs')
      const { stdout, code } = await ahead('drift', '--format', 'json')
      expect(code).toBe(2)
      expect(at(JSON.parse(stdout), 'apiKeys.reporting')).toMatchObject({ actor: { publicKey: 'oncall' } })
    },
  )

  it('learns the time from a request that it needs anyway', async () => {
    here = await begin({ manifest: adopting('Reporting') })
    expect(await ahead('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { log, counts } = await here.requests()
    expect(log).toHaveLength(2)
    expect(counts['challenges']).toBe(1)
  })
})

const setBack = async (hours = -1): Promise<void> => {
  const now = new Date(Date.now() + hours * HOUR_MS).toISOString()
  await here.control('POST', 'clock', { now })
}

const extend = async (): Promise<void> => {
  const [{ id }] = await windowsAt(here)
  const path = `/groups/${PROJECT}/maintenanceWindows/${id}`
  await here.outside('PATCH', path, { endDate: '2035-01-06T08:00:00Z' }, ONCALL)
}

describe('a service whose clock is set back by an hour', () => {
  it('shows what others change after that', async () => {
    here = await beginApplied(one())
    await setBack()
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    await advance('PT10S')
    await extend()
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(at(document, MIGRATION)).toMatchObject({ verdict: 'drifted', actor: { publicKey: 'oncall' } })
  })

  it('takes no write of ours for somebody else’s, and still shows what others change', async () => {
    here = await beginApplied(one())
    await setBack()
    await applied(here, one({ description: 'second' }))
    const { lastWrite } = (await here.state()).resources[MIGRATION]
    expect(Date.parse(lastWrite.from)).toBeLessThanOrEqual(Date.parse(lastWrite.to))
    await advance('PT10S')
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    await extend()
    expect(await here.run('drift')).toMatchObject({ code: 2 })
    await advance('PT2H')
    const { document } = await here.json('drift')
    expect(at(document, MIGRATION)).toMatchObject({ verdict: 'drifted', actor: { publicKey: 'oncall' } })
  })

  it('is asked again for what was lost before, and others are seen after that', async () => {
    here = await beginApplied(one())
    await advance('PT10S')
    await here.manifest(one({ description: 'second' }))
    await failing(here, 'PATCH', 'maintenanceWindows', { fault: 'reset-after', count: 1 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await setBack()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await advance('PT10S')
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    await extend()
    expect(await here.run('drift')).toMatchObject({ code: 2 })
  })

  it('takes no earlier write of ours for somebody else’s, and still shows what others change', async () => {
    here = await beginApplied(one())
    await advance('PT3H')
    await applied(here, one({ description: 'second' }))
    await setBack(1)
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    await extend()
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(at(document, MIGRATION)).toMatchObject({ actor: { publicKey: 'oncall' } })
  })

  it('takes nothing of ours for somebody else’s in the time that was there twice', async () => {
    here = await beginApplied(one())
    for (const description of ['second', 'third']) {
      await advance('PT1H')
      await applied(here, one({ description }))
    }
    await setBack(0.5)
    await applied(here, one({ description: 'fourth' }))
    await advance('PT2H')
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    await extend()
    const { document } = await here.json('drift')
    expect(at(document, MIGRATION)).toMatchObject({ verdict: 'drifted', actor: { publicKey: 'oncall' } })
  })
})

describe('what is accepted after the clock of the service was set back', () => {
  it('stays accepted until the next write', async () => {
    here = await beginApplied(adopting('Reporting'))
    await setBack()
    await describeKey('theirs')
    expect(await here.run('drift')).toMatchObject({ code: 2 })
    expect((await here.run('state', 'accept', 'apiKeys.reporting')).stderr).toContain('1 event accepted')
    const { code, document } = await here.json('drift')
    expect(code).toBe(0)
    expect(at(document, 'apiKeys.reporting')).toMatchObject({ reasonCode: 'events-accepted' })
    await here.manifest(adopting('Reporting', ', roles: [ORG_MEMBER]'))
    const ran = await here.run('apply', '--auto-approve')
    expect(ran).toMatchObject({ code: 2, stdout: expect.stringContaining('which was accepted') })
  })

  it('is what a report has shown a moment before, when the record still lay ahead', async () => {
    const last = Date.parse('2034-12-22T02:00:10Z')
    const command = async (instant: number, ...words: string[]): Promise<Ran> => {
      await here.control('POST', 'clock', { now: new Date(instant).toISOString() })
      return runHere(here, words, { now: () => new Date(instant) })
    }
    here = await begin({ manifest: adopting('Reporting') })
    expect(await command(last, 'apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.control('POST', 'clock', { now: '2034-12-22T02:00:07.900Z' })
    await describeKey('theirs')
    expect(await command(last - 2050, 'drift')).toMatchObject({ code: 2 })
    const { stderr } = await command(last - 1950, 'state', 'accept', 'apiKeys.reporting')
    expect(stderr).toContain('1 event accepted')
  })
})

describe('a service whose clock is at another day', () => {
  it('is what a plan, a saved one and an apply count "in 15 days" from', async () => {
    here = await begin({ manifest: one() })
    await here.control('POST', 'clock', { now: '2034-12-22T02:00:00Z' })
    const planned = await here.run('plan', '--out', 'first.plan')
    expect(planned.stdout).toContain('2035-01-06 02:00 UTC  (in 15 days)')
    const warned = (await here.json('plan')).document.warnings
    expect(warned).toEqual([expect.stringMatching(/ differ by \d{4} days [^;]+; instants are judged by /)])
    await here.control('POST', 'clock', { advance: 'P2D' })
    // A saved plan is shown as of the time when it was made.
    expect((await here.run('plan', 'first.plan')).stdout).toContain('2035-01-06 02:00 UTC  (in 15 days)')
    expect((await here.run('apply', '--auto-approve')).stdout).toContain('(in 13 days)')
  })
})
