import { alerts, disks, organizationEvents } from '@deploymgmt/provider/data-sources'
import { checkArguments } from '@deploymgmt/provider/core/check'
import { readDataSource, type Reader } from '@deploymgmt/provider/engine'
import { ArgumentError } from '@deploymgmt/provider/errors'
import { describe, expect, test } from 'vitest'
import { ARGUMENTS } from '../../../provider/terraform/words/failures.ts'

const projectId = '5c8100bcf2a30b12ff88258f'
const orgId = '5980cfdf0b6d97029d82f86e'

/** The code of each finding, by argument. */
const wrong = (...[source, given]: Parameters<typeof checkArguments>): Record<string, string> =>
  Object.fromEntries(checkArguments(source, given).map(({ within, code }) => [String(within[0]), code]))

describe('arguments of a data source', () => {
  test('are refused all at once in the words of the door, before anything is sent', async () => {
    // It cannot send anything.
    const client = {} as Reader
    const given = { status: 'OPENED', projectId: 'a/b' }
    const error: unknown = await readDataSource(client, alerts, given, ARGUMENTS).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(ArgumentError)
    expect(error).toMatchObject({
      message:
        'alerts: 2 arguments are wrong\n  status: "OPENED" is not a known alert status to filter by; did you mean OPEN?\n  project_id: "a/b" is not an id',
      problems: [
        { within: ['status'], code: 'not-an-enum-value' },
        { within: ['projectId'], code: 'not-an-id' },
      ],
    })
  })

  test('that are unknown are refused, also names that every object has', () => {
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
})
