import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { install, ORG, PROJECT } from '../support/installation.ts'
import { begin } from './support/workspace.ts'
import { noTerraform } from './support/terraform.ts'
import { writesIn } from '../support/scene.ts'

const windowIn = (month: number, more: object): object => ({
  project_id: PROJECT,
  alert_type_names: ['HOST'],
  start_date: `2035-0${month}-06T02:00:00Z`,
  end_date: `2035-0${month}-06T04:00:00Z`,
  ...more,
})

/** References from a resource to a data source, from a data source to another, and from a resource to a new one. */
const STACK = {
  '//': { metadata: { backend: 'local', stackName: 'references', version: '0.21.0' } },
  provider: { deploymgmt: [{ org_id: ORG }] },
  terraform: { required_providers: { deploymgmt: { source: 'deploymgmt/deploymgmt' } } },
  locals: { project: PROJECT },
  data: {
    deploymgmt_alert_configurations: { all: { project_id: '${local.project}' } },
    deploymgmt_alert_configuration: {
      first: {
        project_id: PROJECT,
        alert_config_id: '${data.deploymgmt_alert_configurations.all.results[0].id}',
      },
    },
    deploymgmt_automation_status: { unused: { project_id: PROJECT } },
  },
  resource: {
    deploymgmt_alert_configuration: {
      first: {
        project_id: '${data.deploymgmt_alert_configuration.first.project_id}',
        alert_config_id: '${data.deploymgmt_alert_configuration.first.id}',
        enabled: true,
      },
    },
    deploymgmt_maintenance_window: {
      third: windowIn(3, { description: 'after ${deploymgmt_maintenance_window.second.id}' }),
      second: windowIn(2, { description: 'after ${deploymgmt_maintenance_window.first.id}' }),
      first: windowIn(1, {
        description: '${data.deploymgmt_alert_configurations.all.total_count} configurations',
      }),
    },
  },
}

type Held = { id: string; startDate: string; description: string }
/** The descriptions in order of time; each id is replaced by the window that it names. */
const told = (dump: { projects: { maintenanceWindows: Held[] }[] }): string[] => {
  const windows = dump.projects[0]?.maintenanceWindows ?? []
  const byTime = windows.toSorted((a, b) => a.startDate.localeCompare(b.startDate))
  const named = new Map(byTime.map(({ id }, index) => [id, `window ${index + 1}`]))
  return byTime.map(({ description }) =>
    description.replace(/[0-9a-f]{24}/, (id) => named.get(id) ?? 'another'),
  )
}

describe.skipIf(noTerraform)('a stack with references', () => {
  it('to data sources and to what is new sends the same by Terraform and by deploymgmt alone', async () => {
    const text = JSON.stringify(STACK)
    const terraform = await begin()
    await writeFile(join(terraform.folder, 'cdk.tf.json'), text)
    await terraform.expect(0, 'init', '-input=false')
    await terraform.forgetRequests()
    await terraform.expect(0, 'apply', '-auto-approve', '-input=false')
    const alone = await install()
    await writeFile(join(alone.folder, 'cdk.tf.json'), text)
    await alone.run('state', 'init', '-f', 'cdk.tf.json')
    await alone.forgetRequests()
    const applied = await alone.run('apply', '--auto-approve', '-f', 'cdk.tf.json')
    expect(`${applied.code} ${applied.stderr}`).toMatch(/^0 /)
    const [byTerraform, byUs] = await Promise.all(
      [terraform, alone].map(async (each) => ({
        // The two engines work in parallel, each in its own order.
        writes: (await writesIn(each)).toSorted(),
        told: told(await each.control('GET', 'dump')),
      })),
    )
    expect(byUs?.told).toEqual(['2 configurations', 'after window 1', 'after window 2'])
    expect(byUs).toEqual(byTerraform)
    expect((await alone.run('plan', '--detailed-exitcode', '-f', 'cdk.tf.json')).code).toBe(0)
    await terraform.expect(0, 'plan', '-detailed-exitcode', '-input=false')
    await alone.close()
  })
})
