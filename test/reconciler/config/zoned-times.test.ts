import { expect, test } from 'vitest'
import { zonedTime } from '@deploymgmt/provider/core'
import { HEAD, loadText, refusal } from './support/manifests.ts'

/**
 * Written by hand from the dates on which clocks change: in Madrid in 2026 on 29 March from 2 to 3 h and on 25 October
 * from 3 to 2 h, both at 01:00Z; in New York on 8 March at 07:00Z and on 1 November at 06:00Z; on Lord Howe by half an
 * hour, on 5 April 2026 from 2:00 back to 1:30 (on the 4th at 15:00Z); in Apia 30 December 2011 was skipped.
 */
const INSTANTS: readonly [text: string, utc: string][] = [
  ['2026-12-05T02:00:00[Europe/Madrid]', '2026-12-05T01:00:00Z'],
  ['2026-07-05T02:00:00[Europe/Madrid]', '2026-07-05T00:00:00Z'],
  // The last second before clocks are set forward, and the first one after.
  ['2026-03-29T01:59:59[Europe/Madrid]', '2026-03-29T00:59:59Z'],
  ['2026-03-29T03:00:00[Europe/Madrid]', '2026-03-29T01:00:00Z'],
  // The last second before the repeated hour, the hour itself with either offset, and the first second after.
  ['2026-10-25T01:59:59[Europe/Madrid]', '2026-10-24T23:59:59Z'],
  ['2026-10-25T02:30:00+02:00[Europe/Madrid]', '2026-10-25T00:30:00Z'],
  ['2026-10-25T02:30:00+01:00[Europe/Madrid]', '2026-10-25T01:30:00Z'],
  ['2026-10-25T03:00:00[Europe/Madrid]', '2026-10-25T02:00:00Z'],
  ['2026-03-08T01:59:59[America/New_York]', '2026-03-08T06:59:59Z'],
  ['2026-03-08T03:00:00[America/New_York]', '2026-03-08T07:00:00Z'],
  ['2026-11-01T01:30:00-04:00[America/New_York]', '2026-11-01T05:30:00Z'],
  ['2026-11-01T01:30:00-05:00[America/New_York]', '2026-11-01T06:30:00Z'],
  ['2026-04-05T01:45:00+11:00[Australia/Lord_Howe]', '2026-04-04T14:45:00Z'],
  ['2026-04-05T01:45:00+10:30[Australia/Lord_Howe]', '2026-04-04T15:15:00Z'],
  ['2026-12-05T02:00:00[Asia/Kolkata]', '2026-12-04T20:30:00Z'],
  ['2026-12-05T02:00:00[UTC]', '2026-12-05T02:00:00Z'],
  ['2026-12-05T02:00:00Z[Europe/Madrid]', '2026-12-05T02:00:00Z'],
  ['2026-12-05T02:00:00-00:00[Europe/Madrid]', '2026-12-05T02:00:00Z'],
  ['2026-12-05T02:00:00[!Europe/Madrid]', '2026-12-05T01:00:00Z'],
  ['2026-12-05T02:00:00.125[Europe/Madrid]', '2026-12-05T01:00:00.125Z'],
  ['2026-12-05T02:00:00[+01:00]', '2026-12-05T01:00:00Z'],
  ['2026-12-05T02:00:00+01:00[!+01:00]', '2026-12-05T01:00:00Z'],
  ['2026-12-05T02:00:00+01:00[u-ca=iso8601]', '2026-12-05T01:00:00Z'],
  ['2026-12-05T02:00:00[Europe/Madrid][!u-ca=iso8601]', '2026-12-05T01:00:00Z'],
  ['2026-12-05T02:00:00[Europe/Madrid][u-ca=hebrew][_a=b-c]', '2026-12-05T01:00:00Z'],
  // For ever, as people write it. In New York and Honolulu it is the year 10000 in UTC, which four digits cannot write.
  ['9999-12-31T23:59:59[Europe/Madrid]', '9999-12-31T22:59:59Z'],
  ['9999-12-31T23:59:59[UTC]', '9999-12-31T23:59:59Z'],
  ['9999-12-31T23:59:59[America/New_York]', '9999-12-31T23:59:59-05:00'],
  ['9999-12-31T23:59:59.5-10:00[Pacific/Honolulu]', '9999-12-31T23:59:59.5-10:00'],
  ['9999-12-31T23:59:59[-05:00]', '9999-12-31T23:59:59-05:00'],
]

test.each(INSTANTS)('%s is %s', (text, utc) => {
  expect(zonedTime(text)).toMatchObject({ is: 'instant', utc })
})

const window = (start: string, end = '"2032-01-01T00:00:00Z"'): string =>
  `${HEAD}maintenanceWindows:\n  w: { startDate: "${start}", endDate: ${end}, alertTypeNames: [HOST] }\n`

test('what is declared as a local time is an instant from then on, and its zone is kept for people', async () => {
  const { declaration } = await loadText(
    window('2026-12-05T02:00:00[Europe/Madrid]', '"2026-12-05T12:00:00[Asia/Tokyo]"'),
  )
  expect(declaration.entries).toMatchObject([
    {
      values: { startDate: '2026-12-05T01:00:00Z', endDate: '2026-12-05T03:00:00Z' },
      zones: { startDate: 'Europe/Madrid', endDate: 'Asia/Tokyo' },
    },
  ])
})

test.each([
  [
    '2026-03-29T02:30:00[Europe/Madrid]',
    '2026-03-29T02:30:00 does not exist in Europe/Madrid: clocks skip it',
    { suggestion: '2026-03-29T03:30:00[Europe/Madrid]' },
  ],
  [
    '2011-12-30T12:00:00[Pacific/Apia]',
    '2011-12-30T12:00:00 does not exist in Pacific/Apia: clocks skip it',
    { suggestion: '2011-12-31T12:00:00[Pacific/Apia]' },
  ],
  [
    '2026-10-25T02:30:00[Europe/Madrid]',
    '2026-10-25T02:30:00 exists twice in Europe/Madrid, because clocks are set back: give its offset',
    {
      allowed: ['2026-10-25T02:30:00+02:00[Europe/Madrid]', '2026-10-25T02:30:00+01:00[Europe/Madrid]'],
    },
  ],
  [
    '2026-12-05T02:00:00+02:00[Europe/Madrid]',
    '"2026-12-05T02:00:00+02:00[Europe/Madrid]" has a different offset than its zone has at that time',
    { allowed: ['2026-12-05T02:00:00+01:00[Europe/Madrid]'] },
  ],
  [
    '2026-12-05T02:00:00[Europe/Madird]',
    '"Europe/Madird" is not an IANA time zone, such as Europe/Madrid',
    { suggestion: '2026-12-05T02:00:00[Europe/Madrid]' },
  ],
  [
    '2026-02-30T02:00:00[Europe/Madrid]',
    '"2026-02-30T02:00:00[Europe/Madrid]" is not an instant: there is no such day',
    {},
  ],
  ['2026-12-05T02:00:00[]', '"2026-12-05T02:00:00[]" is not an instant', {}],
  [
    '2026-12-05T02:00:00[Europe/Madrid][!_a=b]',
    '"[!_a=b]" is marked with ! as needed to understand the time, and is not known here',
    { suggestion: '2026-12-05T02:00:00[Europe/Madrid]' },
  ],
  [
    '2026-12-05T02:00:00+02:00[+01:00]',
    '"2026-12-05T02:00:00+02:00[+01:00]" has a different offset than its zone has at that time',
    { allowed: ['2026-12-05T02:00:00+01:00[+01:00]'] },
  ],
  [
    '2026-12-05t02:00:00z[Europe/Madrid]',
    '"2026-12-05t02:00:00z[Europe/Madrid]" is not an instant',
    { suggestion: '2026-12-05T02:00:00Z[Europe/Madrid]' },
  ],
  [
    '2026-12-05T02:00[Europe/Madrid]',
    '"2026-12-05T02:00[Europe/Madrid]" is not an instant',
    { suggestion: '2026-12-05T02:00:00[Europe/Madrid]' },
  ],
  [
    '2026-10-25T02:30:00.5[Europe/Madrid]',
    '2026-10-25T02:30:00 exists twice in Europe/Madrid, because clocks are set back: give its offset',
    {
      allowed: ['2026-10-25T02:30:00.5+02:00[Europe/Madrid]', '2026-10-25T02:30:00.5+01:00[Europe/Madrid]'],
    },
  ],
  [
    '2027-03-28T02:30:00.25[Europe/Madrid]',
    '2027-03-28T02:30:00 does not exist in Europe/Madrid: clocks skip it',
    { suggestion: '2027-03-28T03:30:00.25[Europe/Madrid]' },
  ],
  [
    '2026-12-05[Europe/Madrid]',
    '"2026-12-05[Europe/Madrid]" is not an instant',
    { suggestion: '2026-12-05T00:00:00[Europe/Madrid]' },
  ],
  ['2026-12-05T02:00:00[u-ca=iso8601]', '"2026-12-05T02:00:00[u-ca=iso8601]" is not an instant', {}],
])('%s is refused', async (text, message, more) => {
  const { findings } = await refusal(loadText(window(text)))
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatchObject({
    message,
    line: 5,
    path: 'maintenanceWindows.w.startDate',
    ...more,
  })
})
