/** What is left to do after a part of an entry, or after a transfer that was interrupted, went to another state. */
import { copyFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bareRepository, checkoutOf } from '../support/git.ts'
import { PROJECT } from '../support/installation.ts'
import { OTHER_PROJECT, applied, begin, beginApplied, only, twoProjects } from '../support/scene.ts'
import {
  GOES,
  KEPT,
  LATER,
  SEVERAL,
  STATE,
  THERE,
  TO,
  besides,
  expectSettled,
  recorded,
  recordsOf,
  team,
  transferredBy,
  twoTeams,
  window,
  windows,
  withLedger,
} from '../support/two-teams.ts'

const inProject = (id: string): string => SEVERAL.replace(/projectIds: \[[^\]]*\]/, `projectIds: [${id}]`)

const WEEKLY = `  weekly: ${JSON.stringify({
  alertTypeNames: ['HOST'],
  schedule: {
    rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0',
    timezone: 'Europe/Madrid',
    duration: 'PT2H',
    horizon: 'P14D',
  },
})}\n`
const FIRST = 'maintenanceWindows.weekly[2035-01-07T01:00:00Z]'

describe('a part of an entry', () => {
  it('has the entry narrowed in one manifest and declared in the other, which then have nothing to do', async () => {
    const { here, there } = await twoTeams(withLedger(windows(SEVERAL, KEPT)))
    const said = await transferredBy(here, 'maintenanceWindows.several[ledger]', ...TO)
    expect(said).toContain(
      'Next: narrow the entry in the manifest "test" to what stays, such as by its `projectIds` or by an id, declare what went under the same name in the manifest "search", and run deploymgmt plan with both, which then have nothing to do, or only rename what one entry stood for in several projects.',
    )
    await here.manifest(besides(windows(inProject(PROJECT), KEPT)))
    await there.declare(windows(inProject(OTHER_PROJECT)))
    for (const each of [here, there]) {
      expect((await each.json('plan')).document).toMatchObject({
        summary: { create: 0, delete: 0 },
        warnings: [],
      })
      expect(await each.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    }
    await expectSettled(here, here, there)
  })

  it('is the whole entry once nothing stays', async () => {
    const { here } = await twoTeams(withLedger(windows(SEVERAL, KEPT)))
    await transferredBy(here, 'maintenanceWindows.several[ledger]', ...TO)
    expect(await transferredBy(here, 'maintenanceWindows.several', ...TO)).toContain(
      'Next: take the entry out of the manifest "test", declare it under the same name',
    )
  })

  it('of a schedule does not go: its occurrences go together, which is named', async () => {
    const here = await begin()
    await here.control('POST', 'clock', { now: '2035-01-01T00:00:00Z' })
    await applied(here, only('maintenanceWindows', WEEKLY))
    const there = await team(here)
    await here.forgetRequests()
    const { code, stderr } = await here.run('state', 'transfer', FIRST, ...TO)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-ADDRESS') })
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'what one schedule stands for goes together, and maintenanceWindows.weekly has 2 occurrences, of which 1 was named',
    )
    expect(stderr).toContain('Name it whole: maintenanceWindows.weekly')
    expect(await recorded(here)).toHaveLength(2)
    expect(await here.run('state', 'transfer', 'maintenanceWindows.weekly', ...TO)).toMatchObject({ code: 0 })
    await here.manifest(besides(windows()))
    await there.declare(windows(WEEKLY))
    for (const each of [here, there])
      expect(await each.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

describe('what went before', () => {
  it('is named as being there already, and the rest goes', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES, window('goes2', '05')))
    const words = ['maintenanceWindows.goes', ...TO]
    expect(await here.run('state', 'transfer', ...words)).toMatchObject({ code: 0 })
    const again = await here.run('state', 'transfer', ...words)
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`maintenanceWindows.goes is in ${THERE} already.`),
    })
    expect(again.stderr).not.toContain('did you mean')
    expect(again.stderr).toContain('Next: take the entry out of')
    const rest = await transferredBy(here, 'maintenanceWindows.goes2', ...words)
    expect(rest).toContain(`maintenanceWindows.goes2 is now in ${THERE}.`)
    expect(rest).toContain(`maintenanceWindows.goes is in ${THERE} already.`)
    expect(await recorded(here)).toEqual(['maintenanceWindows.kept'])
    expect(await recorded(there)).toHaveLength(2)
    const pattern = await here.run('state', 'transfer', '*.goes*', ...TO)
    expect(pattern).toMatchObject({ code: 0, stderr: expect.stringContaining('already') })
  })
})

const refused = (words: string) => ({ code: 1, stderr: expect.stringContaining(words) })

describe('one state under two names', () => {
  it('is refused as a copy, which has no manifest of its own, and keeps its records', async () => {
    const here = await beginApplied(windows(KEPT, GOES, LATER), { fixture: twoProjects() })
    await copyFile(join(here.folder, STATE), join(here.folder, 'kept.json'))
    const before = await recordsOf(here)
    expect(await here.run('state', 'transfer', '*', '--to', 'kept.json')).toMatchObject(
      refused('both are the same state, or one is a copy of the other'),
    )
    expect(await recordsOf(here)).toEqual(before)
  })

  it('is refused behind a symbolic link and behind the two addresses of a branch, and no lock is removed', async () => {
    const here = await beginApplied(windows(KEPT, GOES), { fixture: twoProjects() })
    await symlink(STATE, join(here.folder, 'link.json'))
    const bare = await bareRepository()
    await checkoutOf(here.folder, bare)
    expect(await here.run('state', 'init', '--state', 'git:origin#own')).toMatchObject({ code: 0 })
    const same: [string, string][] = [
      [STATE, 'link.json'],
      ['git:origin#own', `git+${pathToFileURL(bare).href}#own`],
    ]
    for (const [from, to] of same) {
      const ran = await here.run('state', 'transfer', '*', '--from', from, '--to', to)
      expect(ran).toMatchObject(refused('both are the same state'))
      expect(ran.stderr).not.toContain('state unlock')
    }
  })
})
