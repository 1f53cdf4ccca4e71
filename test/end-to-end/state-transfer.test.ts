/** Things go from one manifest to another, each with a state of its own: nothing is sent. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bareRepository, checkoutOf, git } from '../support/git.ts'
import { PROJECT, fixtureWith, manifestWith } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { OTHER_PROJECT, applied, begin, beginApplied, twoProjects } from '../support/scene.ts'
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

describe('state transfer', () => {
  it('gives a window to another manifest: it is neither created again nor ended, and its id stays known', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES))
    const before = await recordsOf(here)
    const { code, stdout, stderr } = await here.run('state', 'transfer', 'maintenanceWindows.goes', ...TO)
    const { id } = before['maintenanceWindows.goes'].identity
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain(`maintenanceWindows.goes is now in ${THERE}. Its id is ${id}.\n`)
    expect((await here.requests()).log).toEqual([])
    expect(await recordsOf(there)).toEqual({ 'maintenanceWindows.goes': before['maintenanceWindows.goes'] })
    expect(await recorded(here)).toEqual(['maintenanceWindows.kept'])
    expect((await here.state()).known).toMatchObject([{ identity: { id } }])
    expect(await there.state()).not.toHaveProperty('known')
    await here.manifest(besides(windows(KEPT)))
    await there.declare(windows(GOES))
    await expectSettled(here, here, there)
    expect(await windowsAt(here)).toHaveLength(2)
    await here.manifest(besides(windows(KEPT, LATER)))
    await there.declare(windows(GOES, window('own', '05')))
    for (const each of [here, there])
      expect(await each.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await windowsAt(here)).toHaveLength(4)
  })

  it('is told of by either plan that would create the window again, after the other state was put back', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES))
    const before = await readFile(join(there.folder, STATE), 'utf8')
    const { id } = (await recordsOf(here))['maintenanceWindows.goes'].identity
    await here.run('state', 'transfer', 'maintenanceWindows.goes', ...TO)
    await writeFile(join(there.folder, STATE), before)
    await there.declare(windows(GOES))
    for (const each of [here, there]) {
      const { document } = await each.json('plan')
      expect(document.summary.create).toBe(1)
      expect(document.warnings).toContainEqual(
        expect.stringMatching(`${String(id)} was recorded or disowned before.*twice`),
      )
    }
  })

  it('says what is left to do in the manifests, and what happens before that is done', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES, LATER))
    const neither = await transferredBy(here, 'maintenanceWindows.goes', ...TO)
    expect(neither).toContain(
      'Nothing was sent. Next: take the entry out of the manifest "test", declare it under the same name in the manifest "search", and run deploymgmt plan with both, which then have nothing to do. Until then, an apply of the manifest "test" brings it under management again, or creates what no id names in its entry, and an apply of the manifest "search" releases it.',
    )
    expect(neither).toContain('each has to name the state of the other under `otherStates`')
    await here.manifest(besides(windows(KEPT)))
    const gone = await transferredBy(here, 'maintenanceWindows.later', ...TO)
    expect(gone).toContain(
      'Next: declare the entry under the same name in the manifest "search", and run deploymgmt plan with both, which then have nothing to do. Until then, an apply of the manifest "search" releases it.',
    )
    await there.declare(windows(GOES, LATER, KEPT))
    const fetched = ['--from', `../${STATE}`, '--to', STATE]
    expect(await transferredBy(there, 'maintenanceWindows.kept', ...fetched)).toContain(
      'Next: take the entry out of the manifest "test", and run deploymgmt plan with both',
    )
    expect(await recorded(here)).toEqual([])
  })

  it('gives users, keys, configurations by selector and integrations, by patterns, whose manifests then have nothing to do', async () => {
    const fixture = fixtureWith({
      alertConfigs: ['d0f3', 'd0f4'].map((end) => ({
        id: `5d1113b25a115342acc2${end}`,
        eventTypeName: 'HOST_DOWN',
        enabled: false,
      })),
    })
    const sections = {
      alertConfigurations: '  host-down: { select: { eventTypeName: HOST_DOWN }, enabled: true }',
    }
    const here = await beginApplied(manifestWith(sections), { fixture })
    const there = await team(here)
    await here.forgetRequests()
    const before = await recordsOf(here)
    const words = ['users.dana', 'apiKeys.*', 'alertConfigurations.host-down', '*.old-*', '*.paging']
    expect(await here.run('state', 'transfer', ...words, ...TO)).toMatchObject({ code: 0 })
    const { 'maintenanceWindows.migration': kept, ...gone } = before
    expect(Object.keys(gone)).toHaveLength(6)
    expect(await recordsOf(there)).toEqual(gone)
    expect(await recordsOf(here)).toEqual({ 'maintenanceWindows.migration': kept })
    await there.declare(manifestWith({ ...sections, maintenanceWindows: '' }))
    await here.manifest(
      besides(manifestWith({ apiKeys: '', users: '', alertConfigurations: '', integrations: '' })),
    )
    await expectSettled(here, here, there)
  })

  it('gives what an entry has in one project, or all of an entry, with the names of the projects', async () => {
    const { here, there } = await twoTeams(withLedger(windows(SEVERAL, KEPT)))
    expect(await here.run('state', 'transfer', 'maintenanceWindows.several[ledger]', ...TO)).toMatchObject({
      code: 0,
    })
    expect(await recorded(there)).toEqual([`maintenanceWindows.several[${OTHER_PROJECT}]`])
    expect((await there.state()).projects).toEqual({ [OTHER_PROJECT]: 'ledger' })
    expect(await here.run('state', 'transfer', 'maintenanceWindows.several', ...TO)).toMatchObject({
      code: 0,
    })
    expect(await recorded(there)).toHaveLength(2)
    await here.manifest(besides(windows(KEPT)))
    await there.declare(windows(SEVERAL))
    await expectSettled(here, here, there)
  })

  it('counts many, and has the same sentences as JSON', async () => {
    const many = Array.from({ length: 21 }, (_, index) => window(`w${index}`, String(index + 10)))
    const { here, there } = await twoTeams(windows(...many, KEPT))
    const one = await here.json('state', 'transfer', 'maintenanceWindows.kept', ...TO)
    expect({ code: one.code, done: one.document.done }).toEqual({
      code: 0,
      done: [
        expect.stringMatching(/^maintenanceWindows\.kept is now in .* Its id is [\da-f]{24}\.$/),
        expect.stringMatching(/^Nothing was sent\. Next: /),
        expect.stringContaining('otherStates'),
      ],
    })
    const { stderr } = await here.run('state', 'transfer', 'maintenanceWindows.w*', ...TO)
    expect(stderr).toContain(
      `21 records of 21 entries are now in ${THERE}: maintenanceWindows.w0, maintenanceWindows.w1, maintenanceWindows.w10 and 18 more.`,
    )
    expect(stderr).toContain(
      'Next: take the entries out of the manifest "test", declare them under the same names',
    )
    expect(await recorded(there)).toHaveLength(22)
  })

  it('keeps the evidence: who changed it later is named there, and it can be renamed there', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES))
    expect(await here.run('state', 'transfer', 'maintenanceWindows.goes', ...TO)).toMatchObject({ code: 0 })
    await here.manifest(besides(windows(KEPT)))
    await there.declare(windows(window('renamed', '02').replace('description: renamed', 'description: goes')))
    expect(
      await there.run('state', 'mv', 'maintenanceWindows.goes', 'maintenanceWindows.renamed'),
    ).toMatchObject({ code: 0 })
    await expectSettled(here, here, there)
    const { id } = (await recordsOf(there))['maintenanceWindows.renamed'].identity
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
    const { code, document } = await there.json('drift')
    const [found] = document.resources.filter(({ verdict }: any) => verdict !== 'in-sync')
    expect({ code, address: found.address }).toEqual({ code: 2, address: 'maintenanceWindows.renamed' })
    expect(JSON.stringify(found)).toContain('oncall')
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('takes what the first state knew along once nothing is left in it, so that it can be taken away', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES))
    expect(await here.run('state', 'forget', 'maintenanceWindows.kept')).toMatchObject({ code: 0 })
    expect(await here.run('state', 'transfer', '*', ...TO)).toMatchObject({ code: 0 })
    expect((await there.state()).known).toHaveLength(1)
    await rm(join(here.folder, STATE))
    await writeFile(
      join(there.folder, 'deploymgmt.yaml'),
      windows(GOES, LATER).replace('name: test', 'name: search'),
    )
    expect(await there.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  })

  it('forgets there that a thing is only known, when it comes back', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES))
    expect(await here.run('state', 'transfer', '*.goes', ...TO)).toMatchObject({ code: 0 })
    const back = ['--from', STATE, '--to', `../${STATE}`]
    expect(await there.run('state', 'transfer', '*.goes', ...back)).toMatchObject({ code: 0 })
    expect(await here.state()).not.toHaveProperty('known')
    await expectSettled(here, here)
  })
})

describe('state transfer changes nothing', () => {
  const goes = ['state', 'transfer', 'maintenanceWindows.goes']

  it.each([
    [
      'for an address that means nothing',
      [...goes, 'maintenanceWindows.gone', ...TO],
      'nothing is recorded at maintenanceWindows.gone',
    ],
    ['for a pattern that means nothing', [...goes, 'users.*', ...TO], 'nothing is recorded at users.*'],
    ['to the same state', [...goes, '--to', `./${STATE}`], 'both are the same state'],
    [
      'to a place without a state',
      [...goes, '--to', 'none.json'],
      'deploymgmt state init -f MANIFEST --state none.json',
    ],
    ['from a place without a state', [...goes, '--from', 'none.json', ...TO], 'there is no state'],
  ])('%s', async (_, words, said) => {
    const { here, there } = await twoTeams(windows(KEPT, GOES))
    const before = [await here.state(), await there.state()]
    const { code, stderr } = await here.run(...words)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
    expect([await here.state(), await there.state()]).toEqual(before)
  })

  it('if the other state records something else at one of the addresses, which it names with what renames it', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES), windows(window('goes', '09')))
    expect(await there.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { code, stderr } = await here.run('state', 'transfer', 'maintenanceWindows.*', ...TO)
    expect(code).toBe(1)
    expect(stderr).toContain('records something else at maintenanceWindows.goes')
    expect(stderr).toContain('deploymgmt state mv maintenanceWindows.goes NEW')
    expect(await recorded(here)).toHaveLength(2)
    expect(await recorded(there)).toHaveLength(1)
  })

  it('if the other state records the same thing already, but not the same of it', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES))
    const { id } = (await recordsOf(here))['maintenanceWindows.goes'].identity
    await there.declare(windows(window('adopted', '02', `, windowId: ${id}`)))
    expect(await there.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { code, stderr } = await here.run(...goes, ...TO)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('maintenanceWindows.goes (there maintenanceWindows.adopted)'),
    })
    expect(await recorded(here)).toHaveLength(2)
  })

  it('between states of two services', async () => {
    const { here, there } = await twoTeams(windows(KEPT, GOES))
    const state = await there.state()
    await writeFile(
      join(there.folder, STATE),
      JSON.stringify({ ...state, baseUrl: 'https://other.example.com' }),
    )
    const { code, stderr } = await here.run(...goes, ...TO)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-MISMATCH') })
    expect(await recorded(here)).toHaveLength(2)
  })

  it('with a manifest that neither of the states belongs to', async () => {
    const { here } = await twoTeams(windows(KEPT, GOES))
    await here.manifest(windows(KEPT).replace('name: test', 'name: third'))
    const { code, stderr } = await here.run(...goes, ...TO)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-MISMATCH') })
  })

  it.each(['here', 'there'] as const)('while a request of unknown outcome is open %s', async (side) => {
    const { here, there } = await twoTeams(windows(KEPT, GOES))
    const lost = window('lost', '07')
    await here.control('POST', 'faults', { method: 'POST', count: 1, fault: 'reset-after' })
    if (side === 'here') await here.manifest(windows(KEPT, GOES, lost))
    else await there.declare(windows(lost))
    const sender = { here, there }[side]
    expect(await sender.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    const { code, stderr } = await here.run(...goes, ...TO)
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('DM-UNKNOWN-OUTCOME') })
    expect(stderr.includes('It was sent with the manifest "search"')).toBe(side === 'there')
    expect(await recorded(here)).toHaveLength(2)
  })

  it.each(['here', 'there'] as const)(
    'while another command holds the lock %s, and gives the other back',
    async (side) => {
      const { here, there } = await twoTeams(windows(KEPT, GOES))
      const lock = join({ here, there }[side].folder, `${STATE}.lock`)
      const owner = {
        id: 'an-id',
        pid: process.pid,
        host: hostname(),
        command: 'apply',
        at: '2026-12-01T00:00:00Z',
      }
      await writeFile(lock, JSON.stringify({ ...owner, host: 'elsewhere' }))
      const { code, stderr } = await here.run(...goes, ...TO)
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-LOCKED') })
      expect(stderr).toMatch(
        side === 'here'
          ? /state unlock an-id\n/
          : /state unlock an-id --state search\/deploymgmt\.state\.json/,
      )
      expect(await recorded(here)).toHaveLength(2)
      const waited = await here.run(...goes, ...TO, '--lock-timeout', '1s')
      expect(waited).toMatchObject({ code: 1, stderr: expect.stringContaining('it was waited for') })
      await rm(lock)
      expect(await here.run(...goes, ...TO)).toMatchObject({ code: 0 })
    },
  )
})

describe('state transfer between stores', () => {
  it('from git to a file and back keeps the history of the branch', async () => {
    const here = await begin({ manifest: windows(KEPT, GOES), fixture: twoProjects() })
    const bare = await bareRepository()
    await checkoutOf(here.folder, bare)
    const inGit = `${windows(KEPT, GOES)}state: git:origin\n`
    await rm(join(here.folder, STATE))
    await here.manifest(inGit)
    expect(await here.run('state', 'init')).toMatchObject({ code: 0 })
    await applied(here, inGit)
    const there = await team(here)
    const commits = () => git(bare, 'log', '--format=%H %s', 'deploymgmt/test')
    const before = await commits()
    const went = await here.run('state', 'transfer', 'maintenanceWindows.goes', ...TO)
    expect(went).toMatchObject({ code: 0 })
    const after = await commits()
    expect(after.endsWith(before)).toBe(true)
    expect(after).toContain('state transfer')
    expect(await recorded(there)).toEqual(['maintenanceWindows.goes'])
    const back = ['--from', THERE, '--to', 'git:origin']
    expect(await here.run('state', 'transfer', 'maintenanceWindows.goes', ...back)).toMatchObject({ code: 0 })
    expect(await recorded(there)).toEqual([])
    expect((await commits()).endsWith(after)).toBe(true)
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await windowsAt(here)).toHaveLength(2)
  })
})
