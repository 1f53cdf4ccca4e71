import { describe, expect, it } from 'vitest'
import { failing, ORG, PROJECT } from '../support/installation.ts'
import { one, windowsAt } from '../support/one-window.ts'
import {
  applied,
  begin,
  only,
  OTHER_PROJECT,
  readsIn,
  twoProjects,
  writesIn,
  type Scene,
} from '../support/scene.ts'
import { asOnTerminal } from '../support/terminal.ts'

const agent = (hostname: string, stateName: string): object => ({
  typeName: 'AUTOMATION',
  hostname,
  stateName,
  confCount: 1,
  lastConf: '2026-10-01T00:00:00Z',
})
const ACTIVE = [agent('db1.example.com', 'ACTIVE')]
const IDLE = [...ACTIVE, agent('db2.example.com', 'NO_PROCESSES')]

const CONVERGED = {
  goalVersion: 29,
  processes: [{ name: 'db1', hostname: 'db1.example.com', lastGoalVersionAchieved: 29, plan: [] }],
}

const guarded = (gates: string): string => `${one()}gates: { payments: ${gates} }\n`
/** Loses the answer to a creation that only a later write can settle. */
const losing = async (here: Scene): Promise<void> => {
  await failing(here, 'POST', 'users', { fault: 'reset-before', count: 1 })
  expect(await here.run(...APPLY)).toMatchObject({ code: 3 })
  await here.control('POST', 'clock', { advance: 'PT1M' })
}

const nothing = (): Promise<void> => Promise.resolve()

const scene = (agents: readonly object[], gates = '[agents-active]'): Promise<Scene> =>
  begin({ fixture: twoProjects({ agents }), manifest: guarded(gates) })
const user = (name: string): string =>
  `  ${name}: { username: ${name}@example.com, emailAddress: ${name}@example.com, firstName: A, lastName: B, mobileNumber: "2125550198", password: { env: DANA_INITIAL_PASSWORD }, roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }] }`
const APPLY = ['apply', '--auto-approve']

describe('a gate that is open', () => {
  it('is shown in the plan, and lets an apply go on', async () => {
    const here = await begin({
      fixture: twoProjects({ agents: ACTIVE, automationStatus: CONVERGED }),
      manifest: guarded('[agents-active, no-open-alerts, automation-converged]'),
    })
    const { document } = await here.json('plan')
    expect(document.gates).toMatchObject(
      ['agents-active', 'no-open-alerts', 'automation-converged'].map((gate) => ({
        gate,
        project: 'payments',
        open: true,
        hindrances: [],
        declaredAt: expect.stringMatching(/^deploymgmt\.yaml:\d+:\d+$/),
      })),
    )
    expect((await here.run('plan')).stdout).toContain('gate no-open-alerts of payments is open')
    expect(await here.run(...APPLY)).toMatchObject({ code: 0 })
    expect(await windowsAt(here)).toHaveLength(1)
  })

  it('is not read where nothing of its project is changed', async () => {
    const here = await scene(ACTIVE)
    await applied(here, guarded('[agents-active]'))
    await here.forgetRequests()
    const { document } = await here.json('plan')
    expect(document.gates).toBeUndefined()
    expect((await readsIn(here)).filter((path) => path.includes('agents'))).toEqual([])
  })
})

const users = (...names: string[]): string =>
  `${guarded('[agents-active]')}users:\n${names.map(user).join('\n')}\n`

describe('a gate that is closed', () => {
  it('is shown in the plan, and refuses an apply before anything is sent', async () => {
    const here = await scene(IDLE)
    const { code, document } = await here.json('plan')
    expect([code, document.gates]).toMatchObject([
      0,
      [
        {
          open: false,
          hindrances: [{ facts: { hostname: 'db2.example.com', stateName: 'NO_PROCESSES' } }],
          byHand: expect.stringContaining('deploymgmt wait agents --active --project payments'),
        },
      ],
    ])
    const { code: refused, stdout, stderr } = await here.run(...APPLY)
    expect(refused).toBe(1)
    expect(stdout).toContain('gate agents-active of payments is closed')
    expect(stderr).toMatch(
      /DM-GATE: .*db2\.example\.com: NO_PROCESSES\n.*deploymgmt\.yaml:\d+.*\n.*deploymgmt wait agents --active.*--allow-closed-gates/,
    )
    expect(await writesIn(here)).toEqual([])
    expect(await here.run(...APPLY, '--allow-closed-gates')).toMatchObject({ code: 0 })
    expect(await windowsAt(here)).toHaveLength(1)
  })

  it('is that of a project whose id is written in capitals', async () => {
    const gates = `gates: { ${PROJECT.toUpperCase()}: [agents-active] }`
    const here = await begin({ fixture: twoProjects({ agents: IDLE }), manifest: `${one()}${gates}\n` })
    expect((await here.json('plan')).document.gates).toMatchObject([{ open: false }])
  })

  it('is told together with all else that stands against the apply', async () => {
    const here = await begin({
      fixture: twoProjects({ agents: IDLE }),
      manifest: `${users('dana')}integrations: { list: { only: [PAGING] } }\n`,
    })
    here.env['DANA_INITIAL_PASSWORD'] = ''
    const { code, stderr } = await here.run(...APPLY)
    expect([code, stderr.match(/^Error DM-\w+/gm)?.toSorted()]).toEqual([
      1,
      ['Error DM-GATE', 'Error DM-GUARD', 'Error DM-SECRET'],
    ])
    expect(await writesIn(here)).toEqual([])
  })

  it('stands in a line of its own with its place, where there are several', async () => {
    const here = await scene(IDLE, '[agents-active, automation-converged]')
    const { code, stderr } = await here.run(...APPLY)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /DM-GATE: 2 gates are closed:\n +gate agents-active of payments is closed: [^\n]*\n +deploymgmt\.yaml:\d+:\d+\n +gate automation-converged of payments is closed: the automation status has no process[^\n]*\n +deploymgmt\.yaml:\d+:\d+\n +- Look at the agents[^\n]*\n +- Wait with[^\n]*\n +- Nothing was sent/,
    )
  })

  it('refuses a saved plan, too, and closes by the time of its apply', async () => {
    const here = await scene(ACTIVE)
    expect(await here.run('plan', '--out', 'saved.plan')).toMatchObject({ code: 0 })
    await here.control('PUT', `projects/${PROJECT}/agents`, IDLE)
    expect(await here.run('apply', 'saved.plan', '--auto-approve')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DM-GATE'),
    })
    await here.control('PUT', `projects/${PROJECT}/agents`, ACTIVE)
    expect(await here.run('apply', 'saved.plan', '--auto-approve')).toMatchObject({ code: 0 })
  })

  it('refuses what would only settle an earlier request, too', async () => {
    const here = await scene(ACTIVE)
    await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after', count: 1 })
    expect(await here.run(...APPLY)).toMatchObject({ code: 3 })
    await here.control('PUT', `projects/${PROJECT}/agents`, IDLE)
    await here.forgetRequests()
    const { document } = await here.json('plan')
    expect(document).toMatchObject({ toBeSettled: [{}], gates: [{ open: false }] })
    const refused = await here.run(...APPLY)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-GATE') })
    expect(await writesIn(here)).toEqual([])
    expect(await here.run(...APPLY, '--allow-closed-gates')).toMatchObject({ code: 0 })
    expect(await windowsAt(here)).toHaveLength(1)
  })

  it('refuses to settle an earlier request by a write to a thing of its project', async () => {
    const here = await scene(ACTIVE)
    await applied(here, users('kept'))
    await here.manifest(users('kept', 'lost'))
    await failing(here, 'POST', 'users', { fault: 'reset-before', count: 1 })
    expect(await here.run(...APPLY)).toMatchObject({ code: 3 })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.control('PUT', `projects/${PROJECT}/agents`, IDLE)
    await here.forgetRequests()
    expect((await here.json('plan')).document).toMatchObject({ gates: [{ open: false }] })
    expect(await here.run(...APPLY)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DM-GATE'),
    })
    expect(await writesIn(here)).toEqual([])
  })

  it.each([
    ['what settles an earlier request', users('kept', 'lost'), losing],
    ['a change', guarded('[agents-active]').replace('Storage', 'Disk'), nothing],
  ])('refuses %s, too, if it closes while a person decides', async (_, manifest, before) => {
    const here = await scene(ACTIVE)
    await applied(here, users('kept'))
    await here.manifest(manifest)
    await before(here)
    await here.forgetRequests()
    const asked = asOnTerminal(here, 'apply')
    await asked.waitFor('Only "yes" is accepted')
    await here.control('PUT', `projects/${PROJECT}/agents`, IDLE)
    asked.type('yes\n')
    expect(await asked.ended).toMatchObject({ code: 1, shown: expect.stringContaining('DM-GATE') })
    expect(await writesIn(here)).toEqual([])
  })

  it('is not asked where reads alone settle an earlier request', async () => {
    const here = await scene(ACTIVE)
    const gated = `${only('integrations', '  old-chat: { type: CHAT_A, ensure: absent }')}gates: { payments: [agents-active] }\n`
    await here.manifest(gated)
    await failing(here, 'DELETE', 'integrations', { fault: 'reset-after', count: 1 })
    expect(await here.run(...APPLY)).toMatchObject({ code: 3 })
    await here.control('PUT', `projects/${PROJECT}/agents`, IDLE)
    const { document } = await here.json('plan')
    expect(document.toBeSettled).toMatchObject([{}])
    expect(document.gates).toBeUndefined()
    expect(await here.run(...APPLY)).toMatchObject({ code: 0 })
  })

  it.each([
    ['refused', { fault: 'status', status: 403 }, /does not permit this/, 'DM-FORBIDDEN'],
    ['malformed', { fault: 'malformed' }, /cannot be read: .*JSON/, 'DM-MALFORMED-ANSWER'],
  ])('is one whose reading is %s, and the plan is shown all the same', async (_, fault, why, code) => {
    const here = await scene(ACTIVE)
    await failing(here, 'GET', '/agents/', { ...fault, count: 1000 })
    const { code: planned, document } = await here.json('plan')
    expect([planned, document.gates]).toMatchObject([
      0,
      [
        {
          open: false,
          hindrances: [{ says: expect.stringMatching(/^cannot be read: /), facts: { code } }],
          declaredAt: expect.stringMatching(/^deploymgmt\.yaml:\d+:\d+$/),
        },
      ],
    ])
    const { code: refused, stdout, stderr } = await here.run(...APPLY)
    expect([refused, stdout]).toEqual([1, expect.stringContaining('maintenanceWindows')])
    expect(stderr).toMatch(
      /DM-GATE: gate agents-active of payments is closed: cannot be read: .*\n.*deploymgmt\.yaml:\d+/,
    )
    expect(stderr).toMatch(why)
    expect(await writesIn(here)).toEqual([])
    expect(await here.run(...APPLY, '--allow-closed-gates')).toMatchObject({ code: 0 })
    expect(await windowsAt(here)).toHaveLength(1)
  })

  it('is nobody’s concern in another project, nor in a rehearsal', async () => {
    const here = await scene(IDLE)
    const elsewhere = guarded('[agents-active]').replace('{"alert', `{"projectId":"${OTHER_PROJECT}","alert`)
    await applied(here, elsewhere)
    expect(await windowsAt(here, 1)).toHaveLength(1)
    await here.manifest(guarded('[agents-active]'))
    const { code, document } = await here.json('plan', '--local')
    expect([code, document.gates]).toEqual([0, undefined])
  })
})

const except = (until: string): string =>
  `[{ gate: agents-active, except: [{ name: db2.example.com, reason: is being replaced${until} }] }]`

describe('an exception of a gate', () => {
  it('opens it, with its reason', async () => {
    const here = await scene(IDLE, except(', until: 2035-01-01T00:00:00Z'))
    const { document } = await here.json('plan')
    expect(document.gates).toMatchObject([
      { open: true, excepted: [{ reason: 'is being replaced', until: '2035-01-01T00:00:00Z' }] },
    ])
    expect((await here.run('plan')).stdout).toMatch(/excepted: .*db2.*\(is being replaced, until 2035-01-01/)
    expect(await here.run(...APPLY)).toMatchObject({ code: 0 })
  })

  it('holds no more once it has ended, which is said', async () => {
    const here = await scene(IDLE, except(', until: 2025-01-01T00:00:00Z'))
    const { document } = await here.json('plan')
    expect(document.gates).toMatchObject([{ open: false, ended: [{ name: 'db2.example.com' }] }])
    expect((await here.run('plan')).stdout).toContain('the exception for db2.example.com has ended')
  })

  it.each(['2035-01-01', '2035-01-01T02:00:00[Europe/Madrid]'])(
    'ends with a day, or at a local time: %s',
    async (until) => {
      const here = await scene(IDLE, except(`, until: '${until}'`))
      const { document } = await here.json('plan')
      expect(document.gates).toMatchObject([{ open: true, excepted: [{ until }] }])
      const { stdout } = await here.run('plan')
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`(is being replaced, until ${until})`)
    },
  )

  it('holds on its last day, and no longer', async () => {
    // The day that it is in an hour, so that it cannot end during the test.
    const [today, yesterday] = [3_600_000, -86_400_000].map((ms) =>
      new Date(Date.now() + ms).toISOString().slice(0, 10),
    )
    const here = await scene(IDLE, except(`, until: ${today ?? ''}`))
    expect((await here.json('plan')).document.gates).toMatchObject([{ open: true }])
    await here.manifest(guarded(except(`, until: ${yesterday ?? ''}`)))
    expect((await here.json('plan')).document.gates).toMatchObject([
      { open: false, ended: [{ until: yesterday }] },
    ])
    expect((await here.run('plan')).stdout).toContain(
      `the exception for db2.example.com has ended: it was valid until ${yesterday ?? ''}`,
    )
  })

  it('that names nothing is told where the gate is closed, with its place and what it may mean', async () => {
    const here = await scene(IDLE, except('').replace('db2.example', 'db2.exmaple'))
    const { document } = await here.json('plan')
    const at = expect.stringMatching(/^deploymgmt\.yaml:\d+:\d+$/)
    expect(document.gates).toMatchObject([
      { open: false, unmatched: [{ name: 'db2.exmaple.com', declaredAt: at, meant: 'db2.example.com' }] },
    ])
    for (const words of [['plan'], ['plan', '--format', 'markdown'], ['plan', '--format', 'html'], APPLY])
      expect((await here.run(...words)).stdout.replaceAll(/\s+/g, ' ')).toMatch(
        /the exception for db2\.exmaple\.com at deploymgmt\.yaml:\d+:\d+ matches nothing; did you mean db2\.example\.com\?/,
      )
    // What it means may be there at another time: as long as the gate is open, nobody has to know.
    await here.control('PUT', `projects/${PROJECT}/agents`, ACTIVE)
    expect((await here.json('plan')).document.gates[0]).not.toHaveProperty('unmatched')
  })

  it('holds for good where it has no end', async () => {
    const here = await scene(IDLE, except(''))
    expect(await here.run(...APPLY)).toMatchObject({ code: 0 })
  })
})

describe('what a manifest says of gates is checked', () => {
  it.each([
    ['gates: { paymnets: [agents-active] }', 'did you mean payments?'],
    ['gates: { payments: [agents-activ] }', 'did you mean agents-active?'],
    ['gates: { payments: [agents-activ] }', 'gates.payments[0]: "agents-activ" is not a gate'],
    ['gates: { payments: [{ gate: agents-activ }] }', 'gates.payments[0].gate: "agents-activ" is not a gate'],
    ['gates: { payments: agents-active }', 'payments'],
    ['gates: { payments: [agents-active, { gate: agents-active }] }', 'listed twice'],
    ['gates: { payments: [{ gate: agents-active, except: [{ name: db1 }] }] }', 'reason'],
    ['gates: { payments: [{ except: [] }] }', 'gate'],
    ['gates: { payments: [null, 3] }', 'gates.payments'],
    [
      'gates: { payments: [{ gate: agents-active, except: [{ name: db1, reason: x, until: 2035-02-30 }] }] }',
      'gates.payments[0].except[0].until: "2035-02-30" is neither a day, such as 2027-03-31, nor an instant',
    ],
    [
      "gates: { payments: [{ gate: agents-active, except: [{ name: db1, reason: x, until: '2027-03-28T02:30:00[Europe/Madrid]' }] }] }",
      '2027-03-28T02:30:00 does not exist in Europe/Madrid',
    ],
    ['gates: { payments: [{ gate: agents-active, except: [{ name: db1, reason: x, until: 3 }] }] }', 'until'],
  ])('%s', async (text, said) => {
    const here = await begin({ manifest: `${one()}${text}\n` })
    const { code, stderr } = await here.run('validate')
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)])
    expect(stderr).toMatch(/deploymgmt\.yaml:\d+:\d+/)
  })
})
