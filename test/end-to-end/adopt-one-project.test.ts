import { EventEmitter } from 'node:events'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeFiles } from '../../reconciler/disk/files.ts'
import { adopting, FIRST, STATE } from '../support/adopting.ts'
import { runHere } from '../support/command.ts'
import { CI, fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { unwrapped } from '../support/comments.ts'
import { begin, only, OTHER_PROJECT, type Scene } from '../support/scene.ts'
import { killedAsItOpens, QUIET, silences, windowOf } from '../support/silence.ts'

let here: Scene
const { adopt, textOf } = adopting(() => here)
const manifestsIn = async (): Promise<string[]> =>
  (await readdir(here.folder)).filter((name) => !name.includes('.state.')).toSorted()

const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

describe('of one project', () => {
  it('what deploymgmt silence has opened is no find of its own, and is not once it has ended', async () => {
    here = await begin({ manifest: only('users', '') })
    expect(await here.run(...QUIET)).toMatchObject({ code: 0 })
    const [{ id: silenced }] = await silences(here)
    const theirs = {
      alertTypeNames: ['HOST'],
      startDate: '2035-01-06T02:00:00Z',
      endDate: '2035-01-06T04:00:00Z',
    }
    const { id } = await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, theirs)
    expect(await adopt()).toContain('1 thing was left alone, because deploymgmt silence has opened it.')
    expect(await textOf()).not.toContain(silenced)
    expect(await textOf()).toContain(id)
    expect(await here.run('silence', 'end', silenced)).toMatchObject({ code: 0 })
    expect(await adopt()).toMatch(/^There is nothing new/)
    // A file of comments declares nothing that could be counted.
    await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, theirs)
    const said = await adopt()
    expect(said).toMatch(
      /\.yaml was written\.\n1 thing is known from events only; it is in the file as comments/,
    )
    expect(said).toContain('It contains only comments: it declares nothing until you uncomment them.')
  })

  it('nor is one that was killed before it heard of its window', async () => {
    here = await begin({ manifest: only('users', ''), proxied: true })
    await killedAsItOpens(here)
    const { id } = await windowOf(here)
    expect(await adopt()).toContain(
      '1 thing was left alone, because a request whose answer was lost may have made it.',
    )
    expect(await textOf()).not.toContain(id)
  })

  it('what the state of another manifest records is left alone, too', async () => {
    const otherOne = await begin({ manifest: only('integrations', '  paging: { type: PAGING }') })
    here = otherOne
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await rename(join(here.folder, 'deploymgmt.state.json'), join(here.folder, 'other.state.json'))
    await here.manifest(only('users', '', 'otherStates: [other.state.json]\n'))
    expect(await adopt()).toContain(
      'It has 3 entries for 3 things.\n1 thing was left alone, because other.state.json records it: integrations.paging.\n',
    )
    expect(await textOf()).not.toContain('PAGING')
  })

  it('what a list in the state of another manifest does not allow is left alone: an apply there deletes it', async () => {
    here = await begin({ manifest: only('integrations', '  list: { only: [PAGING] }') })
    expect(await here.run('apply', '--auto-approve', '--allow-delete')).toMatchObject({ code: 0 })
    await rename(join(here.folder, 'deploymgmt.state.json'), join(here.folder, 'other.state.json'))
    await here.control('PUT', `projects/${PROJECT}/integrations`, [
      { type: 'PAGING', serviceKey: '0123456789abcdef0123456789abcdef' },
      { type: 'CHAT_A', apiToken: 'another-chat-token', teamName: 'payments', channelName: 'alerts' },
      { type: 'CHAT_B', url: 'https://chat.example.com/hook' },
    ])
    await here.manifest(only('users', '', 'otherStates: [other.state.json]\n'))
    expect(await adopt()).toContain(
      '2 things were left alone, because an entry that other.state.json records does not allow them: integrations.list.\n',
    )
    expect(await textOf()).toContain('  paging: { projectId: payments, type: PAGING }\n')
    expect(await textOf()).not.toContain('CHAT_')
  })

  it('what declares things already, or lists what may be there, is heeded', async () => {
    here = await begin({
      manifest: only(
        'integrations',
        '  list: { only: [PAGING] }',
        'alertConfigurations:\n  down: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n',
      ),
    })
    await adopt()
    const text = await textOf()
    expect(text).toContain(
      `alertConfigurations:\n  ## payments\n  # notifies nobody\n  replica-set: { projectId: payments, select: { eventTypeName: REPLICA_SET }, enabled: true }\n`,
    )
    expect(text).toContain('  paging: { projectId: payments, type: PAGING }\n')
    expect(text).not.toContain('HOST_DOWN')
    expect(text).not.toContain('CHAT_A')
  })

  it('of configurations that look alike the one that is off has its id, and the others a selector', async () => {
    const alertConfigs = [
      '5d1113b25a115342acc2d0f3',
      '5d1113b25a115342acc2d0f1',
      '5d1113b25a115342acc2d0f2',
    ].map((id, index) => ({
      id,
      eventTypeName: 'HOST_DOWN',
      enabled: index !== 0,
      notifications: [{ typeName: 'GROUP' }],
    }))
    here = await begin({
      fixture: fixtureWith({ alertConfigs, integrations: [] }),
      manifest: only('users', ''),
    })
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${alertConfigs[0]?.id ?? ''}`, {
      enabled: false,
    })
    await adopt()
    const text = await textOf()
    expect(text).toContain(
      '  # matches 2 in the project\n  host-down: { projectId: payments, select: { eventTypeName: HOST_DOWN }, enabled: true }\n',
    )
    expect(unwrapped(text)).toMatch(
      / {2}# HOST_DOWN; off; turned off by ALERT_CONFIG_DISABLED_AUDIT by key "oncall", .*\n {2}host-down-exception:\n {4}projectId: payments\n {4}alertConfigId: 5d1113b25a115342acc2d0f3\n/,
    )
  })

  it.each([
    [['--output', '-', '--format', 'json'], '--output - prints the manifest'],
    [['--output', 'mine.json'], 'manifests in YAML'],
  ])('is not written where it would stand for JSON: %s', async (words, why) => {
    here = await begin({ manifest: only('users', '') })
    const { code, stdout, stderr } = await here.run('adopt', ...words)
    expect({ code, sent: (await here.requests()).log.length }).toEqual({ code: 1, sent: 0 })
    expect(stdout).not.toContain('version: 1\n')
    expect(stderr).toMatch(/^Error DM-USAGE: /)
    expect(stderr).toContain(why)
  })

  it('- prints the manifest, and writes no file', async () => {
    here = await begin({ manifest: only('users', '') })
    const { code, stdout } = await here.run('adopt', '--output', '-')
    expect({ code, files: await manifestsIn() }).toEqual({ code: 0, files: ['deploymgmt.yaml'] })
    expect(stdout).toContain('version: 1\nname: test\n')
  })

  it.each([[[]], [['--except', '*']]])(
    'a folder that is not there is refused, before anything is sent: %j',
    async (words) => {
      here = await begin({ manifest: only('users', '') })
      const { code, stderr } = await here.run('adopt', '--output', 'nowhere/a.yaml', ...words)
      expect({ code, sent: (await here.requests()).log.length }).toEqual({ code: 1, sent: 0 })
      expect(stderr).toMatch(/the folder cannot be written to: the folder does not exist.*nowhere/s)
    },
  )

  it('a file that is there is not replaced', async () => {
    here = await begin({ manifest: only('users', '') })
    const mine = 'version: 1\nname: test\n'
    await writeFile(join(here.folder, 'mine.yaml'), mine)
    expect(await adopt('--output', 'mine.yaml')).toContain('mine-2.yaml was written.')
    expect(await textOf('mine.yaml')).toBe(mine)
  })

  it('a file that is called like one of a project and is no manifest is none of adopt', async () => {
    here = await begin({ manifest: only('users', '') })
    await writeFile(join(here.folder, 'mine.vars.yaml'), 'country: Madrid\n')
    expect(await adopt('--output', 'mine.yaml')).toContain('mine.yaml was written.')
    expect(await adopt('--output', 'mine.yaml')).toMatch(/^There is nothing new/)
  })

  describe('where the file system has no links', () => {
    const { link, rename: move } = nodeFiles
    beforeEach(async () => {
      here = await begin({ manifest: only('users', '') })
      Object.assign(nodeFiles, { link: fails('EPERM') })
    })
    afterEach(() => Object.assign(nodeFiles, { link, rename: move }))

    it('a file is written', async () => {
      expect(await adopt()).toContain('deploymgmt.adopted.yaml was written.')
      expect(await textOf()).toContain('version: 1\nname: test\n')
      expect(await manifestsIn()).toEqual(['deploymgmt.adopted.yaml', 'deploymgmt.yaml'])
    })

    it('a file that came meanwhile is not replaced', async () => {
      const path = join(here.folder, 'deploymgmt.adopted.yaml')
      Object.assign(nodeFiles, {
        link: async () => {
          await writeFile(path, 'theirs')
          return fails('EPERM')()
        },
      })
      const { code, stderr } = await here.run('adopt')
      expect(code).toBe(1)
      expect(stderr).toContain('the file exists now, and was not changed')
      expect(await readFile(path, 'utf8')).toBe('theirs')
    })

    it('nothing is left where the file cannot be moved either', async () => {
      Object.assign(nodeFiles, { rename: fails('EIO') })
      const { code, stderr } = await here.run('adopt')
      expect({ code, files: await manifestsIn() }).toEqual({ code: 1, files: ['deploymgmt.yaml'] })
      expect(stderr).toContain('the file cannot be written: the disk reports an error (EIO)')
    })
  })

  it.each([
    ['version: 1\nname: test\n', /the manifest names no projects/],
    ['version: 1\nname: test\nusers: 3\n', /users is a mapping/],
  ])('what it cannot begin with is refused: %j', async (manifest, message) => {
    here = await begin({ manifest })
    const { code, stderr } = await here.run('adopt')
    expect({ code, sent: (await here.requests()).log.length }).toEqual({ code: 1, sent: 0 })
    expect(stderr).toMatch(message)
  })

  it('an interrupt ends it, and leaves nothing behind', async () => {
    here = await begin({ manifest: only('users', ''), proxied: true })
    const interrupt = new EventEmitter()
    here.proxy.steer((passing, forward) => {
      if (!passing.path.includes('/integrations')) return forward()
      interrupt.emit('now')
      return Promise.resolve('silence')
    })
    const { code } = await runHere(here, ['adopt'], {
      onInterrupt: (stop) => {
        interrupt.on('now', stop)
        return () => interrupt.removeAllListeners()
      },
    })
    expect({ code, files: await manifestsIn() }).toEqual({ code: 130, files: ['deploymgmt.yaml'] })
  })

  it.each([
    ['while it waits for the state', false, /interrupted while waiting for the lock of the state/],
    ['before it records', true, /interrupted before everything was recorded/],
  ])('an interrupt %s is told, since the file is written by then', async (_, isFreed, message) => {
    here = await begin({ manifest: only('users', '') })
    const lock = join(here.folder, 'deploymgmt.state.json.lock')
    const at = '2026-10-01T00:00:00.000Z'
    await writeFile(lock, JSON.stringify({ id: 'a', pid: 1, host: 'b', boot: 'c', command: 'apply', at }))
    const interrupt = new EventEmitter()
    const { code, stderr } = await runHere(here, ['adopt', ...STATE, '--lock-timeout', '5m'], {
      onInterrupt: (stop) => {
        interrupt.on('now', stop)
        return () => interrupt.removeAllListeners()
      },
      pause: async () => {
        interrupt.emit('now')
        if (!isFreed) throw new Error('aborted')
        await rm(lock)
      },
    })
    expect({ code, files: await manifestsIn() }).toEqual({ code: 130, files: [FIRST, 'deploymgmt.yaml'] })
    expect(stderr).toMatch(message)
    await rm(lock, { force: true })
    expect(await adopt(...STATE)).toMatch(/adopted before were recorded/)
  })

  it('what no manifest can name is left alone, with a warning', async () => {
    const matchers = [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: '\uD800' }]
    here = await begin({
      fixture: fixtureWith({
        alertConfigs: [
          { id: '5d1113b25a115342acc2d0f1', eventTypeName: 'HOST_DOWN', enabled: true, matchers },
          { id: '5d1113b25a115342acc2d0f2', eventTypeName: 'HOST_DOWN', enabled: false },
          { id: '5d1113b25a115342acc2d0f3', eventTypeName: 'SOMETHING_NEW', enabled: true },
        ],
        integrations: [{ type: 'PAGING', serviceKey: 'x' }],
      }),
      manifest: only('users', ''),
      proxied: true,
    })
    here.proxy.steer(async (_, forward) => {
      const { body, ...passed } = await forward()
      return { ...passed, body: body.toString().replace('PAGING', 'PAGER1') }
    })
    const { code, stderr } = await here.run('adopt')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'Warning: payments: a manifest of this version cannot name the third-party integration PAGER1; it is left alone.\n',
    })
    const text = await textOf()
    expect(text).toContain('select: { eventTypeName: HOST_DOWN }, enabled: true }')
    expect(text).toContain('alertConfigId: 5d1113b25a115342acc2d0f2\n')
    expect(text).toContain('select: { eventTypeName: SOMETHING_NEW }, enabled: true }')
    expect(text).not.toContain('PAGER1')
  })

  it('projects of no known organization are warned of, and none that the service knows is an error', async () => {
    const id = '5c8100bcf2a30b12ff880000'
    here = await begin({ manifest: `version: 1\nname: test\nprojects: { payments: { id: ${PROJECT} } }\n` })
    const { code, stderr } = await here.run('adopt')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Warning: no organization is known of payments: .*orgId/m)
    const again = await here.run('adopt', '--state', 'other.json')
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('There is nothing new')
    expect(again.stdout).toMatch(/^\d things that were adopted before were recorded\.$/m)
    here = await begin({
      manifest: `version: 1\nname: test\nprojects: { gone: { id: ${id}, orgId: ${ORG} } }\n`,
    })
    const nowhere = await here.run('adopt')
    expect(nowhere).toMatchObject({ code: 1, stdout: '' })
    expect(nowhere.stderr).toContain('the service knows none of the projects that the manifest names')
  })

  it('a project that the service does not know, and events that may not be read, are warned of', async () => {
    const reader = { ...CI, roles: [{ roleName: 'GROUP_READ_ONLY', groupId: PROJECT }] }
    here = await begin({
      fixture: fixtureWith({}, { apiKeys: [{ id: '5c47503320eef5699e1cce8d', desc: 'CI', ...reader }] }),
      manifest: `version: 1\nname: test\nprojects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n  gone: { id: 5c8100bcf2a30b12ff880000 }\n`,
    })
    const { code, stderr } = await here.run('adopt')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Warning: organization .*events cannot be read/m)
    expect(stderr).toContain('Warning: the service knows no project gone (5c8100bcf2a30b12ff880000).')
    expect(await textOf()).not.toContain('gone')
  })

  it('a project that may not be read is named with the reason, and the others are written as if it were not meant', async () => {
    const reader = { ...CI, roles: [{ roleName: 'GROUP_READ_ONLY', groupId: PROJECT }] }
    const keys = { apiKeys: [{ id: '5c47503320eef5699e1cce8d', desc: 'CI', ...reader }] }
    const other = { id: OTHER_PROJECT, orgId: ORG, name: 'ledger' }
    const fixture = fixtureWith({}, keys) as { projects: object[] }
    here = await begin({
      fixture: { ...fixture, projects: [...fixture.projects, other] },
      manifest: `version: 1\nname: test\nprojects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n  closed: { id: ${OTHER_PROJECT}, orgId: ${ORG} }\n`,
    })
    const { code, stdout, stderr } = await here.run('adopt')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toMatch(
      /^Warning: closed cannot be read, and is left out: .*(?:40[13]|not permitted|role|forbid)/im,
    )
    expect(stderr.match(/closed cannot be read/g)).toHaveLength(1)
    expect(stdout).toContain('deploymgmt.adopted.yaml was written.')
    expect(await textOf()).toContain('payments')
    expect(await textOf()).not.toMatch(/closed|projectIds: all/)
    const none = await here.run('adopt', '--project', 'closed')
    expect(none).toMatchObject({ code: 1, stdout: '' })
  })
})
