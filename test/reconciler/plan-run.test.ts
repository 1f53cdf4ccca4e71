import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '@deploymgmt/provider/api'
import type { Records } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { planRun } from '../../reconciler/commands/run/plan-run.ts'
import { loadDeclaration } from '../../reconciler/config/index.ts'
import { line } from '../crash/support/two-windows.ts'
import { CI, fixtureWith, ORG } from '../support/installation.ts'
import { beginApplied, only, OTHER_PROJECT } from '../support/scene.ts'

const OTHER_ORG = '5980cfdf0b6d97029d82f8ff'

/** Two organizations with one project each; the key may write in both. */
const twoOrganizations = (): object => {
  const roles = [ORG, OTHER_ORG].map((orgId) => ({ roleName: 'ORG_OWNER', orgId }))
  const apiKeys = [{ id: '5c47503320eef5699e1cce8d', desc: 'CI', ...CI, roles }]
  const { organizations, projects } = fixtureWith({}, { apiKeys }) as Record<string, object[]>
  return {
    organizations: [...(organizations ?? []), { id: OTHER_ORG, name: 'Ledger' }],
    projects: [...(projects ?? []), { id: OTHER_PROJECT, orgId: OTHER_ORG, name: 'ledger' }],
  }
}

const there = (name: string, month: string): string =>
  line(name, month).replace('{', `{ projectId: ${OTHER_PROJECT},`)

const declaring = (...lines: string[]): string =>
  only('maintenanceWindows', lines.join('\n')).replace(
    'defaults:',
    `  ledger: { id: ${OTHER_PROJECT}, orgId: ${OTHER_ORG} }\ndefaults:`,
  )

it('a creation that turns out to be in another organization is compared with the strangers there', async () => {
  const here = await beginApplied(declaring(there('theirs', '01')), { fixture: twoOrganizations() })
  const { id } = await here.outside(
    'POST',
    `/groups/${OTHER_PROJECT}/maintenanceWindows`,
    {
      alertTypeNames: ['HOST'],
      startDate: '2035-07-01T00:00:00Z',
      endDate: '2035-07-01T02:00:00Z',
    },
    CI,
  )
  await here.manifest(declaring(line('ours', '02'), there('theirs', '01')))
  const files = [join(here.folder, 'deploymgmt.yaml')]
  const loaded = await loadDeclaration({ files, cwd: here.folder }, kinds)
  const { resources } = (await here.state()) as { resources: Records }
  const client = createClient({ baseUrl: here.baseUrl, ...CI })
  onTestFinished(() => client.close())
  const known = Object.values(resources).map(({ kind, identity, watermark }) => ({
    kind,
    identity,
    at: watermark,
  }))
  const knownThings = { upTo: {}, known: () => Promise.resolve(known) }
  const input = { loaded, globs: [], look: 'for-plan', knownThings } as const
  const first = await planRun(client, { ...input, records: resources })
  expect(first.plan.planned.map(({ change: { address, action } }) => [address, action])).toEqual([
    ['maintenanceWindows.ours', 'create'],
    ['maintenanceWindows.theirs', 'unchanged'],
  ])
  const after = { run: first, log: first.log }
  const later = await planRun(client, { ...input, records: {}, after })
  const { change } =
    later.plan.planned.find((each) => each.change.address === 'maintenanceWindows.theirs') ?? {}
  expect(change?.reason).toMatchObject({ code: 'beside-strangers', ids: [id] })
  expect(later.plan.strangers).toMatchObject([{ identity: { projectId: OTHER_PROJECT, id } }])
})
