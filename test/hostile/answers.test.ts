import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { fixtureWith, manifestWith, ORG, PASSWORD, PROJECT } from '../support/installation.ts'
import { one, windowsAt } from '../support/one-window.ts'
import { OBEYED, UNSEEN } from '../support/obeyed.ts'
import { begin, beginApplied, only, type Scene } from '../support/scene.ts'
import type { Passed, Steer } from '../support/proxy.ts'

let here: Scene

/** An installation whose answers can be rewritten on their way. */
const scene = async (manifest: string, fixture: object = fixtureWith()): Promise<void> => {
  here = await begin({ fixture, manifest, proxied: true })
}
const applied = async (manifest: string): Promise<void> => {
  here = await beginApplied(manifest, { proxied: true })
}

const edited = (answer: Passed, edit: (body: any) => unknown): Passed => ({
  ...answer,
  body: JSON.stringify(edit(JSON.parse(answer.body.toString()))),
})
/** Rewrites successful answers to requests with a matching path. */
const rewriting =
  (path: RegExp, edit: (body: any) => unknown): Steer =>
  async (passing, forward) => {
    const answer = await forward()
    return path.test(passing.path) && answer.status < 300 ? edited(answer, edit) : answer
  }
const firstItem =
  (edit: (item: any) => unknown) =>
  (body: any): unknown => ({
    ...body,
    results: body.results.map((item: any, i: number) => (i === 0 ? edit(item) : item)),
  })
const everyItem =
  (edit: (item: any) => unknown) =>
  (body: any): unknown => ({ ...body, results: body.results.map(edit) })

/** Expects plan, drift and apply to refuse; returns the error codes. */
const refusals = async (drift = ['drift']): Promise<string[]> => {
  const codes: string[] = []
  for (const words of [['plan'], drift, ['apply', '--auto-approve']]) {
    const { code, stdout, stderr } = await here.run(...words)
    expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: '' })
    expect(stderr).toMatch(/^ {2}GET http:\S+ → 200$/m)
    codes.push(...(stderr.match(/(?<=^Error )DM-[A-Z-]+/gm) ?? []))
  }
  return codes
}
const MALFORMED = Array.from({ length: 3 }, () => 'DM-MALFORMED-ANSWER')

const ODD: [string, (item: any) => unknown][] = [
  ['null', () => null],
  ['text', () => 'text'],
  ['a number', () => 7],
  ['a list', () => []],
  ['an object with nothing in it', () => ({})],
]

const NOBODY = { publicKey: undefined, username: undefined, userId: undefined, apiKeyId: undefined }
const NAMELESS: [string, (event: any) => object][] = [
  ['nobody', (event) => ({ ...event, ...NOBODY })],
  ['only the id of a key', (event) => ({ ...event, ...NOBODY, apiKeyId: event.apiKeyId })],
]

describe('events that name no key and no user', () => {
  it.each(NAMELESS)('can be of our own writes: events that name %s', async (_, edit) => {
    await scene(manifestWith())
    here.proxy.steer(rewriting(/\/events/, everyItem(edit)))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it.each(NAMELESS)('tell of a change of somebody else after ours: events that name %s', async (_, edit) => {
    await scene(one())
    here.proxy.steer(rewriting(/\/events/, everyItem(edit)))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.control('POST', 'clock', { advance: 'PT1H' })
    const [{ id }] = await windowsAt(here)
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
    const { code, stdout } = await here.run('drift', '--format', 'json')
    expect(code).toBe(2)
    expect(JSON.parse(stdout).resources).toMatchObject([
      { verdict: 'drifted', evidence: { level: 'suspect' } },
    ])
  })
})

it.each(['MAINTENANCE_WINDOW_CHANGED_AUDIT', 'MAINTENANCE_WINDOW_DELETED_AUDIT'])(
  'an event %s that names nobody is not our own where the service names the key',
  async (eventTypeName) => {
    await scene(one())
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const [{ id }] = await windowsAt(here)
    const { lastWrite } = (await here.state()).resources['maintenanceWindows.migration']
    const event = { id: '6b0000000000000000000009', eventTypeName, created: lastWrite.to }
    const more = { ...event, maintenanceWindowId: id, orgId: ORG, groupId: PROJECT }
    here.proxy.steer(
      rewriting(/\/events/, (body) => ({
        ...body,
        results: [more, ...body.results],
        totalCount: body.totalCount + 1,
      })),
    )
    expect(await here.run('drift')).toMatchObject({ code: 2 })
  },
)

describe('an item of a list that is not what it should be', () => {
  it.each(ODD)('makes an error of a plan: an event that is %s', async (_, odd) => {
    await applied(manifestWith())
    here.proxy.steer(rewriting(/\/events/, firstItem(odd)))
    expect(await refusals()).toEqual(MALFORMED)
  })

  it.each([
    ['no time', (event: any) => ({ ...event, created: undefined })],
    ['a time that is none', (event: any) => ({ ...event, created: 'yesterday' })],
    ['no id', (event: any) => ({ ...event, id: 5 })],
  ])('makes an error of a plan: an event with %s', async (_, odd) => {
    await applied(manifestWith())
    here.proxy.steer(rewriting(/\/events/, firstItem(odd)))
    expect(await refusals()).toEqual(MALFORMED)
  })

  it.each(ODD)('makes an error of a plan: an alert configuration that is %s', async (_, odd) => {
    await scene(manifestWith())
    here.proxy.steer(rewriting(/\/alertConfigs/, firstItem(odd)))
    expect(await refusals()).toEqual(MALFORMED)
  })

  it.each(ODD)('makes an error of a plan: an integration that is %s', async (_, odd) => {
    await scene(manifestWith())
    here.proxy.steer(rewriting(/\/integrations/, firstItem(odd)))
    expect(await refusals()).toEqual(MALFORMED)
  })

  it.each(ODD)('makes an error of a plan: an entry of an access list that is %s', async (_, odd) => {
    await scene(manifestWith())
    here.proxy.steer(rewriting(/\/accessList/, firstItem(odd)))
    expect(await refusals()).toEqual(MALFORMED)
  })

  it('does not hinder a selector that looks at its matchers', async () => {
    await scene(
      only(
        'alertConfigurations',
        '  primary: { select: { matchers: [{ fieldName: TYPE_NAME, operator: EQUALS, value: PRIMARY }] }, enabled: true, allowEmpty: true }',
      ),
    )
    here.proxy.steer(
      rewriting(
        /\/alertConfigs/,
        firstItem((item) => ({ ...item, matchers: [null, 'x', {}], metricThreshold: null })),
      ),
    )
    expect(await here.run('plan')).toMatchObject({ code: 0 })
  })

  it('does not hinder adopt or drift where what a configuration lacks is written as null', async () => {
    await applied(only('apiKeys', '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting }'))
    const nothing = { threshold: null, matchers: null, notifications: null }
    const lacking = [null, { metricName: null }]
    here.proxy.steer(
      rewriting(/\/alertConfigs/, (body) => ({
        ...body,
        results: body.results.map((item: any, i: number) => ({
          ...item,
          ...nothing,
          metricThreshold: lacking[i],
        })),
      })),
    )
    const drift = await here.run('drift')
    expect(drift).toMatchObject({ code: 0, stdout: expect.stringMatching(/ alerts on REPLICA_SET\n/) })
    const adopt = await here.run('adopt', '--output', '-')
    expect(adopt).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('# HOST_DOWN; off; notifies nobody\n'),
    })
  })
})

const MEMBER = '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting, roles: [ORG_MEMBER] }'
const placing = (place: unknown): Steer =>
  rewriting(/\/apiKeys\/\w+$/, (body) => ({
    ...body,
    roles: body.roles.map((role: object) => ({ ...role, orgId: place })),
  }))

test.each([null, '', undefined])(
  'an organization role of a key that is answered with %j for its organization is of the one that was asked',
  async (none) => {
    await scene(only('apiKeys', MEMBER))
    here.proxy.steer(placing(none))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await here.json('plan')).document).toMatchObject({
      inSync: true,
      changes: [{ action: 'unchanged' }],
    })
  },
)

test('a role of a key whose organization is no text is no role elsewhere, but a malformed answer', async () => {
  await scene(only('apiKeys', MEMBER))
  here.proxy.steer(placing(true))
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('roles[0].orgId') })
})

test.each([null, ''])('an event that writes %j for who did not act still names who acted', async (none) => {
  await applied(only('apiKeys', '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting }'))
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/5c47503320eef5699e1cce8f`, { desc: 'Mine' })
  const nobody = { userId: none, username: none, targetUsername: none, maintenanceWindowId: none }
  here.proxy.steer(
    rewriting(/\/events/, (body) => ({
      ...body,
      results: body.results.map((event: object) => ({ ...nobody, ...event })),
    })),
  )
  expect((await here.run('drift')).stdout).toContain('by key "oncall" from 127.0.0.1')
})

test('an answer about another thing is refused, and is not taken for the one that was asked for', async () => {
  await scene(
    only('alertConfigurations', '  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false }'),
  )
  here.proxy.steer(rewriting(/\/alertConfigs\//, (body) => ({ ...body, id: '5d1113b25a115342acc2d0f3' })))
  // While drift also looks for unmanaged things, it reads only lists.
  expect(await refusals(['drift', '--unmanaged', 'off'])).toEqual(MALFORMED)
})

const SECOND = `  other: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`
const OTHER_ID = '6b02c4ff3d355a858ebc70f2'
const OTHER_PLACE = '5c8100bcf2a30b12ff882599'
const ERROR_DOCUMENT = (): unknown => ({ error: 404, errorCode: 'RESOURCE_NOT_FOUND', reason: 'Not Found' })
/** Rewrites only successful answers to writes of this method. */
const answering =
  (method: string, edit: (body: any) => unknown): Steer =>
  async (passing, forward) => {
    const answer = await forward()
    return passing.method === method && passing.write > 0 && answer.status < 300
      ? edited(answer, edit)
      : answer
  }
const WINDOW = (description: string): string =>
  only(
    'maintenanceWindows',
    `  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ${description} }`,
  )
const KEY = only('apiKeys', '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting }')
const CONFIG = only(
  'alertConfigurations',
  '  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false }',
)

const appliedUnknown = async (): Promise<void> => {
  const { code, document, stderr } = await here.json('apply', '--auto-approve')
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
  const where = expect.stringMatching(/^(POST|PATCH) http:\S+ → 20[01]$/)
  expect(document.problems).toMatchObject([
    { status: 'unknown', error: { code: 'DM-MALFORMED-ANSWER', where } },
  ])
  const listed = await here.json('state', 'list')
  expect(listed.document.map(({ status }: any) => status)).toContain('unknown')
}

describe('an answer to a write that is not about the thing', () => {
  it.each([
    ['is an error', ERROR_DOCUMENT],
    ['names another place', (body: any) => ({ ...body, groupId: OTHER_PLACE })],
    ['has an empty id', (body: any) => ({ ...body, id: '' })],
    ['has half of a character for its id', (body: any) => ({ ...body, id: '\ud800' })],
    ['has a path for its id', (body: any) => ({ ...body, id: '../users' })],
  ])('leaves the outcome of a creation unknown where it %s, and events settle it', async (_, edit) => {
    await scene(WINDOW('first'))
    here.proxy.steer(answering('POST', edit))
    await appliedUnknown()
    here.proxy.steer((_passing, forward) => forward())
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await windowsAt(here)).toHaveLength(1)
  })

  const changes: [string, string, string | undefined][] = [
    ['a window', WINDOW('second'), WINDOW('first')],
    ['an API key', KEY, undefined],
    ['an alert configuration', CONFIG, undefined],
  ]
  it.each(
    changes.flatMap(([what, manifest, before]) => [
      [what, 'is an error', manifest, before, ERROR_DOCUMENT] as const,
      [what, 'names another', manifest, before, (body: any) => ({ ...body, id: OTHER_ID })] as const,
    ]),
  )('leaves the outcome of a change of %s unknown where it %s, and it is sent again', async (...given) => {
    const [, , manifest, before, edit] = given
    if (before === undefined) await scene(manifest)
    else await applied(before)
    await here.manifest(manifest)
    here.proxy.steer(answering('PATCH', edit))
    await appliedUnknown()
    here.proxy.steer((_passing, forward) => forward())
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

test('an answer to a creation with the id of another record leaves its outcome unknown', async () => {
  await applied(WINDOW('first'))
  const { id } = (await here.state()).resources['maintenanceWindows.migration'].identity
  await here.manifest(`${WINDOW('first')}${SECOND}\n`)
  here.proxy.steer(answering('POST', (body) => ({ ...body, id })))
  expect((await here.json('apply', '--auto-approve')).code).toBe(3)
  here.proxy.steer((_passing, forward) => forward())
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect((await here.state()).resources['maintenanceWindows.other'].identity.id).not.toBe(id)
})

test('a creation that is answered with other values is done, and says which', async () => {
  await scene(WINDOW('first'))
  const other = {
    alertTypeNames: ['AGENT'],
    startDate: '2035-02-06T02:00:00Z',
    endDate: '2035-02-06T04:00:00Z',
  }
  here.proxy.steer(answering('POST', (body) => ({ ...body, ...other })))
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect(code).toBe(0)
  for (const name of Object.keys(other))
    expect(stderr).toContain(`the service accepted ${name}, but answers with another value`)
})

test('so is a change', async () => {
  await applied(WINDOW('first'))
  await here.manifest(WINDOW('second'))
  here.proxy.steer(answering('PATCH', (body) => ({ ...body, description: 'third' })))
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect(code).toBe(0)
  expect(stderr).toContain('the service accepted description, but answers with another value')
})

const ESCAPE = String.fromCodePoint(27)
/** A color, a cleared screen, a bell, a C1 control, a line break, and marks that reverse or hide text. */
const HOSTILE = `${ESCAPE}[31mred${ESCAPE}[2J\u0007\u009b1m\r\ninjected: yes\u202Egnp.exe\u2066\u200b\uFEFF\u061C\u200F\u2028\u{E0041}`

/** Runs a command in each format; expects no control characters in its output. */
const expectHarmless = async (words: readonly string[], formats: readonly string[]): Promise<string> => {
  const said: string[] = []
  for (const format of formats) {
    const { stdout, stderr } = await here.run(...words, '--format', format, '--no-color')
    expect(stdout + stderr).not.toMatch(format === 'json' ? OBEYED : UNSEEN)
    expect(stdout + stderr).not.toMatch(/^injected/m)
    said.push(stdout + stderr)
  }
  return said.join('\n')
}
/** Events of the other key, with a text as its key and address. */
const disguised =
  (text: string) =>
  (body: any): unknown => ({
    ...body,
    results: body.results.map((item: any) =>
      item.publicKey === 'oncall' ? { ...item, publicKey: text, remoteAddress: text } : item,
    ),
  })
const BOTH = ['text', 'json']

describe('text of the service that would drive a terminal', () => {
  it.each([['plan'], ['drift']])('is escaped in a %s that names who did what', async (command) => {
    await applied(manifestWith())
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`, { enabled: true })
    here.proxy.steer(rewriting(/\/events/, disguised(HOSTILE)))
    expect(await expectHarmless([command], ['text'])).toContain('injected')
    expect(await expectHarmless([command], ['json'])).toContain('injected')
  })

  it('is escaped in what a write answers, and in what the state then shows', async () => {
    await scene(
      only(
        'apiKeys',
        '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting, roles: [ORG_MEMBER] }',
      ),
    )
    here.proxy.steer(
      rewriting(/\/apiKeys\//, (body) => ({
        ...body,
        publicKey: HOSTILE,
        roles: [...body.roles, { roleName: HOSTILE, orgId: ORG }],
      })),
    )
    await expectHarmless(['apply', '--auto-approve'], ['text'])
    await expectHarmless(['plan', '--all'], BOTH)
    expect(await expectHarmless(['state', 'show', 'apiKeys.reporting'], BOTH)).toContain('injected')
    await expectHarmless(['state', 'list'], BOTH)
  })

  it('is escaped in an error', async () => {
    await scene(manifestWith())
    const complaint = JSON.stringify({
      error: 400,
      errorCode: HOSTILE,
      detail: HOSTILE,
      parameters: [HOSTILE],
    })
    here.proxy.steer(async (passing, forward) => {
      const answer = await forward()
      const meant = passing.path.includes('/integrations') && answer.status < 300
      return meant ? { ...answer, status: 400, body: complaint } : answer
    })
    expect(await expectHarmless(['plan'], BOTH)).toContain('DM-INVALID-REQUEST')
  })

  it('is escaped in the output of a data source', async () => {
    await scene(manifestWith())
    here.proxy.steer(
      rewriting(
        /\/alertConfigs/,
        firstItem((item) => ({ ...item, eventTypeName: HOSTILE })),
      ),
    )
    const words = ['get', 'alert_configurations', '--project-id', PROJECT]
    expect(await expectHarmless(words, BOTH)).toContain('injected')
  })
})

describe('text of the service that a pipeline would take for a command in its log', () => {
  const COMMANDS = ['##vso[task.prependpath]/tmp', '##[add-mask]x', '::set-output name=a::b', '::add-mask::x']

  it.each(COMMANDS)('is shown and not obeyed: %s', async (command) => {
    await applied(manifestWith())
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`, { enabled: true })
    const process = { name: command, hostname: command, plan: [], lastGoalVersionAchieved: 1 }
    const status = { goalVersion: 1, processes: [process] }
    here.proxy.steer(
      rewriting(/\/events|\/automationStatus/, (body) =>
        'processes' in body ? status : disguised(command)(body),
      ),
    )
    const get = ['get', 'automation_status', '--project-id', PROJECT]
    for (const words of [get, ['drift'], ['plan']])
      for (const format of BOTH) {
        const { stdout, stderr } = await here.run(...words, '--format', format)
        expect(stdout).toContain(command.slice(2))
        // GitHub looks for :: where a line begins, and for ##[ anywhere, as Azure does for ##vso[.
        expect(stdout + stderr).not.toMatch(/##\w*\[|^\s*::/m)
      }
    const { stdout } = await here.run(...get, '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ processes: [{ name: command, hostname: command }] })
  })

  it('is not obeyed at the beginning of one of its lines, whichever space is before it', async () => {
    const id = '5d1113b25a115342acc2d1bb'
    const lines = ['\u00A0', '\u1680', '\u2003', '\u202F', '\u205F', '\u3000'].map(
      (space) => `${space}::add-mask::x`,
    )
    const alert = {
      id,
      alertConfigId: '5d1113b25a115342acc2d1aa',
      status: 'OPEN',
      eventTypeName: 'HOST_DOWN',
      humanReadable: ['first', ...lines].join('\n'),
      acknowledgementComment: lines.join(` ${'next '.repeat(9)}`),
    }
    here = await begin({ fixture: fixtureWith({ alerts: [alert] }) })
    const { code, stdout } = await here.run('get', 'alert', '--project-id', PROJECT, '--alert-id', id)
    expect(code).toBe(0)
    expect(stdout.match(/:add-mask::x/g)).toHaveLength(2 * lines.length)
    expect(stdout).not.toMatch(/^\s*::/m)
  })
})

test('an answer that is nested too deep to walk through is refused', async () => {
  await scene(manifestWith())
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  here.proxy.steer(async (_, forward) => {
    const answer = await forward()
    return answer.status === 200
      ? { ...answer, body: answer.body.toString().replace('{', `{"more":${deep},`) }
      : answer
  })
  expect(await refusals()).toEqual(MALFORMED)
  const { code, stderr } = await here.run('get', 'integrations', '--project-id', PROJECT)
  expect([code, stderr]).toEqual([1, expect.stringContaining('Error DM-MALFORMED-ANSWER: ')])
})

test('a password that the service repeats in another field gets into no file and no report', async () => {
  await scene(manifestWith())
  here.proxy.steer(rewriting(/\/users/, (body) => ({ ...body, firstName: PASSWORD, links: [PASSWORD] })))
  const ran = await here.run('apply', '--auto-approve', '--format', 'json')
  const shown = [
    ran,
    await here.run('state', 'show', 'users.dana'),
    await here.run('plan', '--out', 'plan.bin'),
  ]
  expect(JSON.stringify(shown)).not.toContain(PASSWORD)
  for (const name of await readdir(here.folder))
    expect(await readFile(join(here.folder, name), 'utf8')).not.toContain(PASSWORD)
  expect((await here.state()).resources['users.dana']).toBeDefined()
})
