/** From an installation that is there to manifests that change nothing. */
import { EventEmitter } from 'node:events'
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { adopting, FIRST } from '../support/adopting.ts'
import { runHere } from '../support/command.ts'
import { CI, fixtureWith, ORG, PROJECT } from '../support/installation.ts'
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
import { unwrapped } from '../support/comments.ts'
import { begin, only, OTHER_PROJECT, writesIn, type Scene } from '../support/scene.ts'
import { killedAsItOpens, QUIET, silences, windowOf } from '../support/silence.ts'

let here: Scene
const { adopt, planOf, textOf } = adopting(() => here)

const SECOND = 'deploymgmt.adopted-2.yaml'
const manifestsIn = async (): Promise<string[]> =>
  (await readdir(here.folder)).filter((name) => !name.includes('.state.')).toSorted()
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
      // That of the key whose id events tell: the calling one is not meant.
      'GET /orgs/{orgId}/apiKeys/{apiKeyId}/accessList': 1,
    })
    expect(await writesIn(here)).toEqual([])
    expect(await manifestsIn()).toEqual([FIRST, 'deploymgmt.yaml'])
  })

  it.each([[[]], [['--policy']], [['--split']], [['--no-policy']], [['--split', '--no-policy']]])(
    'the plan after adopt --state %j is empty, and a second run finds nothing',
    async (words) => {
      const said = await adopt('--state', 'deploymgmt.state.json', ...words)
      expect(said).toContain('All of it is recorded.')
      const { inSync, summary, changes } = await planOf()
      expect({ inSync, changes }).toEqual({ inSync: true, changes: [] })
      expect(summary.unchanged).toBe(560)
      const before = await manifestsIn()
      expect(await adopt(...words)).toMatch(/^There is nothing new/)
      expect(await manifestsIn()).toEqual(before)
      expect(await writesIn(here)).toEqual([])
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
      '1 more is not, since an apply would change it: deploymgmt apply -f deploymgmt.yaml -f ',
    )
    const { summary } = await planOf()
    expect(summary).toMatchObject({ unchanged: 559, update: 0, adopt: 1 })
    expect(await adopt('--state', 'deploymgmt.state.json')).toContain(
      '1 thing that was adopted before is not recorded, since an apply would change it: deploymgmt apply',
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

  it.each([
    ['team-1', '--project: "team-1" is neither the name of a project nor an id; did you mean team-'],
    [WINDOW, `--project: the manifest names no project with the id ${WINDOW}`],
  ])('a project that the manifest does not name is an error: %s', async (project, message) => {
    const { code, stderr } = await here.run('adopt', '--project', project)
    expect({ code, sent: (await here.requests()).log.length }).toEqual({ code: 1, sent: 0 })
    expect(stderr).toContain(message)
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

  it.each([[[]], [['--no-policy', '--split']]])(
    'no secret is in a file, in what is said or in the state: %j',
    async (words) => {
      const said = await adopt('--state', 's.json', ...words)
      const written = await Promise.all((await readdir(here.folder)).map((name) => textOf(name)))
      for (const canary of CANARIES) expect([said, ...written].join('\n')).not.toContain(canary)
      expect(written.join('\n')).not.toContain('hooks.example.com')
    },
  )

  it('what events alone tell stands there as a comment with its evidence, and without the signs is an entry', async () => {
    await adopt()
    const text = await textOf()
    expect(lineWith(text, '# team-01-window:')).toContain(
      `${WINDOW}, told by MAINTENANCE_WINDOW_ADDED_AUDIT by key "ciadmin", 2026-11-02 09:12:00 UTC, event 5dc9f1a2b3c4d5e6f7081901`,
    )
    expect(text).toContain(`  #   windowId: ${WINDOW}\n`)
    expect(text).not.toContain(OVER)
    expect(text).toContain(`  #   userId: ${SAM}\n`)
    expect(text).toContain('  #   accessList: [192.0.2.0/24]\n')
    expect(text).toContain('# What is commented out is known from events only: ')
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
    // What no event tells is left for a person.
    expect(wrong.map((line) => line.replace(/^\S+ +(\S+):.*$/, '$1')).toSorted()).toEqual([
      'apiKeys.nightly.apiKeyId',
      'users.dana-example-com-evil.roles',
      'users.dana-example-com-evil.rolesComplete',
      'users.dana-example-com-evil.userId',
      'users.sam.roles',
      'users.sam.rolesComplete',
    ])
  })

  it('what neither a list nor an event shows is not said to be found, nor that there is nothing else', async () => {
    const unseen =
      'No list shows apiKeys, users, maintenanceWindows: what of them no event names was not found, and is declared by its id.'
    expect(await adopt()).toContain(unseen)
    const again = await adopt()
    expect(again).toContain(
      'everything that lists and events show is already declared, recorded or mentioned',
    )
    expect(again).toContain(unseen)
  })

  it('the calling key is no find by what it has done, so that an apply makes none', async () => {
    await adopt()
    expect(lineWith(await textOf(), '# reporter:')).not.toContain('calls with')
    expect(await textOf()).not.toContain(`# ${CI.publicKey}:`)
  })

  it('what is named as known is left alone, and so is what --except means', async () => {
    here = await begin({
      fixture: manyProjects(),
      manifest: manyManifest(
        `unmanaged:\n  ignore:\n    - { section: integrations, type: CHAT_A, reason: by hand }\n    - { section: alertConfigurations, projectId: team-03, reason: theirs }\n    - { section: users, username: sam@example.com, reason: us }\n    - { section: integrations, type: PAGING, reason: over, until: 2020-01-01 }\n`,
      ),
    })
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
    // What was taken out is recorded still, and a person's own plan is a person's.
    expect((await planOf()).summary).toMatchObject({ moved: 1, release: 1, update: 1, adopt: 1 })
    expect(await adopt()).toMatch(/^There is nothing new/)
  })
})

const threshold = (metricName: string): object => ({
  metricName,
  mode: 'AVERAGE',
  operator: 'GREATER_THAN',
  threshold: 100,
  units: 'RAW',
})
const off = (id: string, eventTypeName: string, more = {}) => ({
  id,
  eventTypeName,
  enabled: false,
  notifications: [{ typeName: 'GROUP' }],
  ...more,
})

describe('what is off', () => {
  const NEW_METRIC = {
    id: '5d1113b25a115342acc2d0f9',
    eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
    enabled: true,
    metricThreshold: threshold('OPCOUNTER_CMD'),
    notifications: [{ typeName: 'GROUP' }],
  }
  it('stands there by its id: what is added later stays as it is', async () => {
    const metric = off('5d1113b25a115342acc2d0f1', NEW_METRIC.eventTypeName, {
      metricThreshold: threshold('CONNECTIONS'),
    })
    here = await begin({
      fixture: fixtureWith({ alertConfigs: [metric], integrations: [] }),
      manifest: only('users', ''),
    })
    await adopt('--state', 'deploymgmt.state.json')
    expect(await textOf()).toContain(
      'connections: { projectId: payments, alertConfigId: 5d1113b25a115342acc2d0f1, allowEmpty: true, enabled: false }',
    )
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [metric, NEW_METRIC])
    expect((await planOf()).summary).toMatchObject({ unchanged: 1, update: 0, adopt: 0 })
  })

  it('says who has turned it off, also where another turned it on within the same second', async () => {
    const config = off('5d1113b25a115342acc2d0f1', 'HOST_DOWN')
    const about = { orgId: ORG, groupId: PROJECT, alertConfigId: config.id, created: '2026-09-01T00:00:00Z' }
    // As the service lists them, the newest first.
    const events = [
      {
        ...about,
        id: '5dc9f1a2b3c4d5e6f7081902',
        username: 'dana@example.com',
        eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT',
      },
      {
        ...about,
        id: '5dc9f1a2b3c4d5e6f7081901',
        username: 'sam@example.com',
        eventTypeName: 'ALERT_CONFIG_ENABLED_AUDIT',
      },
    ]
    here = await begin({
      fixture: fixtureWith({ alertConfigs: [config], integrations: [], events }),
      manifest: only('users', ''),
    })
    await adopt()
    expect(unwrapped(await textOf())).toContain(
      '# HOST_DOWN; off; turned off by ALERT_CONFIG_DISABLED_AUDIT by user dana@example.com, ',
    )
  })

  it('says who has turned it off, also where something else was changed since', async () => {
    const config = off('5d1113b25a115342acc2d0f1', 'HOST_DOWN')
    const about = { orgId: ORG, groupId: PROJECT, alertConfigId: config.id, username: 'dana@example.com' }
    here = await begin({
      fixture: fixtureWith({
        alertConfigs: [config],
        integrations: [],
        events: [
          {
            ...about,
            id: '5dc9f1a2b3c4d5e6f7081901',
            created: '2026-09-01T00:00:00Z',
            eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT',
          },
          {
            ...about,
            id: '5dc9f1a2b3c4d5e6f7081902',
            created: '2026-09-02T00:00:00Z',
            eventTypeName: 'ALERT_CONFIG_CHANGED_AUDIT',
          },
        ],
      }),
      manifest: only('users', ''),
    })
    await adopt()
    expect(unwrapped(await textOf())).toContain(
      '# HOST_DOWN; off; turned off by ALERT_CONFIG_DISABLED_AUDIT by user dana@example.com, 2026-09-01 00:00:00 UTC, event 5dc9f1a2b3c4d5e6f7081901',
    )
  })
})

describe('of one project', () => {
  it('what deploymgmt silence has opened is no find of its own, and is not once it has ended', async () => {
    here = await begin({ manifest: only('users', '') })
    expect(await here.run(...QUIET)).toMatchObject({ code: 0 })
    const [{ id: silenced }] = await silences(here)
    const theirs = {
      alertTypeNames: ['HOST'],
      startDate: '2035-01-06T02:00:00Z',
      endDate: '2035-01-06T04:00:00Z',
    }
    const { id } = await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, theirs)
    expect(await adopt()).toContain('1 thing was left alone, since deploymgmt silence has opened it.')
    expect(await textOf()).not.toContain(silenced)
    expect(await textOf()).toContain(id)
    expect(await here.run('silence', 'end', silenced)).toMatchObject({ code: 0 })
    expect(await adopt()).toMatch(/^There is nothing new/)
  })

  it('nor is one that was killed before it heard of its window', async () => {
    here = await begin({ manifest: only('users', ''), proxied: true })
    await killedAsItOpens(here)
    const { id } = await windowOf(here)
    expect(await adopt()).toContain(
      '1 thing was left alone, since a request whose answer was lost may have made it.',
    )
    expect(await textOf()).not.toContain(id)
  })

  it('what the state of another manifest records is left alone, too', async () => {
    const otherOne = await begin({ manifest: only('integrations', '  paging: { type: PAGING }') })
    here = otherOne
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await rename(join(here.folder, 'deploymgmt.state.json'), join(here.folder, 'other.state.json'))
    await here.manifest(only('users', '', 'otherStates: [other.state.json]\n'))
    expect(await adopt()).toContain(
      'It has 3 entries for 3 things.\n1 thing was left alone, since other.state.json records it: integrations.paging.\n',
    )
    expect(await textOf()).not.toContain('PAGING')
  })

  it('what declares things already, or lists what may be there, is heeded', async () => {
    here = await begin({
      manifest: only(
        'integrations',
        '  list: { only: [PAGING] }',
        'alertConfigurations:\n  down: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n',
      ),
    })
    await adopt()
    const text = await textOf()
    expect(text).toContain(
      `alertConfigurations:\n  ## payments\n  # notifies nobody\n  replica-set: { projectId: payments, select: { eventTypeName: REPLICA_SET }, enabled: true }\n`,
    )
    expect(text).toContain('  paging: { projectId: payments, type: PAGING }\n')
    expect(text).not.toContain('HOST_DOWN')
    expect(text).not.toContain('CHAT_A')
  })

  it('of configurations that look alike the one that is off has its id, and the others a selector', async () => {
    const alertConfigs = [
      '5d1113b25a115342acc2d0f3',
      '5d1113b25a115342acc2d0f1',
      '5d1113b25a115342acc2d0f2',
    ].map((id, index) => ({
      id,
      eventTypeName: 'HOST_DOWN',
      enabled: index !== 0,
      notifications: [{ typeName: 'GROUP' }],
    }))
    here = await begin({
      fixture: fixtureWith({ alertConfigs, integrations: [] }),
      manifest: only('users', ''),
    })
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${alertConfigs[0]?.id ?? ''}`, {
      enabled: false,
    })
    await adopt()
    const text = await textOf()
    expect(text).toContain(
      '  # matches 2 in the project\n  host-down: { projectId: payments, select: { eventTypeName: HOST_DOWN }, enabled: true }\n',
    )
    expect(unwrapped(text)).toMatch(
      / {2}# HOST_DOWN; off; turned off by ALERT_CONFIG_DISABLED_AUDIT by key "oncall", .*\n {2}host-down-exception:\n {4}projectId: payments\n {4}alertConfigId: 5d1113b25a115342acc2d0f3\n/,
    )
  })

  it('- prints the manifest, and writes no file', async () => {
    here = await begin({ manifest: only('users', '') })
    const { code, stdout } = await here.run('adopt', '--output', '-')
    expect({ code, files: await manifestsIn() }).toEqual({ code: 0, files: ['deploymgmt.yaml'] })
    expect(stdout).toContain('version: 1\nname: test\n')
  })

  it.each([[[]], [['--except', '*']]])(
    'a folder that is not there is refused, before anything is sent: %j',
    async (words) => {
      here = await begin({ manifest: only('users', '') })
      const { code, stderr } = await here.run('adopt', '--output', 'nowhere/a.yaml', ...words)
      expect({ code, sent: (await here.requests()).log.length }).toEqual({ code: 1, sent: 0 })
      expect(stderr).toMatch(/the folder cannot be written to: the folder does not exist.*nowhere/s)
    },
  )

  it('a file that is there is not replaced', async () => {
    here = await begin({ manifest: only('users', '') })
    const mine = 'version: 1\nname: test\n'
    await writeFile(join(here.folder, 'mine.yaml'), mine)
    expect(await adopt('--output', 'mine.yaml')).toContain('mine-2.yaml was written.')
    expect(await textOf('mine.yaml')).toBe(mine)
  })

  it.each([
    ['version: 1\nname: test\n', /the manifest names no projects/],
    ['version: 1\nname: test\nusers: 3\n', /users is a mapping/],
  ])('what it cannot begin with is refused: %j', async (manifest, message) => {
    here = await begin({ manifest })
    const { code, stderr } = await here.run('adopt')
    expect({ code, sent: (await here.requests()).log.length }).toEqual({ code: 1, sent: 0 })
    expect(stderr).toMatch(message)
  })

  it('an interrupt ends it, and leaves nothing behind', async () => {
    here = await begin({ manifest: only('users', ''), proxied: true })
    const interrupt = new EventEmitter()
    here.proxy.steer((passing, forward) => {
      if (!passing.path.includes('/integrations')) return forward()
      interrupt.emit('now')
      return Promise.resolve('silence')
    })
    const { code } = await runHere(here, ['adopt'], {
      onInterrupt: (stop) => {
        interrupt.on('now', stop)
        return () => interrupt.removeAllListeners()
      },
    })
    expect({ code, files: await manifestsIn() }).toEqual({ code: 130, files: ['deploymgmt.yaml'] })
  })

  it('what no manifest can name is left alone, with a warning', async () => {
    const matchers = [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: '\uD800' }]
    here = await begin({
      fixture: fixtureWith({
        alertConfigs: [
          { id: '5d1113b25a115342acc2d0f1', eventTypeName: 'HOST_DOWN', enabled: true, matchers },
          { id: '5d1113b25a115342acc2d0f2', eventTypeName: 'HOST_DOWN', enabled: false },
          { id: '5d1113b25a115342acc2d0f3', eventTypeName: 'SOMETHING_NEW', enabled: true },
        ],
        integrations: [{ type: 'PAGING', serviceKey: 'x' }],
      }),
      manifest: only('users', ''),
      proxied: true,
    })
    here.proxy.steer(async (_, forward) => {
      const { body, ...passed } = await forward()
      return { ...passed, body: body.toString().replace('PAGING', 'PAGER1') }
    })
    const { code, stderr } = await here.run('adopt')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'Warning: payments: a manifest of this version cannot name the third-party integration PAGER1; it is left alone.\n',
    })
    const text = await textOf()
    expect(text).toContain('select: { eventTypeName: HOST_DOWN }, enabled: true }')
    expect(text).toContain('alertConfigId: 5d1113b25a115342acc2d0f2\n')
    expect(text).toContain('select: { eventTypeName: SOMETHING_NEW }, enabled: true }')
    expect(text).not.toContain('PAGER1')
  })

  it('projects of no known organization are warned of, and none that the service knows is an error', async () => {
    const id = '5c8100bcf2a30b12ff880000'
    here = await begin({ manifest: `version: 1\nname: test\nprojects: { payments: { id: ${PROJECT} } }\n` })
    const { code, stderr } = await here.run('adopt')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Warning: no organization is known of payments: .*orgId/m)
    const again = await here.run('adopt', '--state', 'other.json')
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('There is nothing new')
    expect(again.stdout).toMatch(/^\d things that were adopted before were recorded\.$/m)
    here = await begin({
      manifest: `version: 1\nname: test\nprojects: { gone: { id: ${id}, orgId: ${ORG} } }\n`,
    })
    const nowhere = await here.run('adopt')
    expect(nowhere).toMatchObject({ code: 1, stdout: '' })
    expect(nowhere.stderr).toContain('the service knows none of the projects that the manifest names')
  })

  it('a project that the service does not know, and events that may not be read, are warned of', async () => {
    const reader = { ...CI, roles: [{ roleName: 'GROUP_READ_ONLY', groupId: PROJECT }] }
    here = await begin({
      fixture: fixtureWith({}, { apiKeys: [{ id: '5c47503320eef5699e1cce8d', desc: 'CI', ...reader }] }),
      manifest: `version: 1\nname: test\nprojects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n  gone: { id: 5c8100bcf2a30b12ff880000 }\n`,
    })
    const { code, stderr } = await here.run('adopt')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Warning: organization .*events cannot be read/m)
    expect(stderr).toContain('Warning: the service knows no project gone (5c8100bcf2a30b12ff880000).')
    expect(await textOf()).not.toContain('gone')
  })

  it('a project that may not be read is named with the reason, and the others are written as if it were not meant', async () => {
    const reader = { ...CI, roles: [{ roleName: 'GROUP_READ_ONLY', groupId: PROJECT }] }
    const keys = { apiKeys: [{ id: '5c47503320eef5699e1cce8d', desc: 'CI', ...reader }] }
    const other = { id: OTHER_PROJECT, orgId: ORG, name: 'ledger' }
    const fixture = fixtureWith({}, keys) as { projects: object[] }
    here = await begin({
      fixture: { ...fixture, projects: [...fixture.projects, other] },
      manifest: `version: 1\nname: test\nprojects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n  closed: { id: ${OTHER_PROJECT}, orgId: ${ORG} }\n`,
    })
    const { code, stdout, stderr } = await here.run('adopt')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toMatch(
      /^Warning: closed cannot be read, and is left out: .*(?:40[13]|not permitted|role|forbid)/im,
    )
    expect(stderr.match(/closed cannot be read/g)).toHaveLength(1)
    expect(stdout).toContain('deploymgmt.adopted.yaml was written.')
    expect(await textOf()).toContain('payments')
    expect(await textOf()).not.toMatch(/closed|projectIds: all/)
    const none = await here.run('adopt', '--project', 'closed')
    expect(none).toMatchObject({ code: 1, stdout: '' })
  })
})
