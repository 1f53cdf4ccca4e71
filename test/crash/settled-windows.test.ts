import { describe, expect, it } from 'vitest'
import { CI, PROJECT } from '../support/installation.ts'
import { pass } from '../support/proxy.ts'
import { runHere } from '../support/command.ts'
import { windowsAt } from '../support/one-window.ts'
import { begin, beginApplied, writesIn, type Scene } from '../support/scene.ts'
import { after, before, lostAfter, lostBefore, killAt } from './support/kill.ts'
import { disownStrangers, expectConverged, expectStuck, namedIn, unknownIn } from './support/unknown.ts'
import { A, B, descriptionsAt, ownKey, windows } from './support/two-windows.ts'

let here: Scene

const held = (): Promise<any[]> => windowsAt(here)
const descriptions = (): Promise<string[]> => descriptionsAt(here)
const later = (advance: string): Promise<void> => here.control('POST', 'clock', { advance })
const lose = (fault: string, more: object = {}): Promise<void> =>
  here.control('POST', 'faults', { method: 'POST', path: 'maintenanceWindows', count: 1, fault, ...more })
const byOurKey = (body: object): Promise<any> =>
  here.outside('POST', `/groups/${PROJECT}/maintenanceWindows`, body, CI)

/** Loses the answers to the writes in this order, each before or after the service has committed it. */
const loseInOrder = (...fates: (typeof lostAfter)[]): void =>
  here.proxy.steer((passing, forward) => (fates[passing.write - 1] ?? pass)(passing, forward))

/** Applies, which ends with unknown outcomes, and removes all faults. */
const applyAndLose = async (manifest: string): Promise<void> => {
  await here.manifest(manifest)
  expect(await here.run('apply', '--auto-approve', '--concurrency', '1')).toMatchObject({ code: 3 })
  await here.control('DELETE', 'faults')
  here.proxy.steer(pass)
}

/** Expects that nothing is doubled or mixed up: each address has the one window that matches its declaration. */
const expectEach = async (...names: string[]): Promise<void> => {
  await expectConverged(here)
  expect(await descriptions()).toEqual(names)
  const { resources } = await here.state()
  for (const window of await held())
    expect(resources[`maintenanceWindows.${window.description}`].identity.id).toBe(window.id)
}

describe('windows whose creation lost its answer', () => {
  it('are settled by one written field each, whose answer shows which window it is', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after', { count: 2 })
    await applyAndLose(windows(A, B))
    await here.forgetRequests()
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    for (const { id, description } of await held())
      expect(stderr).toContain(
        `Settled: maintenanceWindows.${description}: an event names ${id}, and its answer has the values of this creation`,
      )
    const writes = await writesIn(here)
    expect(writes.map((write) => write.split(' ')[0])).toEqual(['PATCH', 'PATCH'])
    await expectEach('a', 'b')
  })

  it.each([403, 401])('are recorded as they answer where another one is refused with %i', async (status) => {
    here = await begin({ proxied: true })
    await lose('reset-after', { count: 2 })
    await applyAndLose(windows(A, B))
    let first = ''
    here.proxy.steer(async ({ method, path }, forward) => {
      if (method !== 'PATCH') return forward()
      first ||= path
      return path === first ? { status, headers: {}, body: '{}' } : forward()
    })
    const ran = await here.run('apply', '--auto-approve')
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('DM-FORBIDDEN') })
    expect(await unknownIn(here)).toHaveLength(1)
    expect(namedIn(ran.stderr)).toEqual(await unknownIn(here))
    here.proxy.steer(pass)
    await expectEach('a', 'b')
  })

  it('are told to a machine as events of the apply', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after')
    await applyAndLose(windows(A))
    const { code, stdout } = await here.run('apply', '--auto-approve', '--format', 'json')
    expect(code).toBe(0)
    const [first, ...more] = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
    expect(first).toMatchObject({
      type: 'settled',
      address: 'maintenanceWindows.a',
      reasonCode: 'answered-as-created',
    })
    expect(more.at(-1)).toMatchObject({ type: 'summary', exitCode: 0 })
  })

  it('are asked by a field that each of them sets: whichever it is, its own value can be written over it', async () => {
    const bare = A.replace('  a:', '  bare:').replace(', description: a', '')
    here = await begin({ proxied: true })
    await lose('reset-after', { count: 2 })
    await applyAndLose(windows(A, bare))
    const { document } = await here.json('plan')
    expect(document.toBeSettled).toMatchObject([
      { reason: expect.stringContaining('apply writes alertTypeNames to it') },
      { reason: expect.stringContaining('apply writes alertTypeNames to it') },
    ])
    await expectConverged(here)
    expect(new Set((await held()).map(({ description = null }) => description))).toEqual(new Set(['a', null]))
  })

  it('are shown by a plan as what apply is expected to find, and nothing is sent for that', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after')
    await applyAndLose(windows(A))
    await here.forgetRequests()
    const { code, document } = await here.json('plan', '--detailed-exitcode')
    expect({ code, inSync: document.inSync, summary: document.summary }).toMatchObject({
      code: 2,
      inSync: false,
      summary: { create: 0, update: 1 },
    })
    expect(document.toBeSettled).toEqual([
      {
        address: 'maintenanceWindows.a',
        reasonCode: 'to-be-asked',
        reason: expect.stringContaining('an event names'),
      },
    ])
    expect(await writesIn(here)).toEqual([])
    await expectEach('a')
  })

  it('are named by drift until apply has asked them, and are not in sync', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after', { count: 2 })
    await applyAndLose(windows(A, B))
    const { code, document } = await here.json('drift')
    expect({ code, inSync: document.inSync, left: document.toBeSettled }).toMatchObject({
      code: 2,
      inSync: false,
      left: [
        { address: 'maintenanceWindows.a', reasonCode: 'to-be-asked' },
        { address: 'maintenanceWindows.b', reasonCode: 'to-be-asked' },
      ],
    })
    const { stdout } = await here.run('drift')
    expect(stdout).toContain('· 2 requests to be settled by apply')
    expect(stdout).not.toContain('no drift')
    await expectEach('a', 'b')
    expect(await here.json('drift')).toMatchObject({ code: 0, document: { inSync: true, toBeSettled: [] } })
  })

  it('are asked only with consent', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after')
    await applyAndLose(windows(A))
    await here.forgetRequests()
    const { code, stderr } = await here.run('apply')
    expect(code).toBe(1)
    expect(stderr).toContain('there is no terminal on which to ask whether to settle ')
    expect(stderr).toMatch(
      /maintenanceWindows\.a: an event names [0-9a-f]{24}; apply writes description to it/,
    )
    expect(await writesIn(here)).toEqual([])
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.a'])
  })

  it('are shown, before anybody consents, with the thing to which a write without effect goes', async () => {
    here = await beginApplied(windows(A), { proxied: true })
    await lose('reset-before')
    await applyAndLose(windows(A, B))
    await later('PT1M')
    const { id } = (await here.state()).resources['maintenanceWindows.a'].identity
    const { code, stderr } = await here.run('apply')
    expect(code).toBe(1)
    expect(stderr).toContain(
      `it writes the description of maintenanceWindows.a (${id}) again as it is, which changes nothing`,
    )
  })

  it('are carried out by a plan that was saved before they were asked', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after')
    await applyAndLose(windows(A))
    await here.manifest(windows(A, B))
    expect(await here.run('plan', '--out', 'saved')).toMatchObject({ code: 0 })
    expect(await here.run('apply', 'saved', '--auto-approve')).toMatchObject({ code: 0 })
    await expectEach('a', 'b')
  })

  it('are announced once, where another one is not settled', async () => {
    here = await begin({ proxied: true })
    loseInOrder(lostAfter, lostBefore)
    await applyAndLose(windows(A, B))
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, stderr }).toMatchObject({ code: 3 })
    expect(stderr).toContain('Settled: maintenanceWindows.a')
    const again = await here.run('plan')
    expect(again.code).toBe(3)
    expect(again.stderr).not.toContain('from the journal')
  })

  it('were not created where the event of a later write is there and none of theirs', async () => {
    here = await begin({ proxied: true })
    loseInOrder(lostAfter, lostBefore)
    await applyAndLose(windows(A, B))
    await later('PT1M')
    await expectEach('a', 'b')
    expect((await writesIn(here)).map((write) => write.split(' ')[0])).toEqual(['POST', 'PATCH', 'POST'])
  })

  it('were not created, which a write that changes nothing shows where there is no later one', async () => {
    here = await beginApplied(windows(A), { proxied: true })
    await lose('reset-before')
    await applyAndLose(windows(A, B))
    await later('PT1M')
    const { document } = await here.json('plan')
    expect(document.toBeSettled).toMatchObject([
      {
        address: 'maintenanceWindows.b',
        reason: 'no event names it; the event of a later write will show whether it was created',
      },
    ])
    await here.forgetRequests()
    await expectEach('a', 'b')
    expect((await writesIn(here)).map((write) => write.split(' ')[0])).toEqual(['PATCH', 'POST'])
  })

  it('hold back that another window is forgotten, for its id could be taken for theirs', async () => {
    here = await beginApplied(windows(A.replace(' }', ', onRemove: forget }')), { proxied: true })
    const forgets = 'waits until the outcome of a creation of its kind is known'
    await lose('reset-after')
    await here.manifest(windows(B))
    const ran = await here.run('apply', '--auto-approve')
    expect({ code: ran.code, isSaid: ran.stderr.replaceAll(/\s+/g, ' ').includes(forgets) }).toEqual({
      code: 3,
      isSaid: true,
    })
    expect((await here.state()).resources).toHaveProperty(['maintenanceWindows.a'])
    const again = await here.run('apply', '--auto-approve')
    expect(again).toMatchObject({ code: 0 })
    expect(Object.keys((await here.state()).resources)).toEqual(['maintenanceWindows.b'])
  })

  it('and one that was answered hold back nothing', async () => {
    here = await beginApplied(windows(A.replace(' }', ', onRemove: forget }')), { proxied: true })
    await here.manifest(windows(B))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(Object.keys((await here.state()).resources)).toEqual(['maintenanceWindows.b'])
  })

  it('leave alone what others changed and a person accepted: no event is provoked there', async () => {
    here = await beginApplied(windows(A), { proxied: true })
    const [{ id }] = await held()
    await later('PT1M')
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
    await later('PT1M')
    expect(await here.run('state', 'accept', 'maintenanceWindows.a')).toMatchObject({ code: 0 })
    await lose('reset-before')
    await applyAndLose(windows(A, B))
    await later('PT1M')
    expect(await expectStuck(here, ['maintenanceWindows.b'])).toContain(
      'no event of this key names a new one',
    )
    expect(await descriptions()).toEqual(['theirs'])
  })

  it('may still come to be while a request can be worked on', async () => {
    here = await beginApplied(windows(A), { proxied: true })
    await lose('reset-before')
    await applyAndLose(windows(A, B))
    const said = await expectStuck(here, ['maintenanceWindows.b'])
    expect(said).toMatch(/Run deploymgmt apply after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: /)
    await later('PT1M')
    await expectEach('a', 'b')
  })

  it.each<[string, Record<string, string>]>([
    ['events of changes are none', { 'open.events': 'some' }],
    ['events come later than that', { 'open.eventDelay': 'PT5M' }],
  ])('are not taken for not created where %s', async (_, settings) => {
    here = await begin({ settings, proxied: true })
    loseInOrder(lostAfter, lostBefore)
    await applyAndLose(windows(A, B))
    await later('PT2M')
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, named: namedIn(stderr).slice(-1) }).toEqual({ code: 3, named: ['maintenanceWindows.b'] })
    expect(await held()).toHaveLength(1)
  })

  it('need no decision once they are over', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after')
    await applyAndLose(windows(A))
    await later('P4000D')
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('it is over now')
  })

  it('are all written, and none is asked, if only the manifest uses the key', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after', { count: 2 })
    await applyAndLose(ownKey(windows(A, B)))
    await expectConverged(here)
    expect(await descriptions()).toEqual(['a', 'b'])
  })
})

describe('a candidate that is somebody else’s', () => {
  const theirs = {
    alertTypeNames: ['BACKUP'],
    startDate: '2036-01-01T00:00:00Z',
    endDate: '2036-01-02T00:00:00Z',
    description: 'theirs',
  }

  it('is ruled out by what its event tells, and left alone', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after')
    await applyAndLose(windows(A))
    await byOurKey(theirs)
    await expectConverged(here)
    expect(await descriptions()).toEqual(['a', 'theirs'])
    expect((await here.state()).resources['maintenanceWindows.a'].identity.id).toBe(
      (await held()).find(({ description }) => description === 'a').id,
    )
  })

  it('is ruled out by its answer where events tell nothing, keeps its dates and types, and is asked once', async () => {
    here = await begin({ settings: { 'open.rawDocument': 'empty' }, proxied: true })
    await here.manifest(windows(A))
    await lose('reset-before')
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    const { id } = await byOurKey(theirs)
    await here.forgetRequests()
    for (const _ of ['asked', 'known'])
      expect((await here.run('apply', '--auto-approve')).stderr).toContain(
        `an event of this key names ${id}, which does not answer as the one that was to be created`,
      )
    expect(await writesIn(here)).toEqual([`PATCH /groups/${PROJECT}/maintenanceWindows/${id}`])
    const { description: _, ...kept } = theirs
    expect(await held()).toEqual([expect.objectContaining(kept)])
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.a'])
  })

  it('does not stop a new creation, if events of our own windows tell the truth', async () => {
    here = await beginApplied(windows(A), { proxied: true })
    await lose('reset-before')
    await applyAndLose(windows(A, B))
    await byOurKey(theirs)
    await later('PT1M')
    await disownStrangers(here)
    await expectConverged(here)
    expect(await descriptions()).toEqual(['a', 'b', 'theirs'])
  })

  it('leaves the choice to a person where it is the same in everything', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after')
    await applyAndLose(windows(A))
    await byOurKey({
      alertTypeNames: ['HOST'],
      startDate: '2035-01-06T02:00:00Z',
      endDate: '2035-01-06T04:00:00Z',
    })
    const said = await expectStuck(here, ['maintenanceWindows.a'])
    for (const { id } of await held()) expect(said).toContain(id)
  })
})

it.each([
  ['before it is asked', before],
  ['after it was asked', after],
])('a command that is killed %s asks the same in its next run', async (_, fate) => {
  here = await begin({ proxied: true })
  await here.manifest(windows(A, B))
  await lose('reset-after', { count: 2 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  await killAt(here, ({ write }) => write === 2, fate)
  await expectEach('a', 'b')
})

it('without any organization, says that it could not look and what to declare, and invites nobody to make it again', async () => {
  here = await begin({ proxied: true })
  await lose('reset-after')
  const nowhere = windows(A)
    .replace(/, orgId: \w+/, '')
    .replace(/ {2}orgId: \w+\n/, '')
  await applyAndLose(nowhere)
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect(code).toBe(3)
  expect(stderr).toContain('it is not known in which organization to look for events: declare orgId')
  expect(stderr).not.toContain('--not-created')
  await here.manifest(windows(A))
  await expectEach('a')
  await here.manifest(nowhere)
  const { document } = await here.json('drift')
  expect(document.resources[0].evidence.note).toContain(
    'It is not known in which organization to look for events: declare orgId',
  )
})

/**
 * Runs an apply. Right after it has read events, `act` runs and half a minute passes for the service and this machine.
 */
const applyWhile = async (act: () => Promise<unknown>, ...words: string[]) => {
  let passed = 0
  here.proxy.steer(async ({ path, authorized }, forward) => {
    const answer = await forward()
    if (passed > 0 || !authorized || !path.includes('/events')) return answer
    passed = 30_000
    await act()
    await later('PT30S')
    return answer
  })
  const now = (): Date => new Date(Date.now() + passed)
  const ran = await runHere(here, ['apply', '--auto-approve', ...words], { now })
  here.proxy.steer(pass)
  return ran
}
const describeLost = async (): Promise<void> => {
  const window = (await held()).find(({ description }) => description === 'a')
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${window.id}`, {
    description: 'theirs',
  })
}

describe('what somebody else does to a thing between the look at events and a write that settles', () => {
  it('is not written over by asking it, and exit 3 says so', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after')
    await applyAndLose(windows(A))
    const { code, stderr } = await applyWhile(describeLost)
    expect({ code, stderr }).toMatchObject({ code: 3 })
    expect(stderr).toMatch(/Not settled: maintenanceWindows\.a: DM-GUARD: .*"oncall"/)
    expect(await descriptions()).toEqual(['theirs'])
    await expectEach('a')
  })

  it('is written over with --allow-overwrite', async () => {
    here = await begin({ proxied: true })
    await lose('reset-after')
    await applyAndLose(windows(A))
    expect(await applyWhile(describeLost, '--allow-overwrite')).toMatchObject({ code: 0 })
    await expectEach('a')
  })

  it('is not written over by what shows that events are not late', async () => {
    here = await beginApplied(windows(A), { proxied: true })
    await lose('reset-before')
    await applyAndLose(windows(A, B))
    await later('PT5M')
    const { code, stderr } = await applyWhile(describeLost)
    expect({ code, stderr }).toMatchObject({ code: 3 })
    expect(stderr).toMatch(/Not settled: maintenanceWindows\.a: DM-GUARD: .*"oncall"/)
    expect(await descriptions()).toEqual(['theirs'])
  })
})
