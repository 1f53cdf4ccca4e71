import { createClient } from '@deploymgmt/provider/api'
import { found } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { expect, test } from 'vitest'
import { CI, ORG, PROJECT } from '../../support/installation.ts'
import { team } from '../../support/team.ts'
import { startTeamService } from '../../support/team-service.ts'

/** All kinds of the API with lists belong to projects. Others are looked for where they are. */

test('things of an organization are proposed once, however many projects it has, and no place counts as absent', async () => {
  const { baseUrl, teams } = await startTeamService()
  const id = '5d1113b25a115342acc2d2bb'
  teams.set(id, { id, name: 'Operators', usernames: ['dana@example.com'] })
  const projects = [PROJECT, '5c8100bcf2a30b12ff882590']
  const { proposals, absent, refused } = await found(createClient({ baseUrl, ...CI }), {
    definitions: [...kinds, team],
    declaration: {
      name: 'test',
      entries: [],
      organizations: new Map(projects.map((project) => [project, ORG])),
      orgIds: [],
      projectNames: new Map(),
    },
    records: {},
    places: projects.map((projectId) => ({ projectId })),
    isMentioned: () => false,
    elsewhere: () =>
      Promise.resolve({
        records: [],
        known: [],
        mayBeKnown: () => ({ excused: new Set(), contested: new Set() }),
      }),
    isIgnored: () => false,
    inCommon: true,
    again: false,
  })
  expect({ absent, refused }).toEqual({ absent: [], refused: [] })
  expect(proposals).toMatchObject([
    { place: { orgId: ORG }, values: { teamId: id, name: 'Operators' }, keys: [id] },
  ])
})
