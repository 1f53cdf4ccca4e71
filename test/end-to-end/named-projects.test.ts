import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ORG, PROJECT } from '../support/installation.ts'
import { actionsIn, begin, OTHER_PROJECT, recorded, twoProjects, type Scene } from '../support/scene.ts'

const SELECTED = '5d1113b25a115342acc2d001'
const CONFIGURATION = { id: SELECTED, eventTypeName: 'HOST_DOWN', enabled: false }

const manifest = (enabled: boolean): string => `version: 1
name: test
projects:
  payments: { id: ${PROJECT}, orgId: ${ORG} }
  ledger: { id: ${OTHER_PROJECT}, orgId: ${ORG} }
maintenanceWindows:
  w: { projectIds: all, alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }
alertConfigurations:
  down: { projectIds: all, select: { eventTypeName: HOST_DOWN }, allowEmpty: true, enabled: ${enabled} }
`
const start = async (): Promise<Scene> => {
  const here = await begin({ fixture: twoProjects({ alertConfigs: [CONFIGURATION] }, {}) })
  await here.manifest(manifest(false))
  return here
}
const pagingIn = (project: string): string => `  ${project}-paging: { projectId: ${project}, type: PAGING }\n`
const windowIn = (project: string): string => `maintenanceWindows.w[${project}]`

describe('a project is named within an address', () => {
  it('of --target, by its name', async () => {
    const here = await start()
    const planned = async (glob: string): Promise<unknown> =>
      actionsIn((await here.json('plan', '--target', glob)).document)
    expect(await planned(windowIn('ledger'))).toEqual([[windowIn(OTHER_PROJECT), 'create']])
    expect(await planned('*[ledger]')).toEqual([[windowIn(OTHER_PROJECT), 'create']])
    expect(await planned(`alertConfigurations.down[payments/${SELECTED}]`)).toEqual([
      [`alertConfigurations.down[${PROJECT}/${SELECTED}]`, 'adopt'],
    ])
    expect(await planned('alertConfigurations.down[payments/*')).toHaveLength(1)
    // Everything that an entry stands for in a project.
    expect(await planned('alertConfigurations.down[payments]')).toHaveLength(1)
    expect(await planned(`alertConfigurations.down[${PROJECT}]`)).toHaveLength(1)
    expect(await planned('*[payments]')).toHaveLength(2)
    const none = await here.run('plan', '--target', windowIn('leger'))
    expect(none.stderr).toContain(`--target ${windowIn('leger')} names nothing that is declared or recorded`)
  })

  it('of --target of an apply, also of a saved plan, and of drift', async () => {
    const here = await start()
    const target = ['--target', windowIn('ledger')]
    expect(await here.run('plan', ...target, '--out', 'saved.plan')).toMatchObject({ code: 0 })
    expect(await here.run('apply', 'saved.plan', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await recorded(here)).toEqual([windowIn(OTHER_PROJECT)])
    const { code } = await here.run('apply', '--auto-approve', '--target', windowIn('payments'))
    expect({ code, recorded: await recorded(here) }).toEqual({
      code: 0,
      recorded: [windowIn(PROJECT), windowIn(OTHER_PROJECT)].toSorted(),
    })
    const { document } = await here.json('drift', ...target)
    expect(document.resources.map(({ address }: any) => address)).toEqual([windowIn(OTHER_PROJECT)])
  })

  it('of a reference, before what it refers to is applied and later', async () => {
    const here = await start()
    const dates = 'alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z'
    const after = `  after: { projectId: payments, ${dates}, description: "\${${windowIn('ledger')}.id}" }\n`
    await here.manifest(manifest(false).replace('alertConf', `${after}alertConf`))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { resources } = await here.state()
    expect(resources['maintenanceWindows.after'].applied.description).toBe(
      resources[windowIn(OTHER_PROJECT)].identity.id,
    )
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('of a drift that is accepted', async () => {
    const here = await start()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [{ ...CONFIGURATION, enabled: true }])
    for (const field of ['', '.enabled']) {
      const named = `alertConfigurations.down[payments/${SELECTED}]${field}`
      const accepted = await here.run('drift', 'accept', named, '--reason', 'too loud')
      expect(accepted).toMatchObject({ code: 0 })
    }
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('of what differs in a field that is ignored', async () => {
    const here = await start()
    await here.manifest(manifest(false).replace('enabled: false', 'enabled: false, ignoreChanges: [enabled]'))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [{ ...CONFIGURATION, enabled: true }])
    for (const command of ['plan', 'drift'])
      expect((await here.run(command)).stdout.replaceAll(/\s+/g, ' ')).toContain(
        `ignored differences: alertConfigurations.down[${PROJECT}/${SELECTED}].enabled (payments)`,
      )
  })

  it('of a record', async () => {
    const here = await start()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const shown = await here.json('state', 'show', windowIn('ledger'))
    expect(shown).toMatchObject({ code: 0, document: { address: windowIn(OTHER_PROJECT) } })
    expect(await here.run('state', 'accept', windowIn('ledger'))).toMatchObject({ code: 0 })
    expect(await here.run('state', 'mv', windowIn('payments'), 'maintenanceWindows.other')).toMatchObject({
      code: 0,
    })
    expect(await here.run('state', 'forget', windowIn('ledger'))).toMatchObject({ code: 0 })
    expect(await recorded(here)).toEqual([
      `alertConfigurations.down[${PROJECT}/${SELECTED}]`,
      'maintenanceWindows.other',
    ])
    const several = await here.run('state', 'forget', 'alertConfigurations.down[payments]')
    expect(several.stderr).toContain(`alertConfigurations.down[${PROJECT}/${SELECTED}] is forgotten.`)
    const none = await here.run('state', 'show', windowIn('leger'))
    expect(none.stderr).toContain(`nothing is recorded at ${windowIn('leger')}`)
  })

  it('of a request of unknown outcome', async () => {
    const here = await start()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.manifest(manifest(false).replace('[HOST]', '[REPLICA_SET]'))
    await here.control('POST', 'faults', { method: 'PATCH', count: 2, fault: 'reset-before' })
    await here.run('apply', '--auto-approve')
    const resolved = await here.run('state', 'resolve', windowIn('ledger'), '--again')
    expect(resolved).toMatchObject({ code: 0, stderr: expect.stringContaining(windowIn(OTHER_PROJECT)) })
    const none = await here.run('state', 'resolve', windowIn('ledger'), '--again')
    expect(none.stderr).toContain(`no request about ${windowIn(OTHER_PROJECT)} has an unknown outcome`)
  })

  it('of a record, by the name that the manifest has given to its project since, or by the one before', async () => {
    const here = await start()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.manifest(manifest(false).replace('ledger:', 'accounts:'))
    expect((await here.run('state', 'list')).stdout).toContain(`${windowIn(OTHER_PROJECT)} (accounts)  `)
    expect((await here.run('state', 'show', windowIn('accounts'))).stdout).toMatch(
      new RegExp(String.raw`^ +projectId +accounts \(${OTHER_PROJECT}\)$`, 'm'),
    )
    for (const name of ['accounts', 'ledger'])
      expect(await here.json('state', 'show', windowIn(name))).toMatchObject({
        code: 0,
        document: { address: windowIn(OTHER_PROJECT) },
      })
    expect(await here.run('state', 'accept', windowIn('accounts'))).toMatchObject({ code: 0 })
    const [there, elsewhere] = [windowIn('accounts'), 'maintenanceWindows.other']
    expect(await here.run('state', 'mv', there, elsewhere)).toMatchObject({ code: 0 })
    expect(await here.run('state', 'mv', elsewhere, there)).toMatchObject({ code: 0 })
    expect(await recorded(here)).toContain(windowIn(OTHER_PROJECT))
    expect(await here.run('state', 'forget', there)).toMatchObject({ code: 0 })
    expect(await recorded(here)).not.toContain(windowIn(OTHER_PROJECT))
  })

  it('of a request of unknown outcome, if nothing is recorded in its project', async () => {
    const here = await start()
    await here.control('POST', 'faults', { method: 'POST', count: 2, fault: 'reset-before' })
    const target = ['--target', windowIn('ledger')]
    expect(await here.run('apply', '--auto-approve', ...target)).toMatchObject({ code: 3 })
    const decision = [{ address: windowIn('ledger'), notCreated: true }]
    await writeFile(join(here.folder, 'decided.json'), JSON.stringify(decision))
    for (const given of [
      [windowIn('ledger'), '--not-created'],
      ['--from', 'decided.json'],
    ])
      expect((await here.run('state', 'resolve', ...given)).stderr).toContain(
        `the request about ${windowIn(OTHER_PROJECT)} could still take effect`,
      )
    const twice = [...decision, { address: windowIn(OTHER_PROJECT), notCreated: true }]
    await writeFile(join(here.folder, 'decided.json'), JSON.stringify(twice))
    expect((await here.run('state', 'resolve', '--from', 'decided.json')).stderr).toContain(
      `${windowIn(OTHER_PROJECT)} is decided twice`,
    )
    const created = await here.run('state', 'resolve', windowIn('ledger'), '--created', 'a'.repeat(24))
    expect({ code: created.code, recorded: await recorded(here) }).toEqual({
      code: 0,
      recorded: [windowIn(OTHER_PROJECT)],
    })
  })

  it('of a record, but not where two projects have had the name', async () => {
    const here = await start()
    const apply = (id: string) => here.run('apply', '--auto-approve', '--target', windowIn(id))
    expect(await apply(PROJECT)).toMatchObject({ code: 0 })
    const renamed = manifest(false)
      .replace(/^  payments: .*\n/m, '')
      .replace('ledger: {', 'payments: {')
    await here.manifest(renamed)
    expect(await apply(OTHER_PROJECT)).toMatchObject({ code: 0 })
    const before = await recorded(here)
    expect(Object.values((await here.state()).projects)).toEqual(['payments', 'payments'])
    const refused = await here.run('state', 'forget', windowIn('payments'))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-ADDRESS') })
    expect(refused.stderr).toContain('several projects have been called payments')
    for (const id of [PROJECT, OTHER_PROJECT]) expect(refused.stderr).toContain(id)
    expect(await recorded(here)).toEqual(before)
    expect(await here.run('state', 'forget', windowIn(PROJECT))).toMatchObject({ code: 0 })
  })
})

it('projects stand in the first line as the manifest names them, whatever entry comes first', async () => {
  const here = await start()
  const [head] = manifest(false).split('maintenanceWindows:')
  for (const entries of [
    ['ledger', 'payments'],
    ['payments', 'ledger'],
  ]) {
    await here.manifest(`${head}integrations:\n${entries.map(pagingIn).join('')}`)
    const { stdout } = await here.run('plan')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('projects payments, ledger')
  }
})
