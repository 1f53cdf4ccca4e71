import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataSources } from '../../provider/data-sources/index.ts'
import * as there from '../provider/data-sources/support/installation.ts'
import { install, type Installation } from '../support/installation.ts'

let here: Installation
const login = (key: typeof there.organizationKey): void => {
  const env = here.env
  env['DEPLOYMGMT_PUBLIC_KEY'] = key.publicKey
  env['DEPLOYMGMT_PRIVATE_KEY'] = key.privateKey
}
beforeAll(async () => {
  here = await install({ fixture: there.installation })
  login(there.organizationKey)
})
afterAll(() => here.close())

const project = ['--project-id', there.projectId]
const organization = ['--org-id', there.orgId]
const get = async (name: string, words: readonly string[]) => {
  const [text, json] = await Promise.all([
    here.run('get', name, ...words),
    here.run('get', name, ...words, '--format', 'json'),
  ])
  expect([text.code, text.stderr, json.code, json.stderr]).toEqual([0, '', 0, ''])
  return { text: text.stdout, json: JSON.parse(json.stdout) }
}

/** Lists events, with all types in a single argument. */
const eventsOf = async (types: string, ...words: string[]): Promise<any> =>
  (await get('organization_events', [...organization, '--event-type', types, ...words])).json
const idsOf = (listing: any): string[] => listing.results.map(({ id }: any) => id)

const one: readonly [string, readonly string[], object, RegExp][] = [
  [
    'alert',
    [...project, '--alert-id', there.alertId],
    {
      id: there.alertId,
      projectId: there.projectId,
      alertConfigId: there.alertConfigId,
      status: 'OPEN',
      currentValue: { number: 0, units: 'RAW' },
    },
    /status +OPEN/,
  ],
  [
    'global_alert',
    ['--alert-id', there.globalAlertId],
    { id: there.globalAlertId },
    /alertConfigId +5d1113b25a115342acc2d1bb/,
  ],
  [
    'alert_configuration',
    [...project, '--alert-config-id', there.alertConfigId],
    { id: there.alertConfigId, metricThreshold: { threshold: 0 } },
    /eventTypeName +OUTSIDE_METRIC_THRESHOLD/,
  ],
  [
    'automation_status',
    project,
    {
      goalVersion: 29,
      processes: [{ name: 'db1', lastGoalVersionAchieved: 28, plan: ['Download', 'Start'] }],
    },
    /goalVersion +29/,
  ],
  [
    'organization_event',
    [...organization, '--event-id', there.organizationEventId, '--include-raw'],
    { raw: { note: 'not a contract' } },
    /targetPublicKey +reporting/,
  ],
  [
    'project_event',
    [...project, '--event-id', there.projectEventId],
    { projectId: there.projectId, username: 'sam@example.com' },
    /eventTypeName +ALERT_CONFIG_DISABLED_AUDIT/,
  ],
]

const several: readonly [string, readonly string[], number, number, object, RegExp][] = [
  [
    'alerts',
    [...project, '--status', 'CLOSED'],
    1,
    1,
    { status: 'CLOSED', projectId: there.projectId },
    /alerts · 1/,
  ],
  ['alert_configurations', project, 1, 1, { id: there.alertConfigId }, /alert_configurations · 1/],
  [
    'agents',
    [...project, '--type', 'BACKUP'],
    1,
    1,
    { typeName: 'BACKUP', stateName: 'STANDBY', isManaged: true, tag: 'night' },
    /agents · 1/,
  ],
  ['disks', [...project, '--host-id', there.hostId], 2, 2, { partitionName: 'xvda' }, /xvdb/],
  ['integrations', project, 5, 5, { type: 'PAGING' }, /METRICS_SCRAPER/],
  ['api_key_access_list', [...organization, '--api-key-id', there.apiKeyId], 2, 2, {}, /192\.0\.2\.0\/24/],
  [
    'organization_events',
    [
      ...organization,
      '--event-type',
      'USER_CREATED_AUDIT',
      '--min-date',
      '2026-01-01T01:00:00+01:00',
      '--limit',
      '3',
    ],
    3,
    602,
    { eventTypeName: 'USER_CREATED_AUDIT' },
    /3 of 602/,
  ],
]

describe('deploymgmt get', () => {
  it.each(one)('%s shows one thing', async (name, words, wanted, shown) => {
    const { text, json } = await get(name, words)
    expect(json).toMatchObject(wanted)
    expect(text).toMatch(shown)
  })

  it.each(several)('%s shows a list', async (name, words, length, totalCount, first, shown) => {
    const { text, json } = await get(name, words)
    expect([json.results.length, json.totalCount]).toEqual([length, totalCount])
    expect(json.results[0]).toMatchObject(first)
    expect(text).toMatch(shown)
  })

  it('user_access_list_entry shows the entry of the calling user, and none where there is none', async () => {
    login(there.personalKey)
    const user = ['--user-id', there.userId, '--access-list-entry']
    const found = await get('user_access_list_entry', [...user, '203.0.113.5'])
    expect(found.json).toMatchObject({
      totalCount: 1,
      results: [{ ipAddress: '203.0.113.5', cidrBlock: '203.0.113.5/32' }],
    })
    expect(found.text).toContain('203.0.113.5/32')
    const none = await get('user_access_list_entry', [...user, '203.0.113.6'])
    expect(none.json).toEqual({ results: [], totalCount: 0 })
    expect(none.text).toContain('none')
    login(there.organizationKey)
  })

  it('is tested for every data source there is', () => {
    const tested = [...one, ...several].map(([name]) => name)
    expect([...tested, 'user_access_list_entry'].toSorted()).toEqual(
      dataSources.map(({ name }) => name).toSorted(),
    )
  })

  it('shows integrations with their types, and no secret that the service keeps', async () => {
    const shown = await Promise.all([get('integrations', project), get('alert_configurations', project)])
    const types = ['CHAT_A', 'METRICS_SCRAPER', 'MONITORING_SAAS', 'PAGING', 'WEBHOOK']
    expect(shown[0].json.results.map(({ type }: any) => type).toSorted()).toEqual(types)
    const text = JSON.stringify(shown)
    for (const secret of there.secrets) expect(text).not.toContain(secret)
  })

  it.each([
    [['nothing', ...project], /no data source "nothing"/],
    [['alert_configuratons', ...project], /did you mean alert_configurations\?/],
    [['alert_configs', ...project], /"alert_configs"; did you mean alert_configurations\?/],
    [['alert-configs', ...project], /did you mean alert_configurations\?/],
    [['events', '--format', 'text'], /did you mean organization_events\?/],
    [['alerts'], /alerts: --project-id is required: Project whose/],
    [
      ['agents', ...project],
      /--type is required: Type of the agents\. Allowed: MONITORING, BACKUP, AUTOMATION\n/,
    ],
    [['alerts', '--project-id', '../orgs'], /cannot be an id/],
    [['organization_events', ...organization, '--min-date', 'yesterday'], /instant/],
    [
      ['organization_events', ...organization, '--min-date', '2026-10-25T02:30:00[Europe/Madrid]'],
      /--min-date 2026-10-25T02:30:00 exists twice in Europe\/Madrid, .*; allowed: 2026-10-25T02:30:00\+02:00\[Europe\/Madrid\], /,
    ],
    [
      [
        'organization_events',
        ...organization,
        '--min-date=2026-11-02T00:00:00Z',
        '--max-date=2026-11-02T00:30:00+01:00',
      ],
      /--max-date "2026-11-02T00:30:00\+01:00" is before "2026-11-02T00:00:00Z", so nothing is between them/,
    ],
    [['organization_events', ...organization, '--nope', '1'], /--nope/],
    [
      ['user_access_list_entry', '--user-id', there.userId, '--access-list-entry', 'here'],
      /is not an address or a block/,
    ],
  ])('%j is refused before anything is sent', async (words, said) => {
    await here.forgetRequests()
    const { code, stdout, stderr } = await here.run('get', ...words)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(said)
    expect((await here.requests()).log).toEqual([])
  })

  it.each([[['get']], [['get', ...project, 'alerts']], [['get', 'xyzzy']]])(
    '%j is answered with every name there is',
    async (words) => {
      const { code, stdout, stderr } = await here.run(...words)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(`The names are: ${dataSources.map(({ name }) => name).join(', ')}.`)
    },
  )

  it('speaks of all wrong arguments at once, as the flags that were typed', async () => {
    const { stderr } = await here.run('get', 'agents', '--type', 'MONITOR', '--limit', '0')
    expect(stderr).toBe(`Error DM-ARGUMENT: agents: 3 arguments are wrong
  --type "MONITOR" is not an agent type, did you mean MONITORING?; allowed: MONITORING, BACKUP, AUTOMATION
  --limit 0 is not a whole number above 0
  --project-id is required: Project that owns the agents’ API key.
  deploymgmt get agents --help shows its flags. Nothing was sent.
`)
  })

  it('refuses an argument that is given twice, of which one would be passed over', async () => {
    const twice = ['--event-type', 'ALERT_CONFIG_ADDED_AUDIT', '--event-type', 'USER_CREATED_AUDIT']
    const { code, stderr } = await here.run('get', 'organization_events', ...organization, ...twice)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Give it once') })
  })

  it('takes several types in one word, reads each, and puts them together by their time', async () => {
    const both = ['USER_CREATED_AUDIT', 'ALERT_CONFIG_DISABLED_AUDIT']
    const [first, other] = [await eventsOf(both[0] ?? ''), await eventsOf(both[1] ?? '')]
    expect([first.totalCount > 0, other.totalCount > 0]).toEqual([true, true])
    const all = await eventsOf(`${both.join(',')},${both[0]}`)
    expect(all.totalCount).toBe(first.totalCount + other.totalCount)
    expect(idsOf(all).toSorted()).toEqual([...idsOf(first), ...idsOf(other)].toSorted())
    const times = all.results.map(({ created }: any) => created)
    expect(times).toEqual(times.toSorted().toReversed())
    const few = await eventsOf(both.join(','), '--limit', '3')
    expect([few.totalCount, few.results]).toEqual([all.totalCount, all.results.slice(0, 3)])
    for (const none of ['', ','])
      expect(
        await here.run('get', 'organization_events', ...organization, '--event-type', none),
      ).toMatchObject({ code: 1, stderr: expect.stringContaining('--event-type') })
    expect((await eventsOf('NOTHING_OF_THAT_NAME,NOR_OF_THIS')).results).toEqual([])
  })

  it('takes blanks around the commas between types, which are no part of any name', async () => {
    const close = await eventsOf('USER_CREATED_AUDIT,ALERT_CONFIG_DISABLED_AUDIT')
    const apart = await eventsOf(' USER_CREATED_AUDIT, ALERT_CONFIG_DISABLED_AUDIT ')
    expect(idsOf(apart)).toEqual(idsOf(close))
  })

  it('says that a table has no room for the raw document of an event, where it was asked for', async () => {
    const words = ['get', 'organization_events', ...organization, '--limit', '1']
    const asked = await here.run(...words, '--include-raw')
    expect(asked.stdout).toMatch(/^left out: .*\braw; --format json shows all$/m)
    expect((await here.run(...words)).stdout).not.toMatch(/\braw\b/)
  })

  it('takes a local time with its zone, and sends it in UTC', async () => {
    await here.forgetRequests()
    const local = ['--min-date', '2026-01-01T01:00:00[Europe/Madrid]', '--limit', '1']
    await get('organization_events', [...organization, ...local])
    const { log } = await here.requests()
    expect(log.at(-1)?.path).toContain('minDate=2026-01-01T00%3A00%3A00Z')
  })

  it('takes a name with hyphens', async () => {
    expect((await get('alert-configurations', project)).json.totalCount).toBe(1)
  })

  it.each([
    ['get', 'agents', '--help'],
    ['help', 'get', 'agents'],
    ['get', 'help', 'agents'],
  ])('helps with what a reading uses alone: %s %s %s', async (...words) => {
    const { code, stdout } = await here.run(...words)
    expect(code).toBe(0)
    const shown = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map((match) => match[1])
    const common = [
      '--file',
      '--var',
      '--var-file',
      '--concurrency',
      '--local',
      '--allow-http',
      '--trace',
      '--no-color',
      '--format',
      '--output',
      '--help',
    ]
    expect(shown).toEqual(['--project', '--type', '--limit', ...common])
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect(text).toContain('get agents --project-id <VALUE> --type <VALUE> [options]')
    expect(text).toContain('API key. (required)')
    expect(text).toContain('(required; choices: MONITORING, BACKUP, AUTOMATION)')
  })

  it('takes the flags that all commands share, whatever it makes of them', async () => {
    expect((await get('disks', [...project, '--host-id', there.hostId, '--quiet'])).json.totalCount).toBe(2)
  })

  it('names the request where the service knows no such thing', async () => {
    const { code, stdout, stderr } = await here.run('get', 'alert', ...project, '--alert-id', 'f'.repeat(24))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('DM-NOT-FOUND')
    expect(stderr).toContain(`/groups/${there.projectId}/alerts/${'f'.repeat(24)} → 404`)
  })
})

describe('the name of a project', () => {
  const manifest = `version: 1\nname: test\nprojects:\n  shop: { id: ${there.projectId}, orgId: ${there.orgId} }\n`
  const shop = ['--project-id', 'shop']

  it('stands for its id and for its organization, where a manifest tells it', async () => {
    await here.manifest(manifest)
    const plain = await get('alert_configurations', project)
    expect(await get('alert_configurations', shop)).toEqual(plain)
    const events = await get('organization_events', organization)
    expect(await get('organization_events', ['--org-id', 'shop'])).toEqual(events)
    expect(await get('alert_configurations', ['--project', 'shop'])).toEqual(plain)
    expect(await get('alert_configurations', ['--project', there.projectId])).toEqual(plain)
    await rm(join(here.folder, 'deploymgmt.yaml'))
  })

  it('is told whatever else the manifest leaves open; an id needs nothing of it', async () => {
    const open = `variables: { who: { description: not given } }\nusers:\n  a: { userId: "\${var.who}", rolesComplete: true }\n`
    await here.manifest(`${manifest}  other: { id: "\${var.who}" }\n${open}`)
    const plain = await get('alert_configurations', project)
    expect(await get('alert_configurations', shop)).toEqual(plain)
    expect(await get('organization_events', [...organization, '--limit', '1'])).toEqual(
      await get('organization_events', ['--org-id', 'shop', '--limit', '1']),
    )
    expect(await here.run('get', 'alert_configurations', '--project-id', 'other')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/variables\.who: this variable has no value/),
    })
    await rm(join(here.folder, 'deploymgmt.yaml'))
  })

  it('is looked for in a file that is given, which has to be there even if only ids are asked for', async () => {
    expect(await here.run('get', 'alert_configurations', ...project, '-f', 'none.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DM-MANIFEST-NOT-FOUND: cannot read none.yaml'),
    })
    await here.manifest(manifest)
    expect(await get('alert_configurations', [...project, '-f', 'deploymgmt.yaml'])).toEqual(
      await get('alert_configurations', project),
    )
    await rm(join(here.folder, 'deploymgmt.yaml'))
  })

  it('is found in capitals, too, as in a manifest', async () => {
    const capitals = ['--project', there.projectId.toUpperCase()]
    const configuration = ['--alert-config-id', there.alertConfigId.toUpperCase()]
    const { json } = await get('alert_configuration', [...capitals, ...configuration])
    expect(json).toMatchObject({ id: there.alertConfigId })
  })

  it('that nobody has given is refused before anything is sent, unless it is an id that the manifest has', async () => {
    const refused = async (...words: string[]): Promise<string> => {
      await here.forgetRequests()
      const { code, stderr } = await here.run('get', ...words)
      expect([code, (await here.requests()).log]).toEqual([1, []])
      return stderr
    }
    const none = await refused('alert_configurations', ...shop)
    expect(none).toContain('--project-id: "shop" is neither the name of a project nor an id')
    expect(none).toContain('give the id, which has 24 hexadecimal digits')
    await here.manifest(`${manifest}  old: { id: "4711", orgId: ${there.orgId} }\n`)
    const misspelt = await refused('alert_configurations', '--project', 'shops')
    expect(misspelt).toContain('--project: "shops" is neither')
    expect(misspelt).toContain('did you mean shop?')
    expect(await refused('alerts', '--project=../orgs')).toContain('--project "../orgs" cannot be an id')
    expect(await refused('organization_events', '--org-id', 'shops')).toContain(
      'The manifest names shop, old.',
    )
    expect((await here.run('get', 'alert_configurations', '--project', '4711')).stderr).toContain(
      '/groups/4711/',
    )
    await rm(join(here.folder, 'deploymgmt.yaml'))
  })
})
