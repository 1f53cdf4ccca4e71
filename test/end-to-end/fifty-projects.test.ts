/** Fifty projects with common entries and three exceptions. */
import { expect, it } from 'vitest'
import { CI, ORG } from '../support/installation.ts'
import { begin } from '../support/scene.ts'

const EXCEPT = [3, 17, 42]
const projects = Array.from({ length: 50 }, (_, index) => {
  const two = String(index).padStart(2, '0')
  return {
    id: `5c8100bcf2a30b12ff88${two}a0`,
    orgId: ORG,
    name: `team-${two}`,
    alertConfigs: [
      { id: `5d1113b25a115342acc2${two}f0`, eventTypeName: 'HOST_DOWN', enabled: index !== 5 },
      { id: `5d1113b25a115342acc2${two}f1`, eventTypeName: 'BACKUP', enabled: false },
    ],
    integrations: [{ type: 'PAGING', serviceKey: 'x' }],
  }
})
/** Two projects on each line. */
const named = projects.map(({ id, name }, index) => `${index % 2 === 0 ? '  ' : ' '}${name}: { id: ${id} },`)
const MANIFEST = [
  'version: 1',
  'name: test',
  `defaults: { orgId: ${ORG} }`,
  'projects: {',
  ...named.flatMap((each, index) => (index % 2 === 0 ? [`${each}${named[index + 1] ?? ''}`] : [])),
  '  }',
  'alertConfigurations:',
  '  down: { projectIds: { all: true, except: [team-03, team-17, team-42] }, select: { eventTypeName: HOST_DOWN }, enabled: true }',
  '  not-watched: { projectIds: [team-03, team-17], select: { eventTypeName: HOST_DOWN }, enabled: false }',
  '  moving: { projectId: team-42, select: { eventTypeName: HOST_DOWN }, enabled: false, onRemove: restore }',
  'integrations:',
  '  paging: { projectIds: all, type: PAGING }',
].join('\n')
const owner = {
  id: '5c47503320eef5699e1cce8d',
  desc: 'CI',
  ...CI,
  roles: [{ roleName: 'ORG_OWNER', orgId: ORG }],
}

it('at most 40 lines plan right: on everywhere but in three projects, which are off', async () => {
  expect(MANIFEST.split('\n').length).toBeLessThanOrEqual(40)
  const here = await begin({
    fixture: { organizations: [{ id: ORG, name: 'Acme', apiKeys: [owner] }], projects },
    manifest: MANIFEST,
  })
  const { document } = await here.json('plan')
  expect(document.summary).toMatchObject({ adopt: 100, create: 0, update: 0, delete: 0, blocked: 0 })
  const written = document.changes.filter(({ requests }: any) => requests.length > 0)
  const wanted = Object.fromEntries(written.map(({ after }: any) => [after.projectId, after.enabled]))
  expect(wanted).toEqual({
    ...Object.fromEntries(EXCEPT.map((index) => [projects[index]?.id, false])),
    [projects[5]?.id ?? '']: true,
  })
  const { code } = await here.run('apply', '--auto-approve')
  expect(code).toBe(0)
  expect((await here.json('plan')).document.inSync).toBe(true)
})
