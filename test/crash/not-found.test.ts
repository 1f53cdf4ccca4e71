import { expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { at, begin, beginApplied, only, writesIn, type Scene } from '../support/scene.ts'
import { expectConverged } from './support/unknown.ts'

const ADDRESS = 'maintenanceWindows.a'
const NONE = 'f'.repeat(24)
const window = (description: string): string =>
  only(
    'maintenanceWindows',
    `  a: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ${description} }`,
  )

/** Expects that plan and drift report what the answer said, and that nothing is sent to the thing. */
const expectNotFound = async (here: Scene): Promise<void> => {
  await here.forgetRequests()
  const plan = await here.json('plan', '--detailed-exitcode')
  expect(plan).toMatchObject({ code: 2, document: { inSync: false, summary: { blocked: 1, update: 0 } } })
  expect(at(plan.document, ADDRESS)).toMatchObject({
    action: 'blocked',
    reasonCode: 'not-found',
    byHand: expect.stringContaining(`deploymgmt state forget ${ADDRESS}`),
    evidence: { level: 'recorded', since: expect.any(String) },
  })
  const drift = await here.json('drift')
  expect(drift).toMatchObject({ code: 2, document: { inSync: false } })
  expect(at(drift.document, ADDRESS)).toMatchObject({ verdict: 'drifted', reasonCode: 'not-found' })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
  expect(await writesIn(here)).toEqual([])
}

it('the id that a person has given, and that is none, is not found from then on', async () => {
  const here = await begin({ manifest: window('one') })
  const fault = { fault: 'reset-after', method: 'POST', path: 'maintenanceWindows', count: 1 }
  await here.control('POST', 'faults', fault)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  expect(await here.run('state', 'resolve', ADDRESS, '--created', NONE)).toMatchObject({ code: 0 })
  const { code, stdout } = await here.run('apply', '--auto-approve')
  expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining('not found') })
  await expectNotFound(here)
  expect((await here.run('drift')).stdout).toContain(`keep: deploymgmt state forget ${ADDRESS}`)
  expect(await here.run('state', 'forget', ADDRESS)).toMatchObject({ code: 0 })
  // The window that was made is not created again: it is reported as a stranger.
  const { code: stopped, document } = await here.json('apply', '--auto-approve')
  const [{ identity }] = document.strangers
  expect({ stopped, id: identity.id }).toEqual({ stopped: 3, id: (await windowsAt(here))[0].id })
  await here.manifest(window('one').replace('a: {', `a: { windowId: ${identity.id},`))
  await expectConverged(here)
  expect(await windowsAt(here)).toHaveLength(1)
})

const changedButGone = async (): Promise<Scene> => {
  const here = await beginApplied(window('one'))
  await here.manifest(window('two'))
  await here.control('POST', 'faults', { fault: 'status', status: 404, method: 'PATCH', count: 1 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
  return here
}

it('what was not found is written to again once a later event is about it', async () => {
  const here = await changedButGone()
  await expectNotFound(here)
  const { id } = (await here.state()).resources[ADDRESS].identity
  await here.control('POST', 'clock', { advance: 'PT1M' })
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
  expect(at((await here.json('plan')).document, ADDRESS)).toMatchObject({ action: 'update' })
  await expectConverged(here)
  expect((await here.state()).resources[ADDRESS]).not.toHaveProperty('notFoundAt')
})

it('what was not found is written to again once a person has accepted that it is there', async () => {
  const here = await changedButGone()
  expect(await here.run('state', 'accept', ADDRESS)).toMatchObject({ code: 0 })
  await expectConverged(here)
})

it('what was not found is let go of once nothing declares it', async () => {
  const here = await changedButGone()
  await here.manifest(only('maintenanceWindows', ''))
  await expectConverged(here)
  expect((await here.state()).resources).toEqual({})
})

it('what is not found when it is released is said not to have been changed', async () => {
  const here = await beginApplied(window('one'))
  await here.manifest(only('maintenanceWindows', ''))
  await here.control('POST', 'faults', { fault: 'status', status: 404, method: 'PATCH', count: 1 })
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('not found at the service, so nothing was changed there'),
  })
  expect((await here.state()).resources).toEqual({})
})
