import { recurrence, type Values } from '@deploymgmt/provider/core'
import { RRuleTemporal } from 'rrule-temporal'
import { expect, test } from 'vitest'
import { isGivenUp } from '../../../provider/core/recurrence/rule-text.ts'
import { CLOCK_CHANGES } from '../../support/clock-changes.ts'

const expansion = recurrence('schedule', { key: 'startDate', end: 'endDate', dropped: 'end' })

interface Asked {
  readonly now: string
  readonly schedule: Values
  readonly recorded?: readonly string[]
}

/** Start and end of each instance. */
const instantsAt = ({ now, schedule, recorded = [] }: Asked): string[][] =>
  expansion
    .instances({
      values: { alertTypeNames: ['HOST'], schedule },
      live: [],
      recorded: recorded.map((startDate) => ({ startDate })),
      now: new Date(now),
    })
    .map((each) =>
      each.is === 'instance'
        ? [String(each.desired['startDate']), String(each.desired['endDate'])]
        : [each.is, 'reason' in each ? each.reason : ''],
    )
const startsAt = (asked: Asked): string[] => instantsAt(asked).map(([start = '']) => start)

const MADRID = 'Europe/Madrid'
const NEW_YORK = 'America/New_York'

test.each(CLOCK_CHANGES)(
  'the instants of a weekly window: %s',
  (_, timezone, rrule, duration, now, days, expected) => {
    const schedule = { rrule, timezone, duration, horizon: `P${days}D` }
    expect(instantsAt({ now, schedule })).toEqual(expected)
  },
)

const weekly = { rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2', timezone: MADRID, duration: 'PT2H' }

test.each([
  // The Friday the 13th of two years.
  ['FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR;BYHOUR=2', ['2026-02-13', '2026-03-13', '2026-11-13', '2027-08-13']],
  // The second Tuesday of a month is one of these days of it.
  [
    'FREQ=YEARLY;BYMONTH=3,11;BYMONTHDAY=8,9,10;BYDAY=2TU;BYHOUR=2',
    ['2026-03-10', '2026-11-10', '2027-03-09', '2027-11-09'],
  ],
  ['FREQ=YEARLY;BYWEEKNO=10;BYDAY=FR;BYHOUR=2', ['2026-03-06', '2027-03-12']],
  ['FREQ=YEARLY;BYMONTH=4;BYYEARDAY=100,200;BYHOUR=2', ['2026-04-10', '2027-04-10']],
])('each part of a rule limits its days: %s', (rrule, days) => {
  const schedule = { rrule, timezone: 'UTC', duration: 'PT1H', horizon: 'P2Y' }
  expect(startsAt({ now: '2026-01-01T00:00:00Z', schedule })).toEqual(days.map((day) => `${day}T02:00:00Z`))
})

test('the horizon is 30 days where none is given, and its last instant is within it', () => {
  expect(startsAt({ now: '2026-11-20T12:00:00Z', schedule: weekly })).toEqual([
    '2026-11-22T01:00:00Z',
    '2026-11-29T01:00:00Z',
    '2026-12-06T01:00:00Z',
    '2026-12-13T01:00:00Z',
    '2026-12-20T01:00:00Z',
  ])
  const schedule = { ...weekly, horizon: 'P7D' }
  expect(startsAt({ now: '2026-11-29T01:00:00Z', schedule })).toContain('2026-12-06T01:00:00Z')
  expect(startsAt({ now: '2026-11-29T00:59:59Z', schedule })).not.toContain('2026-12-06T01:00:00Z')
})

test('a window is kept until it is over, and is no longer created once it has begun', () => {
  const schedule = { ...weekly, horizon: 'P1D' }
  const at = (now: string) =>
    expansion
      .instances({ values: { schedule }, live: [], recorded: [], now: new Date(now) })
      .map((each) => (each.is === 'instance' ? each.createBefore : each.is))
  expect(at('2026-12-06T00:59:59Z')).toEqual(['2026-12-06T01:00:00Z'])
  expect(at('2026-12-06T02:59:59Z')).toEqual(['2026-12-06T01:00:00Z'])
  expect(at('2026-12-06T03:00:00Z')).toEqual([])
})

test('a recorded window beyond a shortened horizon stays as long as the rule contains it, and is never created', () => {
  const recorded = ['2027-01-03T01:00:00Z', '2027-01-04T01:00:00Z']
  const expanded = expansion.instances({
    values: { schedule: { ...weekly, horizon: 'P7D' } },
    live: [],
    recorded: recorded.map((startDate) => ({ startDate })),
    now: new Date('2026-12-03T00:00:00Z'),
  })
  expect(expanded.map((each) => (each.is === 'instance' ? [each.key, each.createBefore] : each.is))).toEqual([
    ['2026-12-06T01:00:00Z', '2026-12-06T01:00:00Z'],
    ['2027-01-03T01:00:00Z', '2026-12-03T00:00:00Z'],
  ])
})

test('an interval counts from the first occurrence, whatever the day of the run', () => {
  const schedule = {
    rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;BYHOUR=2',
    timezone: MADRID,
    duration: 'PT2H',
    from: '2026-01-04',
    horizon: 'P21D',
  }
  const everyOther = ['2026-11-22T01:00:00Z', '2026-12-06T01:00:00Z']
  expect(startsAt({ now: '2026-11-15T12:00:00Z', schedule })).toEqual(everyOther)
  expect(startsAt({ now: '2026-11-16T12:00:00Z', schedule })).toEqual(everyOther)
})

test('COUNT ends a rule after so many, UNTIL with its day, and neither begins before from', () => {
  const common = { timezone: MADRID, duration: 'PT2H', horizon: 'P2M' }
  const now = '2026-11-01T12:00:00Z'
  const counted = { ...common, rrule: 'FREQ=WEEKLY;COUNT=2', from: '2026-11-22T02:00' }
  expect(startsAt({ now, schedule: counted })).toEqual(['2026-11-22T01:00:00Z', '2026-11-29T01:00:00Z'])
  const until = { ...common, rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;UNTIL=20261206', from: '2026-11-23' }
  expect(startsAt({ now, schedule: until })).toEqual(['2026-11-29T01:00:00Z', '2026-12-06T01:00:00Z'])
})

test('from may be an instant, which is the local time of the zone', () => {
  const schedule = {
    rrule: 'FREQ=WEEKLY',
    timezone: NEW_YORK,
    duration: 'PT1H',
    from: '2026-10-26T05:30:00Z',
  }
  expect(startsAt({ now: '2026-10-20T00:00:00Z', schedule })).toEqual([
    '2026-10-26T05:30:00Z',
    '2026-11-02T06:30:00Z',
    '2026-11-09T06:30:00Z',
    '2026-11-16T06:30:00Z',
  ])
})

test('rules of months and years without a first occurrence are the same from every day', () => {
  const common = { timezone: MADRID, duration: 'PT2H', horizon: 'P3M' }
  const monthly = { ...common, rrule: 'FREQ=MONTHLY;BYDAY=2TU;BYHOUR=2' }
  const months = ['2026-11-10T01:00:00Z', '2026-12-08T01:00:00Z', '2027-01-12T01:00:00Z']
  expect(startsAt({ now: '2026-11-01T00:00:00Z', schedule: monthly })).toEqual(months)
  expect(startsAt({ now: '2026-11-09T00:00:00Z', schedule: monthly }).slice(0, 3)).toEqual(months)
  const yearly = { ...common, rrule: 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24;BYHOUR=20' }
  expect(startsAt({ now: '2026-11-01T00:00:00Z', schedule: yearly })).toEqual(['2026-12-24T19:00:00Z'])
})

test('days of the last week of a year are the same from before and after the turn of the year', () => {
  // The last week of 2026 ends on 3 January 2027.
  const rrule = 'FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SA,SU;BYHOUR=2'
  const schedule = { rrule, timezone: 'UTC', duration: 'PT1H', horizon: 'P30D' }
  const [first, second] = ['2027-01-02T02:00:00Z', '2027-01-03T02:00:00Z']
  expect(startsAt({ now: '2026-12-30T12:00:00Z', schedule })).toEqual([first, second])
  expect(startsAt({ now: '2027-01-01T12:00:00Z', schedule })).toEqual([first, second])
  expect(startsAt({ now: '2027-01-02T12:00:00Z', schedule })).toEqual([second])
  // Beyond the horizon, what is recorded is looked up by itself.
  const recorded = [first, second]
  expect(
    startsAt({ now: '2026-12-20T12:00:00Z', schedule: { ...schedule, horizon: 'P1D' }, recorded }),
  ).toEqual(recorded)
})

test.each([
  ['put forward by half an hour', '2027-10-02T13:00:00Z', ['13:30', '14:30', '16:00', '17:00']],
  ['put back by half an hour', '2027-04-03T13:00:00Z', ['13:00', '14:00', '15:30', '16:30']],
])('an hourly rule keeps to its minute where clocks are %s', (_, now, hours) => {
  const common = { timezone: 'Australia/Lord_Howe', duration: 'PT5M', horizon: 'PT4H' }
  const expected = hours.map((hour) => `${now.slice(0, 10)}T${hour}:00Z`)
  expect(startsAt({ now, schedule: { ...common, rrule: 'FREQ=HOURLY' } })).toEqual(expected)
  const from = '2027-01-01T00:20'
  expect(startsAt({ now, schedule: { ...common, rrule: 'FREQ=HOURLY', from } })).toEqual(
    startsAt({ now, schedule: { ...common, rrule: 'FREQ=HOURLY;BYMINUTE=20' } }),
  )
})

test('of the hour that clocks show twice, an hourly rule has the first', () => {
  const schedule = { rrule: 'FREQ=HOURLY', timezone: MADRID, duration: 'PT5M', horizon: 'PT3H' }
  const now = '2027-10-30T23:30:00Z'
  expect(startsAt({ now, schedule })).toEqual(['2027-10-31T00:00:00Z', '2027-10-31T02:00:00Z'])
})

test('more occurrences than the limit are refused with a reason', () => {
  const schedule = { rrule: 'FREQ=HOURLY', timezone: MADRID, duration: 'PT5M', horizon: 'P60D' }
  expect(instantsAt({ now: '2026-11-01T00:00:00Z', schedule })).toEqual([
    ['refused', expect.stringContaining('more than 1,000 occurrences')],
  ])
})

const messageOf = (rule: string): string => {
  try {
    new RRuleTemporal({ rruleString: `DTSTART:20260101T000000Z\nRRULE:${rule}` }).all(() => false)
    return 'nothing is wrong'
  } catch (error) {
    return (error as Error).message
  }
}

test('a search that the library gives up is distinguished from a rule that it does not accept', () => {
  expect(messageOf('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')).toSatisfy(isGivenUp)
  expect(messageOf('FREQ=SOMETIMES')).not.toSatisfy(isGivenUp)
})

test('an entry without a schedule is one thing', () => {
  const values = { startDate: '2026-12-05T02:00:00Z', endDate: '2026-12-05T04:00:00Z' }
  expect(expansion.instances({ values, live: [], recorded: [], now: new Date() })).toEqual([
    { is: 'instance', provenance: 'named', identity: {}, desired: values },
  ])
})

test.each([
  [
    'in the hour that Madrid leaves out',
    { rrule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=0,30', timezone: MADRID },
    '2026-03-20',
    ['2026-03-29T02:00:00', '2026-03-29T02:30:00'],
  ],
  [
    'in an hour that it has',
    { rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=3', timezone: MADRID },
    '2026-03-20',
    undefined,
  ],
  [
    'where clocks are moved on another day',
    { rrule: 'FREQ=WEEKLY;BYDAY=SA;BYHOUR=2', timezone: MADRID },
    '2026-03-20',
    undefined,
  ],
  [
    'where no clock is moved within the horizon',
    { rrule: 'FREQ=DAILY;BYHOUR=2', timezone: MADRID },
    '2026-04-20',
    undefined,
  ],
  ['where clocks are put back', { rrule: 'FREQ=DAILY;BYHOUR=2', timezone: MADRID }, '2026-10-10', undefined],
  [
    'by elapsed hours',
    { rrule: 'FREQ=HOURLY;INTERVAL=6', timezone: MADRID, from: '2026-03-01T02:00' },
    '2026-03-20',
    undefined,
  ],
  [
    'in New York',
    { rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2', timezone: NEW_YORK },
    '2026-03-01',
    ['2026-03-08T02:00:00'],
  ],
  [
    'at midnight in Beirut',
    { rrule: 'FREQ=DAILY;BYHOUR=0', timezone: 'Asia/Beirut' },
    '2026-03-20',
    ['2026-03-29T00:00:00'],
  ],
  [
    'in another week than an interval has',
    { rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;BYHOUR=2', timezone: MADRID, from: '2026-03-22T02:00' },
    '2026-03-20',
    undefined,
  ],
  [
    'after what has counted to its end',
    { rrule: 'FREQ=WEEKLY;COUNT=2;BYDAY=SU;BYHOUR=2', timezone: MADRID, from: '2026-03-15T02:00' },
    '2026-03-10',
    undefined,
  ],
  [
    'before what has not counted to its end',
    { rrule: 'FREQ=WEEKLY;COUNT=3;BYDAY=SU;BYHOUR=2', timezone: MADRID, from: '2026-03-15T02:00' },
    '2026-03-10',
    ['2026-03-29T02:00:00'],
  ],
  [
    'by a rule that counts further than can be worked out, at an hour that every day has',
    { rrule: 'FREQ=DAILY;BYMONTH=3;BYDAY=SU;BYHOUR=3;COUNT=500', timezone: MADRID, from: '2026-03-01T02:00' },
    '2026-03-20',
    undefined,
  ],
  [
    'by a rule that counts further than can be worked out',
    { rrule: 'FREQ=DAILY;BYMONTHDAY=29;BYHOUR=2;COUNT=400', timezone: MADRID, from: '2026-03-01T02:00' },
    '2026-03-20',
    ['2026-03-29T02:00:00'],
  ],
  [
    'by a rule whose first occurrence is too long ago to count from',
    {
      rrule: 'FREQ=DAILY;BYMONTH=3;BYDAY=SU;BYHOUR=2;COUNT=1000',
      timezone: MADRID,
      from: '1890-01-01T02:00',
    },
    '2026-03-20',
    ['2026-03-29T02:00:00'],
  ],
  [
    'by a rule of hours that names the hour',
    { rrule: 'FREQ=HOURLY;BYHOUR=2,4;BYMINUTE=30', timezone: MADRID },
    '2026-03-26',
    ['2026-03-29T02:30:00'],
  ],
  [
    'by a rule of hours that passes over it in steps',
    { rrule: 'FREQ=HOURLY;INTERVAL=6;BYHOUR=2,3', timezone: MADRID, from: '2026-03-01T02:00' },
    '2026-03-20',
    undefined,
  ],
  [
    'where clocks were put back a week later, as in Brazil in 2000',
    { rrule: 'FREQ=DAILY;BYHOUR=0', timezone: 'America/Recife' },
    '2000-10-03',
    ['2000-10-08T00:00:00'],
  ],
  [
    'before an end in UTC',
    { rrule: 'FREQ=WEEKLY;UNTIL=20260329T005900Z;BYDAY=SU;BYHOUR=2', timezone: MADRID },
    '2026-03-20',
    undefined,
  ],
  [
    'before an end that is a date',
    { rrule: 'FREQ=WEEKLY;UNTIL=20260329;BYDAY=SU;BYHOUR=2', timezone: MADRID },
    '2026-03-20',
    ['2026-03-29T02:00:00'],
  ],
])('a time that clocks skip is reported %s', (_, schedule, day, times) => {
  const values = { alertTypeNames: ['HOST'], schedule: { ...schedule, duration: 'PT2H' } }
  expect(expansion.leftOut?.({ values, now: new Date(`${day}T00:00:00Z`) })?.times).toEqual(times)
})
