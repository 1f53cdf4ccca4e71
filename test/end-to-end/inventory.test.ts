/** Everything that can be listed in all named projects, with one command. */
import { EventEmitter, once } from 'node:events'
import { Writable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { CI, fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { runHere } from '../support/command.ts'
import { start } from '../support/process.ts'
import type { Reports } from '../../reconciler/render/document/reports.ts'
import { renderInventoryCsv } from '../../reconciler/render/machines/inventory-csv.ts'
import { begin, OTHER_PROJECT, twoProjects, type Scene } from '../support/scene.ts'

let here: Scene

const HOST = '680ab316473d6b28f966364b947134fc'
const MANIFEST = `version: 1
name: test
defaults: { orgId: ${ORG} }
projects:
  payments: { id: ${PROJECT} }
  ledger: { id: ${OTHER_PROJECT} }
`
const DOWN = '5d1113b25a115342acc2d0f3'
const payments = {
  alertConfigs: [
    {
      id: DOWN,
      eventTypeName: 'HOST_DOWN',
      enabled: true,
      notifications: [
        { typeName: 'GROUP', roles: ['GROUP_OWNER'], emailEnabled: true },
        { typeName: 'USER', username: 'sam@example.com' },
        { typeName: 'PAGING', serviceKey: 'canary-service-key' },
      ],
    },
  ],
  hosts: [{ id: HOST, hostname: 'db1.example.com', port: 27017, disks: [{ partitionName: 'xvda' }] }],
  alerts: [
    {
      id: '5d1f2a3b4c5d6e7f8091a2b3',
      alertConfigId: DOWN,
      eventTypeName: 'HOST_DOWN',
      status: 'OPEN',
      hostId: HOST,
      hostnameAndPort: 'db1.example.com:27017',
      created: '2026-11-20T06:00:00Z',
    },
    { id: '5d1f2a3b4c5d6e7f8091a2b4', alertConfigId: DOWN, eventTypeName: 'HOST_DOWN', status: 'CLOSED' },
  ],
  agents: [{ typeName: 'MONITORING', hostname: 'db1.example.com', stateName: 'STANDBY' }],
  automationStatus: {
    goalVersion: 29,
    processes: [
      { name: 'db1', hostname: 'db1.example.com', lastGoalVersionAchieved: 26, plan: ['Download', 'Start'] },
      { name: 'db2', hostname: 'db2.example.com', lastGoalVersionAchieved: 29, plan: ['Start'] },
    ],
  },
  integrations: [{ type: 'CHAT_A', apiToken: 'canary-token', teamName: '=cmd|"x"', channelName: '＝a,b' }],
}
/** A change of the key that everything is read with. */
const keyChanged = (id: string, more: object = {}) => ({
  ...more,
  id,
  eventTypeName: 'API_KEY_DESCRIPTION_CHANGED',
  created: '2026-11-19T06:00:00Z',
  apiKeyId: '5c47503320eef5699e1cce8d',
  publicKey: CI.publicKey,
})

const EVENTS = [
  {
    id: '5dc9f1a2b3c4d5e6f7081901',
    eventTypeName: 'AUTOMATION_CONFIG_PUBLISHED_AUDIT',
    created: '2026-11-19T06:00:00Z',
    username: 'dana@example.com',
    groupId: PROJECT,
    diffs: [
      {
        id: 'x',
        name: 'db1',
        type: 'PROCESS',
        status: 'MODIFIED',
        params: [{ display: 'Version', param: 'version', old: '6.0', new: '7.0' }],
      },
    ],
  },
]

const fixture = (events: readonly object[] = EVENTS): object => {
  const one = fixtureWith(payments, { events }) as { projects: object[] }
  return { ...one, projects: [...one.projects, { id: OTHER_PROJECT, orgId: ORG, name: 'ledger' }] }
}
const eventsOf = (count: number): object[] =>
  Array.from({ length: count }, (_, index) =>
    keyChanged(`5dc9f1a2b3c4d5e6f708${1000 + index}`, { groupId: PROJECT }),
  )
/** The interval of a watch in the tests. */
const EVERY_MS = 1_000

beforeEach(async () => {
  here = await begin({ fixture: fixture(), manifest: MANIFEST })
})

const lineWith = (text: string, ...words: string[]): string =>
  text.split('\n').find((line) => words.every((word) => line.includes(word))) ?? ''

/** The line above the events, of which there are this many, all of one project. */
const headOf = async (count: number, ...flags: string[]): Promise<string> => {
  here = await begin({ fixture: fixture(eventsOf(count)), manifest: MANIFEST })
  const { stdout } = await here.run('inventory', '--only', 'organization_events', ...flags)
  return lineWith(stdout, 'Organization events')
}

const metric = (threshold: number): object => ({
  eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
  enabled: true,
  metricThreshold: {
    metricName: 'CONNECTIONS',
    mode: 'AVERAGE',
    operator: 'GREATER_THAN',
    threshold,
    units: 'RAW',
  },
})
const id = (index: number): string => `5d1113b25a115342acc2d0a${index}`
const stuck = (index: number, step: string) => ({
  name: `shard-0-replica-${index}`,
  hostname: `database-${index}-with-a-long-name.internal.example.com`,
  lastGoalVersionAchieved: 27 - index,
  plan: [step],
})

describe('inventory', () => {
  it('reads each list once', async () => {
    expect(await here.run('inventory')).toMatchObject({ code: 0, stderr: '' })
    expect((await here.requests()).counts).toEqual({
      challenges: 1,
      'GET /groups/{projectId}/alerts': 2,
      'GET /groups/{projectId}/alertConfigs': 2,
      'GET /groups/{projectId}/automationStatus': 2,
      'GET /groups/{projectId}/agents/{type}': 6,
      'GET /groups/{projectId}/integrations': 2,
      // The disks of the host that the open alert names.
      'GET /groups/{projectId}/hosts/{hostId}/disks': 1,
      'GET /orgs/{orgId}/events': 1,
    })
  })

  it('of a named project reads that one, and its organization', async () => {
    const { document } = await here.json('inventory', '--project', 'ledger')
    expect((await here.requests()).counts).toEqual({
      challenges: 1,
      'GET /groups/{projectId}/alerts': 1,
      'GET /groups/{projectId}/alertConfigs': 1,
      'GET /groups/{projectId}/automationStatus': 1,
      'GET /groups/{projectId}/agents/{type}': 3,
      'GET /groups/{projectId}/integrations': 1,
      'GET /orgs/{orgId}/events': 1,
    })
    expect(document.projects).toEqual([{ name: 'ledger', id: OTHER_PROJECT, orgId: ORG }])
    // Only sources of this project and of the organization itself, none of its other project.
    expect(JSON.stringify(document.sources)).not.toContain(PROJECT)
  })

  it('a project that is misspelt is an error with the one that is meant', async () => {
    const { code, stderr } = await here.run('inventory', '--project', 'leger')
    expect({ code, sent: (await here.requests()).log.length }).toEqual({ code: 1, sent: 0 })
    expect(stderr).toContain('"leger" is neither the name of a project nor an id; did you mean ledger?')
  })

  it('shows what counts of each', async () => {
    const { stdout } = await here.run('inventory')
    expect(stdout).toMatch(/^inventory · 2 projects · .* · 17 requests\n/)
    expect(lineWith(stdout, 'HOST_DOWN', 'db1.example.com:27017')).toContain('2026-11-20 06:00 UTC')
    expect(stdout).not.toContain('CLOSED')
    expect(stdout).toContain('GROUP GROUP_OWNER, USER sam@example.com, PAGING')
    expect(lineWith(stdout, 'db1', 'Download')).toMatch(/ 3 +Download/)
    expect(lineWith(stdout, 'db2.example.com')).not.toContain('Start')
    expect(lineWith(stdout, 'PUBLISHED')).toContain('dana@example.com: db1 MODIFIED')
    expect(lineWith(stdout, 'xvda')).toContain(HOST)
    expect(stdout).not.toContain('canary')
  })

  it('says which roles were added and removed, of whom, and by whom', async () => {
    here = await begin({ fixture: fixtureWith(), manifest: MANIFEST })
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/5c47503320eef5699e1cce8f`, { roles: ['ORG_MEMBER'] })
    const { stdout } = await here.run('inventory', '--only', 'organization_events')
    const line = lineWith(stdout, 'API_KEY_ROLES_CHANGED')
    expect(line).toMatch(/ {2}oncall: reporter, old MODIFIED, Role ORG_MEMBER org/)
    expect(stdout).not.toContain('"')
  })

  it('ends with what is looked for first, in numbers that are those of the tables', async () => {
    const last = async (...words: string[]): Promise<string> => {
      const { stdout } = await here.run('inventory', ...words)
      return stdout.trimEnd().split('\n').at(-1) ?? ''
    }
    expect(await last()).toBe(
      '1 open alert · no alert configurations turned off · 1 project behind · no inactive agents',
    )
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [
      { id: id(3), eventTypeName: 'BACKUP', enabled: false },
      { id: id(4), eventTypeName: 'BACKUP', enabled: false },
    ])
    await here.control('PUT', `projects/${PROJECT}/agents`, [
      { typeName: 'MONITORING', hostname: 'db1.example.com', stateName: 'NO_PROCESSES' },
    ])
    const behind = { goalVersion: 29, processes: [{ name: 'a', lastGoalVersionAchieved: 1 }, { name: 'b' }] }
    for (const each of [PROJECT, OTHER_PROJECT])
      await here.control('PUT', `projects/${each}/automationStatus`, behind)
    const { stdout } = await here.run('inventory')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '1 open alert · 2 alert configurations turned off · 2 projects behind · 1 inactive agent',
    )
    expect(stdout).toMatch(/\nAlerts · 1\n[^]*\nAlert configurations · 2\n[^]*\nAgents · 1\n/)
    expect(await last('--only', 'alerts', '--project', 'ledger')).toBe('no open alerts')
    expect(await last('--only', 'integrations')).not.toContain('·')
  })

  it('of events, of which it reads the newest, says that there are older ones', async () => {
    expect(await headOf(100)).toBe('Organization events · 100')
    expect(await headOf(101)).toBe('Organization events · 100 · older ones were not read')
    // The newest are all of another project: that does not mean that this one has none.
    expect(await headOf(101, '--project', 'ledger')).toBe(
      'Organization events · 0 · older ones were not read',
    )
    expect(await headOf(100, '--project', 'ledger')).toBe('none: Organization events')
  })

  it('tells configurations of one type apart by when they alert, and those that are alike by their ids, whole', async () => {
    const matchers = [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1' }]
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [
      { id: id(0), ...metric(100) },
      { id: id(1), ...metric(200) },
      { id: id(2), eventTypeName: 'DATA_EXPLORER', enabled: true, matchers },
      { id: id(3), eventTypeName: 'BACKUP', enabled: true },
      { id: id(4), eventTypeName: 'BACKUP', enabled: true },
      { id: id(5), eventTypeName: 'BACKUP', enabled: false },
    ])
    for (const columns of [60, 80, 160]) {
      here.env['COLUMNS'] = String(columns)
      const { stdout } = await here.run('inventory', '--only', 'alert_configurations')
      expect(lineWith(stdout, 'CONNECTIONS', '> 100')).not.toBe('')
      expect(lineWith(stdout, 'CONNECTIONS', '> 200')).not.toContain(id(1))
      expect(lineWith(stdout, 'DATA_EXPLORER', 'HOSTNAME = db1')).not.toBe('')
      for (const index of [3, 4]) expect(lineWith(stdout, 'BACKUP', id(index))).not.toBe('')
      expect(stdout).not.toContain(id(5))
    }
  })

  it('of a process says on a narrow terminal how far behind it is and where it is stuck, before its host', async () => {
    await here.control('PUT', `projects/${PROJECT}/automationStatus`, {
      goalVersion: 29,
      processes: [stuck(1, 'Download'), stuck(2, 'Start')],
    })
    here.env['COLUMNS'] = '50'
    const { stdout } = await here.run('inventory', '--only', 'automation_status')
    expect(lineWith(stdout, 'shard-0-replica-1')).toMatch(/ 3 +Download$/)
    expect(lineWith(stdout, 'shard-0-replica-2')).toMatch(/ 4 +Start$/)
  })

  it('is one document for scripts, with the fields of the data sources', async () => {
    const { document } = await here.json('inventory', '--only', 'alerts,disks')
    expect(document).toMatchObject({
      formatVersion: 1,
      projects: [{ name: 'payments', id: PROJECT, orgId: ORG }, { name: 'ledger' }],
      sources: {
        alerts: [{ project: 'payments', projectId: PROJECT, hostnameAndPort: 'db1.example.com:27017' }],
        disks: [{ project: 'payments', hostId: HOST, partitionName: 'xvda' }],
      },
      refused: [],
    })
    expect(Object.keys(document.sources)).toEqual(['alerts', 'disks'])
  })

  it('is one table for spreadsheets, in which nothing is a formula', async () => {
    const { stdout } = await here.run('inventory', '--format', 'csv', '--only', 'integrations')
    expect(stdout.trimEnd().split('\r\n')).toEqual([
      'source,project,projectId,orgId,type,apiToken,teamName,channelName',
      `integrations,payments,${PROJECT},,CHAT_A,********oken,"'=cmd|""x""","'＝a,b"`,
    ])
  })

  it('spells out in the table what nobody sees, also within lists', async () => {
    const place = { project: 'payments', projectId: PROJECT }
    const sources = { alerts: [{ ...place, tags: ['a\u200Bb', { 'c\u200B': 1 }] }] }
    const document = { sources, empty: [] } as unknown as Reports['inventory']['document']
    expect(renderInventoryCsv({ document, tables: [] })).toContain(
      String.raw`"[""a\u200Bb"",{""c\u200B"":1}]"`,
    )
  })

  it('what the key may not read is told beside the rest', async () => {
    const reader = { ...CI, roles: [{ roleName: 'GROUP_READ_ONLY', groupId: PROJECT }] }
    const scene = await begin({
      fixture: fixtureWith(payments, {
        apiKeys: [{ id: '5c47503320eef5699e1cce8d', desc: 'CI', ...reader }],
      }),
      manifest: MANIFEST,
    })
    const { code, stdout } = await scene.run('inventory')
    expect(code).toBe(0)
    expect(stdout).toContain(`not readable: organization_events of organization ${ORG}: `)
    // One line for each place and reason, which names each source once.
    const [, sources = ''] = /^not readable: (.*) of ledger: /m.exec(stdout.replaceAll('\n  ', ' ')) ?? []
    expect(sources.split(', ')).toEqual(expect.arrayContaining(['alerts', 'agents', 'integrations']))
    expect(new Set(sources.split(', ')).size).toBe(sources.split(', ').length)
    const told = stdout.match(/^not readable: /gm)?.length
    expect(told).toBe(2)
    const { refused } = (await scene.json('inventory')).document
    expect(stdout).toMatch(new RegExp(`\\n1 open alert · [^]*\\s${refused.length} readings refused\\n$`))
    expect(stdout).toContain('db1.example.com:27017')
    expect(stdout).not.toMatch(/^none: /m)
    const csv = await scene.run('inventory', '--format', 'csv')
    expect(csv.stderr.match(/^not readable: /gm)).toHaveLength(told ?? 0)
  })

  describe('of two organizations, with one key', () => {
    const OTHER = '5980cfdf0b6d97029d82f870'
    const owning = [ORG, OTHER].map((orgId) => ({ roleName: 'ORG_OWNER', orgId }))
    const beginInTwo = (accessList: object[]): Promise<Scene> => {
      const one: any = fixtureWith(payments, {
        apiKeys: [{ id: '5c47503320eef5699e1cce8d', desc: 'CI', ...CI, roles: owning, accessList }],
        events: [
          keyChanged('5dc9f1a2b3c4d5e6f7081951'),
          keyChanged('5dc9f1a2b3c4d5e6f7081952', { groupId: PROJECT }),
        ],
      })
      const other = { id: OTHER, name: 'Other', events: [keyChanged('5dc9f1a2b3c4d5e6f7081953')] }
      return begin({
        fixture: { ...one, organizations: [...one.organizations, other] },
        manifest: `${MANIFEST}  other: { id: 5c8100bcf2a30b12ff88aaaa, orgId: ${OTHER} }\n`,
      })
    }

    it('says of which each row is that is of no project', async () => {
      const scene = await beginInTwo([])
      const { stdout } = await scene.run('inventory', '--only', 'organization_events')
      for (const where of [`organization ${ORG}`, `organization ${OTHER}`, 'payments'])
        expect(stdout.split('\n').filter((row) => row.includes(where))).toHaveLength(1)
    })

    it('does not say that its key cannot be read where it is not', async () => {
      const scene = await beginInTwo([{ cidrBlock: '127.0.0.0/8' }])
      const { document } = await scene.json('inventory', '--only', 'api_key_access_list')
      expect(document.refused).toEqual([])
      expect(document.sources.api_key_access_list).toMatchObject([{ orgId: ORG, cidrBlock: '127.0.0.0/8' }])
    })
  })

  it('names what was asked and has nothing, such as a key that may be used from anywhere', async () => {
    const KEY = '5c47503320eef5699e1cce8d'
    const events = [keyChanged('5dc9f1a2b3c4d5e6f7081951')]
    const scene = await begin({ fixture: fixtureWith(payments, { events }), manifest: MANIFEST })
    const words = ['inventory', '--only', 'api_key_access_list']
    expect((await scene.run(...words)).stdout).toContain(`\nnone: Access list of an API key (${KEY})\n`)
    expect((await scene.json(...words)).document).toMatchObject({
      sources: { api_key_access_list: [] },
      empty: [{ source: 'api_key_access_list', orgId: ORG, apiKeyId: KEY }],
    })
    expect((await scene.run(...words, '--format', 'csv')).stdout.trimEnd().split('\r\n')).toEqual([
      'source,project,projectId,orgId,apiKeyId',
      `api_key_access_list,,,${ORG},${KEY}`,
    ])
    expect((await scene.json('inventory', '--only', 'integrations')).document.empty).toEqual([])
  })

  it('what the key may not read is never said not to be there', async () => {
    const reader = { ...CI, roles: [{ roleName: 'GROUP_READ_ONLY', groupId: PROJECT }] }
    const apiKeys = [{ id: '5c47503320eef5699e1cce8d', desc: 'CI', ...reader }]
    const scene = await begin({ fixture: fixtureWith(payments, { apiKeys }), manifest: MANIFEST })
    const only = await scene.json('inventory', '--only', 'api_key_access_list,integrations')
    expect(only.document.refused).toContainEqual(expect.objectContaining({ source: 'organization_events' }))
    const ledger = await scene.run('inventory', '--project', 'ledger')
    expect(ledger).toMatchObject({ code: 1, stdout: '' })
    expect(ledger.stderr).toContain('DM-NOT-FOUND')
    const { stdout } = await scene.run('inventory', '--only', 'alerts,alert_configurations')
    expect(stdout).toMatch(/\n1 open alert · 2 readings refused\n$/)
  })

  it.each([
    [['--only', 'alert'], /there is no "alert" to be listed; did you mean alerts\?/],
    [['--only', 'agents', '--watch'], /The names are: alerts, automation_status\./],
    [['--watch', '--format', 'json'], /--watch shows text/],
  ])('%j is refused before anything is sent', async (words, message) => {
    const { code, stderr } = await here.run('inventory', ...words)
    expect({ code, sent: (await here.requests()).log.length }).toEqual({ code: 1, sent: 0 })
    expect(stderr).toMatch(message)
  })
})

/** Runs a watch until `act` ends; `act` can wait for text in the output. */
const watching = async (
  act: (until: (word: RegExp) => Promise<void>) => Promise<void>,
  { isTTY, ...more }: { readonly isTTY?: true } & Parameters<typeof runHere>[2] = {},
  there: Pick<Scene, 'folder' | 'env'> = here,
): Promise<{ code: number | null; said: string; stderr: string }> => {
  const heard = new EventEmitter()
  let said = ''
  const stdout = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        said += chunk.toString()
        heard.emit('said')
        done()
      },
    }),
    isTTY === undefined ? {} : { isTTY },
  )
  const interrupt = new EventEmitter()
  const onInterrupt = (each: () => void) => {
    interrupt.on('now', each)
    return () => interrupt.removeAllListeners()
  }
  const until = async (word: RegExp): Promise<void> => {
    while (!word.test(said)) await once(heard, 'said')
  }
  const words = ['inventory', '--watch', '--every', '1s']
  const running = runHere(there, words, { stdout, onInterrupt, ...more })
  await act(until)
  interrupt.emit('now')
  const { code, stderr } = await running
  return { code, said, stderr }
}

describe('inventory --watch', () => {
  it('never looks without a pause', async () => {
    const { code, stderr } = await here.run('inventory', '--watch', '--every', '0s')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-USAGE') })
    expect(stderr).toContain('--every has to be at least one second')
    expect((await here.requests()).log).toEqual([])
  })

  it('says what came and what went, and ends well at an interrupt', async () => {
    const { code, said } = await watching(async (until) => {
      await until(/ \+ automation_status: .*behind 3/)
      await here.control('PUT', `projects/${PROJECT}/automationStatus`, {
        goalVersion: 29,
        processes: [
          { name: 'db1', hostname: 'db1.example.com', lastGoalVersionAchieved: 28, plan: ['Start'] },
          { name: 'db2', hostname: 'db2.example.com', lastGoalVersionAchieved: 29, plan: [] },
        ],
      })
      await until(/ - automation_status: /)
    })
    expect(code).toBe(0)
    expect(said).toMatch(/ \+ alerts: project payments, alert HOST_DOWN, where db1\.example\.com:27017/)
    expect(said).toMatch(/ \+ automation_status: project payments, process db1, .*behind 1, step Start/)
    // What does not change is printed once.
    expect(said.match(/process db2/g)).toHaveLength(1)
    expect(said).not.toContain('nothing to tell')
  })

  it('says that there is nothing at first', async () => {
    const nothing = await begin({ fixture: twoProjects(), manifest: MANIFEST })
    const { said } = await watching((until) => until(/nothing/), {}, nothing)
    expect(said).toMatch(/^.* nothing to tell\n$/)
  })

  it('draws a terminal anew', async () => {
    const { code, said } = await watching((until) => until(/(?:\[H.*){2}/s), { isTTY: true })
    expect(said).toContain('Download')
    expect(code).toBe(0)
    expect(said.startsWith('\u001B[H')).toBe(true)
  })

  it('goes on where the service is away for a while, and says that nothing went which it could not read', async () => {
    const away = await begin({ fixture: fixture(), manifest: MANIFEST, proxied: true })
    const [ALERTS, ALL] = [/\/alerts\b/, /./]
    let ms = Date.now()
    // Each attempt takes so long that there is no second one.
    const refusing = (paths: RegExp, status: number) =>
      away.proxy.steer(async ({ path }, forward) => {
        if (!paths.test(path)) return forward()
        ms += 120_000
        return { status, headers: {}, body: '' }
      })
    let looks = 0
    const pause = async (wanted: number): Promise<void> => {
      await new Promise((next) => setImmediate(next))
      if (wanted !== EVERY_MS) return
      looks += 1
      if (looks === 1) refusing(ALERTS, 403)
      else if (looks < 4) refusing(ALL, 503)
      else away.proxy.steer((_, forward) => forward())
      if (looks === 4)
        await away.control('PUT', `projects/${PROJECT}/automationStatus`, { goalVersion: 31, processes: [] })
    }
    const { code, said, stderr } = await watching(
      (until) => until(/ - automation_status: /),
      { pause, now: () => new Date(ms) },
      away,
    )
    expect(code).toBe(0)
    expect(said).toMatch(/ \+ alerts: payments is not readable: /)
    expect(said).not.toMatch(/ - alerts: project/)
    expect(stderr.match(/the service does not answer as it should; asking again every 1 s: /g)).toHaveLength(
      1,
    )
  })

  it('ends once nobody reads it any more', async () => {
    const { child, ended } = start(here, ['inventory', '--watch', '--every', '1s'])
    await once(child.stdout ?? child, 'data')
    child.stdout?.destroy()
    const processes = [{ name: 'db9', hostname: 'db9.example.com', lastGoalVersionAchieved: 1, plan: [] }]
    await here.control('PUT', `projects/${PROJECT}/automationStatus`, { goalVersion: 40, processes })
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it('ends where the service is away from the start', async () => {
    const away = await begin({ manifest: MANIFEST, proxied: true })
    away.proxy.steer(async () => 'reset')
    const { code, stderr } = await away.run('inventory', '--watch')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Error DM-UNREACHABLE')])
  })
})
