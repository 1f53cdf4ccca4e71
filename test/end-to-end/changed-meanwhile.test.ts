import { describe, expect, it } from 'vitest'
import { ONCALL, PROJECT } from '../support/installation.ts'
import { applied, at, begin, only, writesIn, type Scene } from '../support/scene.ts'
import { END, fields, windowsAt } from '../support/one-window.ts'

let here: Scene

const WINDOWS = `/groups/${PROJECT}/maintenanceWindows`
const W1 = 'maintenanceWindows.w1'
const THEIRS = '2035-01-06T08:00:00Z'

const windows = (description: string, names = ['w0', 'w1', 'w2', 'w3']): string =>
  only('maintenanceWindows', names.map((name) => `  ${name}: ${fields({ description })}`).join('\n'))

const idOf = async (address: string): Promise<string> => (await here.state()).resources[address].identity.id
const live = async (address: string): Promise<any> => {
  const id = await idOf(address)
  return (await windowsAt(here)).find((window) => window.id === id)
}

/** Applies new descriptions of all windows; somebody else acts on w1 while the first write is in flight. */
const applyWhile = async (act: (path: string) => Promise<void>, ...words: string[]): Promise<any> => {
  await begun()
  return applySecond(windows('second'), act, ...words)
}
const begun = async (settings: Record<string, string> = {}): Promise<void> => {
  here = await begin({ proxied: true, settings })
  await applied(here, windows('first'))
  await here.control('POST', 'clock', { advance: 'PT10S' })
}
const applySecond = async (
  manifest: string,
  act: (path: string) => Promise<void>,
  ...words: string[]
): Promise<any> => {
  const path = `${WINDOWS}/${await idOf(W1)}`
  await here.manifest(manifest)
  await here.forgetRequests()
  here.proxy.steer(async ({ write }, forward) => {
    if (write === 1) await act(path)
    return forward()
  })
  const ran = await here.json('apply', '--auto-approve', '--concurrency', '1', ...words)
  here.proxy.steer((_, forward) => forward())
  return ran
}
const extendedFor =
  (period: string) =>
  async (path: string): Promise<void> => {
    await here.outside('PATCH', path, { endDate: THEIRS }, ONCALL)
    await here.control('POST', 'clock', { advance: period })
  }
/** Recent enough that events are not read again before the next write. */
const extend = extendedFor('PT3S')
const extendLongAgo = extendedFor('PT6S')
const own = async (method: string, path: RegExp): Promise<string[]> =>
  (await here.requests()).log
    .filter((each) => each.key === 'ciadmin' && each.method === method && path.test(each.path))
    .map((each) => each.path)

describe('what somebody else changes while an apply runs, and the answer to a write shows', () => {
  it('is not put back by a write that nobody has seen', async () => {
    const { code, document, stderr } = await applyWhile(extend)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(document.problems).toMatchObject([{ address: W1, status: 'failed', error: { code: 'DM-GUARD' } }])
    expect(document.problems[0].error.message).toMatch(
      /--allow-overwrite: the answer shows that somebody else has changed endDate/,
    )
    expect(await live(W1)).toMatchObject({ description: 'second', endDate: THEIRS })
    expect(document.problems[0].error.message).toMatch(/key "oncall", .*event \w+/)
    expect(await own('PATCH', /maintenanceWindows/)).toHaveLength(4)
  })

  it('is drift then, and the next plan shows what would be put back', async () => {
    await applyWhile(extend)
    const drift = await here.json('drift')
    expect(drift.code).toBe(2)
    expect(at(drift.document, W1)).toMatchObject({
      verdict: 'drifted',
      fields: [{ path: 'endDate', before: END, after: THEIRS }],
    })
    const plan = at((await here.json('plan')).document, W1)
    expect(plan).toMatchObject({
      action: 'update',
      reasonCode: 'live-differs',
      fields: [{ path: 'endDate', before: THEIRS, after: END }],
    })
    await here.forgetRequests()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await writesIn(here)).toEqual([`PATCH ${WINDOWS}/${await idOf(W1)}`])
    expect(await live(W1)).toMatchObject({ endDate: END })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('is no drift any more once it is accepted, and still not what is declared', async () => {
    await applyWhile(extend)
    const { code, stderr } = await here.run('state', 'accept', W1)
    expect(code).toBe(0)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `${W1}: no new event was found; it is no longer suspect. What no endpoint shows stays not verifiable: the record keeps the values last applied, whatever the service has.`,
    )
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    expect(at((await here.json('plan')).document, W1)).toMatchObject({
      fields: [{ path: 'endDate', before: THEIRS, after: END }],
    })
  })

  it('is left as it is where the write itself has ended the window', async () => {
    await begun()
    const past = { startDate: '2020-01-06T02:00:00Z', endDate: '2020-01-06T04:00:00Z' }
    const one = `  w1: ${fields({ description: 'first', ...past })}\n`
    const describing = async (path: string): Promise<void> => {
      await here.outside('PATCH', path, { description: 'theirs' }, ONCALL)
      await here.control('POST', 'clock', { advance: 'PT3S' })
    }
    const manifest = `${windows('second', ['w0', 'w2', 'w3'])}${one}`
    expect(await applySecond(manifest, describing, '--allow-overwrite')).toMatchObject({ code: 0 })
    expect(await live(W1)).toMatchObject({ description: 'theirs', endDate: past.endDate })
    expect(await own('PATCH', /maintenanceWindows/)).toHaveLength(4)
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(at((await here.json('drift')).document, W1)).toMatchObject({
      verdict: 'drifted',
      fields: [{ path: 'description', before: 'first', after: 'theirs' }],
    })
  })

  it('is no doubt about what was written, where somebody ends the window before it is put back', async () => {
    await begun()
    const ending = async (path: string): Promise<void> => {
      const { now } = await here.control('GET', 'clock')
      const dates = { startDate: '2020-01-06T02:00:00Z', endDate: now }
      await here.outside('PATCH', path, dates, ONCALL)
      await here.control('POST', 'clock', { advance: 'PT3S' })
    }
    const path = `${WINDOWS}/${await idOf(W1)}`
    await here.manifest(windows('second'))
    here.proxy.steer(async ({ write }, forward) => {
      if (write === 1) await extend(path)
      if (write === 3) await ending(path)
      return forward()
    })
    await here.run('apply', '--auto-approve', '--concurrency', '1', '--allow-overwrite')
    here.proxy.steer((_, forward) => forward())
    expect(await live(W1)).toMatchObject({ description: 'second' })
    expect((await here.state()).resources[W1].applied).toMatchObject({ description: 'second' })
    const { evidence } = at((await here.json('drift')).document, W1)
    expect(evidence.events.map(({ publicKey }: any) => publicKey)).not.toContain('ciadmin')
  })

  it('is put back with --allow-overwrite, and said', async () => {
    const { code, document } = await applyWhile(extend, '--allow-overwrite')
    expect(code).toBe(0)
    expect(document.problems).toEqual([])
    expect(await live(W1)).toMatchObject({ description: 'second', endDate: END })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

describe('what somebody else changes while an apply runs, and events tell before the write', () => {
  it('is left alone: its write is not sent, and the others are', async () => {
    const { code, document } = await applyWhile(extendLongAgo)
    expect(code).toBe(1)
    expect(document.problems).toMatchObject([{ address: W1, status: 'failed', error: { code: 'DM-GUARD' } }])
    expect(document.problems[0].error.message).toMatch(
      /--allow-overwrite: somebody else has changed it since the plan was made \(key "oncall", .*event \w+\)/,
    )
    expect(await live(W1)).toMatchObject({ description: 'first', endDate: THEIRS })
    expect(await own('PATCH', /maintenanceWindows/)).toHaveLength(3)
    expect(at((await here.json('plan')).document, W1)).toMatchObject({
      action: 'update',
      evidence: { level: 'suspect' },
      actor: { publicKey: ONCALL.publicKey },
    })
  })

  it('is looked for once for all things of an organization', async () => {
    await applyWhile(extendLongAgo)
    expect(await own('GET', /events/)).toHaveLength(2)
  })

  it('is not looked for within five seconds', async () => {
    await applyWhile(async () => {
      await here.control('POST', 'clock', { advance: 'PT3S' })
    })
    expect(await own('GET', /events/)).toHaveLength(1)
  })

  it('is written over with --allow-overwrite', async () => {
    const { code } = await applyWhile(extendLongAgo, '--allow-overwrite')
    expect(code).toBe(0)
    expect(await live(W1)).toMatchObject({ description: 'second', endDate: END })
  })

  it('is not ended by a release that was planned before', async () => {
    await begun()
    const id = await idOf(W1)
    const { code } = await applySecond(windows('second', ['w0', 'w2']), extendLongAgo)
    expect(code).toBe(1)
    expect((await windowsAt(here)).find((window) => window.id === id)).toMatchObject({ endDate: THEIRS })
    expect((await here.state()).resources[W1]).toBeDefined()
  })

  it('is not looked for where no event can be seen', async () => {
    await begun({ 'open.projectEventsInOrganizationList': 'excluded' })
    const { code } = await applySecond(windows('second'), async () => {
      await here.control('POST', 'clock', { advance: 'PT6S' })
    })
    expect(code).toBe(0)
  })
})

describe('what a person has accepted', () => {
  it('is neither written over nor refused where another field is written, and the next plan shows it', async () => {
    await begun()
    await extend(`${WINDOWS}/${await idOf(W1)}`)
    expect(await here.run('state', 'accept', W1)).toMatchObject({ code: 0 })
    await here.manifest(windows('second'))
    const { code, document } = await here.json('apply', '--auto-approve')
    expect(code).toBe(2)
    expect(document.blocked).toMatchObject([
      { address: W1, reason: expect.stringContaining('which was accepted: it is left as it is') },
    ])
    expect(await live(W1)).toMatchObject({ description: 'second', endDate: THEIRS })
    // It was accepted without being seen; by now, the value is known.
    const { resources } = (await here.json('drift')).document
    expect(resources.find(({ address }: any) => address === W1)).toMatchObject({
      verdict: 'drifted',
      fields: [{ path: 'endDate', before: END, after: THEIRS }],
    })
    expect(at((await here.json('plan')).document, W1)).toMatchObject({
      fields: [{ path: 'endDate', before: THEIRS, after: END }],
    })
  })
})

it('a window that had ended before its write, and is declared to go on, is not called done', async () => {
  await begun()
  await here.control('POST', 'faults', { fault: 'lose-events', method: 'PATCH', count: 1 })
  await here.control('POST', 'clock', { now: '2034-01-01T00:00:00Z' })
  const dates = { startDate: '2034-01-01T00:00:01Z', endDate: '2034-01-01T00:00:05Z' }
  await here.outside('PATCH', `${WINDOWS}/${await idOf(W1)}`, dates, ONCALL)
  await here.control('POST', 'clock', { advance: 'PT10S' })
  await here.manifest(windows('second'))
  const { code, document } = await here.json('apply', '--auto-approve')
  expect({ code, blocked: document.blocked }).toMatchObject({
    code: 2,
    blocked: [{ address: W1 }],
  })
  await applied(here, windows('second'))
  expect(await live(W1)).toMatchObject({ description: 'second', endDate: END })
})

it('a text that the service answers in a form of its own is nobody else’s change', async () => {
  await begun()
  await here.manifest(windows('second'))
  here.proxy.steer(async ({ write }, forward) => {
    const passed = await forward()
    return write === 0 ? passed : { ...passed, body: String(passed.body).replace('"second"', '"SECOND"') }
  })
  expect((await here.json('apply', '--auto-approve')).document).toMatchObject({
    exitCode: 0,
    written: { update: 4 },
  })
  expect((await here.state()).resources[W1]).toMatchObject({ answer: { description: 'SECOND' } })
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  const { resources } = (await here.json('drift')).document
  expect(resources.filter(({ verdict }: any) => verdict === 'drifted')).toEqual([])
})
