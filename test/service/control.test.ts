import { startService } from '@deploymgmt/service'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { http } from './support/client.ts'
import { newUser, newWindow } from './support/endpoints.ts'
import { fixture, ids, keys } from './support/fixture.ts'
import { serve } from './support/service.ts'
import { anyJson } from '../support/any-text.ts'
import { holds } from '../support/soak.ts'

describe('the way in', () => {
  test('control calls need the token, and are not there without --control', async () => {
    const service = await startService({ fixture, control: true })
    const url = `${service.controlUrl}/dump`
    for (const authorization of ['', 'Bearer', 'Bearer x', `Bearer ${service.controlToken}x`, 'Digest x'])
      expect((await http('GET', url, { headers: { authorization } })).status).toBe(401)
    const authorization = `Bearer ${service.controlToken}`
    expect((await http('GET', url, { headers: { authorization } })).status).toBe(200)
    expect((await http('GET', url, { headers: { authorization, host: 'evil.example.com' } })).status).toBe(
      421,
    )
    await service.close()
    const plain = await serve({ control: false })
    expect((await http('GET', plain.baseUrl.replace('/api/public/v1.0', '/_control/dump'))).status).toBe(404)
  })

  test('unknown calls and bodies that are not right are refused with the path into them', async () => {
    const { control } = await serve()
    expect((await control('GET', '/nothing')).status).toBe(404)
    for (const [path, body, where] of [
      ['/clock', {}, '(the whole document)'],
      ['/clock', { now: 'x' }, 'now'],
      ['/clock', { now: '2030-01-01T00:00:00Z', advance: 'PT1M' }, '(the whole document)'],
      ['/clock', { advance: 'P9999999D' }, 'advance'],
      ['/faults', { fault: 'latncy' }, 'fault'],
      ['/faults', { fault: 'latency' }, 'ms'],
      ['/faults', { fault: 'status' }, 'status'],
      ['/faults', { fault: 'huge', path: '(' }, 'path'],
      ['/faults', { fault: 'huge', cuont: 1 }, 'cuont'],
      ['/conditions', { projectId: ids.project, alertConfigId: ids.absent, active: true }, 'alertConfigId'],
      ['/invitations', { userId: ids.dana }, 'accept'],
    ] as const) {
      const reply = await control('POST', path, body)
      expect([reply.status, reply.body.parameters]).toEqual([400, [where]])
    }
  })
})

test('the log of requests has paths with their queries, statuses and keys, and the counts have templates', async () => {
  const { as, call, control, baseUrl } = await serve()
  await control('POST', '/clock', { now: '2030-01-01T00:00:00Z' })
  const path = `/groups/${ids.project}/alerts`
  await call('GET', `${path}?status=OPEN`)
  await call('GET', path)
  await call('POST', `/groups/${ids.project}/maintenanceWindows`, newWindow)
  await as(keys.stranger)('GET', path)
  await call('GET', '/nothing')
  await http('GET', `${baseUrl}${path}`, { headers: { authorization: 'Basic x' } })
  const { body } = await control('GET', '/requests')
  const at = '2030-01-01T00:00:00Z'
  expect(body.log).toEqual([
    { method: 'GET', path: `${path}?status=OPEN`, status: 401, key: null, at },
    { method: 'GET', path: `${path}?status=OPEN`, status: 200, key: 'ciadmin', at },
    { method: 'GET', path, status: 200, key: 'ciadmin', at },
    { method: 'POST', path: `/groups/${ids.project}/maintenanceWindows`, status: 200, key: 'ciadmin', at },
    { method: 'GET', path, status: 401, key: null, at },
    { method: 'GET', path, status: 401, key: 'stranger', at },
    { method: 'GET', path: '/nothing', status: 404, key: 'ciadmin', at },
    { method: 'GET', path, status: 401, key: null, at },
  ])
  expect(body.counts).toEqual({
    'GET /groups/{projectId}/alerts': 3,
    'POST /groups/{projectId}/maintenanceWindows/': 1,
    unmatched: 1,
    challenges: 3,
  })
  expect((await control('DELETE', '/requests')).body).toEqual({})
  expect((await control('GET', '/requests')).body).toEqual({ log: [], counts: {} })
})

test('the clock is set, moved on and released, and the Date header follows it', async () => {
  const { control, call } = await serve()
  expect((await control('GET', '/clock')).body).toEqual({ now: expect.any(String), real: true })
  const set = await control('POST', '/clock', { now: '2030-01-01T01:00:00+01:00' })
  expect(set.body).toEqual({ now: '2030-01-01T00:00:00Z', real: false })
  const moved = await control('POST', '/clock', { advance: 'P1DT5M' })
  expect(moved.body).toEqual({ now: '2030-01-02T00:05:00Z', real: false })
  const { headers } = await call('GET', `/groups/${ids.project}/alerts`)
  expect(headers['date']).toBe('Wed, 02 Jan 2030 00:05:00 GMT')
  expect((await control('POST', '/clock', { real: true })).body).toMatchObject({ real: true })
})

describe('the dump', () => {
  test('it holds every list, and all secrets, and makes the same service again', async () => {
    const first = await serve()
    // Everything has the same time, so only the lists determine the order.
    await first.control('POST', '/clock', { now: '2030-01-01T00:00:00Z' })
    await first.call('POST', '/users', newUser)
    await first.call('POST', `/groups/${ids.project}/maintenanceWindows`, newWindow)
    await first.call('PATCH', `/groups/${ids.project}/alertConfigs/${ids.config}`, { enabled: false })
    const dump = (await first.control('GET', '/dump')).body
    const second = await serve({ fixture: dump })
    expect((await second.control('GET', '/dump')).body).toEqual(dump)
    expect(dump.organizations[0].apiKeys[0]).toMatchObject(keys.ci)
    expect(dump.users.at(-1)).toMatchObject({
      password: newUser.password,
      roles: [],
      apiKeys: [],
      teamIds: [],
    })
    expect(dump.projects[1]).toEqual({
      id: ids.otherProject,
      orgId: ids.otherOrg,
      name: 'other',
      automationStatus: { goalVersion: 1, processes: [] },
      alertConfigs: [],
      alerts: [],
      hosts: [],
      agents: [],
      integrations: [],
      maintenanceWindows: [],
      events: [],
    })
  })

  test('the events of an organization include those of its projects, newest first', async () => {
    const { call, control } = await serve()
    await call('POST', `/groups/${ids.project}/maintenanceWindows`, newWindow)
    const { organizations, projects } = (await control('GET', '/dump')).body
    expect(organizations[0].events).toEqual(projects[0].events)
    expect(organizations[0].events[0].eventTypeName).toBe('MAINTENANCE_WINDOW_ADDED_AUDIT')
  })
})

describe('what the API cannot write', () => {
  test('parts of a project are replaced as a whole', async () => {
    const { call, control } = await serve()
    const base = `/projects/${ids.project}`
    await control('PUT', `${base}/agents`, [{ typeName: 'BACKUP', hostname: 'other' }])
    await control('PUT', `${base}/automationStatus`, { goalVersion: 30, processes: [{ name: 'p' }] })
    await control('PUT', `${base}/integrations`, [{ type: 'PAGING', serviceKey: 'k' }])
    await control('PUT', `${base}/alertConfigs`, [{ id: ids.config, eventTypeName: 'OTHER' }])
    const get = async (path: string) => (await call('GET', `/groups/${ids.project}/${path}`)).body
    expect((await get('agents/BACKUP')).results).toMatchObject([{ hostname: 'other' }])
    expect((await get('agents/MONITORING')).results).toEqual([])
    expect(await get('automationStatus')).toMatchObject({
      goalVersion: 30,
      processes: [{ lastGoalVersionAchieved: 30 }],
    })
    expect((await get('integrations')).results).toEqual([{ type: 'PAGING', serviceKey: '********' }])
    expect((await get('alertConfigs')).results).toMatchObject([{ id: ids.config, eventTypeName: 'OTHER' }])
  })

  test('a part that is not right changes nothing', async () => {
    const { control } = await serve()
    const before = (await control('GET', '/dump')).body
    const bad = [
      ['agents', [{ hostname: 'x' }]],
      ['automationStatus', { goalVersion: '1' }],
      ['integrations', [{ type: 'PAGING' }, { type: 'PAGING' }]],
      ['integrations', [{ type: 'ALERTING_A', region: 'EU' }]],
      ['integrations', [{ type: 'METRICS_SCRAPER', scheme: 'https' }]],
      ['alertConfigs', [{ id: ids.config }, { id: ids.config }]],
    ] as const
    for (const [part, body] of bad)
      expect((await control('PUT', `/projects/${ids.project}/${part}`, body)).status).toBe(400)
    expect((await control('PUT', `/projects/${ids.absent}/agents`, [])).status).toBe(404)
    expect((await control('GET', '/dump')).body).toEqual(before)
  })
})

test('random bodies are never a 5xx of the control interface', async () => {
  const { call, control } = await serve()
  const project = `/projects/${ids.project}`
  const calls = [
    ...['/faults', '/clock', '/conditions', '/invitations'].map((path) => ['POST', path] as const),
    ...['agents', 'automationStatus', 'integrations', 'alertConfigs'].map(
      (part) => ['PUT', `${project}/${part}`] as const,
    ),
  ]
  const names =
    'fault ms latency now advance PT5M real projectId alertConfigId userId active accept type typeName'
  const words = [
    ...names.split(' '),
    'PAGING',
    'BACKUP',
    'id',
    'goalVersion',
    'processes',
    ids.project,
    ids.config,
  ]
  const word = fc.constantFrom(...words)
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, word, anyJson({ maxDepth: 1 }), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 3 }),
    object: fc.dictionary(word, tie('any'), { maxKeys: 4 }),
  })).any
  await holds(100, [fc.constantFrom(...calls), value], async ([method, path], body) => {
    expect((await control(method, path, body ?? null)).status).toBeLessThan(500)
    await control('DELETE', '/faults')
    expect((await call('GET', `/groups/${ids.project}/alerts`)).status).toBe(200)
  })
})
