import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestSchema, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import { readAndPlan, type EngineClient } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { resourcePage } from '../../scripts/docs/resource-page.ts'
import { blocksOf } from '../support/command-lines.ts'
import snapshotSchedule from './snapshot-schedule.ts'

const root = join(import.meta.dirname, '..', '..')
const filledLines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')
const kind: KindDefinition = snapshotSchedule

test('the page shows the file that is compiled here, whole and in order', async () => {
  const page = await readFile(join(root, 'docs/adding-a-kind.md'), 'utf8')
  const file = await readFile(join(import.meta.dirname, 'snapshot-schedule.ts'), 'utf8')
  const shown = blocksOf(page, 'ts').join('\n').replace('../core/index.ts', '@deploymgmt/provider/core')
  expect(filledLines(shown)).toEqual(filledLines(file))
})

test('the kind derives a section of the manifest and a page', () => {
  const { properties } = manifestSchema([...kinds, kind]) as { properties: Record<string, unknown> }
  expect(properties).toHaveProperty('snapshotSchedules')
  expect(resourcePage(kind)).toContain(
    '`PATCH /groups/{projectId}/snapshotSchedules/{clusterId}` (endpoint 24)',
  )
})

test('what adoption has not seen is not put back', () => {
  const { restore } = kind.release
  const record = { identity: {}, applied: { intervalHours: 6 }, adopted: { mode: 'FULL' } }
  const body = restore?.way === 'send' ? restore.body(record, new Date(0)) : 'not sent'
  expect(body).toBeUndefined()
})

test('the engine plans the kind without knowing it', async () => {
  const { snapshotSchedules } = load(kind.docs.example) as { snapshotSchedules: Record<string, Values> }
  const values = { mode: 'INCREMENTAL', ...snapshotSchedules['payments'] }
  const live = { clusterId: '5d1113b25a115342acc2d2bb', snapshotIntervalHours: 24, mode: 'INCREMENTAL' }
  const answer = { body: { ...live, snapshotRetentionDays: 2 }, status: 200 }
  const client = {
    get: () => Promise.resolve(answer),
    publicKey: 'ciadmin',
    serviceNow: () => Date.parse('2026-11-20T06:00:00Z'),
    serviceNotBefore: () => Date.parse('2026-11-20T06:00:00Z'),
    requestsSent: 0,
  } as unknown as EngineClient
  const { plan } = await readAndPlan(client, {
    definitions: [kind],
    declaration: {
      name: 'example',
      entries: [
        {
          kind: kind.kind,
          address: 'snapshotSchedules.payments',
          values,
          onRemove: 'forget',
          protect: false,
          ignoreChanges: [],
          declaredAt: undefined,
        },
      ],
      organizations: new Map(),
      orgIds: [],
      projectNames: new Map(),
    },
    records: {},
    look: 'for-plan',
  })
  expect(plan.planned.map(({ change }) => change)).toMatchObject([
    {
      address: 'snapshotSchedules.payments',
      action: 'adopt',
      fields: [{ path: 'intervalHours', before: 24, after: 6 }],
      requests: [
        {
          method: 'PATCH',
          path: '/groups/5c8100bcf2a30b12ff88258f/snapshotSchedules/5d1113b25a115342acc2d2bb',
        },
      ],
    },
  ])
})
