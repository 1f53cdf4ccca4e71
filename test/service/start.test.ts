import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { DatabaseSync } from 'node:sqlite'
import { ServiceStartError, type ServiceOptions, startService } from '@deploymgmt/service'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anyJson } from '../support/any-text.ts'
import { clientFor, http } from './support/client.ts'
import { newWindow } from './support/endpoints.ts'
import { fixture, ids, keys } from './support/fixture.ts'
import { serve } from './support/service.ts'
import { listen } from '../support/listen.ts'
import { holds } from '../support/soak.ts'

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'service-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

const failure = async (options: ServiceOptions): Promise<ServiceStartError> => {
  try {
    await (await startService(options)).close()
  } catch (error) {
    if (error instanceof ServiceStartError) return error
    throw error
  }
  throw new Error('It started.')
}

/** How a start with a fixture ends: `started`, the code of the error, or anything else that was thrown. */
const outcome = async (given: object | string): Promise<string> => {
  try {
    await (await startService({ fixture: given })).close()
    return 'started'
  } catch (error) {
    return error instanceof ServiceStartError ? error.code : String(error)
  }
}

const written = (name: string, text: string): string => {
  const path = join(folder(), name)
  writeFileSync(path, text)
  return path
}

/** The places of the findings in a message, each up to its first colon. */
const placesOf = (message: string, file: string): string[] =>
  message
    .split('\n')
    .filter((line) => line.startsWith(`  ${file}:`))
    .map((line) => line.slice(file.length + 3).replace(/^(\d+:\d+) {2}([^:]*):.*$/, '$1 $2'))

describe('fixtures', () => {
  test('a YAML file is read, with settings that YAML takes for booleans', async () => {
    const file = written(
      'fixture.yaml',
      `settings: { service.email.validation: false, open.digest: op }
organizations:
  - id: ${ids.org}
    apiKeys: [{ publicKey: ciadmin, privateKey: ${keys.ci.privateKey} }]
projects:
  - { id: ${ids.project}, name: payments }
`,
    )
    const { call, control } = await serve({ fixture: file })
    expect((await call('GET', `/groups/${ids.project}/alerts`)).status).toBe(200)
    expect((await control('GET', '/dump')).body.settings).toEqual({
      'service.email.validation': 'false',
      'open.digest': 'op',
    })
  })

  test('without a fixture there is one organization, one project and one key', async () => {
    const service = await startService()
    onTestFinished(() => service.close())
    const call = clientFor(service.baseUrl, { publicKey: 'public', privateKey: 'private' })
    expect((await call('GET', `/groups/${ids.project}/alertConfigs`)).body.totalCount).toBe(0)
    expect(service.controlUrl).toBeUndefined()
  })

  test.each([
    [{ organisations: [] }, 'organisations', 'did you mean organizations?'],
    [{ nonsense: [] }, 'nonsense', 'unknown field; known fields are settings, organizations,'],
    [{ organizations: [{ id: 7 }] }, 'organizations[0].id', 'YAML reads it as a number: quote it'],
    [{ organizations: [{ id: 'x' }] }, 'organizations[0].id', 'not an id of 24 hex digits'],
    [{ organizations: [{ id: ids.org }, { id: ids.org }] }, 'organizations[1].id', 'another organization'],
    [
      { organizations: [{ apiKeys: [{ secret: 'x' }] }] },
      'organizations[0].apiKeys[0].secret',
      'unknown field',
    ],
    [
      { organizations: [{ apiKeys: [keys.ci, keys.ci] }] },
      'organizations[0].apiKeys[1].publicKey',
      'another key',
    ],
    [
      { organizations: [{ apiKeys: [{ ...keys.ci, publicKey: 'ci:admin' }] }] },
      'organizations[0].apiKeys[0].publicKey',
      'a public key cannot contain a colon: HTTP Digest ends the user name there',
    ],
    [
      { users: [{ apiKeys: [{ ...keys.ci, publicKey: ':' }] }] },
      'users[0].apiKeys[0].publicKey',
      'a public key cannot contain a colon',
    ],
    [
      { organizations: [{ apiKeys: [{ roles: [{ roleName: 'ORG_OWNER' }] }] }] },
      'organizations[0].apiKeys[0].roles[0]',
      'ORG_OWNER needs an orgId',
    ],
    [
      { users: [{ roles: [{ roleName: 'ORG_OWNER', orgId: 'acme' }] }] },
      'users[0].roles[0].orgId',
      'not an id of 24 hex digits',
    ],
    [
      { users: [{ invitations: [{ roleName: 'GROUP_OWNER', groupId: 'payments' }] }] },
      'users[0].invitations[0].groupId',
      'not an id of 24 hex digits',
    ],
    [{ users: [{ accessList: [{ ipAddress: 7 }] }] }, 'users[0].accessList[0].ipAddress', 'a string or null'],
    [{ projects: [{ orgId: ids.org }] }, 'projects[0].orgId', 'no such organization'],
    [
      { organizations: [{ id: ids.org, events: [{ eventTypeName: 'X', orgId: ids.otherOrg }] }] },
      'organizations[0].events[0].orgId',
      `the event is in ${ids.org}`,
    ],
    [
      {
        organizations: [{ id: ids.org }],
        projects: [{ id: ids.project, events: [{ eventTypeName: 'X', groupId: ids.otherProject }] }],
      },
      'projects[0].events[0].groupId',
      `the event is in ${ids.project}`,
    ],
    [{ ...fixture, users: [{ username: 'a' }, { username: 'A' }] }, 'users[1].username', 'another user'],
    [
      { organizations: [{ id: ids.org }], projects: [{ alerts: [{ status: 'SHUT' }] }] },
      'projects[0].alerts[0].status',
      'not one of TRACKING, OPEN, CLOSED, CANCELLED',
    ],
    [
      { organizations: [{ id: ids.org }], projects: [{ agents: [{}] }] },
      'projects[0].agents[0].typeName',
      'missing',
    ],
    [
      { organizations: [{ id: ids.org }], projects: [{ maintenanceWindows: [{ startDate: 'soon' }] }] },
      'projects[0].maintenanceWindows[0].startDate',
      'not a date and a time of day',
    ],
    [
      {
        organizations: [{ id: ids.org }],
        projects: [{ alertConfigs: [{ notifications: [{ typeName: 'EMAIL', to: 'x' }] }] }],
      },
      'projects[0].alertConfigs[0].notifications[0].to',
      'unknown field',
    ],
  ])('a fixture that is not right is refused with the path into it: %#', async (bad, path, says) => {
    const error = await failure({ fixture: bad })
    expect(error.code).toBe('DM-SERVE-FIXTURE')
    expect(error.message).toContain(`\n  ${path}: `)
    expect(error.message).toContain(says)
  })

  test.each([
    ['cidrBlock', '300.0.0.0/24'],
    ['cidrBlock', '10.0.0.0/33'],
    ['cidrBlock', '10.0.0.0/'],
    ['cidrBlock', 'office'],
    ['ipAddress', '300.0.0.1'],
  ])('the %s %s of an access list is refused', async (name, value) => {
    const { message } = await failure({ fixture: { users: [{ accessList: [{ [name]: value }] }] } })
    expect(message).toContain(`\n  users[0].accessList[0].${name}: not a`)
  })

  test('random fixtures start a service or are refused, and nothing else', async () => {
    const scalar = fc.oneof(fc.constantFrom(ids.org, ids.project, 'PAGING', 'BACKUP', 'ORG_OWNER'), anyJson())
    const names =
      'id orgId name roles roleName accessList cidrBlock ipAddress events created alertConfigs alerts'
    const more =
      'hosts disks agents typeName integrations type maintenanceWindows startDate automationStatus processes'
    const name = fc.constantFrom(...`${names} ${more}`.split(' '))
    const { item } = fc.letrec((tie) => ({
      item: fc.dictionary(
        name,
        fc.oneof({ maxDepth: 4 }, scalar, tie('item'), fc.array(tie('item'), { maxLength: 2 })),
      ),
    }))
    const list = fc.array(item, { maxLength: 3 })
    const random = fc.record(
      { organizations: list, projects: list, users: list, globalAlerts: list },
      { requiredKeys: [] },
    )
    await holds(60, [random], async (given) => {
      expect(await outcome(given)).toMatch(/^(started|DM-SERVE-FIXTURE)$/)
    })
  })

  test('a file that is not there, or not YAML, is named with the place', async () => {
    expect((await failure({ fixture: '/nowhere/fixture.yaml' })).code).toBe('DM-SERVE-FIXTURE-FILE')
    const yaml = await failure({ fixture: written('fixture.yaml', 'organizations:\n  - a: b: c\n') })
    expect([yaml.code, yaml.message]).toEqual([
      'DM-SERVE-FIXTURE',
      expect.stringMatching(/fixture\.yaml:2:\d+ {2}\w/),
    ])
    const json = await failure({ fixture: written('fixture.json', '{"privateKey":"secret",}') })
    expect(json.message).toMatch(/fixture\.json:1:23 {2}not valid JSON: remove this comma$/)
    expect(json.message).not.toContain('secret')
    const torn = await failure({ fixture: written('torn.json', '{"a":\n["secret') })
    expect(torn.message).toMatch(/torn\.json:2:\d+ {2}not valid JSON$/)
    expect(torn.message).not.toContain('secret')
  })

  test.each([
    ['fixture.json', '{"users": [],\n "projects": [{"name": "a, \\"b\\": {"}],\n "users": []}', '3:2'],
    ['again.json', '{"users": [{"id": 1, "\\u0069d": 2}]}', '1:22'],
    ['fixture.yaml', 'users: []\nusers: []\n', '2:1'],
  ])('%s may not give a key twice, of which one would be dropped', async (name, text, place) => {
    const { code, message } = await failure({ fixture: written(name, text) })
    expect([code, message]).toEqual(['DM-SERVE-FIXTURE', expect.stringContaining(`${name}:${place}  `)])
  })

  test('a key of JSON may be that of another object, and a value that of a key', async () => {
    const name = { name: 'name', id: ids.org }
    const text = JSON.stringify({
      organizations: [name],
      projects: [{ ...name, id: ids.project, orgId: ids.org }],
    })
    expect(await outcome(written('alike.json', text))).toBe('started')
  })

  test.each(['fixture.json', 'fixture.yaml'])('%s may begin with a byte order mark', async (name) => {
    expect(await outcome(written(name, '\uFEFF{"organizations":[{"name":"Acme"}]}\r\n'))).toBe('started')
    const { message } = await failure({ fixture: written(name, '\uFEFF{"organizations":7}') })
    expect(message).toContain(`${name}:1:18  organizations: `)
  })

  test('everything that is not right is told at once, with its place in the file', async () => {
    const file = written(
      'fixture.yaml',
      `settings: { open.digset: op }
organizations:
  - id: 7
    apiKeys: [{ secret: hunter2, other: hunter2 }]
projects:
  - alerts:
      - status: SHUT
    agents: [{}]
users: 5
`,
    )
    const { code, message } = await failure({ fixture: file, settings: { 'open.x': '1' } })
    expect(code).toBe('DM-SERVE-FIXTURE')
    expect(placesOf(message, file)).toEqual([
      '1:13 Unknown setting "open.digset"',
      '3:9 organizations[0].id',
      '4:17 organizations[0].apiKeys[0].secret',
      '4:34 organizations[0].apiKeys[0].other',
      '7:17 projects[0].alerts[0].status',
      '8:14 projects[0].agents[0].typeName',
      '9:8 users',
    ])
    expect(message).toContain('\n  Unknown setting "open.x"')
    expect(message).not.toContain('hunter2')
  })

  test('what only loading finds is told at once too, also in JSON and behind an alias', async () => {
    const yaml = written(
      'fixture.yaml',
      `organizations:
  - { id: "x", apiKeys: [{ roles: [{ roleName: ORG_OWNER }] }] }
projects:
  - orgId: nope
    maintenanceWindows: [{ startDate: soon, endDate: "later" }]
    integrations: [{ type: PAGING }, { type: PAGING }]
users:
  - &a { username: a, id: zz }
  - *a
`,
    )
    expect(placesOf((await failure({ fixture: yaml })).message, yaml)).toEqual([
      '2:11 organizations[0].id',
      '2:36 organizations[0].apiKeys[0].roles[0]',
      '4:12 projects[0].orgId',
      '5:39 projects[0].maintenanceWindows[0].startDate',
      '5:54 projects[0].maintenanceWindows[0].endDate',
      '6:46 projects[0].integrations[1].type',
      '8:27 users[0].id',
      '9:6 users[1].id',
      '9:6 users[1].username',
    ])
    const json = written(
      'fixture.json',
      '{\n\t"organizations": [\n\t\t{ "id": "x" },\n\t\t{ "id": "y" }\n\t]\n}',
    )
    expect(placesOf((await failure({ fixture: json })).message, json)).toEqual([
      '3:11 organizations[0].id',
      '4:11 organizations[1].id',
    ])
  })

  test('settings that are not right are told with their place where nothing else is wrong', async () => {
    const file = written('fixture.yaml', 'settings:\n  open.digest: ob\n  open.events: al\n')
    const { code, message } = await failure({ fixture: file })
    expect(code).toBe('DM-SERVE-SETTING')
    expect(placesOf(message, file)).toEqual([
      '2:16 Setting open.digest cannot be "ob"',
      '3:16 Setting open.events cannot be "al"',
    ])
  })

  test('an unquoted id that YAML reads as a number is refused', async () => {
    const file = written('fixture.yaml', 'organizations:\n  - { id: 598012345678901234567890 }\n')
    expect((await failure({ fixture: file })).message).toContain('quote it')
  })
})

describe('settings', () => {
  test.each([
    [{ 'open.digset': 'op' }, 'did you mean open.digest?'],
    [{ 'open.digest': 'ob' }, 'did you mean op?'],
    [{ 'service.email.validation': 'lose' }, 'did you mean loose?'],
    [{ 'open.eventDelay': '5 minutes' }, 'allowed are PT0S, DURATION'],
    [{ 'open.rateLimit': '0' }, 'allowed are none, NUMBER'],
    [{ 'open.digest': 'everything' }, 'allowed are both, op, qop'],
    [{ verbosity: 'high' }, 'Unknown setting "verbosity". The settings are listed in'],
  ])('%j is refused with the nearest', async (settings: Record<string, string>, says) => {
    for (const options of [{ settings }, { fixture: { settings } }]) {
      const error = await failure(options)
      expect(error.code).toBe('DM-SERVE-SETTING')
      expect(error.message).toContain(says)
      expect(error.message.includes('did you mean')).toBe(says.startsWith('did you mean'))
    }
  })

  test('the given settings come before those of the fixture', async () => {
    const settings = { 'open.windowCreateStatus': '201' }
    const { call } = await serve({
      fixture: { ...fixture, settings },
      settings: { 'open.windowCreateStatus': '200' },
    })
    expect((await call('POST', `/groups/${ids.project}/maintenanceWindows`, newWindow)).status).toBe(200)
  })

  test('open.rateLimit answers 429 with Retry-After until the minute is over', async () => {
    const { call, control } = await serve({ settings: { 'open.rateLimit': '2' } })
    await control('POST', '/clock', { now: '2030-01-01T00:00:15Z' })
    const get = async () => await call('GET', `/groups/${ids.project}/alerts`)
    expect([(await get()).status, (await get()).status]).toEqual([200, 200])
    const limited = await get()
    expect([limited.status, limited.headers['retry-after'], limited.body.errorCode]).toEqual([
      429,
      '45',
      'RATE_LIMITED',
    ])
    await control('POST', '/clock', { advance: 'PT45S' })
    expect((await get()).status).toBe(200)
  })

  test.each([
    ['full', 'application/json', /"errorCode":"GROUP_NOT_FOUND"/],
    ['minimal', 'application/json', /^\{"error":404,"reason":"Not Found"\}$/],
    ['text', 'text/plain', /^Not Found$/],
    ['empty', undefined, /^$/],
  ])('open.errorBody=%s', async (value, type, pattern) => {
    const { call } = await serve({ settings: { 'open.errorBody': value } })
    const reply = await call('GET', `/groups/${ids.absent}/alerts`)
    expect(reply.status).toBe(404)
    expect(reply.headers['content-type']).toBe(type)
    expect(reply.text).toMatch(pattern)
  })

  test('open.errorCodes=foreign answers codes that nobody knows', async () => {
    const { call } = await serve({ settings: { 'open.errorCodes': 'foreign' } })
    expect((await call('GET', `/groups/${ids.absent}/alerts`)).body.errorCode).toBe('X_GROUP_NOT_FOUND')
  })

  test('open.errorEnvelope=wrapped wraps errors too', async () => {
    const path = `/groups/${ids.absent}/alerts?envelope=true`
    expect((await (await serve()).call('GET', path)).body).toHaveProperty('errorCode')
    const { call } = await serve({ settings: { 'open.errorEnvelope': 'wrapped' } })
    for (const spelt of [path, path.replace('true', 'TRUE')])
      expect((await call('GET', spelt)).body).toMatchObject({ status: 404, content: { error: 404 } })
  })
})

describe('data', () => {
  test('what was written is there after a restart, and the fixture is not loaded again', async () => {
    const data = join(folder(), 'data.sqlite')
    const settings = { 'open.digest': 'qop' }
    const first = await serve({ data, fixture: { ...fixture, settings } })
    await first.call('POST', `/groups/${ids.project}/maintenanceWindows`, newWindow)
    const dump = (await first.control('GET', '/dump')).body
    await first.close()
    const second = await serve({ data, fixture: {} })
    expect((await second.control('GET', '/dump')).body).toEqual(dump)
  })

  test('the file is for its owner alone, and without --data there is none', async () => {
    const path = folder()
    const service = await serve({ data: join(path, 'data.sqlite') })
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o077).toBe(0)
    await service.close()
    const working = folder()
    const built = join(import.meta.dirname, '..', '..', 'service', 'dist', 'index.js')
    const script = `const { startService } = await import(process.argv[1])
      const service = await startService({ control: true })
      await fetch(service.baseUrl + '/users')
      await service.close()`
    const options = ['--input-type=module', '-e', script, pathToFileURL(built).href]
    await promisify(execFile)(process.execPath, options, { cwd: working })
    expect(readdirSync(working)).toEqual([])
  })

  test('a file that others could read is for its owner alone from then on', async () => {
    const path = folder()
    const data = join(path, 'data.sqlite')
    const modes = () => readdirSync(path).map((name) => [name, statSync(join(path, name)).mode & 0o777])
    writeFileSync(data, '')
    // Empty at first, then as a copy that was brought back.
    for (let start = 0; start < 2; start += 1) {
      chmodSync(data, 0o666)
      const service = await serve({ data })
      expect(modes()).toEqual([
        ['data.sqlite', 0o600],
        ['data.sqlite-wal', 0o600],
      ])
      await service.close()
    }
  })

  test('a file in use, damaged, foreign or of another version is refused and left as it is', async () => {
    const path = folder()
    const data = join(path, 'data.sqlite')
    const running = await serve({ data })
    expect((await failure({ data })).code).toBe('DM-SERVE-DATA-IN-USE')
    await running.close()

    const untouched = async (file: string): Promise<string> => {
      const before = readFileSync(file)
      const { code } = await failure({ data: file })
      expect(readFileSync(file).equals(before)).toBe(true)
      return code
    }
    const text = written('text', 'This is no database, and it is longer than one hundred bytes. '.repeat(3))
    expect(await untouched(text)).toBe('DM-SERVE-DATA-CORRUPT')
    expect(await untouched(written('short', 'x'))).toBe('DM-SERVE-DATA-CORRUPT')
    const damaged = join(path, 'damaged')
    const bytes = readFileSync(data)
    bytes.fill(0xff, 200, 40_000)
    writeFileSync(damaged, bytes)
    expect(await untouched(damaged)).toBe('DM-SERVE-DATA-CORRUPT')

    const foreign = join(path, 'foreign')
    new DatabaseSync(foreign).exec('CREATE TABLE other (x)')
    expect(await untouched(foreign)).toBe('DM-SERVE-DATA-VERSION')
    const later = new DatabaseSync(data)
    later.exec('PRAGMA user_version = 99')
    later.close()
    expect(await untouched(data)).toBe('DM-SERVE-DATA-VERSION')
  })

  test('a folder that is not there is named', async () => {
    const error = await failure({ data: join(folder(), 'none', 'data.sqlite') })
    expect(error.code).toBe('DM-SERVE-DATA')
    expect(error.message).toContain('none')
  })

  test('a fixture that is not right leaves a new store empty', async () => {
    const data = join(folder(), 'data.sqlite')
    await failure({ data, fixture: { ...fixture, users: [{ id: 'x' }] } })
    const { control } = await serve({ data, fixture: { organizations: [{ name: 'Later' }] } })
    expect((await control('GET', '/dump')).body.organizations).toMatchObject([{ name: 'Later' }])
  })
})

describe('listening', () => {
  test('another host needs a flag, and then a fixture', async () => {
    expect((await failure({ host: '0.0.0.0' })).code).toBe('DM-SERVE-HOST')
    const remote = { host: '0.0.0.0', allowRemoteHost: true }
    expect((await failure(remote)).message).toContain('built-in key')
    expect((await failure({ ...remote, data: join(folder(), 'new.sqlite') })).code).toBe('DM-SERVE-HOST')
    const service = await serve({ host: '0.0.0.0', allowRemoteHost: true })
    expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/public\/v1\.0$/)
    // The control interface still only accepts host names of this machine.
    const control = service.baseUrl.replace('/api/public/v1.0', '/_control/dump')
    expect((await http('GET', control, { headers: { host: 'service.example.com' } })).status).toBe(403)
  })

  test('a port that is taken, and one that is none, are named', async () => {
    const other = createServer()
    onTestFinished(() => void other.close())
    const port = await listen(other)
    const taken = await failure({ port })
    expect([taken.code, taken.message]).toEqual(['DM-SERVE-PORT', expect.stringContaining(String(port))])
    expect((await failure({ port: 65_536 })).code).toBe('DM-SERVE-PORT')
    expect((await failure({ host: '127.0.0.1', port: 1.5 })).code).toBe('DM-SERVE-PORT')
  })

  test('a Host header that names another host is refused', async () => {
    const { baseUrl } = await serve()
    const url = `${baseUrl}/groups/${ids.project}/alerts`
    for (const host of ['evil.example.com', 'localhost.example.com:80', '192.0.2.1', '[', 'localhost:x'])
      expect((await http('GET', url, { headers: { host } })).status).toBe(421)
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:8080'])
      expect((await http('GET', url, { headers: { host } })).status).toBe(401)
  })
})
