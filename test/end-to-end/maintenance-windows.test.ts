import { describe, expect, it } from 'vitest'
import { runHere } from '../support/command.ts'
import { ONCALL, PROJECT } from '../support/installation.ts'
import {
  actionsIn,
  applied,
  at,
  begin,
  beginApplied,
  only,
  recorded,
  writesIn,
  type Scene,
} from '../support/scene.ts'
import { END, fields, MIGRATION, none, one, START, windowsAt } from '../support/one-window.ts'

let here: Scene

const windows = (project?: number): Promise<any[]> => windowsAt(here, project)
const clock = (now: string) => here.control('POST', 'clock', { now })

const sixth = (time = ''): string => `2035-01-06T${time}Z`

const MINIMAL = `  NAME: { alertTypeNames: [HOST], startDate: ${START}, endDate: ${END}, description: NAME }\n`

describe('a maintenance window', () => {
  it.each([
    [{ 'open.digest': 'qop', 'open.fractionalTimestamps': 'reject', 'open.windowCreateStatus': '201' }],
    [{ 'open.digest': 'op', 'open.windowUpdateStatus': '200', 'open.timestampForm': 'milliseconds' }],
    [{ 'open.extraFields': 'present', 'open.sampleLinks': 'self', 'open.errorBody': 'empty' }],
  ])('is created as declared and changed afterwards under %j', async (settings: object) => {
    here = await beginApplied(
      one({ startDate: '2035-01-06T03:00:00+01:00', endDate: '2035-01-06T04:00:00.000Z' }),
      { settings: settings as Record<string, string> },
    )
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

  it.each(['op', 'qop', 'both'])(
    'is one of twenty that are created at once, each by a request like the others, under open.digest=%s',
    async (digest) => {
      const twenty = Array.from({ length: 20 }, (_, n) => MINIMAL.replaceAll('NAME', `w${n}`)).join('')
      here = await beginApplied(only('maintenanceWindows', twenty), { settings: { 'open.digest': digest } })
      expect(new Set((await windows()).map(({ description }) => description)).size).toBe(20)
    },
  )

  it('is the same with its instants and its types spelt in another way, or its description left out', async () => {
    here = await beginApplied(one())
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
    here = await begin({ manifest: one({ endDate: START }) })
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
  it('leaves it over at once, whatever it has come to, and sends nothing where it ends by itself', async () => {
    here = await begin({ settings: { 'open.windowPastDates': 'reject' } })
    const dates = {
      begun: ['02:00:00', '04:00:00'],
      beginning: ['03:00:00', '04:00:00'],
      waiting: ['05:00:00', '06:00:00'],
      ending: ['02:00:00', '03:00:01'],
      ended: ['02:00:00', '03:00:00'],
    }
    const entries = Object.entries(dates).map(([description, [from, to]]) => {
      const window = fields({ startDate: sixth(from), endDate: sixth(to), description })
      return `  ${description}: ${window}`
    })
    await applied(here, only('maintenanceWindows', entries.join('\n')))
    await clock(sixth('03:00:00'))
    await here.forgetRequests()
    await applied(here, none)
    expect(await writesIn(here)).toHaveLength(3)
    const left = (await windows()).map(({ description, startDate, endDate }) => [
      description,
      startDate,
      endDate,
    ])
    expect(left.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['beginning', sixth('03:00:00'), sixth('03:00:01')],
      ['begun', sixth('02:00:00'), sixth('03:00:01')],
      ['ended', sixth('02:00:00'), sixth('03:00:00')],
      ['ending', sixth('02:00:00'), sixth('03:00:01')],
      ['waiting', sixth('03:00:01'), sixth('03:00:02')],
    ])
    expect(await recorded(here)).toEqual([])
  })

  /** What is sent to a service that refuses past dates, and whose clock advances during each request. */
  const releasedLate = async (
    advance: string,
    dates: object,
  ): Promise<{ code: number | null; sent: any[] }> => {
    here = await begin({ settings: { 'open.windowPastDates': 'reject' }, proxied: true })
    await clock(sixth('01:00:00'))
    await applied(here, one(dates))
    await clock(sixth('03:00:00.900'))
    const sent: any[] = []
    here.proxy.steer(async ({ write, body }, forward) => {
      if (write > 0) {
        await here.control('POST', 'clock', { advance })
        sent.push(JSON.parse(body))
      }
      return forward()
    })
    await here.manifest(none)
    const now = (): Date => new Date(sixth('03:00:00.900'))
    const { code } = await runHere(here, ['apply', '--auto-approve'], { now })
    return { code, sent }
  }

  it.each([
    ['takes a moment', 'PT0.2S', {}, [{ endDate: sixth('03:00:02') }]],
    ['takes seconds', 'PT3S', {}, [{ endDate: sixth('03:00:02') }, { endDate: sixth('03:00:09') }]],
    [
      'takes seconds, before it began',
      'PT3S',
      { startDate: sixth('03:30:00') },
      [
        { startDate: sixth('03:00:02'), endDate: sixth('03:00:03') },
        { startDate: sixth('03:00:09'), endDate: sixth('03:00:10') },
      ],
    ],
    [
      'takes seconds, where it ends before by itself',
      'PT3S',
      { endDate: sixth('03:00:06') },
      [{ endDate: sixth('03:00:02') }],
    ],
  ])('is not refused as too late if its way to the service %s', async (_, advance, dates, bodies) => {
    expect(await releasedLate(advance, dates)).toEqual({ code: 0, sent: bodies })
    expect(await recorded(here)).toEqual([])
    expect(await windows()).toMatchObject([
      { endDate: bodies.length === 1 && advance === 'PT3S' ? sixth('03:00:06') : bodies.at(-1)?.endDate },
    ])
  })

  it('is tried twice at most', async () => {
    const { code, sent } = await releasedLate('PT20S', {})
    expect([code, sent.length, await recorded(here)]).toEqual([1, 2, [MIGRATION]])
  })

  it('is sent once to a service that refuses it for another reason, and stays to be done', async () => {
    here = await begin({ proxied: true })
    await clock(sixth('01:00:00'))
    await applied(here, one())
    await clock(sixth('03:00:00'))
    const sent: any[] = []
    here.proxy.steer(async ({ write, body }, forward) => {
      if (write === 0) return forward()
      sent.push(JSON.parse(body))
      return { status: 405, headers: { date: new Date(sixth('03:00:00')).toUTCString() }, body: '' }
    })
    await here.manifest(none)
    const { code } = await runHere(here, ['apply', '--auto-approve'], {
      now: () => new Date(sixth('03:00:00')),
    })
    expect(code).toBe(1)
    expect(sent).toEqual([{ endDate: sixth('03:00:01') }])
    expect(await recorded(here)).toEqual([MIGRATION])
  })

  it('counts the way of removal that was declared last, also where nothing else was edited', async () => {
    here = await beginApplied(one())
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
    expect(await recorded(here)).toEqual(['maintenanceWindows.running'])
  })

  it('is expired while its dates stay, and a new one once they are edited into the future', async () => {
    here = await beginApplied(one())
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
    expect(await recorded(here)).toEqual([MIGRATION])
  })

  it('and may have been prolonged is ended once the new one stands', async () => {
    here = await begin()
    await clock(sixth('00:00:00'))
    await applied(here, one())
    const [{ id }] = await windows()
    await clock(sixth('03:00:00'))
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
      endDate: '2036-01-01T00:00:00Z',
    })
    await clock('2035-02-01T00:00:00Z')
    const next = { startDate: '2035-03-01T00:00:00Z', endDate: '2035-03-02T00:00:00Z' }
    await here.manifest(one(next))
    expect(actionsIn((await here.json('plan')).document)).toEqual([
      [MIGRATION, 'create'],
      [`${MIGRATION}[replaced ${id}]`, 'release'],
    ])
    await applied(here, one(next))
    const [old, made] = await windows()
    expect(Date.parse(old.endDate)).toBeLessThan(Date.parse('2035-02-01T00:01:00Z'))
    expect(made).toMatchObject(next)
    expect(await recorded(here)).toEqual([MIGRATION])
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('and may have been prolonged gives its name to another one, and is ended', async () => {
    here = await begin()
    await clock(sixth('00:00:00'))
    const dates = { startDate: '2035-03-01T00:00:00Z', endDate: '2035-03-02T00:00:00Z' }
    const next = { ...dates, onRemove: 'forget' }
    await applied(here, only('maintenanceWindows', `  migration: ${fields()}\n  next: ${fields(next)}`))
    const [{ id }] = await windows()
    await clock(sixth('03:00:00'))
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
      endDate: '2036-01-01T00:00:00Z',
    })
    await clock('2035-02-01T00:00:00Z')
    await here.manifest(one(next))
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([
      [MIGRATION, 'moved'],
      [`${MIGRATION}[replaced ${id}]`, 'release'],
    ])
    await here.forgetRequests()
    await applied(here, one(next))
    expect(await writesIn(here)).toEqual([`PATCH /groups/${PROJECT}/maintenanceWindows/${id}`])
    expect(Date.parse((await windows())[0].endDate)).toBeLessThan(Date.parse('2035-02-01T00:01:00Z'))
    expect((await here.state()).resources).toMatchObject({ [MIGRATION]: { applied: dates } })
    expect(await recorded(here)).toEqual([MIGRATION])
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('makes no new one by an end that is not compared', async () => {
    here = await begin()
    await clock(sixth('03:00:00'))
    await applied(here, one())
    const edited = one({ endDate: sixth('09:00:00'), ignoreChanges: ['endDate'] })
    await applied(here, edited)
    await clock(sixth('05:00:00'))
    await applied(here, edited)
    expect(await windows()).toMatchObject([{ endDate: END }])
  })

  it.each(['400', '403', '409'])('is no error where it ended after the plan, answered %s', async (status) => {
    here = await begin({ settings: { 'open.endedWindowStatus': status }, proxied: true })
    here.proxy.steer(async ({ method, write }, forward) => {
      if (write > 0 && method === 'PATCH') await clock('2035-01-06T05:00:00Z')
      return forward()
    })
    const both = `  changed: ${fields()}\n  removed: ${fields({ description: 'Other' })}`
    await applied(here, only('maintenanceWindows', both))
    await here.manifest(only('maintenanceWindows', `  changed: ${fields({ description: 'Late' })}`))
    const { code, document } = await here.json('apply', '--auto-approve', '--concurrency', '1')
    expect({ code, problems: document.problems }).toEqual({ code: 0, problems: [] })
    expect(document.byStatus).toMatchObject({ expired: 2, failed: 0 })
    expect(await recorded(here)).toEqual(['maintenanceWindows.changed'])
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

describe('an option of a window', () => {
  it('protect refuses what narrows or removes it, and lets the rest through', async () => {
    here = await beginApplied(one({ protect: true }))
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
    here = await beginApplied(one())
    await here.forgetRequests()
    const edited = { endDate: '2035-01-06T06:00:00Z', description: 'Edited' }
    await applied(here, one({ ...edited, ignoreChanges: ['endDate', 'description'] }))
    expect(await writesIn(here)).toEqual([])
    expect((await here.state()).resources[MIGRATION].applied).toMatchObject({ endDate: END })
    await applied(here, one(edited))
    expect(await windows()).toMatchObject([edited])
  })

  it.each([
    ['left out', { description: undefined }],
    ['left to others by ignoreChanges', { description: 'ours', ignoreChanges: ['description'] }],
  ])(
    'a description that is %s is known as the last answer shows it, and written once it counts again',
    async (_, more) => {
      here = await beginApplied(one({ description: 'ours' }))
      const [{ id }] = await windows()
      await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
      const edited = { endDate: sixth('05:00:00') }
      await applied(here, one({ ...edited, ...more }))
      expect(await windows()).toMatchObject([{ description: 'theirs' }])
      await applied(here, one({ ...edited, description: 'ours' }))
      expect(await windows()).toMatchObject([{ description: 'ours' }])
    },
  )

  it('ignoreChanges of an end that others have moved does not make another window of a renamed entry', async () => {
    const ignoring = { ignoreChanges: ['endDate'] }
    here = await beginApplied(one(ignoring))
    const [{ id }] = await windows()
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { endDate: sixth('09:00:00') })
    // The answer shows the end.
    await applied(here, one({ ...ignoring, description: 'Edited' }))
    const edited = fields({ ...ignoring, description: 'Edited' })
    await here.manifest(only('maintenanceWindows', `  renamed: ${edited}`))
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([['maintenanceWindows.renamed', 'moved']])
    // With another start it is another window.
    const later = fields({ ...ignoring, startDate: sixth('03:00:00') })
    await here.manifest(only('maintenanceWindows', `  renamed: ${later}`))
    const { summary } = (await here.json('plan')).document
    expect(summary).toMatchObject({ create: 1, release: 1, moved: 0 })
  })
})

describe('a window that exists', () => {
  const theirs = {
    alertTypeNames: ['BACKUP'],
    startDate: '2035-03-01T00:00:00Z',
    endDate: '2035-03-02T00:00:00Z',
    description: 'by hand',
  }
  const beginWith = async (): Promise<string> => {
    here = await begin()
    const { id } = await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, theirs)
    await here.control('POST', 'clock', { advance: 'PT10S' })
    return id
  }

  it('is taken over by its windowId, and the first apply writes all of its fields', async () => {
    const windowId = await beginWith()
    await here.manifest(one({ windowId }))
    const { code, document } = await here.json('plan', '--detailed-exitcode')
    expect({ code, inSync: document.inSync }).toEqual({ code: 2, inSync: false })
    expect(at(document, MIGRATION)).toMatchObject({
      action: 'adopt',
      requests: [{ method: 'PATCH', path: `/groups/${PROJECT}/maintenanceWindows/${windowId}` }],
    })
    await applied(here, one({ windowId }))
    expect(await windows()).toMatchObject([{ id: windowId, startDate: START, endDate: END }])
    expect((await here.state()).resources[MIGRATION].identity).toEqual({ projectId: PROJECT, id: windowId })
    expect((await here.json('plan', '--detailed-exitcode')).code).toBe(0)
    // From now on the record has its id, so the entry does not need it.
    await applied(here, one())
    expect(await windows()).toHaveLength(1)
    await applied(here, none)
    expect(Date.parse((await windows())[0].endDate)).toBeLessThan(Date.parse(START))
  })

  it('is as it was taken over, whatever others did before, also where the first request was lost', async () => {
    here = await begin()
    // The clock stands still, so the other person's creation and the lost request are in the same second.
    await here.control('POST', 'clock', { now: '2034-06-01T00:00:00Z' })
    const { id } = await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, theirs, ONCALL)
    await here.manifest(one({ windowId: id }))
    await here.control('POST', 'faults', { fault: 'reset-before', method: 'PATCH', count: 1 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await here.control('POST', 'clock', { advance: 'PT2S' })
    expect(await here.run('state', 'resolve', MIGRATION, '--again')).toMatchObject({ code: 0 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('is named by its entry still when it is over: blocked, until the entry names it no more', async () => {
    const windowId = await beginWith()
    await applied(here, one({ windowId }))
    await clock('2035-02-01T00:00:00Z')
    const next = { startDate: '2035-03-01T00:00:00Z', endDate: '2035-03-02T00:00:00Z' }
    await here.manifest(one({ windowId, ...next }))
    await here.forgetRequests()
    const { code, document } = await here.json('apply', '--auto-approve')
    expect({ code, blocked: document.blocked }).toMatchObject({
      code: 2,
      blocked: [{ address: MIGRATION, byHand: 'Remove windowId, and an apply creates a new one.' }],
    })
    expect(await writesIn(here)).toEqual([])
    await applied(here, one(next))
    expect(await windows()).toMatchObject([{ id: windowId }, next])
    expect(await recorded(here)).toEqual([MIGRATION])
  })

  it('keeps its record where an entry without its id gets it', async () => {
    here = await beginApplied(one())
    const [{ id: windowId }] = await windows()
    await here.forgetRequests()
    await applied(here, one({ windowId }))
    expect(await writesIn(here)).toEqual([])
  })

  it('is not there under that id: blocked, and nothing is made', async () => {
    await beginWith()
    await here.manifest(one({ windowId: '5d1113b25a115342acc2d1ab' }))
    const { code, stdout } = await here.run('apply', '--auto-approve')
    expect({ code, stdout }).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(
        /not found at the service\n\s+Check windowId; omit it only to create another one\.\n/,
      ),
    })
    expect(await windows()).toHaveLength(1)
    expect(await recorded(here)).toEqual([])
  })

  it('belongs to one entry: another one that names it is blocked', async () => {
    here = await beginApplied(one())
    const [{ id: windowId }] = await windows()
    await here.manifest(
      only(
        'maintenanceWindows',
        `${MINIMAL.replaceAll('NAME', 'migration').replace(', description: migration', '')}${MINIMAL.replaceAll('NAME', 'other').replace('{ ', `{ windowId: ${windowId}, `)}`,
      ),
    )
    const { document } = await here.json('plan')
    expect(at(document, 'maintenanceWindows.other')).toMatchObject({
      action: 'blocked',
      reasonCode: 'recorded-elsewhere',
    })
  })

  it('moves with its record to an entry that names it', async () => {
    here = await beginApplied(one())
    const [{ id: windowId }] = await windows()
    await here.manifest(
      only(
        'maintenanceWindows',
        MINIMAL.replaceAll('NAME', 'other').replace('{ ', `{ windowId: ${windowId}, `),
      ),
    )
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await recorded(here)).toEqual(['maintenanceWindows.other'])
    expect(await windows()).toMatchObject([{ id: windowId, endDate: END, description: 'other' }])
  })

  it('is one window, and no schedule', async () => {
    here = await begin()
    await here.manifest(
      only(
        'maintenanceWindows',
        '  w: { windowId: 5d1113b25a115342acc2d1ab, alertTypeNames: [HOST], schedule: { rrule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0", timezone: UTC, duration: PT1H } }\n',
      ),
    )
    expect((await here.run('validate')).stderr).toContain(
      'windowId names one window, but schedule creates several',
    )
  })
})

it.each([
  ['by an apply', ['apply', '--auto-approve']],
  ['in a plan', ['plan']],
])('a window that is forgotten leaves its id %s, since nothing finds it again', async (_, words) => {
  here = await beginApplied(one({ onRemove: 'forget' }))
  const [{ id }] = await windows()
  await here.manifest(none)
  expect((await here.run(...words)).stdout).toContain(
    `its id is ${id}; note it down, because nothing can find it again`,
  )
  expect((await here.run('state', 'list')).stdout.includes(id)).toBe(words[0] === 'plan')
})

it('state forget says the id of what it forgets', async () => {
  here = await beginApplied(one())
  const [{ id }] = await windows()
  const { stderr } = await here.run('state', 'forget', MIGRATION)
  expect(stderr).toContain(`Its id is ${id}.`)
  expect(stderr).toContain(
    'brings one under management again, or creates one if the entry does not name an id',
  )
})
