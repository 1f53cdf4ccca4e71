/** What is left to do after a part of an entry, or after a transfer that was interrupted, went to another state. */
import { chmod, copyFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { AT_ONCE, runHere } from '../support/command.ts'
import { bareRepository, checkoutOf } from '../support/git.ts'
import { PROJECT, manifestWith } from '../support/installation.ts'
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

const movedTo = (id: string): string =>
  windows(window('goes', '02', `, projectId: ${id}, protect: true`), KEPT)

it('what waits for its release goes with the entry that has replaced it', async () => {
  const { here, there } = await twoTeams(movedTo(PROJECT))
  await here.manifest(movedTo(OTHER_PROJECT))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
  await here.forgetRequests()
  const before = await recordsOf(here)
  const words = ['state', 'transfer', 'maintenanceWindows.goes', ...TO]
  expect(await here.run(...words)).toMatchObject({ code: 0 })
  const { 'maintenanceWindows.kept': kept, ...gone } = before
  expect(Object.keys(gone).toSorted()).toEqual([
    'maintenanceWindows.goes',
    expect.stringContaining('maintenanceWindows.goes[replaced '),
  ])
  expect(await recordsOf(there)).toEqual(gone)
  expect(await recordsOf(here)).toEqual({ 'maintenanceWindows.kept': kept })
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

const item = (name: string): string =>
  `  - address: maintenanceWindows.${name}\n    field: description\n    value: theirs\n    reason: known\n`

describe('what stays with the first manifest', () => {
  it('is accepted drift, whose items are named with the file that gets them', async () => {
    const { here } = await twoTeams(windows(KEPT, GOES))
    const file = join(here.folder, 'deploymgmt.accepted.yaml')
    await writeFile(file, `version: 1\naccepted:\n${item('kept')}${item('goes')}`)
    const said = await transferredBy(here, 'maintenanceWindows.goes', ...TO)
    expect(said).toContain(
      'Drift of maintenanceWindows.goes is accepted at deploymgmt.accepted.yaml:7: move that item to the file beside the manifest "search", or drift fails there.',
    )
    expect(said).not.toContain('Drift of maintenanceWindows.kept')
    await writeFile(file, 'version: 2\n')
    expect(await transferredBy(here, 'maintenanceWindows.kept', ...TO)).toContain(
      'Which drift was accepted is not known, and stays behind: ',
    )
  })

  it('is told of strangers only where events alone show what went, and the manifest does not name the other state', async () => {
    const NAMES = 'has to name the state of the other under `otherStates`'
    const { here } = await twoTeams(windows(KEPT, GOES))
    expect(await transferredBy(here, 'maintenanceWindows.kept', ...TO)).toContain(NAMES)
    await here.manifest(besides(windows(KEPT, GOES)))
    expect(await transferredBy(here, 'maintenanceWindows.goes', ...TO)).not.toContain(NAMES)
    const listed = await beginApplied(manifestWith({}))
    await team(listed)
    const said = await transferredBy(listed, 'integrations.paging', ...TO)
    expect(said).toContain('integrations.paging is now in')
    expect(said).not.toContain(NAMES)
  })
})

describe('a failure between the two saves', () => {
  it('says that the records are in both states, and the same command finishes', async () => {
    const here = await begin({ manifest: windows(KEPT, GOES), fixture: twoProjects() })
    const bare = await bareRepository()
    await checkoutOf(here.folder, bare)
    const inGit = `${windows(KEPT, GOES)}state: git:origin\n`
    await rm(join(here.folder, STATE))
    await here.manifest(inGit)
    expect(await here.run('state', 'init')).toMatchObject({ code: 0 })
    await applied(here, inGit)
    const there = await team(here)
    const hook = join(bare, 'hooks', 'pre-receive')
    await writeFile(hook, `#!/bin/sh\n! grep -q maintenanceWindows.goes ${join(there.folder, STATE)}\n`)
    await chmod(hook, 0o755)
    const words = ['state', 'transfer', 'maintenanceWindows.goes', ...TO]
    const failed = await runHere(here, words, AT_ONCE)
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain(
      'The records are in both states now: apply neither of the two manifests before the same command has finished.',
    )
    await rm(hook)
    const [, id = ''] = /state unlock (\S+)/.exec((await here.run(...words)).stderr) ?? []
    expect(await here.run('state', 'unlock', id)).toMatchObject({ code: 0 })
    expect(await runHere(here, words, AT_ONCE)).toMatchObject({ code: 0 })
    expect(await recorded(there)).toEqual(['maintenanceWindows.goes'])
    expect((await here.run('state', 'list')).stdout).not.toContain('maintenanceWindows.goes')
  })
})

describe('two transfers at once', () => {
  it('in opposite directions take the locks in one order, so that neither waits for the other forever', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES), windows(window('theirs', '09')))
    expect(await there.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const patience = ['--lock-timeout', '1m']
    const ran = await Promise.all([
      runHere(here, ['state', 'transfer', '*.goes', ...TO, ...patience], AT_ONCE),
      runHere(there, ['state', 'transfer', '*.theirs', '--to', `../${STATE}`, ...patience], AT_ONCE),
    ])
    expect(ran).toMatchObject([{ code: 0 }, { code: 0 }])
    expect(await recorded(here)).toEqual(['maintenanceWindows.kept', 'maintenanceWindows.theirs'])
    expect(await recorded(there)).toEqual(['maintenanceWindows.goes'])
  })
})
