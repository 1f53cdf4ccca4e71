import { describe, expect, it } from 'vitest'
import { ORG, PROJECT } from '../support/installation.ts'
import { actionsIn, begin, OTHER_PROJECT, recorded, twoProjects, type Scene } from '../support/scene.ts'

const SELECTED = '5d1113b25a115342acc2d001'
const CONFIGURATION = { id: SELECTED, eventTypeName: 'HOST_DOWN', enabled: false }
const DATES = 'alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z'
const NOISY = `alertConfigurations.noisy[${SELECTED}]`

const NOWHERE = '5c8100bcf2a30b12ff8825ff'

const manifest = (type = 'HOST_DOWN'): string => `version: 1
name: test
projects:
  payments: { id: ${PROJECT}, orgId: ${ORG} }
  ledger: { id: ${OTHER_PROJECT}, orgId: ${ORG} }
maintenanceWindows:
  single: { projectId: payments, ${DATES.replace('2035', '2034')} }
  other: { projectId: ledger, ${DATES} }
  both: { projectIds: all, ${DATES} }
alertConfigurations:
  noisy: { projectId: payments, select: { eventTypeName: ${type} }, allowEmpty: true, enabled: false }
`
const start = async (): Promise<Scene> => {
  const here = await begin({ fixture: twoProjects({ alertConfigs: [CONFIGURATION] }, {}) })
  await here.manifest(manifest())
  return here
}
const wordsOf = (command: string): string[] => (command === 'apply' ? [command, '--auto-approve'] : [command])

describe('what stands in the brackets of a target', () => {
  it.each(['plan', 'apply', 'drift'])('is an error of %s where nothing is called so', async (command) => {
    const here = await start()
    for (const [glob, meant] of [
      ['alertConfigurations.noisy[paymnts]', 'alertConfigurations.noisy[payments]'],
      [NOISY.replace('001]', '002]'), 'alertConfigurations.noisy'],
      ['maintenanceWindows.single[ledger]', 'maintenanceWindows.single'],
      ['maintenanceWindows.both[leger]', 'maintenanceWindows.both[ledger]'],
    ] as const) {
      const { code, stderr } = await here.run(...wordsOf(command), '--target', glob)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('DM-ADDRESS') })
      expect(stderr).toContain(
        `--target ${glob} names nothing that is declared or recorded; did you mean ${meant}?`,
      )
    }
    expect(await recorded(here)).toEqual([])
  })

  it('can be something recorded that the selector means no more, or that is gone', async () => {
    const here = await start()
    const [target, project] = [
      ['--target', NOISY],
      ['--target', 'alertConfigurations.noisy[payments]'],
    ]
    expect(await here.run('apply', '--auto-approve', ...target)).toMatchObject({ code: 0 })
    await here.manifest(manifest('OUTSIDE_METRIC_THRESHOLD'))
    expect(actionsIn((await here.json('plan', ...target)).document)).toEqual([[NOISY, 'release']])
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
    for (const command of ['plan', 'drift', 'apply'])
      expect(await here.run(...wordsOf(command), ...target)).not.toMatchObject({ code: 1 })
    // The entry is still declared, but stands for nothing.
    await here.manifest(manifest())
    for (const command of ['plan', 'drift', 'apply'])
      expect(await here.run(...wordsOf(command), ...project)).toMatchObject({ code: 0 })
  })
})

describe('a target of instances also means what blocks their whole entry', () => {
  it.each([NOISY, 'alertConfigurations.noisy[*]'])('with %s', async (glob) => {
    const here = await start()
    expect(await here.run('apply', '--auto-approve', '--target', NOISY)).toMatchObject({ code: 0 })
    const whole = 'alertConfigurations.noisy'
    for (const [broken, released] of [
      [manifest().replace(`payments: { id: ${PROJECT}`, `payments: { id: ${NOWHERE}`), {}],
      [manifest('OUTSIDE_METRIC_THRESHOLD').replace('allowEmpty: true, ', ''), { [NOISY]: 'release' }],
    ] as const) {
      await here.manifest(broken)
      const { code, document } = await here.json('plan', '--detailed-exitcode', '--target', glob)
      expect(code).toBe(2)
      const byAddress = Object.fromEntries(actionsIn(document))
      expect(byAddress).toEqual({ [whole]: 'blocked', ...released })
      expect(document.warnings).toEqual([])
    }
    expect((await here.run('apply', '--auto-approve', '--target', glob)).code).toBe(2)
  })
})

describe('an entry of a single project is also meant with that project in brackets', () => {
  it('of --target, by its name and by its id', async () => {
    const here = await start()
    const planned = async (glob: string): Promise<unknown> =>
      actionsIn((await here.json('plan', '--target', glob)).document).map(([address]) => address)
    for (const project of ['payments', PROJECT]) {
      expect(await planned(`maintenanceWindows.single[${project}]`)).toEqual(['maintenanceWindows.single'])
      expect(await planned(`alertConfigurations.noisy[${project}]`)).toEqual([NOISY])
      expect(await planned(`maintenanceWindows.*[${project}]`)).toEqual([
        'maintenanceWindows.single',
        `maintenanceWindows.both[${PROJECT}]`,
      ])
      expect(await planned(`alertConfigurations.*[${project}]`)).toEqual([NOISY])
    }
    const { document } = await here.json('plan', '--target', 'alertConfigurations.*[payments]')
    expect(document.warnings).toEqual([])
  })

  it('of a record, also of what is declared no more', async () => {
    const here = await start()
    const target = ['--target', 'maintenanceWindows.single[payments]', '--target', NOISY]
    expect(await here.run('apply', '--auto-approve', ...target)).toMatchObject({ code: 0 })
    for (const project of ['payments', PROJECT]) {
      const shown = await here.json('state', 'show', `alertConfigurations.noisy[${project}]`)
      expect(shown).toMatchObject({ code: 0, document: { instances: [{ address: NOISY }] } })
    }
    expect((await here.run('state', 'show', 'alertConfigurations.noisy[ledger]')).code).toBe(1)
    await here.manifest(manifest().replace(/^  single: .*\n/m, ''))
    const released = await here.json('plan', '--target', 'maintenanceWindows.single[payments]')
    expect(actionsIn(released.document)).toEqual([['maintenanceWindows.single', 'release']])
    // As a destination, the address is that of an entry for several projects.
    const moved = await here.run(
      'state',
      'mv',
      'maintenanceWindows.single[payments]',
      'maintenanceWindows.single[payments]',
    )
    expect(moved).toMatchObject({ code: 0 })
    expect(await recorded(here)).toEqual([NOISY, `maintenanceWindows.single[${PROJECT}]`])
  })

  it('of a drift that is accepted', async () => {
    const here = await start()
    expect(await here.run('apply', '--auto-approve', '--target', NOISY)).toMatchObject({ code: 0 })
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [{ ...CONFIGURATION, enabled: true }])
    for (const named of [`noisy[${PROJECT}]`, 'noisy[payments].enabled']) {
      const words = ['drift', 'accept', `alertConfigurations.${named}`, '--reason', 'too loud']
      expect(await here.run(...words)).toMatchObject({ code: 0 })
    }
    expect(await here.run('drift', '--target', NOISY)).toMatchObject({ code: 0 })
  })

  it('of --explain', async () => {
    const here = await start()
    const explained = async (entry: string): Promise<unknown> =>
      (await here.json('plan', '--explain', entry)).document.explained
    for (const project of ['payments', PROJECT])
      expect(await explained(`maintenanceWindows.single[${project}]`)).toEqual(
        await explained('maintenanceWindows.single'),
      )
    expect((await here.run('plan', '--explain', 'maintenanceWindows.single[ledger]')).stderr).toContain(
      'maintenanceWindows.single does not stand for "maintenanceWindows.single[ledger]"',
    )
  })
})
