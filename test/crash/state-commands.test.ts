import { describe, expect, it } from 'vitest'
import type { Installation } from '../support/installation.ts'
import { beginApplied, only, twoProjects } from '../support/scene.ts'
import { expectStuck, resolve, unknownIn } from './support/unknown.ts'

let here: Installation

const WINDOW = 'maintenanceWindows.w'
const KEY = 'apiKeys.reporting'
const NOISY = 'alertConfigurations.noisy'
const window = (name: string, description: string, hour = '02'): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-01-06T${hour}:00:00Z, endDate: 2035-01-06T09:00:00Z, description: ${description} }`
const noisy = (enabled: boolean): string =>
  only('alertConfigurations', `  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: ${enabled} }`)
const windows = (...entries: string[]): string => only('maintenanceWindows', entries.join('\n'))

/** Applies `before`; then the change or creation that `after` adds loses its answer. */
const begun = async (before: string, after: string, method = 'PATCH'): Promise<void> => {
  here = await beginApplied(before)
  await here.manifest(after)
  await here.control('POST', 'faults', { method, count: 1, fault: 'reset-after' })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
}
const lostWindow = () => begun(windows(window('w', 'one')), windows(window('w', 'two')))
const lostSetting = () => begun(noisy(false), noisy(true))

it('while a creation is of unknown outcome, nothing of its kind is forgotten: it would look like what was made', async () => {
  await begun(windows(window('w', 'one')), windows(window('w', 'one'), window('v', 'two', '03')), 'POST')
  await expectStuck(here, ['maintenanceWindows.v'], ['state', 'forget', WINDOW])
  expect(Object.keys((await here.state()).resources)).toEqual([WINDOW])
})

describe('while the outcome of a request about an address is unknown', () => {
  it.each([
    ['a window is not moved', lostWindow, WINDOW, ['mv', WINDOW, 'maintenanceWindows.v']],
    ['a window is not forgotten', lostWindow, WINDOW, ['forget', WINDOW]],
    ['a window is not accepted', lostWindow, WINDOW, ['accept', WINDOW]],
    ['an alert configuration is not forgotten', lostSetting, NOISY, ['forget', NOISY]],
  ])('%s, and what resolves it is told', async (_, lose, address, words) => {
    await lose()
    const before = await here.state()
    expect(await expectStuck(here, [address], ['state', ...words])).toContain(
      'Run deploymgmt apply first: it settles what it can by itself.',
    )
    expect(await here.state()).toEqual(before)
    expect(await unknownIn(here)).toEqual([address])
    await resolve(here, address, '--again')
    expect(await here.run('state', ...words)).toMatchObject({ code: 0 })
  })

  it.each([['mv', 'maintenanceWindows.u'], ['forget'], ['accept'], ['show']])(
    '%s stops for a creation too, though nothing is recorded there yet',
    async (word, ...rest) => {
      await begun(windows(window('w', 'one')), windows(window('w', 'one'), window('v', 'two', '03')), 'POST')
      await expectStuck(here, ['maintenanceWindows.v'], ['state', word, 'maintenanceWindows.v', ...rest])
      expect(await unknownIn(here)).toEqual(['maintenanceWindows.v'])
    },
  )

  it.each([['mv', 'maintenanceWindows.u'], ['forget'], ['accept']])(
    'of one of several that an entry stands for, %s of the entry stops as well',
    async (word, ...rest) => {
      const places = 'projectIds: [5c8100bcf2a30b12ff88258f, 5c8100bcf2a30b12ff882590]'
      const several = window('w', 'one').replace('{ ', `{ ${places}, `)
      here = await beginApplied(windows(), { fixture: twoProjects() })
      await here.manifest(windows(several))
      await here.control('POST', 'faults', { method: 'POST', count: 1, fault: 'reset-after' })
      expect(await here.run('apply', '--auto-approve', '--concurrency', '1')).toMatchObject({ code: 3 })
      const [lost = ''] = await unknownIn(here)
      await expectStuck(here, [lost], ['state', word, WINDOW, ...rest])
      expect(await unknownIn(here)).toEqual([lost])
    },
  )

  it('nothing is moved to it', async () => {
    const one = window('w', 'one')
    await begun(windows(one), windows(one, window('v', 'two', '03')), 'POST')
    await expectStuck(here, ['maintenanceWindows.v'], ['state', 'mv', WINDOW, 'maintenanceWindows.v'])
    expect(Object.keys((await here.state()).resources)).toEqual([WINDOW])
  })

  it('other addresses can be moved, accepted and forgotten', async () => {
    const other = window('v', 'three', '03')
    await begun(windows(window('w', 'one'), other), windows(window('w', 'two'), other))
    const words = [
      ['mv', 'maintenanceWindows.v', 'maintenanceWindows.u'],
      ['accept', 'maintenanceWindows.u'],
      ['forget', 'maintenanceWindows.u'],
    ]
    for (const each of words) expect(await here.run('state', ...each)).toMatchObject({ code: 0 })
    expect(Object.keys((await here.state()).resources)).toEqual([WINDOW])
    expect(await unknownIn(here)).toEqual([WINDOW])
  })

  it('the commands that resolve it can be copied, whatever the address holds', async () => {
    await begun(
      only('apiKeys', '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: one }'),
      only('apiKeys', '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: two }'),
    )
    const { stderr } = await here.run('state', 'forget', KEY, '--state', './deploymgmt.state.json')
    expect(stderr).toContain(`deploymgmt state resolve ${KEY} --again --state ./deploymgmt.state.json`)
  })
})
