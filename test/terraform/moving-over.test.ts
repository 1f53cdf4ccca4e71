/** From Terraform to a manifest and back, as docs/terraform-json.md shows it. */
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf, commandLinesIn } from '../support/command-lines.ts'
import { runHere } from '../support/command.ts'
import { CI, ONCALL, PROJECT } from '../support/installation.ts'
import { only } from '../support/scene.ts'
import { noTerraform, ROOT } from './support/terraform.ts'
import { applied, begin, windowsIn, type Workspace } from './support/workspace.ts'

const page = await readFile(join(ROOT, 'docs', 'terraform-json.md'), 'utf8')
const shown = (heading: string): string => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
const there = shown('From Terraform to a manifest')
const back = shown('From a manifest to Terraform')
const [removed = ''] = blocksOf(there, 'terraform')
const [imported = ''] = blocksOf(back, 'terraform')
const ID = /"january" : "(\w+)"/.exec(imported)?.[1] ?? ''
const [, january = ''] = (blocksOf(there, 'yaml')[0] ?? '').split('\n')
const made = imported.replace(/^import \{[^]*?^\}\n/m, '')

/** Runs the command beside Terraform. */
const run = ({ folder, env }: Workspace, words: readonly string[], key = CI) => {
  const { publicKey, privateKey } = key
  const keys = { DEPLOYMGMT_PUBLIC_KEY: publicKey, DEPLOYMGMT_PRIVATE_KEY: privateKey }
  return runHere({ folder, env: { ...env, ...keys } }, words)
}
const declare = (here: Workspace, ...lines: string[]): Promise<void> =>
  writeFile(join(here.folder, 'deploymgmt.yaml'), only('maintenanceWindows', lines.join('\n')))
const apply = (here: Workspace, key = CI) => run(here, ['apply', '--auto-approve'], key)
const without = january.replace(` windowId: ${ID},`, '')
const february = without.replace('january', 'february').replaceAll('2035-01', '2035-02')

const isMissing = noTerraform || spawnSync('jq').error !== undefined

describe.skipIf(isMissing)('what docs/terraform-json.md shows', () => {
  it('brings a window to a manifest, which is not created again', async () => {
    const here = await applied(made)
    await here.change(removed)
    expect(await here.newWrites()).toEqual([])
    const [{ id }] = await windowsIn(here)
    await declare(here, january.replace(ID, id))
    const [init = [], plan = [], ...more] = commandLinesIn(blocksOf(there, 'sh').join(''))
    expect(more).toEqual([['apply']])
    await run(here, init)
    expect((await run(here, plan)).stdout).toMatch(/\n1 to adopt and change$/m)
    expect(await apply(here)).toMatchObject({ code: 0 })
    expect(await here.newWrites()).toEqual([`PATCH /groups/${PROJECT}/maintenanceWindows/${id}`])
  })

  it('brings a window back to Terraform, which is not created again', async () => {
    const here = await begin()
    await declare(here, without)
    await run(here, ['state', 'init'])
    await apply(here)
    await here.newWrites()
    const [list = [], forget = []] = commandLinesIn(blocksOf(back, 'sh').join(''))
    const { stdout: input } = await run(here, list)
    const filter = /\| jq '(.*)'/.exec(back)?.[1] ?? ''
    const { stdout: ids } = spawnSync('jq', [filter], { input, encoding: 'utf8' })
    expect(await run(here, forget)).toMatchObject({ code: 0 })
    await here.configure(imported.replace(/\{\n.*"january" .*\n {2}\}/, ids))
    expect((await here.expect(0, 'plan')).said).toContain('1 to import, 0 to add, 1 to change')
    await here.apply()
    const [{ id }, ...others] = await windowsIn(here)
    expect(others).toEqual([])
    expect(await here.newWrites()).toEqual([`PATCH /groups/${PROJECT}/maintenanceWindows/${id}`])
    await here.expectNoChanges()
  })

  it('stops a manifest that has the key of Terraform, and none with a key of its own', async () => {
    const here = await begin()
    await declare(here, without)
    await run(here, ['state', 'init'])
    await apply(here)
    await here.change(made)
    await declare(here, without, february)
    expect(await apply(here)).toMatchObject({ code: 3 })
    expect(await windowsIn(here)).toHaveLength(2)
    expect(await apply(here, ONCALL)).toMatchObject({ code: 0 })
    expect(await windowsIn(here)).toHaveLength(3)
    expect((await run(here, ['drift'], ONCALL)).stdout).toMatch(/unmanaged +maintenanceWindows \w+/)
  })

  it('lets it go on where the windows of Terraform are disowned, until there is another', async () => {
    const here = await applied(made)
    await declare(here, february)
    await run(here, ['state', 'init'])
    await writeFile(join(here.folder, 'more.yaml'), 'version: 1\notherStates: [./terraform.tfstate]\n')
    const files = ['-f', 'deploymgmt.yaml', '-f', 'more.yaml']
    expect((await run(here, ['plan', ...files])).code).toBe(1)
    expect(await apply(here)).toMatchObject({ code: 3 })
    await run(here, ['state', 'disown', '--everything'])
    expect(await apply(here)).toMatchObject({ code: 0 })
    await here.change(made + made.replace(/locals \{[^]*?^\}\n/m, '').replace('"migration"', '"other"'))
    await declare(here, february, february.replace('february', 'march').replaceAll('2035-02', '2035-03'))
    expect(await apply(here)).toMatchObject({ code: 3 })
  })
})
