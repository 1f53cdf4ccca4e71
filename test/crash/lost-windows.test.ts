import { describe, expect, it, test } from 'vitest'
import { runHere } from '../support/command.ts'
import { CI, ORG, PROJECT } from '../support/installation.ts'
import { pass } from '../support/proxy.ts'
import { windowsAt } from '../support/one-window.ts'
import { at, begin, beginApplied, only, OTHER_PROJECT, twoProjects, type Scene } from '../support/scene.ts'
import { after, killAt } from './support/kill.ts'
import { expectConverged, expectStuck, namedIn, resolve, sent, unknownIn } from './support/unknown.ts'

let here: Scene

const ADDRESS = 'maintenanceWindows.migration'
const WINDOW =
  '  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: Storage migration }'
const OTHER =
  '  patching: { alertTypeNames: [HOST], startDate: 2036-01-06T02:00:00Z, endDate: 2036-01-06T04:00:00Z, description: Patching }'
const windows = (...lines: string[]): string => only('maintenanceWindows', lines.join('\n'))
const held = (): Promise<any[]> => windowsAt(here)
const recordedId = async (address: string): Promise<string> =>
  (await here.state()).resources[address]?.identity.id

/** Applies with faults for the creation; the apply reports that the outcome is unknown. */
const applyAndLose = async (manifest: string, ...faults: object[]): Promise<string> => {
  await here.manifest(manifest)
  for (const fault of faults)
    await here.control('POST', 'faults', { method: 'POST', path: '/maintenanceWindows', count: 1, ...fault })
  const { code, stdout, stderr } = await here.run('apply', '--auto-approve')
  expect({ code, stdout, stderr }).toMatchObject({ code: 3 })
  return stdout + stderr
}

describe('a window whose creation lost its answer', () => {
  it('is said to be unknown at once, with exit code 3 and the commands that resolve it', async () => {
    here = await begin()
    const said = await applyAndLose(windows(WINDOW), { fault: 'reset-after' })
    expect(namedIn(said)).toEqual([ADDRESS])
    expect(said).toContain(`deploymgmt state resolve ${ADDRESS} --created ID`)
    expect(await sent(here, 'POST')).toBe(1)
    expect(await unknownIn(here)).toEqual([ADDRESS])
  })

  it('is adopted by the one event that names it, and not created again', async () => {
    here = await begin()
    await applyAndLose(windows(WINDOW), { fault: 'reset-after' })
    expect(await here.json('plan')).toMatchObject({ code: 0, document: { summary: { create: 0 } } })
    await expectConverged(here)
    expect((await held()).map(({ id }) => id)).toEqual([await recordedId(ADDRESS)])
    expect(await sent(here, 'POST')).toBe(1)
    expect(await unknownIn(here)).toEqual([])
  })

  it('is nothing to settle any more where it would be over', async () => {
    here = await begin()
    await applyAndLose(windows(WINDOW), { fault: 'reset-before' })
    await here.control('POST', 'clock', { advance: 'P4000D' })
    const { code, document } = await here.json('plan', '--detailed-exitcode')
    expect({ code, document }).toMatchObject({ code: 0, document: { inSync: true } })
    expect(document.toBeSettled ?? []).toEqual([])
  })

  it('is what a plan means where another entry refers to its id', async () => {
    here = await begin()
    await applyAndLose(windows(WINDOW), { fault: 'reset-after' })
    await here.manifest(windows(WINDOW, OTHER.replace('Patching', `"after \${${ADDRESS}.id}"`)))
    const { document } = await here.json('plan')
    expect(at(document, 'maintenanceWindows.patching')).toMatchObject({
      action: 'create',
      after: { description: `after ${(await held())[0].id}` },
    })
  })

  it('leads from a saved plan that was killed to what is left, and not back to that plan', async () => {
    here = await begin({ settings: { 'open.events': 'none' }, manifest: windows(WINDOW), proxied: true })
    await here.run('plan', '--out', 'saved.json')
    const words = ['apply', 'saved.json', '--auto-approve']
    await killAt(here, ({ write }) => write === 1, after, { words })
    const { code, stderr } = await here.run(...words)
    expect(code).toBe(3)
    expect(stderr).toContain('Run deploymgmt apply after ')
    await resolve(here, ADDRESS, '--created', (await held())[0].id)
    const stale = await here.run(...words)
    expect(stale.stderr).toContain('if an apply of this plan was interrupted, the new one has what is left')
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  })

  it('stops plan and apply alike, each naming the commands', async () => {
    here = await begin({ settings: { 'open.events': 'none' } })
    await applyAndLose(windows(WINDOW), { fault: 'reset-after' })
    await expectStuck(here, [ADDRESS], ['plan'])
    const said = await expectStuck(here, [ADDRESS])
    expect(said).toContain(`deploymgmt get organization_events --org-id ${ORG}`)
    expect(said).toContain(`deploymgmt state resolve ${ADDRESS} --created ID`)
  })

  it.each<[string, Record<string, string>, object[]]>([
    ['the service records no events', { 'open.events': 'none' }, []],
    ['the events of projects are not listed', { 'open.projectEventsInOrganizationList': 'excluded' }, []],
    ['its event comes late', {}, [{ fault: 'late-events', ms: 3_600_000 }]],
    ['its event is lost', {}, [{ fault: 'lose-events' }]],
  ])('stays unknown when %s, until a person names it', async (_, settings, faults) => {
    here = await begin({ settings })
    await applyAndLose(windows(WINDOW), { fault: 'reset-after' }, ...faults)
    await expectStuck(here, [ADDRESS])
    await resolve(here, ADDRESS, '--created', (await held())[0].id)
    await expectConverged(here)
    expect(await held()).toHaveLength(1)
  })

  it('is adopted under event names that are not the known ones', async () => {
    here = await begin({ settings: { 'open.eventNames': 'foreign' } })
    await applyAndLose(windows(WINDOW), { fault: 'reset-after' })
    await expectConverged(here)
    expect(await held()).toHaveLength(1)
  })

  it('that never reached the service is not told from one that did, and is created after --not-created', async () => {
    here = await begin()
    await applyAndLose(windows(WINDOW), { fault: 'reset-before' })
    await expectStuck(here, [ADDRESS])
    await resolve(here, ADDRESS, '--not-created')
    await expectConverged(here)
    expect(await held()).toHaveLength(1)
  })

  it.each([
    [{ fault: 'status', status: 500 }, 0],
    [{ fault: 'status', status: 503, retryAfter: 1 }, 0],
    [{ fault: 'truncate' }, 1],
    [{ fault: 'malformed' }, 1],
    [{ fault: 'wrong-type' }, 1],
    [{ fault: 'duplicate-keys' }, 1],
    [{ fault: 'huge' }, 1],
  ])('is unknown after %o, and never sent again by itself', async (fault, made) => {
    here = await begin({ settings: { 'open.events': 'none' } })
    await applyAndLose(windows(WINDOW), fault)
    await expectStuck(here, [ADDRESS])
    expect(await held()).toHaveLength(made)
  })
})

describe('a lost creation whose time is told by a clock that is not sure', () => {
  it('is adopted and not made again where the answer that told the time took long', async () => {
    here = await beginApplied(windows(OTHER), { proxied: true })
    let late = 0
    here.proxy.steer(async ({ method, write }, forward) => {
      const passed = await forward()
      // On the clock of this machine, each read takes eight seconds.
      if (method === 'GET') late += 8_000
      return method === 'POST' && write > 0 ? 'reset' : passed
    })
    const now = () => new Date(Date.now() + late)
    await here.manifest(windows(OTHER, WINDOW))
    expect(await runHere(here, ['apply', '--auto-approve'], { now })).toMatchObject({ code: 3 })
    here.proxy.steer(pass)
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await expectConverged(here)
    expect((await held()).map(({ description }) => description)).toEqual(['Patching', 'Storage migration'])
  })

  it('is adopted and not made again where the next command runs on a machine whose clock is behind', async () => {
    here = await beginApplied(windows(OTHER), { proxied: true })
    await here.manifest(windows(OTHER, WINDOW))
    await killAt(here, ({ method, write }) => method === 'POST' && write > 0, after)
    const ran = await runHere(here, ['apply', '--auto-approve'], {
      now: () => new Date(Date.now() - 5 * 60_000),
    })
    expect(ran).toMatchObject({ code: 0 })
    await expectConverged(here)
    expect((await held()).map(({ description }) => description)).toEqual(['Patching', 'Storage migration'])
  })

  it('is never taken for one that was not created where the clock was set back before it was given up', async () => {
    here = await beginApplied(windows(OTHER), { proxied: true })
    let behind = 0
    here.proxy.steer(async ({ method, write }, forward) => {
      const passed = await forward()
      if (method !== 'POST' || write === 0) return passed
      behind = 5 * 60_000
      return 'reset'
    })
    const now = () => new Date(Date.now() - behind)
    await here.manifest(windows(OTHER, WINDOW))
    expect(await runHere(here, ['apply', '--auto-approve'], { now })).toMatchObject({ code: 3 })
    here.proxy.steer(pass)
    await expectConverged(here)
    expect((await held()).map(({ description }) => description)).toEqual(['Patching', 'Storage migration'])
  })
})

describe('a lost creation is never taken for', () => {
  it('another window that the same apply would have ended', async () => {
    here = await beginApplied(windows(WINDOW))
    await applyAndLose(windows(OTHER), { fault: 'reset-before' })
    await expectStuck(here, ['maintenanceWindows.patching'])
    await resolve(here, 'maintenanceWindows.patching', '--not-created')
    await expectConverged(here)
    const [ended, patching] = await held()
    expect(Date.parse(ended.endDate)).toBeLessThan(Date.parse('2035-01-01'))
    expect(patching.description).toBe('Patching')
  })

  it('a window that the same key changes elsewhere', async () => {
    here = await begin()
    const made = {
      alertTypeNames: ['HOST'],
      startDate: '2035-01-01T00:00:00Z',
      endDate: '2035-01-02T00:00:00Z',
    }
    const { id } = await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, made)
    await applyAndLose(windows(WINDOW), { fault: 'reset-before' })
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'x' }, CI)
    await here.control('POST', 'clock', { advance: 'PT1M' })
    expect(await expectStuck(here, [ADDRESS])).toContain('no event of this key names a new one')
  })

  it('a window that the same key makes long after the request was given up', async () => {
    here = await begin()
    await applyAndLose(windows(WINDOW), { fault: 'reset-before' })
    await here.control('POST', 'clock', { advance: 'PT10M' })
    const made = {
      alertTypeNames: ['HOST'],
      startDate: '2035-01-01T00:00:00Z',
      endDate: '2035-01-02T00:00:00Z',
    }
    await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, made, CI)
    expect(await expectStuck(here, [ADDRESS])).toContain('no event of this key names a new one')
  })
})

test.each([
  ['is not an id', () => '5d1113b2/5a115342'],
  ['has lost its end', () => '5d1113b25a115342acc2d0'],
  ['is recorded at another address', () => recordedId('maintenanceWindows.patching')],
])('an id that a person gives is refused when it %s', async (_, given) => {
  here = await begin({ settings: { 'open.events': 'none' }, manifest: windows(OTHER) })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await applyAndLose(windows(OTHER, WINDOW), { fault: 'reset-after' })
  const { code, stderr } = await here.run('state', 'resolve', ADDRESS, '--created', await given())
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-ADDRESS') })
  expect(await unknownIn(here)).toEqual([ADDRESS])
})

const inProject = (id: string): string =>
  windows(WINDOW.replace('{ ', `{ projectId: ${id}, `)).replace(
    'projects:\n',
    `projects:\n  other: { id: ${OTHER_PROJECT}, orgId: 5980cfdf0b6d97029d82f86e }\n`,
  )
const projects = async (): Promise<any[]> => (await here.control('GET', 'dump')).projects

test.each<[string, Record<string, string>]>([
  ['an event', {}],
  ['a person', { 'open.events': 'none' }],
])(
  'a window that replaces one in another project still ends the old one after its answer was lost and %s named it',
  async (who, settings) => {
    here = await begin({ fixture: twoProjects(), settings, manifest: inProject(PROJECT) })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await applyAndLose(inProject(OTHER_PROJECT), { fault: 'reset-after' })
    const made = (await projects())[1].maintenanceWindows[0].id
    if (who === 'a person') await resolve(here, ADDRESS, '--created', made)
    await expectConverged(here)
    const [first, second] = (await projects()).map(({ maintenanceWindows }) => maintenanceWindows)
    expect([first.length, second.length]).toEqual([1, 1])
    expect(Date.parse(first[0].endDate)).toBeLessThan(Date.parse('2035-01-01'))
    expect(await recordedId(ADDRESS)).toBe(made)
  },
)
