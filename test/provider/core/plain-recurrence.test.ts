/** Recurrences against a second computation, over two years with a leap day. */
import { recurrence } from '@deploymgmt/provider/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainOccurrences, type Parts } from '../../support/plain-recurrence.ts'
import { runs } from '../../support/soak.ts'

const expansion = recurrence('schedule', { key: 'startDate', end: 'endDate', dropped: 'end' })

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Apia',
]
const FROM = ['2027-01-31T01:30', '2027-02-28T02:30', '2027-10-31T02:30', '2028-02-29T02:00']

const list = (...values: (number | string)[]): fc.Arbitrary<string> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }).map((each) => each.join(','))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const times = {
  BYHOUR: list(0, 1, 2, 3, 23),
  BYMINUTE: maybe(list(0, 15, 30, 45)),
  BYSETPOS: maybe(list(1, 2, -1, -2)),
  INTERVAL: maybe(fc.constantFrom('2', '3')),
  COUNT: maybe(fc.constantFrom('1', '7', '20')),
}
const weekdays = list('SU', 'MO', 'SA')
const rules: fc.Arbitrary<Parts> = fc.oneof(
  fc.record({ FREQ: fc.constant('DAILY'), ...times, BYMONTHDAY: maybe(list(1, 29, 31, -1)) }),
  fc.record({ FREQ: fc.constant('WEEKLY'), ...times, BYDAY: weekdays }),
  fc.record({ FREQ: fc.constant('MONTHLY'), ...times, BYDAY: list('-1SU', '1MO', '5SA', '2SU', 'FR') }),
  fc.record({ FREQ: fc.constant('MONTHLY'), ...times, BYMONTHDAY: list(1, 29, 31, -1, -2) }),
  fc.record({
    FREQ: fc.constant('YEARLY'),
    ...times,
    BYMONTH: list(1, 2, 3, 10),
    BYMONTHDAY: list(29, 31, -1),
  }),
  fc.record({ FREQ: fc.constant('YEARLY'), ...times, BYWEEKNO: list(1, 44, 53, -1), BYDAY: weekdays }),
)
/** Shortly before what is special in a calendar or on a clock, or at any time. */
const moments = fc
  .oneof(
    fc.constantFrom('2027-01-01', '2027-03-13', '2027-03-27', '2027-04-03', '2027-10-02', '2027-10-30'),
    fc.constantFrom('2027-01-02', '2027-11-06', '2028-02-28', '2028-12-31'),
    fc.integer({ min: 0, max: 730 }).map((days) => Date.UTC(2026, 11, 25) + days * 86_400_000),
  )
  .map((at) => new Date(at))

test('what a schedule has within its horizon is what a plain search finds', () => {
  fc.assert(
    fc.property(
      rules,
      fc.constantFrom(...ZONES),
      maybe(fc.constantFrom(...FROM)),
      moments,
      fc.constantFrom(1, 30, 60),
      (parts, timezone, given, now, days) => {
        const counts = parts['COUNT'] !== undefined || parts['INTERVAL'] !== undefined
        const from = given ?? (counts ? FROM[0] : undefined)
        const rrule = Object.entries(parts)
          .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
          .join(';')
        const schedule = { rrule, timezone, duration: 'PT1S', horizon: `P${days}D`, ...(from && { from }) }
        const [begin, end] = [0, days].map((more) =>
          new Date(now.getTime() + more * 86_400_000).toISOString(),
        )
        const expected = plainOccurrences({
          parts,
          timezone,
          from: from ?? '2026-01-01T00:00',
          // All of the week-year, because positions count from its end, too.
          until: `${Number(end?.slice(0, 4)) + 1}-01-07`,
        }).filter(
          (at) => Date.parse(at) >= Date.parse(begin ?? '') && Date.parse(at) <= Date.parse(end ?? ''),
        )
        const found = expansion.instances({ values: { schedule }, live: [], recorded: [], now })
        expect(found.map((each) => (each.is === 'instance' ? each.desired['startDate'] : each))).toEqual(
          expected,
        )
      },
    ),
    { numRuns: runs(40) },
  )
})
