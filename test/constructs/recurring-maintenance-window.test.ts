import {
  MaintenanceWindow,
  RecurringMaintenanceWindow,
  type RecurringMaintenanceWindowConfig,
} from '@deploymgmt/constructs'
import { recurrence } from '@deploymgmt/provider/core'
import { Testing, TerraformStack } from 'cdktf'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { CLOCK_CHANGES } from '../support/clock-changes.ts'
import { runs } from '../support/soak.ts'
import { declared, refusal, warnings } from './support/declared.ts'

const sundays: RecurringMaintenanceWindowConfig = {
  projectId: '5c8100bcf2a30b12ff88258f',
  alertTypeNames: ['HOST'],
  rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=4;BYMINUTE=0;BYSECOND=0',
  timezone: 'Europe/Madrid',
  duration: 'PT2H',
  from: '2026-03-15',
  until: '2026-04-15',
}
const windowOf = (changes: Partial<RecurringMaintenanceWindowConfig> = {}): RecurringMaintenanceWindow =>
  new RecurringMaintenanceWindow(new TerraformStack(Testing.app(), 'acme'), 'patching', {
    ...sundays,
    ...changes,
  })
const periods = (changes: Partial<RecurringMaintenanceWindowConfig> = {}): string[] =>
  windowOf(changes).occurrences.map(({ startDate, endDate }) => `${startDate} ${endDate}`)
/** What makes no window at all, a schedule leaves out and a construct refuses. */
const startsOrNone = (changes: Partial<RecurringMaintenanceWindowConfig>): string[] => {
  try {
    return windowOf(changes).occurrences.map(({ startDate }) => startDate)
  } catch (error) {
    expect(String(error)).toContain('nothing occurs')
    return []
  }
}
const ids = (changes: object): string[] => windowOf(changes).windows.map(({ node }) => node.id)
const declareWith =
  (changes: Partial<RecurringMaintenanceWindowConfig>) =>
  (stack: TerraformStack): unknown =>
    new RecurringMaintenanceWindow(stack, 'patching', { ...sundays, ...changes })
const refused = (changes: object): string =>
  refusal((stack) => new RecurringMaintenanceWindow(stack, 'patching', { ...sundays, ...changes }))

const inMay = (): Date => new Date('2026-05-01T00:00:00Z')

describe('a weekly window over changes of the clock', () => {
  test.each(CLOCK_CHANGES)('%s', (_, timezone, rrule, duration, from, days, expected) => {
    const until = new Date(Date.parse(from) + days * 86_400_000).toISOString().replace('.000', '')
    expect(periods({ timezone, rrule, duration, from, until })).toEqual(
      expected.map((each) => each.join(' ')),
    )
  })

  test('keeps to its minute where hours are counted and clocks move by half an hour', () => {
    const hourly = { rrule: 'FREQ=HOURLY', timezone: 'Australia/Lord_Howe', duration: 'PT5M' }
    const occurring = { anchor: '2027-01-01', from: '2027-10-02T13:00:00Z', until: '2027-10-02T18:00:00Z' }
    expect(startsOrNone({ ...hourly, ...occurring })).toEqual(
      ['13:30', '14:30', '16:00', '17:00'].map((hour) => `2027-10-02T${hour}:00Z`),
    )
  })

  test('tells the local time that has no window, as a warning with the path', () => {
    const rrule = 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=30;BYSECOND=0'
    expect(windowOf({ rrule }).skipped).toEqual(['2026-03-29T02:30:00'])
    expect(warnings(declareWith({ rrule }))).toEqual([
      'acme/patching: no window at 2026-03-29T02:30:00: clocks in Europe/Madrid skip that time',
    ])
  })

  const newYork = {
    rrule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30;BYSECOND=0',
    timezone: 'America/New_York',
    from: '2026-03-06',
    until: '2026-03-09',
  }
  const left = ['2026-03-08T02:30:00']
  test.each<[string, object, readonly string[]]>([
    ['after the last window', {}, left],
    ['where the rule ends by itself that day', { rrule: `${newYork.rrule};UNTIL=20260308` }, left],
    ['where it ends at an instant before', { rrule: `${newYork.rrule};UNTIL=20260308T065900Z` }, []],
    ['where it ends at an instant behind', { rrule: `${newYork.rrule};UNTIL=20260308T073000Z` }, left],
    ['where it has counted to its end before', { rrule: `${newYork.rrule};COUNT=2` }, []],
    ['where it has not', { rrule: `${newYork.rrule};COUNT=3` }, left],
    ['where clocks repeat an hour, nothing', { from: '2026-10-31', until: '2026-11-02' }, []],
  ])('is told %s', (_, changes, skipped) => {
    expect(windowOf({ ...newYork, ...changes }).skipped).toEqual(skipped)
  })

  test('is told of a rule that counts further than can be worked out', () => {
    const rrule = 'FREQ=DAILY;BYMONTHDAY=8;BYHOUR=2;BYMINUTE=30;BYSECOND=0;COUNT=400'
    const { skipped, occurrences } = windowOf({ ...newYork, rrule, from: '2026-02-06' })
    expect([skipped, occurrences.length]).toEqual([left, 1])
  })

  test('is told even if no occurrence is left', () => {
    expect(refused({ ...newYork, from: '2026-03-08' })).toBe(
      'acme/patching: rrule: nothing occurs from 2026-03-08 until 2026-03-09, because it would be at 2026-03-08T02:30:00: clocks in America/New_York skip that time',
    )
  })
})

describe('what is declared', () => {
  test('is one window for each occurrence', () => {
    const { text, resources } = declared(
      (stack) =>
        new RecurringMaintenanceWindow(stack, 'patching', {
          ...sundays,
          description: 'Patching',
          onRemove: 'forget',
        }),
    )
    expect(Object.keys(resources[MaintenanceWindow.tfResourceType] ?? {})).toHaveLength(5)
    expect(
      Testing.toHaveResourceWithProperties(text, MaintenanceWindow.tfResourceType, {
        project_id: '5c8100bcf2a30b12ff88258f',
        alert_type_names: ['HOST'],
        start_date: '2026-03-29T02:00:00Z',
        end_date: '2026-03-29T04:00:00Z',
        description: 'Patching',
        on_remove: 'forget',
      }),
    ).toBe(true)
  })

  test('is the same whenever it is synthesized', () => {
    vi.useFakeTimers({ now: new Date('2020-01-01T00:00:00Z') })
    const early = declared((stack) => new RecurringMaintenanceWindow(stack, 'patching', sundays)).text
    vi.setSystemTime(new Date('2040-01-01T00:00:00Z'))
    const late = declared((stack) => new RecurringMaintenanceWindow(stack, 'patching', sundays)).text
    vi.useRealTimers()
    expect(late).toBe(early)
    // Terraform identifies the window by this name: under another one, it would end it and create a new window.
    expect(early).toContain('"patching_20260315T030000Z_')
  })

  test('names windows by their instants, however the rule is written', () => {
    expect(ids({})[0]).toBe('20260315T030000Z')
    expect(
      ids({ rrule: 'RRULE:freq=DAILY;byday=SU;byhour=4;byminute=0;bysecond=0', duration: 'PT3H' }),
    ).toEqual(ids({}))
    // A later `from` drops the windows before it and renames none.
    expect(ids({ from: '2026-03-23' })).toEqual(ids({}).slice(2))
  })

  test('leaves out what has ended, where a clock is given', () => {
    expect(
      windowOf({ clock: () => new Date('2026-03-29T03:00:00Z') }).occurrences.map(
        ({ startDate }) => startDate,
      ),
    ).toEqual(['2026-03-29T02:00:00Z', '2026-04-05T02:00:00Z', '2026-04-12T02:00:00Z'])
  })

  test.each<[string, unknown, string]>([
    ['tells no valid time', () => new Date(''), 'clock: did not return a valid Date, but Invalid Date'],
    ['tells something else', () => '2026-03-29', 'clock: did not return a valid Date, but 2026-03-29'],
    ['is no function', new Date('2026-03-29T03:00:00Z'), 'clock: has to be a function'],
  ])('is refused where the clock %s: no window may go unseen', (_, clock, message) => {
    expect(refused({ clock })).toContain(`acme/patching: ${message}`)
  })

  test('warns where the clock leaves out every window', () => {
    expect(windowOf({ clock: inMay }).windows).toEqual([])
    expect(warnings(declareWith({ clock: inMay }))).toEqual([
      'acme/patching: clock: all 5 windows had ended by 2026-05-01T00:00:00Z, so none is declared; to continue, move until, 2026-04-15',
    ])
  })

  test('counts intervals from the anchor, so that a later begin shifts nothing', () => {
    const rrule = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;BYHOUR=4;BYMINUTE=0;BYSECOND=0'
    const all = periods({ rrule, anchor: '2026-03-15' })
    expect(all).toHaveLength(3)
    expect(periods({ rrule, anchor: '2026-03-15', from: '2026-03-22' })).toEqual(all.slice(1))
  })

  test('begins at from and ends before until', () => {
    expect(periods({ from: '2026-03-15T03:00:00Z', until: '2026-03-22T03:00:00Z' })).toHaveLength(1)
    expect(periods({ from: '2026-03-15T04:00:00+01:00', until: '2026-03-22T03:00:01Z' })).toHaveLength(2)
  })

  test('ends where the rule ends: after COUNT, or at UNTIL', () => {
    expect(periods({ rrule: `${sundays.rrule};COUNT=2` })).toHaveLength(2)
    expect(periods({ rrule: `${sundays.rrule};UNTIL=20260322T030000Z` })).toHaveLength(2)
    expect(periods({ rrule: `${sundays.rrule};UNTIL=20260321` })).toHaveLength(1)
  })

  test('agrees with a manifest’s schedule about every occurrence', () => {
    const schedule = recurrence('schedule', { key: 'startDate', end: 'endDate', dropped: 'end' })
    fc.assert(
      fc.property(
        fc.constantFrom(
          'Europe/Madrid',
          'America/New_York',
          'Australia/Lord_Howe',
          'UTC',
          // Clocks change at midnight, by two hours, at a quarter to an hour; and twice around Ramadan.
          'America/Havana',
          'Antarctica/Troll',
          'Pacific/Chatham',
          'Africa/Casablanca',
        ),
        fc.constantFrom('WEEKLY;BYDAY=SU', 'WEEKLY;BYDAY=MO,SU', 'DAILY', 'MONTHLY;BYDAY=-1SU'),
        fc.nat(23),
        fc.nat(360),
        (timezone, freq, hour, day) => {
          const rrule = `FREQ=${freq};BYHOUR=${hour};BYMINUTE=15;BYSECOND=0`
          const now = new Date(Date.UTC(2026, 0, 1 + day))
          const until = new Date(now.getTime() + 50 * 86_400_000)
          const expanded = schedule.instances({
            values: { schedule: { rrule, timezone, duration: 'PT2H', horizon: 'P49D' } },
            live: [],
            recorded: [],
            now,
          })
          const expected = expanded.map((each) =>
            each.is === 'instance' ? String(each.desired['startDate']) : '',
          )
          const made = startsOrNone({
            rrule,
            timezone,
            from: new Date(now.getTime() - 86_400_000).toISOString().replace('.000', ''),
            until: until.toISOString().replace('.000', ''),
            clock: () => now,
          })
          const last = new Date(now.getTime() + 49 * 86_400_000)
          expect(made.filter((start) => new Date(start) <= last)).toEqual(expected)
        },
      ),
      { numRuns: runs(40) },
    )
  })
})

describe('a recurrence that cannot be meant', () => {
  // Rules, zones and durations are checked by the same code as in a manifest: test/reconciler/config/schedule.
  test.each<[string, object, string]>([
    [
      'a part that is none',
      { rrule: 'FREQ=DAILY;BYHOR=2' },
      'rrule: a rule has no part BYHOR; did you mean BYHOUR?',
    ],
    [
      'parts that do not go together',
      { rrule: 'FREQ=WEEKLY;BYDAY=2SU;BYHOUR=2' },
      'rrule: BYDAY with numeric value',
    ],
    [
      'a rule that never comes true',
      { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=2' },
      'rrule: nothing occurs',
    ],
    [
      'a rule that comes true only where clocks skip its time',
      { rrule: 'FREQ=MONTHLY;BYDAY=-1SU;BYHOUR=2;BYMINUTE=15;BYSECOND=0' },
      'rrule: nothing occurs from 2026-03-15 until 2026-04-15, because it would be at 2026-03-29T02:15:00: clocks in',
    ],
    ['a rule that comes true too often', { rrule: 'FREQ=HOURLY;BYMINUTE=0,10,20' }, 'rrule: more than 1000'],
    [
      'a misspelt zone',
      { timezone: 'Europe/Madird' },
      'timezone: "Europe/Madird" is not an IANA time zone; did you',
    ],
    ['a duration of months', { duration: 'P1M' }, 'duration: "P1M" has years or months'],
    [
      'no hour',
      { rrule: 'FREQ=DAILY' },
      'rrule: the rule names no hour: add BYHOUR, or give from with a time',
    ],
    [
      'a count of what never comes true',
      { rrule: 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3' },
      'rrule: nothing occurs',
    ],
    [
      'a count of days of what never comes true',
      { rrule: 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=2;COUNT=3' },
      'rrule: nothing occurs',
    ],
    [
      'an end far away',
      { rrule: 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231' },
      'rrule: nothing occurs',
    ],
    [
      'a rule that counts its hours from long ago',
      { rrule: 'FREQ=HOURLY;INTERVAL=5', anchor: '2010-01-01T00:00:00Z' },
      'rrule: the rule has too many steps between its first occurrence and what is asked for',
    ],
    ['a begin that is no date', { from: '2026-02-30' }, 'from: "2026-02-30" is neither an instant'],
    ['an end before the begin', { until: '2026-03-01' }, 'until: 2026-03-01 is not after from, 2026-03-15'],
    ['an anchor after the begin', { anchor: '2026-04-01' }, 'anchor: 2026-04-01 is after from'],
    ['no alert types', { alertTypeNames: [] }, 'alertTypeNames: at least one is needed'],
    ['an id that is none', { projectId: 'a/b' }, 'projectId: "a/b" is not an id'],
    ['an id that is a step up in a path', { projectId: '..' }, 'projectId: ".." is not an id'],
    ['an id with a character that is not seen', { projectId: 'a\u202Eb' }, 'b" is not an id'],
    ['an id that is too long', { projectId: 'x'.repeat(201) }, 'x" is not an id'],
    ['an empty alert type', { alertTypeNames: ['HOST', ''] }, 'alertTypeNames[1]: the text is empty'],
  ])('%s', (_, changes, message) => {
    expect(refused(changes)).toMatch(/^acme\/patching: /)
    expect(refused(changes)).toContain(message)
  })

  test('is told with everything that is wrong at once', () => {
    expect(refused({ timezone: 'nowhere', duration: 'x' })).toBe(
      'acme/patching: 2 problems\n' +
        '  timezone: "nowhere" is not an IANA time zone\n' +
        '  duration: "x" is not an ISO 8601 duration of at least one second, such as PT2H',
    )
  })

  test('an alert type that is not known is taken with a warning', () => {
    expect(warnings(declareWith({ alertTypeNames: ['CLUSTR'] }))).toEqual([
      'acme/patching: alertTypeNames[0]: "CLUSTR" is not a known alert type; did you mean CLUSTER?',
    ])
  })
})
