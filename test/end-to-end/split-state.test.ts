/** One state becomes two, each with a part of the things, and two become one: nothing is sent. */
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT, within } from '../support/installation.ts'
import {
  applied,
  begin,
  beginApplied,
  OTHER_PROJECT,
  only,
  twoProjects,
  type Scene,
} from '../support/scene.ts'

const line = (name: string, day: string, more = ''): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-01-${day}T02:00:00Z, endDate: 2035-01-${day}T04:00:00Z, description: ${name}${more} }\n`
const STATE = 'deploymgmt.state.json'
const BOTH = `, projectIds: [${PROJECT}, ${OTHER_PROJECT}]`
const windows = (...lines: string[]): string => only('maintenanceWindows', lines.join(''))
const ALL = windows(line('a1', '01', BOTH), line('a2', '02'), line('b1', '03'))

/** jq does not come with this repository. */
const isMissing = spawnSync('jq', ['--version']).error !== undefined
const jq = (...words: string[]): string => spawnSync('jq', words, { encoding: 'utf8' }).stdout
/** What docs/state.md has in the place of the group. */
const documented = async (command: RegExp): Promise<string> =>
  command.exec(await readFile(join(import.meta.dirname, '..', '..', 'docs', 'state.md'), 'utf8'))?.[1] ?? ''

const recorded = async (here: Pick<Scene, 'state'>): Promise<string[]> =>
  Object.keys((await here.state()).resources)

const started = (): Promise<Scene> => beginApplied(ALL, { fixture: twoProjects() })
const named = (name: string, text: string): string => text.replace('name: test', `name: ${name}`)

describe('state forget', () => {
  it('takes an entry for all that it stands for', async () => {
    const here = await started()
    const { code, stderr } = await here.run('state', 'forget', 'maintenanceWindows.a1')
    expect(code).toBe(0)
    for (const id of [PROJECT, OTHER_PROJECT])
      expect(stderr).toContain(`maintenanceWindows.a1[${id}] is forgotten. Its id is `)
    expect(await recorded(here)).toEqual(['maintenanceWindows.a2', 'maintenanceWindows.b1'])
  })

  it('takes several addresses and globs, and says each once', async () => {
    const here = await started()
    await here.forgetRequests()
    const words = ['maintenanceWindows.a*', 'maintenanceWindows.a2', 'maintenanceWindows.b1']
    const { code, document } = await here.json('state', 'forget', ...words)
    expect({ code, sent: (await here.requests()).log, left: await recorded(here) }).toEqual({
      code: 0,
      sent: [],
      left: [],
    })
    expect(document.done.filter((each: string) => each.includes('is forgotten'))).toHaveLength(4)
    expect(document.done.at(-1)).toContain('Nothing was sent; the things themselves stay as they are.')
  })

  it('takes what a glob has in one project, by its name', async () => {
    const here = await started()
    expect(await here.run('state', 'forget', 'maintenanceWindows.*[payments]')).toMatchObject({ code: 0 })
    expect(await recorded(here)).toEqual([`maintenanceWindows.a1[${OTHER_PROJECT}]`])
  })

  it('drops nothing where one address means nothing', async () => {
    const here = await started()
    for (const wrong of ['maintenanceWindows.c*', 'maintenanceWindows.c1']) {
      const { code, stderr } = await here.run('state', 'forget', 'maintenanceWindows.a*', wrong)
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`at ${wrong}`) })
    }
    expect(await recorded(here)).toHaveLength(4)
  })
})

describe('a state', () => {
  const OTHERS = 'otherStates: [../deploymgmt.state.json]\n'
  const KEPT = windows(line('a1', '01', BOTH), line('a2', '02'))

  it('is split between two teams, and joined again', async () => {
    const here = await begin({ fixture: twoProjects(), manifest: ALL })
    await applied(here, ALL)
    const there = within(here, join(here.folder, 'team-b'))
    await mkdir(there.folder)
    const manifest = (text: string): Promise<void> => writeFile(join(there.folder, 'deploymgmt.yaml'), text)
    await manifest(named('team-b', windows(line('b1', '03'))) + OTHERS)
    await here.forgetRequests()

    await here.run('state', 'pull', '--output', 'kept.json')
    const text = await readFile(join(here.folder, 'kept.json'), 'utf8')
    await writeFile(join(there.folder, 'part.json'), text.replace('"name": "test"', '"name": "team-b"'))
    expect(await there.run('state', 'push', 'part.json')).toMatchObject({ code: 0 })
    expect(await there.run('state', 'forget', 'maintenanceWindows.a*')).toMatchObject({ code: 0 })
    expect(await here.run('state', 'forget', 'maintenanceWindows.b*')).toMatchObject({ code: 0 })
    await here.manifest(`${KEPT}otherStates: [team-b/deploymgmt.state.json]\n`)
    for (const each of [here, there]) {
      const { code, document } = await each.json('plan', '--detailed-exitcode')
      expect({ code, warnings: document.warnings }).toEqual({ code: 0, warnings: [] })
      expect(await each.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    }
    expect(await recorded(here)).toHaveLength(3)
    await here.manifest(ALL)
    const first = await here.state()
    const second = JSON.parse(await readFile(join(there.folder, STATE), 'utf8'))
    await rename(join(here.folder, STATE), join(here.folder, 'before.json'))
    const joined = { ...first, resources: { ...first.resources, ...second.resources } }
    await writeFile(join(here.folder, 'joined.json'), JSON.stringify(joined))
    expect(await here.run('state', 'push', 'joined.json')).toMatchObject({ code: 0 })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    const { log } = await here.requests()
    expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it.skipIf(isMissing)(
    'gives a part to another team as docs/state.md shows, also to one that has a state',
    async () => {
      const here = await begin({ fixture: twoProjects(), manifest: ALL })
      await applied(here, ALL)
      const there = within(here, join(here.folder, 'team-b'))
      await mkdir(there.folder)
      const theirs = named('team-b', windows(line('own', '04'))) + OTHERS
      await writeFile(join(there.folder, 'deploymgmt.yaml'), theirs)
      expect(await there.run('state', 'init')).toMatchObject({ code: 0 })
      expect(await there.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
      await here.forgetRequests()

      await here.run('state', 'pull', '--output', 'whole.json')
      const filter = (await documented(/jq '(.*)' whole\.json > part\.json/))
        .replace('"search"', '"team-b"')
        .replace(/test\(".*"\)/, 'test("^maintenanceWindows[.]b")')
      const part = jq(filter, join(here.folder, 'whole.json'))
      await writeFile(join(here.folder, 'part.json'), part)
      expect(Object.keys(JSON.parse(part).resources)).toEqual(['maintenanceWindows.b1'])
      await there.run('state', 'pull', '--output', 'first.json')
      const files = [join(there.folder, 'first.json'), join(here.folder, 'part.json')]
      const joined = jq('-s', await documented(/jq -s '(.*)' first\.json second\.json/), ...files)
      await writeFile(join(there.folder, 'joined.json'), joined)
      await rename(join(there.folder, STATE), join(there.folder, 'before.json'))
      expect(await there.run('state', 'push', 'joined.json')).toMatchObject({ code: 0 })
      const [, forgotten = ''] = (await documented(/jq --raw-output ('.*' part\.json) \| xargs/)).split("'")
      const addresses = jq('--raw-output', forgotten, join(here.folder, 'part.json')).trim().split('\n')
      expect(await here.run('state', 'forget', ...addresses)).toMatchObject({ code: 0 })

      await here.manifest(`${KEPT}otherStates: [team-b/deploymgmt.state.json]\n`)
      const both = windows(line('own', '04'), line('b1', '03'))
      await writeFile(join(there.folder, 'deploymgmt.yaml'), named('team-b', both) + OTHERS)
      for (const each of [here, there]) {
        const { code, document } = await each.json('plan', '--detailed-exitcode')
        expect({ code, warnings: document.warnings }).toEqual({ code: 0, warnings: [] })
        expect(await each.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
      }
      const { log } = await here.requests()
      expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
    },
  )

  it.skipIf(isMissing)(
    'is joined as docs/state.md shows, so that what the second one has forgotten stops no creation',
    async () => {
      const here = await beginApplied(windows(line('a2', '02')), { fixture: twoProjects() })
      const there = within(here, join(here.folder, 'team-b'))
      await mkdir(there.folder)
      await writeFile(
        join(there.folder, 'deploymgmt.yaml'),
        named('team-b', windows(line('b1', '03'))) + OTHERS,
      )
      await there.run('state', 'init')
      expect(await there.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
      expect(await there.run('state', 'forget', 'maintenanceWindows.b1')).toMatchObject({ code: 0 })
      const files = [join(here.folder, STATE), join(there.folder, STATE)]
      const joined = jq('-s', await documented(/jq -s '(.*)' first\.json second\.json/), ...files)
      await writeFile(join(here.folder, 'joined.json'), joined)
      await rename(join(here.folder, STATE), join(here.folder, 'before.json'))
      expect(await here.run('state', 'push', 'joined.json')).toMatchObject({ code: 0 })
      await here.manifest(windows(line('a2', '02'), line('a3', '04')))
      expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    },
  )
})
