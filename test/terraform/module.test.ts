/** `examples/terraform/project-baseline` as a module: its own tests, run by `terraform test`, and its page. */
import { cp, glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { brokenLinks } from '../support/links.ts'
import { noTerraform, ROOT } from './support/terraform.ts'
import { begin, type Workspace } from './support/workspace.ts'

const PLACE = join('examples', 'terraform', 'project-baseline')
const read = (name: string): Promise<string> => readFile(join(ROOT, PLACE, name), 'utf8')
const fixture = load(await read('tests/fixture.yaml')) as any
const [{ publicKey, privateKey }] = fixture.organizations[0].apiKeys
const key = { DEPLOYMGMT_PUBLIC_KEY: publicKey, DEPLOYMGMT_PRIVATE_KEY: privateKey }

/** The cells of a row of a table. */
const cellsOf = (row: string): string[] => row.slice(2, -2).split(' | ')

/** A copy of the module, next to the installation that its tests use. */
const withModule = async (): Promise<Workspace> => {
  const here = await begin({ fixture, env: key })
  await cp(join(ROOT, PLACE), here.folder, { recursive: true })
  await here.expect(0, 'get')
  return here
}

describe.skipIf(noTerraform)('the module project-baseline', () => {
  it('passes its own tests of plans, which write nothing', async () => {
    const here = await withModule()
    const { said } = await here.expect(0, 'test', '-filter=tests/plan.tftest.hcl')
    const runs = (await read('tests/plan.tftest.hcl')).match(/^run "/gm) ?? []
    expect(said).toContain(`Success! ${runs.length} passed, 0 failed.`)
    expect(await here.writes()).toEqual([])
  })

  it('passes its own tests of applies, after which the windows have ended', async () => {
    const here = await withModule()
    const { said } = await here.expect(0, 'test', '-filter=tests/apply.tftest.hcl')
    const runs = (await read('tests/apply.tftest.hcl')).match(/^run "/gm) ?? []
    expect(said).toContain(`Success! ${runs.length} passed, 0 failed.`)
    const { projects } = await here.control('GET', 'dump')
    expect(projects[0].integrations).toMatchObject([{ type: 'PAGING' }])
    expect(projects[0].maintenanceWindows).toHaveLength(2)
    for (const { endDate } of projects[0].maintenanceWindows) expect(endDate < '2035').toBe(true)
  })

  it('fails its own tests where the service is otherwise', async () => {
    const here = await withModule()
    await here.outside('DELETE', '/groups/5c8100bcf2a30b12ff88258f/integrations/PAGING', undefined, {
      publicKey,
      privateKey,
    })
    const { said } = await here.expect(1, 'test', '-filter=tests/plan.tftest.hcl')
    expect(said).toContain('has_a_window_for_each_night')
    expect(said).toContain('not found')
  })

  it('gives a project what it needs where its example calls it, and nothing is left to do', async () => {
    const here = await withModule()
    const inExample = (code: number, ...words: string[]) =>
      here.expect(code, '-chdir=examples/payments', ...words)
    await inExample(0, 'get')
    await inExample(0, 'validate')
    expect((await inExample(0, 'apply', '-auto-approve')).said).toContain('7 added')
    await inExample(0, 'plan', '-detailed-exitcode')
    const outputs = JSON.parse((await inExample(0, 'output', '-json')).stdout)
    expect(outputs.payments.value).toMatchObject({
      open_alerts: 1,
      alert_configurations: { HOST_DOWN: { '5d1113b25a115342acc2d0f3': true } },
      not_verifiable: { 'window 2035-02-04': 'recorded', 'user 5d2e1f0a9b8c7d6e5f4a3b2c': 'recorded' },
    })
    await inExample(0, 'destroy', '-auto-approve')
  })

  it('is called as its page shows', async () => {
    const here = await begin({ fixture, env: key })
    await cp(join(ROOT, PLACE), join(here.folder, 'project-baseline'), { recursive: true })
    const [, usage = ''] = /^## Usage\n\n```hcl\n([^]*?)^```$/m.exec(await read('README.md')) ?? []
    await writeFile(join(here.folder, 'main.tf'), usage)
    await here.expect(0, 'get')
    expect((await here.expect(0, 'plan')).said).toContain('6 to add')
  })
})

describe('the page of the module', () => {
  it('lists its inputs, outputs and resources with their descriptions', async () => {
    const page = await read('README.md')
    const rows = page.match(/^\| [a-z].* \|$/gm) ?? []
    const told = rows.map(cellsOf).map(([name = '', description = '']) => [name, description])
    const declared: string[][] = []
    for await (const file of glob('*.tf', { cwd: join(ROOT, PLACE) }))
      for (const [, name = '', body = ''] of (await read(file)).matchAll(
        /^(?:variable|output) "(\w+)" \{\n([^]*?)^\}/gm,
      ))
        declared.push([name, /description = "(.*)"/.exec(body)?.[1] ?? 'none'])
    expect(declared).toHaveLength(12)
    expect(told).toEqual(expect.arrayContaining(declared))
    const required = (await read('variables.tf'))
      .split(/^(?=variable )/m)
      .flatMap((each) => (/ default +=/.test(each) ? [] : [/variable "(\w+)"/.exec(each)?.[1] ?? '']))
    const needed = rows
      .map(cellsOf)
      .filter((cells) => cells.at(-1) === 'yes')
      .map(([name]) => name)
    expect(needed).toEqual(required)
    const blocks = [...(await read('main.tf')).matchAll(/^resource "(\w+)" "(\w+)"/gm)]
    for (const [, type, name] of blocks) expect(page).toContain(`| [${type}.${name}](`)
  })

  it('links to what exists', async () => {
    expect(await brokenLinks(join(PLACE, 'README.md'), await read('README.md'))).toEqual([])
  })
})
