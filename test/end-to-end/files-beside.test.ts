/**
 * A plan would release something that another manifest in the folder declares, because --file does not name that one.
 */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runHere } from '../support/command.ts'
import { ORG, PROJECT } from '../support/installation.ts'
import { SAM } from '../support/people.ts'
import { applied, begin, only, writesIn, type Scene } from '../support/scene.ts'

let here: Scene

const OWN = only('users', '')
const ADOPTED = 'deploymgmt.adopted.yaml'
const BOTH = ['-f', 'deploymgmt.yaml', '-f', ADOPTED]
const WARNING =
  'deploymgmt.adopted.yaml is not read, and declares 4 things that an apply would take as removed; to read it as well: -f deploymgmt.yaml -f deploymgmt.adopted.yaml'

const write = (name: string, text: string): Promise<void> => writeFile(join(here.folder, name), text)
const warningsOf = async (...words: string[]): Promise<string[]> =>
  (await here.json(...words)).document.warnings
const besideIn = (warnings: readonly string[]): string[] =>
  warnings.filter((each) => each.includes('not read'))

describe('after adopt and an apply with both files', () => {
  beforeEach(async () => {
    here = await begin({ manifest: OWN })
    await here.run('adopt', '--state', 'deploymgmt.state.json')
  })

  it.each([
    [['plan']],
    [['drift']],
    [['plan', '-f', 'deploymgmt.yaml']],
    [['plan', '--target', 'integrations.*']],
  ])('%j without the adopted one names it, with how many and the flags to give', async (words) => {
    const count = words.includes('--target') ? 2 : 4
    expect(besideIn(await warningsOf(...words))).toEqual([WARNING.replace(' 4 ', ` ${count} `)])
  })

  it('each format of a plan has it', async () => {
    for (const format of ['text', 'markdown', 'html', 'json']) {
      const { stdout } = await here.run('plan', '--format', format)
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'declares 4 things that an apply would take as removed',
      )
    }
  })

  it('apply says so before it asks', async () => {
    const { code, stdout, stderr } = await here.run('apply')
    expect(code).toBe(1)
    expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toContain(
      'declares 4 things that an apply would take as removed',
    )
    const approved = (await here.run('apply', '--auto-approve')).stdout.replaceAll(/\s+/g, ' ')
    expect(approved).toContain(WARNING)
    const before = approved.slice(0, approved.lastIndexOf('deploymgmt apply'))
    expect(before).toContain(WARNING)
    for (const address of ['alertConfigurations.host-down', 'integrations.paging'])
      expect(before).toContain(address)
  })

  it('nothing is said where nothing is released: with both files, and of another target', async () => {
    expect(await warningsOf('plan', ...BOTH)).toEqual([])
    expect(await warningsOf('plan', '-f', '.')).toEqual([])
    await here.manifest(
      only('alertConfigurations', '  x: { select: { eventTypeName: HOST_DOWN }, enabled: true }'),
    )
    expect(besideIn(await warningsOf('plan', '--target', 'alertConfigurations.x'))).toEqual([])
  })

  it('what names the projects of all others has its flag, too', async () => {
    await write('team.yaml', 'version: 1\nname: test\nmaintenanceWindows: {}\n')
    const flags = '-f team.yaml -f deploymgmt.adopted.yaml -f deploymgmt.yaml'
    expect(besideIn(await warningsOf('plan', '-f', 'team.yaml'))).toEqual([
      `deploymgmt.adopted.yaml is not read, and declares 4 things that an apply would take as removed; to read it as well: ${flags}`,
    ])
    expect(await warningsOf('plan', ...flags.split(' '))).toEqual([])
    await here.run('state', 'forget', 'integrations.paging', ...BOTH)
    const { stderr } = await here.run('validate', '-f', 'team.yaml')
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`to read it as well: ${flags}`)
  })

  it('of several files each has its flag', async () => {
    const rest = await readFile(join(here.folder, ADOPTED), 'utf8')
    const paging = /^ {2}paging: .*\n/m.exec(rest)?.[0] ?? ''
    await write(ADOPTED, rest.replace(paging, ''))
    await write('more.yaml', `version: 1\nname: test\nintegrations:\n${paging}`)
    expect(besideIn(await warningsOf('plan'))).toEqual([
      '2 manifests are not read, and declare 4 things that an apply would take as removed; to read them as well: -f deploymgmt.yaml -f deploymgmt.adopted.yaml -f more.yaml',
    ])
    expect(await warningsOf('plan', ...BOTH, '-f', 'more.yaml')).toEqual([])
  })
})

describe('after adopt and before any apply', () => {
  const UNREAD =
    'deploymgmt.adopted.yaml is not read, and declares 4 entries of its own; to read it as well: -f deploymgmt.yaml -f deploymgmt.adopted.yaml'

  beforeEach(async () => {
    here = await begin({ manifest: OWN })
    await here.run('adopt')
  })

  it.each([[['plan']], [['drift']], [['plan', '--target', 'integrations.*']]])(
    '%j without the adopted one names it, with how many entries it has and the flags to give',
    async (words) => {
      if (words.includes('--target'))
        await here.manifest(only('integrations', '  chat: { type: CHAT_A, ensure: absent }'))
      const unread = words.includes('--target') ? UNREAD.replace('4 entries', '2 entries') : UNREAD
      expect(besideIn(await warningsOf(...words))).toEqual([unread])
    },
  )

  it('no request more is sent, and a plan on a terminal is not silent', async () => {
    const before = (await here.requests()).log.length
    const { stdout } = await here.run('plan')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`warning: ${UNREAD}.`)
    expect((await here.requests()).log.length).toBe(before)
  })

  it('apply says so before it asks, and validate beside what it has checked', async () => {
    const { stdout, stderr } = await here.run('apply')
    expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toContain(UNREAD)
    expect((await here.run('validate')).stderr).toContain(`Warning: ${UNREAD}\n`)
    expect((await here.run('validate', ...BOTH)).stderr).toBe('')
    expect((await here.run('validate', '--quiet')).stderr).toBe('')
  })

  it('nothing is said with both, nor of another declaration, an overlay or a file of values', async () => {
    expect(await warningsOf('plan', ...BOTH)).toEqual([])
    expect(await warningsOf('plan', '-f', '.')).toEqual([])
    const adopted = await readFile(join(here.folder, ADOPTED), 'utf8')
    await write(ADOPTED, adopted.replace('name: test', 'name: other'))
    await write('values.yaml', 'integrations: [paging]\n')
    await here.manifest(only('integrations', '  paging: { type: PAGING }'))
    // A file that declares an entry differently is only meant when it is named.
    const more = '  paging: { type: PAGING, protect: true }\n  chat: { type: CHAT_A, ensure: absent }'
    await write('production.yaml', only('integrations', more))
    await write('empty.yaml', 'version: 1\nname: test\n')
    expect(besideIn(await warningsOf('plan'))).toEqual([])
  })
})

it('a manifest beside is known by its name in whatever form that is written, as JSON too', async () => {
  here = await begin({ manifest: OWN })
  await write('bare.yaml', only('integrations', '  a: { type: PAGING }'))
  await write(
    'escaped.yaml',
    only('integrations', '  b: { type: PAGING }').replace('name: test', String.raw`name: "t\x65st"`),
  )
  const json = { integrations: { c: { type: 'PAGING' } }, name: 'test', version: 1 }
  await write('marked.json', `\uFEFF${JSON.stringify(json).replace('test', String.raw`t\u0065st`)}`)
  await write('other.json', JSON.stringify({ ...json, name: 'other', test: 'test' }))
  await write('data.json', JSON.stringify(Array.from({ length: 9 }, () => json)))
  expect(besideIn(await warningsOf('plan'))).toEqual([
    'bare.yaml, escaped.yaml, marked.json are not read, and declare 3 entries of their own; to read them as well: -f deploymgmt.yaml -f bare.yaml -f escaped.yaml -f marked.json',
  ])
})

it('what was taken out of the only manifest is released without a word', async () => {
  here = await begin({ manifest: only('integrations', '  paging: { type: PAGING }') })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await here.manifest(OWN)
  await write(
    'other.yaml',
    only('integrations', '  paging: { type: PAGING }').replace('name: test', 'name: other'),
  )
  await write('values.yaml', 'integrations: [paging]\n')
  await write('broken.yaml', 'integrations: { paging: [\n')
  const { document } = await here.json('plan')
  expect(document.summary.release).toBe(1)
  expect(besideIn(document.warnings)).toEqual([])
})

const alert = (place: string): string =>
  `version: 1\nname: test\nalertConfigurations:\n  a: { ${place}, select: { eventTypeName: HOST_DOWN }, enabled: true }\n`
const PROJECTS = `version: 1\nname: test\nprojects: { payments: { id: ${PROJECT}, orgId: ${ORG} } }\n`

describe('where the manifest that names the projects is not read', () => {
  const SAID = `alerts.yaml:4:19 alertConfigurations.a.projectId: "payments" has been the name of project ${PROJECT}, and no manifest that is read names projects; to read what may do so: -f alerts.yaml -f deploymgmt.yaml`

  beforeEach(async () => {
    here = await begin()
    await write('alerts.yaml', alert('projectId: payments'))
    await applied(here, PROJECTS, '-f', 'alerts.yaml', '-f', 'deploymgmt.yaml')
    await here.forgetRequests()
  })

  it.each([['plan'], ['drift'], ['apply', '--auto-approve']])(
    '%s does not take the name that is recorded for an id',
    async (...words) => {
      const { code, stderr } = await here.run(...words, '-f', 'alerts.yaml')
      expect(code).toBe(1)
      expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`^${SAID} `, 'v'))
      expect((await here.requests()).log.filter(({ path }) => path.includes('payments'))).toEqual([])
    },
  )

  it('nor where it stands within a value', async () => {
    const roles = '[{ roleName: GROUP_READ_ONLY, projectId: payments }]'
    await write(
      'users.yaml',
      `version: 1\nname: test\nusers:\n  sam: { userId: ${SAM}, rolesComplete: true, username: sam, emailAddress: s, firstName: S, lastName: S, mobileNumber: "1", password: { env: P }, roles: ${roles} }\n`,
    )
    const { code, stderr } = await here.run('apply', '--auto-approve', '-f', 'users.yaml')
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /^users.yaml:\d+:\d+ users.sam.roles\[0\].projectId: "payments" has been the name of project/,
    )
    expect(code).toBe(1)
    expect(await writesIn(here)).toEqual([])
  })

  it.each([
    [['state', 'accept', 'alertConfigurations.a[5d1113b25a115342acc2d0f3]'], /no new event was found/],
    [['state', 'disown', '--everything'], /There is nothing unrecorded that this key made/],
  ])('%j sends no name, and is not held up', async (words, said) => {
    await write('alerts.yaml', `${alert('projectId: payments')}defaults: { orgId: ${ORG} }\n`)
    const { code, stderr } = await here.run(...words, '-f', 'alerts.yaml')
    expect(stderr).toMatch(said)
    expect(code).toBe(0)
  })

  it('takes the id as it is, with and without that manifest', async () => {
    await write('alerts.yaml', alert(`projectId: ${PROJECT}`))
    expect(await here.run('plan', '--detailed-exitcode', '-f', 'alerts.yaml')).toMatchObject({ code: 0 })
  })
})

const STATE = ['--state', 'deploymgmt.state.json']
const team = (name: string): string[] => ['-f', `teams/${name}/production`]

describe('with a folder for each team', () => {
  const hostDown = only('alertConfigurations', '  a: { select: { eventTypeName: HOST_DOWN }, enabled: true }')
  const BASE = ['-f', 'deploymgmt.yaml']

  beforeEach(async () => {
    here = await begin({ manifest: OWN })
    for (const folder of [
      'teams/a/production',
      'teams/b/production',
      'teams/b/staging',
      'node_modules/a/production',
    ])
      await mkdir(join(here.folder, folder), { recursive: true })
    await write('teams/a/production/alerts.yaml', only('integrations', '  paging: { type: PAGING }'))
    await write('teams/b/production/alerts.yaml', hostDown)
    await write('teams/b/staging/alerts.yaml', hostDown.replace('name: test', 'name: staging'))
    await write('node_modules/a/production/alerts.yaml', hostDown)
    await applied(here, OWN, ...BASE, ...team('a'), ...team('b'))
  })

  it.each([['plan'], ['drift']])('%s without that of one team names its file', async (command) => {
    expect(besideIn(await warningsOf(command, ...BASE, ...team('a')))).toEqual([
      'teams/b/production/alerts.yaml is not read, and declares 1 thing that an apply would take as removed; to read it as well: -f deploymgmt.yaml -f teams/a/production -f teams/b/production/alerts.yaml',
    ])
  })

  it('nothing is said where nothing is released', async () => {
    expect(besideIn(await warningsOf('plan', ...BASE, ...team('a'), ...team('b')))).toEqual([])
    expect(besideIn(await warningsOf('plan', ...BASE, ...team('a'), '--target', 'integrations.*'))).toEqual(
      [],
    )
  })

  it('that of one team is named, too, where nothing is read that lies above both', async () => {
    expect(besideIn(await warningsOf('plan', ...STATE, ...team('a')))).toEqual([
      'teams/b/production/alerts.yaml is not read, and declares 1 thing that an apply would take as removed; to read it as well: -f teams/a/production -f teams/b/production/alerts.yaml',
    ])
  })

  const OF_TEAMS = ['teams/a/production/alerts.yaml', 'teams/b/production/alerts.yaml'] as const

  it.each([['plan'], ['drift']])('%s without those of all teams names the files', async (command) => {
    expect(besideIn(await warningsOf(command, ...BASE))).toEqual([
      `2 manifests are not read, and declare 2 things that an apply would take as removed; to read them as well: -f deploymgmt.yaml -f ${OF_TEAMS.join(' -f ')}`,
    ])
  })

  it('a file of another depth is named if the last apply has read it', async () => {
    await mkdir(join(here.folder, 'more/of/it'), { recursive: true })
    await rename(join(here.folder, OF_TEAMS[1]), join(here.folder, 'more/of/it/alerts.yaml'))
    const more = ['-f', 'more/of/it/alerts.yaml']
    const read = [...BASE, ...team('a')]
    expect(besideIn(await warningsOf('plan', ...read))).toEqual([])
    await here.run('apply', '--auto-approve', ...read, ...more)
    expect(besideIn(await warningsOf('plan', ...read))).toEqual([
      `more/of/it/alerts.yaml is not read, and declares 1 thing that an apply would take as removed; to read it as well: ${[...read, ...more].join(' ')}`,
    ])
  })

  it('adopt gives no name that such a file has, if it was read by the last apply', async () => {
    const namesIn = async (): Promise<string[]> => {
      await here.run('adopt', ...BASE, ...team('a'), '--output', 'new.yaml')
      const text = await readFile(join(here.folder, 'new.yaml'), 'utf8')
      await rm(join(here.folder, 'new.yaml'))
      return [...text.matchAll(/^ {2}([a-z][\w-]*):/gm)].map(([, name = '']) => name)
    }
    const [name = ''] = await namesIn()
    const b = join(here.folder, OF_TEAMS[1])
    await writeFile(
      b,
      `${await readFile(b, 'utf8')}\n  ${name}: { select: { eventTypeName: NO_PRIMARY }, enabled: true }\n`,
    )
    expect(name).not.toBe('')
    expect(await namesIn()).not.toContain(name)
  })

  it('files are recorded by an apply that has nothing else to record, and once', async () => {
    const { files: _, ...earlier } = await here.state()
    await write('deploymgmt.state.json', JSON.stringify(earlier))
    const all = ['--auto-approve', ...BASE, ...team('a'), ...team('b')]
    await here.run('apply', ...all)
    const { files, serial } = await here.state()
    expect(files).toEqual(['deploymgmt.yaml', ...OF_TEAMS])
    await here.run('apply', ...all)
    expect((await here.state()).serial).toBe(serial)
  })

  it('an apply of a target does not count as one that read everything', async () => {
    await here.run('apply', '--auto-approve', ...BASE, '--target', 'integrations.*')
    expect(besideIn(await warningsOf('plan', ...BASE))).toHaveLength(1)
  })

  it('a file that the last apply has read is named whatever its name, as that of a base', async () => {
    const [, b] = OF_TEAMS
    await write('env.yaml', OWN.replace('name: test', 'name: mini\nstate: mini.json'))
    const all = [...BASE, ...team('a'), ...team('b'), '-f', 'env.yaml']
    await here.run('state', 'init', ...all)
    expect(await here.run('apply', '--auto-approve', ...all)).toMatchObject({ code: 0 })
    // The last file gives the declaration its name, so what has another comes first.
    const read = [...BASE, ...team('a'), '-f', 'env.yaml']
    const flags = ['-f', b, ...read]
    for (const command of ['plan', 'drift'])
      expect(besideIn(await warningsOf(command, ...read))).toEqual([
        `${b} is not read, and declares 1 thing that an apply would take as removed; to read it as well: ${flags.join(' ')}`,
      ])
    expect((await here.json('plan', ...flags)).document).toMatchObject({ inSync: true, warnings: [] })
    expect(besideIn(await warningsOf('plan', '-f', 'env.yaml'))).toEqual([
      expect.stringContaining('2 manifests are not read, and declare 2 things'),
    ])
  })

  it('what is no longer declared, no manifest or gone is not named', async () => {
    const [a, b] = OF_TEAMS
    const declaring = await readFile(join(here.folder, b), 'utf8')
    await rm(join(here.folder, a))
    for (const text of [OWN, 'name: test', '- a list', '{ broken']) {
      await write(b, text)
      expect(besideIn(await warningsOf('plan', ...BASE))).toEqual([])
    }
    await write(b, declaring)
    expect(besideIn(await warningsOf('plan', ...BASE))).toHaveLength(1)
  })

  it('files are found again from another folder of the same checkout', async () => {
    await mkdir(join(here.folder, '.git'))
    const from = { ...here, folder: join(here.folder, 'teams') }
    const base = ['-f', '../deploymgmt.yaml']
    expect((await runHere(from, ['plan', ...base])).stdout).toContain('2 manifests are not read')
  })

  it('files outside of the folder are not recorded: their paths are those of one machine', async () => {
    expect((await here.state()).files).toEqual(['deploymgmt.yaml', ...OF_TEAMS])
    const outside = await mkdtemp(join(tmpdir(), 'beside-'))
    onTestFinished(() => rm(outside, { recursive: true }))
    await writeFile(join(outside, 'more.yaml'), OWN)
    await here.run('apply', '--auto-approve', ...BASE, ...team('a'), ...team('b'), '-f', outside)
    expect((await here.state()).files).toEqual(['deploymgmt.yaml', ...OF_TEAMS])
  })

  it('a folder below one that is read is not laid out like it', async () => {
    await mkdir(join(here.folder, 'old'))
    await write('old/deploymgmt.yaml', hostDown)
    await rm(join(here.folder, 'teams'), { recursive: true })
    expect(besideIn(await warningsOf('plan', ...BASE))).toEqual([])
  })
})
