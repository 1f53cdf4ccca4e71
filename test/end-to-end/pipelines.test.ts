import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect, it } from 'vitest'
import { git } from '../support/git.ts'
import { type Installation, PROJECT } from '../support/installation.ts'
import { begin, only } from '../support/scene.ts'
import { sharedBy } from '../support/site.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BIN = join(ROOT, 'node_modules', '.bin')
const pipelines = (await readdir(join(ROOT, 'examples', 'ci'))).filter((name) => !name.endsWith('.sh'))

/** What a pipeline runs in a shell, by the name of the step or job. */
interface Scripts {
  readonly plan: string
  readonly apply: string
  readonly drift: string
}

interface Workflow {
  readonly jobs: { readonly deploymgmt: { readonly steps: readonly { name?: string; run?: string }[] } }
}

/** How to find them in each file. */
const SCRIPTS: Record<string, (text: string) => Scripts> = {
  'github-actions.yaml': (text) => {
    const { steps } = (load(text) as Workflow).jobs.deploymgmt
    const run = (wanted: string): string => steps.find(({ name }) => name === wanted)?.run ?? ''
    return { plan: run('plan'), apply: run('apply'), drift: run('drift') }
  },
  'gitlab-ci.yaml': (text) => {
    const jobs = load(text) as Record<string, { readonly script: readonly string[] }>
    const run = (name: string): string => jobs[name]?.script.join('\n') ?? ''
    return { plan: run('plan-main'), apply: run('apply'), drift: run('drift') }
  },
  crontab: (text) => {
    const lines = text
      .split('\n')
      .flatMap((line) => /^(?:[\d*/]+ ){5}(?<run>.+)$/u.exec(line)?.groups?.['run'] ?? [])
    const run = (word: string): string => lines.find((line) => line.includes(`deploymgmt ${word}`)) ?? ''
    return { plan: 'true', apply: run('apply'), drift: run('drift') }
  },
}

/** Runs as the systems do, ending at the first error. */
const shell = ({ folder, env }: Installation, text: string): Promise<{ code: number | null; said: string }> =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', text], { cwd: folder, env })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    child.on('close', (code) => resolve({ code, said }))
  })

/** What the systems set, and what people set up in them. */
const settingsOf = (folder: string) => ({
  HOME: folder,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
  STATE_PUSH_TOKEN: 'token-canary',
})

/** What the systems tell of a run, and where that leads people. */
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

/** What is kept of a job that failed, too, by the file of its pipeline; cron keeps all files. */
const KEPT: Record<string, (text: string) => unknown> = {
  'github-actions.yaml': (text) => {
    const { steps } = (load(text) as any).jobs.deploymgmt
    const { if: when, with: what } = steps.find(({ name }: any) => name === 'rescue')
    return { when, paths: [what.path] }
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

it.each(pipelines)(
  'examples/ci/%s keeps the state for the next runner, beside a protected main',
  async (name) => {
    const scripts = SCRIPTS[name]?.(await readFile(join(ROOT, 'examples', 'ci', name), 'utf8'))
    const here = await begin()
    const site = await sharedBy(here, MANIFEST)
    const main = await git(site.bare, 'rev-parse', 'main')
    await writeFile(join(site.bare, 'hooks', 'pre-receive'), PROTECTED)
    await chmod(join(site.bare, 'hooks', 'pre-receive'), 0o755)
    expect(await (await site.runner()).run('state', 'init')).toMatchObject({ code: 0 })
    const [run = {}, whose = ''] = RUNS[name] ?? []
    Object.assign(here.env, settingsOf(here.folder), run, { PATH: `${BIN}:${here.env['PATH']}` })
    const told: string[] = []
    for (let runners = 0; runners < 2; runners += 1) {
      const runner = await site.runner()
      await git(runner.folder, 'checkout', '--quiet', 'main')
      const execute = (text = 'false') =>
        shell(
          runner,
          text
            .replaceAll('/srv/site', runner.folder)
            .replace(/"https:\/\/oauth2:[^"]*"/u, `"file://${site.bare}"`),
        )
      expect(await execute(scripts?.plan)).toMatchObject({ code: 0 })
      const plan = await readFile(join(runner.folder, 'plan.json')).catch(() => '')
      here.env['PLAN_SHA256'] = createHash('sha256').update(plan).digest('hex')
      const applied = await execute(scripts?.apply)
      expect(applied).toMatchObject({ code: 0 })
      told.push(applied.said)
      expect(await execute(scripts?.drift)).toMatchObject({ code: 0 })
    }
    expect(told).toStrictEqual([expect.stringContaining('1 created'), expect.not.stringContaining('created')])
    expect((await here.control('GET', 'dump')).projects[0].maintenanceWindows).toHaveLength(1)
    expect(await git(site.bare, 'rev-parse', 'main')).toBe(main)
    const log = await git(site.bare, 'log', '--patch', '--all')
    expect(log).not.toContain('canary')
    expect(log).toContain(whose)
  },
)
