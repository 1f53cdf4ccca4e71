import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT, failing } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import { apiKey, hostDown, migration, NOISY, noisy, REPORTER, resource, text, user } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured, windowsIn } from './support/workspace.ts'

describe.skipIf(noTerraform)('spelling', () => {
  it.each([
    ['fractions of a second', '"2035-01-06T02:00:00.000Z"'],
    ['a zone', '"2035-01-06T03:00:00+01:00"'],
    ['no zone letter', '"2035-01-06T02:00:00+00:00"'],
  ])('of instants with %s is kept, and makes no change', async (_, start) => {
    const here = await applied(migration({ start_date: start }))
    expect(await here.state('maintenance_window.migration')).toMatchObject({ start_date: JSON.parse(start) })
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })

  it.each([
    ['an instant', migration(), migration({ start_date: '"2035-01-06T02:00:00+00:00"' })],
    [
      'addresses',
      apiKey({ access_list: '["192.0.2.0/24", "198.51.100.7/32"]' }),
      apiKey({ access_list: '["198.51.100.7", "192.0.2.0/24"]' }),
    ],
  ])('of %s that is changed alone makes no change', async (_, before, after) => {
    const here = await applied(before)
    await here.configure(after)
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })

  it('that is changed beside a value is no part of that change', async () => {
    const here = await applied(migration())
    await here.configure(
      migration({ start_date: '"2035-01-06T02:00:00+00:00"', description: '"Storage, second part"' }),
    )
    const { changes } = await here.plan()
    expect(changes).toMatchObject([{ after: { start_date: '2035-01-06T02:00:00Z' } }])
    await here.expect(0, 'apply', 'saved.plan')
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })

  it('of sets in another order, and of addresses in another form, makes no change', async () => {
    const here = await begin()
    const reversed = `[{ role_name = "GROUP_READ_ONLY", project_id = "PROJECT_ID" }, { org_id = "ORG_ID", role_name = "ORG_MEMBER" }]`
    await here.change(user() + migration() + apiKey({ access_list: '["198.51.100.7/32", "192.0.2.0/24"]' }))
    await here.expectNoChanges()
    await here.configure(
      user({ roles: reversed }) +
        migration({ alert_type_names: '["REPLICA_SET", "HOST"]' }) +
        apiKey({ access_list: '["192.0.2.0/24", "198.51.100.7/32"]' }),
    )
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })
})

const unknownIn = (changes: readonly { address: string; unknown: any }[]) =>
  Object.fromEntries(
    changes.map(({ address, unknown }) => [
      address,
      Object.keys(unknown).filter((name) => unknown[name] === true),
    ]),
  )

describe.skipIf(noTerraform)('the plan of an update', () => {
  it('knows what the update does not touch', async () => {
    const here = await applied(apiKey() + noisy() + migration())
    await here.configure(
      apiKey({ desc: '"Other"' }) + noisy({ enabled: 'true' }) + migration({ description: '"Other"' }),
    )
    expect(unknownIn((await here.plan()).changes)).toEqual({
      'api_key.reporting': ['evidence'],
      'alert_configuration.noisy': ['evidence'],
      'maintenance_window.migration': ['evidence'],
    })
    await here.expect(0, 'apply', 'saved.plan')
    await here.expectNoChanges()
  })

  it('leaves open whether a window has ended whose end is moved', async () => {
    const here = await applied(migration())
    await here.configure(migration({ end_date: '"2035-01-06T05:00:00Z"' }))
    expect(unknownIn((await here.plan()).changes)).toEqual({
      'maintenance_window.migration': ['ended', 'evidence'],
    })
  })
})

describe.skipIf(noTerraform)('attributes that are left out', () => {
  it('are the same as null, and are neither compared nor sent', async () => {
    const here = await applied(
      apiKey({ roles: 'null', access_list: 'null' }) +
        migration({ description: 'null' }) +
        noisy({ select: 'null', allow: 'null', on_remove: 'null' }),
    )
    await here.expectNoChanges()
    await here.configure(
      resource('api_key', 'reporting', {
        org_id: '"ORG_ID"',
        api_key_id: text(REPORTER),
        desc: '"Reporting"',
      }) +
        migration({ description: 'null' }) +
        noisy(),
    )
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })

  it('are no longer sent once they are taken out', async () => {
    const here = await applied(apiKey() + user())
    await here.change(apiKey({ roles: 'null' }) + user({ first_name: 'null' }))
    expect(await here.newWrites()).toEqual([])
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })

  it('are an error at the attribute where nothing goes without them', async () => {
    const here = await applied(migration())
    await here.configure(migration({ end_date: 'null' }))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/end_date is needed to manage it/)
  })
})

describe.skipIf(noTerraform)('on_remove', () => {
  it('can be changed alone, and counts once it is applied', async () => {
    const here = await applied(noisy())
    await here.configure(noisy({ on_remove: '"restore"' }))
    const { changes } = await here.plan()
    expect(changes).toMatchObject([
      { actions: ['update'], before: { on_remove: 'forget' }, after: { on_remove: 'restore' } },
    ])
    await here.apply()
    expect(await here.newWrites()).toEqual([])
    await here.expectNoChanges()
    await here.change('')
    expect(await here.newWrites()).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${NOISY}`])
  })

  it.each([
    ['an API key', apiKey(), /on_remove = "forget".* Nothing is sent.* no call to delete an API key/],
    [
      'a user',
      user({ on_remove: '"revoke"' }),
      /on_remove = "revoke".* All roles are removed.* no call to delete a user/,
    ],
    [
      'a window',
      migration(),
      /on_remove = "end".* Maintenance window \w+ \(2035-01-06T02:00:00Z to 2035-01-06T04:00:00Z\)\. The window ends within moments; one that has not begun is moved to now, for one second\. $/,
    ],
    [
      'a window without a description',
      migration({ description: 'null' }),
      /Maintenance window \w+ \(2035-01-06T02:00:00Z to 2035-01-06T04:00:00Z\)\. The window/,
    ],
    ['an alert configuration', noisy(), /on_remove = "forget"/],
  ])('is what the destroy of %s says at plan time', async (_, hcl, warning) => {
    const here = await applied(hcl)
    const { said } = await here.plan('-destroy')
    expect(said).toMatch(warning)
    await here.newWrites()
    await here.expect(0, 'destroy', '-auto-approve')
    const expected = /on_remove = "forget"/.test(said) ? 0 : 1
    expect(await here.newWrites()).toHaveLength(expected)
  })

  it.each([
    ['an API key', apiKey(), 'api_key.reporting', 'API key'],
    ['a window', migration(), 'maintenance_window.migration', 'Maintenance window'],
  ])(
    'is said of %s that is out of the configuration with its id: Terraform shows no address',
    async (_, hcl, address, title) => {
      const here = await applied(hcl)
      const { id } = await here.state(address)
      await here.configure('')
      expect((await here.plan()).said).toContain(`${title} ${id}`)
    },
  )

  it('has to be one of the ways there are', async () => {
    const here = await configured(noisy({ on_remove: '"delete"' }))
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(/Allowed: forget, restore\./)
    expect(said).toMatch(/on main\.tf line \d+/)
  })
})

describe.skipIf(noTerraform)('what only a creation takes', () => {
  it('is an error at its attribute when it is changed, and never a replacement', async () => {
    const here = await applied(user())
    await here.configure(user({ last_name: '"Other"' }))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/\d+: last_name = "Other"/)
    expect(said).toContain('last_name can only be given at creation')
  })

  it('is not needed any more once the user is there, nor is the password', async () => {
    const here = await applied(user())
    await here.configure(user({ password: 'null' }))
    await here.expectNoChanges()
    await here.configure(user({ password: '"another-canary"' }))
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })
})

const unknown = (name: string, value: string) =>
  `resource "terraform_data" "${name}" {\n  input = ${value}\n}\n`

describe.skipIf(noTerraform)('values that are not known before an apply', () => {
  it('are planned for all kinds, and known afterwards', async () => {
    const here = await configured(
      unknown('project', '"PROJECT_ID"') +
        unknown('type', '"HOST_DOWN"') +
        unknown('date', '"2035-01-06T04:00:00Z"') +
        unknown('desc', '"Reporting"') +
        unknown('password', '"Correct-Horse-7-canary"') +
        hostDown({
          project_id: 'terraform_data.project.output',
          select: '{ event_type_name = terraform_data.type.output }',
        }) +
        migration({ end_date: 'terraform_data.date.output', project_id: 'terraform_data.project.output' }) +
        apiKey({ desc: 'terraform_data.desc.output' }) +
        user({ password: 'terraform_data.password.output' }),
      {
        fixture: { ...fixtureWith(), users: [{ id: SAM, username: 'sam@example.com', roles: [] }] },
      },
    )
    const { said } = await here.apply()
    expect(said).toContain('9 added')
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })

  it('count as another selector, so that what it stands for is not known either', async () => {
    const here = await applied(hostDown({ select: '{ event_type_name = "HOST_DOWN" }' }))
    await here.change(
      `resource "terraform_data" "metric" {\n  input = "CONNECTIONS"\n}\n` +
        hostDown({
          select: '{ event_type_name = "HOST_DOWN", metric_name = terraform_data.metric.output }',
          allow_empty: 'true',
        }),
    )
    expect(await here.state('alert_configuration.host_down')).toMatchObject({ configurations: {} })
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })
})

describe.skipIf(noTerraform)('an apply that fails', () => {
  it('leaves in the state what was there, so that the next plan shows the change again', async () => {
    const here = await applied(apiKey())
    await here.configure(apiKey({ desc: '"Other"', roles: '["ORG_READ_ONLY"]' }))
    await failing(here, 'PATCH', '^/orgs', { fault: 'status', status: 403, count: 5 })
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toContain('DM-FORBIDDEN')
    await here.control('DELETE', 'faults')
    expect(await here.state('api_key.reporting')).toMatchObject({ desc: 'Reporting', roles: ['ORG_MEMBER'] })
    await here.apply()
    const { organizations } = await here.control('GET', 'dump')
    expect(organizations[0].apiKeys[2]).toMatchObject({
      desc: 'Other',
      roles: [{ roleName: 'ORG_READ_ONLY', orgId: ORG }],
    })
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })

  it('with an unknown outcome asserts the values again, also where they were put back since', async () => {
    const here = await applied(apiKey())
    await here.configure(apiKey({ desc: '"Other"' }))
    await here.control('POST', 'faults', { method: 'PATCH', path: '^/orgs', fault: 'reset-after', count: 3 })
    const failed = await here.expect(1, 'apply', '-auto-approve')
    expect(failed.said).toMatch(/Whether the service carried it out is unknown/)
    await here.configure(apiKey())
    await here.newWrites()
    await here.apply()
    expect(await here.newWrites()).toHaveLength(1)
    const { organizations } = await here.control('GET', 'dump')
    expect(organizations[0].apiKeys[2].desc).toBe('Reporting')
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })

  it('says of a creation without an answer how it is found where no events tell', async () => {
    const here = await configured(migration())
    await failing(here, 'POST', '/maintenanceWindows', { fault: 'reset-after', count: 1 })
    await failing(here, 'GET', '/events', { fault: 'status', status: 403, count: 20 })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/may have been created.*organization's events.*terraform import/)
    await here.control('DELETE', 'faults')
    const [window] = await windowsIn(here)
    await here.expect(0, 'import', 'deploymgmt_maintenance_window.migration', `${PROJECT}/${window.id}`)
    await here.apply()
    expect(await windowsIn(here)).toHaveLength(1)
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })
})
