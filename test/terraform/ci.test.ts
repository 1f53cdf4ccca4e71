/** The pipeline for Terraform, run as its system runs it: each job in a fresh folder, with a key of its own. */
import { execFile, spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf } from '../support/command-lines.ts'
import { CI, fixtureWith, install, ORG, PASSWORD, PROJECT } from '../support/installation.ts'
import { hostDown, migration, oldChat, user } from './support/hcl.ts'
import { light, settingsFor } from './support/mirror.ts'
import { noTerraform, PATH, ROOT, unzipped } from './support/terraform.ts'
import { begin, PROVIDER } from './support/workspace.ts'

const POLICY = join(ROOT, 'examples', 'policy', 'terraform.jq')
/** jq and unzip do not come with this repository. */
const isMissing = noTerraform || ['jq', 'unzip'].some((name) => spawnSync(name).error !== undefined)

const page = await readFile(join(ROOT, 'docs', 'ci.md'), 'utf8')
const { jobs } = load(
  await readFile(join(ROOT, 'examples', 'ci', 'github-actions-terraform.yaml'), 'utf8'),
) as any
const step = (job: string, name: string): string =>
  jobs[job].steps.find((each: any) => each.name === name).run
const [variable = ''] = blocksOf(page, 'terraform')

/** A message that the page quotes. */
const quoted = (text: string): string => {
  expect(page).toContain(`\`${text}\``)
  return text
}

const READER = { publicKey: 'reader', privateKey: '5e6f7a8b-canary-0006' }
const fixture = (): object => {
  const all = fixtureWith() as any
  const roles = [{ roleName: 'ORG_MEMBER', orgId: ORG }]
  all.organizations[0].apiKeys.push({ id: '5c47503320eef5699e1cce90', desc: 'Plans', ...READER, roles })
  return all
}

/** Runs jobs, each in a fresh folder, with what the repository has. */
const pipeline = async (hcl: string) => {
  const here = await install({ fixture: fixture() })
  onTestFinished(() => here.close())
  const main = `terraform {
  required_providers {
    deploymgmt = { source = "deploymgmt/deploymgmt" }
  }
  backend "local" {
    path = "${here.folder}/terraform.tfstate"
  }
}
`
  const configuration = hcl.replaceAll('ORG_ID', ORG).replaceAll('PROJECT_ID', PROJECT)
  await writeFile(join(here.folder, 'main.tf'), main + PROVIDER + configuration)
  const settings = await settingsFor(here.folder, join(await light(), 'mirror'))
  const job = async (key: typeof CI, password?: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'dm-job-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'tools'))
    await symlink(ROOT, join(folder, 'tools', 'deploymgmt'))
    await copyFile(join(here.folder, 'main.tf'), join(folder, 'main.tf'))
    const env = {
      HOME: folder,
      PATH,
      CHECKPOINT_DISABLE: '1',
      TF_INPUT: '0',
      TF_CLI_CONFIG_FILE: settings,
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      DEPLOYMGMT_BASE_URL: here.baseUrl,
      DEPLOYMGMT_PUBLIC_KEY: key.publicKey,
      DEPLOYMGMT_PRIVATE_KEY: key.privateKey,
      ...(password === undefined ? {} : { TF_VAR_initial_password: password }),
    }
    const run = (text: string): Promise<{ code: number; said: string }> =>
      new Promise((resolve) => {
        const child = execFile('bash', ['-e', '-c', text], { cwd: folder, env }, (_, stdout, stderr) => {
          resolve({ code: child.exitCode ?? -1, said: `${stdout}${stderr}`.replaceAll(/[│\s]+/g, ' ') })
        })
      })
    return { folder, run }
  }
  return { here, job }
}

describe.skipIf(isMissing)('examples/ci/github-actions-terraform.yaml', () => {
  it('applies in a fresh folder what a reading key has planned, once, and finds drift', async () => {
    const { here, job } = await pipeline(variable + user({ password: 'var.initial_password' }) + hostDown())
    const locking = await job(READER)
    const unlocked = await locking.run(step('plan', 'init'))
    expect(unlocked.said).toContain('Provider dependency changes detected')
    await locking.run('terraform init')

    const planning = await job(READER, jobs.plan.env.TF_VAR_initial_password)
    const lock = '.terraform.lock.hcl'
    await copyFile(join(locking.folder, lock), join(planning.folder, lock))
    for (const name of ['init', 'plan'])
      expect(await planning.run(step('plan', name))).toMatchObject({ code: 0 })
    expect(await readFile(join(planning.folder, 'summary.md'), 'utf8')).toContain('2 to add')
    const saved = join(planning.folder, 'saved.plan')
    const kept = await unzipped(saved)
    expect(kept).toContain('deploymgmt_user')
    expect(kept).not.toMatch(new RegExp(`canary|${String(jobs.plan.env.TF_VAR_initial_password)}`))

    const applying = await job(CI, PASSWORD)
    await copyFile(join(planning.folder, lock), join(applying.folder, lock))
    await copyFile(saved, join(applying.folder, 'saved.plan'))
    expect(await applying.run(step('apply', 'init'))).toMatchObject({ code: 0 })
    expect((await applying.run(step('apply', 'apply'))).said).toContain('2 added')
    const again = await applying.run(step('apply', 'apply'))
    expect(again.said).toContain(quoted('Saved plan is stale'))
    expect(again.code).toBe(1)

    expect(await planning.run(step('plan', 'drift'))).toMatchObject({ code: 0 })
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d0f3`, {
      enabled: false,
    })
    expect(await planning.run(step('plan', 'drift'))).toMatchObject({ code: 2 })
  })
})

describe.skipIf(isMissing)('what docs/ci.md says of a password in Terraform', () => {
  const dana = user({ password: 'var.initial_password' })
  const withPassword = { TF_VAR_initial_password: PASSWORD }

  it('needs none where nobody is created, and says so where somebody is', async () => {
    const here = await begin()
    await here.configure(variable)
    await here.expect(0, 'plan')
    await here.configure(variable + dana)
    expect((await here.expect(1, 'plan')).said).toContain(quoted('password is needed to create it'))
    await here.configure(variable.replace(/^ +default.*\n/m, ''))
    expect((await here.expect(1, 'plan')).said).toContain(quoted('No value for required variable'))
  })

  it('is set for the plan and the apply, or for neither, and not empty', async () => {
    const without = await begin()
    await without.configure(variable + hostDown())
    await without.plan()
    const [name = ''] = Object.keys(withPassword)
    const late = await without.expect(1, 'apply', `-var=${name.slice('TF_VAR_'.length)}=x`, 'saved.plan')
    expect(late.said).toContain(quoted('Ephemeral variable was not set during planning'))
    const empty = await begin({ env: { [name]: '' } })
    await empty.configure(variable + dana)
    expect((await empty.expect(1, 'plan')).said).toContain(quoted('the text is empty'))
  })
})

describe.skipIf(isMissing)('a variable in a saved plan', () => {
  it.each([
    ['sensitive', true],
    ['ephemeral', false],
  ])('that is %s is there: %s', async (word, isThere) => {
    const here = await begin()
    await here.configure(`variable "secret" {\n  ${word} = true\n}\n`)
    await here.expect(0, 'plan', '-out=saved.plan', '-var=secret=told-canary')
    expect((await unzipped(join(here.folder, 'saved.plan'))).includes('told-canary')).toBe(isThere)
  })
})

describe.skipIf(isMissing)('examples/policy/terraform.jq', () => {
  const IDS = ['5d1113b25a115342acc2d0f3', '5d1113b25a115342acc2d1aa']
  /** Judges a plan with limits of one. */
  const judged = async (before: string, after: string) => {
    const alertConfigs = IDS.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: true }))
    const here = await begin({ fixture: fixtureWith({ alertConfigs }) })
    await here.change(before)
    await here.configure(after)
    await here.plan()
    const { stdout: input } = await here.expect(0, 'show', '-json', 'saved.plan')
    const words = ['--argjson', 'removed', '1', '--argjson', 'off', '1', '--from-file', POLICY]
    const { status, stderr } = spawnSync('jq', words, { input, encoding: 'utf8' })
    return { status, stderr }
  }
  const both = migration() + migration().replace('"migration"', '"other"')
  const off = (count: number): string =>
    IDS.map((id, index) =>
      hostDown({ select: 'null', alert_config_id: `"${id}"`, enabled: String(index >= count) }).replace(
        '"host_down"',
        `"c${index}"`,
      ),
    ).join('')

  it('lets a few removals and a few that are turned off pass', async () => {
    expect(await judged(both + off(0), migration() + off(1))).toEqual({ status: 0, stderr: '' })
  })

  it.each([
    [
      both,
      '',
      '2 resources would be removed, and 1 may be: deploymgmt_maintenance_window.migration, deploymgmt_maintenance_window.other\n',
    ],
    [off(0), off(2), '2 alert configurations would be turned off, and 1 may be\n'],
    [
      hostDown(),
      hostDown({ enabled: 'false' }),
      '2 alert configurations would be turned off, and 1 may be\n',
    ],
    ['', oldChat, 'deploymgmt_integration.old_chat would delete an integration\n'],
  ])('refuses more (%#)', async (before, after, stderr) => {
    expect(await judged(before, after)).toEqual({ status: 1, stderr })
  })
})
