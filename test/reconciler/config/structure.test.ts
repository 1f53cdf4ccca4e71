import { describe, expect, test } from 'vitest'
import { HEAD, lines, loadText, refusal, refusedLines } from './support/manifests.ts'

const WINDOW = `alertTypeNames: [HOST], startDate: 2026-12-05T02:00:00Z, endDate: 2026-12-05T04:00:00Z`

test('version and name are required', async () => {
  expect(await refusedLines('users: {}\n')).toEqual([
    '1:1 version and name are missing; begin with version: 1 and name: …',
  ])
})

test.each([
  ['alertconfigs: {}', '4:1 alertconfigs: a manifest has no "alertconfigs" → alertConfigurations'],
  [
    'alertConfigurations: { a: { enabled: true, select: { metric: CONNECTIONS } } }',
    '4:54 alertConfigurations.a.select.metric: there is no field "metric" here → metricName',
  ],
])('a name that is cut short is known: %s', async (text, said) => {
  expect(await refusedLines(`${HEAD}${text}\n`)).toContain(said)
})

test.each([
  ['apiKeyId: "", desc: a', ['an id, of 24 hexadecimal digits']],
  ['apiKeyId: a, desc: ""', ['a text of 1 to 250 characters']],
  ['apiKeyId: a, roles: []', expect.arrayContaining(['ORG_OWNER'])],
  ['apiKeyId: a, accessList: [""]', expect.arrayContaining(['a block such as 192.0.2.0/24'])],
])('what is empty is told with what is allowed: %s', async (entry, allowed: unknown) => {
  const { findings } = await refusal(loadText(`${HEAD}apiKeys: { k: { ${entry} } }\n`))
  expect(findings.at(-1)).toMatchObject({ severity: 'error', allowed })
})

test.each(['"\\n"', '" "', '"\\u200B\\t"'])('a name that cannot be seen is none: %s', async (name) => {
  expect(await refusedLines(`version: 1\nname: ${name}\n`)).toEqual([
    '2:7 name: the name has no character that can be seen',
  ])
})

test('a misspelt required name is one error, and not two', async () => {
  expect(await refusedLines('version: 1\nnam: acme\n')).toEqual(['2:1 nam: a manifest has no "nam" → name'])
})

test.each([
  ['projectid: payments', 'projectid: there is no field "projectid" here → projectId'],
  ['projectids: [payments]', 'projectids: there is no field "projectids" here → projectIds'],
])('a misspelt place is one error, and not two: %s', async (place, said) => {
  const text = `${HEAD}projects: { payments: { id: 5c8100bcf2a30b12ff88258f } }\nmaintenanceWindows: { w: { ${place}, ${WINDOW} } }\n`
  expect(await refusedLines(text)).toEqual([expect.stringContaining(`maintenanceWindows.w.${said}`)])
})

test.each(['2', '"1"', 'one', '[1]'])('version %s is not one that is read', async (version) => {
  const [line] = await refusedLines(`version: ${version}\nname: a\n`)
  expect(line).toMatch(
    /^1:1[0-9] version(\[0\])?: this version of deploymgmt supports only version 1 of manifests/,
  )
})

test('sections whose entries are all commented out are fine', async () => {
  const { declaration } = await loadText(
    `${HEAD}users:\nintegrations:\n  # paging: {}\nvariables:\nprojects:\n`,
  )
  expect(declaration.entries).toEqual([])
})

test.each([
  ['apiKeys: []', '4:10 apiKeys: apiKeys is a mapping of each api key by its name, not a list'],
  ['defaults: 3', '4:11 defaults: defaults is a mapping of fields, not a number'],
  ['apiKeys: { k: 3 }', '4:15 apiKeys.k: 3 stands where a mapping is expected'],
  ['apiKeys: { k: }', '4:13 apiKeys.k: nothing stands where a mapping is expected'],
  ['apiKeys: { k: {} }', '4:12 apiKeys.k: apiKeyId is missing'],
  [
    'apiKeys: { a.b: { apiKeyId: a } }',
    '4:12 apiKeys.a.b: "a.b" cannot be a name: use the letters A to Z, digits, - and _, beginning with a letter, a digit or one _ → a-b',
  ],
  [
    `apiKeys: { ${'n'.repeat(256)}: { apiKeyId: a } }`,
    `4:12 apiKeys.${'n'.repeat(191)}…: "${'n'.repeat(57)}…" cannot be a name: it has 256 characters, and a name has at most 255`,
  ],
  [
    'apiKeys: { __proto__: { apiKeyId: a } }',
    '4:12 apiKeys.__proto__: "__proto__" cannot be a name: use the letters A to Z, digits, - and _, beginning with a letter, a digit or one _ → proto',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, rolse: [] } }',
    '4:30 apiKeys.k.rolse: there is no field "rolse" here → roles',
  ],
  [
    'apiKeys: { k: { api_key_id: a } }',
    '4:17 apiKeys.k.api_key_id: there is no field "api_key_id" here → apiKeyId',
  ],
  ['apiKeys: { k: { apiKeyId: a, colour: x } }', '4:30 apiKeys.k.colour: there is no field "colour" here'],
  [
    'apiKeys: { k: { apiKeyId: a, constructor: x } }',
    '4:30 apiKeys.k.constructor: there is no field "constructor" here',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, projectIds: [x] } }',
    '4:30 apiKeys.k.projectIds: there is no field "projectIds" here',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, ensure: absent } }',
    '4:30 apiKeys.k.ensure: there is no field "ensure" here: this API has no call to delete an API key. By hand: Organization 5980cfdf0b6d97029d82f86e → Access Manager → API Keys.',
  ],
  [
    'alertConfigurations: { a: { projectId: p, alertConfigId: a, enabled: true, ensure: absent } }',
    '4:76 alertConfigurations.a.ensure: there is no field "ensure" here: this API has no call to delete an alert configuration. Disable it: declare enabled: false.',
  ],
  [
    'integrations: { i: { projectId: p, type: PAGING, serviceKey: x } }',
    '4:50 integrations.i.serviceKey: there is no field "serviceKey" here: this API has no call to change an integration. By hand: Project p → Integrations → PAGING.',
  ],
  [
    'integrations: { i: { projectId: p, type: PAGING, ensur: absent } }',
    '4:50 integrations.i.ensur: there is no field "ensur" here → ensure',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, roles: ORG_OWNER } }',
    '4:37 apiKeys.k.roles: "ORG_OWNER" stands where a list is expected → [ORG_OWNER]',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, roles: "ORG_OWNER" } }',
    '4:37 apiKeys.k.roles: "ORG_OWNER" stands where a list is expected → ["ORG_OWNER"]',
  ],
  ['otherStates: a.json, b.json', '4:14 otherStates: "a.json, b.json" stands where a list is expected'],
  [
    'apiKeys: { k: { apiKeyId: a, roles: [] } }',
    '4:37 apiKeys.k.roles: the list has nothing in it; it needs at least 1',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, roles: [ORG_REDA_ONLY] } }',
    '4:38 apiKeys.k.roles[0]: "ORG_REDA_ONLY" is not an organization role → ORG_READ_ONLY',
  ],
  ['apiKeys: { k: { apiKeyId: a, roles: [3] } }', '4:38 apiKeys.k.roles[0]: "3" is not an organization role'],
  ['apiKeys: { k: { apiKeyId: a, desc: "" } }', '4:36 apiKeys.k.desc: the text is empty'],
  [
    'apiKeys: { k: { apiKeyId: a, desc: [x] } }',
    '4:36 apiKeys.k.desc: a list stands where a text is expected',
  ],
  [
    `apiKeys: { k: { apiKeyId: a, desc: ${'é'.repeat(251)} } }`,
    '4:36 apiKeys.k.desc: the text has 251 characters; at most 250 are allowed',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, protect: yes } }',
    '4:39 apiKeys.k.protect: "yes" is not true or false → true',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, protect: OFF } }',
    '4:39 apiKeys.k.protect: "OFF" is not true or false → false',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, protect: } }',
    '4:37 apiKeys.k.protect: there is no value here, where true or false is expected; give one, or omit the field if it is optional',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, onRemove: end } }',
    '4:40 apiKeys.k.onRemove: "end" is not a way of removal',
  ],
  [
    'apiKeys: { k: { apiKeyId: a, ignoreChanges: [desk] } }',
    '4:46 apiKeys.k.ignoreChanges[0]: "desk" is not a comparable field of this kind → desc',
  ],
  [
    'integrations: { i: { type: PAGING, ignoreChanges: [type] } }',
    '4:52 integrations.i.ignoreChanges[0]: "type" is not a comparable field of this kind; there is none',
  ],
  [
    'integrations: { i: { type: PAGNG } }',
    '4:28 integrations.i.type: "PAGNG" is not an integration type → PAGING',
  ],
  [
    'users: { u: { userId: a, roles: [{ rolName: ORG_OWNER }] } }',
    '4:36 users.u.roles[0].rolName: there is no field "rolName" here → roleName',
  ],
  ['users: { u: { userId: a, roles: [{ orgId: a }] } }', '4:34 users.u.roles[0]: roleName is missing'],
  [
    'maintenanceWindows: { w: { alertTypeNames: [HOST] } }',
    '4:23 maintenanceWindows.w: startDate, endDate are missing',
  ],
  ['projects: { p: { orgId: a } }', '4:13 projects.p: id is missing'],
  ['variables: { v: 3 }', '4:17 variables.v: 3 stands where a mapping is expected'],
  [
    'variables: { v: { default: null } }',
    '4:28 variables.v.default: there is no value here; omit the default if a value has to be given',
  ],
])('%s', async (text, message) => {
  const { findings } = await refusal(
    loadText(text.startsWith('defaults') ? `version: 1\nname: a\n\n${text}\n` : `${HEAD}${text}\n`),
  )
  expect(lines(findings)).toContain(message)
})

test.each([
  [
    'projectIds: all',
    'maintenanceWindows.w.projectIds: all stands for every project of `projects`, and there is none',
  ],
  ['ignoreChanges: nothing', 'maintenanceWindows.w.ignoreChanges: "nothing" stands where a list is expected'],
])('no list is suggested that would be wrong too: %s', async (text, message) => {
  const [line] = await refusedLines(`${HEAD}maintenanceWindows:\n  w: { ${text}, ${WINDOW} }\n`)
  expect(line?.replace(/^\S+ /, '')).toBe(message)
})

test('errors say what is allowed as well as what was found', async () => {
  const { findings } = await refusal(
    loadText(`${HEAD}users: { u: { userId: a, onRemove: end, roles: [] } }\n`),
  )
  expect(findings.flatMap(({ allowed }) => (allowed === undefined ? [] : [allowed]))).toEqual([
    ['forget', 'revoke'],
  ])
})

test('what a creation takes is required, unless the entry names what exists', async () => {
  expect(await refusedLines(`${HEAD}users: { u: { username: a, roles: [] } }\n`)).toEqual([
    '4:10 users.u: emailAddress, firstName, lastName, mobileNumber, password are missing; or, to adopt one that exists, give userId',
  ])
  await expect(loadText(`${HEAD}users: { u: { userId: a, roles: [] } }\n`)).resolves.toBeDefined()
})

test('a scope that is declared nowhere is missing at the entry', async () => {
  const head = 'version: 1\nname: a\n'
  expect(
    await refusedLines(`${head}maintenanceWindows:\n  w: { ${WINDOW} }\napiKeys: { k: { apiKeyId: a } }\n`),
  ).toEqual([
    '4:3 maintenanceWindows.w: projectId is missing: give it here or in defaults',
    '5:12 apiKeys.k: orgId is missing: give it here or in defaults',
  ])
})

test('an entry overrides what it inherits', async () => {
  const { declaration } = await loadText(
    `version: 1\nname: a\ndefaults: { orgId: o, projectId: p, protect: true, onRemove: forget }\nmaintenanceWindows:\n` +
      `  a: { ${WINDOW} }\n  b: { projectId: q, protect: false, onRemove: end, ignoreChanges: [description], ${WINDOW} }\n`,
  )
  expect(declaration.entries).toMatchObject([
    { values: { projectId: 'p' }, protect: true, onRemove: 'forget', ignoreChanges: [] },
    { values: { projectId: 'q' }, protect: false, onRemove: 'end', ignoreChanges: ['description'] },
  ])
  for (const { values } of declaration.entries)
    expect(Object.keys(values)).toEqual(['projectId', 'alertTypeNames', 'startDate', 'endDate'])
})

test('a way of removal that some kind lacks is no default', async () => {
  expect(await refusedLines('version: 1\nname: a\ndefaults: { onRemove: revoke }\n')).toEqual([
    '3:23 defaults.onRemove: "revoke" is not a way of removal that every kind has',
  ])
})

test('projectIds makes an entry of each, in place of the default', async () => {
  const { declaration } = await loadText(
    `${HEAD}maintenanceWindows:\n  w: { projectIds: [a, b], ${WINDOW} }\n`,
  )
  expect(declaration.entries.map(({ address, values }) => [address, values['projectId']])).toEqual([
    ['maintenanceWindows.w[a]', 'a'],
    ['maintenanceWindows.w[b]', 'b'],
  ])
  expect(declaration.entries[0]?.values).not.toHaveProperty('projectIds')
})

test.each([
  [
    `projectIds: [a], projectId: b`,
    '5:8 maintenanceWindows.w.projectIds: give either projectId or projectIds, not both',
  ],
  [`projectIds: []`, '5:20 maintenanceWindows.w.projectIds: the list has nothing in it; it needs at least 1'],
  [`projectIds: [a, a]`, '5:24 maintenanceWindows.w.projectIds[1]: "a" is listed twice; once is enough'],
  [
    `projectIds: 5c8100bcf2a30b12ff88258f`,
    '5:20 maintenanceWindows.w.projectIds: "5c8100bcf2a30b12ff88258f" stands where a list is expected → [5c8100bcf2a30b12ff88258f]',
  ],
  [`projectIds: [a/b]`, '5:21 maintenanceWindows.w.projectIds[0]: "a/b" cannot be an id'],
])('%s is an error', async (text, message) => {
  const [line, ...more] = await refusedLines(`${HEAD}maintenanceWindows:\n  w: { ${text}, ${WINDOW} }\n`)
  expect(more).toEqual([])
  expect(line?.slice(0, message.length)).toBe(message)
})

const windowAt = (index: number): string =>
  `  w${index}:\n    alertTypeNames: [HOST, AGENT]\n    startDate: 2026-12-05T02:00:00Z\n    endDate: 2026-12-05T04:00:00Z\n    description: \${projects.p.id} ${index}\n`

test('five thousand entries load in a moment, and as many errors too', async () => {
  const text = `${HEAD}projects: { p: { id: p } }\nmaintenanceWindows:\n${Array.from({ length: 5000 }, (_, index) => windowAt(index)).join('')}`
  const started = performance.now()
  expect((await loadText(text)).declaration.entries).toHaveLength(5000)
  const { findings } = await refusal(loadText(text.replaceAll('endDate: 2026-12-05T', 'endDat: 2026-13-05T')))
  expect(findings.length).toBeGreaterThanOrEqual(5000)
  // Generous, because machines differ; it only excludes a quadratic cost.
  expect(performance.now() - started).toBeLessThan(15_000)
})

test('a rule about one field is asked beside an error in another', async () => {
  const found = await refusedLines(
    `${HEAD}users:\n  dana: { username: d, emailAdress: d, firstName: d, lastName: d, mobileNumber: d, roles: [{ roleName: ORG_MEMBER, projectId: p }, { roleName: GROUP_OWNER }] }\n`,
  )
  expect(found.map((line) => line.replace(/^\d+:\d+ /, ''))).toEqual([
    'users.dana: password is missing; or, to adopt one that exists, give userId',
    'users.dana.emailAdress: there is no field "emailAdress" here → emailAddress',
    'users.dana.roles[0].projectId: ORG_MEMBER takes no projectId',
    'users.dana.roles[1]: GROUP_OWNER needs projectId',
  ])
})

test('a rule about the whole entry is not asked where a part of it is wrong', async () => {
  const found = await refusedLines(`${HEAD}integrations:\n  x: { tpye: PAGING }\n`)
  expect(found).toHaveLength(1)
})

test('a mistake in one field hides none that is about the entry as a whole', async () => {
  const entry = 'enabled: 3, alertConfigId: 5d1113b25a115342acc2d1aa, select: { eventTypeName: HOST_DOWN }'
  const told = await refusedLines(`${HEAD}alertConfigurations:\n  f: { ${entry} }\n`)
  expect(told.filter((line) => /alertConfigurations\.f(?:\.enabled)?: /.test(line))).toHaveLength(2)
  const misspelt = await refusedLines(`${HEAD}alertConfigurations:\n  f: { enabled: true, selct: {} }\n`)
  expect(misspelt).toHaveLength(1)
})

const below = (name: string, section: string): string =>
  `${name}: a manifest has no "${name}"; if it is an entry of ${section}, indent it`

describe('entries that are indented no further than their section', () => {
  test('are errors that name the section', async () => {
    expect(
      await refusedLines(
        `${HEAD}alertConfigurations:\nhost-down:\n  enabled: true\nbackup:\n  enabled: true\n`,
      ),
    ).toEqual([
      `5:1 ${below('host-down', 'alertConfigurations')}`,
      `7:1 ${below('backup', 'alertConfigurations')}`,
    ])
  })

  test('are no entries of a section that has some, or that is no mapping of entries', async () => {
    for (const above of ['apiKeys: {}\nusers: {}', 'state:', 'users:\nintegrations: {}'])
      expect((await refusedLines(`${HEAD}${above}\nhost-down:\n  enabled: true\n`)).join('\n')).not.toContain(
        'indent it',
      )
  })

  test('are told of their no-break spaces, which look like an indentation', async () => {
    expect(await refusedLines(`${HEAD}apiKeys:\n\u00A0\u00A0a:\n    desc: a\n`)).toEqual([
      '5:1 \u00A0\u00A0a: a manifest has no "\u00A0\u00A0a"; it begins with a no-break space: indent it with ordinary spaces',
    ])
  })

  test('are not meant where a name of a section is misspelt', async () => {
    expect(await refusedLines(`${HEAD}apiKeys:\nusrs: {}\n`)).toEqual([
      '5:1 usrs: a manifest has no "usrs" → users',
    ])
  })
})

describe('fields that are indented no further than the name of their entry', () => {
  const HOST_DOWN = 'select: { eventTypeName: HOST_DOWN }'

  test('are one error, and not one each', async () => {
    expect(
      await refusedLines(`${HEAD}alertConfigurations:\n  a:\n  ${HOST_DOWN}\n  enabled: true\n`),
    ).toEqual(['6:3 alertConfigurations.a: select and enabled belong below "a": indent them'])
  })

  test('are one error for each entry, and what is wrong in one of them is told', async () => {
    const found = await refusedLines(
      `${HEAD}alertConfigurations:\n  a:\n  ${HOST_DOWN}\n  enabled: 3\n  b:\n  ${HOST_DOWN}\n  enabeld: true\n` +
        `  c: { ${HOST_DOWN}, enabled: true, projectIds: 7 }\n`,
    )
    expect(found.map((line) => line.replace(/^\d+:\d+ alertConfigurations\./, ''))).toEqual([
      'a: select and enabled belong below "a": indent them',
      'a.enabled: 3 is not true or false',
      'b: select and enabeld belong below "b": indent them',
      'b.enabeld: there is no field "enabeld" here → enabled',
      expect.stringMatching(/^c.projectIds: /),
    ])
  })

  test('are those of a project as well, and one may stand twice', async () => {
    expect(
      await refusedLines(
        'version: 1\nname: acme\nprojects:\n  payments:\n  id: 5c8100bcf2a30b12ff88258f\n  id: 5c8100bcf2a30b12ff88258f\n',
      ),
    ).toEqual([
      '5:3 projects.payments: id belongs below "payments": indent it',
      '6:3 projects.payments.id: this key is used twice in one mapping; keep one of them',
    ])
  })

  test('are entries where they hold what entries do', async () => {
    expect(
      await refusedLines(`${HEAD}alertConfigurations:\n  a:\n  enabled: { ${HOST_DOWN}, enabled: true }\n`),
    ).toEqual(['5:4 alertConfigurations.a: nothing stands where a mapping is expected'])
  })

  test('are left as they are in braces, in which nothing is indented', async () => {
    expect(await refusedLines(`${HEAD}alertConfigurations: { a: , enabled: true }\n`)).toEqual([
      expect.stringMatching(/alertConfigurations\.a: nothing stands where a mapping is expected$/),
      expect.stringMatching(/alertConfigurations\.enabled: true stands where a mapping is expected$/),
    ])
  })
})

describe('all mistakes are told at once:', () => {
  const ORG = 'orgId: 5980cfdf0b6d97029d82f86e'
  test.each([
    [
      'of several elements, of which one is wrong in itself',
      `users:\n  u: { userId: 5c47503320eef5699e1cce8f, rolesComplete: true, roles: [{ roleName: ORG_OWNRE, ${ORG} }, { roleName: GROUP_READ_ONLY }, { roleName: GROUP_OWNER }] }\n`,
      ['roles[0].roleName', 'roles[1]', 'roles[2]'],
    ],
    [
      'of matchers, two of them alike, beside what makes the entry no sensible one',
      `alertConfigurations:\n  u: { enabled: true, alertConfigId: 5d1113b25a115342acc2d1aa, select: { matchers: [{}, { fieldNam: x }, {}] } }\n`,
      ['', 'select.matchers[0]', 'select.matchers[1].fieldNam', 'select.matchers[2]', 'select.matchers[2]'],
    ],
    [
      'of an entry whose projects are no list',
      `alertConfigurations:\n  u: { enabled: true, projectIds: 5c8100bcf2a30b12ff88258f, alertConfigId: 5d1113b25a115342acc2d1aa, select: {} }\n`,
      ['', 'projectIds', 'select'],
    ],
    [
      'of an entry with a reference that leads nowhere',
      'maintenanceWindows:\n  u: { description: "${var.nope}", alertTypeNames: [HOST], startDate: 2026-12-06T00:00:00Z, endDate: 2026-12-05T00:00:00Z }\n',
      ['description', 'endDate'],
    ],
    [
      'of a schedule beside instants, one of them wrong',
      'maintenanceWindows:\n  u: { startDate: soon, alertTypeNames: [HOST], schedule: { rrule: "FREQ=WEEKLY", timezone: Europe/Madird, duration: PT2H } }\n',
      ['startDate', 'schedule.rrule', 'schedule.timezone', 'startDate'],
    ],
    [
      'of two entries for one thing, one of which has another mistake',
      'integrations:\n  t: { type: PAGING }\n  u: { type: PAGING, onRemove: gone }\n',
      ['onRemove', 'type'],
    ],
  ])('%s', async (_, text, expected) => {
    const told = await refusedLines(HEAD + text)
    const paths = told.map(
      (line) => /^\d+:\d+ \w+\.u(?:\.(?<path>[^:]+))?:/.exec(line)?.groups?.['path'] ?? '',
    )
    expect(paths.toSorted()).toEqual(expected.toSorted())
  })

  test('what two lists of one project do not agree about', async () => {
    const told = await refusedLines(
      `${HEAD}integrations:\n  a: { only: [PAGING, WEBHOOK] }\n  b: { only: [PAGING, CHAT_A, CHAT_B] }\n`,
    )
    expect(told.map((line) => /: (\w+) is allowed/.exec(line)?.[1])).toEqual(['WEBHOOK', 'CHAT_A', 'CHAT_B'])
  })

  test('at its own place, also behind what a set lists twice', async () => {
    const told = await refusedLines(
      `${HEAD}users:\n  u: { userId: 5c47503320eef5699e1cce8f, rolesComplete: true, roles: [{ roleName: GLOBAL_OWNER }, { roleName: GLOBAL_OWNER }, { roleName: GROUP_OWNER }] }\n`,
    )
    expect(told.filter((line) => line.includes('needs'))).toEqual([
      expect.stringContaining('users.u.roles[2]: GROUP_OWNER needs projectId'),
    ])
  })
})
