import { describe, expect, it } from 'vitest'
import { CONDITIONS } from '../../reconciler/conditions/index.ts'
import { LONGEST_MS } from '../../reconciler/commands/wait/wait.ts'
import { fixtureWith, install, ORG, PROJECT, type Installation } from '../support/installation.ts'
import { begin, OTHER_PROJECT, twoProjects, type Scene } from '../support/scene.ts'
import { runHere, type Ran } from '../support/command.ts'

const process = (hostname: string, version: number, more: object = {}): object => ({
  name: `${hostname}-1`,
  hostname,
  lastGoalVersionAchieved: version,
  plan: [],
  errorCode: 0,
  errorCodeDescription: '',
  errorCodeHumanReadable: '',
  errorString: '',
  ...more,
})
const at = (...versions: number[]): object => ({
  goalVersion: 29,
  processes: versions.map((version, index) => process(`db${index}.example.com`, version)),
})
const agent = (hostname: string, stateName: string, typeName = 'AUTOMATION'): object => ({
  typeName,
  hostname,
  stateName,
  confCount: 1,
  lastConf: '2026-10-01T00:00:00Z',
})
const openAlert = (id: string, more: object = {}): object => ({
  id,
  alertConfigId: '5d1113b25a115342acc2d0f3',
  status: 'OPEN',
  eventTypeName: 'HOST_DOWN',
  created: '2026-10-01T00:00:00Z',
  updated: '2026-10-01T00:00:00Z',
  hostnameAndPort: 'db1.example.com:27017',
  ...more,
})

const scene = (project: object = {}, other: object = {}): Promise<Scene> =>
  begin({
    fixture: twoProjects(project, other),
    manifest: `version: 1\nname: test\nprojects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n  ledger: { id: ${OTHER_PROJECT}, orgId: ${ORG} }\n`,
    proxied: true,
  })

interface Waited extends Ran {
  /** The length of each pause in milliseconds. */
  readonly pauses: readonly number[]
}

/** Waits on a clock that only pauses advance; `meanwhile` runs in each pause. */
const waits = async (
  here: Pick<Installation, 'folder' | 'env'>,
  words: readonly string[],
  meanwhile: (pause: number) => Promise<unknown> = async () => undefined,
  more: Parameters<typeof runHere>[2] = {},
): Promise<Waited> => {
  let now = Date.parse('2026-11-01T00:00:00Z')
  const pauses: number[] = []
  const pause = async (ms: number): Promise<void> => {
    // This is not a pause, but the time limit of a single look.
    if (ms > LONGEST_MS) return new Promise(() => {})
    now += ms
    pauses.push(ms)
    await meanwhile(pauses.length)
  }
  const ran = await runHere(here, ['wait', ...words], { now: () => new Date(now), pause, ...more })
  return { ...ran, pauses }
}

const AUTOMATION = ['automation', '--project', 'payments']

describe('wait automation', () => {
  it('ends at once where every process has reached the goal', async () => {
    const here = await scene({ automationStatus: at(29, 29) })
    const { code, stdout, pauses } = await waits(here, AUTOMATION)
    expect([code, pauses]).toEqual([0, []])
    expect(stdout).toMatch(/^Reached: every process has reached the goal version/)
  })

  it('goes on until the last one has, and says what has changed alone', async () => {
    const here = await scene({ automationStatus: at(26, 29, 28) })
    const { code, stderr, pauses } = await waits(here, AUTOMATION, async (count) => {
      if (count === 2) await here.control('PUT', `projects/${PROJECT}/automationStatus`, at(29, 29, 28))
      if (count === 4) await here.control('PUT', `projects/${PROJECT}/automationStatus`, at(29, 29, 29))
    })
    expect([code, pauses.length]).toEqual([0, 4])
    expect(stderr.split('\n')).toEqual([
      'Waiting for up to 10 min until every process has reached the goal version: payments',
      'payments: db0.example.com db0.example.com-1: 3 versions behind (26 of 29)',
      'payments: db2.example.com db2.example.com-1: 1 version behind (28 of 29)',
      '2 left',
      // What is left has not changed.
      '1 left',
      'none left',
      '',
    ])
  })

  it('says what hangs where when the time is over, and looks a last time then', async () => {
    const hanging = process('db1.example.com', 26, {
      plan: ['Download', 'Restart', 'Wait'],
      errorString: 'no space left',
    })
    const here = await scene({ automationStatus: { goalVersion: 29, processes: [hanging] } })
    const { code, stdout, pauses } = await waits(here, [...AUTOMATION, '--timeout', '1m'])
    expect(code).toBe(2)
    expect(stdout).toMatch(
      /^Not reached within 1 min: .*\npayments\n\s+db1.example.com.*: 3 versions behind \(26 of 29\); at step Download, 2 more after\s+it; error: no space left/,
    )
    expect(pauses.reduce((sum, each) => sum + each, 0)).toBe(60_000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(LONGEST_MS)
  })

  it('waits for all projects that are named, and tells them apart as JSON', async () => {
    const here = await scene({ automationStatus: at(29) }, { automationStatus: at(27) })
    const words = [...AUTOMATION, '--project', OTHER_PROJECT, '--timeout', '10s', '--format', 'json']
    const { code, stdout } = await waits(here, words)
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      formatVersion: 1,
      condition: 'automation-converged',
      reached: false,
      seconds: 10,
      projects: [
        { project: 'payments', reached: true, hindrances: [] },
        {
          projectId: OTHER_PROJECT,
          project: 'ledger',
          reached: false,
          hindrances: [{ facts: { hostname: 'db0.example.com', version: 27, goalVersion: 29 } }],
        },
      ],
    })
  })

  it('is not reached where there is no process at all', async () => {
    const here = await scene({ automationStatus: { goalVersion: 29, processes: [] } })
    const { code, stdout } = await waits(here, [...AUTOMATION, '--timeout', '5s'])
    expect(code).toBe(2)
    expect(stdout).toContain(
      'the automation status has no process, so none has reached the goal version (29)',
    )
  })

  it('says how long it was to wait, also where the last look took longer', async () => {
    const here = await scene({ automationStatus: at(26) })
    let now = Date.parse('2026-11-01T00:00:00Z')
    here.proxy.steer((_, forward) => {
      now += 1020
      return forward()
    })
    const pause = async (ms: number): Promise<void> => {
      if (ms > 15_000) return new Promise(() => {})
      now += ms
    }
    const words = [...AUTOMATION, '--timeout', '3s']
    const { stdout } = await waits(here, words, undefined, { now: () => new Date(now), pause })
    expect(stdout).toMatch(/^Not reached within 3 s: /)
  })

  it('leaves out what --except names', async () => {
    const here = await scene({ automationStatus: at(26, 29) })
    const words = [...AUTOMATION, '--except', 'db0.example.com']
    const { code, stderr } = await waits(here, words)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Warning')])
    const { stderr: said } = await waits(here, [
      ...words,
      '--except',
      'nosuch',
      '--except',
      'db1.example.com',
    ])
    expect(said.match(/Warning: .*/g)).toEqual(['Warning: --except nosuch matches nothing that was found.'])
  })

  it.each(['automation', 'alerts', 'agents'])(
    '%s says how it is called where no project is named',
    async (what) => {
      const here = await scene()
      const { code, stderr } = await waits(here, [what])
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`deploymgmt wait ${what} --project payments`),
      ])
    },
  )

  it('needs no manifest for an id', async () => {
    const here = await install({ fixture: fixtureWith({ automationStatus: at(29) }) })
    expect(await waits(here, ['automation', '--project', PROJECT])).toMatchObject({ code: 0 })
    expect(await waits(here, AUTOMATION)).toMatchObject({ code: 1 })
    expect(await waits(here, ['automation'])).toMatchObject({ code: 1 })
    await here.close()
  })

  it('does not go on without a manifest that is there but wrong', async () => {
    const here = await begin({ fixture: fixtureWith({ automationStatus: at(29) }), manifest: 'version: 9\n' })
    const { code, stderr } = await waits(here, ['automation', '--project', PROJECT])
    expect([code, stderr]).toEqual([1, expect.stringContaining('Error DM-MANIFEST')])
  })
})

describe('wait alerts', () => {
  it('names what is open, and goes on when nothing is', async () => {
    const here = await scene({ alerts: [openAlert('5d1f2a3b4c5d6e7f8091a2b3')] })
    const words = ['alerts', '--none-open', '--project', 'payments', '--timeout', '5s']
    const { code, stdout } = await waits(here, words)
    expect(code).toBe(2)
    expect(stdout).toContain('HOST_DOWN on db1.example.com:27017 open since 2026-10-01 00:00:00 UTC')
    for (const excepted of ['HOST_DOWN', 'db1.example.com', 'db1.example.com:27017'])
      expect(await waits(here, [...words, '--except', excepted])).toMatchObject({ code: 0 })
    expect(await waits(here, [...words, '--except', 'db1'])).toMatchObject({ code: 2 })
    const other = ['alerts', '--project', 'ledger', '--except', 'HOST_DOWN', '--except', 'nosuch']
    const { code: none, stderr } = await waits(here, other)
    expect([none, stderr.match(/Warning: .*/g)]).toEqual([
      0,
      ['Warning: --except nosuch matches nothing that was found.'],
    ])
  })
})

describe('wait agents', () => {
  it.each([
    ['one active, others that stand by', [agent('a', 'ACTIVE'), agent('b', 'STANDBY')], 0, ''],
    ['none', [], 2, 'there is no agent of any type'],
    ['those that stand by alone', [agent('a', 'STANDBY')], 2, 'AUTOMATION: none of 1 is active'],
    [
      'one with nothing to do',
      [agent('a', 'ACTIVE'), agent('b', 'NO_PROCESSES')],
      2,
      'AUTOMATION agent on b: NO_PROCESSES',
    ],
    [
      'active ones of one type, and none of another',
      [agent('a', 'ACTIVE'), agent('a', 'STANDBY', 'MONITORING')],
      2,
      'MONITORING: none of 1 is active',
    ],
  ])('of %s', async (_, agents, expected, said) => {
    const here = await scene({ agents })
    const words = ['agents', '--active', '--project', 'payments', '--timeout', '5s']
    const { code, stdout } = await waits(here, words)
    expect([code, stdout]).toEqual([expected, expect.stringContaining(said)])
  })
})

describe('a refusal that time does not change', () => {
  it('ends the waiting at once', async () => {
    const here = await scene({ automationStatus: at(26) })
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = 'another'
    const { code, stderr, pauses } = await waits(here, AUTOMATION)
    expect({ code, stderr, pauses }).toEqual({
      code: 1,
      stderr: expect.stringContaining('Error DM-AUTH-REJECTED'),
      pauses: [],
    })
  })

  it('ends it, too, if it comes later', async () => {
    const here = await scene({ automationStatus: at(26) })
    const { code, stderr, pauses } = await waits(here, AUTOMATION, async () =>
      here.proxy.steer(async () => ({ status: 403, headers: {}, body: '' })),
    )
    expect({ code, stderr, looks: pauses.length }).toEqual({
      code: 1,
      stderr: expect.stringContaining('Error DM-FORBIDDEN'),
      looks: 1,
    })
  })
})

describe('a service that is away', () => {
  it('is asked again for as long as there is time', async () => {
    const here = await scene({ automationStatus: at(29) })
    here.proxy.steer(async () => 'reset')
    const { code, stderr } = await waits(here, AUTOMATION, undefined, {
      stderrSaid: (text) => {
        if (text.includes('trying again')) here.proxy.steer((_, forward) => forward())
      },
    })
    expect([code, stderr]).toEqual([0, expect.stringContaining('trying again')])
  })

  it('is an error in the end, which is not that the goal is not reached', async () => {
    const here = await scene({ automationStatus: at(29) })
    here.proxy.steer(async () => 'reset')
    const { code, stderr } = await waits(here, [...AUTOMATION, '--timeout', '1s'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('Error DM-')])
  })

  it('is asked no second time by a look that has outlived the time, and what was seen before is said', async () => {
    const here = await scene({ automationStatus: at(26) })
    const began = Date.parse('2026-11-01T00:00:00Z')
    let [now, asked] = [began, 0]
    const pause = async (ms: number): Promise<void> => {
      if (ms > LONGEST_MS) return new Promise(() => {})
      now += ms
      here.proxy.steer(async () => {
        now += 20_000
        asked += 1
        return { status: 503, headers: {}, body: '' }
      })
    }
    const words = [...AUTOMATION, '--timeout', '30s']
    const { code, stderr } = await waits(here, words, undefined, { now: () => new Date(now), pause })
    expect({ code, asked }).toEqual({ code: 1, asked: 2 })
    expect(stderr).toMatch(/Last seen \d+ s earlier: .*db0.*3 versions behind.*Error DM-SERVICE-FAILURE/s)
  })

  it('is given up where it says nothing and the time has long been over', async () => {
    const here = await scene({ automationStatus: at(26) })
    const alarm = Promise.withResolvers<void>()
    const waited: number[] = []
    const pause = async (ms: number): Promise<void> => {
      waited.push(ms)
      return ms > LONGEST_MS ? alarm.promise : undefined
    }
    here.proxy.steer(async () => {
      alarm.resolve()
      return 'silence'
    })
    const { code, stderr } = await waits(here, AUTOMATION, undefined, { pause })
    expect({ code, waited }).toEqual({ code: 1, waited: [600_000 + 30_000] })
    expect(stderr).toMatch(/No request was answered before that.*Error DM-DEADLINE/s)
  })

  it('is not asked once more where a look alone took all the time', async () => {
    const here = await scene({ automationStatus: at(29) })
    let now = Date.now()
    here.proxy.steer(async () => {
      now += 60_000
      return 'reset'
    })
    const words = [...AUTOMATION, '--timeout', '30s']
    const { code, stderr, pauses } = await waits(here, words, undefined, { now: () => new Date(now) })
    expect({ code, pauses }).toEqual({ code: 1, pauses: [] })
    expect(stderr).not.toContain('trying again')
  })
})

it('an interrupt ends the waiting', async () => {
  const here = await scene({ automationStatus: at(1) })
  const interrupt = Promise.withResolvers<() => void>()
  const onInterrupt = (stop: () => void): (() => void) => {
    interrupt.resolve(stop)
    return () => undefined
  }
  const ran = await waits(here, AUTOMATION, async () => (await interrupt.promise)(), { onInterrupt })
  expect(ran).toMatchObject({ code: 130, stdout: '' })
})

it('an interrupt ends a look that nobody answers', async () => {
  const here = await scene({ automationStatus: at(1) })
  const asked = Promise.withResolvers<void>()
  here.proxy.steer(async () => {
    asked.resolve()
    return 'silence'
  })
  const onInterrupt = (stop: () => void): (() => void) => {
    void asked.promise.then(stop)
    return () => undefined
  }
  const { code, stderr } = await waits(here, AUTOMATION, undefined, { onInterrupt })
  expect([code, stderr]).toEqual([130, expect.stringContaining('Interrupted; nothing was changed.')])
})

it('a terminal has one line that changes', async () => {
  const here = await scene({ automationStatus: at(26) })
  let shown = ''
  const stderr = Object.assign(
    new (await import('node:stream')).Writable({
      write: (chunk: Buffer, _, done) => {
        shown += chunk.toString()
        done()
      },
    }),
    { isTTY: true as const, columns: 60 },
  )
  await waits(here, [...AUTOMATION, '--timeout', '5s'], undefined, { stderr })
  expect(shown).toContain('\r\u001B[K0/1 · payments: db0.example.com')
  expect(shown.endsWith('\r\u001B[K')).toBe(true)
})

it('each condition has its command', async () => {
  const here = await scene()
  for (const { wait } of Object.values(CONDITIONS))
    expect(await here.run('wait', wait, '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--timeout'),
    })
})
