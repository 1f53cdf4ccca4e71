import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import {
  actionsIn,
  applied,
  at,
  begin,
  only,
  readsIn,
  recorded,
  writesIn,
  type Scene,
} from '../support/scene.ts'

let here: Scene

const DOWN = '5d1113b25a115342acc2d0a1'
const DOWN_PRIMARY = '5d1113b25a115342acc2d0a2'
const CONNECTIONS = '5d1113b25a115342acc2d0b1'
const COMMANDS = '5d1113b25a115342acc2d0b2'
const MISSING = '5d1113b25a115342acc2ffff'
const LIST = `/groups/${PROJECT}/alertConfigs`

const metric = (metricName: string) => ({
  metricName,
  mode: 'AVERAGE',
  operator: 'GREATER_THAN',
  threshold: 0,
  units: 'RAW',
})
const matcher = (fieldName: string, value: string) => ({ fieldName, operator: 'EQUALS', value })
const alertConfigs = [
  { id: DOWN, eventTypeName: 'HOST_DOWN', enabled: false },
  {
    id: DOWN_PRIMARY,
    eventTypeName: 'HOST_DOWN',
    enabled: true,
    matchers: [matcher('TYPE_NAME', 'PRIMARY')],
  },
  {
    id: CONNECTIONS,
    eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
    enabled: true,
    metricThreshold: metric('CONNECTIONS'),
    matchers: [matcher('HOSTNAME', 'db1.example.com'), matcher('PORT', '27017')],
  },
  {
    id: COMMANDS,
    eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
    enabled: true,
    metricThreshold: metric('OPCOUNTER_CMD'),
    matchers: [matcher('HOSTNAME', 'db2.example.com')],
  },
]
const start = async (
  settings: Record<string, string> = {},
  configs: object[] = alertConfigs,
): Promise<void> => {
  here = await begin({ fixture: fixtureWith({ alertConfigs: configs }), settings })
}
const startApplied = async (manifest: string, settings?: Record<string, string>): Promise<void> => {
  await start(settings)
  await applied(here, manifest)
}
const declare = (...entries: string[]): string =>
  only('alertConfigurations', entries.map((entry) => `  ${entry}`).join('\n'))
const byId = (name: string, id: string, more = 'enabled: true'): string =>
  `${name}: { alertConfigId: ${id}, ${more} }`
const bySelect = (name: string, select: string, more = 'enabled: true'): string =>
  `${name}: { select: { ${select} }, ${more} }`
const enabledOf = async (id: string): Promise<boolean> =>
  (await here.control('GET', 'dump')).projects[0].alertConfigs.find((each: any) => each.id === id).enabled
const flip = (id: string, enabled: boolean) => here.outside('PATCH', `${LIST}/${id}`, { enabled })

/** Saves a plan of an id that a selector by port would stand for too, and applies it after an edit by others. */
const appliedAfter = async (edit: object) => {
  const port = [matcher('PORT', '27017')]
  const other = { id: DOWN_PRIMARY, eventTypeName: 'HOST_DOWN', enabled: true }
  const configs = [{ id: DOWN, eventTypeName: 'HOST_DOWN', enabled: false }, other].map((each) => ({
    ...each,
    matchers: port,
  }))
  await start({}, configs)
  const select = 'eventTypeName: HOST_DOWN, matchers: [{ fieldName: PORT, operator: EQUALS, value: "27017" }]'
  await here.manifest(declare(bySelect('all', select), byId('one', DOWN, 'enabled: true')))
  expect((await here.run('plan', '--out', 'saved.plan')).code).toBe(0)
  await here.control(
    'PUT',
    `projects/${PROJECT}/alertConfigs`,
    configs.map((each) => (each.id === DOWN ? { ...each, ...edit } : each)),
  )
  return here.run('apply', 'saved.plan', '--auto-approve')
}

const until = (text: string): string =>
  declare(bySelect('a', `eventTypeName: HOST_DOWN, createdBefore: ${text}`, 'enabled: false'))

describe('a selector', () => {
  it.each([
    [{ 'open.matcherKey': 'fieldName', 'open.timestampForm': 'milliseconds' }],
    [{ 'open.matcherKey': 'field', 'open.extraFields': 'present' }],
    [{ 'open.matcherKey': 'both', 'open.listLinks': 'empty' }],
  ])('stands for every configuration that matches all of it, under %j', async (settings: object) => {
    await start(settings as Record<string, string>)
    const manifest = declare(
      bySelect('type', 'eventTypeName: HOST_DOWN'),
      bySelect('metric', 'metricName: CONNECTIONS'),
      bySelect('subset', 'matchers: [{ fieldName: HOSTNAME, operator: EQUALS, value: db2.example.com }]'),
      bySelect(
        'part',
        'eventTypeName: OUTSIDE_METRIC_THRESHOLD, matchers: [{ fieldName: PORT }, { value: "27017" }]',
      ),
      bySelect('both', 'eventTypeName: HOST_DOWN, metricName: CONNECTIONS'),
    )
    await here.manifest(manifest)
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([
      [`alertConfigurations.type[${DOWN}]`, 'adopt'],
      [`alertConfigurations.type[${DOWN_PRIMARY}]`, 'adopt'],
      [`alertConfigurations.metric[${CONNECTIONS}]`, 'adopt'],
      [`alertConfigurations.subset[${COMMANDS}]`, 'adopt'],
      ['alertConfigurations.both', 'blocked'],
    ])
    expect(await readsIn(here)).toEqual([LIST])
    expect((await here.run('apply', '--auto-approve')).code).toBe(2)
    expect(await writesIn(here)).toEqual([`PATCH ${LIST}/${DOWN}`])
    expect(await enabledOf(DOWN)).toBe(true)
  })

  it('is beaten by an id, and two that disagree are an error that names both places', async () => {
    await start()
    await here.manifest(
      declare(bySelect('all', 'eventTypeName: HOST_DOWN'), byId('one', DOWN, 'enabled: false')),
    )
    expect(actionsIn((await here.json('plan')).document)).toEqual([
      [`alertConfigurations.all[${DOWN_PRIMARY}]`, 'adopt'],
      ['alertConfigurations.one', 'adopt'],
    ])
    const { document } = await here.json('plan', '--explain', 'alertConfigurations.one')
    expect(at(document, 'alertConfigurations.one').takenFrom).toBe('alertConfigurations.all')
    expect(document.explained.takesFrom).toEqual(['alertConfigurations.all'])
    expect((await here.run('plan', '--explain', 'alertConfigurations.one')).stdout).toContain(
      'What it names no longer belongs to the selection of alertConfigurations.all: an id beats a selector.\n',
    )
    for (const format of ['text', 'markdown', 'html'])
      expect(
        (await here.run('plan', '--explain', 'alertConfigurations.all', '--format', format)).stdout,
      ).toContain('It stands for what it selects, except what is declared by its id')
    expect(
      (await here.json('plan', '--explain', 'alertConfigurations.all')).document.explained.leavesTo,
    ).toEqual(['alertConfigurations.one'])
    const primary = 'matchers: [{ value: PRIMARY }]'
    await here.manifest(declare(bySelect('all', 'eventTypeName: HOST_DOWN'), bySelect('same', primary)))
    expect((await here.json('plan')).document.summary).toMatchObject({ adopt: 2, blocked: 0 })
    await here.manifest(
      declare(bySelect('all', 'eventTypeName: HOST_DOWN'), bySelect('other', primary, 'enabled: false')),
    )
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-SELECTOR-CONFLICT')
    expect(stderr).toContain(
      `alertConfigurations.all and alertConfigurations.other both stand for ${DOWN_PRIMARY} (HOST_DOWN, TYPE_NAME EQUALS PRIMARY) and disagree about enabled`,
    )
    expect(stderr).toMatch(/deploymgmt\.yaml:9:3 and deploymgmt\.yaml:10:3/)
    expect(await writesIn(here)).toEqual([])
  })

  it('holds up no saved plan of an id where it stands for other things by now', async () => {
    const ran = await appliedAfter({ matchers: [matcher('PORT', '27018')] })
    expect(ran).toMatchObject({ code: 0 })
    expect(await enabledOf(DOWN)).toBe(true)
  })

  it('leaves a saved plan of an id refused that is about another event by now', async () => {
    const { code, stderr } = await appliedAfter({ eventTypeName: 'HOST_UP' })
    expect(code).toBe(1)
    expect(stderr).toContain(
      'what the plan file shows is not what would be planned now: alertConfigurations.one',
    )
    expect(await enabledOf(DOWN)).toBe(false)
  })

  it('is beaten by an id in a saved plan of that alone, too', async () => {
    await start()
    await here.manifest(
      declare(bySelect('all', 'eventTypeName: HOST_DOWN'), byId('one', DOWN, 'enabled: true')),
    )
    const targeted = ['plan', '--target', 'alertConfigurations.one', '--out', 'saved.plan']
    expect((await here.run(...targeted)).code).toBe(0)
    expect(await here.run('apply', 'saved.plan', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await enabledOf(DOWN)).toBe(true)
  })

  it('names all of what two that disagree stand for, with what tells it apart', async () => {
    const metrics = Array.from({ length: 7 }, (_, index) => ({
      id: `5d1113b25a115342acc2d0c${index}`,
      eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
      enabled: true,
      metricThreshold: { ...metric('CONNECTIONS'), threshold: 100 * index },
    }))
    await start({}, metrics)
    const byMetric = bySelect('other', 'metricName: CONNECTIONS', 'enabled: false')
    await here.manifest(declare(bySelect('all', 'eventTypeName: OUTSIDE_METRIC_THRESHOLD'), byMetric))
    const { stderr } = await here.run('plan')
    expect(stderr).toContain(
      'alertConfigurations.all and alertConfigurations.other both stand for 7 things and disagree about enabled: 5d1113b25a115342acc2d0c0 (OUTSIDE_METRIC_THRESHOLD CONNECTIONS GREATER_THAN 0 RAW), 5d1113b25a115342acc2d0c1 (OUTSIDE_METRIC_THRESHOLD CONNECTIONS GREATER_THAN 100 RAW)',
    )
    expect(stderr).toContain(
      '5d1113b25a115342acc2d0c4 (OUTSIDE_METRIC_THRESHOLD CONNECTIONS GREATER_THAN 400 RAW) and 2 more',
    )
    expect(stderr).not.toContain('5d1113b25a115342acc2d0c5')
  })

  it('lets go of a configuration that no longer matches, by its onRemove', async () => {
    await start()
    const more = 'enabled: false, onRemove: restore'
    const manifest = declare(
      bySelect('kept', 'eventTypeName: HOST_DOWN', more),
      bySelect('left', 'metricName: CONNECTIONS', 'enabled: false'),
    )
    await applied(here, manifest)
    const changed = (await here.control('GET', 'dump')).projects[0].alertConfigs.map((each: any) =>
      each.id === DOWN_PRIMARY
        ? { ...each, eventTypeName: 'REPLICA_SET' }
        : each.id === CONNECTIONS
          ? { ...each, metricThreshold: metric('CURSORS_TOTAL_OPEN') }
          : each,
    )
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, changed)
    await here.forgetRequests()
    const { document } = await here.json('plan')
    expect(at(document, `alertConfigurations.kept[${DOWN_PRIMARY}]`)).toMatchObject({
      action: 'release',
      requests: [{ method: 'PATCH', path: `${LIST}/${DOWN_PRIMARY}` }],
    })
    expect(at(document, `alertConfigurations.left[${CONNECTIONS}]`)).toMatchObject({
      action: 'release',
      requests: [],
    })
    expect((await here.run('apply', '--auto-approve')).code).toBe(2)
    expect(await writesIn(here)).toEqual([`PATCH ${LIST}/${DOWN_PRIMARY}`])
    expect(await enabledOf(DOWN_PRIMARY)).toBe(true)
    expect(await enabledOf(CONNECTIONS)).toBe(false)
    expect(await recorded(here)).toEqual([`alertConfigurations.kept[${DOWN}]`])
  })

  it('reads every page of a project with more than 500 configurations', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({
      id: index.toString(16).padStart(24, '5d0000000000000000000000'),
      eventTypeName: index === 1000 ? 'REPLICA_SET' : 'HOST_DOWN',
    }))
    await start({ 'open.itemsPerPageOverMax': 'reject' }, many)
    await applied(here, declare(bySelect('last', 'eventTypeName: REPLICA_SET', 'enabled: false')))
    expect(await readsIn(here)).toEqual([LIST, LIST, LIST])
    expect(await writesIn(here)).toHaveLength(1)
  })
})

describe('a configuration that is not there', () => {
  it('is blocked with what a person does instead, unless the entry allows it', async () => {
    await start()
    const entries = [
      ['none', 'select: { eventTypeName: BACKUP }'],
      ['gone', `alertConfigId: ${MISSING}`],
    ]
    await here.manifest(declare(...entries.map(([name, how]) => `${name}: { ${how}, enabled: true }`)))
    const { code, document } = await here.json('plan', '--detailed-exitcode')
    expect(code).toBe(2)
    expect(document.changes).toMatchObject([
      { action: 'blocked', byHand: expect.stringContaining('Project payments → Alerts'), requests: [] },
      { action: 'blocked', reason: expect.stringContaining('not found') },
    ])
    expect((await here.run('apply', '--auto-approve')).code).toBe(2)
    const allowed = declare(
      ...entries.map(([name, how]) => `${name}: { ${how}, enabled: true, allowEmpty: true }`),
    )
    await here.manifest(allowed)
    expect((await here.run('plan', '--detailed-exitcode')).code).toBe(0)
    await applied(here, allowed)
    expect(await recorded(here)).toEqual([])
  })

  it('is forgotten where it was recorded and its entry allows that it is gone', async () => {
    await start()
    const manifest = declare(byId('a', DOWN, 'enabled: true, allowEmpty: true'))
    await applied(here, manifest)
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    expect((await here.run('drift')).code).toBe(2)
    await here.forgetRequests()
    await applied(here, manifest)
    expect(await writesIn(here)).toEqual([])
    expect(await recorded(here)).toEqual([])
    expect((await here.run('drift')).code).toBe(0)
  })
})

describe('onRemove: restore', () => {
  const restoring = declare(byId('a', CONNECTIONS, 'enabled: false, onRemove: restore'))

  it('puts back what adoption saw, after one look', async () => {
    await startApplied(restoring)
    await here.forgetRequests()
    await applied(here, declare())
    expect(await readsIn(here)).toEqual([`${LIST}/${CONNECTIONS}`])
    expect(await writesIn(here)).toEqual([`PATCH ${LIST}/${CONNECTIONS}`])
    expect(await enabledOf(CONNECTIONS)).toBe(true)
    expect(await recorded(here)).toEqual([])
  })

  it('sends nothing where it is gone', async () => {
    await startApplied(restoring)
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    await here.forgetRequests()
    await applied(here, declare())
    expect(await writesIn(here)).toEqual([])
    expect(await recorded(here)).toEqual([])
  })

  it('puts nothing back of what is declared under another name, and remembers what its adoption saw', async () => {
    await start()
    const more = 'enabled: false, onRemove: restore'
    await applied(here, declare(byId('a', CONNECTIONS, more), byId('b', COMMANDS, more)))
    await here.forgetRequests()
    const swapped = declare(byId('a', COMMANDS, more), byId('b', CONNECTIONS, more))
    await applied(here, swapped)
    expect(await writesIn(here)).toEqual([])
    expect((await here.run('plan', '--detailed-exitcode')).code).toBe(0)
    await applied(here, declare())
    expect([await enabledOf(CONNECTIONS), await enabledOf(COMMANDS)]).toEqual([true, true])
    expect(await recorded(here)).toEqual([])
  })

  it('remembers what its adoption saw, too, where only one of two that exchange ids is a target', async () => {
    await start()
    const more = 'enabled: false, onRemove: restore'
    await applied(here, declare(byId('a', CONNECTIONS, more), byId('b', COMMANDS, more)))
    await here.manifest(declare(byId('a', COMMANDS, more), byId('b', CONNECTIONS, more)))
    await here.run('apply', '--auto-approve', '--target', 'alertConfigurations.a')
    await here.run('apply', '--auto-approve')
    await applied(here, declare())
    expect([await enabledOf(CONNECTIONS), await enabledOf(COMMANDS)]).toEqual([true, true])
  })

  it('waits while the id was edited to one that is not there', async () => {
    await start()
    for (const way of ['restore', 'forget']) {
      const more = `enabled: false, onRemove: ${way}`
      await applied(here, declare(byId('a', CONNECTIONS, more)))
      await here.manifest(declare(byId('a', MISSING, more)))
      await here.forgetRequests()
      expect((await here.run('apply', '--auto-approve')).code).toBe(2)
      expect(await writesIn(here)).toEqual([])
      expect((await here.state()).resources['alertConfigurations.a'].identity.alertConfigId).toBe(CONNECTIONS)
    }
    await applied(here, declare(byId('a', MISSING, 'enabled: false, allowEmpty: true')))
    expect(await recorded(here)).toEqual([])
  })
})

describe('an option of an alert configuration', () => {
  it('protect refuses to turn it off, or to release it by a write', async () => {
    await startApplied(declare(byId('a', DOWN, 'enabled: true, protect: true, onRemove: restore')))
    for (const manifest of [
      declare(byId('a', DOWN, 'enabled: false, protect: true, onRemove: restore')),
      declare(),
    ]) {
      await here.manifest(manifest)
      const { code, document } = await here.json('apply', '--auto-approve')
      expect(code).toBe(2)
      expect(document.blocked).toMatchObject([{ reason: expect.stringContaining('protected') }])
    }
    expect(await enabledOf(DOWN)).toBe(true)
    await applied(here, declare(byId('a', DOWN, 'enabled: true, onRemove: restore')))
    await applied(here, declare())
    expect(await enabledOf(DOWN)).toBe(false)
  })

  it('ignoreChanges counts once it is recorded: nothing is sent, and nothing is drift', async () => {
    await start()
    const more = 'enabled: true, ignoreChanges: [enabled]'
    await applied(here, declare(byId('a', DOWN, more)))
    expect(await enabledOf(DOWN)).toBe(true)
    await flip(DOWN, false)
    const { code, document } = await here.json('plan', '--all', '--detailed-exitcode')
    expect(code).toBe(0)
    expect(document.changes).toMatchObject([
      { reason: 'the live values are as declared, apart from enabled, which ignoreChanges names' },
    ])
    expect((await here.run('drift')).code).toBe(0)
    const ignored = [{ address: 'alertConfigurations.a', fields: ['enabled'] }]
    for (const command of ['plan', 'drift']) {
      expect((await here.json(command)).document).toMatchObject({ inSync: true, ignored })
      expect((await here.run(command)).stdout).toContain('ignored differences: alertConfigurations.a.enabled')
      const { stdout: comment } = await here.run(command, '--format', 'markdown')
      expect(comment).toContain('ignored differences: `alertConfigurations.a.enabled`')
      expect((await here.run(command, '--format', 'html')).stdout).toMatch(
        /Ignored differences[\s\S]{0,80}alertConfigurations\.a\.enabled/,
      )
    }
    await flip(DOWN, true)
    for (const command of ['plan', 'drift'])
      expect((await here.json(command)).document).not.toHaveProperty('ignored')
    await flip(DOWN, false)
    await applied(here, declare(byId('a', DOWN)))
    expect(await enabledOf(DOWN)).toBe(true)
  })

  it.each([
    ['moved', 'a renamed entry', byId('b', DOWN, 'enabled: true, ignoreChanges: [enabled]')],
    [
      'update',
      'an entry with other settings',
      byId('a', DOWN, 'enabled: true, ignoreChanges: [enabled], protect: true'),
    ],
  ])('ignored differences are named beside %s, for %s', async (action, _, entry) => {
    await startApplied(declare(byId('a', DOWN, 'enabled: true, ignoreChanges: [enabled]')))
    await flip(DOWN, false)
    await here.manifest(declare(entry))
    const { document } = await here.json('plan')
    expect(document.changes).toMatchObject([{ action, requests: [] }])
    expect(document.ignored).toEqual([{ address: document.changes[0].address, fields: ['enabled'] }])
  })
})

describe('the requests of a plan', () => {
  it('are one GET for one id, one list from two on, and none for what is only forgotten', async () => {
    await start()
    const one = declare(byId('a', DOWN_PRIMARY))
    await applied(here, one)
    expect(await readsIn(here)).toEqual([`${LIST}/${DOWN_PRIMARY}`])
    await here.manifest(
      declare(
        byId('a', DOWN_PRIMARY),
        byId('b', CONNECTIONS),
        byId('c', MISSING, 'enabled: true, allowEmpty: true'),
      ),
    )
    await here.forgetRequests()
    await here.run('plan')
    expect(await readsIn(here)).toEqual([LIST, `${LIST}/${MISSING}`])
    await here.manifest(declare())
    await here.forgetRequests()
    const { document } = await here.json('plan')
    expect(at(document, 'alertConfigurations.a')).toMatchObject({
      action: 'release',
      evidence: { level: 'recorded' },
    })
    expect((await here.requests()).log).toEqual([])
  })

  it('read events where the live values are not those last applied, to say who changed it', async () => {
    await startApplied(declare(byId('a', CONNECTIONS)))
    await flip(CONNECTIONS, false)
    await here.forgetRequests()
    const { document } = await here.json('plan')
    expect(at(document, 'alertConfigurations.a')).toMatchObject({
      action: 'update',
      actor: { publicKey: 'oncall', confidence: 'high', eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT' },
    })
    expect(await readsIn(here)).toEqual([`${LIST}/${CONNECTIONS}`, `/orgs/${ORG}/events`])
  })

  it.each([
    { 'open.events': 'none' },
    { 'open.projectEventsInOrganizationList': 'excluded' },
    { 'open.eventNames': 'foreign' },
  ])('find the change without its author under %j', async (settings: object) => {
    await startApplied(declare(byId('a', CONNECTIONS)), settings as Record<string, string>)
    await flip(CONNECTIONS, false)
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(document.resources).toMatchObject([
      { verdict: 'drifted', fields: [{ before: true, after: false }] },
    ])
    expect(document.resources[0].actor).toBeUndefined()
  })
})

describe('the rules of a manifest', () => {
  it('want one of alertConfigId and select, and never an empty selector or one about enabled', async () => {
    await start()
    await here.manifest(
      declare(
        'neither: { enabled: true }',
        `both: { alertConfigId: ${DOWN}, select: { eventTypeName: HOST_DOWN }, enabled: true }`,
        'empty: { select: {}, enabled: true }',
        'unmatched: { select: { matchers: [] }, enabled: true }',
        'shapeless: { select: { matchers: [{}] }, enabled: true }',
        'about: { select: { enabled: false }, enabled: true }',
      ),
    )
    const { code, stderr } = await here.run('validate')
    expect(code).toBe(1)
    expect(stderr.match(/exactly one of them/g)).toHaveLength(2)
    expect(stderr.match(/an empty selector would match every configuration/g)).toHaveLength(2)
    expect(stderr).toMatch(/shapeless\.select\.matchers.*an empty matcher would match every configuration/s)
    expect(stderr).toMatch(/about\.select.*enabled/)
  })

  it('take an instant as createdBefore, with a zone, too, and nothing else', async () => {
    const [old, late] = ['5d1113b25a115342acc2d0c1', '5d1113b25a115342acc2d0c2']
    const config = { eventTypeName: 'HOST_DOWN', enabled: true }
    await start({}, [
      { ...config, id: old, created: '2026-03-01T22:59:59Z' },
      { ...config, id: late, created: '2026-03-01T23:00:00Z' },
    ])
    await here.manifest(until('soon'))
    expect(await here.run('validate')).toMatchObject({ code: 1 })
    for (const text of ['2026-03-01T23:00:00Z', '"2026-03-02T00:00:00[Europe/Madrid]"']) {
      await here.manifest(until(text))
      const { document } = await here.json('plan')
      expect(document.changes.map(({ address }: any) => address)).toEqual([`alertConfigurations.a[${old}]`])
    }
  })

  it('say, where one with createdBefore meets nothing, that nothing that is added will be met by it', async () => {
    await start({}, [
      {
        eventTypeName: 'HOST_DOWN',
        enabled: true,
        id: '5d1113b25a115342acc2d0c1',
        created: '2026-03-02T00:00:00Z',
      },
    ])
    await here.manifest(until('2026-03-01T23:00:00Z'))
    const { stdout } = await here.run('plan')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('nothing that is added from now on can match it')
  })

  it('warn of an event type or a metric that is not known here, and look for it all the same', async () => {
    await start()
    await here.manifest(
      declare(bySelect('a', 'eventTypeName: HOST_DWON'), bySelect('b', 'metricName: CONECTIONS')),
    )
    const { code, stderr } = await here.run('validate')
    expect(code).toBe(0)
    expect(stderr).toMatch(/warning: .*HOST_DWON/)
    expect(stderr).toMatch(/warning: .*CONECTIONS.*not a metric.*CONNECTIONS/s)
    expect((await here.json('plan')).document.summary).toMatchObject({ blocked: 2 })
    expect((await here.run('plan')).stderr).toMatch(/warning: .*HOST_DWON.*CONECTIONS/s)
    expect((await here.run('apply', '--auto-approve')).stderr).toMatch(/warning: .*HOST_DWON/)
    const word = 'eventTypeName: HOST_DWON'
    const idle = bySelect('a', word, 'enabled: true, allowEmpty: true')
    await here.manifest(declare(idle))
    expect((await here.run('drift')).stderr).toMatch(/warning: .*HOST_DWON/)
  })

  it('no command that reads what is there warns of a type of the service’s own, once something has it', async () => {
    const id = '5d1113b25a115342acc2d0c1'
    await start({}, [{ id, eventTypeName: 'NO_PRIMARY', enabled: true }])
    await here.manifest(declare(bySelect('a', 'eventTypeName: NO_PRIMARY')))
    for (const words of [['plan'], ['apply', '--auto-approve'], ['drift']])
      expect((await here.run(...words)).stderr).not.toContain('warning')
  })

  it('a plan that fails for another reason does not warn of a type of the service’s own', async () => {
    await start({}, [{ id: '5d1113b25a115342acc2d0c1', eventTypeName: 'NO_PRIMARY', enabled: true }])
    await here.manifest(
      declare(bySelect('a', 'eventTypeName: NO_PRIMARY')) + 'users: { dana: { nothing: 1 } }\n',
    )
    const plan = await here.run('plan')
    expect(plan.code).toBe(1)
    expect(plan.stderr).toContain('there is no field "nothing" here')
    expect(plan.stderr).not.toContain('warning')
    // There, nothing is read that could tell.
    expect((await here.run('validate')).stderr).toContain('NO_PRIMARY')
  })

  it('a plan of a project that is not there does not warn of a word, because nothing was read', async () => {
    await start()
    const elsewhere = '5c8100bcf2a30b12ff882599'
    await here.manifest(declare(bySelect('a', 'eventTypeName: NO_PRIMARY')).replaceAll(PROJECT, elsewhere))
    const { stdout, stderr } = await here.run('plan')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('was not found')
    expect(stderr).not.toContain('NO_PRIMARY')
  })

  it('validate says in one line that many words are unlike any known one, and shows what looks like a typo', async () => {
    await start()
    const own = ['NO_PRIMARY', 'USERS_WITHOUT_SECOND_FACTOR', 'TOO_MANY_ELECTIONS', 'JOINED_GROUP']
    await here.manifest(
      declare(...[...own, 'HOST_DWON'].map((word, index) => bySelect(`a${index}`, `eventTypeName: ${word}`))),
    )
    const { code, stderr } = await here.run('validate')
    expect(code).toBe(0)
    expect(stderr).toMatch(/"HOST_DWON" is not an event type.*did you mean HOST_DOWN/s)
    expect(stderr).not.toMatch(/"NO_PRIMARY"|"JOINED_GROUP"/)
    expect(stderr).toContain('4 words in selectors are not known here, and like none that is')
    expect((await here.json('validate')).document.warnings).toHaveLength(5)
  })
})
