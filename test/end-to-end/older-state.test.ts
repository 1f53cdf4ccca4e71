import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { line, windows } from '../crash/support/two-windows.ts'
import {
  CI,
  fixtureWith,
  manifestWith,
  ONCALL,
  ORG,
  PROJECT,
  within,
  type Installation,
} from '../support/installation.ts'
import {
  applied,
  at,
  begin,
  only,
  OTHER_PROJECT,
  readsIn,
  twoProjects,
  type Scene,
} from '../support/scene.ts'
import { windowsAt } from '../support/one-window.ts'

const MONTHS = ['01', '02', '03', '04', '05']
const FIVE = windows(...MONTHS.map((month) => line(`w${month}`, month)))
const ONE = windows(line('w01', '01'))
const STATE = 'deploymgmt.state.json'

const apply = (here: Installation, ...words: string[]) => here.json('apply', '--auto-approve', ...words)
const idsAt = async (here: Scene): Promise<string[]> => (await windowsAt(here)).map(({ id }) => id)

/** Makes a change, then restores the state from before it. */
const putBack = async (here: Scene, change: () => Promise<unknown>): Promise<void> => {
  await copyFile(join(here.folder, STATE), join(here.folder, 'older'))
  await change()
  await copyFile(join(here.folder, 'older'), join(here.folder, STATE))
}

const loseState = (here: Scene): Promise<void> => rm(join(here.folder, STATE))

/** Makes a window with the same key, as if the key were used elsewhere. */
const makeOwn = (here: Scene, dates: object = {}, key = CI, projectId = PROJECT): Promise<any> =>
  here.outside(
    'POST',
    `/groups/${projectId}/maintenanceWindows`,
    {
      alertTypeNames: ['HOST'],
      startDate: '2035-07-01T00:00:00Z',
      endDate: '2035-07-01T02:00:00Z',
      ...dates,
    },
    key,
  )

describe('an older copy of the state is put back', () => {
  it('and no window is made a second time', async () => {
    const here = await begin({ manifest: FIVE })
    await putBack(here, () => applied(here, FIVE))
    const ids = await idsAt(here)
    const planned = await here.json('plan')
    expect(planned).toMatchObject({
      code: 3,
      document: { inSync: false, summary: { blocked: 5, create: 0 } },
    })
    expect(planned.document.strangers.map(({ identity }: any) => identity.id).toSorted()).toEqual(
      ids.toSorted(),
    )
    expect(at(planned.document, 'maintenanceWindows.w01')).toMatchObject({
      reasonCode: 'beside-strangers',
      byHand: expect.stringContaining('windowId'),
    })
    const ended = await apply(here)
    expect(ended).toMatchObject({ code: 3, document: { exitCode: 3, byStatus: { blocked: 5, done: 0 } } })
    expect(ended.document.warnings.join()).toContain('deploymgmt state disown')
    for (const id of ids) expect(ended.document.warnings.join()).toContain(id)
    expect(await idsAt(here)).toEqual(ids)
  })

  it('and what is in another project is made', async () => {
    const here = await begin({ fixture: twoProjects(), manifest: ONE })
    await putBack(here, () => applied(here, ONE))
    const other = line('other', '06').replace('{', `{ projectId: ${OTHER_PROJECT},`)
    await here.manifest(windows(line('w01', '01'), other))
    expect(await apply(here)).toMatchObject({ code: 3, document: { byStatus: { blocked: 1, done: 1 } } })
  })

  it('and what is printed to be copied names each, and no other folder by the full stop behind it', async () => {
    const here = await begin({ manifest: ONE })
    await putBack(here, () => applied(here, ONE))
    const [id] = await idsAt(here)
    const { document } = await here.json('plan', '-f', '.')
    expect(at(document, 'maintenanceWindows.w01').byHand).toBe(
      `Adopt it by its windowId, ${id} (deploymgmt adopt writes down what events tell of it), or say that it is not ours: deploymgmt state disown ${id} -f ./`,
    )
    expect(await here.run('state', 'disown', String(id), '-f', './.')).toMatchObject({ code: 0 })
    await loseState(here)
    const { stdout } = await here.run('plan', '-f', '.')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('deploymgmt state init -f ./')
  })

  it('and windows are taken over by their ids', async () => {
    const here = await begin({ manifest: ONE })
    await putBack(here, () => applied(here, ONE))
    const [id] = await idsAt(here)
    await here.manifest(ONE.replace('w01: {', `w01: { windowId: ${id},`))
    expect(await apply(here)).toMatchObject({ code: 0 })
    await applied(here, ONE)
    expect(await idsAt(here)).toEqual([id])
  })

  it('and what an apply had under way is settled before', async () => {
    const here = await begin({ manifest: ONE })
    await here.control('POST', 'faults', { method: 'POST', path: 'maintenanceWindows', fault: 'reset-after' })
    expect(await apply(here)).toMatchObject({ code: 3 })
    expect(await apply(here)).toMatchObject({ code: 0 })
    expect(await idsAt(here)).toHaveLength(1)
  })
})

describe('the state is lost', () => {
  it('or is the first of an organization in which nothing was made, which alarms nobody', async () => {
    const here = await begin({ manifest: FIVE })
    expect((await here.run('state', 'init', '--state', 'new.json')).stderr).toMatch(
      /^An empty state was written to new\.json\. Next: .*\n$/,
    )
  })

  it.each([
    ['in UTC if the service writes no zone', '2026-03-02T23:30:00', /go back to 2026-03-02 23:30:00 UTC\./],
    [
      'or that it cannot be found out',
      '2026-03-02T23:30:00,5Z',
      /^Could not find out how far back events go: DM-MALFORMED/m,
    ],
  ])('and a new one says how far back events go, %s', async (_, created, said) => {
    vi.stubEnv('TZ', 'America/New_York')
    onTestFinished(() => void vi.unstubAllEnvs())
    const here = await begin({ manifest: FIVE, proxied: true })
    const body = JSON.stringify({ results: [{ id: '1', created }], totalCount: 1, links: [] })
    here.proxy.steer(async ({ authorized, path }, forward) =>
      authorized && path.includes('/events')
        ? { status: 200, headers: { 'content-type': 'application/json' }, body }
        : forward(),
    )
    const { code, stderr } = await here.run('state', 'init', '--state', 'new.json')
    expect([code, stderr]).toEqual([0, expect.stringMatching(said)])
  })

  it('and a new one knows of nothing, which it is told', async () => {
    const here = await begin({ manifest: FIVE })
    await applied(here, FIVE)
    await loseState(here)
    const begun = await here.run('state', 'init')
    expect(begun).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /Events of organization \S+ go back to \d{4}.*\. A maintenance window that this key created before that cannot be found/,
      ),
    })
    expect(await apply(here)).toMatchObject({ code: 3, document: { byStatus: { blocked: 5 } } })
    expect(await idsAt(here)).toHaveLength(5)
  })

  it('and a person reads what is not made, and why', async () => {
    const here = await begin({ manifest: FIVE })
    await applied(here, FIVE)
    await loseState(here)
    await here.run('state', 'init')
    const [planned, ended] = [await here.run('plan'), await here.run('apply', '--auto-approve')]
    for (const { code, stdout } of [planned, ended]) {
      const said = stdout.replaceAll(/\s+/g, ' ')
      expect({ code, said }).toMatchObject({ code: 3 })
      expect(said).toContain(
        'not created: this key made 5 that are not recorded, and one of them could be the same',
      )
      expect(said).toContain('or for all of them at once: deploymgmt state disown --everything')
    }
  })

  it('and a plan that was saved shows it', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    await loseState(here)
    await here.run('state', 'init')
    expect(await here.run('plan', '--out', 'it.plan')).toMatchObject({ code: 3 })
    expect(await here.run('plan', 'it.plan')).toMatchObject({ code: 3 })
    expect(await here.run('apply', 'it.plan')).toMatchObject({ code: 3 })
  })

  it('and where the key is not told, how far back events go is not', async () => {
    const here = await begin({ manifest: ONE })
    await loseState(here)
    delete here.env['DEPLOYMGMT_PUBLIC_KEY']
    expect(await here.run('state', 'init')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Could not find out how far back events go: DM-CREDENTIALS'),
    })
  })

  it('and all of it is declared not ours at once', async () => {
    const here = await begin({ manifest: FIVE })
    await applied(here, FIVE)
    await loseState(here)
    await here.run('state', 'init')
    const { code, document } = await here.json('state', 'disown', '--everything')
    expect({ code, count: document.done.length }).toEqual({ code: 0, count: 5 })
    expect(await apply(here)).toMatchObject({ code: 0 })
    expect(await idsAt(here)).toHaveLength(10)
    expect(await here.run('state', 'disown', '--everything')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('nothing unrecorded that this key made'),
    })
  })

  it('and the events of its windows cannot be read', async () => {
    const here = await begin({ manifest: ONE, settings: { 'open.events': 'none' } })
    const { document } = await apply(here)
    expect(document).toMatchObject({ exitCode: 0 })
  })
})

describe('a window that the same key made elsewhere', () => {
  it('stops what would be created beside it until it is declared not ours', async () => {
    const here = await begin({ manifest: ONE })
    const { id } = await makeOwn(here)
    expect(await apply(here)).toMatchObject({ code: 3 })
    expect(await here.run('state', 'disown', id)).toMatchObject({ code: 0 })
    expect(await here.run('state', 'disown', id)).toMatchObject({ code: 1 })
    expect((await here.state()).known).toMatchObject([
      { kind: 'maintenance_window', identity: { projectId: PROJECT, id } },
    ])
    expect(await apply(here)).toMatchObject({ code: 0 })
  })

  it('stays known until its end, so that another manifest that names this state creates what it declares', async () => {
    const here = await begin({ manifest: ONE })
    const { id } = await makeOwn(here)
    await here.control('POST', 'clock', { advance: 'PT1H' })
    expect(await here.run('state', 'disown', id)).toMatchObject({ code: 0 })
    expect(await apply(here)).toMatchObject({ code: 0 })
    expect((await here.state()).known).toMatchObject([{ identity: { id }, until: '2035-07-01T02:00:00Z' }])
    await rename(join(here.folder, STATE), join(here.folder, 'other.json'))
    await here.manifest(`${windows(line('w02', '02'))}otherStates: [other.json]\n`)
    expect(await here.run('state', 'init')).toMatchObject({ code: 0 })
    expect(await apply(here)).toMatchObject({ code: 0 })
  })

  it('stays where the manifest names no project of it, unless its id is given', async () => {
    const here = await begin({ manifest: ONE, fixture: twoProjects() })
    await makeOwn(here)
    const { id } = await makeOwn(here, {}, CI, OTHER_PROJECT)
    const { code, document } = await here.json('state', 'disown', '--everything')
    expect({ code, said: document.done }).toEqual({
      code: 0,
      said: [
        expect.stringContaining('no longer blocks creations'),
        expect.stringMatching(/^1 more that this key made is in projects that the manifest does not name/),
      ],
    })
    expect((await here.state()).known).toHaveLength(1)
    expect(await here.run('state', 'disown', id)).toMatchObject({ code: 0 })
    expect((await here.state()).known).toHaveLength(2)
  })

  it('is not to be taken over before it is said that no other state records it', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    await makeOwn(here)
    await makeOwn(here, {}, ONCALL)
    await here.control('POST', 'clock', { advance: 'PT1H' })
    const { unmanaged } = (await here.json('drift')).document
    const ways = (own: boolean) =>
      unmanaged.find(({ actor }: any) => actor?.publicKey === (own ? CI : ONCALL).publicKey)
    expect([ways(true).declare.text, ways(true).leave.text]).toEqual([
      expect.stringMatching(/^where no other state records it, add /),
      expect.stringMatching(/^where another state records it, name that under otherStates; else add /),
    ])
    expect([ways(false).declare.text, ways(false).leave.text]).toEqual([
      expect.stringMatching(/^add /),
      expect.stringMatching(/^add /),
    ])
  })

  it('cannot be declared not ours by no id, nor by another one', async () => {
    const here = await begin({ manifest: ONE })
    expect(await here.run('state', 'disown')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--everything'),
    })
    const refused = await here.run('state', 'disown', 'f'.repeat(24))
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no event says that this key made f+, or it is already recorded/),
    })
  })

  it('nor while the outcome of a creation is unknown, which it could be', async () => {
    const here = await begin({ manifest: ONE })
    const fault = { method: 'POST', path: 'maintenanceWindows', fault: 'reset-after' }
    await here.control('POST', 'faults', fault)
    expect(await apply(here)).toMatchObject({ code: 3 })
    expect(await here.run('state', 'disown', '--everything')).toMatchObject({ code: 3 })
    expect((await here.state()).known).toBeUndefined()
  })

  it('stops nothing once it is over', async () => {
    const here = await begin({ manifest: ONE })
    const soon = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')
    const { id } = await makeOwn(here, { startDate: '2026-01-01T00:00:00Z', endDate: soon })
    await here.control('POST', 'clock', { advance: 'PT2H' })
    expect(await apply(here)).toMatchObject({ code: 0 })
    expect(id).toBeDefined()
  })

  it('still stops creations if it was prolonged', async () => {
    const here = await begin({ manifest: ONE })
    const soon = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')
    const { id } = await makeOwn(here, { startDate: '2026-01-01T00:00:00Z', endDate: soon })
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
      endDate: '2036-01-01T00:00:00Z',
    })
    await here.control('POST', 'clock', { advance: 'PT2H' })
    expect(await apply(here)).toMatchObject({ code: 3, document: { strangers: [{ identity: { id } }] } })
  })

  it('stops nothing if an earlier key of the state made it, but is named where it would be there twice', async () => {
    const here = await begin({ manifest: FIVE })
    await putBack(here, () => applied(here, FIVE))
    const ids = await idsAt(here)
    here.env['DEPLOYMGMT_PUBLIC_KEY'] = ONCALL.publicKey
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = ONCALL.privateKey
    const { code, document } = await here.json('plan')
    expect({ code, strangers: document.strangers }).toEqual({ code: 0, strangers: undefined })
    const [warning] = document.warnings.filter((each: string) =>
      each.includes('in the same project and at the same dates'),
    )
    for (const id of ids) expect(warning).toContain(id)
    await here.manifest(windows(line('w07', '07')))
    const other = await here.json('plan')
    expect(other.document.warnings.join()).not.toContain('in the same project and at the same dates')
  })

  it('stops nothing if another key made it', async () => {
    const here = await begin({ manifest: ONE })
    await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, {
      alertTypeNames: ['HOST'],
      startDate: '2035-07-01T00:00:00Z',
      endDate: '2035-07-01T02:00:00Z',
    })
    expect(await apply(here)).toMatchObject({ code: 0 })
  })
})

const madeAs = (number: number, more: object) => ({
  kind: 'maintenance_window',
  identity: { projectId: PROJECT, id: number.toString(16).padStart(24, '0') },
  at: '2020-01-01T00:00:00.000Z',
  ...more,
})

const twice = ({ document }: { document: { warnings: readonly string[] } }): string[] =>
  document.warnings.filter((each) => each.includes('it is there twice'))

describe('what was recorded once stays known', () => {
  it('and is named where it would be created again, as an old commit does with what was handed on', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    const [id] = await idsAt(here)
    await here.run('state', 'forget', 'maintenanceWindows.w01')
    expect(twice(await here.json('plan'))).toEqual([expect.stringContaining(String(id))])
    await here.manifest(windows(line('other', '09')))
    expect(twice(await here.json('plan'))).toEqual([])
    // Another one with the same end is ordinary, and so is one beside what is declared by its id.
    await here.manifest(windows(line('w01', '01').replace('02:00', '03:00')))
    expect(twice(await here.json('plan'))).toEqual([])
    await here.manifest(
      windows(line('w01', '01').replace('{', `{ windowId: ${String(id)},`), line('second', '01')),
    )
    expect(twice(await here.json('plan'))).toEqual([])
  })

  it.each([
    ['was ended', []],
    ['was ended by a request without an answer', [{ method: 'PATCH', fault: 'reset-after', count: 1 }]],
  ])('and what %s may be declared again without a word', async (_case, faults) => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE.replace('w01: {', 'w01: { onRemove: end,'))
    await here.manifest(windows(line('other', '09')))
    for (const fault of faults) await here.control('POST', 'faults', fault)
    await here.run('apply', '--auto-approve')
    await here.run('apply', '--auto-approve')
    await here.manifest(windows(line('other', '09'), line('w01', '01')))
    const plan = await here.json('plan')
    expect(plan.document.summary).toMatchObject({ create: 1 })
    expect(twice(plan)).toEqual([])
  })

  it('when it was forgotten', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    await here.run('state', 'forget', 'maintenanceWindows.w01')
    await applied(here, windows(line('other', '09')))
    expect(await idsAt(here)).toHaveLength(2)
  })

  it('when its entry is taken out, whatever its way of removal', async () => {
    for (const way of ['end', 'forget']) {
      const here = await begin()
      await applied(here, ONE.replace('w01: {', `w01: { onRemove: ${way},`))
      await applied(here, windows(line('other', '09')))
      await applied(here, windows(line('other', '09'), line('more', '10')))
      expect(await idsAt(here)).toHaveLength(3)
    }
  })

  it('when it was moved to another project', async () => {
    const here = await begin({ fixture: twoProjects(), manifest: ONE })
    await applied(here, ONE)
    await applied(here, ONE.replace('w01: {', `w01: { projectId: ${OTHER_PROJECT},`))
    await applied(here, windows(line('other', '09')))
    expect((await here.state()).known).toHaveLength(2)
  })

  it('until it is over and what was created since was compared', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    await here.run('state', 'forget', 'maintenanceWindows.w01')
    await here.control('POST', 'clock', { advance: 'PT15M' })
    await applied(here, windows(line('other', '09')))
    expect((await here.state()).known).toMatchObject([{ until: '2035-01-06T04:00:00Z' }])
    await here.control('POST', 'clock', { now: '2035-01-07T00:00:00Z' })
    await applied(here, windows(line('other', '09'), line('more', '10')))
    expect((await here.state()).known).toBeUndefined()
  })

  it('and then no event of before brings it up again, also where events do not tell their organization', async () => {
    const here = await begin({ manifest: ONE, proxied: true })
    here.proxy.steer(async ({ path }, forward) => {
      const passed = await forward()
      if (!path.includes('/events?') || passed.status !== 200) return passed
      const { results, ...page } = JSON.parse(String(passed.body)) as { results: object[] }
      const without = results.map((event) => ({ ...event, orgId: undefined }))
      return { ...passed, body: JSON.stringify({ ...page, results: without }) }
    })
    await applied(here, windows(line('w01', '01'), line('w02', '02')))
    await here.run('state', 'forget', 'maintenanceWindows.w01')
    await here.control('POST', 'clock', { advance: 'PT15M' })
    await applied(here, windows(line('w02', '02'), line('w03', '03')))
    await here.run('state', 'forget', 'maintenanceWindows.w03')
    await applied(here, windows(line('w02', '02'), line('w04', '04')))
    expect(await idsAt(here)).toHaveLength(4)
  })

  it('but of what is over a thousand at most where events may not be read, so that nothing is ever compared', async () => {
    const projectOwner = {
      id: '5c47503320eef5699e1cce91',
      desc: 'Project',
      publicKey: 'project',
      privateKey: '9d2c2a3e-canary-0009',
      roles: [{ roleName: 'GROUP_OWNER', groupId: PROJECT }],
    }
    const here = await begin({ fixture: fixtureWith({}, { apiKeys: [projectOwner] }), manifest: ONE })
    here.env['DEPLOYMGMT_PUBLIC_KEY'] = projectOwner.publicKey
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = projectOwner.privateKey
    await applied(here, ONE)
    const over = Array.from({ length: 1_200 }, (_, number) =>
      madeAs(number, { until: '2020-01-02T00:00:00Z' }),
    )
    const lasting = [madeAs(2_000, {}), madeAs(2_001, { until: '2035-01-02T00:00:00Z' })]
    const state = await here.state()
    await writeFile(join(here.folder, STATE), JSON.stringify({ ...state, known: [...lasting, ...over] }))
    await applied(here, windows(line('w01', '01'), line('w02', '02')))
    expect((await here.state()).known).toEqual([...lasting, ...over.slice(200)])
  })
})

/** A second manifest with its own state and the same key. */
const second = async (here: Scene, more: string): Promise<Installation> => {
  const folder = join(here.folder, 'second')
  const there = within(here, folder)
  await mkdir(folder)
  const text = windows(line('w06', '06')).replace('name: test', 'name: second') + more
  await writeFile(join(folder, 'deploymgmt.yaml'), text)
  expect(await there.run('state', 'init')).toMatchObject({ code: 0 })
  return there
}

describe('two manifests use one key', () => {
  it('and each names the state of the other', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    const there = await second(here, `otherStates: [../${STATE}]\n`)
    expect(await apply(there)).toMatchObject({ code: 0 })
    await applied(here, `${windows(line('w01', '01'), line('w02', '02'))}otherStates: [second/${STATE}]\n`)
    expect(await idsAt(here)).toHaveLength(3)
  })

  it('and each knows the silences of the other', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    const there = await second(here, `otherStates: [../${STATE}]\n`)
    expect(
      await here.run('silence', '--project', 'payments', '--types', 'HOST', '--max', '1h'),
    ).toMatchObject({
      code: 0,
    })
    expect(await apply(there)).toMatchObject({ code: 0 })
  })

  it('and the second is stopped where it does not', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    const there = await second(here, '')
    const ended = await apply(there)
    expect(ended).toMatchObject({ code: 3 })
    expect(ended.document.warnings.join()).toContain('otherStates')
  })

  it('and the one that is named is its own', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    const there = await second(here, `otherStates: [${STATE}]\n`)
    expect(await there.run('apply', '--auto-approve')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /DM-STATE-ADDRESS: .*otherStates at deploymgmt\.yaml:\d+:15 is this manifest’s own state/,
      ),
    })
  })

  it('and the state that is named cannot be read: its entry is told', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    const there = await second(here, 'otherStates: [nowhere.json, broken.json]\n')
    await writeFile(join(there.folder, 'broken.json'), '{')
    const { code, stderr } = await there.run('drift')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /DM-STATE-CORRUPT: .*\n.*broken\.json.*\n +It is named under otherStates at deploymgmt\.yaml:\d+:29\. /,
    )
    expect(stderr).toMatch(/nowhere\.json, which is named under otherStates at deploymgmt\.yaml:\d+:15\./)
  })

  it('and the state that is named is not there', async () => {
    const here = await begin({ manifest: ONE })
    await applied(here, ONE)
    const there = await second(here, 'otherStates: [nowhere.json]\n')
    const ended = await apply(there)
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no state at') })
    expect(ended.stderr).toContain('nowhere.json')
  })
})

describe('the calling key is a person’s own', () => {
  const SAM = { publicKey: 'sampersonal', privateKey: '3b7e5f11-canary-0009' }
  const roles = [{ roleName: 'ORG_OWNER', orgId: ORG }]
  const users = [{ id: '5d2e1f0a9b8c7d6e5f4a3b21', username: 'sam@example.com', roles, apiKeys: [SAM] }]
  const asSam = async (): Promise<Scene> => {
    const here = await begin({ fixture: { ...fixtureWith(), users }, manifest: ONE })
    here.env['DEPLOYMGMT_PUBLIC_KEY'] = SAM.publicKey
    here.env['DEPLOYMGMT_PRIVATE_KEY'] = SAM.privateKey
    return here
  }

  it('and nothing shows whose: nothing is stopped, and there is a warning', async () => {
    const here = await asSam()
    const { id } = await makeOwn(here, {}, SAM)
    const { code, document } = await apply(here)
    expect({ code, strangers: document.strangers }).toEqual({ code: 0, strangers: undefined })
    expect(document.warnings.join()).toMatch(
      new RegExp(`events name ${id} as made, and none shows whether it was by this key`),
    )
  })

  it('and what its first own creation then tells stops the next one, however old the others are', async () => {
    const here = await asSam()
    const { id } = await makeOwn(here, {}, SAM)
    await here.control('POST', 'clock', { advance: 'PT1H' })
    await applied(here, ONE)
    await here.manifest(windows(line('w01', '01'), line('w02', '02')))
    expect(await apply(here)).toMatchObject({ code: 3, document: { strangers: [{ identity: { id } }] } })
  })

  it('and an event tells whose', async () => {
    const here = await asSam()
    await applied(here, ONE)
    const { id } = await makeOwn(here, {}, SAM)
    await here.manifest(windows(line('w01', '01'), line('w02', '02')))
    expect(await apply(here)).toMatchObject({ code: 3, document: { strangers: [{ identity: { id } }] } })
  })
})

describe('events are read where they are needed', () => {
  const EVENTS = /\/events$/
  const eventReads = async (here: Scene): Promise<number> =>
    (await readsIn(here)).filter((path) => EVENTS.test(path)).length

  it('and not where nothing is created', async () => {
    const here = await begin({ manifest: only('alertConfigurations', '') })
    await applied(here, FIVE)
    await here.forgetRequests()
    expect(await apply(here)).toMatchObject({ code: 0 })
    expect(await eventReads(here)).toBe(1)
  })

  it('and once more where something is, from what was compared before', async () => {
    const here = await begin({ manifest: ONE })
    await here.forgetRequests()
    await applied(here, ONE)
    expect(await eventReads(here)).toBe(1)
    await here.forgetRequests()
    await applied(here, FIVE)
    expect(await eventReads(here)).toBe(2)
    expect(Object.keys((await here.state()).compared)).toHaveLength(1)
  })
})

it('what persons make is no concern of a key that events have named', async () => {
  const users = [
    {
      id: '5d2e1f0a9b8c7d6e5f4a3b21',
      username: 'sam@example.com',
      roles: [{ roleName: 'ORG_OWNER', orgId: ORG }],
      apiKeys: [{ publicKey: 'sampersonal', privateKey: '3b7e5f11-canary-0009' }],
    },
  ]
  const here = await begin({ fixture: { ...fixtureWith(), users }, manifest: ONE })
  await applied(here, ONE)
  await here.control('POST', 'clock', { advance: 'P2D' })
  await applied(here, windows(line('w01', '01'), line('w02', '02')))
  await here.control('POST', 'clock', { advance: 'P2D' })
  await makeOwn(here, {}, { publicKey: 'sampersonal', privateKey: '3b7e5f11-canary-0009' })
  await here.manifest(FIVE)
  const { code, document } = await apply(here)
  expect({ code, said: document.warnings.join() }).toMatchObject({
    code: 0,
    said: expect.not.stringContaining('persons'),
  })
})

it('a place that is misspelt is named first, and nobody is advised to disown what the right one knows', async () => {
  const here = await begin({ manifest: FIVE })
  await applied(here, FIVE)
  const { code, document } = await here.json('plan', '--state', 'typo.json')
  expect([code, document.summary.blocked]).toEqual([3, 5])
  const { warnings, changes } = document
  expect(warnings[0]).toContain('there is no state at typo.json yet')
  expect(JSON.stringify([warnings, changes])).not.toContain('disown')
})

it('a run that lost its state is told before it begins a new one with what it adopts', async () => {
  const here = await begin({ manifest: only('integrations', '  paging: { type: PAGING }') })
  await loseState(here)
  const planned = await here.json('plan')
  const ended = await apply(here)
  const told = 'there is no state at deploymgmt.state.json yet: apply starts a new one with what it adopts'
  expect(planned.document.warnings).toEqual([expect.stringContaining(told)])
  const begun =
    'there was no state at deploymgmt.state.json: this apply has started a new one with what it adopted'
  expect(ended.document.warnings).toEqual([expect.stringContaining(begun)])
  expect(ended).toMatchObject({ code: 0, document: { byStatus: { done: 1 } } })
  const again = await apply(here)
  expect(again).toMatchObject({ code: 0, document: { warnings: [] } })
})

it('a run that lost its state is told so as well where something of this key is there that nobody knows', async () => {
  const manifest = manifestWith({
    apiKeys: '',
    users: '',
    alertConfigurations: '',
    integrations: '  paging: { type: PAGING }',
    maintenanceWindows:
      '  w: { alertTypeNames: [HOST], startDate: 2035-07-01T00:00:00Z, endDate: 2035-07-01T02:00:00Z }',
  })
  const here = await begin({ manifest })
  await applied(here, manifest)
  await loseState(here)
  const { document } = await here.json('plan')
  expect(document.strangers).toHaveLength(1)
  expect(document.warnings.join()).toContain('apply creates nothing until deploymgmt state init')
  expect(document.warnings.join()).toContain('no state was found that records it')
  // A new one would be in the way of the one that is to be restored.
  expect(await apply(here)).toMatchObject({ code: 1, document: { error: { code: 'DM-STATE-MISSING' } } })
  expect(await here.json('plan')).toMatchObject({ document: { strangers: document.strangers } })
})
