/**
 * The manifest names a wrong organization for a project, so the project's events are looked for where there are none.
 */

import { expect, it } from 'vitest'
import { CI, fixtureWith, manifestWith, ORG, PROJECT } from '../support/installation.ts'
import { applied, begin, OTHER_PROJECT, type Scene } from '../support/scene.ts'

const MORE = '5c8100bcf2a30b12ff882591'
const CONFIG = '5d1113b25a115342acc2d0f4'
const OTHER_ORG = '5980cfdf0b6d97029d82f86f'

const owners = [ORG, OTHER_ORG].map((orgId) => ({ roleName: 'ORG_OWNER', orgId }))

/** Two organizations with a project each; the calling key owns both. */
const fixture = (): object => {
  const base = fixtureWith() as { organizations: any[]; projects: object[] }
  const [acme] = base.organizations
  const apiKeys = acme.apiKeys.map((key: any) =>
    key.publicKey === CI.publicKey ? { ...key, roles: owners } : key,
  )
  return {
    organizations: [
      { ...acme, apiKeys },
      { id: OTHER_ORG, name: 'Other' },
    ],
    projects: [
      ...base.projects,
      {
        id: OTHER_PROJECT,
        orgId: OTHER_ORG,
        name: 'ledger',
        alertConfigs: [{ id: CONFIG, eventTypeName: 'HOST_DOWN', enabled: true }],
      },
      { id: MORE, orgId: OTHER_ORG, name: 'more' },
    ],
  }
}

const WINDOW = 'alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z'

/** A window in each named project. */
const manifestOf = (orgId: string, names: readonly string[]): string =>
  manifestWith({
    apiKeys: '',
    users: '',
    alertConfigurations: '',
    integrations: '',
    maintenanceWindows: names
      .map((name) => `  in-${name}: { projectId: ${name}, ${WINDOW}, description: of ${name} }\n`)
      .join(''),
  }).replace(
    'projects:\n',
    `projects:\n  ledger: { id: ${OTHER_PROJECT}, orgId: ${orgId} }\n  more: { id: ${MORE}, orgId: ${OTHER_ORG} }\n`,
  )

const begun = async (
  orgId: string,
  names: readonly string[],
  settings: Record<string, string> = {},
): Promise<Scene> => {
  const here = await begin({ fixture: fixture(), settings })
  await applied(here, manifestOf(orgId, names))
  return here
}

const unseen = async (here: Scene, command: string, ...words: string[]): Promise<string[]> => {
  const { document } = await here.json(command, ...words)
  return document.warnings.filter((each: string) => each.includes('is about'))
}

const LATER = { advance: 'PT11M' }

const WARNING = expect.stringMatching(
  new RegExp(
    `^no event of organization ${ORG} is about project ledger, though this key wrote there at 20.*orgId`,
  ),
)

/** What somebody else does elsewhere in the organization shows that its events tell about windows. */
const silencedBeside = (here: Scene): Promise<any> =>
  here.outside('POST', `/groups/${PROJECT}/maintenanceWindows/`, {
    alertTypeNames: ['HOST'],
    startDate: '2035-01-06T02:00:00Z',
    endDate: '2035-01-06T04:00:00Z',
  })

it.each([
  ['one that others use', ['ledger']],
  ['that of another project', ['ledger', 'payments']],
])('is told of by plan, apply and drift: %s', async (_, names) => {
  const here = await begun(ORG, names)
  await silencedBeside(here)
  // Events can be late, so there is no warning yet.
  expect(await unseen(here, 'plan')).toEqual([])
  await here.control('POST', 'clock', LATER)
  expect(await unseen(here, 'plan')).toEqual([WARNING])
  expect(await unseen(here, 'drift')).toEqual([WARNING])
  expect(await unseen(here, 'drift', '--unmanaged', 'off')).toEqual([WARNING])
  expect(await unseen(here, 'apply', '--auto-approve')).toEqual([WARNING])
})

it('is told of where no project names its organization, as in a stack', async () => {
  const named = manifestOf(ORG, ['ledger']).replace(/^ {2}ledger: .*\n/m, '')
  const here = await begin({ fixture: fixture() })
  await applied(here, named.replace('projectId: ledger', `projectId: ${OTHER_PROJECT}`))
  await silencedBeside(here)
  await here.control('POST', 'clock', LATER)
  const said = expect.stringContaining(`no event of organization ${ORG} is about project ${OTHER_PROJECT}`)
  expect(await unseen(here, 'plan')).toEqual([said])
  expect(await unseen(here, 'drift')).toEqual([said])
})

it('is told of by drift where only lists were read for a plan', async () => {
  const alert = `  noisy: { projectId: ledger, alertConfigId: ${CONFIG}, enabled: false }\n`
  const here = await begin({ fixture: fixture() })
  const manifest = manifestOf(ORG, []).replace(/alertConfigurations:.*\n/, '')
  await applied(here, `${manifest}\nalertConfigurations:\n${alert}`)
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d0f3`, { enabled: true })
  await here.control('POST', 'clock', LATER)
  expect(await unseen(here, 'plan')).toEqual([])
  expect(await unseen(here, 'drift')).toEqual([WARNING])
})

it.each<[string, Record<string, string>]>([
  ['tell it', {}],
  ['are none', { 'open.events': 'none' }],
  ['are of organizations alone', { 'open.projectEventsInOrganizationList': 'excluded' }],
  ['tell no changes', { 'open.events': 'some' }],
])('nothing is told of a project in its own organization where events %s', async (_, settings) => {
  const names = ['ledger', 'more']
  const here = await begun(OTHER_ORG, names, settings)
  await here.control('POST', 'clock', { advance: 'PT1H' })
  await applied(here, manifestOf(OTHER_ORG, names).replace('of ledger', 'changed'))
  await here.control('POST', 'clock', LATER)
  for (const command of ['plan', 'drift']) expect(await unseen(here, command)).toEqual([])
})
