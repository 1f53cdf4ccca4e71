import { expect, test } from 'vitest'
import { HEAD, lines, loadText, refusal, refusedLines } from './support/manifests.ts'

const window = (start: string, end = '2030-01-01T00:00:00Z', types = '[HOST]'): string =>
  `${HEAD}maintenanceWindows:\n  w: { startDate: ${start}, endDate: ${end}, alertTypeNames: ${types} }\n`

test.each([
  ['2026-12-05', '2026-12-05T00:00:00Z'],
  ['2026-12-05 02:00:00', '2026-12-05T02:00:00Z'],
  ['2026-12-05 02:00:00 +01:00', '2026-12-05T02:00:00+01:00'],
  ['2026-12-05t02:00:00z', '2026-12-05T02:00:00Z'],
  ['2026-12-05T02:00:00', '2026-12-05T02:00:00Z'],
  ['2026-12-05T02:00Z', '2026-12-05T02:00:00Z'],
  ['2026-12-05T02:00:00+0100', '2026-12-05T02:00:00+01:00'],
  ['tomorrow', undefined],
  ['1764900000', undefined],
])('%s is not an instant', async (text, meant) => {
  expect(await refusedLines(window(text))).toEqual([
    `5:19 maintenanceWindows.w.startDate: "${text}" is not an instant${meant === undefined ? '' : ` → ${meant}`}`,
  ])
})

test.each([
  ['2026-02-29T00:00:00Z', 'day'],
  ['2035-13-01T00:00:00Z', 'day'],
  ['2035-02-30', 'day'],
  ['2035-02-30T02:00:00[Europe/Madrid]', 'day'],
  ['2035-02-03T24:00:00Z', 'time'],
  ['2035-02-03 02:60', 'time'],
])('%s has the form of an instant, and is none', async (text, nowhere) => {
  const { findings } = await refusal(loadText(window(`"${text}"`)))
  const said = `5:19 maintenanceWindows.w.startDate: "${text}" is not an instant: there is no such ${nowhere}`
  expect(lines(findings)).toEqual([said])
  expect(findings[0]?.allowed).toBeUndefined()
})

test('a day that does not exist is reported also where a variable brings it', async () => {
  const text = `${window('"${var.start}"')}variables: { start: {} }\n`
  expect(await refusedLines(text, { vars: ['start=2035-13-01T00:00:00Z'] })).toEqual([
    '5:19 maintenanceWindows.w.startDate: "2035-13-01T00:00:00Z" is not an instant: there is no such day',
  ])
})

const key = (block: string): string => `${HEAD}apiKeys:\n  k: { apiKeyId: a, accessList: [${block}] }\n`

test.each([
  ['192.0.2.7/24', 'has bits set beyond its prefix length → 192.0.2.0/24'],
  ['2001:db8:0:1::1/48', 'has bits set beyond its prefix length → 2001:db8::/48'],
  ['::ffff:192.0.2.7/120', 'has bits set beyond its prefix length → ::ffff:192.0.2.0/120'],
  ['010.0.0.1', 'has a leading zero, which some read as octal → 10.0.0.1'],
  ['010.0.0.0/08', 'has a leading zero, which some read as octal → 10.0.0.0/08'],
  ['10.0.0.0/08', 'has no prefix length after the slash; 0 to 32 is allowed'],
  ['192.0.2.0/33', 'has no prefix length after the slash; 0 to 32 is allowed'],
  ['2001:db8::/129', 'has no prefix length after the slash; 0 to 128 is allowed'],
  ['192.0.2.256', 'is not an address or a block; part of it is above 255'],
  ['example.com', 'is not an address or a block'],
])('%s is not an address or a block', async (text, message) => {
  expect(await refusedLines(key(`"${text}"`))).toEqual([`5:34 apiKeys.k.accessList[0]: "${text}" ${message}`])
})

test('a double in a set is a warning at its place', async () => {
  const { warnings } = await loadText(
    `${HEAD}users:\n  u: { userId: a, roles: [{ roleName: ORG_OWNER, orgId: o }, { orgId: o, roleName: ORG_OWNER }] }\n`,
  )
  expect(lines(warnings)).toEqual(['5:62 users.u.roles[1]: a mapping is listed twice; once is enough'])
  expect(warnings.find(({ also }) => also !== undefined)).toMatchObject({
    severity: 'warning',
    also: { line: 5, column: 27 },
  })
})

test('words outside an open set are warnings with the nearest spelling', async () => {
  const { warnings } = await loadText(window('2026-12-05T02:00:00Z', undefined, '[HOSTT, SOMETHING_NEW]'))
  expect(lines(warnings)).toEqual([
    '5:89 maintenanceWindows.w.alertTypeNames[0]: "HOSTT" is not an alert type that is known here; services have others, so it is sent as it is → HOST',
    '5:96 maintenanceWindows.w.alertTypeNames[1]: "SOMETHING_NEW" is not an alert type that is known here; services have others, so it is sent as it is',
  ])
})

const noPrimary = (name: string): string =>
  `  ${name}: { select: { eventTypeName: NO_PRIMARY }, enabled: true }\n`

test('an unknown word of selectors is one warning, and is not said to be sent', async () => {
  const { warnings } = await loadText(`${HEAD}alertConfigurations:\n${noPrimary('a')}${noPrimary('b')}`)
  expect(lines(warnings)).toEqual([
    '5:33 alertConfigurations.a.select.eventTypeName: "NO_PRIMARY" is not an event type that is known here; services have others, so it is compared with what is there as it is',
  ])
})

test.each([
  [
    'alertConfigurations',
    '{ alertConfigId: 5d1113b25a115342acc2d1aa, enabled: true, threshold: 900 }',
    'there is no field "threshold" here: all that this API can change in an alert configuration is whether it is enabled. By hand: Project 5c8100bcf2a30b12ff88258f → Alerts → Alert Settings.',
  ],
  [
    'alertConfigurations',
    '{ alertConfigId: 5d1113b25a115342acc2d1aa, enabled: true, matchers: [] }',
    'there is no field "matchers" here: all that this API can change in an alert configuration is whether it is enabled. By hand: Project 5c8100bcf2a30b12ff88258f → Alerts → Alert Settings.',
  ],
  [
    'alertConfigurations',
    '{ select: { metricName: ASSERT_USER }, enabled: true, eventTypeName: OUTSIDE_METRIC_THRESHOLD }',
    'there is no field "eventTypeName" here: in select it selects them',
  ],
  [
    'apiKeys',
    '{ apiKeyId: 5d1113b25a115342acc2d1aa, publicKey: abcd }',
    'there is no field "publicKey" here: this API has no call to change the two halves of a key. By hand: Organization 5980cfdf0b6d97029d82f86e → Access Manager → API Keys: create a new key, then declare its apiKeyId here.',
  ],
])(
  'what is shown of %s but cannot be changed is no field, and the error says why: %s',
  async (section, entry, said) => {
    const [told, ...others] = (await refusal(loadText(`${HEAD}${section}:\n  a: ${entry}\n`))).findings
    expect([told?.message, others]).toEqual([said, []])
  },
)

test("a kind's rules speak at the field they are about", async () => {
  expect(await refusedLines(window('2026-12-05T02:00:00Z', '2026-12-05T01:00:00Z'))).toEqual([
    '5:50 maintenanceWindows.w.endDate: the window ends at 2026-12-05T01:00:00Z, which is not after its start',
  ])
  expect(
    await refusedLines(
      `${HEAD}users:\n  u: { userId: a, roles: [{ roleName: GROUP_OWNER }, { roleName: GLOBAL_OWNER, orgId: o }] }\n`,
    ),
  ).toEqual([
    '5:27 users.u.roles[0]: GROUP_OWNER needs projectId',
    '5:87 users.u.roles[1].orgId: GLOBAL_OWNER takes no orgId',
  ])
  expect(await refusedLines(`${HEAD}alertConfigurations:\n  a: { enabled: true }\n`)).toEqual([
    '5:3 alertConfigurations.a: give one of alertConfigId and select: exactly one of them says what is declared',
  ])
})

test('rules are silent about an entry that is wrong in itself', async () => {
  expect(await refusedLines(window('yesterday', 'today'))).toHaveLength(2)
})

test('entries that disagree are an error that names both', async () => {
  const { findings } = await refusal(
    loadText(`${HEAD}integrations:\n  a: { type: PAGING }\n  b: { only: [WEBHOOK] }\n`),
  )
  expect(findings).toMatchObject([
    {
      line: 5,
      column: 3,
      path: 'integrations.a',
      message: 'PAGING must be present here, but is not in only there',
      also: { line: 6, column: 3 },
    },
  ])
})

test('every list of a project that differs from its first one is an error, and so is every demand that one of them refuses', async () => {
  const entries = ['b: { only: [WEBHOOK] }', 'c: { only: [WEBHOOK] }', 'd: { only: [WEBHOOK, PAGING] }']
  const demands = ['e: { type: PAGING }', 'f: { type: WEBHOOK }', 'g: { type: CHAT_A }']
  expect(
    await refusedLines(
      `${HEAD}integrations:\n${[...entries, ...demands].map((each) => `  ${each}\n`).join('')}`,
    ),
  ).toEqual([
    '7:3 integrations.d: PAGING is allowed by one only of this project but not by the other; a project has one list',
    '8:3 integrations.e: PAGING must be present here, but is not in only there',
    '10:3 integrations.g: CHAT_A must be present here, but is not in only there',
  ])
})

test('one thing has one entry, by identity and by whatever else is unique', async () => {
  const { findings } = await refusal(
    loadText(
      `${HEAD}apiKeys:\n  a: { apiKeyId: k }\n  b: { apiKeyId: k }\n  c: { apiKeyId: k, orgId: other }\n` +
        `users:\n  u: { userId: u, username: n, roles: [] }\n  v: { userId: v, username: n, roles: [] }\n`,
    ),
  )
  expect(lines(findings)).toEqual([
    '6:18 apiKeys.b.apiKeyId: apiKeys.a declares the same apiKeyId; one thing has one entry',
    '10:29 users.v.username: users.u declares the same username; one thing has one entry',
  ])
  expect(findings.flatMap(({ also }) => also ?? [])).toEqual([
    { file: 'deploymgmt.yaml', line: 5, column: 18 },
    { file: 'deploymgmt.yaml', line: 9, column: 29 },
  ])
})

test('two names for one project are an error', async () => {
  expect(await refusedLines('version: 1\nname: a\nprojects:\n  a: { id: p }\n  b: { id: p }\n')).toEqual([
    '5:12 projects.b.id: projects.a already has this id',
  ])
})

test('two names for one project are one error, in whatever lists both of them stand', async () => {
  const windows = ['all', '{ all: true, except: [c] }', '[a, b]', '[a, a]'].map(
    (projectIds, index) =>
      `  w${index}: { projectIds: ${projectIds}, alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }\n`,
  )
  const projects = 'projects:\n  a: { id: p }\n  b: { id: p }\n  c: { id: q }\n'
  expect(
    await refusedLines(`version: 1\nname: a\n${projects}maintenanceWindows:\n${windows.join('')}`),
  ).toEqual([
    '5:12 projects.b.id: projects.a already has this id',
    '11:25 maintenanceWindows.w3.projectIds[1]: "p" is listed twice; once is enough',
  ])
})

test('an object among the projects is refused, even one that cannot be a text', async () => {
  const projects = '[{ toString: {} }, [{ toString: {} }], { a: 1 }]'
  expect(
    await refusedLines(`${HEAD}integrations:\n  i: { projectIds: ${projects}, type: PAGING }\n`),
  ).toEqual([
    '5:21 integrations.i.projectIds[0]: a mapping stands where an id is expected',
    '5:39 integrations.i.projectIds[1]: a list stands where an id is expected',
    '5:59 integrations.i.projectIds[2]: a mapping stands where an id is expected',
  ])
})

test('what a set lists twice is declared once', async () => {
  const { declaration, warnings } = await loadText(
    `${HEAD}maintenanceWindows:\n  w: { alertTypeNames: [HOST, BACKUP, HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }\n`,
  )
  expect(declaration.entries[0]?.values['alertTypeNames']).toEqual(['HOST', 'BACKUP'])
  expect(warnings).toHaveLength(1)
})

const withProjects = (projects: string, entries: string): string =>
  `version: 1\nname: t\nprojects: ${projects}\n${entries}`
const SHOP_ID = '5c8100bcf2a30b12ff88258f'
const SHOP = '{ shop: { id: 5c8100bcf2a30b12ff88258f, orgId: 5980cfdf0b6d97029d82f86e } }'

test.each([
  ['defaults:\n  projectId: shop\nintegrations:\n  a: { type: PAGING }\n', { projectId: SHOP_ID }],
  ['integrations:\n  a: { projectId: shop, type: PAGING }\n', { projectId: SHOP_ID }],
  [
    'integrations:\n  a: { projectIds: [5c8100bcf2a30b12ff882599, shop], type: PAGING }\n',
    { projectId: '5c8100bcf2a30b12ff882599' },
    SHOP_ID,
  ],
  ['integrations:\n  a: { projectIds: all, type: PAGING }\n', { projectId: SHOP_ID }],
  [
    'users:\n  u: { userId: a, rolesComplete: true, roles: [{ roleName: ORG_MEMBER, orgId: shop }] }\n',
    { roles: [{ roleName: 'ORG_MEMBER', orgId: '5980cfdf0b6d97029d82f86e' }] },
  ],
])(
  'the name of a project stands for its id, and for its organization: %j',
  async (entries, first, second?) => {
    const { declaration } = await loadText(withProjects(SHOP, entries))
    expect(declaration.entries[0]?.values).toMatchObject(first)
    expect(declaration.entries[1]?.values['projectId']).toBe(second)
  },
)

const THREE = '{ a: { id: a1 }, b: { id: b1 }, c: { id: c1 } }'

test('all with exceptions stands for every other project, by its name or its id', async () => {
  const { declaration } = await loadText(
    withProjects(THREE, 'integrations:\n  i: { projectIds: { all: true, except: [b, c1] }, type: PAGING }\n'),
  )
  expect(declaration.entries.map(({ address }) => address)).toEqual(['integrations.i[a1]'])
})

test('a project whose name is a number can be an exception', async () => {
  const { declaration } = await loadText(
    withProjects(
      '{ 1: { id: a1 }, b: { id: b1 } }',
      'integrations:\n  i: { projectIds: { all: true, except: [1] }, type: PAGING }\n',
    ),
  )
  expect(declaration.entries.map(({ address }) => address)).toEqual(['integrations.i[b1]'])
})

test('a reference is explained to where its value stands, also where the other entry takes that from elsewhere', async () => {
  const { explain } = await loadText(
    withProjects(
      '{ a: { id: a1, orgId: o1 }, b: { id: b1 } }\ndefaults: { projectId: a, orgId: o1 }',
      'integrations:\n  i: { type: PAGING }\n  j: { type: CHAT_A, projectId: "${integrations.i.projectId}" }\n' +
        'apiKeys:\n  k: { apiKeyId: k, desc: "${projects.b.orgId} ${integrations.i.ensure} ${maintenanceWindows.w.id}" }\n' +
        'maintenanceWindows:\n  w: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }\n',
    ),
  )
  const from = (address: string, name: string) =>
    explain(address)
      ?.values.find(({ field }) => field === name)
      ?.from.slice(1)
  expect(from('integrations.j', 'projectId')).toEqual([
    { is: 'entry', name: 'integrations.i.projectId', at: 'deploymgmt.yaml:4:24' },
    { is: 'project', name: 'projects.a.id', at: 'deploymgmt.yaml:3:22' },
  ])
  expect(from('apiKeys.k', 'desc')).toEqual([
    { is: 'project', name: 'projects.b.orgId', at: 'deploymgmt.yaml:4:34' },
    { is: 'field-default', name: 'integrations.i.ensure', beside: true },
    { is: 'entry', name: 'maintenanceWindows.w.id', beside: true },
  ])
})

test.each([
  ['{ all: true, except: [bb] }', '5:42 integrations.i.projectIds.except[0]: there is no project "bb"'],
  // If an unknown name were ignored as a project that is gone, a mistyped name would include what it should exclude.
  ['{ all: true, except: [gone] }', '5:42 integrations.i.projectIds.except[0]: there is no project "gone"'],
  ['{ all: false }', '5:20 integrations.i.projectIds: it is a list of projects, all, or'],
  ['{ all: true, but: [b] }', '5:20 integrations.i.projectIds: it is a list of projects, all, or'],
  ['{ all: true, except: [a, b, c] }', '5:41 integrations.i.projectIds.except: except leaves no project'],
  ['every', '5:20 integrations.i.projectIds: "every" stands where a list is expected'],
  ['al', '5:20 integrations.i.projectIds: "al" stands where a list is expected → all'],
])('projectIds: %s is an error', async (several, message) => {
  const text = withProjects(THREE, `integrations:\n  i: { projectIds: ${several}, type: PAGING }\n`)
  const { findings } = await refusal(loadText(text))
  expect(lines(findings).map((line) => line.slice(0, message.length))).toEqual([message])
})

test('except may leave a project without an id, which is one error', async () => {
  const projects = '{ a: { id: null }, b: { id: 5c8100bcf2a30b12ff882590 } }'
  const several = '{ all: true, except: [b] }'
  const text = withProjects(projects, `integrations:\n  i: { projectIds: ${several}, type: PAGING }\n`)
  const { findings } = await refusal(loadText(text))
  expect(findings).toMatchObject([{ path: 'projects.a.id' }])
})

const SHOPS = '{ search: { id: 5c8100bcf2a30b12ff882590 }, payments: { id: 5c8100bcf2a30b12ff88258f } }'

test.each([
  ['projectId: serach', 'projectId'],
  ['projectIds: [payments, serach]', 'projectIds[1]'],
  ['projectId: "${var.p}"', 'projectId'],
])('a misspelt project is an error with the nearest name: %s', async (given, path) => {
  const text = withProjects(
    SHOPS,
    `variables: { p: { default: serach } }\nintegrations:\n  i: { ${given}, type: PAGING }\n`,
  )
  const { findings } = await refusal(loadText(text))
  expect(findings).toMatchObject([
    {
      severity: 'error',
      path: `integrations.i.${path}`,
      message: 'there is no project "serach", and it does not look like an id of this API',
      suggestion: 'search',
    },
  ])
})

test('an id that no named project has stays as it is', async () => {
  const id = '5c8100bcf2a30b12ff882599'
  const { declaration } = await loadText(
    withProjects(SHOPS, `integrations:\n  i: { projectId: ${id}, type: PAGING }\n`),
  )
  expect(declaration.entries[0]?.values).toMatchObject({ projectId: id })
})

test('an error says what can stand in place of a list of projects', async () => {
  const { findings } = await refusal(
    loadText(withProjects(SHOPS, 'integrations:\n  i: { projectIds: payments, type: PAGING }\n')),
  )
  expect(findings).toMatchObject([
    { suggestion: '[payments]', allowed: ['[NAME]', 'all', '{ all: true, except: [NAME] }'] },
  ])
})

test.each([
  ['1', 'there is no project "1"'],
  ['{ b: c }', 'it is not the name or id of a project'],
])('%s in except is told which projects there are', async (name, message) => {
  const several = `{ all: true, except: [${name}] }`
  const { findings } = await refusal(
    loadText(withProjects(THREE, `integrations:\n  i: { projectIds: ${several}, type: PAGING }\n`)),
  )
  expect(findings).toContainEqual(expect.objectContaining({ message, allowed: ['a', 'b', 'c'] }))
})

const everywhere = (several: string, entries: string): string =>
  withProjects(THREE, `defaults: { projectIds: ${several} }\n${entries}`)
const addressesOf = async (text: string): Promise<string[]> =>
  (await loadText(text)).declaration.entries.map(({ address }) => address)

test.each([
  ['all', ['a1', 'b1', 'c1']],
  ['{ all: true, except: [b] }', ['a1', 'c1']],
  ['[c, a1]', ['c1', 'a1']],
])('defaults.projectIds: %s is taken by each entry that may have several projects', async (several, ids) => {
  const entries =
    'integrations:\n  i: { type: PAGING }\n  own: { projectId: b, type: CHAT_A }\n  few: { projectIds: [a], type: CHAT_A }\napiKeys:\n  k: { orgId: acme, apiKeyId: k }\n'
  expect(await addressesOf(everywhere(several, entries))).toEqual([
    'apiKeys.k',
    ...ids.map((id) => `integrations.i[${id}]`),
    'integrations.own',
    'integrations.few[a1]',
  ])
})

test('what comes from defaults.projectIds is explained, and what an entry says in its place is not', async () => {
  const { explain } = await loadText(
    everywhere('[c, a1]', 'integrations:\n  i: { type: PAGING }\n  own: { projectId: b, type: CHAT_A }\n'),
  )
  expect(explain('integrations.i')?.values.filter(({ field }) => field.startsWith('projectId'))).toEqual([
    {
      field: 'projectIds',
      from: [
        { is: 'defaults', at: 'deploymgmt.yaml:4:25' },
        { is: 'project', name: 'projects.c.id', at: 'deploymgmt.yaml:3:52' },
      ],
    },
  ])
  expect(explain('integrations.own')?.values.map(({ field }) => field)).toEqual([
    'projectId',
    'type',
    'ensure',
  ])
})

test.each([
  ['{ all: true, except: [bb] }', '4:47 defaults.projectIds.except[0]: there is no project "bb"'],
  ['{ all: false }', '4:25 defaults.projectIds: it is a list of projects, all, or'],
  ['[a, a1]', '4:29 defaults.projectIds[1]: "a1" is listed twice'],
  ['[]', '4:25 defaults.projectIds: the list has nothing in it'],
  ['all, projectId: a', '4:13 defaults.projectIds: give either projectId or projectIds, not both'],
])('defaults.projectIds: %s is one error, however many entries take it', async (several, message) => {
  const entries = 'integrations:\n  i: { type: PAGING }\n  j: { type: CHAT_A }\n'
  const { findings } = await refusal(loadText(everywhere(several, entries)))
  expect(lines(findings).map((line) => line.slice(0, message.length))).toEqual([message])
})

test.each([
  ['defaults: { projectIds: all }\nalertConfigurations:\n  n: { alertConfigId: x, enabled: false }', '6:8'],
  ['alertConfigurations:\n  n: { alertConfigId: x, projectIds: [a, b], enabled: false }', '5:8'],
])('an id names one thing, which is in one project: %j', async (entries, at) => {
  const { findings } = await refusal(loadText(withProjects(THREE, `${entries}\n`)))
  expect(lines(findings)).toEqual([
    `${at} alertConfigurations.n.alertConfigId: the id names one thing in one project, but the entry stands for several: give its projectId`,
  ])
})

const PEOPLE =
  'apiKeys:\n  k: { apiKeyId: k, desc: "${apiKeys.k.orgId}" }\nusers:\n  u: { userId: u, rolesComplete: true, roles: [{ roleName: ORG_MEMBER }, { roleName: GLOBAL_READ_ONLY }, { roleName: ORG_OWNER, orgId: own }] }\n'

test.each([
  ['{ a: { id: a1 }, b: { id: b1 } }\ndefaults: { orgId: o1 }', 'defaults'],
  ['{ a: { id: a1, orgId: o1 } }\ndefaults: { orgId: a }', 'defaults'],
  ['{ a: { id: a1, orgId: o1 }, b: { id: b1 }, c: { id: c1, orgId: o1 } }', 'project'],
  [
    '{ a: { id: a1, orgId: o1 }, b: { id: b1, orgId: "${var.o}" } }\nvariables: { o: { default: o1 } }',
    'project',
  ],
])('keys and roles that say no organization take the one that all is in: %j', async (projects, is) => {
  const { declaration, explain } = await loadText(withProjects(projects, PEOPLE))
  const [reporting, user] = declaration.entries
  expect(reporting?.values).toMatchObject({ orgId: 'o1', desc: 'o1' })
  expect(user?.values['roles']).toEqual([
    { roleName: 'ORG_MEMBER', orgId: 'o1' },
    { roleName: 'GLOBAL_READ_ONLY' },
    { roleName: 'ORG_OWNER', orgId: 'own' },
  ])
  expect(explain('apiKeys.k')?.values.find(({ field }) => field === 'orgId')?.from[0]).toMatchObject({ is })
})

test('where there are several organizations, or several projects, an error says what can be given', async () => {
  const projects = '{ a: { id: a1, orgId: o1 }, b: { id: b1, orgId: o2 } }'
  const entries =
    'apiKeys:\n  k: { apiKeyId: k }\nusers:\n  u: { userId: u, rolesComplete: true, roles: [{ roleName: ORG_MEMBER }, { roleName: GROUP_OWNER }] }\nintegrations:\n  p: { type: PAGING }\n'
  const { findings } = await refusal(loadText(withProjects(projects, entries)))
  expect(
    findings.filter(({ severity }) => severity === 'error').map(({ message, allowed }) => [message, allowed]),
  ).toEqual([
    ['orgId is missing: give it here or in defaults', ['a', 'b']],
    ['ORG_MEMBER needs orgId', ['a', 'b']],
    ['GROUP_OWNER needs projectId', ['a', 'b']],
    ['projectId is missing: give it here or in defaults', ['a', 'b']],
  ])
  const [line] = (await refusal(loadText(withProjects(SHOP, 'integrations:\n  p: { type: PAGING }\n'))))
    .findings
  expect(line?.suggestion).toBe('projectId: shop')
})

test('a project without an organization has none to give', async () => {
  const lacking = 'apiKeys:\n  k: { apiKeyId: k }\nintegrations:\n  p: { type: PAGING }\n'
  const lacks = (await refusal(loadText(withProjects(THREE, lacking)))).findings
  expect(
    lacks.filter(({ severity }) => severity === 'error').map(({ message, allowed }) => [message, allowed]),
  ).toEqual([
    ['orgId is missing: give it here or in defaults', undefined],
    ['projectId is missing: give it here or in defaults', ['a', 'b', 'c']],
  ])
  const { findings } = await refusal(
    loadText(withProjects(THREE, 'apiKeys:\n  k: { orgId: b, apiKeyId: k }\n')),
  )
  expect(lines(findings)).toContain('5:15 apiKeys.k.orgId: projects.b declares no orgId; give it there')
})

test('a project without an organization is in that of `defaults`, which can be the one of another project', async () => {
  const { declaration } = await loadText(
    withProjects(
      '{ a: { id: a1, orgId: o1 }, b: { id: b1 } }\ndefaults: { orgId: a }',
      'apiKeys:\n  k: { orgId: b, apiKeyId: k, desc: "${projects.b.orgId}" }\nusers:\n  u: { userId: u, roles: [{ roleName: ORG_OWNER, orgId: b }] }\n',
    ),
  )
  const [first, user] = declaration.entries
  expect(first?.values).toMatchObject({ orgId: 'o1', desc: 'o1' })
  expect(user?.values['roles']).toEqual([{ roleName: 'ORG_OWNER', orgId: 'o1' }])
  expect(declaration.organizations.get('b1')).toBe('o1')
})

test('`defaults` cannot name its organization by a project without one', async () => {
  const text = withProjects(
    '{ a: { id: a1 }, b: { id: b1 } }\ndefaults: { orgId: a }',
    'apiKeys:\n  k: { orgId: b, apiKeyId: k, desc: "${projects.b.orgId}" }\n',
  )
  expect(await refusedLines(text)).toEqual([
    '4:20 defaults.orgId: projects.a declares no orgId; give it there',
    '6:15 apiKeys.k.orgId: projects.b declares no orgId; give it there',
    '6:37 apiKeys.k.desc: projects.b declares no orgId',
  ])
})

test('the organization of a project cannot depend on that project', async () => {
  const text = withProjects(
    '{ a: { id: a1, orgId: "${apiKeys.k.orgId}" } }',
    'apiKeys:\n  k: { apiKeyId: k }\n',
  )
  expect(await refusedLines(text)).toEqual([
    '3:33 projects.a.orgId: these expressions refer to one another in a circle: ${apiKeys.k.orgId} → ${apiKeys.k.orgId}',
  ])
})

test.each([
  [
    '{ a: { id: a1, orgId: o1 }, b: { id: b1, orgId: a } }',
    '3:59 projects.b.orgId: "a" is the name of a project; give the id of its organization',
  ],
  ['{ a: { id: b }, b: { id: b1 } }', '3:22 projects.a.id: "b" is the name of another project; give an id'],
])('what a project says of itself is no name of a project: %s', async (projects, line) => {
  expect(await refusedLines(withProjects(projects, ''))).toEqual([line])
})

test('odd ids of projects that are named are taken, also where a name is its id', async () => {
  const entries =
    'integrations:\n  a: { projectId: shop-1, type: PAGING }\n  b: { projectId: x, type: PAGING }\n'
  const { declaration } = await loadText(withProjects('{ shop: { id: shop-1 }, x: { id: x } }', entries))
  expect(declaration.entries.map(({ values }) => values['projectId'])).toEqual(['shop-1', 'x'])
})

test.each([
  ['all', 'it stands for every project'],
  ['5c8100bcf2a30b12ff88258f', 'it looks like an id, and could be the id of another project'],
])('%s is no name of a project', async (name, why) => {
  expect(
    await refusedLines(`version: 1\nname: a\nprojects:\n  "${name}": { id: 5c8100bcf2a30b12ff882590 }\n`),
  ).toEqual([`4:3 projects.${name}: "${name}" cannot be the name of a project: ${why}`])
})

test('what is no value of a field with quotes either is not to be quoted', async () => {
  const entry = '  k: { projectId: 5c8100bcf2a30b12ff88258f, type: false }\n'
  expect((await refusal(loadText(`${HEAD}integrations:\n${entry}`))).findings).toMatchObject([
    {
      line: 5,
      column: 51,
      message: 'false stands where an integration type is expected',
      allowed: expect.arrayContaining(['PAGING']),
    },
  ])
  expect(await refusedLines(window('true'))).toEqual([
    '5:19 maintenanceWindows.w.startDate: true stands where an instant is expected',
  ])
})

const listing = (name: string, there: string): string =>
  `  ${name}: { projectIds: [${there}, team-c], type: PAGING }\n`

test('a project that a list has already is not what another item of it was meant to be', async () => {
  const projects = ['alpha', 'team-a', 'team-b'].map(
    (name, index) => `  ${name}: { id: 5c8100bcf2a30b12ff88258${index} }\n`,
  )
  const text = `${HEAD}projects:\n${projects.join('')}integrations:\n${listing('x', 'team-b')}${listing('y', 'team-a')}`
  expect((await refusal(loadText(text))).findings.map(({ suggestion }) => suggestion)).toEqual([
    'team-a',
    'team-b',
  ])
})
