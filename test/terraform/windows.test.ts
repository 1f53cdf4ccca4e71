import { describe, expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import { OTHER_PROJECT, twoProjects } from '../support/scene.ts'
import { migration, text } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, begin, configured, windowsIn } from './support/workspace.ts'

describe.skipIf(noTerraform)('a window', () => {
  it('that has ended is left alone, and makes no change', async () => {
    const here = await applied(migration())
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    await here.expectNoChanges()
    await here.apply('-refresh-only')
    expect(await here.state('maintenance_window.migration')).toMatchObject({ ended: true })
    await here.configure(migration({ description: 'sensitive("Too late")' }))
    const { said } = await here.apply()
    // Once for the plan and once for the apply, which plans once more; it says which window it is.
    expect(said.match(/it has ended; nothing can change it/g)).toHaveLength(1)
    const which = String.raw`Maintenance window \w{24} \(2035-01-06T02:00:00Z to 2035-01-06T04:00:00Z\)\. `
    expect(said).toMatch(new RegExp(`${which}Nothing is sent\\. \\(and one more similar`))
    const destroyed = await here.expect(0, 'destroy', '-auto-approve')
    expect(destroyed.said).toMatch(/Warning: Maintenance window: it has ended; a destroy sends nothing/)
    expect(destroyed.said).not.toContain('ends within moments')
    expect(destroyed.said.match(/it has ended/g)).toHaveLength(1)
    expect(destroyed.said).toMatch(new RegExp(which))
    // Terraform does not tell a provider what is sensitive.
    expect(said + destroyed.said).not.toContain('Too late')
    expect(await here.newWrites()).toEqual([])
  })

  it('that has ended and is taken out is said to need no request, also without a refresh in between', async () => {
    const here = await applied(migration())
    await here.newWrites()
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    await here.configure('')
    const { said } = await here.expect(0, 'plan')
    expect(said).toContain('it has ended; a destroy sends nothing')
    expect(said).not.toContain('ends within moments')
    await here.apply()
    expect(await here.newWrites()).toEqual([])
  })

  it('that has ended is made anew when its dates are moved into the future', async () => {
    const here = await applied(migration())
    const { id } = await here.state('maintenance_window.migration')
    await here.newWrites()
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    await here.change(migration({ start_date: '"2036-01-06T02:00:00Z"', end_date: '"2036-01-06T04:00:00Z"' }))
    expect(await here.newWrites()).toEqual([`POST /groups/${PROJECT}/maintenanceWindows/`])
    const after = await here.state('maintenance_window.migration')
    expect(after.ended).toBe(false)
    expect(after.id).not.toBe(id)
    await here.expectNoChanges()
  })

  it('that ends between plan and apply is not made anew behind the plan’s back', async () => {
    const here = await applied(migration())
    await here.configure(
      migration({ start_date: '"2037-01-06T02:00:00Z"', end_date: '"2037-01-06T04:00:00Z"' }),
    )
    await here.plan()
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toContain('Plan again.')
    expect(await here.newWrites()).toEqual([])
    await here.apply()
    expect(await here.newWrites()).toEqual([`POST /groups/${PROJECT}/maintenanceWindows/`])
  })

  it('that ends between the plan of its destroy and the apply needs no request, as the apply says', async () => {
    const here = await applied(migration())
    await here.newWrites()
    await here.expect(0, 'plan', '-destroy', '-out=saved.plan')
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    const { said } = await here.expect(0, 'apply', 'saved.plan')
    expect(said).toContain('Warning: Maintenance window: it has ended; nothing is sent')
    expect(said).not.toContain('declared')
    expect(await here.newWrites()).toEqual([])
  })

  it('whose end is left to others goes on as long as they say, and is ended by a destroy until then', async () => {
    const here = await applied(migration({}, 'lifecycle {\n  ignore_changes = [end_date]\n}\n'))
    await here.control('POST', 'clock', { advance: 'PT1M' })
    const { id } = await here.state('maintenance_window.migration')
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
      endDate: '2035-01-06T08:00:00Z',
    })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    // The answer to this apply shows their end.
    await here.apply()
    await here.control('POST', 'clock', { now: '2035-01-06T05:00:00Z' })
    await here.apply('-refresh-only')
    expect(await here.state('maintenance_window.migration')).toMatchObject({ end_date: null, ended: false })
    const { said } = await here.expect(0, 'destroy', '-auto-approve')
    expect(said).toContain('ends within moments')
    expect(await windowsIn(here)).toMatchObject([{ endDate: '2035-01-06T05:00:01Z' }])
  })

  it('that should have ended, and may have been prolonged, is ended by a destroy, whose plan says so', async () => {
    const here = await applied(migration())
    await here.control('POST', 'clock', { now: '2035-01-06T03:00:00Z' })
    const { id } = await here.state('maintenance_window.migration')
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
      endDate: '2035-01-06T08:00:00Z',
    })
    await here.control('POST', 'clock', { now: '2035-01-06T05:00:00Z' })
    expect((await here.plan()).said).toMatch(/it may have been prolonged; changed outside of Terraform/)
    for (const words of [
      ['plan', '-destroy'],
      ['destroy', '-auto-approve'],
    ]) {
      const { said } = await here.expect(0, ...words)
      expect(said).toContain('destroy does what on_remove = "end" says')
      expect(said).not.toContain('sends nothing')
    }
    expect(await windowsIn(here)).toMatchObject([{ endDate: expect.stringMatching('2035-01-06T05:00:0') }])
  })

  it('that somebody else has ended is one error of the apply that asserts it, and is made anew by the next', async () => {
    const here = await begin()
    await here.control('POST', 'clock', { now: '2035-01-06T02:30:00Z' })
    await here.change(migration())
    await here.control('POST', 'clock', { advance: 'PT5M' })
    const { id } = await here.state('maintenance_window.migration')
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
      endDate: '2035-01-06T02:36:00Z',
    })
    await here.control('POST', 'clock', { advance: 'PT5M' })
    const { said } = await here.expect(1, 'apply', '-auto-approve')
    expect(said.match(/Error: Maintenance window: it had ended/g)).toHaveLength(1)
    await here.apply()
    expect(await windowsIn(here)).toHaveLength(2)
    await here.expectNoChanges()
  })

  it('that is over before it is created is not sent, and no change is left', async () => {
    const here = await configured(
      migration({ start_date: '"2020-01-06T02:00:00Z"', end_date: '"2020-01-06T04:00:00Z"' }),
    )
    const { said } = await here.apply()
    expect(said.match(/Warning: .*?already over/g)).toHaveLength(1)
    expect(said).toContain(
      'Maintenance window 2020-01-06T02:00:00Z to 2020-01-06T04:00:00Z. Nothing is sent.',
    )
    expect(await here.newWrites()).toEqual([])
    expect(await here.state('maintenance_window.migration')).toMatchObject({ id: null, ended: true })
    await here.expectNoChanges()
    await here.change(migration())
    expect(await here.newWrites()).toEqual([`POST /groups/${PROJECT}/maintenanceWindows/`])
    await here.expectNoChanges()
  })

  it('that has ended is left alone in a plan already, where its new dates are over too', async () => {
    const here = await applied(migration())
    await here.control('POST', 'clock', { now: '2036-01-01T00:00:00Z' })
    await here.apply('-refresh-only')
    await here.configure(
      migration({ start_date: '"2035-02-06T02:00:00Z"', end_date: '"2035-02-06T04:00:00Z"' }),
    )
    const { said } = await here.plan()
    expect(said).toMatch(/Warning: Maintenance window: it has ended.*Nothing is sent\./)
    await here.expect(0, 'apply', 'saved.plan')
    await here.expectNoChanges()
  })

  it('that was never made and is destroyed is called by its dates, for it has no id', async () => {
    const here = await applied(
      migration({ start_date: '"2020-01-06T02:00:00Z"', end_date: '"2020-01-06T04:00:00Z"' }),
    )
    const { said } = await here.expect(0, 'destroy', '-auto-approve')
    expect(said).toContain('Maintenance window 2020-01-06T02:00:00Z to 2020-01-06T04:00:00Z.')
  })

  it('whose project changes is replaced: the new one first, where the configuration says so', async () => {
    const here = await begin({ fixture: twoProjects() })
    const first = 'lifecycle {\n create_before_destroy = true\n}\n'
    await here.change(migration({}, first))
    const [window] = await windowsIn(here)
    await here.newWrites()
    await here.configure(migration({ project_id: text(OTHER_PROJECT) }, first))
    const { changes } = await here.plan()
    expect(changes).toMatchObject([{ actions: ['create', 'delete'] }])
    await here.expect(0, 'apply', 'saved.plan')
    expect(await here.newWrites()).toEqual([
      `POST /groups/${OTHER_PROJECT}/maintenanceWindows/`,
      `PATCH /groups/${PROJECT}/maintenanceWindows/${window.id}`,
    ])
    await here.expectNoChanges()
  })

  it('of which one field is edited shows that one alone as a change', async () => {
    const here = await applied(migration())
    // The same instant and the same set, spelt differently.
    const spelt = { start_date: '"2035-01-06T03:00:00+01:00"', alert_type_names: '["REPLICA_SET", "HOST"]' }
    await here.configure(migration(spelt))
    await here.expectNoChanges()
    await here.configure(migration({ ...spelt, description: '"Other"' }))
    const { changes } = await here.plan()
    const [{ before, after }] = changes as any
    expect(after).toEqual({ ...before, description: 'Other', evidence: undefined })
    expect(changes[0]?.unknown).toMatchObject({ evidence: true })
    await here.expect(0, 'apply', 'saved.plan')
    await here.expectNoChanges()
  })

  it('has no schedule, for a plan must not look at the clock', async () => {
    const here = await configured(migration({ schedule: '{ rrule = "FREQ=DAILY" }' }))
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(/An argument named "schedule" is not expected here/)
  })

  it('has a start before its end, which is said at the attribute', async () => {
    const here = await configured(migration({ end_date: '"2035-01-06T01:00:00Z"' }))
    const { said } = await here.expect(1, 'validate')
    expect(said).toMatch(/\d+: end_date = /)
  })
})
