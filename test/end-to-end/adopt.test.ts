/** From an existing installation to manifests that change nothing. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { adopting, FIRST } from '../support/adopting.ts'
import { CI } from '../support/installation.ts'
import {
  CANARIES,
  MANY,
  manyManifest,
  manyProjects,
  OVER,
  projectId,
  SAM,
  WINDOW,
} from '../support/many-projects.ts'
import { begin, writesIn, type Scene } from '../support/scene.ts'

let here: Scene
const { adopt, planOf, textOf } = adopting(() => here)

const SECOND = 'deploymgmt.adopted-2.yaml'
const manifestsIn = async (): Promise<string[]> =>
  (await readdir(here.folder)).filter((name) => !name.includes('.state.')).toSorted()
/** Nothing is said to be all there is. */
const UNSEEN =
  'No list shows apiKeys, users or maintenanceWindows: those that no event names were not found. Declare them by their ids.'
const lineWith = (text: string, word: string): string =>
  text.split('\n').find((line) => line.includes(word)) ?? ''

describe('of 20 projects', () => {
  beforeEach(async () => {
    here = await begin({ fixture: manyProjects(), manifest: manyManifest() })
  })

  it('each list is read once, and nothing is written', async () => {
    const said = await adopt()
    expect(said).toContain('It has 18 entries for 560 things.')
    const { counts } = await here.requests()
    expect(counts).toEqual({
      challenges: 1,
      'GET /groups/{projectId}/alertConfigs': MANY,
      'GET /groups/{projectId}/integrations': MANY,
      'GET /orgs/{orgId}/events': 1,
      // The access list of the one key whose id events tell; the calling key's is not read.
      'GET /orgs/{orgId}/apiKeys/{apiKeyId}/accessList': 1,
    })
    expect(await writesIn(here)).toEqual([])
    expect(await manifestsIn()).toEqual([FIRST, 'deploymgmt.yaml'])
  })

  it.each([[[]], [['--policy']], [['--split']], [['--no-policy']], [['--split', '--no-policy']]])(
    'adopt --state %j writes no secret, the plan after it is empty, and a second run finds nothing',
    async (words) => {
      const said = await adopt('--state', 'deploymgmt.state.json', ...words)
      expect(said).toContain('All of it is recorded.')
      const written = await Promise.all((await readdir(here.folder)).map((name) => textOf(name)))
      for (const canary of CANARIES) expect([said, ...written].join('\n')).not.toContain(canary)
      expect(written.join('\n')).not.toContain('hooks.example.com')
      const { inSync, summary, changes } = await planOf()
      expect({ inSync, changes }).toEqual({ inSync: true, changes: [] })
      expect(summary.unchanged).toBe(560)
      const before = await manifestsIn()
      const again = await adopt(...words)
      expect(again).toMatch(/^There is nothing new/)
      expect(again).toContain(
        'everything that lists and events show is already declared, recorded or mentioned',
      )
      expect(await manifestsIn()).toEqual(before)
      expect(await writesIn(here)).toEqual([])
      for (const told of [said, again]) expect(told).toContain(UNSEEN)
    },
  )

  it('without a state it says that nothing is recorded, and a plan has adoptions alone', async () => {
    expect(await adopt()).toContain(
      'None of it is recorded yet. An apply records it, along with everything else that a plan shows. Next: deploymgmt plan -f deploymgmt.yaml',
    )
    const { summary, changes } = await planOf()
    expect(summary.adopt).toBe(560)
    expect(changes.flatMap(({ requests, fields }: any) => [...requests, ...fields])).toEqual([])
  })

  it('the projects of one team are named by a glob', async () => {
    const said = await adopt('--project', 'team-1*', '--output', 'tens.yaml')
    expect(said).toContain('for 280 things')
    expect(await textOf('tens.yaml')).not.toContain('team-0')
    expect((await here.run('adopt', '--project', 'teem*')).stderr).toContain(
      'Error DM-USAGE: --project: "teem*" matches the name of no project\n  The manifest names team-00, ',
    )
  })

  it.each([
    [[], ['--split']],
    [['--split'], []],
    [
      ['--split', '--output', 'mine.yaml'],
      ['--output', 'mine.yaml'],
    ],
    [['--no-policy'], ['--split', '--output', 'mine.yaml']],
    [['--split', '--no-policy'], []],
  ])(
    'after %j, %j finds nothing new: what the files of the other form declare is declared',
    async (one, other) => {
      expect(await adopt(...one)).toContain('for 560 things')
      const before = await manifestsIn()
      expect(await adopt(...other)).toMatch(/^There is nothing new/)
      expect(await manifestsIn()).toEqual(before)
    },
  )

  it('--state after that records what its files declare, but for what an apply would change', async () => {
    await adopt('--split', '--no-policy')
    const own = 'deploymgmt.adopted.team-06.yaml'
    const text = await textOf(own)
    const edited = text.replace(/(team-06-host-down: .*enabled: )true/, '$1false')
    await writeFile(join(here.folder, own), edited)
    const said = await adopt('--state', 'deploymgmt.state.json')
    expect(said).toContain('There is nothing new')
    expect(said).toContain('559 things that were adopted before were recorded.')
    expect(said).toContain(
      '1 more is not, because an apply would change it: deploymgmt apply -f deploymgmt.yaml -f ',
    )
    const { summary } = await planOf()
    expect(summary).toMatchObject({ unchanged: 559, update: 0, adopt: 1 })
    expect(await adopt('--state', 'deploymgmt.state.json')).toContain(
      '1 thing that was adopted before is not recorded, because an apply would change it: deploymgmt apply',
    )
    expect(await writesIn(here)).toEqual([])
    await writeFile(join(here.folder, own), text)
    expect(await adopt('--state', 'deploymgmt.state.json')).toContain(
      '1 thing that was adopted before was recorded.',
    )
    expect(await adopt('--state', 'deploymgmt.state.json')).toContain(
      'Everything that was adopted before is recorded.',
    )
  })

  it('--state records what is new, and with it what was adopted before', async () => {
    await adopt()
    await here.control('PUT', `projects/${projectId(7)}/integrations`, [{ type: 'ALERTING_A', apiKey: 'x' }])
    const said = await adopt('--state', 'deploymgmt.state.json')
    expect(said).toContain(`${SECOND} was written.`)
    // Three integrations are gone.
    expect(said).toContain('3 are blocked (integrations.chat-a, integrations.paging, integrations.webhook).')
    expect(said).toContain('All that it declares is recorded.')
    expect((await planOf()).summary).toMatchObject({ adopt: 0, blocked: 3 })
    expect(await writesIn(here)).toEqual([])
  })

  it('of named projects alone nothing else is read, planned or recorded', async () => {
    const words = ['--project', 'team-01', '--project', projectId(2)]
    const said = await adopt(...words, '--state', 'deploymgmt.state.json')
    expect(said).toContain('for 56 things')
    expect((await here.requests()).counts).toEqual({
      challenges: 1,
      'GET /groups/{projectId}/alertConfigs': 2,
      'GET /groups/{projectId}/integrations': 2,
      'GET /orgs/{orgId}/events': 1,
      'GET /orgs/{orgId}/apiKeys/{apiKeyId}/accessList': 1,
    })
    const text = await textOf()
    expect(text).toContain('  paging: { projectIds: [team-01, team-02], type: PAGING }\n')
    expect(text).toContain('# team-01-window:')
    expect(text).not.toMatch(/team-0[03-9]|team-1|all: true|: all/)
    expect((await planOf()).summary).toMatchObject({ unchanged: 56 })
    expect(await adopt(...words, '--state', 'deploymgmt.state.json')).toContain('There is nothing new')
    expect(await adopt()).toContain('for 504 things')
  })

  it('of another project than the one of a window nothing is said of it', async () => {
    await adopt('--project', 'team-03')
    expect(await textOf()).not.toContain(WINDOW)
  })

  it('a project that the manifest does not name is an error, by its name and by its id', async () => {
    const unnamed = [
      ['team-1', '--project: "team-1" is neither the name of a project nor an id; did you mean team-'],
      [WINDOW, `--project: the manifest names no project with the id ${WINDOW}`],
    ] as const
    for (const [project, message] of unnamed) {
      const { code, stderr } = await here.run('adopt', '--project', project)
      expect({ code, sent: (await here.requests()).log.length }).toEqual({ code: 1, sent: 0 })
      expect(stderr).toContain(message)
    }
  })

  it('a comment that was taken out comes back, unless its id stands somewhere or it is named as known', async () => {
    await adopt()
    const text = await textOf()
    const without = text.replace(/ {2}# team-01-window:.*\n(?: {2}# {3}.*\n)+/, '')
    expect(without).not.toContain(WINDOW)
    await writeFile(join(here.folder, FIRST), `${without}# not ours: ${WINDOW}\n`)
    expect(await adopt()).toMatch(/^There is nothing new/)
    await writeFile(join(here.folder, FIRST), without)
    const known = `unmanaged: { ignore: [{ section: maintenanceWindows, projectId: team-01, reason: theirs }] }\n`
    await here.manifest(manyManifest(known))
    expect(await adopt()).toMatch(/^There is nothing new/)
    await here.manifest(manyManifest())
    expect(await adopt()).toContain(`${SECOND} was written.`)
    expect(await textOf(SECOND)).toContain(`windowId: ${WINDOW}`)
  })

  it('what events alone tell stands there as a comment with its evidence, and without the signs is an entry', async () => {
    await adopt()
    const text = await textOf()
    expect(lineWith(text, '# team-01-window:')).toContain(
      `${WINDOW}, known from MAINTENANCE_WINDOW_ADDED_AUDIT by key "ciadmin", 2026-11-02 09:12:00 UTC, event 5dc9f1a2b3c4d5e6f7081901`,
    )
    expect(text).toContain(`  #   windowId: ${WINDOW}\n`)
    expect(text).not.toContain(OVER)
    expect(text).toContain(`  #   userId: ${SAM}\n`)
    expect(text).toContain('  #   accessList: [192.0.2.0/24]\n')
    // The calling key is no find by what it has done, so that an apply makes none.
    expect(lineWith(text, '# reporter:')).not.toContain('calls with')
    expect(text).not.toContain(`# ${CI.publicKey}:`)
    expect(text).toContain('# What is commented out is known only from events. ')
    const sections = text.split('\n').filter((line) => /^\w+:$/.test(line))
    // What is managed comes first.
    expect(sections).toEqual([
      'alertConfigurations:',
      'integrations:',
      'apiKeys:',
      'users:',
      'maintenanceWindows:',
    ])
    const entries = text.replaceAll(/^ {2}# (?= |[\w-]+: #)/gm, '  ')
    await writeFile(join(here.folder, FIRST), entries)
    const { stderr } = await here.run('validate', '-f', '.')
    const wrong = stderr.split('\n').filter((line) => line.startsWith(FIRST))
    // A user has to fill in what no event tells.
    expect(wrong.map((line) => line.replace(/^\S+ +(\S+):.*$/, '$1')).toSorted()).toEqual([
      'apiKeys.nightly.apiKeyId',
      'users.dana-example-com-evil.roles',
      'users.dana-example-com-evil.rolesComplete',
      'users.dana-example-com-evil.userId',
      'users.sam.roles',
      'users.sam.rolesComplete',
    ])
  })

  it('what is named as known is left alone, and so is what --except means', async () => {
    await here.manifest(
      manyManifest(
        `unmanaged:\n  ignore:\n    - { section: integrations, type: CHAT_A, reason: by hand }\n    - { section: alertConfigurations, projectId: team-03, reason: theirs }\n    - { section: users, username: sam@example.com, reason: us }\n    - { section: integrations, type: PAGING, reason: over, until: 2020-01-01 }\n`,
      ),
    )
    const { code, stdout, stderr } = await here.run(
      'adopt',
      '--no-policy',
      '--except',
      'apiKeys.*',
      '--except',
      '*.none',
    )
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "Warning: --except '*.none' matches nothing that was found.\n",
    })
    expect(stdout).toContain('for 516 things.')
    expect(stdout).toContain('44 things under unmanaged.ignore were left alone.')
    const text = await textOf()
    for (const word of ['CHAT_A', 'team-03-host-down', 'sam@example.com', 'apiKeys:'])
      expect(text).not.toContain(word)
    expect(text).toContain('team-03-paging')
    expect((await planOf()).summary.adopt).toBe(516)
  })

  it('a run later writes what is new alone, and leaves what a person wrote', async () => {
    await adopt('--state', 'deploymgmt.state.json', '--no-policy')
    const edited = (await textOf())
      .replace('team-04-host-down:', 'down:')
      .replace(/ {2}team-05-paging: .*\n/, '')
      .replace(/(team-06-host-down: .*enabled: )true/, '$1false')
    await writeFile(join(here.folder, FIRST), edited)
    await here.control('PUT', `projects/${projectId(7)}/integrations`, [{ type: 'ALERTING_A', apiKey: 'x' }])
    const said = await adopt()
    expect(said).toContain(`${SECOND} was written.\nIt has 1 entry for 1 thing.`)
    expect(await textOf()).toBe(edited)
    expect(lineWith(await textOf(SECOND), 'ALERTING_A')).toBe(
      '  team-07-alerting-a: { projectId: team-07, type: ALERTING_A }',
    )
    // What was taken out is still recorded, and the plan of the user's own edits is up to the user.
    expect((await planOf()).summary).toMatchObject({ moved: 1, release: 1, update: 1, adopt: 1 })
    expect(await adopt()).toMatch(/^There is nothing new/)
  })
})
