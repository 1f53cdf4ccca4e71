import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { LEDGER } from '../support/people.ts'
import { HOST_DOWN, hostDown, integration, NOISY } from './support/hcl.ts'
import { noTerraform } from './support/terraform.ts'
import { applied, configured, type Workspace } from './support/workspace.ts'

const configurations = (...more: object[]) => [
  { id: HOST_DOWN, eventTypeName: 'HOST_DOWN', enabled: true },
  { id: NOISY, eventTypeName: 'REPLICA_SET', enabled: true },
  ...more,
]

const turnOff = (here: Workspace, id: string) =>
  here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled: false })

const matching = (...fields: string[]): string => {
  const matchers = fields.map((name) => `{ field_name = "${name}" }`).join(', ')
  return hostDown({ select: `{ event_type_name = "HOST_DOWN", matchers = [${matchers}] }` })
}

describe.skipIf(noTerraform)('a selector', () => {
  it('whose matchers are in another order is no other one', async () => {
    const matchers = [
      { fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1.example.com' },
      { fieldName: 'PORT', operator: 'EQUALS', value: '27017' },
    ]
    const alertConfigs = [{ id: HOST_DOWN, eventTypeName: 'HOST_DOWN', enabled: false, matchers }]
    const here = await applied(matching('HOSTNAME', 'PORT'), { fixture: fixtureWith({ alertConfigs }) })
    await here.configure(matching('PORT', 'HOSTNAME'))
    expect((await here.expectNoChanges()).said).toContain('No changes.')
  })

  const ADDED = '5d1113b25a115342acc2d1bb'

  it('shows what it stands for by id, and a drift of one of them', async () => {
    const here = await applied(hostDown())
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

  it('says of what it is to stand for what the first apply changes, by id', async () => {
    const here = await configured(
      hostDown({
        enabled: 'false',
        select: '{ matchers = [{ field_name = "x", operator = "EQUALS", value = "y" }] }',
      }),
      {
        fixture: fixtureWith({
          alertConfigs: configurations({ id: ADDED, eventTypeName: 'HOST_DOWN', enabled: false }).map(
            (each) => ({
              ...each,
              matchers: [{ fieldName: 'x', operator: 'EQUALS', value: 'y' }],
            }),
          ),
        }),
      },
    )
    const { said } = await here.plan()
    expect(said).toContain('Alert configuration: the selector matches 2 that the apply changes')
    for (const id of [HOST_DOWN, NOISY])
      expect(said).toMatch(new RegExp(`${id} \\([^)]+\\): enabled true -> false`))
    expect(said).not.toContain(ADDED)
    await here.expect(0, 'apply', 'saved.plan')
    expect((await here.newWrites()).toSorted()).toEqual(
      [HOST_DOWN, NOISY].map((id) => `PATCH /groups/${PROJECT}/alertConfigs/${id}`).toSorted(),
    )
    // From then on, the plan shows it as planned.
    await turnOff(here, ADDED)
    expect((await here.plan()).said).not.toContain('the selector stands for')
  })

  it('of one block for several projects tells of each of them what the apply changes or deletes, and who has', async () => {
    const integrations = [{ type: 'CHAT_A', apiToken: 'canary' }]
    const fixture = fixtureWith({ integrations }) as { projects: object[] }
    const alertConfigs = [{ id: ADDED, eventTypeName: 'HOST_DOWN', enabled: false }]
    const ledger = { id: LEDGER, orgId: ORG, name: 'ledger', alertConfigs, integrations }
    const each = `  for_each = toset(["${PROJECT}", "${LEDGER}"])\n`
    const project = { project_id: 'each.key' }
    const here = await configured(
      hostDown(project, each) +
        integration('only', { ...project, only: '["PAGING"]', allow: '["delete"]' }, each),
      { fixture: { ...fixture, projects: [...fixture.projects, ledger] } },
    )
    // Terraform shows warnings with the same summary as one, without the details of the others.
    const { said } = await here.plan()
    expect(said).toContain(`that the apply changes: ${HOST_DOWN}`)
    expect(said).toContain(`that the apply changes: ${ADDED}`)
    for (const place of [PROJECT, LEDGER])
      expect(said).toContain(`CHAT_A is deleted from ${place} by the apply: `)
    await here.expect(0, 'apply', 'saved.plan')
    await turnOff(here, HOST_DOWN)
    expect((await here.plan()).said).toContain(`Alert configuration ${PROJECT}/${HOST_DOWN}. Event`)
    const destroyed = await here.plan('-destroy')
    expect(destroyed.said).toMatch(
      /Alert configuration by select \(HOST_DOWN\) in \w{24}\. It is removed from the state/,
    )
  })

  it('is told from another one of its project: what one plan says of the first is not said of the second', async () => {
    const replicaSet = hostDown({ select: '{ event_type_name = "REPLICA_SET" }' })
    const here = await applied(hostDown() + replicaSet.replace('host_down', 'replica_set'), {
      fixture: fixtureWith({ alertConfigs: configurations() }),
    })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await turnOff(here, HOST_DOWN)
    await here.apply('-refresh-only')
    await turnOff(here, NOISY)
    // Terraform shows the first of two warnings with one summary, and counts the other.
    expect((await here.plan()).said).toContain('(and one more similar warning elsewhere)')
  })

  it('is the same with no matchers as without any', async () => {
    const none = hostDown({ select: '{ event_type_name = "HOST_DOWN", matchers = [] }' })
    const here = await applied(hostDown())
    await here.configure(none)
    await here.expectNoChanges()
    await here.change(none)
    await here.configure(hostDown())
    await here.expectNoChanges()
    expect(await here.newWrites()).toEqual([])
  })

  it('takes on what it comes to match, and shows it before', async () => {
    const here = await applied(hostDown({ enabled: 'false' }))
    const added = { id: ADDED, eventTypeName: 'HOST_DOWN', enabled: true }
    const off = configurations(added).map((each) =>
      (each as any).id === HOST_DOWN ? { ...each, enabled: false } : each,
    )
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, off)
    const { changes } = await here.plan()
    expect(changes[0]?.before.configurations).toEqual({ [HOST_DOWN]: false, [ADDED]: true })
    expect(changes[0]?.after.configurations).toEqual({ [HOST_DOWN]: false, [ADDED]: false })
    await here.expect(0, 'apply', 'saved.plan')
    expect(await here.newWrites()).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${ADDED}`])
    await here.expectNoChanges()
  })

  it('releases what it no longer matches by its on_remove, and shows it before', async () => {
    const here = await applied(hostDown({ enabled: 'false', on_remove: '"restore"' }), {
      fixture: fixtureWith({
        alertConfigs: configurations({ id: ADDED, eventTypeName: 'HOST_DOWN', enabled: true }),
      }),
    })
    const { projects } = await here.control('GET', 'dump')
    const moved = projects[0].alertConfigs.map((each: any) =>
      each.id === ADDED ? { ...each, eventTypeName: 'REPLICA_SET' } : each,
    )
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, moved)
    const { changes } = await here.plan()
    expect(changes[0]?.before.configurations).toEqual({ [HOST_DOWN]: false, [ADDED]: false })
    expect(changes[0]?.after.configurations).toEqual({ [HOST_DOWN]: false })
    await here.expect(0, 'apply', 'saved.plan')
    expect(await here.newWrites()).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${ADDED}`])
    await here.expectNoChanges()
    await here.expect(0, 'destroy', '-auto-approve')
    expect(await here.newWrites()).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${HOST_DOWN}`])
  })

  it('has nothing to release where what it stood for is gone, and is a change once nothing is left', async () => {
    const here = await applied(hostDown({ on_remove: '"restore"' }))
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    const { said, changes } = await here.plan()
    expect(said).toMatch(/Warning: [^:]+: nothing at the service matches the selector/)
    expect(changes).toMatchObject([
      { actions: ['update'], before: { present: false, configurations: {} }, after: { present: true } },
    ])
    const refused = await here.expect(1, 'apply', 'saved.plan')
    expect(refused.said).toMatch(/Error: nothing at the service matches the selector.*By hand/)
    await here.change(hostDown({ on_remove: '"restore"', allow_empty: 'true' }))
    expect(await here.newWrites()).toEqual([])
    await here.expectNoChanges()
  })

  it('matches nothing also where the plan reads nothing, and so nothing has said it', async () => {
    const here = await applied(hostDown())
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    await here.apply('-refresh-only')
    for (const words of [[], ['-refresh=false']]) {
      const { said } = await here.plan(...words)
      expect(said.match(/Warning: /g)).toHaveLength(1)
      expect(said.match(/nothing at the service matches the selector/gi)).toHaveLength(1)
    }
    // The apply plans once more, and its warning does not repeat the words of its error.
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toMatch(
      /Warning: Alert configuration: no apply can do this as things are .*Alert configuration by select \(HOST_DOWN\) /,
    )
    expect(said).toMatch(/Error: nothing at the service matches the selector/)
  })

  it('takes on what has come back since the plan', async () => {
    const here = await applied(hostDown())
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    await here.plan()
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, configurations())
    await here.expect(0, 'apply', 'saved.plan')
    expect(await here.state('alert_configuration.host_down')).toMatchObject({
      present: true,
      configurations: { [HOST_DOWN]: true },
    })
    await here.expectNoChanges()
  })

  it('that is edited stands for other things, which are written, and releases the former', async () => {
    const here = await applied(hostDown({ enabled: 'true', on_remove: '"restore"' }))
    await here.configure(
      hostDown({ enabled: 'false', on_remove: '"restore"', select: '{ event_type_name = "REPLICA_SET" }' }),
    )
    const { said } = await here.plan()
    expect(said).toContain(`the selector matches one that the apply changes: ${NOISY}`)
    expect(said).toContain(
      `the selector no longer matches one that the apply changes as on_remove = "restore" says: ${HOST_DOWN}`,
    )
    await here.expect(0, 'apply', 'saved.plan')
    expect((await here.newWrites()).toSorted()).toEqual(
      [HOST_DOWN, NOISY].map((id) => `PATCH /groups/${PROJECT}/alertConfigs/${id}`).toSorted(),
    )
    expect(await here.state('alert_configuration.host_down')).toMatchObject({
      configurations: { [NOISY]: false },
    })
    await here.expectNoChanges()
  })

  describe('under ignore_changes', () => {
    const ignoring = 'lifecycle {\n  ignore_changes = [enabled]\n}\n'
    const all = { select: '{ matchers = [{ field_name = "x", operator = "EQUALS", value = "y" }] }' }
    const both = [
      { id: HOST_DOWN, eventTypeName: 'HOST_DOWN', enabled: true },
      { id: NOISY, eventTypeName: 'REPLICA_SET', enabled: true },
    ].map((each) => ({ ...each, matchers: [{ fieldName: 'x', operator: 'EQUALS', value: 'y' }] }))

    it.each([
      ['all', [HOST_DOWN, NOISY], { enabled: false, configurations: { [HOST_DOWN]: false, [NOISY]: false } }],
      ['one', [NOISY], { enabled: null, configurations: { [HOST_DOWN]: true, [NOISY]: false } }],
    ])('is left alone where %s of what it stands for was changed', async (_, ids, after) => {
      const here = await applied(hostDown(all, ignoring), { fixture: fixtureWith({ alertConfigs: both }) })
      for (const id of ids) await turnOff(here, id)
      await here.newWrites()
      const { said } = await here.expectNoChanges()
      expect(said).toContain('No changes.')
      await here.apply()
      expect(await here.newWrites()).toEqual([])
      expect(await here.state('alert_configuration.host_down')).toMatchObject(after)

      await here.change(hostDown({ ...all, on_remove: '"restore"' }, ignoring))
      expect(await here.newWrites()).toEqual([])
      await here.configure(hostDown(all))
      const { changes } = await here.plan()
      expect(changes[0]?.after).toMatchObject({
        enabled: true,
        configurations: { [HOST_DOWN]: true, [NOISY]: true },
      })
      await here.expect(0, 'apply', 'saved.plan')
      expect((await here.newWrites()).toSorted()).toEqual(
        ids.map((id) => `PATCH /groups/${PROJECT}/alertConfigs/${id}`).toSorted(),
      )
      await here.expectNoChanges()
    })

    it.each([
      ['all', [HOST_DOWN, NOISY]],
      ['one', [NOISY]],
    ])('is not restored where %s of what it stands for was changed', async (_, ids) => {
      const here = await applied(hostDown(all, ignoring), { fixture: fixtureWith({ alertConfigs: both }) })
      for (const id of ids) await turnOff(here, id)
      await here.change(hostDown({ ...all, on_remove: '"restore"' }, ignoring))
      await here.newWrites()
      await here.change('')
      expect(await here.newWrites()).toEqual([])
    })

    const third = { id: ADDED, eventTypeName: 'BACKUP', enabled: false }
    const backup = { select: '{ event_type_name = "BACKUP" }', on_remove: '"restore"' }

    /** Of what the edited selector stands for, nothing was ever written: what it stood for before differed. */
    const neverWritten = async (): Promise<Workspace> => {
      const here = await applied(hostDown(all, ignoring), {
        fixture: fixtureWith({ alertConfigs: [...both, third] }),
      })
      await turnOff(here, NOISY)
      await here.apply()
      await here.change(hostDown(backup, ignoring))
      await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${ADDED}`, { enabled: true })
      await here.newWrites()
      return here
    }

    it('does not restore what it has never written, and says so', async () => {
      const here = await neverWritten()
      const { said } = await here.change('')
      expect(await here.newWrites()).toEqual([])
      expect(said).toMatch(
        new RegExp(`Warning: Alert configuration ${ADDED}: .*not restored, because no write of enabled`),
      )
    })

    it('does not restore it either once the configuration has taken on what somebody else wrote', async () => {
      const here = await neverWritten()
      await here.change(hostDown({ ...backup, enabled: 'true' }))
      await here.expectNoChanges()
      await here.change(hostDown({ ...backup, allow: '[]' }))
      await here.expectNoChanges()
      expect(await here.newWrites()).toEqual([])
      await here.change('')
      expect(await here.newWrites()).toEqual([])
    })

    it('restores it once it has written it', async () => {
      const here = await neverWritten()
      await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${ADDED}`, { enabled: false })
      await here.change(hostDown({ ...backup, enabled: 'true' }))
      await here.newWrites()
      await here.change('')
      expect(await here.newWrites()).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${ADDED}`])
    })

    it('says which of several are left, because somebody else has changed them since', async () => {
      const here = await applied(hostDown({ ...all, enabled: 'false', on_remove: '"restore"' }), {
        fixture: fixtureWith({ alertConfigs: both }),
      })
      await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: true })
      await here.newWrites()
      const { said } = await here.change('')
      expect(await here.newWrites()).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${HOST_DOWN}`])
      expect(said).toMatch(
        new RegExp(`Warning: Alert configuration ${NOISY}: .*not restored, because somebody`),
      )
    })

    it('stands for other things without a write where they differ and the selector is edited', async () => {
      const here = await applied(hostDown(all, ignoring), { fixture: fixtureWith({ alertConfigs: both }) })
      await turnOff(here, NOISY)
      await here.apply()
      await here.newWrites()
      await here.change(hostDown({ select: '{ event_type_name = "REPLICA_SET" }' }, ignoring))
      expect(await here.newWrites()).toEqual([])
      await here.expectNoChanges()
      expect(await here.state('alert_configuration.host_down')).toMatchObject({
        configurations: { [NOISY]: false },
      })
    })
  })
})
