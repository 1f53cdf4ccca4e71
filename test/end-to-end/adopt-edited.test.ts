/**
 * What happens after things are deleted, or a user leaves something out of an adopted file; every printed remedy works.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { adopting, FIRST, STATE } from '../support/adopting.ts'
import { letteredConfig, letteredFixture, letteredManifest } from '../support/lettered.ts'
import { projectId } from '../support/many-projects.ts'
import { at, begin, type Scene } from '../support/scene.ts'

let here: Scene
const { planOf, textOf } = adopting(() => here)

const NAMES = ['a', 'b', 'c']
const B = projectId(1)
const edit = async (from: string | RegExp, to: string): Promise<void> => {
  const text = await textOf()
  const edited = text.replace(from, to)
  expect(edited).not.toBe(text)
  await writeFile(join(here.folder, FIRST), edited)
}
const said = async (): Promise<string> => {
  const { stdout, stderr } = await here.run('plan', '-f', '.')
  return `${stdout}${stderr}`.replaceAll(/\s+/g, ' ')
}
/** The text to paste in place of a list of projects. */
const pasted = (text: string): string => /projectIds: \{[^}]*\}/.exec(text)?.[0] ?? 'nothing to paste'

const configsOf = (project: number): object[] => [
  letteredConfig(project, 0, 'HOST_DOWN'),
  letteredConfig(project, 1, 'BACKUP', { enabled: false }),
  // Off in one project only.
  letteredConfig(project, 2, 'REPLICA_SET', { enabled: project !== 2 }),
]
const PAGING = { type: 'PAGING', serviceKey: 'x' }
const without = (type: string): object[] =>
  configsOf(1).filter((each) => (each as { eventTypeName: string }).eventTypeName !== type)
const goes = (type: string): Promise<unknown> =>
  here.control('PUT', `projects/${B}/alertConfigs`, without(type))

beforeEach(async () => {
  here = await begin({
    fixture: letteredFixture(
      NAMES.map((_, index) => ({ alertConfigs: configsOf(index), integrations: [PAGING] })),
    ),
    manifest: letteredManifest(NAMES),
  })
  await here.run('adopt', ...STATE)
})

describe('what was off and goes', () => {
  it('holds up no plan, which says that it is gone: of several projects', async () => {
    expect(await textOf()).toContain(
      'select: { eventTypeName: BACKUP, createdBefore: 2026-03-03T00:00:00Z }\n    allowEmpty: true\n    enabled: false\n',
    )
    await goes('BACKUP')
    const document = await planOf()
    expect(document.summary).toMatchObject({ blocked: 0, release: 1, update: 0 })
    const gone = at(document, `alertConfigurations.backup[${B}/5d1113b25a115342ac01d0f1]`)
    expect(gone).toMatchObject({ action: 'release', reason: 'gone at the service; forgotten', requests: [] })
    expect(await here.run('apply', '-f', '.', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await planOf()).inSync).toBe(true)
  })

  it('nor of one project, by its id', async () => {
    expect(await textOf()).toContain(
      '  c-replica-set: { projectId: c, alertConfigId: 5d1113b25a115342ac02d0f2, allowEmpty: true, enabled: false }',
    )
    await here.control('PUT', `projects/${projectId(2)}/alertConfigs`, configsOf(2).slice(0, 2))
    const document = await planOf()
    expect(document.summary).toMatchObject({ blocked: 0, release: 1 })
    expect(at(document, 'alertConfigurations.c-replica-set').reason).toBe(
      'not found, which allowEmpty allows; forgotten',
    )
    expect(await here.run('apply', '-f', '.', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await planOf()).inSync).toBe(true)
  })

  it.each([
    ['Set allowEmpty: true', '$&\n    allowEmpty: true'],
    ['take b out of projectIds', '    projectIds: [a, c]'],
  ])('is blocked without allowEmpty, and is not called something to add by hand: %s', async (remedy, to) => {
    await edit('    allowEmpty: true\n', '')
    await goes('BACKUP')
    const text = await said()
    expect(text).toContain('nothing at the service matches the selector')
    expect(text).toContain('createdBefore, so nothing that is added from now on can match it')
    expect(text).toContain(remedy)
    expect(text).not.toContain('By hand')
    await edit('    projectIds: [a, b, c]', to)
    expect((await planOf()).summary).toMatchObject({ blocked: 0 })
  })
})

describe('what was on and goes is blocked, and the remedy leaves its project out', () => {
  it('of an entry for all', async () => {
    await goes('HOST_DOWN')
    const text = await said()
    expect(text).toContain(
      'By hand: Project b → Alerts → Alert Settings → Add (HOST_DOWN), then plan again; or set allowEmpty: true; or leave b out: projectIds: { all: true, except: [b] } ',
    )
    await edit('host-down: { projectIds: all', `host-down: { ${pasted(text)}`)
    expect((await planOf()).summary).toMatchObject({ blocked: 0, update: 0 })
  })

  it('of an integration, which has no such setting', async () => {
    await here.control('PUT', `projects/${B}/integrations`, [])
    const text = await said()
    expect(text).toContain(
      'By hand: Project b → Integrations → PAGING, then plan again; or leave b out: projectIds: { all: true, except: [b] } ',
    )
    await edit('paging: { projectIds: all', `paging: { ${pasted(text)}`)
    expect((await planOf()).summary).toMatchObject({ blocked: 0 })
  })

  it('with those that are left out already, and not where it is none of several', async () => {
    await goes('REPLICA_SET')
    const text = await said()
    expect(pasted(text)).toBe('projectIds: { all: true, except: [c, b] }')
    await edit(/projectIds: \{ all: true, except: \[c\] \}/, pasted(text))
    expect((await planOf()).summary).toMatchObject({ blocked: 0 })
    await edit(
      'alertConfigurations:\n',
      'alertConfigurations:\n  mine: { projectId: b, select: { eventTypeName: REPLICA_SET }, enabled: true }\n',
    )
    expect(await said()).not.toContain('leave b out')
  })

  it('drift says of it what puts it back, and nothing of leaving it out there', async () => {
    await goes('HOST_DOWN')
    const { document } = await here.json('drift', '-f', '.')
    const [{ undo }] = document.resources.filter(({ verdict }: any) => verdict === 'drifted')
    expect(undo?.text ?? '').not.toContain('leave b out')
  })

  it('drift keeps it gone in the form of the entry', async () => {
    await here.control('PUT', `projects/${B}/integrations`, [])
    const { document } = await here.json('drift', '-f', '.')
    const [{ keep }] = document.resources.filter(({ verdict }: any) => verdict === 'drifted')
    expect(keep.text).toMatch(
      /^leave b out: projectIds: \{ all: true, except: \[b\] \}, at deploymgmt\.adopted\.yaml:\d+$/,
    )
    await edit('paging: { projectIds: all', `paging: { ${pasted(keep.text)}`)
    expect((await planOf()).summary).toMatchObject({ blocked: 0, release: 1 })
  })

  it('drift keeps all of it gone by one edit, where several projects lack it', async () => {
    for (const project of [1, 2]) await here.control('PUT', `projects/${projectId(project)}/integrations`, [])
    const { document } = await here.json('drift', '-f', '.')
    const drifted = document.resources.filter(({ verdict }: any) => verdict === 'drifted')
    const edits = new Set(drifted.map(({ keep }: any) => pasted(keep.text)))
    expect([drifted.length, ...edits]).toEqual([2, 'projectIds: { all: true, except: [b, c] }'])
  })
})

describe('a person leaves something out', () => {
  const MINE =
    'alertConfigurations:\n  mine: { projectId: b, select: { eventTypeName: HOST_DOWN }, enabled: false }\n'

  it('by an entry of its own: what disagrees says how the other one leaves the project out', async () => {
    await edit('alertConfigurations:\n', MINE)
    const text = await said()
    expect(text).toContain(
      'Leave b out of alertConfigurations.host-down: projectIds: { all: true, except: [b] }; or narrow one of the selectors, or declare the thing by its id: an id beats a selector.',
    )
    await edit('host-down: { projectIds: all', `host-down: { ${pasted(text)}`)
    expect((await planOf()).summary).toMatchObject({ update: 1, blocked: 0, release: 0 })
  })

  it('with except beside projectIds', async () => {
    await edit('host-down: { projectIds: all', 'host-down: { projectIds: all, except: [b]')
    const text = await said()
    expect(text).toContain(
      'alertConfigurations.host-down.except: there is no field "except" here: projects are left out in projectIds: { all: true, except: [b] }',
    )
    await edit('projectIds: all, except: [b]', pasted(text))
    expect((await planOf()).summary).toMatchObject({ release: 1, blocked: 0 })
  })

  it('with except in a selector: what is declared by its id is an exception', async () => {
    const thing = '5d1113b25a115342ac01d0f0'
    await edit('{ eventTypeName: HOST_DOWN }', `{ eventTypeName: HOST_DOWN, except: [${thing}] }`)
    expect(await said()).toContain(
      'there is no field "except" here: what is to be otherwise is declared by its alertConfigId in an entry of its own, which beats a selector',
    )
    await edit(`, except: [${thing}]`, '')
    await edit(
      'alertConfigurations:\n',
      `alertConfigurations:\n  mine: { projectId: b, alertConfigId: ${thing}, enabled: false }\n`,
    )
    expect((await planOf()).summary).toMatchObject({ update: 1, blocked: 0, release: 0 })
  })

  it('a project of the manifest: each list that names it says so, and what to do', async () => {
    await here.manifest(letteredManifest(['a', 'c']))
    const text = await said()
    expect(text).toContain(
      'there is no project "b", and it does not look like an id of this API: name it under projects, or take it out here',
    )
    expect(text).not.toContain('did you mean')
    await edit('projectIds: [a, b, c]', 'projectIds: [a, c]')
    expect((await planOf()).summary).toMatchObject({ release: 4, blocked: 0 })
  })
})
