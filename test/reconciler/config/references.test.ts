import { expect, test } from 'vitest'
import { VariableError } from '../../../reconciler/errors/variable-error.ts'
import { HEAD, lines, loadFiles, loadText, refusal, refusedLines } from './support/manifests.ts'

const keyWith = (desc: string): string => `${HEAD}apiKeys:\n  k:\n    apiKeyId: a\n    desc: ${desc}\n`
const descOf = async (text: string, options = {}): Promise<unknown> =>
  (await loadText(text, options)).declaration.entries[0]?.values['desc']

test('expressions stand alone, within text, and several in one text', async () => {
  const more =
    'variables: { who: { default: Dana } }\nprojects: { p: { id: 059801234567890123456789, orgId: o } }\n'
  expect(await descOf(`${keyWith('${var.who}')}${more}`)).toBe('Dana')
  expect(await descOf(`${keyWith('for ${ var.who } of ${projects.p.id}/${projects.p.orgId}')}${more}`)).toBe(
    'for Dana of 059801234567890123456789/o',
  )
  expect(await descOf(`${keyWith('${apiKeys.k.apiKeyId} in ${apiKeys.k.orgId}')}${more}`)).toBe(
    'a in 5980cfdf0b6d97029d82f86e',
  )
})

test.each(['payments', '${var.p}', '${projects.payments.id}'])(
  'what refers to projectId: %s is given the id',
  async (projectId) => {
    const text =
      `${HEAD}projects: { payments: { id: p1, orgId: o1 } }\nvariables: { p: { default: payments } }\n` +
      `integrations:\n  a: { projectId: "${projectId}", type: PAGING }\napiKeys:\n  k: { apiKeyId: k, desc: "\${integrations.a.projectId}" }\n`
    const { declaration } = await loadText(text)
    const [integration, key] = declaration.entries.toSorted((a, b) => b.kind.localeCompare(a.kind))
    expect([integration?.values['projectId'], key?.values['desc']]).toEqual(['p1', 'p1'])
  },
)

test('a doubled dollar sign is the sign itself', async () => {
  expect(await descOf(keyWith('"$${var.x} costs $5 and $$"'))).toBe('${var.x} costs $5 and $$')
})

test('a whole expression keeps its type, and a list stays a list', async () => {
  const { declaration } = await loadText(
    `${HEAD}variables: { on: { default: false } }\napiKeys:\n  a: { apiKeyId: a, roles: [ORG_OWNER] }\n` +
      `  b: { apiKeyId: b, roles: "\${apiKeys.a.roles}" }\n` +
      `alertConfigurations:\n  c: { alertConfigId: c, enabled: "\${var.on}" }\n  d: { alertConfigId: d, enabled: "\${alertConfigurations.c.enabled}" }\n`,
  )
  expect(declaration.entries.map(({ values }) => values['roles'] ?? values['enabled'])).toEqual([
    ['ORG_OWNER'],
    ['ORG_OWNER'],
    false,
    false,
  ])
})

test('what is itself an expression stands within a text as its value, however many references lie between', async () => {
  const { declaration } = await loadText(
    `${HEAD}variables: { on: { default: false } }\n` +
      `alertConfigurations:\n  a: { alertConfigId: a, enabled: "\${var.on}" }\n  b: { alertConfigId: b, enabled: "\${alertConfigurations.a.enabled}" }\n` +
      `apiKeys:\n  k: { apiKeyId: k, desc: "a \${alertConfigurations.a.enabled}, b \${alertConfigurations.b.enabled}" }\n`,
  )
  expect(declaration.entries.find(({ address }) => address === 'apiKeys.k')?.values['desc']).toBe(
    'a false, b false',
  )
})

test('what an expression gives is checked like what is written', async () => {
  const more = 'variables: { r: { default: ORG_REDA_ONLY }, t: { default: true } }\n'
  expect(
    await refusedLines(`${HEAD}${more}apiKeys:\n  k: { apiKeyId: "\${var.t}", roles: ["\${var.r}"] }\n`),
  ).toEqual([
    '6:18 apiKeys.k.apiKeyId: true stands where an id is expected',
    '6:38 apiKeys.k.roles[0]: "ORG_REDA_ONLY" is not an organization role → ORG_READ_ONLY',
  ])
})

test('numbers keep the text they were typed in', async () => {
  expect(await descOf(`${keyWith('${var.n}')}variables: { n: { default: 007 } }\n`)).toBe('007')
})

test('a secret is neither suggested nor listed where a reference names no field', async () => {
  const { findings } = await refusal(
    loadText(`version: 1\nname: a\nusers:\n  u: { userId: "\${users.u.passwrd}", roles: [] }\n`),
  )
  expect(findings).toMatchObject([{ message: 'users have no field passwrd' }])
  expect(findings[0]?.allowed).toContain('username')
  expect(findings[0]?.allowed).not.toContain('password')
})

test.each([
  ['${var.contry}', 'there is no variable contry → country'],
  ['${projects.paymnts.id}', 'there is no project paymnts → payments'],
  ['${projects.payments.name}', 'a project has no name'],
  ['${projects.payments.orgId}', 'projects.payments declares no orgId'],
  ['${apiKey.k.desc}', 'there is no section apiKey → apiKeys'],
  ['${apiKeys.j.desc}', 'there is no entry in apiKeys with the name j → k'],
  ['${apiKeys.k.dsc}', 'apiKeys have no field dsc → desc'],
  ['${apiKeys.k.roles}', 'apiKeys.k declares no roles'],
  ['${maintenanceWindows.w.windowId}', 'maintenanceWindows.w declares no windowId → id'],
  ['${users.dana.password}', 'password is a secret, so nothing can refer to it'],
  ['${upper(var.country)}', '${upper(var.country)} is not an expression that a manifest supports'],
  ['${country}', '${country} is not an expression that a manifest supports'],
  ['${}', '${} is not an expression that a manifest supports'],
  ['${var.country', 'an expression begins with ${ here and has no }; write $${ for ${ itself'],
  ['a ${users.dana.roles}', '${users.dana.roles} is not text, so it cannot be part of a text'],
  ['${users.dana.roles}', '${users.dana.roles} is a list, which cannot stand here'],
])('%s is an error at its place', async (text, message) => {
  const more =
    'variables: { country: { default: Madrid } }\n' +
    `users: { dana: { username: d, emailAddress: d, firstName: d, lastName: d, mobileNumber: d, password: { env: X }, roles: [] } }\n` +
    'maintenanceWindows: { w: { projectId: p, alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z } }\n'
  // Without its own organization, a project may take that of the defaults; here there are none.
  const head = 'version: 1\nname: a\nprojects: { payments: { id: p } }\n'
  const found = await refusedLines(
    `${head}apiKeys:\n  k:\n    orgId: o\n    apiKeyId: a\n    desc: "${text}"\n${more}`,
  )
  expect(found).toEqual([`8:11 apiKeys.k.desc: ${message}`])
})

test('what is no expression is told with all that a manifest knows', async () => {
  const { findings } = await refusal(
    loadText(`${HEAD}apiKeys:\n  k: { apiKeyId: a, desc: "\${projects.p}" }\n`),
  )
  expect(findings.flatMap(({ allowed = [] }) => allowed)).toEqual([
    '${var.NAME}',
    '${var.MAP.KEY}',
    '${projects.NAME.id}',
    '${projects.NAME.orgId}',
    '${SECTION.NAME.FIELD}',
  ])
})

test('a circle is shown, and reported once', async () => {
  expect(
    await refusedLines(
      `${HEAD}apiKeys:\n  a: { apiKeyId: a, desc: "x \${apiKeys.b.desc}" }\n  b: { apiKeyId: b, desc: "\${apiKeys.a.desc}" }\n`,
    ),
  ).toEqual([
    '5:27 apiKeys.a.desc: these expressions refer to one another in a circle: ${apiKeys.b.desc} → ${apiKeys.a.desc} → ${apiKeys.b.desc}',
  ])
  expect(await refusedLines(`${HEAD}variables: { v: { default: "\${var.v}" } }\n`)).toEqual([
    '4:28 variables.v.default: these expressions refer to one another in a circle: ${var.v} → ${var.v}',
  ])
})

test('a chain without end and a text that doubles are refused', async () => {
  const chain = Array.from(
    { length: 1000 },
    (_, index) => `  v${index}: { default: "\${var.v${index + 1}}" }\n`,
  ).join('')
  expect((await refusedLines(`${HEAD}variables:\n${chain}  v1000: { default: x }\n`))[0]).toContain(
    'more than 200 deep',
  )
  const twice = Array.from(
    { length: 40 },
    (_, index) => `  v${index + 1}: { default: "\${var.v${index}}\${var.v${index}}" }\n`,
  ).join('')
  expect(await refusedLines(`${HEAD}variables:\n  v0: { default: xxxxxxxxxx }\n${twice}`)).toEqual([
    expect.stringContaining('longer than 100,000 characters'),
  ])
})

const RECORDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'apiKeys.other': { publicKey: 'abcd' },
  'maintenanceWindows.w[p]': { id: 'w1' },
}
const recorded = (address: string): Readonly<Record<string, unknown>> | undefined => RECORDS[address]

test('what is recorded can be referred to, with the key of an address behind the name', async () => {
  const more = `  other: { apiKeyId: b }\nmaintenanceWindows:\n  w: { projectIds: [p], alertTypeNames: [HOST], startDate: 2026-12-05T02:00:00Z, endDate: 2026-12-05T04:00:00Z }\n`
  const text = keyWith('${apiKeys.other.publicKey} ${maintenanceWindows.w[p].id}') + more
  expect(await descOf(text, { recordedIn: async () => recorded })).toBe('abcd w1')
  // Plain text waits for both.
  const { declaration } = await loadText(text)
  expect(declaration.entries.find(({ address }) => address === 'apiKeys.k')?.waiting).toEqual([
    { field: 'desc', for: 'apiKeys.other', needs: 'publicKey' },
    { field: 'desc', for: 'maintenanceWindows.w[p]', needs: 'id' },
  ])
})

test('what decides which things are planned cannot wait, wherever it stands', async () => {
  const user = `users: { dana: { username: d, emailAddress: d, firstName: d, lastName: d, mobileNumber: d, password: { env: X }, roles: [] } }\n`
  const message = 'users.dana is not recorded yet, so its userId is not known; apply users.dana first'
  expect(
    await refusedLines(
      `${HEAD}variables: { v: { default: "\${users.dana.userId}" } }\n${user}apiKeys:\n  k: { apiKeyId: "\${var.v}", desc: x }\n`,
    ),
  ).toEqual([`4:28 variables.v.default: ${message}`, `7:18 apiKeys.k.apiKeyId: ${message}`])
})

test('offline, what only a record can tell is left as it is', async () => {
  expect(await descOf(keyWith('${apiKeys.k.publicKey}'), { offline: true })).toBe('${apiKeys.k.publicKey}')
  expect(await refusedLines(keyWith('${apiKeys.k.nothing}'), { offline: true })).toHaveLength(1)
})

test('a variable takes its value from the command line, in the type of its default', async () => {
  const variables = 'variables: { s: {}, n: { default: 1 }, b: { default: true } }\n'
  const { variables: used } = await loadText(HEAD + variables, {
    vars: ['s=a=b', 'n=2.5', 'b=false', 's=last'],
  })
  expect(used).toEqual({ s: 'last', n: 2.5, b: false })
})

test('text from the command line becomes what the field is', async () => {
  const { declaration } = await loadText(
    `${HEAD}variables: { on: {} }\nalertConfigurations:\n  c: { alertConfigId: c, enabled: "\${var.on}" }\n`,
    { vars: ['on=true'] },
  )
  expect(declaration.entries[0]?.values['enabled']).toBe(true)
})

test('a variable without a value is an error at its place that names the flag', async () => {
  expect(await refusedLines(`${HEAD}variables:\n  country: { description: Where }\n`)).toEqual([
    '5:3 variables.country: this variable has no value; give it with --var country=VALUE, or a default',
  ])
})

test.each([
  ['country', 'a --var has no = in it', 'Write --var NAME=VALUE.'],
  ['=hunter2', 'a --var has no name before the =', 'Write --var NAME=VALUE.'],
  [
    'contry=hunter2',
    'the manifest has no variable "contry"',
    'Did you mean country? It declares country, n, b.',
  ],
  [
    'n=hunter2',
    'the variable n is a number, as its default is',
    'Write --var n=NUMBER, or quote the default if it is text.',
  ],
  ['b=hunter2', 'the variable b is true or false, as its default is', 'Write --var b=true or --var b=false.'],
])('--var %s is refused without its value', async (assignment, message, hint) => {
  const text = `${HEAD}variables: { country: { default: x }, n: { default: 1 }, b: { default: true } }\n`
  const error: unknown = await loadText(text, { vars: [assignment] }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(VariableError)
  expect(error).toMatchObject({ code: 'DM-VARIABLE', message, hint })
  expect((error as VariableError).describe()).not.toContain('hunter2')
})

const DECLARED = `${HEAD}variables: { country: {}, n: { default: 1 } }\n`
const VARS = ['country', 'contry=hunter2', 'n=hunter2', 'm=1']
const ALL_WRONG =
  'a --var has no = in it; the manifest has no variable "contry"; the variable n is a number, as its default is; the manifest has no variable "m"'

test('all that is wrong with what --var gives is said at once', async () => {
  const error: unknown = await loadText(DECLARED, { vars: VARS }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    code: 'DM-VARIABLE',
    message: ALL_WRONG,
    hint: expect.stringMatching(/^Write --var NAME=VALUE\. .*Did you mean country\?/) as string,
  })
  expect((error as VariableError).describe()).not.toContain('hunter2')
})

test('what is wrong with the manifest is said beside it, and nothing that a right --var would mend', async () => {
  const text = `${DECLARED}apiKeys:\n  k: { apiKeyId: "\${var.n}", desc: "\${var.country}", roles: [NONE] }\n`
  const error = await refusal(loadText(text, { vars: VARS }))
  expect(lines(error.findings)).toEqual([expect.stringContaining('k.roles[0]: "NONE" is not')])
  expect(error.message).toBe(`the manifest has 1 error; besides, ${ALL_WRONG}`)
  expect(error.describe()).toMatch(/Nothing was sent\.\n {2}Write --var NAME=VALUE\. /)
  expect(error.describe()).not.toContain('hunter2')
})

test.each([
  ['an entry', '', ' projectIds: [p, q],'],
  ['what takes them from defaults', 'defaults: { projectIds: [p, q] }', ''],
])('%s of several projects has no one projectId to refer to', async (_, defaults, several) => {
  const text =
    `${HEAD.replace(/defaults: .*/, defaults)}integrations:\n  a: {${several} type: PAGING }\n` +
    `  b: { projectId: "\${integrations.a.projectId}", type: WEBHOOK }\n`
  expect(await refusedLines(text)).toEqual([
    '6:19 integrations.b.projectId: integrations.a stands for several projects, so it has no single projectId',
  ])
})

test.each([
  ['w[p]', 'maintenanceWindows.w stands for one thing: leave out [p]'],
  ['w[2026-12-05T02:00:00Z]', 'maintenanceWindows.w stands for one thing: leave out [2026-12-05T02:00:00Z]'],
  [
    'many[q]',
    'there is no project q: maintenanceWindows.many stands for one thing in each of its projects → p',
  ],
])('an address that nothing can have is no reference: %s', async (address, message) => {
  const dates = 'alertTypeNames: [HOST], startDate: 2026-12-05T02:00:00Z, endDate: 2026-12-05T04:00:00Z'
  const windows = `maintenanceWindows:\n  w: { ${dates} }\n  many: { projectIds: all, ${dates} }\n`
  const project = 'projects: { p: { id: 059801234567890123456789 } }\n'
  for (const field of ['id', 'description'])
    expect(
      await refusedLines(`${keyWith(`"\${maintenanceWindows.${address}.${field}}"`)}${project}${windows}`),
    ).toEqual([`7:11 apiKeys.k.desc: ${message}`])
})

test.each([
  [
    'a window of a schedule',
    'maintenanceWindows.w[2026-12-05T02:00:00Z]',
    'maintenanceWindows: { w: { alertTypeNames: [HOST], description: told, schedule: { rrule: FREQ=WEEKLY;BYDAY=SA;BYHOUR=2, timezone: UTC, duration: PT2H } } }\n',
  ],
  [
    'what a selector means',
    'alertConfigurations.c[5d1113b25a115342acc2d0f3]',
    'alertConfigurations: { c: { select: { eventTypeName: HOST_DOWN }, enabled: true } }\n',
  ],
])('%s has a key that only the service or the clock tells', async (_, address, more) => {
  const field = address.startsWith('m') ? 'description' : 'enabled'
  expect(await descOf(`${keyWith(`"is \${${address}.${field}}"`)}${more}`)).toMatch(/^is (?:told|true)$/)
})

test('a name is not called missing where a file could not be read', async () => {
  const { findings } = await refusal(
    loadFiles({ 'a.yaml': 'version: 1\nname: ${var.elsewhere}\n', 'b.yaml': 'variables: [\n' }),
  )
  expect(findings.map(({ file }) => file)).toEqual(['b.yaml'])
})
