import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  CI,
  fixtureWith,
  manifestWith,
  PROJECT,
  type Installation,
  failing,
} from '../support/installation.ts'
import { resealed, turned } from '../support/saved-plan.ts'
import { begin, beginApplied, only, writesIn } from '../support/scene.ts'

let here: Installation

const begun = async (manifest = manifestWith()): Promise<void> => {
  here = await begin({ manifest })
}

/** Reads with curl, which shares no code with our client. */
const curl = async (path: string): Promise<any> => {
  const words = ['-s', '--digest', '-u', `${CI.publicKey}:${CI.privateKey}`, `${here.baseUrl}${path}`]
  const { stdout } = await promisify(execFile)('curl', words)
  return JSON.parse(stdout)
}

/** One hour more, so that the number of whole days stays the same during a test. */
const inDays = (days: number): string => new Date(Date.now() + (days * 24 + 1) * 3_600_000).toISOString()

const daysUntil = (text: string): number => Number(/in (\d+) days/.exec(text)?.[1])

describe('the main job', () => {
  it('applies all five kinds, and what the service then holds is what was declared', async () => {
    here = await beginApplied(manifestWith())
    const { results: configurations } = await curl(`/groups/${PROJECT}/alertConfigs`)
    expect(configurations.map(({ id, enabled }: any) => [id, enabled])).toEqual([
      ['5d1113b25a115342acc2d0f3', true],
      ['5d1113b25a115342acc2d1aa', false],
    ])
    expect((await curl(`/groups/${PROJECT}/integrations`)).results.map(({ type }: any) => type)).toEqual([
      'PAGING',
    ])
    const dump = await here.control('GET', 'dump')
    const key = dump.organizations[0].apiKeys.find(({ publicKey }: any) => publicKey === 'reporter')
    expect(key).toMatchObject({ desc: 'Reporting', roles: [{ roleName: 'ORG_MEMBER' }] })
    expect(dump.users).toMatchObject([{ username: 'dana@example.com', firstName: 'Dana' }])
    expect(
      [...dump.users[0].roles, ...dump.users[0].invitations]
        .map(({ roleName }: any) => roleName)
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['GROUP_READ_ONLY', 'ORG_MEMBER'])
    expect(dump.projects[0].maintenanceWindows).toMatchObject([
      { description: 'Storage migration', alertTypeNames: expect.arrayContaining(['HOST', 'REPLICA_SET']) },
    ])
  })

  it('finds nothing to do in a second plan, which only reads', async () => {
    here = await beginApplied(manifestWith())
    await here.forgetRequests()
    const { code, document } = await here.json('plan', '--detailed-exitcode')
    expect({ code, inSync: document.inSync }).toEqual({ code: 0, inSync: true })
    expect(document.summary).toMatchObject({ unverifiable: 3, unchanged: 4, blocked: 0 })
    const { log } = await here.requests()
    expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(document.requestsSent).toBe(log.length)
  })

  it('says once what cannot be verified, where an apply has nothing to do', async () => {
    here = await beginApplied(manifestWith())
    const { code, stdout } = await here.run('apply', '--auto-approve')
    expect(code).toBe(0)
    expect(stdout.match(/users\.dana: as recorded/g)).toHaveLength(1)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
      /^deploymgmt apply · 3 not verifiable · 4 in sync · \d+ requests? · /,
    )
    const quiet = await here.run('apply', '--auto-approve', '--quiet')
    expect(quiet.stdout.match(/users\.dana: as recorded/g)).toHaveLength(1)
  })

  it('says once what cannot be verified, where an apply changes something else', async () => {
    here = await beginApplied(manifestWith())
    await here.manifest(manifestWith().replace('enabled: false', 'enabled: true'))
    const { stdout } = await here.run('apply', '--auto-approve')
    expect(stdout).toContain('1 to change')
    expect(stdout.match(/users\.dana/g)).toHaveLength(1)
    expect(stdout).toMatch(/\n.*1 changed · 3 not verifiable · 3 in sync/)
    await here.manifest(manifestWith())
    const quiet = await here.run('apply', '--auto-approve', '--quiet')
    expect(quiet.stdout.match(/users\.dana: as recorded/g)).toHaveLength(1)
  })

  it('blocks an integration that is missing, applies everything else, and exits with 2', async () => {
    await begun(
      manifestWith({
        integrations: '  hook: { type: WEBHOOK }\n  old-chat: { type: CHAT_A, ensure: absent }',
      }),
    )
    const { code, stdout } = await here.run('apply', '--auto-approve')
    expect(code).toBe(2)
    expect(stdout).toContain('integrations.hook')
    expect(stdout).toContain('By hand: Project payments → Integrations → WEBHOOK')
    expect((await curl(`/groups/${PROJECT}/integrations`)).results.map(({ type }: any) => type)).toEqual([
      'PAGING',
    ])
    const { document } = await here.json('plan')
    expect(document.summary).toMatchObject({ blocked: 1, create: 0, update: 0, delete: 0 })
  })

  it('moves a renamed entry of each kind with no request', async () => {
    here = await beginApplied(manifestWith())
    await here.manifest(
      manifestWith()
        .replace('reporting:', 'reports:')
        .replace('dana:', 'reyes:')
        .replace('noisy:', 'quiet:')
        .replace('migration:', 'storage:')
        .replace('paging:', 'pager:'),
    )
    const { document } = await here.json('plan')
    const moved = document.changes.filter(({ action }: any) => action === 'moved')
    expect(moved.map(({ address, from, requests }: any) => [from, address, requests])).toEqual([
      ['apiKeys.reporting', 'apiKeys.reports', []],
      ['users.dana', 'users.reyes', []],
      ['alertConfigurations.noisy', 'alertConfigurations.quiet', []],
      ['maintenanceWindows.migration', 'maintenanceWindows.storage', []],
      ['integrations.paging', 'integrations.pager', []],
    ])
    await here.forgetRequests()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await writesIn(here)).toEqual([])
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('creates nothing without a state file, and names state init', async () => {
    await begun()
    await rm(join(here.folder, 'deploymgmt.state.json'))
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect(code).toBe(1)
    expect(stderr).toContain('deploymgmt state init')
    expect(await writesIn(here)).toEqual([])
    expect(await readdir(here.folder)).toEqual(['deploymgmt.yaml'])
    const { document } = await here.json('apply', '--auto-approve')
    expect(document).toMatchObject({ type: 'summary', exitCode: 1, error: { code: 'DM-STATE-MISSING' } })
  })

  it('finds a change made with another key, and names the key, the time and the event', async () => {
    here = await beginApplied(manifestWith())
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`, { enabled: true })
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    const [drifted] = document.resources.filter(({ verdict }: any) => verdict === 'drifted')
    expect(drifted).toMatchObject({
      address: 'alertConfigurations.noisy',
      fields: [{ path: 'enabled', before: false, after: true }],
      actor: { publicKey: 'oncall', eventTypeName: 'ALERT_CONFIG_ENABLED_AUDIT', confidence: 'high' },
    })
    expect(Date.parse(drifted.actor.at)).toBeGreaterThan(Date.now() - 60_000)
    expect((await here.run('drift')).stdout).toMatch(/by key "oncall".*ALERT_CONFIG_ENABLED_AUDIT/s)
  })

  it('reads 400 alert configurations with one list request and one challenge', async () => {
    const ids = Array.from({ length: 400 }, (_, index) =>
      index.toString(16).padStart(24, '5d0000000000000000000000'),
    )
    const alertConfigs = ids.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: true }))
    const entries = ids.map((id, index) => `  c${index}: { alertConfigId: "${id}", enabled: true }`)
    here = await begin({
      fixture: fixtureWith({ alertConfigs }),
      manifest: only('alertConfigurations', entries.join('\n')),
    })
    const { document } = await here.json('plan')
    expect(document.summary.adopt).toBe(400)
    expect((await here.requests()).counts).toEqual({
      'GET /groups/{projectId}/alertConfigs': 1,
      challenges: 1,
    })
  })

  it('leaves no secret in state, journal, plan file, output or error', async () => {
    await begun()
    const ran = [
      await here.run('plan', '--out', 'plan.bin'),
      await here.run('apply', '--auto-approve', '--format', 'json'),
      await here.run('drift', '--format', 'json'),
      await here.run('apply', 'plan.bin', '--auto-approve'),
    ]
    const files = await Promise.all(
      (await readdir(here.folder)).map((name) => readFile(join(here.folder, name), 'utf8')),
    )
    expect([...ran.map(({ stdout, stderr }) => stdout + stderr), ...files].join('\n')).not.toContain('canary')
  })
})

describe('a saved plan', () => {
  it('is applied as it was shown', async () => {
    await begun()
    expect(await here.run('plan', '--out', 'plan.bin')).toMatchObject({ code: 0 })
    const { stdout } = await here.run('plan', 'plan.bin')
    expect(stdout).toMatch(/^deploymgmt saved plan · as of 20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC · /)
    expect(stdout).toContain('maintenanceWindows.migration')
    expect(await here.run('apply', 'plan.bin', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('says as of when it was made where it is applied later, and counts days from then', async () => {
    const [startDate, endDate] = [inDays(10), inDays(11)]
    await begun(
      only(
        'maintenanceWindows',
        `  soon: { alertTypeNames: [HOST], startDate: ${startDate}, endDate: ${endDate} }`,
      ),
    )
    const { stdout: planned } = await here.run('plan', '--out', 'plan.bin')
    await here.control('POST', 'clock', { advance: 'PT72H' })
    const { code, stdout } = await here.run('apply', 'plan.bin', '--auto-approve')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^deploymgmt apply of a saved plan · as of 20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC · /,
    )
    expect(daysUntil(stdout)).toBe(daysUntil(planned))
  })

  it.each([
    ['what a change makes', (plan: any) => void (plan.document.changes[0].after.description = 'edited')],
    ['why it is made', (plan: any) => void (plan.document.changes[0].reason = 'edited')],
    [
      'what the thing is',
      ({ document: { changes } }: any) =>
        void (changes.find(({ what }: any) => what === 'REPLICA_SET').what = 'BACKUP_AGENT_DOWN'),
    ],
    ['where it is declared', (plan: any) => void (plan.document.changes[0].declaredAt = 'a.yaml:1:1')],
    ['how much is done', (plan: any) => void (plan.document.summary.create += 1)],
  ])('that was edited in %s is refused', async (_, edit) => {
    await begun()
    await here.run('plan', '--out', 'plan.bin')
    const path = join(here.folder, 'plan.bin')
    const saved = JSON.parse(await readFile(path, 'utf8'))
    edit(saved)
    await here.forgetRequests()
    const apply = async (text: string) => {
      await writeFile(path, text)
      const { code, stderr } = await here.run('apply', 'plan.bin', '--auto-approve')
      expect([code, await writesIn(here)]).toEqual([1, []])
      return stderr
    }
    expect(await apply(JSON.stringify(saved))).toContain(
      'DM-PLAN-FILE: the saved plan has been edited or damaged',
    )
    const stderr = await apply(resealed(saved))
    expect(stderr).toContain('DM-PLAN-STALE')
    expect(stderr).toContain('what the plan file shows is not what would be planned now')
  })

  it('whose manifest is not here says where to apply it, and names no flag that it refuses', async () => {
    await begun()
    await here.run('plan', '--out', 'plan.bin')
    await rm(join(here.folder, 'deploymgmt.yaml'))
    const { code, stderr } = await here.run('apply', 'plan.bin', '--auto-approve')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-MANIFEST-NOT-FOUND: cannot read deploymgmt.yaml: it does not exist')
    expect(stderr).toContain('Apply the plan in the folder where it was made')
    expect(stderr).not.toContain('--file')
  })

  it('is applied as it was saved, in whatever order another tool has put its keys', async () => {
    await begun()
    await here.run('plan', '--out', 'plan.bin')
    const path = join(here.folder, 'plan.bin')
    await writeFile(path, JSON.stringify(turned(JSON.parse(await readFile(path, 'utf8')))))
    expect(await here.run('apply', 'plan.bin', '--auto-approve')).toMatchObject({ code: 0 })
  })

  it('is tied to an approval by its digest, which the plan tells and sha256sum confirms', async () => {
    await begun()
    const { stdout, stderr } = await here.run('plan', '--out', 'plan.bin')
    const bytes = await readFile(join(here.folder, 'plan.bin'))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const told = `sha256 of plan.bin: ${sha256}`
    expect(stdout).toContain(told)
    expect(stderr).toContain(`deploymgmt apply plan.bin --expect-sha256 ${sha256}`)
    expect((await here.run('plan', 'plan.bin')).stdout).toContain(told)
    const saved = { file: 'plan.bin', sha256 }
    expect((await here.json('plan', 'plan.bin')).document).toMatchObject({ formatVersion: 1, saved })
    const ran = await here.run('apply', 'plan.bin', '--auto-approve', '--expect-sha256', sha256.toUpperCase())
    expect(ran).toMatchObject({ code: 0 })
  })

  it('that is not the approved one is refused before anything is read or sent', async () => {
    await begun()
    const { document } = await here.json('plan', '--out', 'plan.bin')
    const { sha256 } = document.saved
    await here.forgetRequests()
    await writeFile(join(here.folder, 'plan.bin'), ' ', { flag: 'a' })
    await rm(join(here.folder, 'deploymgmt.yaml'))
    const expecting = (digest: string) =>
      here.json('apply', 'plan.bin', '--auto-approve', '--expect-sha256', digest)
    const refused = await expecting(sha256)
    expect(refused).toMatchObject({ code: 1, document: { error: { code: 'DM-PLAN-DIGEST' } } })
    expect(refused.stderr).toContain(sha256)
    expect((await here.requests()).log).toEqual([])
    for (const digest of ['', sha256.slice(1), `${sha256}0`, `sha256:${sha256}`, sha256.replace(/^./, 'g')])
      expect((await expecting(digest)).stderr).toMatch(/DM-USAGE.*64 hexadecimal digits/s)
    expect((await here.run('apply', '--auto-approve', '--expect-sha256', sha256)).stderr).toMatch(
      /DM-USAGE.*no saved plan was given/,
    )
  })

  it.each([
    ['the manifest', async () => here.manifest(manifestWith({ maintenanceWindows: '' }))],
    ['the state', async () => expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })],
    [
      'what is readable',
      async () =>
        here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`, { enabled: false }),
    ],
  ])('is refused when %s has changed since', async (_, change) => {
    await begun()
    await here.run('plan', '--out', 'plan.bin')
    await change()
    await here.forgetRequests()
    const { code, stderr } = await here.run('apply', 'plan.bin', '--auto-approve')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-PLAN-STALE')
    expect(await writesIn(here)).toEqual([])
  })
})

describe('bad input', () => {
  it('lists every error of a manifest with its place, and sends nothing', async () => {
    await begun(
      manifestWith()
        .replace('ORG_MEMBER]', 'ORG_MEMBR]')
        .replace('type: PAGING', 'type: PAGGING')
        .replace('description:', 'descripton:'),
    )
    const { code, stderr } = await here.run('plan')
    expect(code).toBe(1)
    expect(stderr.match(/^deploymgmt\.yaml:\d+:\d+ /gm)).toHaveLength(3)
    expect(stderr).toContain('did you mean ORG_MEMBER')
    expect(stderr).toContain('3 errors. Nothing was sent.')
    expect((await here.requests()).log).toEqual([])
  })

  it('makes one clear error of wrong credentials, without a storm of requests', async () => {
    await begun()
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = 'wrong'
    const { code, stderr } = await here.run('plan')
    expect(code).toBe(1)
    expect(stderr.match(/^Error /gm)).toHaveLength(1)
    expect(stderr).toContain('DM-AUTH-REJECTED')
    expect((await here.requests()).log.length).toBeLessThanOrEqual(3)
  })

  it('refuses a plan that could not read everything', async () => {
    await begun()
    await failing(here, 'GET', '/integrations', { fault: 'malformed', count: 50 })
    const { code, stdout, stderr } = await here.run('plan')
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain('DM-MALFORMED-ANSWER')
  })

  it.each([
    ['corrupt', '{"version": 1, ', 'DM-STATE-CORRUPT'],
    ['of a later version', '{"version": 99, "name": "test"}', 'DM-STATE-VERSION'],
  ])('refuses a state file that is %s, and leaves it untouched', async (_, text, code) => {
    await begun()
    const path = join(here.folder, 'deploymgmt.state.json')
    await writeFile(path, text, { mode: 0o600 })
    const ran = await here.run('apply', '--auto-approve')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(code)
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await writesIn(here)).toEqual([])
  })
})
