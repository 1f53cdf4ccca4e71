import { describe, expect, it } from 'vitest'
import { PROJECT, failing } from '../support/installation.ts'
import {
  actionsIn,
  applied,
  at,
  begin,
  beginApplied,
  only,
  OTHER_PROJECT,
  recorded,
  twoProjects,
  writesIn,
  type Scene,
} from '../support/scene.ts'
import { END, fields, MIGRATION, none, one, START, windowsAt } from '../support/one-window.ts'

let here: Scene

const windows = (project?: number): Promise<any[]> => windowsAt(here, project)
const clock = (now: string) => here.control('POST', 'clock', { now })
const moved = (project: string, more: object = {}): string => one({ projectId: project, ...more })
const named = (...names: string[]): string =>
  only('maintenanceWindows', names.map((name) => `  ${name}: ${fields()}`).join('\n'))
const change = async (body: object): Promise<void> => {
  const { id } = (await windows())[0]
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, body)
}

it('a renamed window that is gone is named as the state has it, until an apply has moved its record', async () => {
  here = await beginApplied(one())
  await failing(here, 'PATCH', 'maintenanceWindows', { fault: 'status', status: 404, count: 1 })
  await here.manifest(one({ description: 'Another' }))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
  await here.manifest(only('maintenanceWindows', `  storage: ${fields({ description: 'Another' })}`))
  const { stdout } = await here.run('plan')
  expect(stdout).toContain(`deploymgmt state forget ${MIGRATION}`)
  expect(stdout).toContain(`deploymgmt state accept ${MIGRATION}`)
  expect((await here.run('apply', '--auto-approve')).stdout).toContain(
    'deploymgmt state forget maintenanceWindows.storage',
  )
  expect(await here.run('state', 'forget', 'maintenanceWindows.storage')).toMatchObject({ code: 0 })
})

it('a window that is gone is not said to be left at the service', async () => {
  here = await beginApplied(one({ onRemove: 'forget' }))
  await failing(here, 'PATCH', 'maintenanceWindows', { fault: 'status', status: 404, count: 1 })
  await here.manifest(one({ description: 'Another', onRemove: 'forget' }))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
  await here.manifest(none)
  expect((await here.json('plan')).document.changes).toMatchObject([
    { address: MIGRATION, action: 'release', reason: 'no longer declared, and gone at the service' },
  ])
})

/** A window with a new name, whose old one is that of a window in another project. */
const renamedAndReused = async (): Promise<void> => {
  here = await beginApplied(moved(PROJECT), { fixture: twoProjects() })
  const [former, other] = [fields({ projectId: PROJECT }), fields({ projectId: OTHER_PROJECT })]
  await here.manifest(
    only('maintenanceWindows', `  former: ${former}\n  ${MIGRATION.split('.')[1]}: ${other}`),
  )
  await here.forgetRequests()
}

describe('a window whose old name is that of one in another project by now', () => {
  it('is not ended by a target of the old name, which is refused with both names', async () => {
    await renamedAndReused()
    const { code, stderr } = await here.run('apply', '--auto-approve', '--target', MIGRATION)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${MIGRATION} is now declared as maintenanceWindows.former`),
    })
    expect(await writesIn(here)).toEqual([])
  })

  it('is not created again by a target of the new name', async () => {
    await renamedAndReused()
    await here.run('apply', '--auto-approve', '--target', 'maintenanceWindows.former')
    expect(await writesIn(here)).toEqual([])
    expect(await recorded(here)).toEqual(['maintenanceWindows.former'])
  })
})

describe('a window whose projectId was edited', () => {
  it('is created in the new project first, and then ended in the old one', async () => {
    here = await beginApplied(moved(PROJECT), { fixture: twoProjects() })
    const { id } = (await windows())[0]
    await here.manifest(moved(OTHER_PROJECT))
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([
      [MIGRATION, 'create'],
      [`${MIGRATION}[replaced ${id}]`, 'release'],
    ])
    await here.forgetRequests()
    await applied(here, moved(OTHER_PROJECT))
    expect(await writesIn(here)).toEqual([
      `POST /groups/${OTHER_PROJECT}/maintenanceWindows/`,
      `PATCH /groups/${PROJECT}/maintenanceWindows/${id}`,
    ])
    expect(await windows(1)).toMatchObject([{ startDate: START, endDate: END }])
    expect(await recorded(here)).toEqual([MIGRATION])
    expect((await here.state()).resources[MIGRATION].identity.projectId).toBe(OTHER_PROJECT)
  })

  it('and whose windowId was kept is blocked in the plan: the id is of the old project', async () => {
    here = await beginApplied(moved(PROJECT), { fixture: twoProjects() })
    const [{ id: windowId }] = await windows()
    await applied(here, moved(PROJECT, { windowId }))
    await here.manifest(moved(OTHER_PROJECT, { windowId }))
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([
      [MIGRATION, 'blocked'],
      [`${MIGRATION}[replaced ${windowId}]`, 'blocked'],
    ])
    const { stdout } = await here.run('plan')
    expect(stdout).toContain('windowId names what is recorded in another place')
    expect(stdout).toContain('Remove windowId, and an apply creates a new one here')
    await here.forgetRequests()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
    expect(await writesIn(here)).toEqual([])
    await applied(here, moved(OTHER_PROJECT))
    expect(await windows(1)).toMatchObject([{ startDate: START, endDate: END }])
    expect(await recorded(here)).toEqual([MIGRATION])
  })

  it.each(['end', 'forget'])(
    'keeps the old one, and its record, while the creation fails (%s)',
    async (way) => {
      here = await beginApplied(moved(PROJECT, { onRemove: way }))
      await here.manifest(moved(OTHER_PROJECT, { onRemove: way }))
      await here.forgetRequests()
      const { code, document } = await here.json('apply', '--auto-approve')
      expect(code).toBe(1)
      expect(document.problems).toMatchObject([{ address: MIGRATION, status: 'failed' }])
      expect(await writesIn(here)).toEqual([`POST /groups/${OTHER_PROJECT}/maintenanceWindows/`])
      expect((await here.state()).resources[MIGRATION].identity.projectId).toBe(PROJECT)
      await here.manifest(moved(PROJECT, { onRemove: way }))
      expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    },
  )

  it('keeps the record of the old one where a person says what became of the creation', async () => {
    here = await beginApplied(moved(PROJECT), { fixture: twoProjects(), settings: { 'open.events': 'none' } })
    const [old] = await windows()
    await here.manifest(moved(OTHER_PROJECT))
    await failing(here, 'POST', '/maintenanceWindows', { fault: 'reset-after', count: 1 })
    expect((await here.run('apply', '--auto-approve')).code).toBe(3)
    const [made] = await windows(1)
    expect(await here.run('state', 'resolve', MIGRATION, '--created', made.id)).toMatchObject({ code: 0 })
    await here.forgetRequests()
    await applied(here, moved(OTHER_PROJECT))
    expect(await writesIn(here)).toEqual([
      `PATCH /groups/${OTHER_PROJECT}/maintenanceWindows/${made.id}`,
      `PATCH /groups/${PROJECT}/maintenanceWindows/${old.id}`,
    ])
    expect(await recorded(here)).toEqual([MIGRATION])
  })

  it('expires quietly where the old one is over and the new one would be', async () => {
    here = await beginApplied(moved(PROJECT), { fixture: twoProjects() })
    await clock('2035-02-01T00:00:00Z')
    await here.forgetRequests()
    await applied(here, moved(OTHER_PROJECT))
    expect(await writesIn(here)).toEqual([])
  })
})

describe('a renamed window', () => {
  it('is moved, and changed in the same run where more was edited', async () => {
    here = await beginApplied(named('a'))
    await here.manifest(only('maintenanceWindows', `  b: ${fields({ description: 'New' })}`))
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([
      ['maintenanceWindows.b', 'moved'],
      ['maintenanceWindows.b', 'update'],
    ])
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
    expect(await windows()).toMatchObject([{ description: 'New' }])
    expect(await recorded(here)).toEqual(['maintenanceWindows.b'])
  })

  it('is moved beside another one with the same dates that keeps its name', async () => {
    here = await beginApplied(named('a', 'b'))
    await here.manifest(named('a', 'c'))
    const { document } = await here.json('plan')
    expect(actionsIn(document).filter(([, action]) => action !== 'unchanged')).toEqual([
      ['maintenanceWindows.c', 'moved'],
    ])
  })

  it('takes the name of another one that is over', async () => {
    here = await begin()
    await clock('2035-01-04T00:00:00Z')
    const early = { startDate: '2035-01-05T00:00:00Z', endDate: '2035-01-05T01:00:00Z' }
    const both = only('maintenanceWindows', `  a: ${fields(early)}\n  b: ${fields()}`)
    await applied(here, both)
    await clock('2035-01-05T02:00:00Z')
    await here.forgetRequests()
    await here.manifest(named('a'))
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([['maintenanceWindows.a', 'moved']])
    await applied(here, named('a'))
    expect(await writesIn(here)).toEqual([])
    expect(await recorded(here)).toEqual(['maintenanceWindows.a'])
    expect((await here.state()).resources['maintenanceWindows.a'].applied.endDate).toBe(END)
  })

  it('is not guessed at where two with the same dates were renamed at once', async () => {
    here = await beginApplied(named('a', 'b'))
    await here.manifest(named('c', 'd'))
    const { document } = await here.json('plan')
    expect(document.summary).toMatchObject({ moved: 0, create: 2, release: 2 })
    const moves = [
      ['a', 'c'],
      ['b', 'd'],
    ]
    for (const [from, to] of moves)
      expect(
        await here.run('state', 'mv', `maintenanceWindows.${from}`, `maintenanceWindows.${to}`),
      ).toMatchObject({ code: 0, stderr: expect.stringContaining('The manifest already has that name.') })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

describe('a window that was changed outside', () => {
  it.each([{}, { 'open.eventNames': 'foreign', 'open.remoteAddress': 'never' }])(
    'is drifted with its actor, and asserted again as a whole, under %j',
    async (settings: object) => {
      here = await beginApplied(one(), { settings: settings as Record<string, string> })
      await change({ endDate: '2035-01-06T09:00:00Z' })
      const drift = await here.json('drift')
      expect(drift.code).toBe(2)
      expect(at(drift.document, MIGRATION)).toMatchObject({
        verdict: 'drifted',
        evidence: { level: 'suspect' },
        actor: { publicKey: 'oncall', confidence: 'medium' },
      })
      const { document } = await here.json('plan')
      expect(at(document, MIGRATION)).toMatchObject({ action: 'update', evidence: { level: 'suspect' } })
      expect(at(document, MIGRATION).fields.map(({ path }: any) => path)).toEqual([
        'alertTypeNames',
        'startDate',
        'endDate',
        'description',
      ])
      await applied(here, one())
      expect(await windows()).toMatchObject([{ startDate: START, endDate: END }])
      expect(await here.run('drift')).toMatchObject({ code: 0 })
    },
  )

  it('is over once the service has said so, whatever events tell of before', async () => {
    here = await begin()
    await clock('2035-01-05T00:00:00Z')
    await applied(here, one())
    const past = { startDate: '2035-01-05T01:00:00Z', endDate: '2035-01-05T02:00:00Z' }
    await change(past)
    await clock('2035-01-05T03:00:00Z')
    await here.manifest(one({ ...past, description: 'Next' }))
    const { code, document } = await here.json('apply', '--auto-approve')
    expect({ code, document }).toMatchObject({ code: 0, document: { byStatus: { expired: 1 } } })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('is ended where somebody may have moved its start into the future', async () => {
    here = await begin()
    await here.control('POST', 'clock', { now: '2035-01-06T03:00:00Z' })
    await applied(here, one())
    await change({ startDate: '2035-01-06T05:00:00Z', endDate: '2035-01-06T06:00:00Z' })
    await applied(here, none)
    const [window] = await windows()
    expect(Date.parse(window.endDate)).toBeLessThan(Date.parse('2035-01-06T03:01:00Z'))
  })

  it.each([
    [{ 'open.events': 'none' }, 'No events visible'],
    [{ 'open.projectEventsInOrganizationList': 'excluded' }, 'No events visible'],
    [{ 'open.events': 'some' }, 'No event about it since'],
  ])('is not noticed under %j, and never called in sync', async (settings: object, note) => {
    here = await beginApplied(one(), { settings: settings as Record<string, string> })
    await change({ endDate: '2035-01-06T09:00:00Z' })
    const { code, document } = await here.json('drift')
    expect(code).toBe(0)
    expect(at(document, MIGRATION)).toMatchObject({
      verdict: 'unverifiable',
      evidence: { level: 'recorded', note: expect.stringContaining(note) },
    })
    expect((await here.run('drift', '--strict')).code).toBe(2)
    // The answer to the next change shows the unseen one, which is reverted only if that is allowed.
    await here.manifest(one({ description: 'Next' }))
    expect((await here.run('apply', '--auto-approve')).code).toBe(1)
    expect(await windows()).toMatchObject([{ endDate: '2035-01-06T09:00:00Z', description: 'Next' }])
    await applied(here, one({ description: 'Next' }), '--allow-overwrite')
    expect(await windows()).toMatchObject([{ startDate: START, endDate: END, description: 'Next' }])
  })
})
