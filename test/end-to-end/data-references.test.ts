import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSession } from '../../reconciler/state/index.ts'
import { ORG, PROJECT, type Installation } from '../support/installation.ts'
import { begin } from '../support/scene.ts'

let here: Installation

const FILE = 'cdk.tf.json'
const declared = async (parts: object): Promise<void> => {
  here = await begin()
  const stack = {
    '//': { metadata: { backend: 'local', stackName: 'test', version: '0.21.0' } },
    provider: { deploymgmt: [{ org_id: ORG }] },
    ...parts,
  }
  await writeFile(join(here.folder, FILE), JSON.stringify(stack, null, 2))
}
const windowOf = (description: string): object => ({
  deploymgmt_maintenance_window: {
    w: {
      project_id: PROJECT,
      alert_type_names: ['HOST'],
      start_date: '2035-01-06T02:00:00Z',
      end_date: '2035-01-06T04:00:00Z',
      description,
    },
  },
})
const data = {
  deploymgmt_alert_configurations: { all: { project_id: PROJECT } },
  deploymgmt_integrations: { all: { project_id: PROJECT } },
}
const paths = async (): Promise<string[]> =>
  (await here.requests()).log.filter(({ status }) => status !== 401).map(({ path }) => path)

describe('a reference to a data source', () => {
  it('is what the service tells, in plan, apply and drift, and what nothing refers to is not read', async () => {
    const text = 'was ${data.deploymgmt_alert_configurations.all.results[1].event_type_name}'
    await declared({ data, resource: windowOf(text) })
    const { document } = await here.json('plan', '-f', FILE)
    expect(document.changes[0].after.description).toBe('was REPLICA_SET')
    expect((await paths()).filter((path) => path.includes('alertConfigs'))).toHaveLength(1)
    expect((await paths()).filter((path) => path.includes('integrations'))).toEqual([])
    expect(await here.run('apply', '--auto-approve', '-f', FILE)).toMatchObject({ code: 0 })
    expect(await here.run('plan', '--detailed-exitcode', '-f', FILE)).toMatchObject({ code: 0 })
    expect(await here.run('drift', '-f', FILE)).toMatchObject({ code: 0 })
  })

  it('is read under the lock: what the command that has it is doing may change what it tells', async () => {
    await declared({
      data,
      resource: windowOf('${data.deploymgmt_alert_configurations.all.results[1].enabled}'),
    })
    const statePath = join(here.folder, 'deploymgmt.state.json')
    const expected = { name: 'test', baseUrl: here.env['DEPLOYMGMT_BASE_URL'] ?? '' }
    const other = await openSession({ statePath, expect: expected, command: 'apply' })
    await here.forgetRequests()
    const refused = await here.run('apply', '--auto-approve', '-f', FILE)
    await other.close()
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-LOCKED') })
    expect(await paths()).toEqual([])
  })

  it('passes validate, which sends nothing', async () => {
    await declared({ data, resource: windowOf('${data.deploymgmt_alert_configurations.all.total_count}') })
    expect(await here.run('validate', '-f', FILE)).toMatchObject({ code: 0 })
    expect(await paths()).toEqual([])
  })

  it('in a saved plan has to tell the same when it is applied', async () => {
    await declared({
      data,
      resource: windowOf('${data.deploymgmt_alert_configurations.all.results[0].enabled}'),
    })
    await here.run('plan', '--out', 'plan.bin', '-f', FILE)
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d0f3`, { enabled: true })
    const { code, stderr } = await here.run('apply', 'plan.bin', '--auto-approve')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-PLAN-STALE')
  })

  it.each([
    ['${data.deploymgmt_alert_configurations.all.results[7].id}', 'tells no results[7]: it found 2'],
    [
      '${data.deploymgmt_alert_configurations.all.results[0].metric_threshold.units}',
      'tells no results[0].metricThreshold',
    ],
    ['${data.deploymgmt_alert_configurations.all.result}', 'has no attribute result there'],
    [
      '${data.deploymgmt_alert_configurations.none.total_count}',
      'there is no data source deploymgmt_alert_configurations.none',
    ],
    ['${data.deploymgmt_alert_configurations.all.results}', 'is a list, which cannot stand here'],
    ['${data.deploymgmt_alert_configurations.all.results[*].id}', 'is worked out by Terraform'],
    ['${data.aws_ami.x.id}', 'is not a data source of this provider'],
    [
      '${data.terraform_remote_state.cross-stack-reference-input-other.outputs.id}',
      'refers to another stack; use the value itself in the program',
    ],
  ])('%s is an error at its JSON path', async (text, message) => {
    await declared({ data, resource: windowOf(text) })
    const { code, stderr } = await here.run('plan', '-f', FILE)
    expect(code).toBe(1)
    expect(stderr).toContain('resource.deploymgmt_maintenance_window.w.description')
    expect(stderr).toContain(message)
  })

  it.each([
    ['that is not valid', { project_id: '../x' }, 'project_id "../x" cannot be an id'],
    ['that is missing', {}, 'project_id is required'],
    [
      'that nothing tells before an apply',
      { project_id: '${deploymgmt_maintenance_window.w.id}' },
      'maintenanceWindows.w is not recorded yet',
    ],
    [
      'that leads back to itself',
      { project_id: '${data.deploymgmt_alert_configurations.all.results[0].id}' },
      'data sources refer to one another in a circle',
    ],
  ])('with an argument %s is an error at the data source, and nothing is sent', async (_, body, message) => {
    await declared({
      data: { deploymgmt_alert_configurations: { all: body } },
      resource: windowOf('${data.deploymgmt_alert_configurations.all.total_count}'),
    })
    const { code, stderr } = await here.run('plan', '-f', FILE)
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(stderr).toContain('data.deploymgmt_alert_configurations.all')
    expect(stderr).toContain(message)
    expect(await paths()).toEqual([])
  })

  it.each([
    [
      'another data source',
      { b: { project_id: '${data.deploymgmt_alert_configurations.all.results[0].id}' } },
      '${data.deploymgmt_alert_configurations.b.results[0].id}',
      'data.deploymgmt_alert_configurations.all → data.deploymgmt_alert_configurations.b → data.deploymgmt_alert_configurations.all',
    ],
    [
      'a resource',
      {},
      '${deploymgmt_maintenance_window.w.description}',
      'data.deploymgmt_alert_configurations.all → data.deploymgmt_alert_configurations.all',
    ],
  ])('that leads back by way of %s is an error offline, too', async (_, others, project_id, circle) => {
    await declared({
      data: { deploymgmt_alert_configurations: { all: { project_id }, ...others } },
      resource: windowOf('${data.deploymgmt_alert_configurations.all.results[0].id}'),
    })
    for (const command of ['validate', 'plan']) {
      const { code, stderr } = await here.run(command, '-f', FILE)
      expect({ code, said: stderr.replaceAll(/\s+/g, ' ') }).toEqual({
        code: 1,
        said: expect.stringContaining(`data sources refer to one another in a circle: ${circle}`),
      })
    }
    expect(await paths()).toEqual([])
  })

  it('is not taken for a variable: each is explained by what gives it', async () => {
    await declared({
      variable: { why: { type: 'string' }, note: { type: 'string' } },
      resource: windowOf('${var.why} ${var.note}'),
    })
    here.env['TF_VAR_why'] = 'from outside'
    const words = ['plan', '-f', FILE, '--var', 'note=said', '--explain', 'maintenanceWindows.w']
    expect((await here.run(...words)).stdout).toMatch(
      /description +\S+ ← var\.why from TF_VAR_why, var\.note from --var/,
    )
    const { document } = await here.json(...(words as [string]))
    const { from } = document.explained.values.find(({ field }: any) => field === 'description')
    expect(from.slice(1)).toEqual([
      { is: 'environment', name: 'var.why' },
      { is: 'command-line', name: 'var.note', beside: true },
    ])
  })

  it('beside another error reads nothing: all that is wrong is said first', async () => {
    await declared({
      data,
      resource: {
        ...windowOf('${data.deploymgmt_alert_configurations.all.total_count}'),
        deploymgmt_integration: { x: { project_id: PROJECT, type: 'PAGINGS' } },
      },
    })
    const { code, stderr } = await here.run('plan', '-f', FILE)
    expect(code).toBe(1)
    expect(stderr).toContain('did you mean PAGING?')
    expect(await paths()).toEqual([])
  })

  it('that the service does not know fails the plan with its path', async () => {
    await declared({
      data: { deploymgmt_alert_configurations: { all: { project_id: '5c8100bcf2a30b12ff882999' } } },
      resource: windowOf('${data.deploymgmt_alert_configurations.all.total_count}'),
    })
    const { code, stderr } = await here.run('plan', '-f', FILE)
    expect(code).toBe(1)
    expect(stderr).toContain('DM-NOT-FOUND')
    expect(stderr).toContain('/groups/5c8100bcf2a30b12ff882999/alertConfigs')
  })
})
