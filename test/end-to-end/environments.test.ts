/** Staging and production of examples/yaml/environments, each with its own state, at one service. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OTHER_PROJECT, begin, twoProjects } from '../support/scene.ts'
import { ORG, PROJECT } from '../support/installation.ts'

const EXAMPLE = join(import.meta.dirname, '../../examples/yaml/environments')
const HOST_DOWN = { id: '5d1113b25a115342acc2d0f4', eventTypeName: 'HOST_DOWN', enabled: true }

const flagsOf = (name: string): string[] =>
  `-f base.yaml -f ${name}/overlay.yaml --var-file ${name}/variables.yaml`.split(' ')

const environments = async () => {
  const here = await begin({ fixture: twoProjects({}, { alertConfigs: [HOST_DOWN] }) })
  await cp(EXAMPLE, here.folder, { recursive: true })
  for (const name of ['staging', 'production'])
    expect(await here.run('state', 'init', ...flagsOf(name))).toMatchObject({ code: 0 })
  return here
}

it('each environment is planned, applied and then in sync, and neither touches the other', async () => {
  const here = await environments()
  for (const [name, projectId, day, types] of [
    ['staging', OTHER_PROJECT, '2035-01-05T02:00:00Z', ['HOST', 'REPLICA_SET', 'CLUSTER']],
    ['production', PROJECT, '2035-01-06T03:00:00Z', ['HOST']],
  ] as const) {
    const { document } = await here.json('plan', ...flagsOf(name), '--all')
    const window = document.changes.find(({ action }: any) => action === 'create')
    expect(window.after).toMatchObject({ projectId, startDate: day, alertTypeNames: types })
    const addresses = document.changes.map(({ address }: any) => address)
    expect(addresses.includes('integrations.paging')).toBe(name === 'production')
    expect(await here.run('apply', '--auto-approve', ...flagsOf(name))).toMatchObject({ code: 0 })
    expect((await here.json('plan', ...flagsOf(name))).document.inSync).toBe(true)
  }
  expect((await here.json('plan', ...flagsOf('staging'))).document.inSync).toBe(true)
})

it('one environment is never applied with the state of the other', async () => {
  const here = await environments()
  const ran = await here.run('plan', ...flagsOf('staging'), '--state', 'production/deploymgmt.state.json')
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('example-production')
})

it('what keeps a drift is a patch of the file that says the value', async () => {
  const id = '5d1113b25a115342acc2d1aa'
  const top = 'version: 1\nname: test\n'
  const here = await begin({
    manifest: `${top}defaults: { projectId: ${PROJECT} }\nalertConfigurations:\n  noisy: { alertConfigId: ${id}, enabled: true }\n`,
  })
  const overlay = `${top}alertConfigurations:\n  noisy:\n    enabled: false # too noisy\n`
  await writeFile(join(here.folder, 'over.yaml'), overlay)
  const flags = ['-f', 'deploymgmt.yaml', '-f', 'over.yaml']
  expect(await here.run('apply', '--auto-approve', ...flags)).toMatchObject({ code: 0 })
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled: true })
  const { document } = await here.json('drift', ...flags)
  const [{ keep }] = document.resources.filter(({ verdict }: any) => verdict === 'drifted')
  expect(keep.text).toBe('set enabled: true at over.yaml:5')
  execFileSync('patch', ['-p0'], { cwd: here.folder, input: keep.patch })
  expect(await readFile(join(here.folder, 'over.yaml'), 'utf8')).toBe(overlay.replace('false', 'true'))
})

it('a saved plan of several files is applied as it was saved, and refused once one of them has changed', async () => {
  const here = await environments()
  const plan = () => here.run('plan', ...flagsOf('production'), '--out', 'plan.json')
  expect(await plan()).toMatchObject({ code: 0 })
  for (const file of ['production/variables.yaml', 'production/overlay.yaml', 'base.yaml']) {
    const before = await readFile(join(here.folder, file), 'utf8')
    await writeFile(join(here.folder, file), `${before}# edited\n`)
    const { code, stderr } = await here.run('apply', 'plan.json', '--auto-approve')
    expect(code).not.toBe(0)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `the manifests have changed since the plan was made: ${file}`,
    )
    await writeFile(join(here.folder, file), before)
  }
  const beside = await here.run('apply', 'plan.json', '--var-file', 'staging/variables.yaml')
  expect(beside.stderr).toContain('--var-file cannot be combined with a saved plan')
  expect(await here.run('plan', 'plan.json', '--out', 'another.json')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('--out cannot be combined with a saved plan'),
  })
  expect(await here.run('apply', 'plan.json', '--auto-approve')).toMatchObject({ code: 0 })
  expect((await here.json('plan', ...flagsOf('production'))).document.inSync).toBe(true)
})

it('a second manifest without a flag is not just called a saved plan', async () => {
  const here = await environments()
  const { code, stderr } = await here.run('plan', '-f', 'base.yaml', 'production/overlay.yaml')
  expect(code).toBe(1)
  expect(stderr).toContain('-f production/overlay.yaml')
})

it('no report replaces a file of variables', async () => {
  const here = await environments()
  const { code, stderr } = await here.run('plan', ...flagsOf('staging'), '--output', 'staging/variables.yaml')
  expect(code).toBe(1)
  expect(stderr).toContain('staging/variables.yaml')
  expect(await readFile(join(here.folder, 'staging/variables.yaml'), 'utf8')).toContain('REPLICA_SET')
})

it('a plan explains where the values of an entry come from', async () => {
  const here = await environments()
  const words = [...flagsOf('production'), '--explain', 'maintenanceWindows.storage-work']
  const { document } = await here.json('plan', ...words, '--var', 'day=2035-01-07')
  const from = Object.fromEntries(document.explained.values.map((each: any) => [each.field, each.from]))
  expect(from).toMatchObject({
    projectId: [
      { is: 'defaults', at: 'base.yaml:12:14' },
      { is: 'project', name: 'projects.payments.id', at: 'base.yaml:10:19' },
    ],
    startDate: [
      { is: 'declared', at: 'base.yaml:20:16' },
      { is: 'command-line', name: 'var.day' },
      { is: 'variable', name: 'var.hours.from', at: 'production/variables.yaml:1:16' },
    ],
    description: [{ is: 'declared', at: 'production/overlay.yaml:9:18' }],
    protect: [{ is: 'defaults', at: 'production/overlay.yaml:6:12' }],
  })
  const { stdout } = await here.run('plan', ...words)
  expect(stdout).toMatch(/^Where the values of maintenanceWindows\.storage-work come from:\n/)
  // The plan is what is asked for, too.
  const saving = await here.run('plan', ...words, '--out', 'saved.plan')
  expect(saving.stdout).toMatch(/^deploymgmt plan .*Where the values of maintenanceWindows\.storage-work/s)
  const markdown = await here.run('plan', ...words, '--format', 'markdown')
  expect(markdown.stdout).toMatch(/to create.*Where the values of/s)
  expect(stdout).toMatch(/description +production\/overlay\.yaml:9:18/)
  const wrong = await here.run(
    'plan',
    ...flagsOf('production'),
    '--explain',
    'maintenanceWindows.storage-wrk',
  )
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toContain('Did you mean maintenanceWindows.storage-work?')
})

it('of a value that others give, what keeps a drift names where they say it', async () => {
  const id = '5d1113b25a115342acc2d1aa'
  const entry = `noisy: { alertConfigId: ${id}, enabled: "\${var.loud}" }`
  const here = await begin({
    manifest: `version: 1\nname: test\nvariables:\n  loud: { default: true }\ndefaults: { projectId: ${PROJECT} }\nalertConfigurations:\n  ${entry}\n`,
  })
  await writeFile(join(here.folder, 'values.yaml'), '# of this environment\nloud: false\n')
  const keptBy = async (...flags: string[]): Promise<string> => {
    const { document } = await here.json('drift', ...flags)
    return document.resources.find(({ verdict }: any) => verdict === 'drifted').keep.text
  }
  const flags = ['--var-file', 'values.yaml']
  expect(await here.run('apply', '--auto-approve', ...flags)).toMatchObject({ code: 0 })
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled: true })
  const set = 'set enabled: true at deploymgmt.yaml:7, which takes it from var.loud'
  expect(await keptBy(...flags)).toBe(`${set} at values.yaml:2`)
  expect(await keptBy('--var', 'loud=false')).toBe(`${set} from --var`)
})

it.each([
  ['folders', ['-f', 'common', '-f', 'production'], ['-f', 'common', '-f', 'staging']],
  [
    'files',
    ['-f', 'common/base.yaml', '-f', 'production/overlay.yaml'],
    ['-f', 'common/base.yaml', '-f', 'staging/overlay.yaml'],
  ],
])(
  'what adopt finds for one environment is beside what that one alone consists of: %s',
  async (_, production, staging) => {
    const here = await begin({ fixture: twoProjects({}, { alertConfigs: [HOST_DOWN] }) })
    await mkdir(join(here.folder, 'common'))
    await writeFile(join(here.folder, 'common/base.yaml'), 'version: 1\nname: shared\n')
    for (const [name, id] of [
      ['production', PROJECT],
      ['staging', OTHER_PROJECT],
    ] as const) {
      await mkdir(join(here.folder, name))
      const own = `version: 1\nname: ${name}\nprojects: { shop: { id: ${id}, orgId: ${ORG} } }\n`
      await writeFile(join(here.folder, name, 'overlay.yaml'), own)
    }
    for (const [name, flags] of [
      ['production', production],
      ['staging', staging],
    ] as const) {
      const { code, stdout } = await here.run('adopt', ...flags)
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`${name}/deploymgmt.adopted.yaml`),
      })
      const [, next = ''] = /Next: deploymgmt (plan.*)/.exec(stdout) ?? []
      expect((await here.json(...(next.split(' ') as [string]))).document.summary.adopt).toBeGreaterThan(0)
      expect((await here.run('adopt', ...flags)).stdout).toContain('nothing new')
    }
    expect(await readdir(join(here.folder, 'common'))).toEqual(['base.yaml'])
  },
)

const windowFrom = (date: string): string =>
  `version: 1\nname: test\ndefaults: { projectId: ${PROJECT} }\nmaintenanceWindows:\n  patching: { alertTypeNames: [HOST], startDate: ${date}T01:00:00Z, endDate: ${date}T06:00:00Z }\n`

it('two files with one name are warned of, and a plan names the file whose values count', async () => {
  const here = await begin({ manifest: windowFrom('2035-01-01') })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await writeFile(join(here.folder, 'b.yaml'), windowFrom('2035-02-01'))
  const flags = ['-f', 'deploymgmt.yaml', '-f', 'b.yaml']
  for (const words of [['validate'], ['plan'], ['apply', '--auto-approve']]) {
    const { stdout, stderr } = await here.run(...words, ...flags)
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /b\.yaml:5:3 warning: maintenanceWindows\.patching: an earlier --file declares it in full, too.*also at deploymgmt\.yaml:5:3/,
    )
    expect(stdout.includes('startDate, endDate from b.yaml:5')).toBe(words[0] !== 'validate')
  }
})
