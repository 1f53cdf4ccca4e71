import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { openSession } from '../../reconciler/state/index.ts'
import { fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import {
  actionsIn,
  applied,
  at,
  begin,
  beginApplied,
  only,
  OTHER_PROJECT,
  readsIn,
  recorded,
  twoProjects,
  writesIn,
  type Scene,
} from '../support/scene.ts'

let here: Scene

const DATES = 'alertTypeNames: [HOST], startDate: 2035-01-01T02:00:00Z, endDate: 2035-01-01T04:00:00Z'
const protectedIn = (project: string): string =>
  only('maintenanceWindows', `  w: { projectId: ${project}, ${DATES}, protect: true }`)

const BOTH = `projectIds: [${PROJECT}, ${OTHER_PROJECT}]`
const inBoth = (name: string): string => `  ${name}: { ${BOTH}, ${DATES} }`
const window = (more = '', hour = '02'): string =>
  `{ alertTypeNames: [HOST], startDate: 2035-01-06T${hour}:00:00Z, endDate: 2035-01-06T09:00:00Z${more === '' ? '' : `, ${more}`} }`
const windows = (...entries: string[]): string =>
  only('maintenanceWindows', entries.map((entry) => `  ${entry}`).join('\n'))
const dump = async (): Promise<any[]> => (await here.control('GET', 'dump')).projects

const described = async (): Promise<unknown[]> =>
  (await dump())[0].maintenanceWindows.flatMap(({ description }: any) => description ?? [])
const note = (text: string): string => `b: ${window(`description: "${text}"`, '03')}`
const everywhere = (enabled: boolean): string =>
  only(
    'alertConfigurations',
    `  all: { ${BOTH}, select: { eventTypeName: HOST_DOWN }, enabled: ${enabled}, allowEmpty: true, onRemove: restore }`,
  )
const instance = (id = ''): string => `alertConfigurations.all[${PROJECT}/${id}]`

describe('projectIds', () => {
  it('declares the entry for each project, at addresses of its own', async () => {
    here = await beginApplied(windows(`a: ${window(BOTH)}`), { fixture: twoProjects() })
    const addresses = [`maintenanceWindows.a[${PROJECT}]`, `maintenanceWindows.a[${OTHER_PROJECT}]`]
    expect(await recorded(here)).toEqual(addresses)
    expect((await dump()).map(({ maintenanceWindows }) => maintenanceWindows.length)).toEqual([1, 1])
    await here.manifest(windows(`b: ${window(BOTH)}`))
    expect(
      actionsIn((await here.json('plan')).document).filter(([, action]) => action !== 'unchanged'),
    ).toEqual([
      [`maintenanceWindows.b[${PROJECT}]`, 'moved'],
      [`maintenanceWindows.b[${OTHER_PROJECT}]`, 'moved'],
    ])
    await here.forgetRequests()
    await applied(here, windows(`a: ${window()}`))
    expect(await writesIn(here)).toEqual([expect.stringContaining(`PATCH /groups/${OTHER_PROJECT}/`)])
    expect(await recorded(here)).toEqual(['maintenanceWindows.a'])
  })

  it('beside projectId, or with a project twice, is an error', async () => {
    here = await begin({
      manifest: windows(
        `a: ${window(`projectId: ${PROJECT}, ${BOTH}`)}`,
        `b: ${window(`projectIds: [${PROJECT}, ${PROJECT}]`)}`,
      ),
    })
    const { code, stderr } = await here.run('validate')
    expect(code).toBe(1)
    expect(stderr).toMatch(/a\.projectIds: give either projectId or projectIds/)
    expect(stderr).toMatch(/b\.projectIds\[1\].*twice/)
  })
})

describe('--target', () => {
  const two = windows(`a: ${window()}`, `b-c: ${window('', '03')}`)

  it.each([
    [['maintenanceWindows.a'], ['maintenanceWindows.a']],
    [['*.a'], ['maintenanceWindows.a']],
    [['maintenanceWindows.*c'], ['maintenanceWindows.b-c']],
    [
      ['maintenanceWindows.a', '*b?c', '*b-c'],
      ['maintenanceWindows.a', 'maintenanceWindows.b-c'],
    ],
  ])('%j plans %j alone', async (globs, addresses) => {
    here = await begin({ manifest: two })
    const { document } = await here.json('plan', ...globs.flatMap((glob) => ['--target', glob]))
    expect(document.changes.map(({ address }: any) => address)).toEqual(addresses)
    expect(document.inSync).toBe(false)
  })

  it('that names nothing is an error, since a typing error must not pass as nothing to do', async () => {
    here = await begin({ manifest: two })
    for (const glob of ['maintenanceWindows', 'maintenanceWindows.[ab]']) {
      const { code, stdout, stderr } = await here.run('plan', '--target', glob)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(`--target ${glob} names nothing that is declared or recorded`)
    }
  })

  it('ignores removals outside, and is never in sync', async () => {
    here = await beginApplied(two)
    await here.forgetRequests()
    await here.manifest(windows(`b-c: ${window('', '03')}`))
    const { code, document } = await here.json('apply', '--auto-approve', '--target', '*.b-c')
    expect({ code, inSync: document.inSync }).toEqual({ code: 0, inSync: false })
    expect(await writesIn(here)).toEqual([])
    const planned = await here.run('plan', '--target', '*.b-c', '--detailed-exitcode')
    expect(planned.code).toBe(0)
    expect(planned.stdout).toContain('nothing to do among the targets')
    const drift = await here.json('drift', '--target', '*.b-c')
    expect(drift.document).toMatchObject({
      inSync: false,
      targeted: ['*.b-c'],
      resources: [{ address: 'maintenanceWindows.b-c' }],
    })
    const { document: made } = await here.json('plan', '--target', '*.b-c')
    expect(made).toMatchObject({ inSync: false, targeted: ['*.b-c'] })
    expect((await here.json('plan')).document).not.toHaveProperty('targeted')
    await here.forgetRequests()
    expect((await here.run('apply', '--auto-approve', '--target', 'maintenanceWindows.a')).code).toBe(0)
    expect(await writesIn(here)).toHaveLength(1)
  })

  it('of one instance lets its entry be looked at, and releases none of the others', async () => {
    const alertConfigs = ['a', 'b'].map((end) => ({
      id: `5d1113b25a115342acc2d0f${end}`,
      eventTypeName: 'HOST_DOWN',
      enabled: true,
    }))
    const [first, second] = alertConfigs.map(({ id }) => id)
    here = await beginApplied(everywhere(false), { fixture: twoProjects({ alertConfigs }) })
    expect(await recorded(here)).toEqual([instance(first), instance(second)])
    await here.manifest(everywhere(true))
    for (const glob of [instance(first), `*${first ?? ''}]`, `alertConfigurations.all[*/${first ?? ''}]`]) {
      const { document } = await here.json('plan', '--target', glob)
      expect(actionsIn(document)).toEqual([[instance(first), 'update']])
    }
    await here.forgetRequests()
    expect((await here.run('apply', '--auto-approve', '--target', `*[${PROJECT}/${first ?? ''}]`)).code).toBe(
      0,
    )
    expect(await writesIn(here)).toEqual([`PATCH /groups/${PROJECT}/alertConfigs/${first ?? ''}`])
    expect(await recorded(here)).toEqual([instance(first), instance(second)])
    const other = await here.json('plan', '--target', `*[${OTHER_PROJECT}*`)
    expect(other.document.changes).toEqual([])
  })
})

describe('deploymgmt state', () => {
  const ADDRESS = 'maintenanceWindows.a'

  it('lists, shows, moves and forgets records, in text and in JSON', async () => {
    here = await beginApplied(windows(`a: ${window()}`))
    const { id } = (await dump())[0].maintenanceWindows[0]
    await here.forgetRequests()
    const row = { address: ADDRESS, kind: 'maintenance_window', id, status: 'recorded' }
    expect((await here.json('state', 'list')).document).toEqual([row])
    expect((await here.run('state', 'list')).stdout).toContain(ADDRESS)
    expect((await here.json('state', 'show', ADDRESS)).document).toMatchObject({
      address: ADDRESS,
      identity: { projectId: PROJECT, id },
      applied: { alertTypeNames: ['HOST'] },
    })
    expect((await here.run('state', 'show', ADDRESS)).stdout).toContain(id)
    expect(await here.run('state', 'mv', ADDRESS, 'maintenanceWindows.b')).toMatchObject({
      code: 0,
      stdout: '',
    })
    expect(await recorded(here)).toEqual(['maintenanceWindows.b'])
    expect((await here.run('state', 'forget', 'maintenanceWindows.b')).stderr).toMatch(
      /Nothing was sent.* so remove the entry first\./,
    )
    expect(await recorded(here)).toEqual([])
    expect((await here.json('state', 'list')).document).toEqual([])
    expect((await here.requests()).log).toEqual([])
  })

  it('moves all that is recorded of an entry by the name of the entry', async () => {
    here = await begin({ fixture: twoProjects() })
    await applied(here, only('maintenanceWindows', inBoth('w')))
    expect(await here.run('state', 'mv', 'maintenanceWindows.w', 'users.w')).toMatchObject({ code: 1 })
    const ran = await here.run('state', 'mv', 'maintenanceWindows.w', 'maintenanceWindows.v')
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('with all 2 that it stands for') })
    expect(ran.stderr).toContain('Rename the entry in the manifest, too')
    const addresses = [PROJECT, OTHER_PROJECT].map((project) => `maintenanceWindows.v[${project}]`)
    expect((await recorded(here)).toSorted()).toEqual(addresses.toSorted())
    await here.manifest(only('maintenanceWindows', inBoth('v')))
    expect(await here.json('plan', '--detailed-exitcode')).toMatchObject({
      code: 0,
      document: { summary: { moved: 0 } },
    })
    const [first = ''] = addresses
    await here.run('state', 'mv', first, first.replace('.v[', '.w['))
    expect(await here.run('state', 'mv', 'maintenanceWindows.v', 'maintenanceWindows.w')).toMatchObject({
      code: 0,
    })
    expect((await recorded(here)).toSorted()).toEqual(
      addresses.map((address) => address.replace('.v[', '.w[')).toSorted(),
    )
  })

  it('shows all that an entry stands for by the name of the entry', async () => {
    const several = `  w: { projectIds: [${PROJECT}, ${OTHER_PROJECT}], ${DATES} }`
    here = await begin({ fixture: twoProjects() })
    await applied(here, only('maintenanceWindows', several))
    const addresses = [PROJECT, OTHER_PROJECT].map((project) => `maintenanceWindows.w[${project}]`)
    const { stdout } = await here.run('state', 'show', 'maintenanceWindows.w')
    for (const address of addresses) expect(stdout).toContain(`${address}  (maintenance_window)`)
    const { document } = await here.json('state', 'show', 'maintenanceWindows.w')
    const { resources } = await here.state()
    expect(document).toEqual({
      address: 'maintenanceWindows.w',
      instances: Object.keys(resources).map((address) => ({ address, ...resources[address] })),
    })
    expect(document.instances.map(({ address }: any) => address).toSorted()).toEqual(addresses.toSorted())
    expect((await here.run('state', 'show', 'maintenanceWindow.w')).stderr).toContain(
      'did you mean maintenanceWindows.w?',
    )
  })

  it('shows with a record what was replaced at its address and waits for its release', async () => {
    here = await begin({ fixture: twoProjects() })
    await applied(here, protectedIn(PROJECT))
    await here.manifest(protectedIn(OTHER_PROJECT))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
    expect((await here.json('state', 'show', 'maintenanceWindows.w')).document).toMatchObject({
      address: 'maintenanceWindows.w',
      identity: { projectId: OTHER_PROJECT },
      instances: [{ address: expect.stringContaining('[replaced '), identity: { projectId: PROJECT } }],
    })
    const { stdout } = await here.run('state', 'show', 'maintenanceWindows.w')
    expect(stdout.match(/\(maintenance_window\)/g)).toHaveLength(2)
  })

  it('refuses addresses that are not there, taken, or none, and changes nothing', async () => {
    here = await beginApplied(windows(`a: ${window()}`, `b: ${window('', '03')}`))
    const before = await here.state()
    const refused: [string[], RegExp][] = [
      [
        ['show', 'maintenanceWindows'],
        /nothing is recorded at maintenanceWindows.*There is: maintenanceWindows\.a, /s,
      ],
      [['mv', 'a', 'b'], /nothing is recorded at a\n.*There is: maintenanceWindows\.a\./s],
      // Among names of one letter, another letter is no typo, so nothing is suggested.
      [['forget', 'maintenanceWindows.z'], /nothing is recorded at maintenanceWindows\.z\n/],
      // Names that every object of the language has.
      [['show', 'constructor'], /nothing is recorded at constructor\n/],
      [['forget', '__proto__'], /nothing is recorded at __proto__\n/],
      [['accept', 'toString'], /nothing is recorded at toString\n/],
      [['mv', 'valueOf', 'maintenanceWindows.b'], /nothing is recorded at valueOf\n/],
      [['mv', 'maintenanceWindows.a', 'constructor'], /constructor is not an address of the section/],
      [['show', 'maintenanceWindow.a'], /nothing is recorded at \S+; did you mean maintenanceWindows\.a\?/],
      [['mv', ADDRESS, 'maintenanceWindows.b'], /maintenanceWindows\.b is already recorded/],
      [['mv', ADDRESS, ADDRESS], /maintenanceWindows\.a is its address already\n/],
      [['mv', ADDRESS, 'integrations.a'], /not an address of the section maintenanceWindows/],
      [['mv', ADDRESS, 'maintenanceWindows.'], /not an address of the section maintenanceWindows/],
      [['mv', ADDRESS, 'maintenanceWindows.x y'], /not an address of the section maintenanceWindows/],
    ]
    for (const [words, said] of refused) {
      const { code, stderr } = await here.run('state', ...words)
      expect(code).toBe(1)
      expect(stderr).toMatch(said)
    }
    expect(await here.state()).toEqual(before)
  })
})

describe('an expression', () => {
  const variables = `variables:\n  country: { description: Where the team sleeps, default: Madrid }\n`

  it('takes a variable, a project, a declared field, and a recorded id once there is one', async () => {
    here = await begin()
    const plain = `a: ${window(`projectId: "\${projects.payments.id}"`)}`
    const manifest =
      windows(plain, note('${var.country}, ${maintenanceWindows.a.startDate}, $${plain}')) + variables
    await applied(here, manifest, '--var', 'country=Lima')
    expect(await described()).toEqual(['Lima, 2035-01-06T02:00:00Z, ${plain}'])
    const { id } = (await here.state()).resources['maintenanceWindows.a'].identity
    await applied(here, windows(plain, note('after ${maintenanceWindows.a.id}')))
    expect(await described()).toEqual([`after ${id}`])
    expect((await here.run('plan', '--detailed-exitcode')).code).toBe(0)
  })

  it('that needs an id which is not recorded yet passes validate, and waits in a plan', async () => {
    here = await begin({ manifest: windows(`a: ${window()}`, note('after ${maintenanceWindows.a.id}')) })
    expect((await here.run('validate')).code).toBe(0)
    const { code, stdout } = await here.run('plan')
    expect(code).toBe(0)
    expect(stdout).toContain('description: known once maintenanceWindows.a is applied, in the same run')
  })

  it('that names nothing is an error with the nearest name', async () => {
    here = await begin({
      manifest:
        windows(
          note(
            '${var.contry} ${projects.payment.id} ${maintenanceWindows.b.startDat} ${maintenanceWindow.b.id}',
          ),
        ) + variables,
    })
    const { code, stderr } = await here.run('validate')
    expect(code).toBe(1)
    for (const meant of ['country', 'payments', 'startDate', 'maintenanceWindows'])
      expect(stderr).toContain(`did you mean ${meant}`)
  })
})

test('a state that another command is writing to is planned and compared all the same, with a warning and without exit code 3', async () => {
  here = await beginApplied(windows(`a: ${window()}`))
  const session = await openSession({
    statePath: join(here.folder, 'deploymgmt.state.json'),
    expect: { name: 'test', baseUrl: here.baseUrl },
    command: 'apply',
  })
  const [expected] = Object.values(session.state.resources)
  if (expected === undefined) throw new Error('nothing was recorded')
  await session.intent({
    address: 'maintenanceWindows.b',
    kind: 'maintenance_window',
    method: 'POST',
    path: `/groups/${PROJECT}/maintenanceWindows/`,
    detail: { expected, fields: [], sentAt: new Date().toISOString(), by: 'ciadmin' },
  })
  for (const command of ['plan', 'drift']) {
    const { code, document } = await here.json(command)
    expect(code).toBe(0)
    expect(document.warnings).toEqual([
      expect.stringMatching(/another command is writing .*apply, process \d+.*maintenanceWindows\.b/),
    ])
  }
  expect((await here.run('plan')).stdout).toContain('another command is writing')
  const warning =
    /another command is writing to the state \(deploymgmt apply, process \d+ on \S+, since [\d-]+ [\d:]+ UTC(?:, by [^)]+)?\); it may be sending maintenanceWindows\.b: all of this may change before it ends/
  const { stdout, stderr } = await here.run('state', 'list')
  expect(stdout).toMatch(/maintenanceWindows\.b +— +under way\n\n1 recorded · 1 under way$/m)
  expect(stderr).toMatch(warning)
  expect((await here.json('state', 'list')).document).toMatchObject([
    { address: 'maintenanceWindows.a', status: 'recorded' },
    { address: 'maintenanceWindows.b', status: 'unknown' },
  ])
  expect(await here.run('state', 'show', 'maintenanceWindows.a')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(warning),
  })
  await session.close()
  expect((await here.run('plan')).code).toBe(3)
})

test('a key that may not read events weakens evidence with a warning, and fails nothing', async () => {
  const scoped = { publicKey: 'scoped', privateKey: 'aa11bb22-canary-0010' }
  const roles = [{ roleName: 'GROUP_OWNER', groupId: PROJECT }]
  const apiKeys = [
    { id: '5c47503320eef5699e1cce8d', ...scoped, roles },
    { id: '5c47503320eef5699e1cce8e', publicKey: 'owner', roles: [{ roleName: 'ORG_OWNER', orgId: ORG }] },
  ]
  here = await begin({ fixture: fixtureWith({}, { apiKeys }) })
  const env = here.env
  env['DEPLOYMGMT_PUBLIC_KEY'] = scoped.publicKey
  env['DEPLOYMGMT_PRIVATE_KEY'] = scoped.privateKey
  const manifest =
    windows(`a: ${window()}`) +
    'alertConfigurations:\n  b: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: true }\n'
  await applied(here, manifest)
  const { code, document } = await here.json('drift')
  expect(code).toBe(0)
  expect(document.warnings).toEqual([expect.stringContaining('its events cannot be read (401)')])
  expect(at(document, 'maintenanceWindows.a').evidence.note).toContain(
    'events that could show it were not read',
  )
  expect(await readsIn(here)).toContain(`/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`)
})

test('what is recorded twice, as by a merge of states, is not released while one of its entries is declared', async () => {
  here = await beginApplied(windows(`a: ${window()}`))
  const path = join(here.folder, 'deploymgmt.state.json')
  const state = JSON.parse(await readFile(path, 'utf8'))
  const { 'maintenanceWindows.a': own } = state.resources
  for (const other of ['maintenanceWindows.b', 'elsewhere.c']) state.resources[other] = own
  await writeFile(path, JSON.stringify(state))
  await here.forgetRequests()
  const { document } = await here.json('apply', '--auto-approve')
  expect(document).toMatchObject({ exitCode: 0 })
  expect(await writesIn(here)).toEqual([])
  expect(Object.keys((await here.state()).resources)).toEqual(['maintenanceWindows.a'])
  const [left] = (await dump())[0].maintenanceWindows
  expect(left.endDate).toBe('2035-01-06T09:00:00Z')
})
