import { expect, it } from 'vitest'
import { CI, ORG } from '../support/installation.ts'
import { begin, type Scene } from '../support/scene.ts'

const owner = {
  id: '5c47503320eef5699e1cce8d',
  desc: 'CI',
  ...CI,
  roles: [{ roleName: 'ORG_OWNER', orgId: ORG }],
}
const hex = (index: number): string => index.toString(16).padStart(8, '0')

/** Projects with two alert configurations and an integration each, and common entries for all of them. */
const organization = (count: number) => {
  const projects = Array.from({ length: count }, (_, index) => ({
    id: `5c8100bcf2a30b12${hex(index)}`,
    orgId: ORG,
    name: `team-${String(index)}`,
    alertConfigs: [
      { id: `5d1113b25a115341${hex(index)}`, eventTypeName: 'HOST_DOWN', enabled: true },
      { id: `5d1113b25a115342${hex(index)}`, eventTypeName: 'BACKUP', enabled: true },
    ],
    integrations: [{ type: 'PAGING', serviceKey: 'x' }],
  }))
  const manifest = [
    'version: 1',
    'name: test',
    `defaults: { orgId: ${ORG} }`,
    'projects:',
    ...projects.map(({ id, name }) => `  ${name}: { id: ${id} }`),
    'alertConfigurations:',
    '  down: { projectIds: all, select: { eventTypeName: HOST_DOWN }, enabled: true }',
    '  backup: { projectIds: all, select: { eventTypeName: BACKUP }, enabled: true }',
    'integrations:',
    '  paging: { projectIds: all, type: PAGING }',
  ].join('\n')
  return { fixture: { organizations: [{ id: ORG, name: 'Acme', apiKeys: [owner] }], projects }, manifest }
}

/** The number of requests to each endpoint, and of Digest challenges. */
const countsOf = async (here: Scene, ...words: string[]): Promise<Record<string, number>> => {
  await here.forgetRequests()
  expect(await here.run(...words)).toMatchObject({ code: 0 })
  return (await here.requests()).counts
}

/** Each list is read once for each project, however many entries and records are compared with it. */
const least = (projects: number) => ({
  challenges: 1,
  'GET /groups/{projectId}/alertConfigs': projects,
  'GET /groups/{projectId}/integrations': projects,
})

it.each([8, 100, 1000])('a plan of %i projects asks for each list once', async (count) => {
  const here = await begin(organization(count))
  expect(await countsOf(here, 'plan')).toEqual(least(count))
})

it.each([8, 100])('a plan of %i projects that are applied asks for no more', async (count) => {
  const here = await begin(organization(count))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await countsOf(here, 'plan', '--detailed-exitcode')).toEqual(least(count))
})
