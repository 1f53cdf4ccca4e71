import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureWith, manifestWith, ORG, PROJECT } from '../support/installation.ts'
import { begin as beginCommand, writesIn } from '../support/scene.ts'
import {
  apiKey,
  everyKind,
  hostDown,
  integration,
  migration,
  noisy,
  paging,
  resource,
  text,
  user,
} from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured, type Workspace } from './support/workspace.ts'

const hex = (number: number): string => number.toString(16).padStart(8, '0')
const projectId = (index: number): string => `5c8100bcf2a30b12${hex(index)}`
const configurationId = (project: number, index: number): string => `5d11${hex(project)}${hex(index)}0000`

/** Ten projects with twenty alert configurations each. */
const large = () => {
  const fixture = fixtureWith() as { projects: object[] }
  const projects = Array.from({ length: 10 }, (_, project) => ({
    id: projectId(project),
    orgId: ORG,
    name: `project-${String(project)}`,
    alertConfigs: Array.from({ length: 20 }, (__, index) => ({
      id: configurationId(project, index),
      eventTypeName: 'HOST_DOWN',
      enabled: true,
    })),
  }))
  return { ...fixture, projects }
}

const many = `locals {
  configurations = merge([
    for project in range(10) : {
      for index in range(20) : format("%d-%d", project, index) => {
        project_id      = format("5c8100bcf2a30b12%08x", project)
        alert_config_id = format("5d11%08x%08x0000", project, index)
      }
    }
  ]...)
}
resource "deploymgmt_alert_configuration" "all" {
  for_each        = local.configurations
  project_id      = each.value.project_id
  alert_config_id = each.value.alert_config_id
  enabled         = true
}
`

const lists = async (here: Workspace): Promise<string[]> =>
  (await here.requests()).log
    .filter(({ method, status }) => method === 'GET' && status === 200)
    .map(({ path }) => path)

/**
 * The state after an apply of all of them: one is applied and copied. Terraform writes its whole state after each
 * resource, so applying all would only test its disk.
 */
const withMany = async (here: Workspace): Promise<void> => {
  await here.change(many.replace('range(10)', 'range(1)').replace('range(20)', 'range(1)'))
  const state = JSON.parse(await here.read('terraform.tfstate'))
  const [one] = state.resources[0].instances
  state.resources[0].instances = Array.from({ length: 200 }, (_, number) => {
    const [project, index] = [Math.floor(number / 20), number % 20]
    const moved = (json: string): string =>
      json
        .replaceAll(configurationId(0, 0), configurationId(project, index))
        .replaceAll(projectId(0), projectId(project))
    const kept = moved(Buffer.from(one.private, 'base64').toString())
    return {
      ...JSON.parse(moved(JSON.stringify(one))),
      index_key: `${String(project)}-${String(index)}`,
      private: Buffer.from(kept).toString('base64'),
    }
  })
  await writeFile(
    join(here.folder, 'terraform.tfstate'),
    JSON.stringify({ ...state, serial: state.serial + 1 }),
  )
  await here.configure(many)
}

describe.skipIf(noTerraform)('two hundred alert configurations in ten projects', () => {
  it('cost ten list requests a refresh, and one challenge', async () => {
    const here = await begin({ fixture: large() })
    await withMany(here)
    await here.forgetRequests()
    await here.expectNoChanges()
    const { log, counts } = await here.requests()
    expect(await lists(here)).toHaveLength(10)
    expect(counts['challenges']).toBe(1)
    expect(log).toHaveLength(11)
  })

  it('of which some were changed outside cost one reading of events more', async () => {
    const here = await begin({ fixture: large() })
    const few = many.replace('range(10)', 'range(2)').replace('range(20)', 'range(3)')
    await here.change(few)
    for (const [project, index] of [
      [0, 1],
      [1, 0],
      [1, 2],
    ] as const)
      await here.outside(
        'PATCH',
        `/groups/${projectId(project)}/alertConfigs/${configurationId(project, index)}`,
        { enabled: false },
      )
    await here.forgetRequests()
    const { changes } = await here.plan()
    expect(changes.filter(({ actions }) => actions.includes('update'))).toHaveLength(3)
    const paths = await lists(here)
    expect(paths.filter((path) => path.includes('/alertConfigs'))).toHaveLength(2)
    expect(paths.filter((path) => path.includes('/events'))).toHaveLength(1)
  })
})

/** Requests for each write, including everything else that Terraform asks for within the apply. */
const perWrite = async (here: Workspace): Promise<number> => {
  const { log } = await here.requests()
  const writes = log.filter(({ method }) => method !== 'GET').length
  expect(writes).toBe(30)
  return log.length / writes
}

describe.skipIf(noTerraform)('an apply of many writes', () => {
  it('costs little more than the writes, of what a list shows', async () => {
    const here = await begin({ fixture: large() })
    const few = many.replace('range(10)', 'range(2)').replace('range(20)', 'range(15)')
    await here.change(few)
    await here.configure(few.replace('= true', '= false'))
    await here.forgetRequests()
    await here.apply()
    expect(await perWrite(here)).toBeLessThan(1.3)
    await here.expectNoChanges()
  })

  it('costs little more than the writes, of what events alone tell of', async () => {
    const here = await configured(windows(30))
    await here.apply()
    expect(await perWrite(here)).toBeLessThan(1.3)
    await here.configure(windows(30).replaceAll('HOST", ', 'HOST", "AGENT", '))
    await here.forgetRequests()
    await here.apply()
    expect(await perWrite(here)).toBeLessThan(1.3)
    await here.expectNoChanges()
  })
})

const windows = (count: number): string =>
  Array.from({ length: count }, (_, index) => migration().replace('"migration"', `"w${String(index)}"`)).join(
    '',
  )

describe.skipIf(noTerraform)('a plan of every kind', () => {
  it('sends no more requests than the command’s, and one list a project', async () => {
    const here = await configured(everyKind())
    await here.apply()
    await here.forgetRequests()
    await here.expectNoChanges()
    const sent = (await here.requests()).log.length

    const command = await beginCommand()
    await command.manifest(manifestWith())
    expect(await command.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await command.forgetRequests()
    expect(await command.run('plan')).toMatchObject({ code: 0 })
    expect(sent).toBeLessThanOrEqual((await command.requests()).log.length + 1)
  })

  it('reads an organization’s events for things of different ages from the youngest on, and further back once', async () => {
    const here = await configured(apiKey() + windows(1))
    await here.apply()
    await here.control('POST', 'clock', { advance: 'PT240H' })
    await here.change(apiKey() + windows(3))
    await here.forgetRequests()
    await here.expectNoChanges()
    // Terraform decides which is asked for first.
    const readings = (await lists(here)).filter((path) => path.includes('/events'))
    expect(readings.length).toBeGreaterThan(0)
    expect(readings.length).toBeLessThan(3)
  })
})

describe.skipIf(noTerraform)('an organization of many events', () => {
  it('costs a plan of a fresh window two requests', async () => {
    const base = fixtureWith() as { organizations: object[] }
    const [organization, ...others] = base.organizations
    const now = Date.now()
    // From the last 30 days, except the last hour.
    const events = Array.from({ length: 6000 }, (_, index) => ({
      id: `6b0000000000${(6000 - index).toString(16).padStart(12, '0')}`,
      eventTypeName: 'ALERT_CONFIG_ADDED_AUDIT',
      created: new Date(now - 3_600_000 - index * 430_000).toISOString(),
    }))
    const here = await begin({
      fixture: { ...base, organizations: [{ ...organization, events }, ...others] },
    })
    await here.change(windows(1))
    await here.forgetRequests()
    await here.expectNoChanges()
    expect((await here.requests()).log.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2)
  })
})

/** What the service holds, without times and ids. */
const held = async (here: Pick<Workspace, 'control'>): Promise<unknown> => {
  const { organizations, projects, users } = await here.control('GET', 'dump')
  const plain = JSON.stringify({
    keys: organizations[0].apiKeys.map(({ desc, roles }: any) => ({ desc, roles })),
    configurations: projects[0].alertConfigs.map(({ id, enabled }: any) => ({ id, enabled })),
    windows: projects[0].maintenanceWindows.map(
      ({ alertTypeNames, startDate, endDate, description }: any) => ({
        alertTypeNames,
        startDate,
        endDate,
        description,
      }),
    ),
    integrations: projects[0].integrations.map(({ type }: any) => type),
    users: users.map(({ username, roles, invitations }: any) => ({ username, roles, invitations })),
  })
  // What was ended was ended now.
  return JSON.parse(plain.replaceAll(/202\d-\d\d-\d\dT[\d:.]+Z/g, 'now'))
}

const windowIds = /maintenanceWindows\/[0-9a-f]{24}|users\/[0-9a-f]{24}/g

describe.skipIf(noTerraform)('the same intent as a manifest and as HCL', () => {
  const later = {
    hcl: [
      apiKey({ desc: '"Reporting pipeline"', roles: '["ORG_READ_ONLY"]' }),
      user({ roles: '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]' }),
      hostDown({ enabled: 'false' }),
      migration({ description: '"Storage migration, again"' }),
      paging,
      integration('only', { only: '["PAGING"]', allow: '["delete"]' }),
    ].join(''),
    manifest: {
      apiKeys:
        '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting pipeline, roles: [ORG_READ_ONLY] }',
      users: `  dana: { username: dana@example.com, emailAddress: dana@example.com, firstName: Dana, lastName: Reyes, mobileNumber: "2125550198", password: { env: DANA_INITIAL_PASSWORD }, roles: [{ roleName: ORG_READ_ONLY, orgId: ${ORG} }] }`,
      alertConfigurations: '  host-down: { select: { eventTypeName: HOST_DOWN }, enabled: false }',
      maintenanceWindows:
        '  migration: { alertTypeNames: [HOST, REPLICA_SET], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: "Storage migration, again" }',
      integrations: '  paging: { type: PAGING }\n  only: { only: [PAGING] }',
    },
  }

  it('sends the same writes: to create and adopt, to change, and to release', async () => {
    const here = await begin()
    const command = await beginCommand()
    const steps: [string, string, string[]][] = [
      [everyKind(), manifestWith(), []],
      [later.hcl, manifestWith(later.manifest), ['--allow-delete']],
      [
        '',
        manifestWith(Object.fromEntries(Object.keys(later.manifest).map((name) => [name, '']))),
        ['--allow-mass-removal'],
      ],
    ]
    for (const [hcl, manifest, flags] of steps) {
      await here.change(hcl)
      await command.manifest(manifest)
      expect(await command.run('apply', '--auto-approve', ...flags)).toMatchObject({ code: 0 })
      const [ours, theirs] = [(await writesIn(here)).toSorted(), (await writesIn(command)).toSorted()]
      const same = (lines: string[]) =>
        lines.map((line) => line.replaceAll(windowIds, (found) => found.replace(/[0-9a-f]{24}/, 'ID')))
      expect(same(ours)).toEqual(same(theirs))
      expect(ours.length).toBeGreaterThan(0)
      expect(await held(here)).toEqual(await held(command))
      await here.forgetRequests()
      await command.forgetRequests()
    }
  })
})

describe.skipIf(noTerraform)('terraform test', () => {
  it('runs a test file against the provider', async () => {
    const here =
      await configured(`variable "enabled" {\n  type = bool\n  default = false\n}\n${noisy({ enabled: 'var.enabled', on_remove: '"restore"' })}
output "enabled" {\n  value = deploymgmt_alert_configuration.noisy.enabled\n}\n`)
    await mkdir(join(here.folder, 'tests'))
    await writeFile(
      join(here.folder, 'tests', 'noisy.tftest.hcl'),
      `run "turned_off" {
  assert {
    condition     = output.enabled == false && deploymgmt_alert_configuration.noisy.present
    error_message = "it is to be off"
  }
}
run "would_be_turned_on" {
  command = plan
  variables {
    enabled = true
  }
  assert {
    condition     = deploymgmt_alert_configuration.noisy.enabled
    error_message = "it would be on"
  }
}
`,
    )
    const { said } = await here.expect(0, 'test')
    expect(said).toContain('Success! 2 passed, 0 failed.')
    expect(await here.writes()).toHaveLength(2)
  })
})

describe.skipIf(noTerraform)('data that something to be created depends on', () => {
  it('is read once it is known', async () => {
    const here = await applied(
      `resource "terraform_data" "project" {\n  input = "${PROJECT}"\n}\n` +
        `data "deploymgmt_alert_configurations" "all" {\n  project_id = terraform_data.project.output\n}\n` +
        resource('alert_configuration', 'each', {
          for_each: 'toset(["5d1113b25a115342acc2d0f3"])',
          project_id: '"PROJECT_ID"',
          alert_config_id: 'each.value',
          enabled: 'length(data.deploymgmt_alert_configurations.all.results) == 2',
        }) +
        `output "total" {\n  value = data.deploymgmt_alert_configurations.all.total_count\n}\n`,
    )
    expect(JSON.parse((await here.expect(0, 'output', '-json')).stdout)).toMatchObject({
      total: { value: 2 },
    })
    expect(text('x')).toBe('"x"')
    await here.expectNoChanges()
  })
})
