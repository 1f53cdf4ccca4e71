import { createClient, type Client } from '@deploymgmt/provider/api'
import { type DataSourceDefinition, type Values } from '@deploymgmt/provider/core'
import {
  agents,
  alert,
  alertConfiguration,
  alertConfigurations,
  alerts,
  apiKeyAccessList,
  automationStatus,
  dataSources,
  disks,
  globalAlert,
  integrations,
  organizationEvent,
  organizationEvents,
  projectEvent,
  userAccessListEntry,
} from '@deploymgmt/provider/data-sources'
import type { Listing } from '@deploymgmt/provider/engine'
import { AuthRejectedError, ForbiddenError, MalformedAnswerError } from '@deploymgmt/provider/errors'
import { startService } from '@deploymgmt/service'
import { describe, expect, test } from 'vitest'
import { readDataSource } from '../../support/read-data-source.ts'
import { failure } from '../api/support/service.ts'
import {
  alertConfigId,
  alertId,
  apiKeyId,
  globalAlertId,
  hostId,
  installation,
  organizationEventId,
  organizationKey,
  orgId,
  personalKey,
  projectEventId,
  projectId,
  secrets,
  userId,
} from './support/installation.ts'

/** Arguments with which every data source finds something. */
const given: readonly [DataSourceDefinition, Values][] = [
  [alerts, { projectId, status: 'OPEN' }],
  [alert, { projectId, alertId }],
  [globalAlert, { alertId: globalAlertId }],
  [alertConfigurations, { projectId }],
  [alertConfiguration, { projectId, alertConfigId }],
  [automationStatus, { projectId }],
  [agents, { projectId, type: 'MONITORING' }],
  [disks, { projectId, hostId }],
  [integrations, { projectId }],
  [apiKeyAccessList, { orgId, apiKeyId }],
  [userAccessListEntry, { userId, accessListEntry: '203.0.113.5' }],
  [organizationEvents, { orgId, minDate: '2026-11-01T00:00:00Z' }],
  [organizationEvent, { orgId, eventId: organizationEventId, includeRaw: true }],
  [projectEvent, { projectId, eventId: projectEventId, includeRaw: true }],
]

interface Conversation extends AsyncDisposable {
  readonly client: Client
  /** The caller that the endpoint needs: endpoint 13 is about the calling user. */
  readonly clientFor: (definition: DataSourceDefinition) => Client
  /** The requests that were sent, without challenges. */
  readonly paths: string[]
}

const converse = async (
  settings: Readonly<Record<string, string>> = {},
  fault?: Readonly<Record<string, unknown>>,
): Promise<Conversation> => {
  const service = await startService({ fixture: { ...installation, settings }, control: true })
  if (fault !== undefined) {
    const set = await fetch(`${service.controlUrl ?? ''}/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.controlToken ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'GET', path: '.', count: 1000, ...fault }),
    })
    expect(set.ok).toBe(true)
  }
  const paths: string[] = []
  const clientOf = (key: typeof organizationKey): Client =>
    createClient({
      baseUrl: service.baseUrl,
      ...key,
      onRequest: ({ path, status }) => {
        if (status !== 401) paths.push(path)
      },
    })
  const [client, personal] = [clientOf(organizationKey), clientOf(personalKey)]
  return {
    client,
    clientFor: (definition) => (definition === userAccessListEntry ? personal : client),
    paths,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([client.close(), personal.close()])
      await service.close()
    },
  }
}

/** The items of a list, or the one thing that was read. */
const itemsOf = (source: DataSourceDefinition, answer: Values | Listing): readonly unknown[] =>
  source.shape === 'list' && Array.isArray(answer.results) ? answer.results : [answer]

const readEntry = async (service: Conversation, accessListEntry: string) =>
  readDataSource(service.clientFor(userAccessListEntry), userAccessListEntry, { userId, accessListEntry })

const cases = given.map(([source, values]) => ({ name: source.name, source, values }))

test('every data source is read here', () => {
  expect(cases.map(({ source }) => source)).toEqual(dataSources)
})

describe.each(cases)('$name', ({ source, values }) => {
  /** Other values for everything that the API leaves open about answers. */
  const open: readonly Readonly<Record<string, string>>[] = [
    { 'open.digest': 'op', 'open.listLinks': 'empty', 'open.unknownQueryParameters': 'reject' },
    { 'open.digest': 'qop', 'open.sampleLinks': 'self', 'open.itemsPerPageOverMax': 'reject' },
    { 'open.matcherKey': 'field', 'open.integrationRedaction': 'full', 'open.extraFields': 'present' },
    { 'open.matcherKey': 'both', 'open.timestampForm': 'milliseconds', 'open.remoteAddress': 'users' },
    { 'open.accessListEntryMatch': 'ipAddressOrCidrBlock', 'open.accessListNoMatch': 'emptyList' },
    { 'open.projectEventsInOrganizationList': 'excluded', 'open.diffsInOrganizationEvent': 'present' },
    { 'open.eventTypeList': 'comma', 'open.remoteAddress': 'never', 'open.impliedRoles': 'any' },
    { 'open.eventTypeList': 'repeated', 'open.unstatedRoles': 'none' },
  ]
  test.each(open)('is read where the service answers with %o', async (settings) => {
    await using service = await converse(settings)
    const answer = await readDataSource(service.clientFor(source), source, values)
    const [item] = itemsOf(source, answer)
    expect(Object.keys(item ?? {}).length).toBeGreaterThan(0)
    expect(service.paths).toHaveLength(1)
    expect(JSON.stringify(answer)).not.toContain('groupId')
    for (const secret of secrets) expect(JSON.stringify(answer)).not.toContain(secret)
  })
})

test.each(cases)(
  '$name is refused where every value of the answer has another type',
  async ({ source, values }) => {
    await using service = await converse({}, { fault: 'wrong-type' })
    const error = await failure(
      readDataSource(service.clientFor(source), source, values),
      MalformedAnswerError,
    )
    expect(error.describe()).toContain('DM-MALFORMED-ANSWER')
  },
)

describe('what is told', () => {
  test('of alerts is filtered by status, and has cancelled ones where nothing filters', async () => {
    await using service = await converse()
    const all = await readDataSource(service.client, alerts, { projectId })
    const closed = await readDataSource(service.client, alerts, { projectId, status: 'CLOSED' })
    expect(all.results.map(({ status }) => String(status)).toSorted()).toEqual([
      'CANCELLED',
      'CLOSED',
      'OPEN',
    ])
    expect(closed.results.map(({ status }) => status)).toEqual(['CLOSED'])
  })

  test.each(['fieldName', 'field', 'both'])(
    'of a matcher is the same where the service calls its field %s',
    async (spelling) => {
      await using service = await converse({ 'open.matcherKey': spelling })
      const { matchers } = await readDataSource(service.client, alertConfiguration, {
        projectId,
        alertConfigId,
      })
      expect(matchers).toEqual([{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1.example.com' }])
    },
  )

  test('of an event has raw where it is asked for alone', async () => {
    await using service = await converse()
    const about = { projectId, eventId: projectEventId }
    const bare = await readDataSource(service.client, projectEvent, about)
    const whole = await readDataSource(service.client, projectEvent, { ...about, includeRaw: true })
    expect(bare).not.toHaveProperty('raw')
    expect(whole['raw']).toMatchObject({ note: 'not a contract' })
    expect(bare).toMatchObject({ projectId, alertConfigId, diffs: [{ name: null, status: 'MODIFIED' }] })
  })
})

describe('a reading that the key is not permitted', () => {
  const ROLE = 'the role GLOBAL_OWNER or GLOBAL_MONITORING_ADMIN'
  const values = { alertId: globalAlertId }

  test('names the role beside the credentials, where the answer can mean either', async () => {
    await using service = await converse()
    const reading = readDataSource(service.clientFor(userAccessListEntry), globalAlert, values)
    const error = await failure(reading, AuthRejectedError)
    expect(error.hint).toContain('Check DEPLOYMGMT_PUBLIC_KEY and DEPLOYMGMT_PRIVATE_KEY. If they are right')
    expect(error.hint).toContain(`the key needs ${ROLE}`)
    expect(error.where).toBe(`GET ${service.client.baseUrl}/globalAlerts/${globalAlertId} → 401`)
    expect(error).toMatchObject({ status: 401, outcome: 'refused' })
  })

  test('names the role alone, where the credentials are proven', async () => {
    await using service = await converse()
    await readEntry(service, '203.0.113.5')
    const reading = readDataSource(service.clientFor(userAccessListEntry), globalAlert, values)
    expect((await failure(reading, ForbiddenError)).hint).toBe(`The key needs ${ROLE}.`)
  })

  test('names the role alone, where the answer is 403', async () => {
    await using service = await converse({ 'open.permissionStatus': '403' })
    const reading = readDataSource(service.clientFor(userAccessListEntry), globalAlert, values)
    expect((await failure(reading, ForbiddenError)).hint).toBe(`The key needs ${ROLE}.`)
  })

  test('names no role where the description of the API has none', async () => {
    await using service = await converse({}, { fault: 'status', status: 403 })
    const reading = readDataSource(service.client, disks, { projectId, hostId })
    const { hint } = await failure(reading, ForbiddenError)
    expect(hint).toContain('The API’s description does not say which role that is')
    expect(hint).not.toContain('manifest')
  })
})

describe('an entry of a user’s access list', () => {
  test('is asked for by a block with its slash encoded', async () => {
    await using service = await converse({ 'open.accessListEntryMatch': 'ipAddressOrCidrBlock' })
    expect(await readEntry(service, '203.0.113.5/32')).toMatchObject({ totalCount: 1 })
    expect(service.paths[0]).toContain(`/users/${userId}/accessList/203.0.113.5%2F32`)
  })

  test('that is not there is an empty list where the service answers one', async () => {
    await using service = await converse({ 'open.accessListNoMatch': 'emptyList' })
    expect(await readEntry(service, '203.0.113.6')).toEqual({ results: [], totalCount: 0 })
  })
})

describe('the events of an organization', () => {
  const before = { orgId, maxDate: '2026-02-01T00:00:00Z' }

  test('are read page by page, each once', async () => {
    await using service = await converse()
    const { results, totalCount } = await readDataSource(service.client, organizationEvents, before)
    expect(new Set(results.map(({ id }) => id)).size).toBe(1203)
    expect(totalCount).toBe(1203)
    expect(service.paths).toHaveLength(3)
  })

  test('are filtered by type and by instants of any zone', async () => {
    await using service = await converse()
    const { results } = await readDataSource(service.client, organizationEvents, {
      orgId,
      eventType: 'INVITED_TO_ORG',
      minDate: '2026-01-01T01:01:00+01:00',
      maxDate: '2026-01-01T00:03:00Z',
    })
    expect(results.map(({ created }) => created)).toEqual(['2026-01-01T00:03:00Z', '2026-01-01T00:01:00Z'])
  })

  test.each([
    [3, 1],
    [500, 1],
    [501, 2],
    [5000, 3],
  ])('up to a limit of %i cost %i requests', async (limit, requests) => {
    await using service = await converse()
    const { results, totalCount } = await readDataSource(service.client, organizationEvents, {
      ...before,
      limit,
    })
    expect(results).toHaveLength(Math.min(limit, 1203))
    expect(totalCount).toBe(1203)
    expect(service.paths).toHaveLength(requests)
  })
})
