import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startProxy } from '../support/proxy.ts'
import { install } from '../support/installation.ts'
import { everyKind, noisy } from './support/hcl.ts'
import { noTerraform, ROOT, startTerraform, unzipped } from './support/terraform.ts'
import { workspaceIn, type Workspace } from './support/workspace.ts'

let dist = ''
beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'dm-release-'))
  // In a process of its own, as npm runs it.
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'provider', 'package.ts'), dist])
})
afterAll(() => rm(dist, { recursive: true, force: true }))

/** As a user's machine is: the provider comes from a filesystem mirror, and `init` locks it. */
const installed = async (
  more: Record<string, string> = {},
): Promise<Workspace & { env: Record<string, string> }> => {
  const here = await install()
  onTestFinished(() => here.close())
  const settings = join(here.folder, 'settings.tfrc')
  await writeFile(
    settings,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(join(dist, 'mirror'))}\n  }\n}\n`,
  )
  const env = { ...here.env, TF_CLI_CONFIG_FILE: settings, TMPDIR: here.folder, ...more }
  return { ...workspaceIn(here, env), env }
}

/** Text by which a secret of the fixture would be known. */
const CANARY = /canary/

describe.skipIf(noTerraform)('a workspace with every kind, through a filesystem mirror', () => {
  it('is initialised, validated, planned, applied and destroyed, and no secret is left anywhere', async () => {
    const here = await installed()
    await here.configure(everyKind())
    await here.expect(0, 'init')
    const lock = await here.read('.terraform.lock.hcl')
    expect(lock).toContain('provider "registry.terraform.io/deploymgmt/deploymgmt"')
    expect(lock).toMatch(/"h1:[^"]+"/)

    expect((await here.expect(0, 'validate')).said).toContain('The configuration is valid.')
    await here.forgetRequests()
    const log = { TF_LOG: 'TRACE', TF_LOG_PATH: join(here.folder, 'trace.log') }
    const planned = await workspaceIn(here, { ...here.env, ...log }).plan()
    expect(planned.said).toContain('Plan: 7 to add, 0 to change, 0 to destroy.')
    expect(await here.writes()).toEqual([])

    const applied = await workspaceIn(here, { ...here.env, ...log }).apply('saved.plan')
    expect(applied.said).toContain('7 added, 0 changed, 0 destroyed.')
    const again = await here.expectNoChanges()
    expect(again.said).toContain('No changes.')

    const trace = await here.read('trace.log')
    expect(trace).toMatch(
      /\[DEBUG\] .*: GET \/groups\/\w+\/alertConfigs\?\S* → 200 in \d+ ms · reads alert_conf/,
    )
    expect(trace).toMatch(/\[DEBUG\] .*: POST \/groups\/\w+\/maintenanceWindows\S* → 20\d in \d+ ms/)
    expect(trace).not.toMatch(/response=|cnonce/)
    for (const name of ['terraform.tfstate', 'trace.log']) expect(await here.read(name)).not.toMatch(CANARY)
    expect(await unzipped(join(here.folder, 'saved.plan'), 'tfplan')).not.toMatch(CANARY)
    expect(await unzipped(join(here.folder, 'saved.plan'), 'tfstate')).not.toMatch(CANARY)
    expect(await privateStates(here)).toHaveLength(7)
    expect(applied.stdout + applied.stderr + planned.stdout).not.toMatch(CANARY)

    const destroyed = await here.expect(0, 'destroy', '-auto-approve')
    expect(destroyed.said).toContain('Destroy complete! Resources: 7 destroyed.')
    expect(await readdir(here.folder)).not.toContain('crash.log')
  })

  it('leaves no provider behind when terraform is killed in the middle of an apply', async () => {
    const here = await installed()
    const proxy = await startProxy(here.baseUrl)
    onTestFinished(() => proxy.close())
    const reached = Promise.withResolvers<void>()
    proxy.steer(async ({ write }, forward) => {
      if (write === 0) return forward()
      reached.resolve()
      return 'silence'
    })
    await here.configure(noisy())
    await here.expect(0, 'init')
    const child = startTerraform(['apply', '-auto-approve'], {
      cwd: here.folder,
      env: { ...here.env, DEPLOYMGMT_BASE_URL: proxy.baseUrl },
    })
    await reached.promise
    const providers = await childrenOf(child.pid ?? 0)
    expect(providers.length).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await expect.poll(() => Promise.all(providers.map(isAlive)), { timeout: 20_000 }).not.toContain(true)
    expect((await readdir(here.folder)).filter((name) => name.startsWith('terraform-provider'))).toEqual([])
  })
})

describe.skipIf(noTerraform)('a Node that is too old', () => {
  it('is what Terraform says the provider failed for', async () => {
    const here = await installed()
    await here.configure(noisy())
    await here.expect(0, 'init')
    const preload = join(here.folder, 'pretend.cjs')
    await writeFile(preload, `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`)
    const old = workspaceIn(here, { ...here.env, NODE_OPTIONS: `--require=${preload}` })
    expect((await old.expect(1, 'plan')).said).toContain('DM-NODE-VERSION')
  })
})

describe.skipIf(noTerraform)('the release', () => {
  it('has a zip for each platform whose sum is listed, and the manifest of the registry', async () => {
    const names = await readdir(join(dist, 'release'))
    const zips = names.filter((name) => name.endsWith('.zip'))
    expect(zips).toHaveLength(5)
    const { stdout } = await promisify(execFile)('sha256sum', ['--check', sumsIn(names)], {
      cwd: join(dist, 'release'),
    })
    expect(stdout.match(/: OK/g)).toHaveLength(6)
    expect(JSON.parse(await readFile(join(dist, 'release', manifestIn(names)), 'utf8'))).toEqual({
      version: 1,
      metadata: { protocol_versions: ['6.0'] },
    })
  })

  it('holds an executable, unpacked and packed', async () => {
    const folder = join(
      dist,
      'mirror',
      'registry.terraform.io',
      'deploymgmt',
      'deploymgmt',
      '0.1.0',
      'linux_amd64',
    )
    const [name = ''] = await readdir(folder)
    expect(name).toBe('terraform-provider-deploymgmt_v0.1.0.cjs')
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o755)
    const zip = join(dist, 'release', 'terraform-provider-deploymgmt_0.1.0_linux_amd64.zip')
    const { stdout } = await promisify(execFile)('unzip', ['-Z', zip])
    expect(stdout).toMatch(/^-rwxr-xr-x .* terraform-provider-deploymgmt_v0\.1\.0\.cjs$/m)
  })

  it('says on stderr what it needs where Node is too old, and prints nothing else', async () => {
    const bundle = join(dist, 'provider', 'terraform-provider-deploymgmt_v0.1.0.cjs')
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); require(${JSON.stringify(bundle)})`
    const ran = promisify(execFile)(process.execPath, ['-e', pretend])
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Error DM-NODE-VERSION: .* Node\.js 22\.18 or later; this is 20\.20\.2\..*\n$/,
      ),
    })
  })

  it('names no path of the machine that made it', async () => {
    const bundle = await readFile(join(dist, 'provider', 'terraform-provider-deploymgmt_v0.1.0.cjs'), 'utf8')
    expect(bundle).not.toContain(ROOT)
  })
})

const childrenOf = async (pid: number): Promise<string[]> => {
  const lists = (await readdir(`/proc/${pid}/task`)).map((task) =>
    readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => ''),
  )
  return (await Promise.all(lists))
    .join(' ')
    .split(' ')
    .filter((id) => id !== '')
}

/** A process that has ended and that nobody has asked for yet is a zombie, and no longer there. */
const isAlive = async (pid: string): Promise<boolean> => {
  const facts = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return facts !== '' && !/\) Z /.test(facts)
}

const sumsIn = (names: readonly string[]): string => names.find((name) => name.endsWith('SHA256SUMS')) ?? ''
const manifestIn = (names: readonly string[]): string =>
  names.find((name) => name.endsWith('manifest.json')) ?? ''

/** What the provider keeps beside each resource, as text. */
const privateStates = async (here: Workspace): Promise<string[]> => {
  const { resources } = JSON.parse(await here.read('terraform.tfstate'))
  const kept = resources.flatMap(({ instances }: any) => instances.map((each: any) => each.private as string))
  const texts = kept.map((each: string) => Buffer.from(each, 'base64').toString('utf8'))
  for (const each of texts) expect(each).not.toMatch(CANARY)
  return texts
}
