import { describe, expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import { applied, at, begin, only, OTHER_PROJECT, twoProjects, type Scene } from '../support/scene.ts'

const id = (end: string): string => `5d1113b25a115342acc2d${end}`
const CONNECTIONS = id('001')
const SOME_CONNECTIONS = id('002')
const DOWN = id('003')
const LIST = `/groups/${PROJECT}/alertConfigs`

const over = (threshold: number) => ({
  metricName: 'CONNECTIONS',
  mode: 'AVERAGE',
  operator: 'GREATER_THAN',
  threshold,
  units: 'RAW',
})
const connections = (own: string, threshold: number, more: object = {}) => ({
  id: own,
  eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
  enabled: true,
  metricThreshold: over(threshold),
  ...more,
})
const alertConfigs = [
  connections(CONNECTIONS, 200),
  connections(SOME_CONNECTIONS, 300, {
    matchers: [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1.example.com' }],
  }),
  { id: DOWN, eventTypeName: 'HOST_DOWN', enabled: true },
]
const OVER_200 = 'OUTSIDE_METRIC_THRESHOLD CONNECTIONS GREATER_THAN 200 RAW'
const OVER_300 = 'OUTSIDE_METRIC_THRESHOLD CONNECTIONS GREATER_THAN 300 RAW, HOSTNAME EQUALS db1.example.com'

const declare = (...entries: string[]): string =>
  only('alertConfigurations', entries.map((entry) => `  ${entry}`).join('\n'))
const busy = (enabled: boolean): string =>
  `busy: { select: { eventTypeName: OUTSIDE_METRIC_THRESHOLD, metricName: CONNECTIONS }, enabled: ${enabled} }`
const down = (more: string): string => `down: { select: { eventTypeName: HOST_DOWN }, ${more} }`
const byId = (own: string, more = 'enabled: true'): string => `one: { alertConfigId: ${own}, ${more} }`

const start = (configs: object[] = alertConfigs): Promise<Scene> =>
  begin({ fixture: twoProjects({ alertConfigs: configs }) })
const keep = (here: Scene, configs: object[]) =>
  here.control('PUT', `projects/${PROJECT}/alertConfigs`, configs)
const FORMATS = ['text', 'markdown', 'html']
/** The output of each format for people, in one line and without markup. */
const said = async (here: Scene, command: string, ...words: string[]): Promise<string[]> => {
  const shown: string[] = []
  for (const format of FORMATS) {
    const { stdout } = await here.run(command, '--format', format, ...words)
    shown.push(
      stdout
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/[\\`]/g, '')
        .replaceAll(/\s+/g, ' '),
    )
  }
  return shown
}

describe('a plan says which alert configuration an id is', () => {
  it('where it is changed: with its event type, metric, threshold and matchers', async () => {
    const here = await start()
    await here.manifest(declare(busy(false), down('enabled: false')))
    const { document } = await here.json('plan')
    expect(at(document, `alertConfigurations.busy[${CONNECTIONS}]`).what).toBe(OVER_200)
    expect(at(document, `alertConfigurations.busy[${SOME_CONNECTIONS}]`).what).toBe(OVER_300)
    // The selector of this entry already says everything.
    expect(at(document, `alertConfigurations.down[${DOWN}]`).what).toBeUndefined()
    for (const text of await said(here, 'plan')) {
      expect(text).toContain(OVER_200)
      expect(text).toContain(OVER_300)
    }
    const { stderr, stdout } = await here.run('apply')
    expect(`${stdout}${stderr}`).toContain(`      ${OVER_300}\n`)
  })

  it('where many are changed alike, beside the address of each', async () => {
    const many = Array.from({ length: 12 }, (_, index) => connections(id(`1${index + 10}`), 100 + index))
    const here = await start(many)
    await here.manifest(declare(busy(false)))
    for (const text of await said(here, 'plan'))
      for (const index of many.keys())
        expect(text).toMatch(
          new RegExp(`busy\\[${id(`1${index + 10}`)}\\][^[]*CONNECTIONS GREATER_THAN ${100 + index} RAW`),
        )
  })

  it('where it is released, since no entry says it any more, and where it is blocked', async () => {
    const here = await start()
    await applied(here, declare(busy(true), down('enabled: true')))
    await here.manifest(declare(down('enabled: true')))
    expect(at((await here.json('plan')).document, `alertConfigurations.busy[${CONNECTIONS}]`)).toMatchObject({
      action: 'release',
      what: OVER_200,
    })
    for (const text of await said(here, 'plan')) expect(text).toContain(OVER_300)
    // A project is not read only to release something: what was selected is recorded.
    await here.manifest(
      declare('none: { select: { eventTypeName: HOST_UP }, allowEmpty: true, enabled: true }').replace(
        'none: {',
        `none: { projectId: ${OTHER_PROJECT},`,
      ),
    )
    expect(at((await here.json('plan')).document, `alertConfigurations.busy[${CONNECTIONS}]`).what).toBe(
      'OUTSIDE_METRIC_THRESHOLD CONNECTIONS',
    )
    await here.manifest(declare(byId(CONNECTIONS, 'enabled: true, protect: true')))
    await here.run('apply', '--auto-approve')
    await here.manifest(declare(byId(CONNECTIONS, 'enabled: false, protect: true')))
    expect(at((await here.json('plan')).document, 'alertConfigurations.one')).toMatchObject({
      action: 'blocked',
      what: OVER_200,
    })
    for (const text of await said(here, 'plan')) expect(text).toContain(OVER_200)
  })

  it('and not beside what is in sync', async () => {
    const here = await start()
    await applied(here, declare(busy(true)))
    for (const text of await said(here, 'plan')) expect(text).not.toContain('GREATER_THAN')
    for (const text of await said(here, 'drift')) expect(text).not.toContain('GREATER_THAN')
  })

  it('and says what is to be added by hand', async () => {
    const here = await start([])
    await here.manifest(
      declare(
        'busy: { select: { eventTypeName: OUTSIDE_METRIC_THRESHOLD, metricName: CONNECTIONS, matchers: [{ fieldName: HOSTNAME, operator: EQUALS, value: db1.example.com }] }, enabled: true }',
        byId(CONNECTIONS),
      ),
    )
    const { document } = await here.json('plan')
    expect(at(document, 'alertConfigurations.busy').byHand).toContain(
      'Add (OUTSIDE_METRIC_THRESHOLD CONNECTIONS, HOSTNAME EQUALS db1.example.com), then plan again',
    )
    // With only an id, nothing is known about it.
    expect(at(document, 'alertConfigurations.one').byHand).toContain('Alert Settings → Add, then plan again')
  })
})

describe('a drift report says which alert configuration an id is', () => {
  it('where it has drifted', async () => {
    const here = await start()
    await applied(here, declare(busy(true), down('enabled: true')))
    await here.outside('PATCH', `${LIST}/${SOME_CONNECTIONS}`, { enabled: false })
    await here.outside('PATCH', `${LIST}/${DOWN}`, { enabled: false })
    const { document } = await here.json('drift')
    expect(at(document, `alertConfigurations.busy[${SOME_CONNECTIONS}]`).what).toBe(OVER_300)
    expect(at(document, `alertConfigurations.down[${DOWN}]`).what).toBeUndefined()
    expect(at(document, `alertConfigurations.busy[${CONNECTIONS}]`).what).toBeUndefined()
    for (const text of await said(here, 'drift')) expect(text).toContain(OVER_300)
    for (const format of ['junit', 'sarif', 'brief'])
      expect((await here.run('drift', '--format', format)).stdout).toContain(OVER_300)
  })

  it('where it is pending', async () => {
    const here = await start()
    await here.manifest(declare(byId(SOME_CONNECTIONS)))
    expect(at((await here.json('drift')).document, 'alertConfigurations.one')).toMatchObject({
      verdict: 'pending',
      what: OVER_300,
    })
    for (const text of await said(here, 'drift')) expect(text).toContain(OVER_300)
  })

  it('and what is to be added where it is gone', async () => {
    const here = await start()
    await applied(here, declare(busy(true)))
    await keep(here, alertConfigs.slice(1))
    const gone = at((await here.json('drift')).document, `alertConfigurations.busy[${CONNECTIONS}]`)
    expect(gone.byHand).toContain('Add (OUTSIDE_METRIC_THRESHOLD CONNECTIONS')
  })
})
