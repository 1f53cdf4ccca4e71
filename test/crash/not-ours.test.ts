import { describe, expect, it } from 'vitest'
import { CI, manifestWith, PROJECT, type Installation } from '../support/installation.ts'
import { begin } from '../support/scene.ts'

let here: Installation

const NOTHING = { apiKeys: '', users: '', alertConfigurations: '', integrations: '' }
const window = (name: string, month: string) =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-${month}-01T00:00:00Z, endDate: 2035-${month}-01T02:00:00Z }`
const declare = (text: string) => here.manifest(manifestWith({ ...NOTHING, maintenanceWindows: text }))
const lose = (fault: object) =>
  here.control('POST', 'faults', { method: 'POST', path: 'maintenanceWindows', count: 1, ...fault })

describe('a window that the same key made is not taken for one whose creation was lost', () => {
  it('when it was made before, and forgotten', async () => {
    here = await begin()
    await declare(window('a', '01'))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await here.run('state', 'forget', 'maintenanceWindows.a')).toMatchObject({ code: 0 })
    await declare(window('c', '03'))
    await lose({ fault: 'status', status: 500 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    expect((await here.state()).resources).toEqual({})
  })

  it('when it was made after the request was given up', async () => {
    here = await begin()
    await declare(window('b', '02'))
    await lose({ fault: 'reset-before' })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await here.control('POST', 'clock', { advance: 'PT20S' })
    const body = {
      alertTypeNames: ['BACKUP'],
      startDate: '2036-01-01T00:00:00Z',
      endDate: '2036-01-01T01:00:00Z',
    }
    await here.outside('POST', `/groups/${PROJECT}/maintenanceWindows/`, body, CI)
    expect(await here.run('plan')).toMatchObject({ code: 3 })
  })
})
