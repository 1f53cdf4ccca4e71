/** One state becomes two, each with a part of the things, and two become one: nothing is sent. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT, within } from '../support/installation.ts'
import { beginApplied, OTHER_PROJECT, twoProjects, type Scene } from '../support/scene.ts'
import { BOTH, recorded, window, windows } from '../support/two-teams.ts'

const ALL = windows(window('a1', '01', BOTH), window('a2', '02'), window('b1', '03'))

/** The transfers that docs/state-records.md shows, as words. */
const documented = async (): Promise<string[][]> => {
  const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'state-records.md'), 'utf8')
  return [...page.matchAll(/^ *deploymgmt (state transfer .*)$/gm)].map(([, words = '']) =>
    words.replaceAll("'", '').split(' '),
  )
}

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

it('a state is split between two teams and joined again as docs/state-records.md shows', async () => {
  const [split = [], joined = []] = await documented()
  const mine = window('a1', '01', BOTH) + window('a2', '02')
  const theirs = window('search-night', '03') + window('search-day', '04')
  const key =
    'apiKeys:\n  search: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Search, roles: [ORG_MEMBER] }\n'
  const here = await beginApplied(windows(mine, theirs) + key, { fixture: twoProjects() })
  const there = within(here, join(here.folder, 'search'))
  await mkdir(there.folder)
  const declare = (text: string): Promise<void> =>
    writeFile(join(there.folder, 'deploymgmt.yaml'), named('search', text))
  const OTHERS = 'otherStates: [../deploymgmt.state.json]\n'
  await declare(windows(theirs) + key + OTHERS)
  await here.manifest(`${windows(mine)}otherStates: [search/deploymgmt.state.json]\n`)
  await here.forgetRequests()
  expect(await here.run('state', 'init', '-f', 'search/')).toMatchObject({ code: 0 })
  expect(await here.run(...split)).toMatchObject({ code: 0 })
  for (const each of [here, there]) {
    const { code, document } = await each.json('plan', '--detailed-exitcode')
    expect({ code, warnings: document.warnings }).toEqual({ code: 0, warnings: [] })
    expect(await each.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  }
  expect(await recorded(here)).toHaveLength(3)

  expect(await there.run('state', 'forget', 'maintenanceWindows.search-day')).toMatchObject({ code: 0 })
  expect(await there.run(...joined)).toMatchObject({ code: 0 })
  const whole = windows(mine, window('search-night', '03'))
  await here.manifest(whole + key)
  await rm(there.folder, { recursive: true })
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  const { log } = await here.requests()
  expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
  // What the second state had forgotten stops no creation.
  await here.manifest(windows(mine, window('search-night', '03'), window('new', '09')) + key)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
})
