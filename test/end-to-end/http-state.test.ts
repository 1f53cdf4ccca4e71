import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  CREDENTIALS,
  type Fate,
  type Manner,
  type StateServer,
  stateAt,
  stateServer,
} from '../reconciler/state/stores/support/state-server.ts'
import { type Ran, runHere } from '../support/command.ts'
import { FOLDER } from '../support/folder.ts'
import { type Installation, PROJECT, within } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { start } from '../support/process.ts'
import { begin, only, type Scene } from '../support/scene.ts'

const WINDOWS = only(
  'maintenanceWindows',
  [1, 2, 3, 4, 5]
    .map(
      (day) =>
        `  night-${day}: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: 2035-01-0${day}T02:00:00Z, endDate: 2035-01-0${day}T04:00:00Z }`,
    )
    .join('\n'),
)

interface Team {
  readonly here: Scene
  readonly server: StateServer
  /** A folder of another machine that contains only the manifest. */
  readonly runner: () => Promise<Installation>
}

const team = async (manner: Manner = 'gitlab', manifest = WINDOWS, proxied = false): Promise<Team> => {
  const here = await begin({ proxied })
  const server = await stateServer(manner, { isOpen: false })
  Object.assign(here.env, CREDENTIALS)
  const runner = async () => {
    const folder = await mkdtemp(FOLDER)
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const there = within(here, folder)
    await rm(join(here.folder, 'deploymgmt.state.json'), { force: true })
    await here.manifest(`${manifest}state: ${server.address}\n`)
    await copyFile(join(here.folder, 'deploymgmt.yaml'), join(folder, 'deploymgmt.yaml'))
    return there
  }
  return { here, server, runner }
}

const windowsMade = async ({ here }: Team): Promise<number> => (await windowsAt(here)).length

const saidIn = (...ran: Ran[]): string => ran.map(({ stdout, stderr }) => stdout + stderr).join('\n')

const BASIC = Buffer.from('ci:canary-password').toString('base64')

it.each<Manner>(['plain', 'gitlab', 'gitea'])(
  'a state at a server as %s is begun, planned from, applied to and looked at from two machines',
  async (manner) => {
    const { here, server, runner } = await team(manner)
    const [one, two] = [await runner(), await runner()]
    const begun = await one.run('state', 'init')
    expect(begun).toMatchObject({ code: 0, stderr: expect.stringContaining(server.address) })
    const applied = await two.run('apply', '--auto-approve')
    expect(applied).toMatchObject({ code: 0 })
    expect(await one.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await one.run('drift')).toMatchObject({ code: 0 })
    const moved = await one.run('state', 'mv', 'maintenanceWindows.night-1', 'maintenanceWindows.day')
    expect(moved).toMatchObject({ code: 0 })
    const pulled = await two.run('state', 'pull')
    expect(pulled.stdout).toBe(stateAt(server))
    expect(Object.keys(JSON.parse(pulled.stdout).resources)).toContain('maintenanceWindows.day')
    expect(await windowsMade({ here, server, runner })).toBe(5)
    expect(server.lock).toBeUndefined()
    for (const canary of ['canary', BASIC]) {
      expect(saidIn(begun, applied, moved, pulled)).not.toContain(canary)
      expect(server.document).not.toContain(canary)
    }
    expect((await readdir(two.folder)).toSorted()).toStrictEqual(['deploymgmt.yaml'])
  },
)

it('a command on a state that another one holds names it, and how the lock is removed', async () => {
  const { server, runner } = await team()
  const one = await runner()
  await one.run('state', 'init')
  server.lock = { ID: 'a-lock-of-terraform', Created: '2026-11-22T12:00:00Z' }
  const ran = await one.run('apply', '--auto-approve')
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('locked by "root", since 2026-11-22'),
  })
  expect(ran.stderr).toContain('deploymgmt state unlock a-lock-of-terraform')
  expect(await one.run('plan')).toMatchObject({ code: 0 })
  expect(await one.run('state', 'unlock', 'a-lock-of-terraform', '--owner-ended')).toMatchObject({ code: 0 })
  expect(await one.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
})

it('with a wrong password each command says so, and shows none', async () => {
  const { here, server, runner } = await team()
  const one = await runner()
  await one.run('state', 'init')
  const kept = server.document
  here.env['DEPLOYMGMT_STATE_PASSWORD'] = 'wrong-canary-password'
  for (const words of [
    ['plan'],
    ['apply', '--auto-approve'],
    ['drift'],
    ['state', 'list'],
    ['state', 'init'],
  ]) {
    const ran = await one.run(...words)
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('the server answers 401') })
    expect(ran.stderr).toContain('Check DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD')
    expect(saidIn(ran)).not.toContain('canary')
  }
  expect(server.document).toBe(kept)
})

it('a user without a password is a token, and is not shown where it stands among the words', async () => {
  const { here, runner } = await team()
  Object.assign(here.env, { DEPLOYMGMT_STATE_USERNAME: 'canary-token', DEPLOYMGMT_STATE_PASSWORD: '' })
  const ran = await (await runner()).run('state', 'show', 'canary-token')
  expect(saidIn(ran)).not.toContain('canary')
})

it('a password that stands among the words is not shown', async () => {
  const { runner } = await team()
  const ran = await (await runner()).run('state', 'show', 'canary-password')
  expect(ran.code).toBe(1)
  expect(saidIn(ran)).not.toContain('canary-password')
  expect(saidIn(ran)).toContain('(hidden)')
})

it('at a server that takes a save under any lock an apply warns of it', async () => {
  const all = await team('careless')
  const one = await all.runner()
  for (const words of [
    ['state', 'init'],
    ['apply', '--auto-approve'],
  ]) {
    const ran = await one.run(...words)
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stderr).toContain('accepts a save with a lock that nobody holds')
  }
  expect(await windowsMade(all)).toBe(5)
})

it('a document that is too large is told of, and what could not be recorded comes home once it fits', async () => {
  const all = await team()
  const one = await all.runner()
  await one.run('state', 'init')
  // The server accepts intents, but the document with all answers is too large for it.
  all.server.fate = ({ method, path, body }) =>
    method === 'POST' && !path.endsWith('/lock') && /"applied"(?!.*"intent")/u.test(body) ? 413 : 'answer'
  const ran = await one.run('apply', '--auto-approve')
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('413') })
  expect(ran.stderr).toContain('the document is too large')
  const [rescue = 'none'] = (await readdir(one.folder)).filter((name) => name.includes('.rescue.'))
  expect(ran.stderr).toContain(`deploymgmt state push`)
  expect(await readFile(join(one.folder, rescue), 'utf8')).not.toContain('canary')
  all.server.fate = () => 'answer'
  expect(await one.run('state', 'push', rescue)).toMatchObject({ code: 0 })
  expect(await one.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await windowsMade(all)).toBe(5)
})

it.each<Manner>(['gitlab', 'gitea'])(
  'as %s, an apply whose intents come late, when another runner has done it all, sends nothing, and nothing is made twice',
  async (manner) => {
    const all = await team(manner, WINDOWS, true)
    const { here, server } = all
    const [one, two] = [await all.runner(), await all.runner()]
    await one.run('state', 'init')
    const hasIntent: boolean[] = []
    here.proxy.steer(({ write }, forward) => {
      if (write > 0) hasIntent.push(server.document?.includes('"type":"intent"') ?? false)
      return forward()
    })
    const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isHeld = false
    server.fate = async ({ body }): Promise<Fate> => {
      if (isHeld || !body.includes('"type":"intent"')) return 'answer'
      isHeld = true
      held.resolve()
      await free.promise
      return 'answer'
    }
    let later = 0
    const now = (): Date => new Date(Date.now() + later)
    const apply = (there: Installation) => runHere(there, ['apply', '--auto-approve'], { now })
    const slow = apply(one)
    await held.promise
    expect(hasIntent).toStrictEqual([])
    await two.run('state', 'unlock', String(server.lock?.['ID']))
    later = 5 * 60_000
    expect(await apply(two)).toMatchObject({ code: 0 })
    free.resolve()
    expect(await slow).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-CONFLICT') })
    expect(hasIntent).toStrictEqual([true, true, true, true, true])
    // Nothing was sent that somebody would have to know about.
    expect((await readdir(one.folder)).filter((name) => name.includes('.rescue.'))).toStrictEqual([])
    expect(await one.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await windowsMade(all)).toBe(5)
  },
)

it('a state of a file moves there with one command', async () => {
  const here = await begin({ manifest: WINDOWS })
  const server = await stateServer('gitlab', { isOpen: false })
  Object.assign(here.env, CREDENTIALS)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const was = await here.state()
  const copied = await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', server.address)
  expect(copied).toMatchObject({ code: 0, stderr: expect.stringContaining(`now at ${server.address}`) })
  expect(JSON.parse(stateAt(server))).toStrictEqual(was)
  expect(await here.state()).toMatchObject({ movedTo: server.address })
  await here.manifest(`${WINDOWS}state: ${server.address}\n`)
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

it('plain http to another machine is refused without --allow-http', async () => {
  const here = await begin({ manifest: `${WINDOWS}state: http://states.invalid/acme\n` })
  const commands = [
    ['plan'],
    ['state', 'pull'],
    ['state', 'unlock', 'x'],
    ['state', 'copy', '--from', 'http://states.invalid/acme', '--to', 'other.json'],
    ['state', 'transfer', '*', '--from', 'http://states.invalid/acme', '--to', 'other.json'],
  ]
  for (const words of commands) {
    const refused = await here.run(...words)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-ADDRESS') })
    expect(refused.stderr).toContain('--allow-http')
  }
  const accepted = await here.run('state', 'list', '--allow-http')
  expect(accepted).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-READ') })
})

it('a record goes to the state of another manifest at a server, and back to a file', async () => {
  const { here, server } = await team()
  await here.manifest(WINDOWS)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const record = (await here.state()).resources['maintenanceWindows.night-1']
  const other = only('maintenanceWindows', '').replace('name: test', 'name: other')
  await writeFile(join(here.folder, 'other.yaml'), `${other}state: ${server.address}\n`)
  expect(await here.run('state', 'init', '-f', 'other.yaml')).toMatchObject({ code: 0 })
  const words = ['state', 'transfer', 'maintenanceWindows.night-1']
  expect(await here.run(...words, '--to', server.address)).toMatchObject({ code: 0 })
  expect(JSON.parse(stateAt(server)).resources).toEqual({ 'maintenanceWindows.night-1': record })
  expect((await here.state()).resources).not.toHaveProperty(['maintenanceWindows.night-1'])
  const back = ['-f', 'other.yaml', '--to', 'deploymgmt.state.json']
  expect(await here.run(...words, ...back)).toMatchObject({ code: 0 })
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

it('what another manifest knows is read from where its state is', async () => {
  const { here, server, runner } = await team()
  const one = await runner()
  await one.run('state', 'init')
  expect(await one.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const second = WINDOWS.replace('name: test', 'name: second').replaceAll('T02:00:00Z', 'T03:00:00Z')
  await here.manifest(second)
  await here.run('state', 'init')
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  await here.manifest(`${second}otherStates: [http://states.invalid/acme]\n`)
  const plain = await here.run('plan')
  expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('--allow-http') })
  const accepted = await here.run('plan', '--allow-http')
  expect(accepted).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-READ') })
  await here.manifest(`${second}otherStates: [${server.address}]\n`)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await windowsMade({ here, server, runner })).toBe(10)
})

it('a command that changes a state elsewhere is completed when it is interrupted, and leaves no lock', async () => {
  const { here, server, runner } = await team()
  await runner()
  expect(await here.run('state', 'init')).toMatchObject({ code: 0 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const [held, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  server.fate = async ({ method }): Promise<Fate> => {
    if (method !== 'POST') return 'answer'
    arrived.resolve()
    await held.promise
    return 'answer'
  }
  const { child, ended, says } = start(here, ['state', 'forget', 'maintenanceWindows.night-1'])
  await arrived.promise
  child.kill('SIGTERM')
  await says('Stopping: what has begun is completed')
  held.resolve()
  expect(await ended).toMatchObject({ code: 0 })
  expect(server.lock).toBe(undefined)
  expect(stateAt(server)).not.toContain('night-1"')
})
