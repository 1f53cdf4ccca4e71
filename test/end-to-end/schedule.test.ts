import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { CI, PROJECT } from '../support/installation.ts'
import {
  actionsIn,
  applied,
  at,
  begin,
  emptyState,
  only,
  OTHER_PROJECT,
  recorded,
  twoProjects,
  writesIn,
  type Scene,
} from '../support/scene.ts'
import { windowsAt } from '../support/one-window.ts'

let here: Scene

const SUNDAYS = 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0'
const weekly = (schedule: object = {}, name = 'weekly'): string =>
  only(
    'maintenanceWindows',
    `  ${name}: ${JSON.stringify({
      alertTypeNames: ['HOST'],
      schedule: { rrule: SUNDAYS, timezone: 'Europe/Madrid', duration: 'PT2H', horizon: 'P14D', ...schedule },
    })}`,
  )
/** The same, whose windows are to stay. */
const kept = (text: string): string => text.replace('"schedule"', '"onRemove":"forget","schedule"')
const FIRST = '2035-01-07T01:00:00Z'
const SECOND = '2035-01-14T01:00:00Z'
const THIRD = '2035-01-21T01:00:00Z'
const addressOf = (start: string): string => `maintenanceWindows.weekly[${start}]`
const POST = `POST /groups/${PROJECT}/maintenanceWindows/`

const clock = (now: string) => here.control('POST', 'clock', { now })
const begunAt = async (now: string): Promise<void> => {
  here = await begin()
  await clock(now)
}
const windows = (): Promise<any[]> => windowsAt(here)

describe('a recurring window', () => {
  it('is warned of once where clocks leave an occurrence out, as long as that lies within the horizon', async () => {
    await begunAt('2035-03-19T00:00:00Z')
    const said =
      'maintenanceWindows.weekly: nothing occurs at 2035-03-25 02:00: clocks in Europe/Madrid skip that time'
    await here.manifest(weekly())
    const { document } = await here.json('plan')
    expect(document.warnings.filter((each: string) => each.includes('clocks in'))).toEqual([said])
    expect(document.changes.map(({ address }: any) => address)).toEqual([addressOf('2035-04-01T00:00:00Z')])
    const { stdout } = await here.run('apply', '--auto-approve')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(said)
    // An occurrence that is skipped has not drifted.
    expect((await here.run('drift')).stdout).not.toContain('clocks in')
    await here.manifest(weekly({ rrule: SUNDAYS.replace('BYHOUR=2', 'BYHOUR=3') }))
    expect((await here.run('plan')).stdout).not.toContain('clocks in')
  })

  it('is released as what its entry no longer stands for, once its rule or its projects have changed', async () => {
    const reasonsOf = async (): Promise<string[]> =>
      (await here.json('plan')).document.changes
        .filter(({ action }: any) => action === 'release')
        .map(({ address, reason }: any) => `${address} ${reason}`)
    await begunAt('2035-01-01T00:00:00Z')
    await applied(here, weekly())
    await here.manifest(weekly({ rrule: SUNDAYS.replace('BYHOUR=2', 'BYHOUR=3') }))
    expect(await reasonsOf()).toEqual(
      [FIRST, SECOND].map(
        (start) => `${addressOf(start)} its entry is there, but no longer stands for it; onRemove: end`,
      ),
    )
    await here.manifest(only('users', ''))
    expect(await reasonsOf()).toEqual(
      [FIRST, SECOND].map((start) => `${addressOf(start)} no longer declared; onRemove: end`),
    )
  })

  it('is ended as what its entry no longer stands for, and not said to be what onRemove says otherwise', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await applied(here, kept(weekly()))
    await here.manifest(kept(weekly({ rrule: SUNDAYS.replace('BYHOUR=2', 'BYHOUR=3') })))
    const { document } = await here.json('plan')
    expect(at(document, addressOf(FIRST))).toMatchObject({
      reason: 'its entry is there, but no longer stands for it',
      onRemove: 'end',
      requests: [{ method: 'PATCH' }],
    })
    expect((await here.run('plan')).stdout).not.toContain('onRemove')
  })

  it('counts further than can be worked out, and is planned as far as its horizon', async () => {
    await begunAt('2035-03-19T00:00:00Z')
    const rrule = 'FREQ=DAILY;BYMONTH=3;BYDAY=SU;BYHOUR=3;COUNT=500'
    await here.manifest(weekly({ rrule, from: '2035-01-01T03:00' }))
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([[addressOf('2035-03-25T01:00:00Z'), 'create']])
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('is planned under the instant of each occurrence, applied, and then as recorded', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await here.manifest(weekly())
    const { document } = await here.json('plan')
    expect(actionsIn(document)).toEqual([
      [addressOf(FIRST), 'create'],
      [addressOf(SECOND), 'create'],
    ])
    expect(at(document, addressOf(FIRST))).toMatchObject({
      declaredAt: expect.stringMatching(/^deploymgmt\.yaml:9:3$/),
      after: { startDate: FIRST, endDate: '2035-01-07T03:00:00Z', alertTypeNames: ['HOST'] },
    })
    expect(at(document, addressOf(FIRST)).after).not.toHaveProperty('schedule')
    await applied(here, weekly())
    expect(await windows()).toMatchObject([{ startDate: FIRST }, { startDate: SECOND }])
    expect(await recorded(here)).toEqual([addressOf(FIRST), addressOf(SECOND)])
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('rolls on with the clock: one more at the end, and what is over goes with no request', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await applied(here, weekly())
    await here.forgetRequests()
    await clock('2035-01-07T02:00:00Z')
    await applied(here, weekly())
    expect(await writesIn(here)).toEqual([POST])
    expect(await recorded(here)).toEqual([addressOf(FIRST), addressOf(SECOND), addressOf(THIRD)])
    await here.forgetRequests()
    await clock('2035-01-07T03:00:00Z')
    const { code, document } = await here.json('plan', '--detailed-exitcode', '--all')
    expect({ code, inSync: document.inSync }).toEqual({ code: 0, inSync: true })
    expect(at(document, addressOf(FIRST))).toMatchObject({
      action: 'expired',
      reason: 'it has ended',
    })
    await applied(here, weekly())
    expect(await writesIn(here)).toEqual([])
    expect(await recorded(here)).toEqual([addressOf(SECOND), addressOf(THIRD)])
    expect(await windows()).toMatchObject([{ startDate: FIRST, endDate: '2035-01-07T03:00:00Z' }, {}, {}])
  })

  it('is ended where it should be over, but somebody may have prolonged it, and a plan says that', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await applied(here, weekly())
    const [{ id }] = await windows()
    await clock('2035-01-02T00:00:00Z')
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'by hand' })
    await clock('2035-01-08T00:00:00Z')
    const { document } = await here.json('plan')
    expect(at(document, addressOf(FIRST))).toMatchObject({
      action: 'release',
      reasonCode: 'undeclared-released',
      reason: 'it should be over, but a later event may have prolonged it; onRemove: end',
    })
    const drift = await here.json('drift')
    expect(at(drift.document, addressOf(FIRST))).toMatchObject({
      verdict: 'drifted',
      undo: { text: 'its entry no longer stands for it: an apply releases it, and asserts nothing' },
    })
  })

  it('is not created for an occurrence that has begun', async () => {
    await begunAt('2035-01-07T02:00:00Z')
    await applied(here, weekly({ horizon: 'P7D' }))
    expect(await windows()).toMatchObject([{ startDate: SECOND }])
  })

  it('whose rule changes ends what the rule drops, and creates what it adds', async () => {
    await begunAt('2035-01-07T02:00:00Z')
    await applied(here, weekly({ horizon: 'P7D' }))
    await here.forgetRequests()
    await applied(here, weekly({ horizon: 'P7D', rrule: SUNDAYS.replace('BYDAY=SU', 'BYDAY=MO') }))
    const { id } = (await windows()).find(({ endDate }) => endDate < SECOND)
    expect((await writesIn(here)).toSorted()).toEqual([
      `PATCH /groups/${PROJECT}/maintenanceWindows/${id}`,
      POST,
    ])
    expect(await recorded(here)).toEqual([addressOf('2035-01-08T01:00:00Z')])
  })

  it('whose rule is written in other words, or has another name, sends nothing', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await applied(here, weekly())
    await here.forgetRequests()
    await clock('2035-01-06T00:00:00Z')
    await applied(here, weekly({ rrule: 'BYHOUR=2;FREQ=DAILY;BYDAY=SU', timezone: 'Europe/Paris' }))
    await applied(here, weekly({}, 'sundays'))
    expect(await writesIn(here)).toEqual([])
    expect(await recorded(here)).toEqual(
      [FIRST, SECOND].map((start) => addressOf(start).replace('weekly', 'sundays')),
    )
  })

  it('comes under management again after its state was lost: by windowId first, and then by its rule, and back', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await applied(here, weekly())
    await rm(join(here.folder, 'deploymgmt.state.json'))
    await emptyState(here)
    // What is left to others later is still created as declared.
    const byId = (await windows()).map(
      ({ id, startDate, endDate }, n) =>
        `  w${n}: ${JSON.stringify({
          windowId: id,
          alertTypeNames: ['HOST'],
          startDate,
          endDate,
          ...(n === 0 ? { ignoreChanges: ['endDate'] } : {}),
        })}\n`,
    )
    // Beside its windows, the rule would create each of them a second time.
    await here.manifest(`${weekly()}\n${byId.join('')}`)
    const { document } = await here.json('plan')
    expect(document.warnings).toContain(
      'maintenanceWindows.weekly would create again what maintenanceWindows.w0, maintenanceWindows.w1 declare by their ids. If they are the same, remove maintenanceWindows.weekly until an apply has recorded those, and then put it back in place of them',
    )
    await applied(here, only('maintenanceWindows', byId.join('')))
    await here.forgetRequests()
    await applied(here, weekly())
    expect(await writesIn(here)).toEqual([])
    expect(await recorded(here)).toEqual([FIRST, SECOND].map(addressOf))
    await applied(here, only('maintenanceWindows', byId.join('')))
    expect(await writesIn(here)).toEqual([])
    expect(await recorded(here)).toEqual(['maintenanceWindows.w0', 'maintenanceWindows.w1'])
  })

  it('can be targeted as a whole and by one occurrence', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await here.manifest(weekly())
    const one = await here.json('plan', '--target', addressOf(SECOND))
    expect(actionsIn(one.document)).toEqual([[addressOf(SECOND), 'create']])
    const all = await here.json('plan', '--target', 'maintenanceWindows.weekly')
    expect(all.document.summary.create).toBe(2)
  })

  it('is applied from a saved plan without the occurrences that have begun since', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await here.manifest(weekly())
    await here.run('plan', '--out', 'plan.bin')
    await clock('2035-01-07T02:00:00Z')
    const { code, stdout, stderr } = await here.run('apply', 'plan.bin', '--auto-approve')
    expect(code).toBe(0)
    expect(stdout + stderr).toContain('it began before it could be created')
    expect(await windows()).toMatchObject([{ startDate: SECOND }])
    expect(await recorded(here)).toEqual([addressOf(SECOND)])
  })
})

test('validate checks a schedule offline, and the schema shows it', async () => {
  here = await begin({ manifest: weekly() })
  expect(await here.run('validate')).toMatchObject({ code: 0 })
  await here.manifest(weekly({ timezone: 'Europe/Nowhere', rrule: 'FREQ=WEEKLY;COUNT=2;UNTIL=20350101' }))
  const { code, stderr } = await here.run('validate')
  expect(code).toBe(1)
  expect(stderr).toContain(
    'maintenanceWindows.weekly.schedule.timezone: "Europe/Nowhere" is not an IANA time zone',
  )
  expect(stderr).toContain('COUNT and UNTIL both say where the rule ends')
  expect((await here.requests()).log).toEqual([])
  const schema = JSON.parse((await here.run('schema')).stdout)
  expect(schema.properties.maintenanceWindows.additionalProperties).toMatchObject({
    properties: { schedule: { properties: { horizon: { default: 'P30D' } } } },
    if: { required: ['schedule'] },
    else: { required: ['startDate', 'endDate'] },
  })
})

it('a plan tells many occurrences of one rule as one effect, with the key of each and its end', async () => {
  await begunAt('2035-01-01T00:00:00Z')
  const daily = { rrule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0', horizon: 'P14D' }
  await here.manifest(weekly(daily))
  const { stdout } = await here.run('plan')
  expect(stdout).toContain('14 maintenance windows to create')
  expect(stdout.match(/^ +alertTypeNames .*$/gmu)).toHaveLength(1)
  expect(stdout).toContain('\n      maintenanceWindows.weekly[START], 2 h each:\n')
  for (let day = 1; day <= 14; day += 1)
    expect(stdout).toMatch(
      new RegExp(
        `^ {8}2035-01-${String(day).padStart(2, '0')}T01:00:00Z → 03:00 UTC {2}\\(02:00 Europe`,
        'm',
      ),
    )
  const all = await here.run('plan', '--all')
  expect(all.stdout.match(/^ +startDate .*$/gmu)).toHaveLength(14)
})

const inBoth = (more: object = {}): string =>
  weekly({})
    .replace('defaults:', `  search: { id: ${OTHER_PROJECT} }\ndefaults:`)
    .replace('{"alert', `${JSON.stringify({ projectIds: 'all', ...more }).slice(0, -1)},"alert`)
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
/** What follows a time: when that is for people. */
const TELLS = /[^\S\n]+\(.*\)$/gm

const inTwo = async (): Promise<void> => {
  here = await begin({ fixture: twoProjects() })
  await clock('2035-01-01T00:00:00Z')
}

describe('of occurrences in several projects', () => {
  const block = `maintenanceWindows.weekly[PROJECT/START] in each of payments, search, 2 h each:
        ${FIRST} → 03:00 UTC
        ${SECOND} → 03:00 UTC
`

  it('a plan tells what they share once, and the times of those that have the same', async () => {
    await inTwo()
    await here.manifest(inBoth({ description: 'Patching' }))
    const { stdout } = await here.run('plan')
    expect(stdout).toMatch(/^ {2}\+ 4 maintenance windows to create · payments 2, search 2 {2,}deploymgmt/m)
    expect(stdout.replaceAll(TELLS, '')).toContain(`
      alertTypeNames   HOST
      description      Patching
      ${block}`)
    const marked = await here.run('plan', '--format', 'markdown')
    expect(marked.stdout).toContain('**4 maintenance windows to create**')
    for (const start of [FIRST, SECOND])
      expect(marked.stdout.match(new RegExp(`^- .*${start}.* · .* → 03:00 UTC`, 'gm'))).toHaveLength(2)
    // The address that the block spells is one.
    const target = `maintenanceWindows.weekly[search/${SECOND}]`
    expect((await here.json('plan', '--target', target)).document.summary).toMatchObject({ create: 1 })
  })

  it('a plan tells a change of all of them once, and another length as well', async () => {
    await inTwo()
    await applied(here, inBoth())
    await here.manifest(inBoth({ description: 'Patching' }))
    expect((await here.run('plan')).stdout.replaceAll(TELLS, '')).toContain(`
      description      (none) → Patching
      ${block}`)
    await here.manifest(inBoth().replace('PT2H', 'PT3H'))
    expect((await here.run('plan')).stdout.replaceAll(TELLS, '')).toContain(`, 3 h each (2 h before):
        ${FIRST} → 04:00 UTC
        ${SECOND} → 04:00 UTC
`)
    const marked = await here.run('plan', '--format', 'markdown')
    expect(marked.stdout).toContain('3 h each (2 h before), from ')
  })

  it('what cannot be verified is one line for all of an entry, with the keys of its addresses', async () => {
    await inTwo()
    await applied(here, inBoth())
    const line = `4 of maintenanceWindows.weekly[PROJECT/START] in each of payments, search (${FIRST}, ${SECOND}): as recorded on`
    expect(oneLine((await here.run('plan')).stdout)).toContain(`? ${line}`)
    expect(oneLine((await here.run('apply', '--auto-approve', '--quiet')).stdout)).toContain(`? ${line}`)
    expect(oneLine((await here.run('drift')).stdout)).toContain(`? ${line}`)
    await here.manifest(
      `${inBoth()}  more: ${JSON.stringify({ alertTypeNames: ['HOST'], startDate: FIRST, endDate: SECOND })}\n`,
    )
    expect((await here.run('plan')).stdout.replaceAll(TELLS, '')).toMatch(
      /\n {2}\? 4 maintenance windows not verifiable · payments 2, search 2 .*\n {6}cannot be verified; as recorded on/,
    )
  })

  it('a plan tells their end with the id of each', async () => {
    await inTwo()
    await applied(here, inBoth())
    await here.manifest(inBoth().replace(/maintenanceWindows:[^]*/, ''))
    const { stdout } = await here.run('plan')
    expect(stdout).toContain('4 maintenance windows to end')
    for (const { id, startDate } of await windows())
      expect(stdout).toContain(`${startDate} → 03:00 UTC  (${id}`)
  })
})

const DAILY = `${JSON.stringify({
  alertTypeNames: ['HOST'],
  schedule: {
    rrule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0',
    timezone: 'Europe/Madrid',
    duration: 'PT2H',
    horizon: 'P10D',
  },
})}\n`

it('a plan tells occurrences apart that are of two entries', async () => {
  await begunAt('2035-01-01T00:00:00Z')
  await here.manifest(only('maintenanceWindows', `  one: ${DAILY}  two: ${DAILY}`))
  const { stdout } = await here.run('plan')
  expect(stdout.match(/^ {2}\+ .*$/gmu)).toEqual([
    expect.stringContaining('10 maintenance windows to create'),
    expect.stringContaining('10 maintenance windows to create'),
  ])
})

const HOUR_LATER = { horizon: 'P30D', rrule: SUNDAYS.replace('BYHOUR=2', 'BYHOUR=3') }
const stranger = (projectId = PROJECT): Promise<any> =>
  here.outside(
    'POST',
    `/groups/${projectId}/maintenanceWindows`,
    { alertTypeNames: ['HOST'], startDate: '2035-07-01T00:00:00Z', endDate: '2035-07-01T02:00:00Z' },
    CI,
  )
const said = (addresses: readonly string[], blocker: string) =>
  addresses.map((address) => ({
    address,
    action: 'blocked',
    reason: `its entry no longer has it, and it stays for as long as ${blocker} is blocked`,
    requests: [],
  }))
const blocksIn = (document: any): any[] =>
  document.changes.filter(({ reasonCode }: any) => reasonCode === 'undeclared-held')
/** Expects that nothing is sent at first; after `disown`, what was held is released together with the creations. */
const heldUntilDisowned = async (id: string, count: number): Promise<void> => {
  const before = await windows()
  await here.forgetRequests()
  const ended = await here.json('apply', '--auto-approve')
  expect(ended).toMatchObject({ code: 3, document: { byStatus: { blocked: 2 * count, done: 0 } } })
  expect(await writesIn(here)).toEqual([])
  expect(await windows()).toEqual(before)
  expect(await here.run('state', 'disown', id)).toMatchObject({ code: 0 })
  expect(await here.json('apply', '--auto-approve')).toMatchObject({
    code: 0,
    document: { byStatus: { blocked: 0, done: 2 * count } },
  })
}

describe('while what the same key has made and nobody knows stops creations', () => {
  it('an edited rule ends no occurrence', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await applied(here, weekly({ horizon: 'P30D' }))
    const addresses = await recorded(here)
    const { id } = await stranger()
    await here.manifest(weekly(HOUR_LATER))
    const { document } = await here.json('plan')
    expect(document.summary).toMatchObject({ blocked: 8, release: 0 })
    expect(blocksIn(document)).toMatchObject(said(addresses, addressOf('2035-01-07T02:00:00Z')))
    await heldUntilDisowned(id, 4)
    expect(await recorded(here)).toEqual(addresses.map((each) => each.replace('T01', 'T02')))
  })

  it('one window that becomes a rule stays, and so does a rule that becomes one', async () => {
    const dated = only(
      'maintenanceWindows',
      '  weekly: { alertTypeNames: [HOST], startDate: 2035-01-08T01:00:00Z, endDate: 2035-01-08T03:00:00Z }',
    )
    for (const [before, after, old, blocker] of [
      [dated, weekly({ horizon: 'P7D' }), 'maintenanceWindows.weekly', addressOf(FIRST)],
      [weekly({ horizon: 'P7D' }), dated, addressOf(FIRST), 'maintenanceWindows.weekly'],
    ] as const) {
      await begunAt('2035-01-01T00:00:00Z')
      await applied(here, before)
      const { id } = await stranger()
      await here.manifest(after)
      expect(blocksIn((await here.json('plan')).document)).toMatchObject(said([old], blocker))
      await heldUntilDisowned(id, 1)
    }
  })

  it('what is to be in another project stays where it is, also where its rule is edited at once', async () => {
    for (const more of [{}, { rrule: HOUR_LATER.rrule }]) {
      here = await begin({ fixture: twoProjects() })
      await clock('2035-01-01T00:00:00Z')
      await applied(here, weekly({ horizon: 'P7D' }))
      const [{ id: old }] = await windows()
      const { id } = await stranger(OTHER_PROJECT)
      await here.manifest(
        weekly({ horizon: 'P7D', ...more }).replace('{"alert', `{"projectId":"${OTHER_PROJECT}","alert`),
      )
      const [address, blocker] =
        'rrule' in more
          ? [addressOf(FIRST), addressOf('2035-01-07T02:00:00Z')]
          : [`${addressOf(FIRST)}[replaced ${old}]`, addressOf(FIRST)]
      expect(blocksIn((await here.json('plan')).document)).toMatchObject(said([address], blocker))
      await heldUntilDisowned(id, 1)
    }
  })

  it('an entry that is taken out is released', async () => {
    await begunAt('2035-01-01T00:00:00Z')
    await applied(here, weekly({ horizon: 'P7D' }))
    await stranger()
    await here.manifest(weekly(HOUR_LATER, 'other'))
    expect(at((await here.json('plan')).document, addressOf(FIRST))).toMatchObject({ action: 'release' })
  })
})

it('an edited rule ends no occurrence where the service refuses what was to replace it', async () => {
  await begunAt('2035-01-01T00:00:00Z')
  await applied(here, weekly({ horizon: 'P30D' }))
  const before = await windows()
  await here.manifest(weekly(HOUR_LATER))
  await here.control('POST', 'faults', {
    method: 'POST',
    path: 'maintenanceWindows',
    fault: 'status',
    status: 403,
    count: 1,
  })
  expect(await here.json('apply', '--auto-approve', '--concurrency', '1')).toMatchObject({
    code: 1,
    document: { byStatus: { done: 3, failed: 1, blocked: 4 } },
  })
  expect((await windows()).slice(0, 4)).toEqual(before)
  expect(await here.json('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect((await recorded(here)).every((each) => each.includes('T02'))).toBe(true)
})

it('what an entry has instead and nobody makes any more, holds up no release', async () => {
  await begunAt('2035-01-01T00:00:00Z')
  await applied(here, weekly({ horizon: 'P30D' }))
  const over = 'alertTypeNames: [HOST], startDate: 2034-01-08T01:00:00Z, endDate: 2034-01-08T03:00:00Z'
  await here.manifest(only('maintenanceWindows', `  weekly: { ${over} }`))
  expect(await here.json('apply', '--auto-approve')).toMatchObject({
    document: { byStatus: { done: 4, blocked: 0 } },
  })
})

it('an occurrence that is targeted alone is released', async () => {
  await begunAt('2035-01-01T00:00:00Z')
  await applied(here, weekly({ horizon: 'P7D' }))
  await here.manifest(weekly({ ...HOUR_LATER, horizon: 'P7D' }))
  expect(await here.json('apply', '--auto-approve', '--target', addressOf(FIRST))).toMatchObject({
    code: 0,
    document: { byStatus: { done: 1, blocked: 0 } },
  })
})
