import { describe, expect, it } from 'vitest'
import { manifestWith } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { begin, only, type Scene } from '../support/scene.ts'
import { expectConverged, unknownIn } from './support/unknown.ts'

let here: Scene

const line = (name: string): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ${name} }`
const windows = (...lines: string[]): string => only('maintenanceWindows', lines.join('\n'))
const held = (): Promise<any[]> => windowsAt(here)
const descriptions = async (): Promise<string[]> =>
  (await held()).map(({ description }) => description).toSorted((a, b) => a.localeCompare(b))
const later = (advance: string): Promise<void> => here.control('POST', 'clock', { advance })

/** One window has long been recorded; another is made and forgotten just before the creation of a third is lost. */
const forgetAndLose = async (): Promise<string> => {
  here = await begin()
  await here.manifest(windows(line('sibling')))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await later('PT1H')
  await here.manifest(windows(line('sibling'), line('first')))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const first = (await held()).find(({ description }) => description === 'first')
  expect(await here.run('state', 'forget', 'maintenanceWindows.first')).toMatchObject({ code: 0 })
  await here.control('POST', 'faults', {
    method: 'POST',
    path: 'maintenanceWindows',
    fault: 'reset-before',
    count: 1,
  })
  await here.manifest(windows(line('sibling'), line('second')))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  return first.id
}

describe('a window that the state knew a moment ago', () => {
  it('is not taken for one whose creation lost its answer', async () => {
    const first = await forgetAndLose()
    await later('PT3M')
    await expectConverged(here)
    expect(await descriptions()).toEqual(['first', 'second', 'sibling'])
    const { resources } = await here.state()
    expect(resources['maintenanceWindows.second'].identity.id).not.toBe(first)
    expect(await unknownIn(here)).toEqual([])
  })
})

it('a user that the state knew a moment ago is not taken for one whose creation lost its answer', async () => {
  const dana = manifestWith({
    apiKeys: '',
    alertConfigurations: '',
    maintenanceWindows: '',
    integrations: '',
  })
  here = await begin({ manifest: dana })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await here.run('state', 'forget', 'users.dana')).toMatchObject({ code: 0 })
  await here.manifest(dana.replace('GROUP_READ_ONLY', 'GROUP_OWNER'))
  await here.control('POST', 'faults', { method: 'POST', path: '^/users$', fault: 'reset-after', count: 1 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  await later('PT3M')
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('dana@example.com') })
  expect(stderr).not.toContain('Settled')
  expect(await unknownIn(here)).toEqual(['users.dana'])
})

it('a window that the state knew a moment ago keeps no creation of a user from being settled', async () => {
  const sections = { apiKeys: '', alertConfigurations: '', integrations: '' }
  here = await begin({ manifest: manifestWith({ ...sections, users: '' }) })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await here.run('state', 'forget', 'maintenanceWindows.migration')).toMatchObject({ code: 0 })
  await here.manifest(manifestWith({ ...sections, maintenanceWindows: '' }))
  await here.control('POST', 'faults', { method: 'POST', path: '^/users$', fault: 'reset-after', count: 1 })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  await later('PT3M')
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Settled: users.dana') })
  expect(await unknownIn(here)).toEqual([])
})
