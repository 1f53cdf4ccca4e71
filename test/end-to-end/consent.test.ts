import { describe, expect, it } from 'vitest'
import { fixtureWith, manifestWith, ORG, PROJECT, type Installation } from '../support/installation.ts'
import { begin } from '../support/scene.ts'
import { asOnTerminal, type Terminal } from '../support/terminal.ts'

let here: Installation

const QUESTION = 'Only "yes" is accepted: '
const NOISY = `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`
const REPORTING = `/orgs/${ORG}/apiKeys/5c47503320eef5699e1cce8f`

const begun = async (manifest = manifestWith(), fixture = fixtureWith()): Promise<void> => {
  here = await begin({ fixture, manifest })
}

const applied = async (manifest?: string, fixture?: object): Promise<void> => {
  await begun(manifest, fixture)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
}

/** Runs apply up to its question. */
const asked = async (...flags: string[]): Promise<Terminal> => {
  await here.forgetRequests()
  const terminal = asOnTerminal(here, 'apply', ...flags)
  await terminal.waitFor(QUESTION)
  return terminal
}

const answered = async (terminal: Terminal, keys: string) => {
  terminal.type(keys)
  return terminal.ended
}

/** Writes by the command itself. */
const writes = async (): Promise<string[]> =>
  (await here.requests()).log
    .filter(({ method, status, key }) => method !== 'GET' && status !== 401 && key === 'ciadmin')
    .map(({ method, path }) => `${method} ${path}`)

const dump = async () => {
  const { organizations, projects } = await here.control('GET', 'dump')
  return {
    key: organizations[0].apiKeys.find(({ publicKey }: any) => publicKey === 'reporter'),
    noisy: projects[0].alertConfigs.find(({ id }: any) => id === '5d1113b25a115342acc2d1aa'),
    integrations: projects[0].integrations.map(({ type }: any) => type),
    windows: projects[0].maintenanceWindows,
  }
}

describe('the question of apply', () => {
  it('is answered with yes alone', async () => {
    await begun()
    expect(await answered(await asked(), 'yes\n')).toMatchObject({ code: 0 })
    expect((await dump()).key).toMatchObject({ desc: 'Reporting' })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('is refused without a terminal, with a summary that counts the requests that were sent', async () => {
    await begun()
    await here.forgetRequests()
    const { code, document } = await here.json('apply')
    const { log } = await here.requests()
    expect({ code, document }).toMatchObject({
      code: 1,
      document: { type: 'summary', error: { code: 'DM-NOT-CONFIRMED' }, requestsSent: log.length },
    })
    expect(log.length).toBeGreaterThan(0)
  })

  it('says where it is, and so does its refusal without a terminal', async () => {
    await begun()
    const { host } = new URL(here.env['DEPLOYMGMT_BASE_URL'] ?? '')
    const where = `apply these changes at ${host} (test, key ciadmin, organization ${ORG})`
    const { stderr, code } = await here.run('apply')
    expect(code).toBe(1)
    expect(stderr).toContain(`there is no terminal on which to ask whether to ${where}; nothing was sent`)
    const terminal = await asked()
    expect(terminal.shown()).toContain(`\n${where.replace('apply', 'Apply')}? ${QUESTION}`)
    await answered(terminal, 'no\n')
  })

  it('names a rehearsal by what does not change from command to command', async () => {
    await begun()
    await here.run('state', 'init', '--local')
    expect((await here.run('apply', '--local')).stderr).toContain(' at localhost (test, key local, ')
    expect((await here.run('plan', '--local')).stdout).toMatch(
      /^deploymgmt plan · test at localhost · key local/,
    )
  })

  it.each(['no', 'y', 'YES'])('sends nothing after %s', async (answer) => {
    await begun()
    const ended = await answered(await asked(), `${answer}\n`)
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.shown).toContain('DM-NOT-CONFIRMED')
    expect(await writes()).toEqual([])
  })

  it.each([[['--quiet']], [['--format', 'json']], [['--output', 'apply.txt']]])(
    'comes after the plan with %s too',
    async (flags) => {
      await begun()
      const terminal = await asked(...flags)
      const [before = ''] = terminal.shown().split(QUESTION)
      expect(before).toContain('maintenanceWindows.migration')
      expect(before).toContain('apiKeys.reporting')
      expect(await answered(terminal, 'no\n')).toMatchObject({ code: 1 })
    },
  )
})

describe('what changes while the question waits', () => {
  it('is refused when it is a readable thing, and applied with --allow-overwrite', async () => {
    await begun()
    const first = await asked()
    await here.outside('PATCH', NOISY, { enabled: false })
    const refused = await answered(first, 'yes\n')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.shown).toMatch(/DM-PLAN-STALE.*alertConfigurations\.noisy/s)
    expect(await writes()).toEqual([])
    await here.outside('PATCH', NOISY, { enabled: true })
    const second = await asked('--allow-overwrite')
    await here.outside('PATCH', NOISY, { enabled: false })
    expect(await answered(second, 'yes\n')).toMatchObject({ code: 0 })
    expect((await dump()).noisy).toMatchObject({ enabled: false })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('is in the summary, which tells of the plan that was carried out', async () => {
    await applied()
    await here.outside('PATCH', NOISY, { enabled: true })
    const terminal = await asked('--allow-overwrite', '--format', 'json')
    await here.outside('PATCH', NOISY, { enabled: false })
    const { code, shown } = await answered(terminal, 'yes\n')
    expect({ code, shown }).toMatchObject({ code: 0 })
    const { unchanged } = (await here.json('plan')).document.summary
    expect(shown).toContain(`"unchanged":${unchanged},`)
  })

  it('is refused when events alone tell it, with who did it, and overwritten with --allow-overwrite', async () => {
    await applied()
    await here.manifest(manifestWith().replace('desc: Reporting', 'desc: Reports'))
    const first = await asked()
    await here.outside('PATCH', REPORTING, { roles: ['ORG_READ_ONLY'] })
    const refused = await answered(first, 'yes\n')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.shown).toMatch(
      /DM-PLAN-STALE.*apiKeys\.reporting \(key "oncall", \d{4}-[^,]+, API_KEY_ROLES_CHANGED/s,
    )
    expect((await dump()).key).toMatchObject({ desc: 'Reporting', roles: [{ roleName: 'ORG_READ_ONLY' }] })
    const second = await asked('--allow-overwrite')
    await here.outside('PATCH', REPORTING, { roles: ['ORG_MEMBER'] })
    expect(await answered(second, 'yes\n')).toMatchObject({ code: 0 })
    expect((await dump()).key).toMatchObject({ desc: 'Reports', roles: [{ roleName: 'ORG_MEMBER' }] })
  })

  it('is refused of a saved plan, by events alone, with who did it', async () => {
    await applied()
    await here.manifest(manifestWith().replace('desc: Reporting', 'desc: Reports'))
    expect(await here.run('plan', '--out', 'plan.bin')).toMatchObject({ code: 0 })
    await here.outside('PATCH', REPORTING, { roles: ['ORG_READ_ONLY'] })
    await here.forgetRequests()
    const ran = await here.run('apply', 'plan.bin', '--auto-approve', '--allow-overwrite')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/DM-PLAN-STALE.*apiKeys\.reporting \(key "oncall"/s)
    expect(await writes()).toEqual([])
  })

  it('is never a reason to change what was not shown, whatever is allowed', async () => {
    await applied()
    await here.manifest(manifestWith().replace('desc: Reporting', 'desc: Reports'))
    const terminal = await asked('--allow-overwrite')
    await here.outside('PATCH', NOISY, { enabled: true })
    const ended = await answered(terminal, 'yes\n')
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.shown).toMatch(
      /DM-PLAN-STALE.*alertConfigurations\.noisy: enabled false → true \(key "oncall"/s,
    )
    expect(await writes()).toEqual([])
  })

  it.each([[['--allow-overwrite']], [['--allow-overwrite', '--allow-delete']], [[]]])(
    'is never deleted by an only-list that it came to fall under, with %j',
    async (flags) => {
      const paging = { type: 'PAGING', serviceKey: '0123456789abcdef-canary-0004' }
      const chat = { type: 'CHAT_A', apiToken: 't', teamName: 'payments', channelName: 'alerts' }
      const manifest = manifestWith({ integrations: '  nothing-else: { only: [PAGING] }' })
      await applied(manifest, fixtureWith({ integrations: [paging] }))
      await here.manifest(manifest.replace('desc: Reporting', 'desc: Reports'))
      const terminal = await asked(...flags)
      await here.control('PUT', `projects/${PROJECT}/integrations`, [paging, chat])
      const ended = await answered(terminal, 'yes\n')
      expect(ended).toMatchObject({ code: 1 })
      expect(ended.shown).toMatch(/DM-PLAN-STALE.*integrations\.nothing-else/s)
      expect(await writes()).toEqual([])
      expect((await dump()).integrations).toContain('CHAT_A')
    },
  )
})

const WEEKLY = manifestWith({
  apiKeys: '',
  users: '',
  alertConfigurations: '',
  integrations: '',
  maintenanceWindows:
    '  weekly: { alertTypeNames: [HOST], schedule: { rrule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0", timezone: UTC, duration: PT2H, horizon: P3D } }',
})

describe('time alone', () => {
  it('is nobody’s change while the question waits', async () => {
    await begun(WEEKLY)
    const terminal = await asked()
    await here.control('POST', 'clock', { advance: 'P1D' })
    expect(await answered(terminal, 'yes\n')).toMatchObject({ code: 0 })
    expect((await dump()).windows).not.toEqual([])
  })

  it('makes no saved plan stale: what has begun since is left out, and nothing is added', async () => {
    await begun(WEEKLY)
    await here.run('plan', '--out', 'plan.bin')
    const { document } = await here.json('plan')
    const planned: string[] = document.changes.map(({ after }: any) => after.startDate)
    await here.control('POST', 'clock', { advance: 'P1D' })
    const ran = await here.run('apply', 'plan.bin', '--auto-approve')
    expect(ran).toMatchObject({ code: 0 })
    const created = (await dump()).windows.map(({ startDate }: any) => startDate)
    expect(created.map(Date.parse)).toEqual(planned.slice(1).map((each) => Date.parse(each)))
  })
})
