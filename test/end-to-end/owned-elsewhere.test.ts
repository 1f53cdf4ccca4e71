/** What a state of `otherStates` records as well is said by a plan that adopts, creates or writes it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { within, type Installation } from '../support/installation.ts'
import { fields, one } from '../support/one-window.ts'
import { applied, beginApplied, only, type Scene } from '../support/scene.ts'

const STATE = 'deploymgmt.state.json'
const OTHER = `otherStates: [../${STATE}]\n`

/** A manifest in a folder beside, with a state of its own. */
const beside = async (here: Scene, manifest: string): Promise<Installation> => {
  const there = within(here, join(here.folder, 'beside'))
  await mkdir(there.folder)
  await writeFile(join(there.folder, 'deploymgmt.yaml'), manifest.replace('name: test', 'name: beside'))
  expect(await there.run('state', 'init')).toMatchObject({ code: 0 })
  return there
}

const warningsOf = async (there: Installation, ...words: string[]): Promise<string[]> =>
  (await there.json(...words)).document.warnings

const disabled = (enabled: boolean): string =>
  `  host-down: { alertConfigId: 5d1113b25a115342acc2d0f3, enabled: ${enabled} }`

const again = (changes: object): string => only('maintenanceWindows', `  again: ${fields(changes)}`, OTHER)

describe('a window that a state of otherStates records', () => {
  it('is said where a plan creates one with the same project and dates', async () => {
    const here = await beginApplied(one())
    const there = await beside(here, again({ description: 'the same' }))
    const said = `${STATE} records a maintenance window with the project, startDate and endDate of one that this plan creates: maintenanceWindows.again (there maintenanceWindows.migration)`
    expect(await warningsOf(there, 'plan')).toContainEqual(expect.stringContaining(said))
    expect((await there.run('plan')).stdout.replaceAll(/\s+/g, ' ')).toContain(said)
    expect(await warningsOf(there, 'apply', '--auto-approve')).toContainEqual(expect.stringContaining(said))
  })

  it('is not said where the dates are others', async () => {
    const here = await beginApplied(one())
    const there = await beside(here, again({ endDate: '2035-01-06T05:00:00Z' }))
    expect(await warningsOf(there, 'plan')).toEqual([])
  })

  it('is said where a plan adopts it by its id', async () => {
    const here = await beginApplied(one())
    const { id } = (await here.state()).resources['maintenanceWindows.migration'].identity
    const there = await beside(here, again({ windowId: id }))
    expect(await warningsOf(there, 'plan')).toContainEqual(
      expect.stringContaining(
        `${STATE} also records what this plan adopts or changes: maintenanceWindows.again (there maintenanceWindows.migration)`,
      ),
    )
  })
})

describe('two manifests that declare one alert configuration', () => {
  it('each say whose it is as well, as long as they differ', async () => {
    const here = await beginApplied(only('alertConfigurations', disabled(true)))
    const there = await beside(here, only('alertConfigurations', disabled(false), OTHER))
    const said = expect.stringContaining(
      `${STATE} also records what this plan adopts or changes: alertConfigurations.host-down;`,
    )
    expect(await warningsOf(there, 'plan')).toContainEqual(said)
    expect(await there.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.manifest(
      only('alertConfigurations', disabled(true), `otherStates: [beside/deploymgmt.state.json]\n`),
    )
    expect(await warningsOf(here, 'plan')).toContainEqual(
      expect.stringContaining('beside/deploymgmt.state.json also records'),
    )
  })

  it('say it, too, where one of them takes its entry out', async () => {
    const here = await beginApplied(one())
    const { id } = (await here.state()).resources['maintenanceWindows.migration'].identity
    const there = await beside(
      here,
      only('maintenanceWindows', `  taken: ${fields({ windowId: id })}`, OTHER),
    )
    expect(await there.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.manifest(only('maintenanceWindows', '', `otherStates: [beside/deploymgmt.state.json]\n`))
    expect(await warningsOf(here, 'plan')).toContainEqual(
      expect.stringContaining('maintenanceWindows.migration (there maintenanceWindows.taken)'),
    )
  })
})

describe('other states', () => {
  it('are not read where a plan changes nothing', async () => {
    const here = await beginApplied(one())
    await here.manifest(`${one()}otherStates: [broken.json]\n`)
    await writeFile(join(here.folder, 'broken.json'), '{')
    const { code, stderr, document } = await here.json('plan')
    expect({ code, stderr, warnings: document.warnings }).toEqual({ code: 0, stderr: '', warnings: [] })
  })

  it('that cannot be read stop no plan that creates nothing', async () => {
    const here = await beginApplied(one())
    await here.manifest(`${one({ description: 'another' })}otherStates: [broken.json]\n`)
    await writeFile(join(here.folder, 'broken.json'), '{')
    expect(await warningsOf(here, 'plan')).toContainEqual(
      expect.stringMatching(
        /^whether other states record what this plan changes is not known: .*broken\.json/s,
      ),
    )
    await applied(here, `${one({ description: 'another' })}otherStates: [broken.json]\n`)
  })
})
