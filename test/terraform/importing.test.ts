import { describe, expect, it } from 'vitest'
import { failing, fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import { apiKey, migration, NOISY, noisy, paging, REPORTER, resource, text } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured, windowsIn } from './support/workspace.ts'

const samUser = (more: Record<string, string>) =>
  resource('user', 'sam', { roles: '[{ role_name = "ORG_READ_ONLY", org_id = "ORG_ID" }]', ...more })

describe.skipIf(noTerraform)('an import', () => {
  it('of what can be read brings its values, and leaves nothing to do', async () => {
    const here = await configured(noisy({ enabled: 'true' }) + paging)
    await here.expect(0, 'import', 'deploymgmt_alert_configuration.noisy', `${PROJECT}/${NOISY}`)
    await here.expect(0, 'import', 'deploymgmt_integration.paging', `${PROJECT}/PAGING`)
    await here.expectNoChanges()
    expect(await here.state('alert_configuration.noisy')).toMatchObject({
      enabled: true,
      evidence: 'read',
      present: true,
    })
    expect(await here.writes()).toEqual([])
  })

  it('of what cannot be read brings ids and nulls with a warning, and the next apply updates in place', async () => {
    const sam = { id: SAM, username: 'sam@example.com', roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }] }
    const here = await begin({ fixture: { ...fixtureWith(), users: [sam] } })
    const made = await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, {
      alertTypeNames: ['HOST'],
      startDate: '2035-01-01T00:00:00Z',
      endDate: '2035-01-02T00:00:00Z',
    })
    await here.configure(apiKey() + migration() + samUser({}))
    const key = await here.expect(0, 'import', 'deploymgmt_api_key.reporting', `${ORG}/${REPORTER}`)
    expect(key.said).toMatch(
      /known only by its id.*The next apply writes what is configured; the rest\s+stays unknown\./,
    )
    await here.expect(0, 'import', 'deploymgmt_maintenance_window.migration', `${PROJECT}/${made.id}`)
    await here.expect(0, 'import', 'deploymgmt_user.sam', SAM)
    expect(await here.state('api_key.reporting')).toMatchObject({
      evidence: 'unknown',
      desc: null,
      roles: null,
    })
    expect(await here.state('user.sam')).toMatchObject({
      user_id: SAM,
      id: SAM,
      evidence: 'unknown',
      roles: null,
    })

    expect((await here.expect(1, 'plan')).said).toContain('adopting needs roles_complete = true')
    await here.configure(apiKey() + migration() + samUser({ roles_complete: 'true' }))
    const { changes } = await here.plan()
    expect(changes.map(({ actions }) => actions)).toEqual([['update'], ['update'], ['update']])
    await here.expect(0, 'apply', 'saved.plan')
    await here.expectNoChanges()
    expect(await here.state('maintenance_window.migration')).toMatchObject({
      id: made.id,
      evidence: 'recorded',
    })
    const [window] = await windowsIn(here)
    expect(window.description).toBe('Storage migration')
  })

  it('of a key reads its access list, which then is compared with what is configured', async () => {
    const here = await configured(apiKey({ access_list: '["198.51.100.7", "192.0.2.0/24"]' }))
    await here.expect(0, 'import', 'deploymgmt_api_key.reporting', `${ORG}/${REPORTER}`)
    const told = ['192.0.2.0/24', '198.51.100.7/32']
    expect(await here.state('api_key.reporting')).toMatchObject({ access_list: told, evidence: 'unknown' })
    const { changes } = await here.plan()
    expect(changes).toMatchObject([{ before: { access_list: told }, after: { access_list: told } }])
    await here.configure(apiKey({ access_list: '["192.0.2.0/24"]' }))
    expect((await here.expect(1, 'plan')).said).toMatch(/Error: access_list also has 198\.51\.100\.7\/32/)
    await here.configure(apiKey())
    expect((await here.apply()).said).not.toContain('no longer declared')
    expect(await here.state('api_key.reporting')).toMatchObject({ access_list: null, evidence: 'recorded' })
    await here.expectNoChanges()
  })

  it.each([
    ['its access list alone is', { access_list: '["198.51.100.7", "192.0.2.0/24"]' }],
    ['nothing of it is', {}],
  ])(
    'of a key of which %s configured is told once what cannot be shown, and never again',
    async (_, given) => {
      const key = { org_id: '"ORG_ID"', api_key_id: text(REPORTER), ...given }
      const here = await configured(resource('api_key', 'reporting', key))
      const imported = await here.expect(0, 'import', 'deploymgmt_api_key.reporting', `${ORG}/${REPORTER}`)
      expect(imported.said.match(/known only by its id/g)).toHaveLength(1)
      for (const words of [
        ['plan'],
        ['apply', '-auto-approve'],
        ['plan'],
        ['apply', '-refresh-only', '-auto-approve'],
      ])
        expect((await here.expect(0, ...words)).said).not.toContain('Warning')
      await here.expectNoChanges()
      expect(await here.writes()).toEqual([])
    },
  )

  it('by a block is told what cannot be shown until it is done, and not afterwards', async () => {
    const key = resource('api_key', 'reporting', {
      org_id: '"ORG_ID"',
      api_key_id: text(REPORTER),
      access_list: '["198.51.100.7", "192.0.2.0/24"]',
    })
    const block = `import {\n  to = deploymgmt_api_key.reporting\n  id = "${ORG}/${REPORTER}"\n}\n`
    const here = await configured(key + block)
    expect((await here.expect(0, 'plan')).said.match(/known only by its id/g)).toHaveLength(1)
    expect((await here.apply()).said.match(/known only by its id/g)).toHaveLength(1)
    expect((await here.expectNoChanges()).said).not.toContain('Warning')
  })

  it('of a key whose access list may not be read goes on without it', async () => {
    const here = await configured(apiKey())
    await failing(here, 'GET', '/accessList', { fault: 'status', status: 403, count: 5 })
    await here.expect(0, 'import', 'deploymgmt_api_key.reporting', `${ORG}/${REPORTER}`)
    expect(await here.state('api_key.reporting')).toMatchObject({ access_list: null })
  })

  it('of a key that is not there fails, also where nothing of it is configured', async () => {
    const gone = '5c47503320eef5699e1c0000'
    const here = await configured(
      resource('api_key', 'reporting', { org_id: '"ORG_ID"', api_key_id: text(gone) }),
    )
    const { said } = await here.expect(1, 'import', 'deploymgmt_api_key.reporting', `${ORG}/${gone}`)
    expect(said).toContain('Cannot import non-existent remote object')
  })

  it('of a window that is to stay as it is shows a change until the first apply, which writes nothing', async () => {
    const here = await applied(migration())
    const { id } = await here.state('maintenance_window.migration')
    await here.expect(0, 'state', 'rm', 'deploymgmt_maintenance_window.migration')
    await here.configure(migration({}, '  lifecycle {\n    ignore_changes = all\n  }\n'))
    await here.expect(0, 'import', 'deploymgmt_maintenance_window.migration', `${PROJECT}/${id}`)
    await here.newWrites()
    await here.expect(2, 'plan', '-detailed-exitcode')
    await here.apply()
    await here.expectNoChanges()
    expect(await here.newWrites()).toEqual([])
    expect(await here.state('maintenance_window.migration')).toMatchObject({
      evidence: 'unknown',
      ended: null,
    })
  })

  it('of a window that is not there is a change that fails, and never nothing to do', async () => {
    const here = await configured(migration())
    const gone = `${PROJECT}/5d1113b25a115342acc20000`
    await here.expect(0, 'import', 'deploymgmt_maintenance_window.migration', gone)
    for (const times of [0, 1]) {
      const { changes, said } = await here.plan()
      expect(said.split('not found at the service')).toHaveLength(times + 1)
      expect(changes).toMatchObject([
        {
          actions: ['update'],
          before: { alert_type_names: null, start_date: null, end_date: null, description: null },
        },
      ])
      expect((await here.expect(1, 'apply', 'saved.plan')).said).toContain('not found at the service')
    }
    await here.configure(migration({}, '  lifecycle {\n    ignore_changes = all\n  }\n'))
    await here.expect(2, 'plan', '-detailed-exitcode')
  })

  it('of what is not there fails, as does an id of another shape', async () => {
    const here = await configured(noisy() + apiKey())
    const absent = await here.expect(
      1,
      'import',
      'deploymgmt_alert_configuration.noisy',
      `${PROJECT}/5d1113b25a115342acc2d999`,
    )
    expect(absent.said).toMatch(/Cannot import non-existent remote object/)
    const shape = await here.expect(1, 'import', 'deploymgmt_api_key.reporting', REPORTER)
    expect(shape.said).toContain('It is ORG_ID/API_KEY_ID; ')
  })

  it('quotes a wrong id as it was typed, also where the project that it names has a name', async () => {
    const here = await begin()
    await here.configure(noisy(), `provider "deploymgmt" {\n  projects = { payments = "${PROJECT}" }\n}\n`)
    const { said } = await here.expect(1, 'import', 'deploymgmt_alert_configuration.noisy', PROJECT)
    expect(said).toContain(`"${PROJECT}" is not an import id`)
    expect(said).toContain(`${PROJECT} is the project payments.`)
  })

  it.each([
    [
      'user',
      'sam',
      'ANYTHING',
      /"ANYTHING" does not look like .*The import id is USER_ID; USER_ID is 24 hexa/,
    ],
    ['user', 'sam', `${SAM}/${SAM}`, /It is USER_ID; USER_ID is 24 hexadecimal digits\./],
    [
      'maintenance_window',
      'migration',
      `payments/${NOISY}`,
      /"payments" does not look like .*The import id is PROJECT_ID\/ID; PROJECT_ID and ID are 24 hexadecimal digits each\./,
    ],
    ['api_key', 'reporting', `${ORG}/abcdefgh`, /"abcdefgh" does not look like .* is ORG_ID\/API_KEY_ID; /],
    [
      'alert_configuration',
      'noisy',
      `${PROJECT}/z`,
      /"z" does not look like .* is PROJECT_ID\/ALERT_CONFIG_ID; /,
    ],
    [
      'integration',
      'paging',
      'payments/PAGING',
      /"payments" does not look like .* is PROJECT_ID\/TYPE; PROJECT_ID is/,
    ],
    ['integration', 'paging', `${PROJECT}/PAGIN`, /"PAGIN" is not a known .* PAGING.*is PROJECT_ID\/TYPE; /],
  ])(
    'of a %s refuses an id of another form, and says which it has to be: %s %s',
    async (kind, name, id, words) => {
      const here = await configured(migration() + noisy() + apiKey() + paging + samUser({}))
      await here.forgetRequests()
      expect((await here.expect(1, 'import', `deploymgmt_${kind}.${name}`, id)).said).toMatch(words)
      expect((await here.requests()).log.filter(({ status }) => status !== 401)).toEqual([])
      expect(await here.state(`${kind}.${name}`)).toBeUndefined()
    },
  )

  it('of two parts of another form says both', async () => {
    const here = await configured(migration())
    const { said } = await here.expect(
      1,
      'import',
      'deploymgmt_maintenance_window.migration',
      'payments/weekly',
    )
    expect(said).toMatch(/"payments" does not look like .*"weekly" does not look like/)
  })

  it('generates a configuration of what can be read, which is valid and leaves nothing to do', async () => {
    const here = await configured(
      [
        ['alert_configuration', 'noisy', `${PROJECT}/${NOISY}`],
        ['integration', 'paging', `${PROJECT}/PAGING`],
      ]
        .map(([kind, name, id]) => `import {\n  to = deploymgmt_${kind}.${name}\n  id = "${id}"\n}\n`)
        .join(''),
    )
    await here.expect(0, 'plan', '-generate-config-out=generated.tf')
    const generated = await here.read('generated.tf')
    expect(generated).toMatch(/enabled += true/)
    expect(generated).toMatch(/ensure += "present"/)
    expect((await here.apply()).said).toContain('2 imported, 0 added, 0 changed, 0 destroyed')
    await here.expectNoChanges()
    expect(await here.writes()).toEqual([])
  })

  it('of a window is ended by a destroy, and is let go where it had ended', async () => {
    const here = await begin()
    const make = (endDate: string): Promise<{ id: string }> =>
      here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, {
        alertTypeNames: ['HOST'],
        startDate: '2026-01-01T00:00:00Z',
        endDate,
      })
    const [running, over] = [await make('2036-01-01T00:00:00Z'), await make('2035-01-01T00:00:00Z')]
    await here.control('POST', 'clock', { now: '2035-06-01T00:00:00Z' })
    const future = { start_date: '"2036-01-06T02:00:00Z"', end_date: '"2036-01-06T04:00:00Z"' }
    await here.configure(migration(future) + migration(future).replace('"migration"', '"over"'))
    await here.expect(0, 'import', 'deploymgmt_maintenance_window.migration', `${PROJECT}/${running.id}`)
    await here.expect(0, 'import', 'deploymgmt_maintenance_window.over', `${PROJECT}/${over.id}`)
    expect((await here.expect(0, 'destroy', '-auto-approve')).said).toContain('2 destroyed')
    const windows = await windowsIn(here)
    for (const { endDate } of windows) expect(endDate < '2035-06-01T00:10:00Z').toBe(true)
  })

  it('that is destroyed before anything was applied sends nothing that could not be known', async () => {
    const here = await configured(apiKey() + noisy({ on_remove: '"restore"' }))
    await here.expect(0, 'import', 'deploymgmt_api_key.reporting', `${ORG}/${REPORTER}`)
    await here.expect(0, 'import', 'deploymgmt_alert_configuration.noisy', `${PROJECT}/${NOISY}`)
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await here.writes()).toEqual([])
  })
})

it.skipIf(noTerraform)(
  'an id in capitals is refused with the one that is meant, since it would be another thing',
  async () => {
    const [capitals, meant] = ['5D1113B25A115342ACC2D1AA', '5d1113b25a115342acc2d1aa']
    const here = await configured(noisy({ alert_config_id: `"${capitals}"` }))
    expect((await here.expect(1, 'validate')).said).toMatch(
      new RegExp(
        `"${capitals}" has capital letters, which the ids of this API never have; did you mean .?${meant}`,
      ),
    )
    const imported = await here.expect(
      1,
      'import',
      'deploymgmt_alert_configuration.noisy',
      `5c8100bcf2a30b12ff88258f/${capitals}`,
    )
    expect(imported.said).toContain('has capital letters')
  },
)
