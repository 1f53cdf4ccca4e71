import { expect, test } from 'vitest'
import { lines, loadText, refusal } from './support/manifests.ts'

const manifest = (schedule: string, more = ''): string => `version: 1
name: test
maintenanceWindows:
  weekly:
    projectId: 5c8100bcf2a30b12ff88258f
    alertTypeNames: [HOST]
${more}    schedule: ${schedule}
`
const scheduleWith = (fields: object): string =>
  JSON.stringify({
    rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2',
    timezone: 'Europe/Madrid',
    duration: 'PT2H',
    ...fields,
  })
const PATH = 'maintenanceWindows.weekly.schedule'
const found = async (text: string): Promise<string[]> => lines((await refusal(loadText(text))).findings)

test.each([
  [
    'rrule',
    'FREQ=WEEKLY;BYDAY=SO;BYHOUR=2',
    'BYDAY=SO is not a day of the week; there are MO, TU, WE, TH, FR, SA, SU',
  ],
  ['rrule', 'FREQ=WEKLY;BYDAY=SU;BYHOUR=2', 'FREQ=WEKLY is not a frequency; did you mean WEEKLY?'],
  ['rrule', 'FREQ=MINUTELY', 'FREQ=MINUTELY is too frequent for windows'],
  ['rrule', 'BYDAY=SU;BYHOUR=2', 'FREQ is missing'],
  ['rrule', 'FREQ=WEEKLY;BYDAY=SU;BYHUOR=2', 'a rule has no part BYHUOR; did you mean BYHOUR?'],
  ['rrule', 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=24', 'BYHOUR=24 is out of range: 0 to 23'],
  ['rrule', 'FREQ=MONTHLY;BYMONTHDAY=-32;BYHOUR=2', 'BYMONTHDAY=-32 is out of range: 1 to 31, or -31 to -1'],
  ['rrule', 'FREQ=WEEKLY;FREQ=DAILY;BYHOUR=2', 'FREQ is given twice'],
  ['rrule', 'FREQ=WEEKLY;;BYHOUR=2', '"" is not part of a rule'],
  ['rrule', 'weekly on sundays', '"WEEKLY ON SUNDAYS" is not part of a rule'],
  ['rrule', 'FREQ=DAILY;BYHOUR=2;INTERVAL=0', 'INTERVAL=0 is not a whole number of at least 1'],
  ['rrule', 'FREQ=DAILY;BYHOUR=2;COUNT=1001', 'COUNT=1001 is not a whole number from 1 to 1000'],
  ['rrule', 'FREQ=DAILY;BYHOUR=2;COUNT=2;UNTIL=20270101', 'COUNT and UNTIL both say where the rule ends'],
  [
    'rrule',
    'FREQ=YEARLY;BYYEARDAY=100;BYDAY=SA;BYHOUR=2',
    'a YEARLY rule takes either BYYEARDAY or BYDAY; keep one of them',
  ],
  [
    'rrule',
    'FREQ=YEARLY;BYWEEKNO=10;BYMONTHDAY=13;BYHOUR=2',
    'a YEARLY rule takes either BYWEEKNO or BYMONTHDAY; keep one of them',
  ],
  [
    'rrule',
    'FREQ=YEARLY;BYMONTHDAY=13;BYDAY=1FR;BYHOUR=2',
    'a YEARLY rule takes either BYMONTHDAY or BYDAY with a number; keep one of them',
  ],
  ['rrule', 'FREQ=DAILY;BYHOUR=2;UNTIL=20270230', 'UNTIL=20270230 is neither a date'],
  ['rrule', 'FREQ=DAILY;BYHOUR=2;UNTIL=20270101T000000', 'UNTIL=20270101T000000 has to be in UTC'],
  [
    'rrule',
    'DTSTART:20260104T020000\nRRULE:FREQ=DAILY',
    'only a rule is allowed here; from gives its first occurrence',
  ],
  ['rrule', 'FREQ=WEEKLY;BYMONTHDAY=3;BYDAY=SU;BYHOUR=2', 'the rule breaks RFC 5545: BYMONTHDAY MUST NOT'],
  [
    'rrule',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;BYHOUR=2',
    'INTERVAL=2 counts from a first occurrence: give from',
  ],
  ['rrule', 'FREQ=DAILY;BYHOUR=2;COUNT=3', 'COUNT=3 counts from a first occurrence: give from'],
  ['rrule', 'FREQ=WEEKLY;BYHOUR=2', 'a WEEKLY rule without BYDAY takes its day from there: give from'],
  ['rrule', 'FREQ=MONTHLY;BYHOUR=2', 'a MONTHLY rule without BYDAY and BYMONTHDAY takes its day from there'],
  ['rrule', 'FREQ=WEEKLY;BYDAY=SU', 'the rule names no hour: add BYHOUR, or give from with a time'],
  ['rrule', 'FREQ=HOURLY;BYMINUTE=0,20,40', 'the rule has more than 1,000 occurrences within its horizon'],
  [
    'rrule',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=2',
    'the rule never comes true: nothing occurs before its end',
  ],
  [
    'rrule',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=2',
    'the rule never comes true: nothing occurs before its end',
  ],
  // Clocks are put forward at 2:00 on each such day.
  [
    'rrule',
    'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;BYHOUR=2;BYMINUTE=30',
    'the rule never comes true: clocks in Europe/Madrid are put forward past each time that it asks for; take an hour that every day has',
  ],
  [
    'timezone',
    'Europe/Madird',
    '"Europe/Madird" is not an IANA time zone, such as Europe/Madrid; did you mean Europe/Madrid?',
  ],
  ['timezone', '+01:00', '"+01:00" is not an IANA time zone'],
  ['duration', '2h', '"2h" is not an ISO 8601 duration'],
  ['duration', '{PT: 2H} {.roles} {0}', '"{PT: 2H} {.roles} {0}" is not an ISO 8601 duration'],
  ['duration', 'PT0S', '"PT0S" is not an ISO 8601 duration of at least one second'],
  ['duration', 'PT9000H', 'a window of PT9000H is too long; the maximum is 366 days'],
  [
    'duration',
    'P1M',
    '"P1M" has years or months, which differ in length: give weeks, days or hours, such as P30D',
  ],
  ['horizon', '30 days', '"30 days" is not an ISO 8601 duration'],
  ['horizon', 'P11Y', 'a horizon of P11Y is too far; it has at most 10 years'],
  ['from', '2026-02-30', '"2026-02-30" is no date'],
  ['from', '2026-03-29T02:30', '2026-03-29T02:30 does not exist in Europe/Madrid: clocks skip it'],
])('%s: %s is an error at its place', async (field, value, message) => {
  const text = manifest(scheduleWith({ [field]: value }))
  const column = text.split('\n')[6]?.indexOf(JSON.stringify(value)) ?? 0
  expect(await found(text)).toEqual([expect.stringContaining(`7:${column + 1} ${PATH}.${field}: ${message}`)])
})

test('everything that is wrong with a rule is said at once', async () => {
  const rrule = 'FREQ=WEEKLY;BYDAY=SUN,+1MONDAY,XX;BYHOUR=25,2,30;BYMINUTE=60;COUNT=0;COUNT=2;UNTIL=x'
  const messages = (await found(manifest(scheduleWith({ rrule })))).map((line) =>
    line.replace(/^.*rrule: /, ''),
  )
  const days = 'there are MO, TU, WE, TH, FR, SA, SU'
  expect(messages).toEqual([
    `BYDAY=SUN is not a day of the week; did you mean SU? ${days}`,
    `BYDAY=+1MONDAY is not a day of the week; did you mean +1MO? ${days}`,
    `BYDAY=XX is not a day of the week; ${days}`,
    'BYHOUR=25 is out of range: 0 to 23',
    'BYHOUR=30 is out of range: 0 to 23',
    'BYMINUTE=60 is out of range: 0 to 59',
    expect.stringContaining('COUNT=0 is not a whole number'),
    'COUNT is given twice',
    expect.stringContaining('UNTIL=X is neither a date'),
    'COUNT and UNTIL both say where the rule ends; keep one of them',
  ])
})

test('a part that cannot be made out is not told as missing', async () => {
  for (const rrule of ['FRQ=WEEKLY;BYDAY=SU;BYHOUR=2', 'FREQ:WEEKLY;BYDAY=SU;BYHOUR=2'])
    expect(await found(manifest(scheduleWith({ rrule })))).toHaveLength(1)
  expect(await found(manifest(scheduleWith({ rrule: 'BYDAY=SU;BYHOUR=24' })))).toHaveLength(2)
})

test('a rule that ends before it begins never comes true', async () => {
  const ended = scheduleWith({ rrule: 'FREQ=DAILY;BYHOUR=2;UNTIL=20260101', from: '2026-06-01' })
  expect(await found(manifest(ended))).toEqual([
    expect.stringContaining(`${PATH}.rrule: the rule never comes true`),
  ])
})

test('clocks are no reason where a rule has ended before its first time in its zone', async () => {
  const rrule = 'FREQ=DAILY;BYHOUR=1;UNTIL=20260601T020000Z'
  const ended = scheduleWith({ rrule, timezone: 'Pacific/Honolulu', from: '2026-06-01' })
  expect(await found(manifest(ended))).toEqual([
    expect.stringContaining('the rule never comes true: nothing occurs before its end'),
  ])
})

test('a rule can count from any year, also from a mistyped one', async () => {
  for (const from of ['0206-01-04', '9960-01-01', '9999-12-01']) {
    const { declaration } = await loadText(manifest(scheduleWith({ from })))
    expect(declaration.entries).toHaveLength(1)
  }
})

test('a rule that counts what never comes true is refused, and not looked for without an end', async () => {
  const often = scheduleWith({ rrule: 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3', from: '2026-01-01' })
  expect(await found(manifest(often))).toEqual([
    expect.stringContaining(`${PATH}.rrule: the rule never comes true`),
  ])
})

test('everything that is wrong with a schedule is said at once', async () => {
  const text = manifest(
    scheduleWith({ rrule: 'FREQ=WEEKLY', timezone: 'Madrid', duration: 'x', horizon: 'y' }),
  )
  expect((await found(text)).map((line) => line.split(' ')[1])).toEqual(
    ['rrule', 'timezone', 'duration', 'horizon'].map((field) => `${PATH}.${field}:`),
  )
})

test.each([
  [{ other: 1 }, 'other'],
  [{ form: '2026-01-01' }, 'form'],
  [{ timezone: 'Madrid' }, 'timezone'],
  [{ horizon: [] }, 'horizon'],
  [{ duration: undefined }, 'schedule'],
])('with %j beside it, what is wrong with a rule is said as well', async (more, at) => {
  for (const [rrule, message] of [
    ['FREQ=DAILY;BYHOUR=2;COUNT=2;UNTIL=20270101', 'COUNT and UNTIL both say where the rule ends'],
    ['FREQ=WEEKLY;BYMONTHDAY=3;BYDAY=SU;BYHOUR=2', 'the rule breaks RFC 5545'],
    ['FREQ=MONTHLY;BYMONTHDAY=30;BYMONTH=2', 'the rule never comes true'],
  ]) {
    const said = await found(manifest(scheduleWith({ rrule, ...more })))
    expect(said).toContainEqual(expect.stringContaining(`${PATH}.rrule: ${message}`))
    expect(said).toContainEqual(expect.stringMatching(new RegExp(`${at}: `)))
  }
})

test('a field that may be misspelt causes no error about what depends on it', async () => {
  for (const other of ['other', 'form']) {
    const rrule = 'FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29'
    const said = await found(manifest(scheduleWith({ rrule, [other]: '2028-02-29T02:00' })))
    expect(said).toEqual([expect.stringContaining(`${PATH}.${other}: there is no field`)])
  }
})

test.each([
  ['{ rrule: "FREQ=DAILY;BYHOUR=2", timezone: UTC }', 'schedule: duration is missing'],
  ['weekly', '"weekly" stands where a mapping is expected'],
  [scheduleWith({ form: 'x' }), 'schedule.form: there is no field "form" here'],
])('%s is no schedule', async (schedule, message) => {
  expect(await found(manifest(schedule))).toEqual([expect.stringContaining(message)])
})

test('a schedule and instants of its own are one too many, and none of the two too few', async () => {
  const both = manifest(
    scheduleWith({}),
    '    startDate: 2026-12-05T02:00:00Z\n    endDate: 2026-12-05T04:00:00Z\n',
  )
  expect(await found(both)).toEqual([
    '7:16 maintenanceWindows.weekly.startDate: schedule takes its place; keep one of the two',
    '8:14 maintenanceWindows.weekly.endDate: schedule takes its place; keep one of the two',
  ])
  const neither = manifest(scheduleWith({})).replace(/ {4}schedule.*\n/, '')
  expect(await found(neither)).toEqual(['4:3 maintenanceWindows.weekly: startDate, endDate are missing'])
})

test.each([
  ['a zone that is an older name of another', { timezone: 'Asia/Calcutta' }],
  ['small letters', { rrule: 'freq=weekly;byday=su;byhour=2' }],
  ['hours alone', { rrule: 'FREQ=HOURLY', horizon: 'P7D', duration: 'PT30M' }],
  ['a rule that counts and says from when', { rrule: 'FREQ=WEEKLY;COUNT=10', from: '2026-11-22T02:00:00' }],
  ['the last Friday of a month', { rrule: 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=22', horizon: 'P1Y' }],
  ['a rule that is long over', { rrule: 'FREQ=DAILY;BYHOUR=2;UNTIL=20200101' }],
  ['a day that comes every four years', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=2' }],
  ['a duration of weeks and minutes', { duration: 'P1W' }],
])('%s is a schedule', async (_, fields) => {
  await expect(loadText(manifest(scheduleWith(fields)))).resolves.toMatchObject({ warnings: [] })
})

test('variables stand in a schedule as everywhere', async () => {
  const text = manifest(scheduleWith({ timezone: '${var.zone}', duration: 'PT${var.hours}H' })).replace(
    'maintenanceWindows:',
    'variables:\n  zone: { default: Europe/Madrid }\n  hours: { default: 3 }\nmaintenanceWindows:',
  )
  const { declaration } = await loadText(text)
  expect(declaration.entries[0]?.values['schedule']).toMatchObject({
    timezone: 'Europe/Madrid',
    duration: 'PT3H',
  })
})
