import { createClient } from '@deploymgmt/provider/api'
import {
  agents,
  alerts,
  disks,
  organizationEvents,
  userAccessListEntry,
} from '@deploymgmt/provider/data-sources'
import { checkArguments } from '@deploymgmt/provider/core/check'
import { readDataSource } from '@deploymgmt/provider/engine'
import { ArgumentError } from '@deploymgmt/provider/errors'
import { describe, expect, test } from 'vitest'

const projectId = '5c8100bcf2a30b12ff88258f'
const orgId = '5980cfdf0b6d97029d82f86e'

/** What is wrong, by argument. */
const wrong = (...[source, given]: Parameters<typeof checkArguments>): Record<string, string> =>
  Object.fromEntries(checkArguments(source, given).map(({ within, code }) => [String(within[0]), code]))

describe('arguments of a data source', () => {
  test('are refused all at once, before anything is sent', async () => {
    // The discard port: a request would fail otherwise.
    const client = createClient({
      baseUrl: 'http://127.0.0.1:9/api/public/v1.0',
      publicKey: 'a',
      privateKey: 'b',
    })
    const error: unknown = await readDataSource(client, alerts, {
      status: 'OPENED',
      projctId: projectId,
    }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ArgumentError)
    expect(String(error)).toContain('alerts: 3 arguments are wrong')
    expect(error).toMatchObject({
      code: 'DM-ARGUMENT',
      problems: [
        { argument: 'status', message: 'not-an-enum-value' },
        { argument: 'projctId', message: 'unknown-key' },
        { argument: 'projectId', message: 'missing-key' },
      ],
    })
    expect(client.requestsSent).toBe(0)
    await client.close()
  })

  test('that no one knows are refused, also those that every object has', () => {
    const given = { projectId, constructor: 'x', toString: 'x' }
    expect(Object.keys(wrong(alerts, given))).toEqual(['constructor', 'toString'])
  })

  test('are left out as undefined or null', () => {
    expect(wrong(alerts, { projectId, status: undefined, limit: null })).toEqual({})
  })

  test.each(['..', '.', 'a/b', 'a b', 'a\u0000', '', '\uD800'])('take no id like %j', (hostId) => {
    expect(Object.keys(wrong(disks, { projectId, hostId }))).toEqual(['hostId'])
  })

  test('take no id that is a number, since digits may have been lost', () => {
    expect(wrong(disks, { projectId, hostId: 680_316 })).toEqual({
      hostId: 'wrong-type',
    })
  })

  test('are held to a closed set', () => {
    expect(wrong(agents, { projectId, type: 'monitoring' })).toEqual({ type: 'not-an-enum-value' })
    expect(wrong(alerts, { projectId, status: 'CANCELLED' })).toEqual({ status: 'not-an-enum-value' })
  })

  test('are not held to an open set', () => {
    expect(wrong(organizationEvents, { orgId, eventType: 'SOMETHING_NEW' })).toEqual({})
  })

  test.each([0, -1, 1.5, Number.NaN, '0', '-1', '1e3', 'ten', '', true, Number.MAX_SAFE_INTEGER + 1])(
    'take no limit like %j',
    (limit) => {
      expect(Object.keys(wrong(alerts, { projectId, limit }))).toEqual(['limit'])
    },
  )

  test('take no truth value like "yes"', () => {
    expect(wrong(organizationEvents, { orgId, includeRaw: 'yes' })).toEqual({
      includeRaw: 'wrong-type',
    })
  })

  test.each(['2026-02-30T00:00:00Z', '2026-12-05', 'yesterday'])('take no instant like %s', (minDate) => {
    expect(wrong(organizationEvents, { orgId, minDate })['minDate']).toBe('not-an-instant')
  })

  test.each(['203.0.113.5', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32'])(
    'take an access-list entry like %s',
    (accessListEntry) => {
      expect(wrong(userAccessListEntry, { userId: orgId, accessListEntry })).toEqual({})
    },
  )

  test.each([
    '203.0.113.256',
    '203.0.113.0/33',
    '2001:db8::/129',
    'fe80::1%eth0',
    '10.0.0.0/8/9',
    '10.0.0.0/',
    '192.0.2.5/24',
    'x',
  ])('take no access-list entry like %s', (accessListEntry) => {
    const found = wrong(userAccessListEntry, { userId: orgId, accessListEntry })
    expect(Object.keys(found)).toEqual(['accessListEntry'])
  })
})
