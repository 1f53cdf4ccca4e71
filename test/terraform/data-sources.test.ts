import { dataSources } from '@deploymgmt/provider/data-sources'
import { describe, expect, it } from 'vitest'
import {
  alertConfigId,
  alertId,
  apiKeyId,
  globalAlertId,
  hostId,
  installation,
  organizationEventId,
  organizationKey,
  personalKey,
  projectEventId,
  secrets,
  userId,
} from '../provider/data-sources/support/installation.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured, type Workspace } from './support/workspace.ts'

/** Arguments of every data source, as HCL. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  alerts: 'project_id = "PROJECT_ID"\n  status = "OPEN"',
  alert: `project_id = "PROJECT_ID"\n  alert_id = "${alertId}"`,
  global_alert: `alert_id = "${globalAlertId}"`,
  alert_configurations: 'project_id = "PROJECT_ID"',
  alert_configuration: `project_id = "PROJECT_ID"\n  alert_config_id = "${alertConfigId}"`,
  automation_status: 'project_id = "PROJECT_ID"',
  agents: 'project_id = "PROJECT_ID"\n  type = "MONITORING"',
  disks: `project_id = "PROJECT_ID"\n  host_id = "${hostId}"`,
  integrations: 'project_id = "PROJECT_ID"',
  api_key_access_list: `org_id = "ORG_ID"\n  api_key_id = "${apiKeyId}"`,
  user_access_list_entry: `user_id = "${userId}"\n  access_list_entry = "203.0.113.5"`,
  organization_events: 'org_id = "ORG_ID"\n  min_date = "2026-11-01T00:00:00Z"\n  include_raw = true',
  organization_event: `org_id = "ORG_ID"\n  event_id = "${organizationEventId}"\n  include_raw = true`,
  project_event: `project_id = "PROJECT_ID"\n  event_id = "${projectEventId}"`,
}

const data = (name: string, more = ''): string =>
  `data "deploymgmt_${name}" "it" {\n  ${ARGUMENTS[name] ?? ''}${more}\n}\noutput "${name}" {\n  value = data.deploymgmt_${name}.it\n}\n`

const eventsWith = (bound: string): string =>
  `data "deploymgmt_organization_events" "it" {\n  org_id = "ORG_ID"\n  ${bound}\n}\noutput "it" {\n  value = data.deploymgmt_organization_events.it\n}\n`

const keys = {
  DEPLOYMGMT_PUBLIC_KEY: organizationKey.publicKey,
  DEPLOYMGMT_PRIVATE_KEY: organizationKey.privateKey,
}
/** The current user's own key: nobody else can see its access list. */
const ownKeys = {
  DEPLOYMGMT_PUBLIC_KEY: personalKey.publicKey,
  DEPLOYMGMT_PRIVATE_KEY: personalKey.privateKey,
}
const OWN = 'user_access_list_entry'

const outputs = async (here: Workspace): Promise<Record<string, any>> => {
  const read = JSON.parse((await here.expect(0, 'output', '-json')).stdout) as Record<string, { value: any }>
  return Object.fromEntries(Object.entries(read).map(([name, { value }]) => [name, value]))
}

describe.skipIf(noTerraform)('data sources', () => {
  it('can each be shown by an output, and are read anew by each plan', async () => {
    expect(Object.keys(ARGUMENTS).toSorted()).toEqual(dataSources.map(({ name }) => name).toSorted())
    const here = await begin({ fixture: installation, env: keys })
    const others = Object.keys(ARGUMENTS).filter((name) => name !== OWN)
    await here.change(others.map((name) => data(name)).join(''))
    const told = await outputs(here)
    expect(told['alerts']).toMatchObject({
      total_count: 1,
      results: [{ id: alertId, current_value: { number: 0, units: 'RAW' } }],
    })
    expect(told['alert']).toMatchObject({ alert_id: alertId, status: 'OPEN', tags: ['production'] })
    expect(told['global_alert']).toMatchObject({ alert_id: globalAlertId, status: 'OPEN' })
    expect(told['alert_configurations']).toMatchObject({
      total_count: 1,
      results: [{ id: alertConfigId, enabled: true }],
    })
    expect(told['alert_configuration']).toMatchObject({
      alert_config_id: alertConfigId,
      metric_threshold: { metric_name: 'CONNECTIONS', threshold: 0 },
      notifications: [{ type_name: 'GROUP', roles: ['GROUP_OWNER'] }, {}, {}, {}],
    })
    expect(told['automation_status']).toMatchObject({
      goal_version: 29,
      processes: [{ last_goal_version_achieved: 28, plan: ['Download', 'Start'] }],
    })
    expect(told['agents']).toMatchObject({ results: [{ type_name: 'MONITORING', ping_count: 7 }] })
    expect(told['disks']).toMatchObject({
      total_count: 2,
      results: [{ partition_name: 'xvda' }, { partition_name: 'xvdb' }],
    })
    expect(told['integrations']).toMatchObject({ total_count: 5 })
    expect(told['api_key_access_list']).toMatchObject({
      results: [{ cidr_block: '192.0.2.0/24', ip_address: null }, { cidr_block: '127.0.0.1/32' }],
    })
    expect(told['organization_events'].results[0].event_type_name).toBeTypeOf('string')
    expect(JSON.parse(told['organization_event'].raw)).toEqual({ note: 'not a contract' })
    expect(told['project_event']).toMatchObject({
      event_type_name: 'ALERT_CONFIG_DISABLED_AUDIT',
      diffs: [{ status: 'MODIFIED', params: [{ new: '27018' }] }],
    })

    const kept = (await here.read('terraform.tfstate')) + JSON.stringify(told)
    for (const secret of secrets) expect(kept).not.toContain(secret)
    // The last use of an agent and of a key changes with every reading.
    const moving = ['agents', 'api_key_access_list']
    const still = others.filter((name) => !moving.includes(name))
    await here.change(still.map((name) => data(name)).join(''))
    await here.expectNoChanges()
  })

  it('of the current user are read with the own key', async () => {
    const here = await applied(data(OWN), { fixture: installation, env: ownKeys })
    expect((await outputs(here))[OWN]).toMatchObject({ results: [{ cidr_block: '203.0.113.5/32' }] })
  })

  it('stop reading a list at its limit', async () => {
    const here = await applied(
      data('organization_events', '\n  limit = 3').replace('2026-11-01', '2026-01-01') +
        data('disks', '\n  limit = 1'),
      { fixture: installation, env: keys },
    )
    const told = await outputs(here)
    expect(told['organization_events'].results).toHaveLength(3)
    expect(told['organization_events'].total_count).toBeGreaterThan(1000)
    expect(told['disks'].results).toHaveLength(1)
  })

  it('of events demand a min_date or a limit, since their list only grows', async () => {
    const here = await configured(eventsWith(''), { fixture: installation, env: keys })
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(
      /Error: min_date or limit is required: otherwise each plan would read everything ever recorded/,
    )
    await here.change(eventsWith('limit = 3'))
    expect((await outputs(here))['it'].results).toHaveLength(3)
  })

  it('of events refuse a max_date before the min_date, as far as both are known', async () => {
    const events = data('organization_events', '\n  max_date = "2026-10-31T23:59:59Z"')
    const here = await configured(events, { fixture: installation, env: keys })
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(
      /"2026-10-31T23:59:59Z" is before "2026-11-01T00:00:00Z", so\s+nothing\s+is\s+between\s+them.*max_date = /,
    )
    const later = 'resource "terraform_data" "end" {\n  input = "2026-10-31T23:59:59Z"\n}\n'
    await here.configure(later + events.replace(/max_date = ".*"/, 'max_date = terraform_data.end.output'))
    await here.expect(0, 'validate')
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toContain('so nothing is between')
    await here.change(events.replace('2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z'))
  })

  it('say at the argument what is wrong with it, and what is not there', async () => {
    const here = await configured(data('agents').replace('MONITORING', 'MONITORIN'), {
      fixture: installation,
      env: keys,
    })
    const invalid = await here.expect(1, 'validate')
    expect(invalid.said).toMatch(/did you mean MONITORING\?.*type = "MONITORIN"/s)
    await here.configure(data('alert').replace(alertId, '5d1f2a3b4c5d6e7f80910000'))
    const absent = await here.expect(1, 'plan')
    expect(absent.said).toMatch(/DM-NOT-FOUND.*GET http.*\/alerts\/5d1f2a3b4c5d6e7f80910000 → 404/)
  })
})
