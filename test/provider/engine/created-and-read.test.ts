import { createClient } from '@deploymgmt/provider/api'
import type { Values } from '@deploymgmt/provider/core'
import {
  applyEffects,
  carryOut,
  readAndPlan,
  type Effect,
  type Ledger,
  type RecordedResource,
} from '@deploymgmt/provider/engine'
import { expect, test } from 'vitest'
import { CI, ORG } from '../../support/installation.ts'
import { team } from '../../support/team.ts'
import { startTeamService } from '../../support/team-service.ts'

/** No kind of the API can be both created and read. The engine does both, because a definition can say both. */

const operators = { orgId: ORG, name: 'Operators', usernames: ['dana@example.com'] }
const LIST = `/orgs/${ORG}/teams`

const begin = async () => {
  const service = await startTeamService()
  const client = createClient({ baseUrl: service.baseUrl, ...CI })
  const records: Record<string, RecordedResource> = {}
  const keep = (effects: readonly Effect[]): Promise<void> => {
    applyEffects(records, effects)
    return Promise.resolve()
  }
  const ledger: Ledger = {
    records,
    intent: ({ at }) => Promise.resolve({ n: 1, at }),
    answered: (_, __, effects) => keep(effects),
    refused: () => Promise.resolve(),
    withdrawn: () => Promise.resolve(),
    unknown: () => Promise.resolve(),
    effects: keep,
    learnt: () => Promise.resolve(),
  }
  const definitions = [team]
  const run = async (values: Values): Promise<unknown[]> => {
    const entry = {
      kind: team.kind,
      address: 'teams.operators',
      values,
      onRemove: 'forget',
      protect: false,
      ignoreChanges: [],
      declaredAt: undefined,
    }
    const declaration = {
      name: 'test',
      entries: [entry],
      organizations: new Map(),
      orgIds: [],
      projectNames: new Map(),
    }
    const { plan } = await readAndPlan(client, { definitions, declaration, records, look: 'for-plan' })
    const context = { client, ledger, definitions, allowed: new Set<string>() }
    for (const planned of plan.planned)
      await carryOut(planned, { ...context, secret: () => Promise.resolve('') })
    return plan.planned.map(({ change: { action, reason } }) => [action, reason.code])
  }
  return { ...service, run, records }
}

test('a thing that can be created and read is created, found again by its id, and changed', async () => {
  const { run, teams, writes, records } = await begin()
  expect(await run(operators)).toEqual([['create', 'not-recorded']])
  const [id = ''] = teams.keys()
  expect(records['teams.operators']?.identity).toEqual({ orgId: ORG, teamId: id })
  expect(await run(operators)).toEqual([['unchanged', 'as-declared']])
  expect(await run({ ...operators, usernames: [] })).toEqual([['update', 'live-differs']])
  expect(writes).toEqual([`POST ${LIST}`, `PATCH ${LIST}/${id}`])
  expect([...teams.values()]).toEqual([{ id, name: 'Operators', usernames: [] }])
})

test('one that is gone is created again', async () => {
  const { run, teams, writes } = await begin()
  await run(operators)
  teams.clear()
  expect(await run(operators)).toEqual([['create', 'missing']])
  expect(await run(operators)).toEqual([['unchanged', 'as-declared']])
  expect(writes).toEqual([`POST ${LIST}`, `POST ${LIST}`])
})

test('one that is declared by its id and does not exist is not created: it would get another id', async () => {
  const { run, writes } = await begin()
  const declared = { ...operators, teamId: '5d1113b25a115342acc2d2bb' }
  expect(await run(declared)).toEqual([['blocked', 'missing']])
  expect(writes).toEqual([])
})
