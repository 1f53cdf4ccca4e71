/** An entry that gets another name and other times in one edit: a plan says how it keeps its records. */
import { expect, it } from 'vitest'
import { fields, MIGRATION, one, windowsAt } from '../support/one-window.ts'
import { failing } from '../support/installation.ts'
import { applied, begin, beginApplied, only, OTHER_PROJECT, twoProjects } from '../support/scene.ts'

const weekly = (name: string, duration: string, more: object = {}): string =>
  only(
    'maintenanceWindows',
    `  ${name}: ${JSON.stringify({
      alertTypeNames: ['HOST'],
      schedule: {
        rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0',
        timezone: 'Europe/Madrid',
        duration,
        horizon: 'P14D',
      },
      ...more,
    })}`,
  )
const MOVE = 'deploymgmt state mv maintenanceWindows.weekly maintenanceWindows.sundays'

/** The service's clock was set, of which every plan warns. */
const ownWarnings = ({ warnings }: any): string[] =>
  warnings.filter((each: string) => !each.includes('clocks of this machine'))

it('a renamed schedule of another duration is told how to keep its windows, and then changes them', async () => {
  const here = await begin()
  await here.control('POST', 'clock', { now: '2035-01-01T00:00:00Z' })
  await applied(here, weekly('weekly', 'PT2H'))
  const before = await windowsAt(here)
  await here.manifest(weekly('sundays', 'PT3H'))
  const { document } = await here.json('plan')
  expect(document.summary).toMatchObject({ create: 2, release: 2 })
  expect(ownWarnings(document)).toEqual([expect.stringContaining(MOVE)])
  expect(await here.run(...MOVE.split(' ').slice(1))).toMatchObject({ code: 0 })
  const then = (await here.json('plan')).document
  expect(then.summary).toMatchObject({ create: 0, release: 0, update: 2 })
  expect(ownWarnings(then)).toEqual([])
  await applied(here, weekly('sundays', 'PT3H'))
  expect((await windowsAt(here)).map(({ id }: any) => id)).toEqual(before.map(({ id }: any) => id))
})

it('a renamed window of another end is told so, too', async () => {
  const here = await beginApplied(one())
  const moved = fields({ endDate: '2035-01-06T05:00:00Z' })
  await here.manifest(only('maintenanceWindows', `  storage: ${moved}`))
  expect((await here.json('plan')).document.warnings).toEqual([
    expect.stringContaining(`deploymgmt state mv ${MIGRATION} maintenanceWindows.storage`),
  ])
})

it.each([
  ['is in another project', fields({ projectId: OTHER_PROJECT, endDate: '2035-01-06T05:00:00Z' })],
  ['has other dates', fields({ startDate: '2035-01-06T03:00:00Z', endDate: '2035-01-06T05:00:00Z' })],
])('a new window that %s is no renamed one', async (_, other) => {
  const here = await beginApplied(one(), { fixture: twoProjects() })
  await here.manifest(only('maintenanceWindows', `  storage: ${other}`))
  const { document } = await here.json('plan')
  expect(document.summary).toMatchObject({ create: 1, release: 1 })
  expect(document.warnings).toEqual([])
})

it('nothing is suggested for an entry that is still declared, even if it stands for nothing now', async () => {
  const here = await begin()
  await here.control('POST', 'clock', { now: '2035-01-01T00:00:00Z' })
  await applied(here, weekly('weekly', 'PT2H'))
  const yearly = weekly('weekly', 'PT2H').replace(
    'FREQ=WEEKLY;BYDAY=SU',
    'FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=1',
  )
  const [, sundays = ''] = weekly('sundays', 'PT3H').split(/(?= {2}sundays)/)
  await here.manifest(`${yearly}\n${sundays}`)
  const { document } = await here.json('plan')
  expect(document.summary).toMatchObject({ create: 2, release: 2 })
  expect(ownWarnings(document)).toEqual([])
})

it('nothing is suggested where two new entries could be the old one', async () => {
  const here = await beginApplied(one())
  const [a, b] = ['05', '06'].map((hour) => fields({ endDate: `2035-01-06T${hour}:00:00Z` }))
  await here.manifest(only('maintenanceWindows', `  a: ${a}\n  b: ${b}`))
  expect((await here.json('plan')).document.warnings).toEqual([])
})

it.each([
  ['ends', {}],
  ['is forgotten', { onRemove: 'forget' }],
])('nothing is suggested for a window that is gone, and that otherwise %s', async (_, setting) => {
  const here = await beginApplied(one(setting))
  await failing(here, 'PATCH', 'maintenanceWindows', { fault: 'status', status: 404, count: 1 })
  await here.manifest(one({ description: 'Another', ...setting }))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
  await here.manifest(only('maintenanceWindows', `  storage: ${fields({ endDate: '2035-01-06T05:00:00Z' })}`))
  const { document } = await here.json('plan')
  expect(document.summary).toMatchObject({ create: 1, release: 1 })
  expect(document.warnings).toEqual([])
})
