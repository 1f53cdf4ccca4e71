import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { selfSigned } from '../provider/api/support/certificate.ts'
import { forwardProxy } from '../support/forward-proxy.ts'
import { startProxy } from '../support/proxy.ts'
import { install } from '../support/installation.ts'
import { everyKind, migration, noisy } from './support/hcl.ts'
import { light, settingsFor } from './support/mirror.ts'
import { noTerraform, startTerraform, unzipped } from './support/terraform.ts'
import { windowsIn, workspaceIn, type Workspace } from './support/workspace.ts'

let dist = ''
beforeAll(async () => {
  dist = await light()
})

/** Like a user's machine: the provider comes from a filesystem mirror, and `init` locks it. */
const installed = async (): Promise<Workspace & { env: Record<string, string> }> => {
  const here = await install()
  onTestFinished(() => here.close())
  const settings = await settingsFor(here.folder, join(dist, 'mirror'))
  const env = { ...here.env, TF_CLI_CONFIG_FILE: settings, TMPDIR: here.folder }
  return { ...workspaceIn(here, env), env }
}

/** Every secret of the fixture contains this. */
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

  it('works with an address that has TLS, by an authority that is named', async () => {
    const here = await installed()
    const tls = selfSigned()
    const proxy = await startProxy(here.baseUrl, { tls })
    onTestFinished(() => proxy.close())
    const ca = join(here.folder, 'ca.pem')
    await writeFile(ca, tls.cert)
    const secure = { ...here.env, DEPLOYMGMT_BASE_URL: proxy.baseUrl, DEPLOYMGMT_CA_FILE: ca }
    await here.configure(noisy())
    await here.expect(0, 'init')
    expect((await workspaceIn(here, secure).apply()).said).toContain('1 added, 0 changed, 0 destroyed.')
    const { DEPLOYMGMT_CA_FILE: _, ...stranger } = secure
    expect((await workspaceIn(here, stranger).expect(1, 'plan')).said).toContain('DM-TLS')
  })

  it('goes through the proxy of the environment', async () => {
    const here = await installed()
    const tls = selfSigned('192.0.2.1')
    const service = await startProxy(here.baseUrl, { tls })
    onTestFinished(() => service.close())
    const ca = join(here.folder, 'ca.pem')
    await writeFile(ca, tls.cert)
    const proxy = await forwardProxy(Number(new URL(service.baseUrl).port))
    const env = {
      ...here.env,
      DEPLOYMGMT_BASE_URL: service.baseUrl.replace('127.0.0.1', '192.0.2.1'),
      DEPLOYMGMT_CA_FILE: ca,
      HTTPS_PROXY: `http://${proxy.host}`,
    }
    await here.configure(noisy())
    await here.expect(0, 'init')
    expect((await workspaceIn(here, env).apply()).said).toContain('1 added, 0 changed, 0 destroyed.')
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

  it('has Terraform forget what was remembered when it is killed in an update, which the next plan says', async () => {
    const here = await installed()
    const proxy = await startProxy(here.baseUrl)
    onTestFinished(() => proxy.close())
    await here.configure(migration())
    await here.expect(0, 'init')
    await here.apply()
    await here.configure(migration({ description: '"two"' }))
    const child = startTerraform(['apply', '-auto-approve'], {
      cwd: here.folder,
      env: { ...here.env, DEPLOYMGMT_BASE_URL: proxy.baseUrl },
    })
    proxy.steer(async ({ write }, forward) => {
      const passed = await forward()
      if (write === 0) return passed
      for (const pid of await childrenOf(child.pid ?? 0)) process.kill(Number(pid), 'SIGKILL')
      return 'silence'
    })
    await once(child, 'close')
    expect(JSON.parse(await here.read('terraform.tfstate')).resources[0].instances[0].private).toBeUndefined()
    await here.configure(migration())
    expect((await here.expect(2, 'plan', '-detailed-exitcode')).said).toContain(
      'what was remembered about it is lost',
    )
    await here.apply()
    expect(await windowsIn(here)).toMatchObject([{ description: 'Storage migration' }])
    await here.expectNoChanges()
  })
})

describe.skipIf(noTerraform)('where no Node is carried, one that is too old', () => {
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

const childrenOf = async (pid: number): Promise<string[]> => {
  const lists = (await readdir(`/proc/${pid}/task`)).map((task) =>
    readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => ''),
  )
  return (await Promise.all(lists))
    .join(' ')
    .split(' ')
    .filter((id) => id !== '')
}

/** A zombie has ended, but its parent has not asked for its exit code yet; it does not count as alive. */
const isAlive = async (pid: string): Promise<boolean> => {
  const facts = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return facts !== '' && !/\) Z /.test(facts)
}

/** The private state of each resource, as text. */
const privateStates = async (here: Workspace): Promise<string[]> => {
  const { resources } = JSON.parse(await here.read('terraform.tfstate'))
  const kept = resources.flatMap(({ instances }: any) => instances.map((each: any) => each.private as string))
  const texts = kept.map((each: string) => Buffer.from(each, 'base64').toString('utf8'))
  for (const each of texts) expect(each).not.toMatch(CANARY)
  return texts
}
