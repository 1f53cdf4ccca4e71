import { kinds } from '@deploymgmt/provider/kinds'
import { expect, onTestFinished, test } from 'vitest'
import { install, ORG } from '../support/installation.ts'
import { team } from '../support/team.ts'
import { startTeamService } from '../support/team-service.ts'
import { serveProvider } from './support/provider.ts'
import { noTerraform } from './support/terraform.ts'
import { workspaceIn } from './support/workspace.ts'

/** No kind of the API can be both created and read. A definition can say both. */

const OPERATORS = `resource "deploymgmt_team" "operators" {
  org_id    = "${ORG}"
  name      = "Operators"
  usernames = ["dana@example.com"]
}
`

test.skipIf(noTerraform)(
  'a thing that can be created and read is created again once it is gone',
  async () => {
    const { baseUrl, teams, writes } = await startTeamService()
    const here = await install()
    onTestFinished(() => here.close())
    const env = { ...here.env, DEPLOYMGMT_BASE_URL: baseUrl }
    const reattach = await serveProvider(env, undefined, [...kinds, team])
    const workspace = workspaceIn(here, { ...env, TF_REATTACH_PROVIDERS: reattach })
    await workspace.change(OPERATORS)
    await workspace.expectNoChanges()
    teams.clear()
    const { changes } = await workspace.plan()
    expect(changes).toMatchObject([{ address: 'team.operators', actions: ['create'] }])
    await workspace.apply()
    await workspace.expectNoChanges()
    expect(writes).toEqual([`POST /orgs/${ORG}/teams`, `POST /orgs/${ORG}/teams`])
  },
)
