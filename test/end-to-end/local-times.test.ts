import { expect, it } from 'vitest'
import { begin } from '../support/scene.ts'
import { one, windowsAt } from '../support/one-window.ts'

it('a window that is declared in local time is sent in UTC, and plans show both', async () => {
  const declared = {
    startDate: '2035-01-06T00:30:00[Europe/Madrid]',
    endDate: '2035-01-06T04:00:00[Europe/Madrid]',
  }
  const here = await begin({ manifest: one(declared) })
  const { stdout } = await here.run('plan')
  expect(stdout).toMatch(/startDate +2035-01-05 23:30 UTC  \(2035-01-06 00:30 Europe\/Madrid, in .+\)/)
  expect(stdout).toMatch(/endDate +2035-01-06 03:00 UTC  \(04:00 Europe\/Madrid, 3 h 30 min\)/)
  const { document } = await here.json('plan')
  expect(document.changes).toMatchObject([
    {
      after: { startDate: '2035-01-05T23:30:00Z', endDate: '2035-01-06T03:00:00Z' },
      zones: { startDate: 'Europe/Madrid', endDate: 'Europe/Madrid' },
    },
  ])
  expect((await here.run('apply', '--auto-approve')).code).toBe(0)
  expect(await windowsAt(here)).toMatchObject([
    { startDate: '2035-01-05T23:30:00Z', endDate: '2035-01-06T03:00:00Z' },
  ])
  await here.manifest(one({ startDate: '2035-01-05T23:30:00Z', endDate: '2035-01-06T03:00:00Z' }))
  expect((await here.json('plan')).document).toMatchObject({ inSync: true })
})

it('a saved plan of local times is applied as it was shown', async () => {
  const here = await begin({ manifest: one({ endDate: '2035-01-06T05:00:00[Europe/Madrid]' }) })
  expect((await here.run('plan', '--out', 'p.json')).code).toBe(0)
  expect((await here.run('apply', 'p.json', '--auto-approve')).code).toBe(0)
})
