import { describe, expect, it } from 'vitest'
import { ORG, PROJECT } from '../support/installation.ts'
import { begin, OTHER_PROJECT, twoProjects, type Scene } from '../support/scene.ts'

const id = (end: string): string => `5d1113b25a115342acc2d${end}`
const [QUIET, BUSY, OTHER_BUSY] = [id('001'), id('002'), id('003')]

const connections = (own: string, threshold: number) => ({
  id: own,
  eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
  enabled: true,
  metricThreshold: {
    metricName: 'CONNECTIONS',
    mode: 'AVERAGE',
    operator: 'GREATER_THAN',
    threshold,
    units: 'RAW',
  },
})
const SELECT = 'select: { eventTypeName: OUTSIDE_METRIC_THRESHOLD, metricName: CONNECTIONS }'

const manifest = `version: 1
name: test
projects:
  payments: { id: ${PROJECT}, orgId: ${ORG} }
  ledger: { id: ${OTHER_PROJECT}, orgId: ${ORG} }
alertConfigurations:
  busy: { projectIds: all, ${SELECT}, enabled: true }
  some: { projectIds: { all: true, except: [ledger] }, select: { eventTypeName: HOST_DOWN }, allowEmpty: true, enabled: true }
  both: { projectIds: [payments, ledger], select: { eventTypeName: HOST_DOWN }, allowEmpty: true, enabled: true }
  quiet: { projectId: payments, alertConfigId: ${QUIET}, enabled: false }
`
const start = async (): Promise<Scene> => {
  const here = await begin({
    fixture: twoProjects(
      { alertConfigs: [connections(QUIET, 100), connections(BUSY, 200)] },
      { alertConfigs: [connections(OTHER_BUSY, 300)] },
    ),
  })
  await here.manifest(manifest)
  return here
}
const explained = async (here: Scene, address: string): Promise<any> => {
  const { code, document, stderr } = await here.json('plan', '--explain', address)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return document.explained
}
const fieldOf = ({ values }: any, name: string): any => values.find(({ field }: any) => field === name)?.from
const printed = async (here: Scene, address: string): Promise<string> =>
  (await here.run('plan', '--explain', address)).stdout.split('Where the values of ')[1] ?? ''

describe('an instance is explained by itself', () => {
  it('with its project, and which thing it is', async () => {
    const here = await start()
    const busy = `alertConfigurations.busy[${OTHER_PROJECT}/${OTHER_BUSY}]`
    const said = await explained(here, busy)
    expect(said).toMatchObject({
      address: busy,
      project: 'ledger',
      what: 'OUTSIDE_METRIC_THRESHOLD CONNECTIONS GREATER_THAN 300 RAW',
    })
    expect(fieldOf(said, 'projectId')).toEqual([
      { is: 'declared', at: 'deploymgmt.yaml:7:23' },
      { is: 'project', name: 'projects.ledger.id', at: 'deploymgmt.yaml:5:17' },
    ])
    expect(fieldOf(said, 'projectIds')).toBeUndefined()
    // Entries that take something out of the selector in another project do not matter here.
    expect(said.leavesTo).toBeUndefined()
    const text = await printed(here, busy)
    expect(text).toContain(`${busy} come from:\n`)
    expect(text).toContain(
      'It is OUTSIDE_METRIC_THRESHOLD CONNECTIONS GREATER_THAN 300 RAW, in project ledger.\n',
    )
  })

  it('as what its entry stands for in one project, with what ids take out of that', async () => {
    const here = await start()
    expect(await explained(here, `alertConfigurations.busy[${PROJECT}]`)).toMatchObject({
      project: 'payments',
      leavesTo: ['alertConfigurations.quiet'],
    })
    expect((await explained(here, `alertConfigurations.busy[${OTHER_PROJECT}]`)).leavesTo).toBeUndefined()
    expect((await explained(here, 'alertConfigurations.busy')).leavesTo).toEqual([
      'alertConfigurations.quiet',
    ])
  })

  it('by the name of its project, too', async () => {
    const here = await start()
    expect(await explained(here, `alertConfigurations.busy[payments/${BUSY}]`)).toMatchObject({
      address: `alertConfigurations.busy[${PROJECT}/${BUSY}]`,
    })
    expect(await explained(here, 'alertConfigurations.busy[ledger]')).toMatchObject({
      address: `alertConfigurations.busy[${OTHER_PROJECT}]`,
    })
  })

  it.each([
    [
      'busy[nope]',
      `It stands for alertConfigurations.busy[${PROJECT}], alertConfigurations.busy[${OTHER_PROJECT}]`,
    ],
    [`busy[${PROJECT}/${BUSY.slice(0, -1)}9]`, `Did you mean alertConfigurations.busy[${PROJECT}/${BUSY}]?`],
    [`busy[${BUSY}]`, `Did you mean alertConfigurations.busy[${PROJECT}/${BUSY}]?`],
    [`busy[payments/${QUIET}]`, 'alertConfigurations.quiet declares it by its id'],
    ['some[ledger]', 'leaves project ledger out It is declared for payments.'],
    ['quiet[ledger]', 'alertConfigurations.quiet stands for one thing: omit what is in brackets'],
  ])('and %s, which is none, is an error', async (address, says) => {
    const here = await start()
    const { code, stdout, stderr } = await here.run('plan', '--explain', `alertConfigurations.${address}`)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(says)
  })

  it('and what a target leaves out is not called missing', async () => {
    const here = await start()
    const { code, stderr } = await here.run(
      'plan',
      '--target',
      'alertConfigurations.some',
      '--explain',
      `alertConfigurations.busy[${PROJECT}/${BUSY}]`,
    )
    expect(code).toBe(1)
    expect(stderr).toContain('--target leaves')
  })
})

describe('an entry of several projects is explained', () => {
  it('with those that it leaves out as such', async () => {
    const here = await start()
    const said = await explained(here, 'alertConfigurations.some')
    expect(fieldOf(said, 'projectIds')).toEqual([
      { is: 'declared', at: 'deploymgmt.yaml:8:23' },
      { is: 'project', name: 'projects', at: 'deploymgmt.yaml:4:3' },
      { is: 'project', name: 'projects.ledger.id', at: 'deploymgmt.yaml:5:17', excluded: true },
    ])
    expect(said).toMatchObject({ projects: ['payments'], except: ['ledger'] })
    const text = await printed(here, 'alertConfigurations.some')
    expect(text).toContain(
      'deploymgmt.yaml:8:23 ← projects at deploymgmt.yaml:4:3, except projects.ledger.id at deploymgmt.yaml:5:17\n',
    )
    expect(text).toContain('It is declared for payments, and leaves out ledger.\n')
    for (const format of ['markdown', 'html'])
      expect(
        (await here.run('plan', '--explain', 'alertConfigurations.some', '--format', format)).stdout,
      ).toContain('It is declared for payments, and leaves out ledger.')
  })

  it('with those that it names beside one another', async () => {
    const here = await start()
    const said = await explained(here, 'alertConfigurations.both')
    expect(fieldOf(said, 'projectIds')).toEqual([
      { is: 'declared', at: 'deploymgmt.yaml:9:23' },
      { is: 'project', name: 'projects.payments.id', at: 'deploymgmt.yaml:4:19' },
      { is: 'project', name: 'projects.ledger.id', at: 'deploymgmt.yaml:5:17', beside: true },
    ])
    expect(await printed(here, 'alertConfigurations.both')).toContain(
      ' ← projects.payments.id at deploymgmt.yaml:4:19, projects.ledger.id at deploymgmt.yaml:5:17\n',
    )
    expect(fieldOf(await explained(here, 'alertConfigurations.busy'), 'projectIds')).toEqual([
      { is: 'declared', at: 'deploymgmt.yaml:7:23' },
      { is: 'project', name: 'projects', at: 'deploymgmt.yaml:4:3' },
    ])
  })
})
