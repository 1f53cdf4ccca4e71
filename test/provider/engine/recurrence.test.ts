import { describe, expect, it, test } from 'vitest'
import { DAY, windowAs, Windows } from './support/windows.ts'

const SUNDAYS = { rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2', timezone: 'Europe/Madrid', duration: 'PT2H' }
const weekly = (more: object = {}, name = 'weekly') =>
  windowAs(name, { schedule: { ...SUNDAYS, horizon: 'P14D', ...more } })

/** Sundays of December 2026, at 2 h in Madrid. */
const FIRST = '2026-12-06T01:00:00Z'
const SECOND = '2026-12-13T01:00:00Z'
const THIRD = '2026-12-20T01:00:00Z'
const at = (start: string, name = 'weekly'): string => `maintenanceWindows.${name}[${start}]`
/** After a run at the beginning of December. */
const begun = async (...entries: ReturnType<typeof weekly>[]): Promise<Windows> => {
  const service = new Windows()
  await service.run('2026-12-01T00:00:00Z', entries)
  return service
}
const startsOf = ({ created }: Windows): unknown[] => created.map(({ startDate }) => startDate)

describe('400 daily runs', () => {
  // For each zone, the hour that is missing once a year and there twice once a year.
  it.each([
    ['Europe/Madrid', 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=30', ['2027-03-28', '2028-03-26']],
    ['America/New_York', 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=30', ['2027-03-14', '2028-03-12']],
  ])(
    'in %s make one window of each Sunday, and touch none of them again',
    async (timezone, rrule, missing) => {
      const service = new Windows()
      const entry = windowAs('weekly', { schedule: { rrule, timezone, duration: 'PT2H', horizon: 'P30D' } })
      const first = Date.parse('2026-11-20T09:17:00Z')
      const recorded: number[] = []
      for (let day = 0; day < 400; day += 1) {
        // A runner is never quite on time.
        await service.run(first + day * DAY + (day % 7) * 3_600_000, [entry])
        recorded.push(Object.keys(service.records).length)
      }
      const days = startsOf(service).map((start) => localDay(String(start), timezone))
      expect(days).toEqual(sundays(first, 400 + 30).filter((day) => !missing.includes(day)))
      expect(service.changed).toEqual([])
      expect(Math.max(...recorded)).toBeLessThanOrEqual(6)
    },
  )

  it('after which a state that was lost for a week creates nothing that has begun', async () => {
    const service = new Windows()
    await service.run('2026-12-06T01:30:00Z', [weekly()])
    expect(startsOf(service)).toEqual([SECOND, THIRD])
  })
})

const localDay = (start: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(start),
  )
const sundays = (from: number, days: number): string[] =>
  Array.from({ length: days }, (_, day) => new Date(from + day * DAY))
    .filter((date) => date.getUTCDay() === 0)
    .map((date) => date.toISOString().slice(0, 10))

test('a window that is over leaves the state with no request', async () => {
  const service = await begun(weekly({ horizon: 'P7D' }))
  expect(await service.run('2026-12-06T03:00:00Z', [weekly({ horizon: 'P1D' })])).toEqual([
    `expired ${at(FIRST)}`,
  ])
  expect(service.records).toEqual({})
  expect(service.changed).toEqual([])
})

test.each([
  ['other words', { rrule: 'FREQ=DAILY;BYDAY=SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0' }],
  ['its prefix', { rrule: 'RRULE:BYHOUR=2;BYDAY=SU;FREQ=WEEKLY' }],
  ['another zone with the same hours', { timezone: 'Europe/Paris' }],
  ['UTC in winter', { rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=1', timezone: 'UTC' }],
  ['a first occurrence', { from: '2026-11-01' }],
  ['another spelling of its duration', { duration: 'PT120M' }],
  ['a shorter horizon', { horizon: 'P1D' }],
])('a rule that is written with %s changes nothing', async (_, changes) => {
  const service = await begun(weekly())
  const before = Object.keys(service.records)
  const actions = await service.run('2026-12-06T01:30:00Z', [weekly({ horizon: 'P7D', ...changes })])
  expect(actions.toSorted()).toEqual([at(FIRST), at(SECOND)].map((address) => `unchanged ${address}`))
  expect(Object.keys(service.records)).toEqual(before)
  expect(service.created).toHaveLength(2)
  expect(service.changed).toEqual([])
})

test('what a change of the rule drops is ended: moved to one second from now, or cut off where it has begun', async () => {
  const service = await begun(weekly())
  const actions = await service.run('2026-12-06T01:30:00Z', [
    weekly({ rrule: 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=2' }),
  ])
  expect(actions).toEqual([
    `create ${at('2026-12-07T01:00:00Z')}`,
    `create ${at('2026-12-14T01:00:00Z')}`,
    `release ${at(FIRST)}`,
    `release ${at(SECOND)}`,
  ])
  expect(service.changed.map(({ body }) => body)).toEqual([
    { endDate: '2026-12-06T01:30:01Z' },
    { startDate: '2026-12-06T01:30:01Z', endDate: '2026-12-06T01:30:02Z' },
  ])
})

test('a longer duration changes what is not over, begun or not', async () => {
  const service = await begun(weekly())
  await service.run('2026-12-06T01:30:00Z', [weekly({ duration: 'PT3H' })])
  expect(service.changed.map(({ body }) => body)).toEqual([
    { endDate: '2026-12-06T04:00:00Z' },
    { endDate: '2026-12-13T04:00:00Z' },
  ])
  expect(startsOf(service)).toEqual([FIRST, SECOND, THIRD])
})

test('a duration that is over already for what has begun ends it', async () => {
  const service = await begun(weekly({ horizon: 'P7D' }))
  const actions = await service.run('2026-12-06T02:30:00Z', [weekly({ horizon: 'P1D', duration: 'PT1H' })])
  expect(actions).toEqual([`release ${at(FIRST)}`])
  expect(service.changed.map(({ body }) => body)).toEqual([{ endDate: '2026-12-06T02:30:01Z' }])
})

test('a duration that is made longer brings nothing back that was over', async () => {
  const service = await begun(weekly({ horizon: 'P7D' }))
  const actions = await service.run('2026-12-06T03:30:00Z', [weekly({ horizon: 'P1D', duration: 'PT5H' })])
  expect(actions).toEqual([`expired ${at(FIRST)}`])
  expect(service.created).toHaveLength(1)
})

test('a new name takes over all windows, the one that has begun among them', async () => {
  const service = await begun(weekly({ horizon: 'P20D' }))
  const actions = await service.run('2026-12-06T01:30:00Z', [weekly({ horizon: 'P7D' }, 'sundays')])
  expect(actions).toEqual([FIRST, SECOND, THIRD].map((start) => `moved ${at(start, 'sundays')}`))
  expect(Object.keys(service.records)).toEqual([FIRST, SECOND, THIRD].map((start) => at(start, 'sundays')))
  expect([service.created.length, service.changed.length]).toEqual([3, 0])
})

test('a name that is changed after a window was over lets it go all the same', async () => {
  const service = await begun(weekly({ horizon: 'P7D' }))
  const entry = weekly({ horizon: 'P1D', duration: 'PT3H' }, 'sundays')
  expect(await service.run('2026-12-06T03:30:00Z', [entry])).toEqual([`expired ${at(FIRST)}`])
  expect(service.records).toEqual({})
})

test('a single window becomes one of a schedule with no request', async () => {
  const service = new Windows()
  const single = windowAs('once', { startDate: FIRST, endDate: '2026-12-06T03:00:00Z' })
  await service.run('2026-12-01T00:00:00Z', [single])
  const actions = await service.run('2026-12-06T02:00:00Z', [weekly({ horizon: 'P1D' }, 'once')])
  expect(actions).toEqual([`moved ${at(FIRST, 'once')}`])
  expect([service.created.length, service.changed.length]).toEqual([1, 0])
})

test('another project gets new windows, and not the one that has begun; the old ones are ended', async () => {
  const service = await begun(weekly())
  const entry = weekly({ horizon: 'P7D' })
  const moved = { ...entry, values: { ...entry.values, projectId: '5c8100bcf2a30b12ff882590' } }
  await service.run('2026-12-06T01:30:00Z', [moved])
  expect(startsOf(service)).toEqual([FIRST, SECOND, SECOND])
  expect(service.changed).toHaveLength(2)
  expect(Object.keys(service.records)).toEqual([at(SECOND)])
})

test('an entry for several projects has a window of each occurrence in each of them', async () => {
  const service = new Windows()
  const entries = ['a', 'b'].map((projectId) => {
    const entry = weekly({ horizon: 'P7D' })
    return { ...entry, address: `${entry.address}[${projectId}]`, values: { ...entry.values, projectId } }
  })
  await service.run('2026-12-01T00:00:00Z', entries)
  expect(Object.keys(service.records)).toEqual([
    `maintenanceWindows.weekly[a/${FIRST}]`,
    `maintenanceWindows.weekly[b/${FIRST}]`,
  ])
  expect(await service.run('2026-12-02T00:00:00Z', entries)).toHaveLength(2)
  expect(service.created).toHaveLength(2)
})

test('a window that begins while others are sent is not created', async () => {
  const service = new Windows()
  const { client } = service
  const send = client.send.bind(client)
  client.send = (...words) => {
    service.now = Date.parse(SECOND)
    return send(...words)
  }
  await service.run('2026-12-06T00:00:00Z', [weekly({ horizon: 'P8D' })])
  expect(startsOf(service)).toEqual([FIRST])
  expect(Object.keys(service.records)).toEqual([at(FIRST)])
})

test('a rule with too many occurrences is refused with its address, and nothing is planned', async () => {
  const entry = weekly({ rrule: 'FREQ=HOURLY', horizon: 'P60D' })
  await expect(new Windows().run('2026-12-01T00:00:00Z', [entry])).rejects.toMatchObject({
    code: 'DM-ENTRY-REFUSED',
    message: expect.stringContaining('maintenanceWindows.weekly: the rule has more than 1,000 occurrences'),
  })
})
