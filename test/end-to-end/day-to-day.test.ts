/** The recipes of docs/day-to-day.md, run as they are there. */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { blocksOf, commandLinesIn } from '../support/command-lines.ts'
import { manifestWith, ORG, PROJECT, type Installation } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { applied, begin, only, OTHER_PROJECT, twoProjects, writesIn, type Scene } from '../support/scene.ts'

const root = join(import.meta.dirname, '..', '..')
const FILES = join(root, 'examples', 'day-to-day')
const page = await readFile(join(root, 'docs', 'day-to-day.md'), 'utf8')
/** jq does not come with this repository. */
const isMissing = spawnSync('jq', ['--version']).error !== undefined

/** The lines of a section that are to be typed. */
const linesOf = (title: string): string[] => {
  const [, text = ''] = page.split(`\n## ${title}\n`)
  return blocksOf(text.split('\n## ')[0] ?? '', 'sh')
    .join('')
    .trim()
    .split('\n')
}

/** Runs lines in the folder of an installation that has the files of the example; returns the exit codes. */
const typed = async (here: Installation, lines: readonly string[]): Promise<(number | null)[]> => {
  for (const name of await readdir(FILES)) await copyFile(join(FILES, name), join(here.folder, name))
  const codes: (number | null)[] = []
  for (const line of lines) {
    const [words] = line.startsWith('deploymgmt ') ? commandLinesIn(line) : []
    const { code } =
      words === undefined
        ? { code: spawnSync('bash', ['-c', line], { cwd: here.folder }).status }
        : await here.run(...words)
    codes.push(code)
  }
  return codes
}

const textOf = (here: Installation, name: string): Promise<string> =>
  readFile(join(here.folder, name), 'utf8')

const TWO = ['a0', 'a1'].map((end) => `5d1113b25a115342acc2d0${end}`)
const alerts = only(
  'alertConfigurations',
  TWO.map((id, index) => `  c${index}: { alertConfigId: ${id}, enabled: true }`).join('\n'),
)
const project = { alertConfigs: TWO.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: true })) }

const reviewed = async (): Promise<Scene> => {
  const here = await begin({ fixture: twoProjects() })
  await here.control('POST', 'clock', { now: '2026-11-20T12:00:00Z' })
  await applied(here, manifestWith({ alertConfigurations: '', maintenanceWindows: '', integrations: '' }))
  return here
}

const drifted = async (): Promise<Scene> => {
  const here = await begin({ fixture: twoProjects(project) })
  await applied(here, alerts)
  await here.control('POST', 'clock', { now: '2035-01-01T00:00:00Z' })
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${TWO[0]}`, { enabled: false })
  return here
}

describe('alerts on drift', () => {
  it.skipIf(isMissing)(
    'are metrics with the name of the manifest, which a failure leaves as they were',
    async () => {
      const here = await drifted()
      expect(await typed(here, linesOf('Alerts on drift'))).toEqual([2, 0])
      const metrics = await textOf(here, 'deploymgmt.prom')
      expect(metrics).toContain('deploymgmt_drift_things{manifest="test",verdict="drifted"} 1\n')
      expect(metrics).toContain('deploymgmt_drift_exit_code{manifest="test"} 2\n')
      expect(metrics).toMatch(
        /deploymgmt_drift_checked_timestamp_seconds\{manifest="test"\} 2051222[45]\d\d\n/,
      )
      here.env['DEPLOYMGMT_PRIVATE_KEY'] = 'another'
      expect(await typed(here, linesOf('Alerts on drift'))).toEqual([1, 1])
      expect(await textOf(here, 'deploymgmt.prom')).toBe(metrics)
    },
  )

  it('have rules about metrics that there are', async () => {
    const text = await readFile(join(FILES, 'prometheus-rules.yaml'), 'utf8')
    const { groups } = load(text) as { groups: { rules: { expr: string }[] }[] }
    const named = groups.flatMap(({ rules }) => rules).map(({ expr }) => /deploymgmt_\w+/.exec(expr)?.[0])
    const filter = await readFile(join(FILES, 'prometheus.jq'), 'utf8')
    expect(named).toHaveLength(3)
    for (const name of named) expect(filter).toContain(`"${name}{`)
  })
})

describe.skipIf(isMissing)('an access review', () => {
  it('lists the roles of each person and key, and who changed them', async () => {
    const here = await reviewed()
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/5c47503320eef5699e1cce8f`, {
      roles: ['ORG_OWNER'],
    })
    const [pull, list, drift, ...others] = linesOf('An access review')
    expect(await typed(here, [pull ?? '', list ?? '', drift ?? ''])).toEqual([0, 0, 2])
    const rows = (await textOf(here, 'access.csv')).trim().split('\n')
    expect(rows).toEqual([
      '"address","who","id","role","where","shown","written","by"',
      expect.stringMatching(
        /^"apiKeys.reporting","Reporting","5c47\w+","ORG_MEMBER","5980\w+",true,".*","ciadmin"$/,
      ),
      expect.stringMatching(/^"users.dana","dana@example.com","\w+","ORG_MEMBER","5980\w+",false,/),
      expect.stringMatching(
        /^"users.dana","dana@example.com","\w+","GROUP_READ_ONLY","payments|5c81\w+",false,/,
      ),
    ])
    expect(await typed(here, others)).toEqual(others.map(() => 0))
    const jq = spawnSync('bash', ['-c', others[1] ?? ''], { cwd: here.folder, encoding: 'utf8' })
    expect(jq.stdout).toMatch(/"API_KEY_ROLES_CHANGED","reporter","oncall","/)
    expect(jq.stdout).toMatch(/"USER_CREATED_AUDIT","dana@example.com","ciadmin","/)
    expect(await textOf(here, 'keys.csv')).toMatch(/^source,project,projectId,orgId/)
  })
})

it('many installations are declared by a folder that they share and one of their own', async () => {
  const here = await begin({ fixture: twoProjects(project, project) })
  const lines = linesOf('Many installations from the same files').filter((line) =>
    line.startsWith('deploymgmt '),
  )
  for (const [folder, id] of [
    ['shared', undefined],
    ['organizations/acme', PROJECT],
    ['organizations/globex', OTHER_PROJECT],
  ] as const) {
    await mkdir(join(here.folder, folder), { recursive: true })
    const text =
      id === undefined
        ? 'defaults: { projectIds: all }\nalertConfigurations:\n  host-down: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n'
        : `state: deploymgmt.state.json\nprojects: { one: { id: ${id}, orgId: ${ORG} } }\n`
    await writeFile(
      join(here.folder, folder, 'deploymgmt.yaml'),
      `version: 1\nname: ${folder.split('/').at(-1)}\n${text}`,
    )
  }
  for (const [words = []] of lines.map((line) => commandLinesIn(line))) {
    const { code, document } = await here.json(...words)
    const seen = document.about.projects.map(({ id }: any) => id)
    expect({ code, seen }).toEqual({
      code: 0,
      seen: [words.at(-1)?.endsWith('acme') ? PROJECT : OTHER_PROJECT],
    })
    expect(document.summary).toMatchObject({ adopt: 2, create: 0 })
  }
})

it('before a commit, the hook checks, and the schema is written', async () => {
  const here = await begin({ manifest: alerts })
  const config = load(await readFile(join(FILES, 'pre-commit-config.yaml'), 'utf8')) as any
  const [{ entry }] = config.repos[0].hooks
  for (const name of Object.keys(here.env)) if (name.startsWith('DEPLOYMGMT_')) delete here.env[name]
  expect(await typed(here, [entry, ...linesOf('Before a commit')])).toEqual([0, 0])
  expect(JSON.parse(await textOf(here, 'manifest.schema.json'))).toHaveProperty('properties.users')
  await here.manifest(alerts.replaceAll('enabled', 'enabeld'))
  expect(await typed(here, [entry])).toEqual([1])
})

it('somebody leaves: without roles first, and then without an entry', async () => {
  const here = await reviewed()
  const text = await textOf(here, 'deploymgmt.yaml')
  await applied(here, text.replace(/roles: \[\{ roleName: ORG_MEMBER.*GROUP_READ_ONLY.*\]/, 'roles: []'))
  const { users: people } = await here.control('GET', 'dump')
  expect(people.find(({ username }: any) => username === 'dana@example.com').roles).toEqual([])
  await here.forgetRequests()
  const { stdout } = await applied(here, only('apiKeys', ''))
  expect(stdout).toContain('its userId is ')
  expect(await writesIn(here)).toEqual([])
})

it('a copy of the state shows what an apply with it would do', async () => {
  const here = await begin({ fixture: twoProjects(project) })
  await applied(here, alerts.replace(/ {2}c1.*\n/, ''))
  expect(await typed(here, linesOf('Copies of the state'))).toEqual([0])
  await applied(here, alerts)
  const { code, document } = await here.json('plan', '-f', '.', '--state', 'kept.json')
  expect({ code, adopt: document.summary.adopt }).toEqual({ code: 0, adopt: 1 })
  expect(await typed(here, linesOf('A new version'))).toEqual([0, 0])
})

it('a freeze carries out the occurrences of a schedule alone', async () => {
  const here = await begin({ fixture: twoProjects(project) })
  const windows = `  patching:
    alertTypeNames: [HOST]
    description: Patching
    schedule: { rrule: FREQ=WEEKLY;BYDAY=SU;BYHOUR=3, timezone: Europe/Madrid, duration: PT2H, horizon: P7D }
  waits: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`
  await here.manifest(manifestWith({ apiKeys: '', users: '', integrations: '', maintenanceWindows: windows }))
  expect(await typed(here, linesOf('A freeze'))).toEqual([0, 0])
  const descriptions = (await windowsAt(here)).map(({ description }) => description)
  expect(new Set(descriptions)).toEqual(new Set(['Patching']))
  expect(await writesIn(here)).toHaveLength(descriptions.length)
})
