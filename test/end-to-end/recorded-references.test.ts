import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSession } from '../../reconciler/state/index.ts'
import { PROJECT, type Installation } from '../support/installation.ts'
import { at, begin, only, OTHER_PROJECT, twoProjects } from '../support/scene.ts'

let here: Installation

const FIRST = 'alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z'
const ONE = only('maintenanceWindows', `  first: { ${FIRST} }`)
const TWO = only(
  'maintenanceWindows',
  `  first: { ${FIRST} }
  second: { alertTypeNames: [HOST], startDate: 2035-02-06T02:00:00Z, endDate: 2035-02-06T04:00:00Z, description: "after \${maintenanceWindows.first.id}" }`,
)
const windowIn = (projectId: string): string => `  first: { ${FIRST}, projectId: ${projectId} }`
const statePath = (): string => join(here.folder, 'deploymgmt.state.json')

describe('a reference to a recorded id', () => {
  it('is told by what the journal alone has, in plan and apply alike', async () => {
    here = await begin({ manifest: ONE })
    const empty = await here.state()
    await here.run('apply', '--auto-approve')
    const { resources } = await here.state()
    // The state as after a kill before a save: only the journal has the result.
    await writeFile(statePath(), JSON.stringify(empty), { mode: 0o600 })
    await rm(join(here.folder, 'deploymgmt.state.journal'), { force: true })
    const session = await openSession({ statePath: statePath(), expect: empty, command: 'apply' })
    const address = 'maintenanceWindows.first'
    await session.effects([{ op: 'put', address, resource: resources[address] }])
    await session.close()
    expect((await here.state()).resources).toEqual({})
    await here.manifest(TWO)
    const { code, document, stderr } = await here.json('plan')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const description = `after ${resources[address].identity.id}`
    expect(document.changes.find(({ action }: any) => action === 'create')?.after).toMatchObject({
      description,
    })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { projects } = await here.control('GET', 'dump')
    expect(projects[0].maintenanceWindows.map((each: any) => each.description)).toContain(description)
  })

  it.each(['plan', 'drift', 'apply'])(
    'to a corrupt state is an error of the state, in %s',
    async (command) => {
      here = await begin({ manifest: TWO })
      await writeFile(statePath(), '{"version": 1, ', { mode: 0o600 })
      const { code, stderr } = await here.run(command, ...(command === 'apply' ? ['--auto-approve'] : []))
      expect(code).toBe(1)
      expect(stderr).toContain('DM-STATE-CORRUPT')
      expect(stderr).not.toContain('is not recorded yet')
    },
  )

  it('to what is recorded nowhere, and that this plan does not create, leaves nothing open behind it', async () => {
    here = await begin({ manifest: TWO })
    const { code, stdout } = await here.run('apply', '--auto-approve', '--target', '*.second')
    expect(code).toBe(2)
    expect(stdout).toContain('description refers to maintenanceWindows.first, which is not recorded')
    // The apply left nothing open.
    expect(await here.run('state', 'list')).toMatchObject({ code: 0, stderr: '' })
  })

  it('keeps what it means in a plan that replaces the thing, where the field cannot wait for the new id', async () => {
    here = await begin({
      fixture: twoProjects(),
      manifest: only('maintenanceWindows', windowIn(PROJECT)),
    })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { id } = (await here.state()).resources['maintenanceWindows.first'].identity
    const odd = `alertConfigurations:\n  odd: { alertConfigId: "\${maintenanceWindows.first.id}", enabled: true }\n`
    await here.manifest(only('maintenanceWindows', windowIn(OTHER_PROJECT), odd))
    const { document, stderr } = await here.json('plan')
    expect(stderr).not.toContain('DM-MANIFEST')
    expect(at(document, 'maintenanceWindows.first').action).toBe('create')
    expect(at(document, 'alertConfigurations.odd').after.alertConfigId).toBe(id)
  })
})
