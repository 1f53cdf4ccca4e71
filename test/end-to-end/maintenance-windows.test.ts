import { afterEach, describe, expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import {
  actionsIn,
  applied,
  at,
  begin,
  type Begun,
  only,
  OTHER_PROJECT,
  twoProjects,
  writesIn,
} from '../support/one-kind.ts'

let here: Begun
afterEach(() => here.close())

const START = '2035-01-06T02:00:00Z'
const END = '2035-01-06T04:00:00Z'
const MIGRATION = 'maintenanceWindows.migration'

const fields = (changes: object = {}): string =>
  JSON.stringify({
    alertTypeNames: ['HOST', 'REPLICA_SET'],
    startDate: START,
    endDate: END,
    description: 'Storage migration',
    ...changes,
  })
const one = (changes: object = {}): string => only('maintenanceWindows', `  migration: ${fields(changes)}`)
const none = only('maintenanceWindows', '')

const windows = async (project = 0): Promise<any[]> =>
  (await here.control('GET', 'dump')).projects[project].maintenanceWindows
const clock = (now: string) => here.control('POST', 'clock', { now })
const recorded = async (): Promise<string[]> => Object.keys((await here.state()).resources)

describe('a maintenance window', () => {
  it.each([
    [{ 'open.digest': 'qop', 'open.fractionalTimestamps': 'reject', 'open.windowCreateStatus': '201' }],
    [{ 'open.digest': 'op', 'open.windowUpdateStatus': '200', 'open.timestampForm': 'milliseconds' }],
    [{ 'open.extraFields': 'present', 'open.sampleLinks': 'self', 'open.errorBody': 'empty' }],
  ])('is created as declared and changed afterwards under %j', async (settings: object) => {
    here = await begin({ settings: settings as Record<string, string> })
    await applied(here, one({ startDate: '2035-01-06T03:00:00+01:00', endDate: '2035-01-06T04:00:00.000Z' }))
    expect(await writesIn(here)).toEqual([`POST /groups/${PROJECT}/maintenanceWindows/`])
    expect(await windows()).toMatchObject([
      { alertTypeNames: ['HOST', 'REPLICA_SET'], startDate: START, endDate: END },
    ])
    const { id } = (await windows())[0]
    expect((await here.state()).resources[MIGRATION].identity).toEqual({ projectId: PROJECT, id })
    await here.forgetRequests()
    await applied(here, one({ description: 'Longer', alertTypeNames: ['HOST'] }))
    expect(await writesIn(here)).toEqual([`PATCH /groups/${PROJECT}/maintenanceWindows/${id}`])
    expect(await windows()).toMatchObject([{ alertTypeNames: ['HOST'], description: 'Longer' }])
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('gets a PATCH of each field that was edited, and of no other', async () => {
    here = await begin()
    await applied(here, one())
    const edits = [
      ['alertTypeNames', ['BACKUP']],
      ['startDate', '2035-01-06T01:00:00Z'],
      ['endDate', '2035-01-06T05:00:00Z'],
      ['description', 'Again'],
    ] as const
    let declared = {}
    for (const [name, value] of edits) {
      declared = { ...declared, [name]: value }
      await here.manifest(one(declared))
      const { document } = await here.json('plan')
      expect(at(document, MIGRATION).fields.map(({ path }: any) => path)).toEqual([name])
      await here.forgetRequests()
      await applied(here, one(declared))
      expect(await writesIn(here)).toHaveLength(1)
      expect((await windows())[0]).toMatchObject(declared)
    }
  })

  it('is the same with its instants and its types spelt in another way, or its description left out', async () => {
    here = await begin()
    await applied(here, one())
    const respelt = {
      alertTypeNames: ['REPLICA_SET', 'HOST'],
      startDate: '2035-01-06T04:00:00.000+02:00',
      endDate: '2035-01-05T23:00:00-05:00',
      description: undefined,
    }
    await here.manifest(one(respelt))
    const { code, document } = await here.json('plan', '--detailed-exitcode')
    expect({ code, inSync: document.inSync }).toEqual({ code: 0, inSync: true })
    expect(at(document, MIGRATION)).toMatchObject({
      action: 'unchanged',
      evidence: { level: 'recorded', note: expect.stringContaining('No event about it since') },
    })
  })

  it('whose end is not after its start is an error with its place, offline', async () => {
    here = await begin()
    await here.manifest(one({ endDate: START }))
    const { code, stderr } = await here.run('validate')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^deploymgmt\.yaml:9:\d+ .*migration\.endDate.*not after its start/m)
    expect((await here.requests()).log).toEqual([])
  })

  it('of a type that is not known is sent as it is, with a warning', async () => {
    here = await begin({ settings: { 'open.alertTypeNames': 'any' } })
    const { stderr } = await applied(here, one({ alertTypeNames: ['HOSTS'] }))
    expect(stderr).toMatch(/warning.*HOSTS/)
    expect(await windows()).toMatchObject([{ alertTypeNames: ['HOSTS'] }])
  })
})

describe('the release of a window', () => {
  it.each([
    ['has begun', '2035-01-06T03:00:00Z', START, '2035-01-06T03:00:01Z', 1],
    ['has not begun', '2035-01-06T01:00:00Z', '2035-01-06T01:00:01Z', '2035-01-06T01:00:02Z', 1],
    ['begins this moment', START, START, '2035-01-06T02:00:01Z', 1],
    ['ends within the second', '2035-01-06T03:59:59Z', START, END, 0],
    ['has ended', END, START, END, 0],
  ])('that %s leaves it over', async (_, now, startDate, endDate, requests) => {
    here = await begin({ settings: { 'open.windowPastDates': 'reject' } })
    await applied(here, one())
    await clock(now)
    await here.forgetRequests()
    await applied(here, none)
    expect(await writesIn(here)).toHaveLength(requests)
    expect(await windows()).toMatchObject([{ startDate, endDate }])
    expect(await recorded()).toEqual([])
  })

  it('sends nothing with onRemove: forget, and leaves the window as it is', async () => {
    here = await begin()
    await applied(here, one({ onRemove: 'forget' }))
    await here.forgetRequests()
    await here.manifest(none)
    const { document } = await here.json('plan')
    expect(at(document, MIGRATION)).toMatchObject({ action: 'release', requests: [] })
    await applied(here, none)
    expect(await writesIn(here)).toEqual([])
    expect(await windows()).toMatchObject([{ startDate: START, endDate: END }])
    expect(await recorded()).toEqual([])
  })

  it('counts the way of removal that was declared last, also where nothing else was edited', async () => {
    here = await begin()
    await applied(here, one())
    await applied(here, one({ onRemove: 'forget' }))
    await here.forgetRequests()
    await applied(here, none)
    expect(await writesIn(here)).toEqual([])
  })
})

describe('a window that is over', () => {
  it('is expired and not created where it was never recorded; one that has begun is created', async () => {
    here = await begin()
    await clock('2035-01-06T03:00:00Z')
    const over = fields({ startDate: '2034-01-06T02:00:00Z', endDate: '2034-01-06T04:00:00Z' })
    await here.manifest(only('maintenanceWindows', `  over: ${over}\n  running: ${fields()}`))
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([
      ['maintenanceWindows.over', 'expired'],
      ['maintenanceWindows.running', 'create'],
    ])
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
    expect(await windows()).toHaveLength(1)
    expect(await recorded()).toEqual(['maintenanceWindows.running'])
  })

  it('is expired while its dates stay, and a new one once they are edited into the future', async () => {
    here = await begin()
    await applied(here, one())
    const [old] = await windows()
    await clock('2035-02-01T00:00:00Z')
    await here.forgetRequests()
    for (const edit of [{}, { description: 'Too late' }, { endDate: '2035-01-07T00:00:00Z' }]) {
      await here.manifest(one(edit))
      const { document } = await here.json('plan')
      expect(actionsIn(document)).toEqual([[MIGRATION, 'expired']])
      expect(document.inSync).toBe(true)
    }
    expect(await writesIn(here)).toEqual([])
    await applied(here, one({ endDate: '2035-03-01T00:00:00Z' }))
    expect(await writesIn(here)).toEqual([`POST /groups/${PROJECT}/maintenanceWindows/`])
    expect(await windows()).toMatchObject([old, { startDate: START, endDate: '2035-03-01T00:00:00Z' }])
    const { identity } = (await here.state()).resources[MIGRATION]
    expect(identity.id).toBe((await windows())[1].id)
    expect(await recorded()).toEqual([MIGRATION])
  })

  it.each(['400', '403', '409'])('is no error where it ended after the plan, answered %s', async (status) => {
    here = await begin({ settings: { 'open.endedWindowStatus': status }, between: true })
    here.between.steer(async ({ method, write }, forward) => {
      if (write > 0 && method === 'PATCH') await clock('2035-01-06T05:00:00Z')
      return forward()
    })
    const both = `  changed: ${fields()}\n  removed: ${fields({ description: 'Other' })}`
    await applied(here, only('maintenanceWindows', both))
    await here.manifest(only('maintenanceWindows', `  changed: ${fields({ description: 'Late' })}`))
    const { code, document } = await here.json('apply', '--auto-approve', '--concurrency', '1')
    expect({ code, problems: document.problems }).toEqual({ code: 0, problems: [] })
    expect(document.byStatus).toMatchObject({ expired: 2, failed: 0 })
    expect(await recorded()).toEqual(['maintenanceWindows.changed'])
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

describe('a window whose projectId was edited', () => {
  const moved = (project: string, more: object = {}) => one({ projectId: project, ...more })

  it('is created in the new project first, and then ended in the old one', async () => {
    here = await begin({ fixture: twoProjects() })
    await applied(here, moved(PROJECT))
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
    expect(await recorded()).toEqual([MIGRATION])
    expect((await here.state()).resources[MIGRATION].identity.projectId).toBe(OTHER_PROJECT)
  })

  it.each(['end', 'forget'])('keeps the old one, and its record, while the creation fails (%s)', async (way) => {
    here = await begin()
    await applied(here, moved(PROJECT, { onRemove: way }))
    await here.manifest(moved(OTHER_PROJECT, { onRemove: way }))
    await here.forgetRequests()
    const { code, document } = await here.json('apply', '--auto-approve')
    expect(code).toBe(1)
    expect(document.problems).toMatchObject([{ address: MIGRATION, status: 'failed' }])
    expect(await writesIn(here)).toEqual([`POST /groups/${OTHER_PROJECT}/maintenanceWindows/`])
    expect((await here.state()).resources[MIGRATION].identity.projectId).toBe(PROJECT)
    await here.manifest(moved(PROJECT, { onRemove: way }))
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('keeps the record of the old one where a person says what became of the creation', async () => {
    here = await begin({ fixture: twoProjects(), settings: { 'open.events': 'none' } })
    await applied(here, moved(PROJECT))
    const [old] = await windows()
    await here.manifest(moved(OTHER_PROJECT))
    await here.control('POST', 'faults', { method: 'POST', path: '/maintenanceWindows', fault: 'reset-after', count: 1 })
    expect((await here.run('apply', '--auto-approve')).code).toBe(3)
    const [made] = await windows(1)
    expect(await here.run('state', 'resolve', MIGRATION, '--created', made.id)).toMatchObject({ code: 0 })
    await here.forgetRequests()
    await applied(here, moved(OTHER_PROJECT))
    expect(await writesIn(here)).toEqual([`PATCH /groups/${PROJECT}/maintenanceWindows/${old.id}`])
    expect(await recorded()).toEqual([MIGRATION])
  })

  it('expires quietly where the old one is over and the new one would be', async () => {
    here = await begin({ fixture: twoProjects() })
    await applied(here, moved(PROJECT))
    await clock('2035-02-01T00:00:00Z')
    await here.forgetRequests()
    await applied(here, moved(OTHER_PROJECT))
    expect(await writesIn(here)).toEqual([])
  })
})

describe('a renamed window', () => {
  const named = (...names: string[]) =>
    only('maintenanceWindows', names.map((name) => `  ${name}: ${fields()}`).join('\n'))

  it('is moved, and changed in the same run where more was edited', async () => {
    here = await begin()
    await applied(here, named('a'))
    await here.manifest(only('maintenanceWindows', `  b: ${fields({ description: 'New' })}`))
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([
      ['maintenanceWindows.b', 'moved'],
      ['maintenanceWindows.b', 'update'],
    ])
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
    expect(await windows()).toMatchObject([{ description: 'New' }])
    expect(await recorded()).toEqual(['maintenanceWindows.b'])
  })

  it('is moved beside another one with the same dates that keeps its name', async () => {
    here = await begin()
    await applied(here, named('a', 'b'))
    await here.manifest(named('a', 'c'))
    const { document } = await here.json('plan')
    expect(actionsIn(document).filter(([, action]) => action !== 'unchanged')).toEqual([
      ['maintenanceWindows.c', 'moved'],
    ])
  })

  it('is not guessed at where two with the same dates were renamed at once', async () => {
    here = await begin()
    await applied(here, named('a', 'b'))
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
      ).toMatchObject({ code: 0 })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

describe('a window that was changed outside', () => {
  const change = async (body: object): Promise<void> => {
    const { id } = (await windows())[0]
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, body)
  }

  it.each([{}, { 'open.eventNames': 'foreign', 'open.remoteAddress': 'never' }])(
    'is drifted with its actor, and asserted again as a whole, under %j',
    async (settings: object) => {
      here = await begin({ settings: settings as Record<string, string> })
      await applied(here, one())
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

  it.each([
    [{ 'open.events': 'none' }, 'No events visible'],
    [{ 'open.projectEventsInOrganizationList': 'excluded' }, 'No events visible'],
    [{ 'open.events': 'some' }, 'No event about it since'],
  ])('is not noticed under %j, and never called in sync', async (settings: object, note) => {
    here = await begin({ settings: settings as Record<string, string> })
    await applied(here, one())
    await change({ endDate: '2035-01-06T09:00:00Z' })
    const { code, document } = await here.json('drift')
    expect(code).toBe(0)
    expect(at(document, MIGRATION)).toMatchObject({
      verdict: 'unverifiable',
      evidence: { level: 'recorded', note: expect.stringContaining(note) },
    })
    expect((await here.run('drift', '--strict')).code).toBe(2)
    // The answer to the next change shows what was changed unseen.
    await applied(here, one({ description: 'Next' }))
    expect(await windows()).toMatchObject([{ startDate: START, endDate: END, description: 'Next' }])
  })

  it('is noticed as soon as a late event can be read', async () => {
    here = await begin({ settings: { 'open.eventDelay': 'PT5M' } })
    await applied(here, one())
    await change({ endDate: '2035-01-06T09:00:00Z' })
    expect((await here.run('drift')).code).toBe(0)
    await here.control('POST', 'clock', { advance: 'PT6M' })
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(at(document, MIGRATION)).toMatchObject({ verdict: 'drifted', actor: { publicKey: 'oncall' } })
  })
})

describe('an option of a window', () => {
  it('protect refuses what narrows or removes it, and lets the rest through', async () => {
    here = await begin()
    await applied(here, one({ protect: true }))
    await here.manifest(one({ protect: true, alertTypeNames: ['HOST'] }))
    const narrowed = await here.json('apply', '--auto-approve')
    expect(narrowed.code).toBe(2)
    expect(narrowed.document.blocked).toMatchObject([
      { address: MIGRATION, reason: expect.stringContaining('alertTypeNames') },
    ])
    await here.manifest(none)
    const removed = await here.json('apply', '--auto-approve')
    expect(removed.code).toBe(2)
    expect(removed.document.blocked).toMatchObject([{ address: MIGRATION }])
    expect(await windows()).toMatchObject([{ alertTypeNames: ['HOST', 'REPLICA_SET'], endDate: END }])
    await applied(here, one({ protect: true, alertTypeNames: ['HOST', 'REPLICA_SET', 'BACKUP'] }))
    await applied(here, one())
    await applied(here, none)
    expect(Date.parse((await windows())[0].endDate)).toBeLessThan(Date.parse(START))
  })

  it('ignoreChanges keeps what was applied, so that it counts again when the option is gone', async () => {
    here = await begin()
    await applied(here, one())
    await here.forgetRequests()
    const edited = { endDate: '2035-01-06T06:00:00Z', description: 'Edited' }
    await applied(here, one({ ...edited, ignoreChanges: ['endDate', 'description'] }))
    expect(await writesIn(here)).toEqual([])
    expect((await here.state()).resources[MIGRATION].applied).toMatchObject({ endDate: END })
    await applied(here, one(edited))
    expect(await windows()).toMatchObject([edited])
  })
})
