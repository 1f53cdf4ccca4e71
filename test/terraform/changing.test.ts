import { expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { OTHER_PROJECT, twoProjects } from '../support/one-kind.ts'
import { SAM } from '../support/people.ts'
import {
  apiKey,
  HOST_DOWN,
  hostDown,
  migration,
  NOISY,
  noisy,
  REPORTER,
  resource,
  text,
  user,
} from './support/hcl.ts'
import { describeTerraform } from './support/terraform.ts'
import { begin, withProvider, type Workspace } from './support/workspace.ts'

withProvider()

/** Writes since the last look. */
const newWrites = async (here: Workspace): Promise<string[]> => {
  const writes = await here.writes()
  await here.forgetRequests()
  return writes
}
const windowIn = async (here: Workspace): Promise<any[]> =>
  (await here.control('GET', 'dump')).projects.flatMap(({ maintenanceWindows }: any) => maintenanceWindows)

describeTerraform('spelling', () => {
  it.each([
    ['fractions of a second', '"2035-01-06T02:00:00.000Z"'],
    ['a zone', '"2035-01-06T03:00:00+01:00"'],
    ['no zone letter', '"2035-01-06T02:00:00+00:00"'],
  ])('of instants with %s is kept, and makes no change', async (_, start) => {
    const here = await begin()
    await here.configure(migration({ start_date: start }))
    await here.apply()
    expect(await here.state('maintenance_window.migration')).toMatchObject({ start_date: JSON.parse(start) })
    await here.expectNoChanges()
  })

  it('of an instant that is changed alone is taken over, and nothing is sent', async () => {
    const here = await begin()
    await here.configure(migration())
    await here.apply()
    await newWrites(here)
    await here.configure(migration({ start_date: '"2035-01-06T02:00:00+00:00"' }))
    await here.apply()
    expect(await newWrites(here)).toEqual([])
    await here.expectNoChanges()
  })

  it('of sets in another order, and of addresses in another form, makes no change', async () => {
    const here = await begin()
    const reversed = `[{ role_name = "GROUP_READ_ONLY", project_id = "PROJECT_ID" }, { org_id = "ORG_ID", role_name = "ORG_MEMBER" }]`
    await here.configure(
      user() + migration() + apiKey({ access_list: '["198.51.100.7/32", "192.0.2.0/24"]' }),
    )
    await here.apply()
    await here.expectNoChanges()
    await here.configure(
      user({ roles: reversed }) +
        migration({ alert_type_names: '["REPLICA_SET", "HOST"]' }) +
        apiKey({ access_list: '["192.0.2.0/24", "198.51.100.7/32"]' }),
    )
    await here.expectNoChanges()
  })
})

describeTerraform('attributes that are left out', () => {
  it('are the same as null, and are neither compared nor sent', async () => {
    const here = await begin()
    await here.configure(
      apiKey({ roles: 'null', access_list: 'null' }) +
        migration({ description: 'null' }) +
        noisy({ select: 'null', allow: 'null', on_remove: 'null' }),
    )
    await here.apply()
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
    await here.expectNoChanges()
  })

  it('are no longer sent once they are taken out', async () => {
    const here = await begin()
    await here.configure(apiKey() + user())
    await here.apply()
    await newWrites(here)
    await here.configure(apiKey({ roles: 'null' }) + user({ first_name: 'null' }))
    await here.apply()
    expect(await newWrites(here)).toEqual([])
    await here.expectNoChanges()
  })

  it('are an error at the attribute where nothing goes without them', async () => {
    const here = await begin()
    await here.configure(migration())
    await here.apply()
    await here.configure(migration({ end_date: 'null' }))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/end_date is needed to manage it/)
  })
})

describeTerraform('on_remove', () => {
  it('can be changed alone, and counts once it is applied', async () => {
    const here = await begin()
    await here.configure(noisy())
    await here.apply()
    await newWrites(here)
    await here.configure(noisy({ on_remove: '"restore"' }))
    const { changes } = await here.plan()
    expect(changes).toMatchObject([
      { actions: ['update'], before: { on_remove: 'forget' }, after: { on_remove: 'restore' } },
    ])
    await here.apply()
    expect(await newWrites(here)).toEqual([])
    await here.expectNoChanges()
    await here.configure('')
    await here.apply()
    expect(await newWrites(here)).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${NOISY}`])
  })

  it.each([
    ['an API key', apiKey(), /on_remove = "forget".* nothing is sent.* no call to delete an API key/],
    [
      'a user',
      user({ on_remove: '"revoke"' }),
      /on_remove = "revoke".* All roles are taken away.* no call to delete a user/,
    ],
    ['a window', migration(), /on_remove = "end".* The window ends now/],
    ['an alert configuration', noisy(), /on_remove = "forget"/],
  ])('is what the destroy of %s says at plan time', async (_, hcl, warning) => {
    const here = await begin()
    await here.configure(hcl)
    await here.apply()
    const { said } = await here.plan('-destroy')
    expect(said).toMatch(warning)
    await newWrites(here)
    await here.expect(0, 'destroy', '-auto-approve')
    const expected = /on_remove = "forget"/.test(said) ? 0 : 1
    expect(await newWrites(here)).toHaveLength(expected)
  })

  it('has to be one of the ways there are', async () => {
    const here = await begin()
    await here.configure(noisy({ on_remove: '"delete"' }))
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(/There are: forget, restore\./)
    expect(said).toMatch(/on main\.tf line \d+/)
  })
})

describeTerraform('what only a creation takes', () => {
  it('is an error at its attribute when it is changed, and never a replacement', async () => {
    const here = await begin()
    await here.configure(user())
    await here.apply()
    await here.configure(user({ last_name: '"Other"' }))
    const { said } = await here.expect(1, 'plan')
    expect(said).toMatch(/\d+: last_name = "Other"/)
    expect(said).toContain('last_name can be given by the creation alone')
  })

  it('is not needed any more once the user is there, nor is the password', async () => {
    const here = await begin()
    await here.configure(user())
    await here.apply()
    await here.configure(user({ password: 'null' }))
    await here.expectNoChanges()
    await here.configure(user({ password: '"another-canary"' }))
    await here.expectNoChanges()
  })
})

describeTerraform('a selector', () => {
  const configurations = (...more: object[]) => [
    { id: HOST_DOWN, eventTypeName: 'HOST_DOWN', enabled: true },
    { id: NOISY, eventTypeName: 'REPLICA_SET', enabled: true },
    ...more,
  ]
  const ADDED = '5d1113b25a115342acc2d1bb'

  it('shows what it stands for by id, and a drift of one of them', async () => {
    const here = await begin()
    await here.configure(hostDown())
    await here.apply()
    expect(await here.state('alert_configuration.host_down')).toMatchObject({
      configurations: { [HOST_DOWN]: true },
    })
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${HOST_DOWN}`, { enabled: false })
    const { changes, said } = await here.plan()
    expect(changes).toMatchObject([
      {
        before: { configurations: { [HOST_DOWN]: false } },
        after: { configurations: { [HOST_DOWN]: true } },
      },
    ])
    expect(said).toMatch(/changed outside of Terraform.*key "oncall"/)
    await here.expect(0, 'apply', 'saved.plan')
    await here.expectNoChanges()
  })

  it('takes on what it comes to match, and shows it before', async () => {
    const here = await begin()
    await here.configure(hostDown({ enabled: 'false' }))
    await here.apply()
    await newWrites(here)
    const added = { id: ADDED, eventTypeName: 'HOST_DOWN', enabled: true }
    const off = configurations(added).map((each) =>
      (each as any).id === HOST_DOWN ? { ...each, enabled: false } : each,
    )
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, off)
    const { changes } = await here.plan()
    expect(changes[0]?.before.configurations).toEqual({ [HOST_DOWN]: false, [ADDED]: true })
    expect(changes[0]?.after.configurations).toEqual({ [HOST_DOWN]: false, [ADDED]: false })
    await here.expect(0, 'apply', 'saved.plan')
    expect(await newWrites(here)).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${ADDED}`])
    await here.expectNoChanges()
  })

  it('releases what it no longer matches by its on_remove, and shows it before', async () => {
    const here = await begin({
      fixture: fixtureWith({
        alertConfigs: configurations({ id: ADDED, eventTypeName: 'HOST_DOWN', enabled: true }),
      }),
    })
    await here.configure(hostDown({ enabled: 'false', on_remove: '"restore"' }))
    await here.apply()
    await newWrites(here)
    const { projects } = await here.control('GET', 'dump')
    const moved = projects[0].alertConfigs.map((each: any) =>
      each.id === ADDED ? { ...each, eventTypeName: 'REPLICA_SET' } : each,
    )
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, moved)
    const { changes } = await here.plan()
    expect(changes[0]?.before.configurations).toEqual({ [HOST_DOWN]: false, [ADDED]: false })
    expect(changes[0]?.after.configurations).toEqual({ [HOST_DOWN]: false })
    await here.expect(0, 'apply', 'saved.plan')
    expect(await newWrites(here)).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${ADDED}`])
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await newWrites(here)).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${HOST_DOWN}`])
  })

  it('needs nothing done where what it stood for is gone, and warns once nothing is left', async () => {
    const here = await begin()
    await here.configure(hostDown({ on_remove: '"restore"' }))
    await here.apply()
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    const { said } = await here.expectNoChanges()
    expect(said).toMatch(/nothing at the service matches the selector/)
    await here.apply('-refresh-only')
    expect(await here.state('alert_configuration.host_down')).toMatchObject({
      present: false,
      configurations: {},
    })
  })

  it('that is edited stands for other things, which are written, and releases the former', async () => {
    const here = await begin()
    await here.configure(hostDown({ enabled: 'true', on_remove: '"restore"' }))
    await here.apply()
    await newWrites(here)
    await here.configure(
      hostDown({ enabled: 'false', on_remove: '"restore"', select: '{ event_type_name = "REPLICA_SET" }' }),
    )
    await here.apply()
    expect((await newWrites(here)).toSorted()).toEqual(
      [HOST_DOWN, NOISY].map((id) => `PATCH /groups/${PROJECT}/alertConfigs/${id}`).toSorted(),
    )
    expect(await here.state('alert_configuration.host_down')).toMatchObject({
      configurations: { [NOISY]: false },
    })
    await here.expectNoChanges()
  })
})

describeTerraform('a window', () => {
  it('that has ended is left alone, and makes no change', async () => {
    const here = await begin()
    await here.configure(migration())
    await here.apply()
    await newWrites(here)
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    await here.expectNoChanges()
    await here.apply('-refresh-only')
    expect(await here.state('maintenance_window.migration')).toMatchObject({ ended: true })
    await here.configure(migration({ description: '"Too late"' }))
    const { said } = await here.apply()
    expect(said).toContain('it has ended; nothing can change it')
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await newWrites(here)).toEqual([])
  })

  it('that has ended is made anew when its dates are moved into the future', async () => {
    const here = await begin()
    await here.configure(migration())
    await here.apply()
    const { id } = await here.state('maintenance_window.migration')
    await newWrites(here)
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    await here.configure(
      migration({ start_date: '"2036-01-06T02:00:00Z"', end_date: '"2036-01-06T04:00:00Z"' }),
    )
    await here.apply()
    expect(await newWrites(here)).toEqual([`POST /groups/${PROJECT}/maintenanceWindows/`])
    const after = await here.state('maintenance_window.migration')
    expect(after.ended).toBe(false)
    expect(after.id).not.toBe(id)
    await here.expectNoChanges()
  })

  it('that ends between plan and apply is not made anew behind the plan’s back', async () => {
    const here = await begin()
    await here.configure(migration())
    await here.apply()
    await newWrites(here)
    await here.configure(
      migration({ start_date: '"2037-01-06T02:00:00Z"', end_date: '"2037-01-06T04:00:00Z"' }),
    )
    await here.plan()
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toContain('Plan again.')
    expect(await newWrites(here)).toEqual([])
    await here.apply()
    expect(await newWrites(here)).toEqual([`POST /groups/${PROJECT}/maintenanceWindows/`])
  })

  it('that is over before it is created is not sent, and no change is left', async () => {
    const here = await begin()
    await here.configure(
      migration({ start_date: '"2020-01-06T02:00:00Z"', end_date: '"2020-01-06T04:00:00Z"' }),
    )
    const { said } = await here.apply()
    expect(said).toContain('already over')
    expect(await newWrites(here)).toEqual([])
    expect(await here.state('maintenance_window.migration')).toMatchObject({ id: null, ended: true })
    await here.expectNoChanges()
    await here.configure(migration())
    await here.apply()
    expect(await newWrites(here)).toEqual([`POST /groups/${PROJECT}/maintenanceWindows/`])
    await here.expectNoChanges()
  })

  it('whose project changes is replaced: the new one first, where the configuration says so', async () => {
    const here = await begin({ fixture: twoProjects() })
    const first = 'lifecycle {\n create_before_destroy = true\n}\n'
    await here.configure(migration({}, first))
    await here.apply()
    const [window] = await windowIn(here)
    await newWrites(here)
    await here.configure(migration({ project_id: text(OTHER_PROJECT) }, first))
    const { changes } = await here.plan()
    expect(changes).toMatchObject([{ actions: ['create', 'delete'] }])
    await here.expect(0, 'apply', 'saved.plan')
    expect(await newWrites(here)).toEqual([
      `POST /groups/${OTHER_PROJECT}/maintenanceWindows/`,
      `PATCH /groups/${PROJECT}/maintenanceWindows/${window.id}`,
    ])
    await here.expectNoChanges()
  })

  it('has a start before its end, which is said at the attribute', async () => {
    const here = await begin()
    await here.configure(migration({ end_date: '"2035-01-06T01:00:00Z"' }))
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(/\d+: end_date = /)
  })
})

describeTerraform('values that are not known before an apply', () => {
  it('are planned for all kinds, and known afterwards', async () => {
    const here = await begin({
      fixture: { ...fixtureWith(), users: [{ id: SAM, username: 'sam@example.com', roles: [] }] },
    })
    const unknown = (name: string, value: string) =>
      `resource "terraform_data" "${name}" {\n  input = ${value}\n}\n`
    await here.configure(
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
    )
    const { said } = await here.apply()
    expect(said).toContain('9 added')
    await here.expectNoChanges()
  })

  it('count as another selector, so that what it stands for is not known either', async () => {
    const here = await begin()
    await here.configure(hostDown({ select: '{ event_type_name = "HOST_DOWN" }' }))
    await here.apply()
    await here.configure(
      `resource "terraform_data" "metric" {\n  input = "CONNECTIONS"\n}\n` +
        hostDown({
          select: '{ event_type_name = "HOST_DOWN", metric_name = terraform_data.metric.output }',
          allow_empty: 'true',
        }),
    )
    await here.apply()
    expect(await here.state('alert_configuration.host_down')).toMatchObject({ configurations: {} })
    await here.expectNoChanges()
  })
})

describeTerraform('an apply that fails', () => {
  it('leaves in the state what was there, so that the next plan shows the change again', async () => {
    const here = await begin()
    await here.configure(apiKey())
    await here.apply()
    await here.configure(apiKey({ desc: '"Other"', roles: '["ORG_READ_ONLY"]' }))
    await here.control('POST', 'faults', {
      method: 'PATCH',
      path: '^/orgs',
      fault: 'status',
      status: 403,
      count: 5,
    })
    expect((await here.expect(1, 'apply', '-auto-approve')).said).toContain('DM-FORBIDDEN')
    await here.control('DELETE', 'faults')
    expect(await here.state('api_key.reporting')).toMatchObject({ desc: 'Reporting', roles: ['ORG_MEMBER'] })
    await here.apply()
    const { organizations } = await here.control('GET', 'dump')
    expect(organizations[0].apiKeys[2]).toMatchObject({
      desc: 'Other',
      roles: [{ roleName: 'ORG_READ_ONLY', orgId: ORG }],
    })
    await here.expectNoChanges()
  })

  it('with an unknown outcome asserts the values again, also where they were put back since', async () => {
    const here = await begin()
    await here.configure(apiKey())
    await here.apply()
    await here.configure(apiKey({ desc: '"Other"' }))
    await here.control('POST', 'faults', { method: 'PATCH', path: '^/orgs', fault: 'reset-after', count: 1 })
    const failed = await here.expect(1, 'apply', '-auto-approve')
    expect(failed.said).toMatch(/Whether the service carried it out is unknown/)
    await here.configure(apiKey())
    await newWrites(here)
    await here.apply()
    expect(await newWrites(here)).toHaveLength(1)
    const { organizations } = await here.control('GET', 'dump')
    expect(organizations[0].apiKeys[2].desc).toBe('Reporting')
    await here.expectNoChanges()
  })

  it('says of a creation without an answer how it is found', async () => {
    const here = await begin()
    await here.configure(migration())
    await here.control('POST', 'faults', {
      method: 'POST',
      path: '/maintenanceWindows',
      fault: 'reset-after',
      count: 1,
    })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said).toMatch(/may have been created.*organization's events.*terraform import/)
    const [window] = await windowIn(here)
    await here.expect(0, 'import', 'deploymgmt_maintenance_window.migration', `${PROJECT}/${window.id}`)
    await here.apply()
    expect(await windowIn(here)).toHaveLength(1)
    await here.expectNoChanges()
  })
})
