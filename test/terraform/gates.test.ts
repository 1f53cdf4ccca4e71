/** The gate that docs/deployment.md shows for Terraform. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../support/command-lines.ts'
import { PROJECT } from '../support/installation.ts'
import { noTerraform, ROOT } from './support/terraform.ts'
import { begin, configured, windowsIn, type Workspace } from './support/workspace.ts'

const page = await readFile(join(ROOT, 'docs', 'deployment.md'), 'utf8')
const [gate = ''] = blocksOf(page, 'terraform')
const unread = gate.replace('  depends_on = [terraform_data.each_apply]\n', '')
const check = `check "quiet" {
  assert {
    condition     = data.deploymgmt_alerts.open.total_count == 0
    error_message = "Not quiet."
  }
}
`

/** Plans while no alert is open, and opens one. */
const planned = async (hcl: string): Promise<Workspace> => {
  const here = await configured(hcl)
  await here.plan()
  await opened(here)
  return here
}

const opened = async (here: Workspace): Promise<void> => {
  const condition = { projectId: PROJECT, alertConfigId: '5d1113b25a115342acc2d1aa' }
  await here.control('POST', 'conditions', { ...condition, active: true })
  await here.control('POST', 'clock', { advance: 'PT1H' })
  const { alerts } = await here.control('POST', 'conditions', { ...condition, active: true })
  expect(alerts).toMatchObject([{ status: 'OPEN' }])
}

describe.skipIf(noTerraform)('a gate in Terraform, as docs/deployment.md shows it', () => {
  it('stops the apply of a saved plan while an alert is open, which has to be planned again then', async () => {
    const here = await planned(gate)
    expect((await here.expect(1, 'apply', 'saved.plan')).said).toContain('Alerts are open in this project.')
    expect(await windowsIn(here)).toEqual([])
    await here.control('POST', 'conditions', {
      projectId: PROJECT,
      alertConfigId: '5d1113b25a115342acc2d1aa',
      active: false,
    })
    expect((await here.expect(1, 'apply', 'saved.plan')).said).toContain('Saved plan is stale')
    await here.apply()
    expect(await windowsIn(here)).toHaveLength(1)
  })

  it('stops nothing where the data source was read in the plan', async () => {
    const here = await planned(unread)
    await here.expect(0, 'apply', 'saved.plan')
    expect(await windowsIn(here)).toHaveLength(1)
    expect((await here.expect(1, 'plan')).said).toContain('Alerts are open in this project.')
  })

  it('only warns where it is a check', async () => {
    const here = await planned(gate.replace(/^ +lifecycle \{[^]*?^ {2}\}\n/m, '') + check)
    const { said } = await here.expect(0, 'apply', 'saved.plan')
    expect(said).toMatch(/Warning: Check block assertion failed .*Not quiet\./)
  })

  const isMissing = spawnSync('jq').error !== undefined
  it.skipIf(isMissing)('leaves nothing else to do, as the filter beside it shows', async () => {
    const filter = /\| jq '(\[.*?)'`/.exec(page)?.[1] ?? ''
    const here = await begin()
    const left = async (): Promise<string> => {
      await here.plan()
      const { stdout: input } = await here.expect(0, 'show', '-json', 'saved.plan')
      return spawnSync('jq', [filter], { input, encoding: 'utf8' }).stdout
    }
    // Otherwise a plan in the same second has the same time.
    await here.change(gate.replace('plantimestamp()', '"before"'))
    await here.configure(gate)
    await here.expect(2, 'plan', '-detailed-exitcode')
    expect(await left()).toBe('0\n')
    await here.configure(gate.replace('["HOST"]', '["HOST", "REPLICA_SET"]'))
    expect(await left()).toBe('1\n')
  })
})
