import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect, it } from 'vitest'
import { forgeLike } from '../support/forge.ts'
import { git } from '../support/git.ts'
import { type Installation, PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { begin, only } from '../support/scene.ts'
import { sharedBy, type Site } from '../support/site.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BIN = join(ROOT, 'node_modules', '.bin')
const pipelines = (await readdir(join(ROOT, 'examples', 'ci'))).filter(
  (name) => !/terraform|\.sh$/.test(name),
)

/** The shell scripts of a pipeline, by step or job. */
interface Scripts {
  /** Runs for a pull request, if the system has these. */
  readonly look: string
  readonly plan: string
  readonly apply: string
  readonly drift: string
}

/** A workflow of GitHub Actions, each of whose jobs has a step of the same name. */
interface Workflow {
  readonly permissions: object
  readonly jobs: Readonly<Record<string, Job>>
}
interface Job {
  readonly if: string
  readonly permissions: Readonly<Record<string, string>>
  readonly steps: readonly {
    name?: string
    run?: string
    if?: string
    with?: { path?: string }
    env?: object
  }[]
}

/** How to find the scripts in each file. */
const SCRIPTS: Record<string, (text: string) => Scripts> = {
  'github-actions.yaml': (text) => {
    const { jobs } = load(text) as Workflow
    const run = (wanted: string): string => jobs[wanted]?.steps.find(({ name }) => name === wanted)?.run ?? ''
    return { look: run('plan'), plan: run('plan'), apply: run('apply'), drift: run('drift') }
  },
  'gitlab-ci.yaml': (text) => {
    const jobs = load(text) as Record<string, { readonly script: readonly string[] }>
    const run = (name: string): string => jobs[name]?.script.join('\n') ?? ''
    return { look: run('plan'), plan: run('plan-main'), apply: run('apply'), drift: run('drift') }
  },
  crontab: (text) => {
    const lines = text
      .split('\n')
      .flatMap((line) => /^(?:[\d*/]+ ){5}(?<run>.+)$/u.exec(line)?.groups?.['run'] ?? [])
    const run = (word: string): string => lines.find((line) => line.includes(`deploymgmt ${word}`)) ?? ''
    return { look: 'true', plan: 'true', apply: run('apply'), drift: run('drift') }
  },
}

/** Runs a script as the systems do: it ends at the first error. */
const shell = ({ folder, env }: Installation, text: string): Promise<{ code: number | null; said: string }> =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', text], { cwd: folder, env })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    child.on('close', (code) => resolve({ code, said }))
  })

/** Settings by the systems, and by those who set them up. */
const settingsOf = (folder: string) => ({
  HOME: folder,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
  STATE_PUSH_TOKEN: 'token-canary',
})

/** What the systems tell about a run, and how reports then name it. */
const RUNS: Record<string, readonly [env: Readonly<Record<string, string>>, said: string]> = {
  'github-actions.yaml': [
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/site',
      GITHUB_RUN_ID: '17',
    },
    'by GitHub Actions, https://github.com/acme/site/actions/runs/17',
  ],
  'gitlab-ci.yaml': [
    { GITLAB_CI: 'true', CI_JOB_URL: 'https://gitlab.example.com/acme/site/-/jobs/17' },
    'by GitLab CI, https://gitlab.example.com/acme/site/-/jobs/17',
  ],
  crontab: [{}, `by ${userInfo().username}`],
}

const PROTECTED = '#!/bin/sh\nif grep -q refs/heads/main; then exit 1; fi\n'

const MANIFEST = `${only(
  'maintenanceWindows',
  `  night: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`,
)}state: git:origin\n`

/** What is kept even of a failed job, by pipeline file; cron keeps all files. */
const KEPT: Record<string, (text: string) => unknown> = {
  'github-actions.yaml': (text) => {
    const rescue = (load(text) as Workflow).jobs['apply']?.steps.find(({ name }) => name === 'rescue')
    return { when: rescue?.if, paths: [rescue?.with?.path] }
  },
  'gitlab-ci.yaml': (text) => {
    const { artifacts } = (load(text) as any).apply
    return { when: `${artifacts.when}()`, paths: artifacts.paths }
  },
}

it.each(Object.entries(KEPT))('examples/ci/%s always keeps a rescue file', async (name, kept) => {
  const text = await readFile(join(ROOT, 'examples', 'ci', name), 'utf8')
  expect(kept(text)).toStrictEqual({ when: 'always()', paths: ['deploymgmt.rescue.*.json'] })
})

const event = (name: string): string => `github.event_name == '${name}'`

it('examples/ci/github-actions.yaml gives what a pull request runs neither the key nor the token that may write', async () => {
  const { jobs, ...workflow } = load(
    await readFile(join(ROOT, 'examples', 'ci', 'github-actions.yaml'), 'utf8'),
  ) as Workflow
  expect(workflow.permissions).toStrictEqual({})
  expect(JSON.stringify(workflow)).not.toContain('secrets.')
  const said = Object.entries(jobs).map(([name, { if: when, permissions, ...job }]) => ({
    name,
    when,
    writes: Object.keys(permissions).filter((each) => permissions[each] === 'write'),
    hasKey: JSON.stringify(job).includes('secrets.DEPLOYMGMT_PRIVATE_KEY'),
    isKeyOfSteps: job.steps.every(({ env, run }) => run?.includes('npm ci') !== true || env === undefined),
  }))
  expect(said).toStrictEqual([
    {
      name: 'plan',
      when: event('pull_request'),
      writes: ['pull-requests'],
      hasKey: false,
      isKeyOfSteps: true,
    },
    { name: 'apply', when: event('push'), writes: ['contents'], hasKey: true, isKeyOfSteps: true },
    {
      name: 'drift',
      when: event('schedule'),
      writes: ['issues', 'security-events'],
      hasKey: true,
      isKeyOfSteps: true,
    },
  ])
})

/** A pipeline, a system that runs it, and its repository. */
const piped = async (name: string, manifest: string) => {
  const scripts = SCRIPTS[name]?.(await readFile(join(ROOT, 'examples', 'ci', name), 'utf8'))
  if (scripts === undefined) throw new RangeError(`nobody knows what ${name} runs`)
  const here = await begin()
  const site = await sharedBy(here, manifest)
  expect(await (await site.runner()).run('state', 'init')).toMatchObject({ code: 0 })
  const forge = await forgeLike(name === 'gitlab-ci.yaml' ? 'gitlab' : 'github')
  const [run = {}, whose = ''] = RUNS[name] ?? []
  const { DEPLOYMGMT_CHAT_HOOK = '' } = forge.env
  const told = name === 'crontab' ? { DEPLOYMGMT_CHAT_HOOK } : forge.env
  const more = { PATH: `${BIN}:${here.env['PATH']}` }
  Object.assign(here.env, settingsOf(here.folder), told, run, more)
  return { scripts, here, site, forge, whose }
}

/**
 * A runner with a checkout of main, and with this repository as a submodule; returns a function that runs scripts
 * there.
 */
const runnerOf = async (site: Site) => {
  const runner = await site.runner()
  await git(runner.folder, 'checkout', '--quiet', 'main')
  await mkdir(join(runner.folder, 'tools'))
  await symlink(ROOT, join(runner.folder, 'tools', 'deploymgmt'))
  const execute = (text: string) =>
    shell(
      runner,
      text
        .replaceAll('/srv/site', runner.folder)
        .replace(/"https:\/\/oauth2:[^"]*"/u, `"file://${site.bare}"`),
    )
  return { ...runner, execute }
}

it.each(pipelines)(
  'examples/ci/%s keeps the state for the next runner, beside a protected main',
  async (name) => {
    const { scripts, here, site, whose } = await piped(name, MANIFEST)
    const main = await git(site.bare, 'rev-parse', 'main')
    await writeFile(join(site.bare, 'hooks', 'pre-receive'), PROTECTED)
    await chmod(join(site.bare, 'hooks', 'pre-receive'), 0o755)
    const told: string[] = []
    for (let runners = 0; runners < 2; runners += 1) {
      const { folder, execute } = await runnerOf(site)
      expect(await execute(scripts.plan)).toMatchObject({ code: 0 })
      const plan = await readFile(join(folder, 'plan.json')).catch(() => '')
      here.env['PLAN_SHA256'] = createHash('sha256').update(plan).digest('hex')
      const applied = await execute(scripts.apply)
      expect(applied).toMatchObject({ code: 0 })
      told.push(applied.said)
      expect(await execute(scripts.drift)).toMatchObject({ code: 0 })
    }
    expect(told).toStrictEqual([expect.stringContaining('1 created'), expect.not.stringContaining('created')])
    expect(await windowsAt(here)).toHaveLength(1)
    expect(await git(site.bare, 'rev-parse', 'main')).toBe(main)
    const log = await git(site.bare, 'log', '--patch', '--all')
    expect(log).not.toContain('canary')
    expect(log).toContain(whose)
  },
)

const NOISY = '5d1113b25a115342acc2d1aa'
const READABLE = `${only('alertConfigurations', `  noisy: { alertConfigId: ${NOISY}, enabled: false }`)}state: git:origin\n`
const MESSAGE = { text: expect.stringContaining('alertConfigurations.noisy') }

const applyThrough = async ({ execute }: Awaited<ReturnType<typeof runnerOf>>): Promise<void> => {
  const apply = 'deploymgmt apply --auto-approve'
  expect(await execute(apply)).toMatchObject({ code: 0 })
}

it.each(pipelines.filter((name) => name !== 'crontab'))(
  'examples/ci/%s has one comment with the plan, and one issue for drift that closes on recovery',
  async (name) => {
    const { scripts, here, site, forge } = await piped(name, READABLE)
    const runner = await runnerOf(site)
    for (let pushes = 0; pushes < 2; pushes += 1)
      expect(await runner.execute(scripts.look)).toMatchObject({ code: 0 })
    const comments = forge.comments.get('pull/7')
    expect(comments).toMatchObject([{ text: expect.stringContaining('alertConfigurations.noisy') }])
    await applyThrough(runner)
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: true })
    for (let nights = 0; nights < 2; nights += 1) {
      const { code, said } = await runner.execute(scripts.drift)
      expect({ code, said: said.includes('alertConfigurations.noisy') }).toEqual({ code: 2, said: true })
    }
    expect(forge.issues).toMatchObject([MESSAGE])
    expect(forge.chat).toMatchObject([MESSAGE, MESSAGE])
    await applyThrough(runner)
    expect(await runner.execute(scripts.drift)).toMatchObject({ code: 0 })
    expect(forge.issues).toMatchObject([{ ...MESSAGE, isClosed: true }])
    expect(forge.chat).toHaveLength(2)
  },
)

it('examples/ci/crontab tells the one on call of drift, and of a run that failed', async () => {
  const { scripts, here, site, forge } = await piped('crontab', READABLE)
  const runner = await runnerOf(site)
  await applyThrough(runner)
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled: true })
  expect((await runner.execute(scripts.drift)).said).toContain('exit code 2')
  expect(forge.chat).toMatchObject([MESSAGE])
  here.env['DEPLOYMGMT_PUBLIC_KEY'] = 'nobody'
  expect((await runner.execute(scripts.drift)).said).toContain('DM-AUTH')
  expect(forge.chat.slice(1)).toEqual([
    { text: expect.stringMatching(/^Failed: DM-AUTH-REJECTED: .*\n.*\nCheck /) },
  ])
})

it.each(pipelines.filter((name) => name !== 'crontab'))(
  'examples/ci/%s leaves issues as they are where a drift could not be looked at',
  async (name) => {
    const { scripts, here, site, forge } = await piped(name, READABLE)
    const runner = await runnerOf(site)
    here.env['DEPLOYMGMT_PUBLIC_KEY'] = 'nobody'
    expect(await runner.execute(scripts.drift)).toMatchObject({ code: 1 })
    expect(forge.issues).toEqual([])
    expect(forge.chat).toEqual([{ text: expect.stringMatching(/^Failed: DM-AUTH-REJECTED: /) }])
  },
)
