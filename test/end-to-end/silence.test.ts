import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sayInstant } from '@deploymgmt/provider/words'
import { CI, failing, fixtureWith, manifestWith, ONCALL, ORG, PROJECT } from '../support/installation.ts'
import { fields, one, windowsAt } from '../support/one-window.ts'
import { applied, begin, beginApplied, only, writesIn, type Scene } from '../support/scene.ts'
import { runHere, type Ran } from '../support/command.ts'
import { start, type Running } from '../support/process.ts'
import { CTRL_D, onTerminal } from '../support/terminal.ts'
import {
  isOver,
  killedAsItOpens,
  lasting,
  lengthOf,
  MAX_MS,
  QUIET,
  silences,
  windowOf,
} from '../support/silence.ts'

const STATE = 'deploymgmt.silences.json'

const scene = (options: Parameters<typeof begin>[0] = {}): Promise<Scene> =>
  begin({ manifest: manifestWith(), proxied: true, ...options })

const answering = (signal: string): string =>
  `process.on('${signal}', () => { console.error('heard ${signal}'); clearInterval(timer); process.exitCode = 7 })`

/** For Node: this process is interrupted when nothing is left to do before it starts another one. */
const INTERRUPTED_BEFORE_SPAWN = `
const processes = require('node:child_process')
const { spawn } = processes
processes.spawn = (...words) => {
  process.kill(process.pid, 'SIGINT')
  return spawn(...words)
}
require('node:module').syncBuiltinESMExports()
`

/** Runs a program to its end during a silence. */
const around = (here: Scene, program: string, ...flags: string[]): Running['ended'] =>
  start(here, [...QUIET, ...flags, '--', process.execPath, '-e', program]).ended

it('a manifest without a state is silenced with no word about other states', async () => {
  const here = await scene()
  await rm(join(here.folder, 'deploymgmt.state.json'), { force: true })
  await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after', count: 1 })
  const { code, stderr } = await around(here, '')
  expect(code).toBe(0)
  expect(stderr).toContain('Settled:')
  expect(stderr).not.toContain('otherStates')
})

it('a silence without a command tells a machine which window it is', async () => {
  const here = await scene()
  const { code, document } = await here.json(...QUIET)
  const { id, endDate } = await windowOf(here)
  expect([code, document]).toEqual([
    0,
    { formatVersion: 1, done: expect.stringContaining(id), id, projectId: PROJECT, endDate },
  ])
})

describe('a silence around a command', () => {
  it('is for one project: a second one is refused rather than ignored', async () => {
    const here = await scene()
    const { code, stderr } = await here.run(
      ...'silence --project ledger --project payments --types HOST --max 5m'.split(' '),
    )
    expect(code).toBe(1)
    expect(stderr).toContain('A silence covers one project. Nest one command in the other')
    expect(await silences(here)).toEqual([])
  })

  it('is open while it runs, and ends with it', async () => {
    const here = await scene()
    const { child, ended, says } = start(here, [...QUIET, '--reason', 'release 41', '--', ...lasting()])
    await says('under way')
    const open = await windowOf(here)
    expect(open).toMatchObject({ alertTypeNames: ['HOST'], description: 'release 41' })
    expect(lengthOf(open)).toBe(MAX_MS)
    expect(await silences(here)).toMatchObject([
      { id: open.id, project: 'payments', reason: 'release 41', status: 'open' },
    ])
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 143, stderr: expect.stringContaining('The window has ended') })
    expect(await windowOf(here)).toSatisfy(isOver)
    expect(await silences(here)).toEqual([])
  })

  it('warns where the window was over before the command was, with since when', async () => {
    const here = await scene()
    const { child, ended, says } = start(here, [...QUIET, '--', ...lasting(answering('SIGTERM'))])
    await says('under way')
    const { endDate } = await windowOf(here)
    await here.control('POST', 'clock', { advance: 'PT3H' })
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    expect(code).toBe(7)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `Warning: the window ended before the command did: alerts have not been silenced since ${sayInstant(endDate)} at the latest.`,
    )
  })

  it.each([0, 3, 255])('ends with its exit code %i', async (code) => {
    const here = await scene()
    expect(await around(here, `console.log('its own'); process.exit(${code})`)).toMatchObject({
      code,
      stdout: 'its own\n',
    })
    expect(await windowOf(here)).toSatisfy(isOver)
    expect(await writesIn(here)).toHaveLength(2)
  })

  it('gives the command all that stands behind --, whatever it looks like', async () => {
    const here = await scene()
    const words = ['list', '--help', '--', '--format', 'json']
    const program = 'console.log(JSON.stringify(process.argv.slice(1)))'
    const { ended } = start(here, [...QUIET, '--', process.execPath, '-e', program, '--', ...words])
    expect(JSON.parse((await ended).stdout)).toEqual(words)
  })

  it('answers as a shell does where the command is not there', async () => {
    const here = await scene()
    const { code, stderr } = await start(here, [...QUIET, '--', './nowhere.sh']).ended
    expect([code, stderr]).toEqual([127, expect.stringContaining('./nowhere.sh cannot be run: ENOENT')])
    expect(await windowOf(here)).toSatisfy(isOver)
  })

  it('ends where the system refuses the command at once', async () => {
    const here = await scene()
    const { code, stderr } = await start(here, [...QUIET, '--', './deploymgmt.yaml/deploy.sh']).ended
    expect([code, stderr]).toEqual([126, expect.stringContaining('deploy.sh cannot be run: ENOTDIR')])
    expect(await windowOf(here)).toSatisfy(isOver)
  })

  it('is not opened for a command that is an empty word, as of a variable that is not set', async () => {
    const here = await scene()
    const { code, stderr } = await start(here, [...QUIET, '--', '']).ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no command after --')])
    expect(await windowsAt(here)).toEqual([])
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'passes %s on, and ends as the command does',
    async (name) => {
      const here = await scene()
      const { child, ended, says } = start(here, [...QUIET, '--', ...lasting(answering(name))])
      await says('under way')
      child.kill(name)
      expect(await ended).toMatchObject({ code: 7, stderr: expect.stringContaining(`heard ${name}`) })
      expect(await windowOf(here)).toSatisfy(isOver)
    },
  )

  it('loses no Ctrl-C of just before the command is there, which the terminal did not send to it', async () => {
    const here = await scene()
    const interrupting = join(here.folder, 'interrupting.cjs')
    await writeFile(interrupting, INTERRUPTED_BEFORE_SPAWN)
    here.env['NODE_OPTIONS'] = `--require ${interrupting}`
    const terminal = onTerminal(here, ...QUIET, '--', 'cat')
    // Ends a command that got no signal.
    onTestFinished(() => terminal.type(CTRL_D))
    expect(await terminal.ended).toMatchObject({
      code: 130,
      shown: expect.stringContaining('The window has ended'),
    })
    expect(await windowOf(here)).toSatisfy(isOver)
  })

  it('is recorded where this command is killed, ends by itself, and can be ended before', async () => {
    const here = await scene()
    const killed = async (): Promise<void> => {
      const { child, ended, says } = start(here, [...QUIET, '--', ...lasting()])
      await says('under way')
      child.kill('SIGKILL')
      await ended
    }
    await killed()
    const { id, startDate, endDate } = await windowOf(here)
    expect(lengthOf({ startDate, endDate })).toBe(MAX_MS)
    expect(await silences(here)).toMatchObject([{ id, endDate, status: 'open' }])
    expect(await here.run('silence', 'end', id)).toMatchObject({ code: 0 })
    expect(await windowOf(here)).toSatisfy(isOver)
    expect(await silences(here)).toEqual([])
    await killed()
    const later = new Date(Date.now() + MAX_MS + 60_000)
    await here.control('POST', 'clock', { now: later.toISOString() })
    const { stdout } = await here.run('silence', 'list')
    expect(stdout).toBe('Nothing is silenced.\n')
  })

  it('keeps the exit code where the service goes away, and says how the window is ended', async () => {
    const here = await scene()
    const { child, ended, says } = start(here, [...QUIET, '--', ...lasting(answering('SIGTERM'))])
    await says('under way')
    here.proxy.steer(async () => 'reset')
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    const { id } = await windowOf(here)
    expect(code).toBe(7)
    expect(stderr).toMatch(new RegExp(`the window may still be open.*\n?.*deploymgmt silence end ${id}`))
    here.proxy.steer((_, forward) => forward())
    expect(await here.run('silence', 'end')).toMatchObject({ code: 0 })
    expect(await windowOf(here)).toSatisfy(isOver)
  })

  it('keeps it where the answer to the end is lost, which the next one settles', async () => {
    const here = await scene()
    await failing(here, 'PATCH', 'maintenanceWindows', { fault: 'reset-after', count: 1 })
    const { code, stderr } = await around(here, 'process.exit(4)')
    expect([code, stderr]).toEqual([4, expect.stringContaining('the window may still be open')])
    expect(await silences(here)).toMatchObject([{ status: 'unknown' }])
    expect(await here.run('silence', 'end')).toMatchObject({ code: 0 })
    expect(await silences(here)).toEqual([])
  })
})

it('a service that is away is no failure of the command, which is not run', async () => {
  const here = await scene()
  here.proxy.steer(async () => 'reset')
  const { code, stdout, stderr } = await around(here, `console.log('run')`)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/The command was not run.*Error DM-UNREACHABLE/su)
})

it('a key without the role that a window needs is not called a wrong one', async () => {
  const key = { publicKey: 'member', privateKey: '7a6b5c4d-canary-0006' }
  const roles = [{ roleName: 'ORG_MEMBER', orgId: ORG }]
  const apiKeys = [{ id: '5c47503320eef5699e1cce8f', desc: 'Member', ...key, roles }]
  const here = await scene({ fixture: fixtureWith({}, { apiKeys }) })
  here.env['DEPLOYMGMT_PUBLIC_KEY'] = key.publicKey
  here.env['DEPLOYMGMT_PRIVATE_KEY'] = key.privateKey
  const { code, stderr } = await here.run(...QUIET)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/DM-FORBIDDEN: .*The Project Owner role is required/),
  ])
  expect(stderr).toContain('Give the key a role that permits this request, or use one that has it.')
})

describe('the answer to the creation is lost', () => {
  it('and events tell of it: the command is run', async () => {
    const here = await scene()
    await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after', count: 1 })
    expect(await around(here, 'process.exit(5)')).toMatchObject({ code: 5 })
    expect(await windowOf(here)).toSatisfy(isOver)
  })

  it('and nothing tells: the command is not run, unless that is good enough', async () => {
    const here = await scene({ settings: { 'open.events': 'none' } })
    await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after', count: 1 })
    const { code, stdout, stderr } = await around(here, `console.log('run')`)
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/The command was not run.*ends by itself at .*--best-effort/s)
    expect(await silences(here)).toMatchObject([{ id: null, status: 'unknown' }])
    await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after', count: 1 })
    expect(await around(here, `process.exit(6)`, '--best-effort')).toMatchObject({ code: 6 })
    for (const each of await windowsAt(here)) expect(lengthOf(each)).toBeLessThanOrEqual(MAX_MS)
  })

  it('and it is over by the time that anybody asks', async () => {
    const here = await scene({ settings: { 'open.events': 'none' } })
    await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after', count: 1 })
    await around(here, '')
    await here.control('POST', 'clock', { advance: 'PT3H' })
    expect(await here.run('silence', 'end')).toMatchObject({ code: 0 })
    expect(await silences(here)).toEqual([])
  })
})

it('a silence also works at a service where windows have to begin in the future', async () => {
  const here = await scene({ settings: { 'open.windowPastDates': 'reject' } })
  const waits: number[] = []
  const pause = async (ms: number): Promise<void> => void waits.push(ms)
  expect(await runHere(here, QUIET, { pause })).toMatchObject({ code: 0 })
  expect(lengthOf(await windowOf(here))).toBeLessThanOrEqual(MAX_MS)
  expect(waits).toEqual([expect.toSatisfy((ms: number) => ms > 0 && ms <= 5_000)])
})

/** The id in the command that ends a window, as printed. */
const ends = (ran: Ran): string => /deploymgmt silence end (\S+)/.exec(ran.stderr)?.[1] ?? ''

describe('a silence without a command', () => {
  it('stays open, and says how it is ended', async () => {
    const here = await scene()
    const ran = await here.run(...QUIET)
    const { id } = await windowOf(here)
    expect([ran.code, ends(ran)]).toEqual([0, id])
    expect((await here.run('silence', 'list')).stdout).toContain(id)
    expect(await here.run('silence', 'end')).toMatchObject({ code: 0 })
    expect(await windowOf(here)).toSatisfy(isOver)
    expect((await here.run('silence', 'end')).stderr).toContain('There is no silence')
  })

  it('is ended by a machine whose clock is ahead of its end, too', async () => {
    const here = await scene()
    await here.run(...QUIET)
    const { id } = await windowOf(here)
    const ended = await runHere(here, ['silence', 'end', id], {
      now: () => new Date(Date.now() + 86_400_000),
    })
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('has ended') })
    expect(await windowOf(here)).toSatisfy(isOver)
  })

  it('is listed by the time of the service, whatever the clock of this machine says', async () => {
    const here = await scene()
    await here.run(...QUIET)
    const { id } = await windowOf(here)
    const listed = async (days: number) => {
      const now = (): Date => new Date(Date.now() + days * 86_400_000)
      const ran = await runHere(here, ['silence', 'list', '--format', 'json'], { now })
      return { ...ran, ids: JSON.parse(ran.stdout).silences.map((each: any) => each.id) }
    }
    for (const days of [-1, 0, 1])
      expect(await listed(days)).toMatchObject({ code: 0, stderr: '', ids: [id] })
    await here.control('POST', 'clock', { advance: 'PT3H' })
    for (const days of [-1, 0, 1]) expect(await listed(days)).toMatchObject({ code: 0, stderr: '', ids: [] })
    // If the service's time is not known, no silence is hidden.
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = ''
    expect(await listed(1)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("the service's time is not known"),
      ids: [id],
    })
  })

  it('is listed without long attempts to reach a service that is away', async () => {
    const here = await scene()
    await here.run(...QUIET)
    const { id } = await windowOf(here)
    let [now, asked] = [Date.now(), 0]
    here.proxy.steer(async () => {
      asked += 1
      now += 4_000
      return 'reset'
    })
    const { stdout, ...ran } = await runHere(here, ['silence', 'list', '--format', 'json'], {
      now: () => new Date(now),
    })
    expect({ ...ran, asked }).toEqual({
      code: 0,
      stderr: expect.stringContaining("the service's time is not known"),
      asked: 2,
    })
    expect(JSON.parse(stdout).silences).toMatchObject([{ id }])
  })

  it('is listed where the service says nothing at all', async () => {
    const here = await scene()
    await here.run(...QUIET)
    const { id } = await windowOf(here)
    const alarm = Promise.withResolvers<void>()
    here.proxy.steer(async () => {
      alarm.resolve()
      return 'silence'
    })
    const { code, stdout, stderr } = await runHere(here, ['silence', 'list', '--format', 'json'], {
      pause: () => alarm.promise,
    })
    expect([code, JSON.parse(stdout).silences]).toMatchObject([0, [{ id }]])
    expect(stderr).toMatch(/the service's time is not known.*it did not answer within 5 s/s)
  })

  it('is ended by its id alone where there are several, or with all of them', async () => {
    const here = await scene()
    const first = ends(await here.run(...QUIET))
    await here.run(...QUIET.map((word) => (word === 'payments' ? PROJECT : word)))
    await here.run(...QUIET)
    expect(await here.run('silence', 'end')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there are 3 silences.*--everything/s),
    })
    expect(await here.run('silence', 'end', first)).toMatchObject({ code: 0 })
    expect(await here.run('silence', 'end', first)).toMatchObject({ code: 1 })
    expect(await here.run('silence', 'end', '--everything')).toMatchObject({ code: 0 })
    expect((await windowsAt(here)).filter((each) => !isOver(each))).toEqual([])
  })

  it('is recorded in a file of its own, which nobody else reads', async () => {
    const here = await scene()
    await here.run(...QUIET)
    const path = join(here.folder, STATE)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ name: 'test-silences' })
    expect((await here.state()).resources).toEqual({})
  })
})

describe('what is asked for', () => {
  it.each([
    [['silence'], 'silence needs --project, --types, --max'],
    [QUIET.map((word) => word.replace('payments', 'paymnets')), 'did you mean payments?'],
    [[...QUIET.slice(0, -1), '0s'], 'longer than zero'],
    [[...QUIET.slice(0, -1), 'long'], 'such as 30s, 5m, 1h'],
    [[...QUIET, '--'], 'there is no command after --'],
    [['silence', 'lst'], 'did you mean silence list?'],
    [[...QUIET, './deploy.sh', '--all', '-v'], 'deploymgmt silence … -- ./deploy.sh --all -v'],
  ])('%j is refused before anything is sent', async (words, said) => {
    const here = await scene()
    expect(await here.run(...words)).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
    expect((await here.requests()).log).toEqual([])
  })

  it('is said to be missing before it matters which manifest there is', async () => {
    const here = await scene()
    await rm(join(here.folder, 'deploymgmt.yaml'))
    const { code, stderr } = await here.run('silence')
    expect([code, stderr]).toEqual([1, expect.stringContaining('silence needs --project, --types, --max')])
  })

  it('may be of several types with blanks between them, as in a sentence', async () => {
    const here = await scene()
    const ran = await here.run(...QUIET, '--types', 'HOST, REPLICA_SET')
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('HOST, REPLICA_SET') })
    expect((await windowOf(here)).alertTypeNames).toEqual(['HOST', 'REPLICA_SET'])
  })

  it('may be of a type that nobody knows, which is said', async () => {
    const here = await scene({ settings: { 'open.alertTypeNames': 'any' } })
    const ran = await here.run(...QUIET, '--types', 'HOTS')
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('did you mean HOST?') })
  })
})

describe('the manifest beside it', () => {
  it('has no stranger in it, neither while it is open nor later', async () => {
    const here = await scene()
    await here.run(...QUIET)
    await applied(here, one())
    await here.run('silence', 'end')
    await applied(here, one().replace('migration:', 'another:'))
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('is not stopped by the one that a silence was making when it was killed', async () => {
    const here = await scene()
    await killedAsItOpens(here)
    const { id } = await windowOf(here)
    await applied(here, one())
    const { code, document } = await here.json('drift')
    expect([code, JSON.stringify(document).includes(id)]).toEqual([0, false])
    // A change by somebody else does not make it somebody else's window.
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'longer' })
    expect(JSON.stringify((await here.json('drift')).document)).not.toContain(id)
    // Its values are no longer those that the silence sent, so it could be another window.
    const { code: left, stderr } = await here.run('silence', 'end', '--everything')
    expect([left, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringMatching(
        /It is not known whether the window silence-\S+ was opened in payments; .* ends by itself at /,
      ),
    ])
  })

  it('knows the one of a silence that was killed before the key was replaced', async () => {
    const here = await scene()
    await applied(here, one())
    const [declared] = await windowsAt(here)
    await killedAsItOpens(here)
    const [{ id }] = (await windowsAt(here)).filter((each: any) => each.id !== declared.id)
    here.env['DEPLOYMGMT_PUBLIC_KEY'] = ONCALL.publicKey
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = ONCALL.privateKey
    const { code, document } = await here.json('drift')
    expect([code, JSON.stringify(document).includes(id)]).toEqual([0, false])
  })

  it('is stopped where the key has made two things that such a one can be', async () => {
    const here = await scene()
    await killedAsItOpens(here)
    const { id, alertTypeNames, startDate, endDate, description } = await windowOf(here)
    await applied(here, one())
    const place = `/groups/${PROJECT}/maintenanceWindows`
    const more = { alertTypeNames, startDate, endDate, description }
    const another = (await here.outside('POST', place, more, CI)).id
    await here.manifest(`${one()}\n  later: ${fields({ description: 'later' })}`)
    const { code, document } = await here.json('plan')
    expect(code).toBe(3)
    expect(new Set(document.strangers.map(({ identity }: any) => identity.id))).toEqual(
      new Set([id, another]),
    )
    for (const each of [id, another])
      await here.outside('PATCH', `${place}/${each}`, { description: 'longer' })
    const drift = (await here.json('drift')).document
    expect(JSON.stringify(drift.unmanaged)).not.toMatch(new RegExp(`${id}|${another}`))
    expect(drift.warnings.join()).toMatch(/some may come from creations.*Which is which is not known/)
  })

  it('does not take it for what a lost creation has made', async () => {
    const manifest = `${one()}key: { exclusive: true }\n`
    const here = await beginApplied(only('maintenanceWindows', ''), { proxied: true })
    await here.manifest(manifest)
    await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-before', count: 1 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await here.run(...QUIET)
    const { id } = await windowOf(here)
    const { stdout, stderr } = await here.run('plan', '--format', 'json')
    expect(stdout + stderr).not.toContain(id)
  })
})
