import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  camelToKebab,
  camelToSnake,
  dataSourceBlock,
  type DataSourceDefinition,
  type Values,
} from '@deploymgmt/provider/core'
import {
  agents,
  alerts,
  dataSources,
  disks,
  organizationEvents,
  userAccessListEntry,
} from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { afterAll, describe, expect, it } from 'vitest'
import { blockType } from '../../provider/terraform/codec/schema.ts'
import { providerHandlers } from '../../provider/terraform/provider.ts'
import { Severity } from '../../provider/terraform/wire/common-messages.ts'
import { encodeDynamicValue } from '../../provider/terraform/wire/dynamic-value.ts'
import type { TerraformObject } from '../../provider/terraform/wire/value.ts'
import { loadStack } from '../reconciler/config/terraform-json/stack.ts'
import { AT_ONCE, runHere } from '../support/command.ts'
import { errorsOf } from './values/doors.ts'

const folder = mkdtempSync(join(tmpdir(), 'arguments-'))
afterAll(() => rmSync(folder, { recursive: true }))
// The discard port: requests for accepted arguments go nowhere.
const env = {
  DEPLOYMGMT_BASE_URL: 'http://127.0.0.1:9/api/public/v1.0',
  DEPLOYMGMT_PUBLIC_KEY: 'a',
  DEPLOYMGMT_PRIVATE_KEY: 'b',
}

type Door = (source: DataSourceDefinition, given: Values) => Promise<'good' | 'bad'>

const get: Door = async ({ name }, given) => {
  const flags = Object.entries(given).map(
    ([argument, value]) => `--${camelToKebab(argument)}=${String(value)}`,
  )
  const { stderr } = await runHere({ folder, env }, ['get', name, ...flags], AT_ONCE)
  return stderr.includes('DM-ARGUMENT') ? 'bad' : 'good'
}

const { validateDataResourceConfig } = providerHandlers(kinds, dataSources, {})

const terraform: Door = async (source, given) => {
  const config = Object.fromEntries(
    Object.entries(given).map(([argument, value]) => [camelToSnake(argument), value]),
  ) as TerraformObject
  const { diagnostics = [] } =
    (await validateDataResourceConfig?.(
      {
        typeName: `deploymgmt_${source.name}`,
        config: encodeDynamicValue(config, blockType(dataSourceBlock(source))),
      },
      { signal: new AbortController().signal },
    )) ?? {}
  return diagnostics.some(({ severity }) => severity === Severity.error) ? 'bad' : 'good'
}

const terraformJson: Door = async ({ name }, given) => {
  const block = Object.fromEntries(
    Object.entries(given).map(([argument, value]) => [camelToSnake(argument), value]),
  )
  const said = await errorsOf(loadStack({ data: { [`deploymgmt_${name}`]: { it: block } } }))
  return said.length === 0 ? 'good' : 'bad'
}

const projectId = '5c8100bcf2a30b12ff88258f'
const userId = '5d2e1f0a9b8c7d6e5f4a3b2c'
const orgId = '5980cfdf0b6d97029d82f86e'
const minDate = '2026-11-01T00:00:00Z'

const entry = (accessListEntry: string) => [userAccessListEntry, { userId, accessListEntry }] as const
const since = (date: string) => [organizationEvents, { orgId, minDate: date }] as const

const good: readonly (readonly [DataSourceDefinition, Values])[] = [
  [alerts, { projectId, status: 'OPEN', limit: 1 }],
  [agents, { projectId, type: 'BACKUP' }],
  // The API does not list all event types.
  [organizationEvents, { orgId, minDate, eventType: 'SOMETHING_NEW', includeRaw: true }],
  ...['203.0.113.5', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32'].map(entry),
  ...['2026-12-05T03:00:00+01:00', '2026-12-05T02:00:00.250Z'].map(since),
]

const bad: readonly (readonly [DataSourceDefinition, Values])[] = [
  [alerts, {}],
  [alerts, { projectId, status: 'OPENED' }],
  [alerts, { projectId, status: '' }],
  ...[0, -1, 1.5, 2 ** 53].map((limit) => [alerts, { projectId, limit }] as const),
  [agents, { projectId, type: 'backup' }],
  [alerts, { projectId, status: 'CANCELLED' }],
  [organizationEvents, { orgId, minDate, eventType: '' }],
  ...['..', '.', 'a/b', 'a b', 'a\u0000', '', 'x'.repeat(201)].map(
    (hostId) => [disks, { projectId, hostId }] as const,
  ),
  ...[
    '203.0.113.5/24',
    '2001:db8::1/32',
    '203.0.113.256',
    '203.0.113.0/33',
    '2001:db8::/129',
    '10.0.0.0/',
    '10.0.0.0/8/9',
    'fe80::1%eth0',
    'x',
    '',
  ].map(entry),
  ...['2026-02-30T00:00:00Z', '2016-12-31T23:59:60Z', '2026-12-05', 'yesterday', ''].map(since),
]

describe.each(Object.entries({ get, terraform, 'cdk.tf.json': terraformJson }))('%s', (_, door) => {
  it.each(good.map(([source, given]) => [source.name, given, source] as const))(
    'takes %s %j',
    async (__, given, source) => {
      expect(await door(source, given)).toBe('good')
    },
  )

  it.each(bad.map(([source, given]) => [source.name, given, source] as const))(
    'refuses %s %j',
    async (__, given, source) => {
      expect(await door(source, given)).toBe('bad')
    },
  )
})
