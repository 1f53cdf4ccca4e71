import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { PROJECT, type Installation, failing } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { at, begin, only, OTHER_PROJECT, twoProjects, writesIn } from '../support/scene.ts'

let here: Installation

const windowNamed = (name: string, month: number, description: string): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-0${month}-06T02:00:00Z, endDate: 2035-0${month}-06T04:00:00Z, description: "${description}" }`
const windows = (...lines: string[]): string => only('maintenanceWindows', lines.join('\n'))
const CHAIN = windows(
  windowNamed('third', 3, 'after ${maintenanceWindows.second.id}'),
  windowNamed('second', 2, 'after ${maintenanceWindows.first.id}'),
  windowNamed('first', 1, 'the first'),
)
const WINDOWS = `/groups/${PROJECT}/maintenanceWindows/`

const started = async (text: string): Promise<void> => {
  here = await begin({ manifest: text })
}
const held = (): Promise<{ id: string; description: string }[]> => windowsAt(here)

describe('a reference to an id that is not recorded yet', () => {
  it('is resolved within one apply, in as many rounds as there are references, and the next plan is in sync', async () => {
    await started(CHAIN)
    const planned = await here.json('plan')
    expect(planned).toMatchObject({ code: 0, document: { summary: { create: 3, blocked: 0 } } })
    expect(at(planned.document, 'maintenanceWindows.second')).toMatchObject({
      action: 'create',
      after: { description: 'after ${maintenanceWindows.first.id}' },
      waitsFor: ['maintenanceWindows.first'],
      notes: ['description: known once maintenanceWindows.first is applied, in the same run'],
    })
    const { code, document } = await here.json('apply', '--auto-approve')
    expect({ code, document }).toMatchObject({ code: 0, document: { inSync: true, done: { create: 3 } } })
    const ids = Object.fromEntries(
      Object.entries<any>((await here.state()).resources).map(([name, record]) => [name, record.identity.id]),
    )
    expect((await held()).map(({ description }) => description).toSorted()).toEqual(
      [
        'the first',
        `after ${ids['maintenanceWindows.first']}`,
        `after ${ids['maintenanceWindows.second']}`,
      ].toSorted(),
    )
    expect(await writesIn(here)).toEqual(Array.from({ length: 3 }, () => `POST ${WINDOWS}`))
    expect(await here.json('plan', '--detailed-exitcode')).toMatchObject({
      code: 0,
      document: { inSync: true },
    })
  })

  it('is resolved from a saved plan as well', async () => {
    await started(CHAIN)
    await here.run('plan', '--out', 'plan.bin')
    expect(await here.run('apply', 'plan.bin', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await held()).toHaveLength(3)
  })

  it('is shown in the text of a plan', async () => {
    await started(CHAIN)
    const { stdout } = await here.run('plan')
    expect(stdout).toContain('after ${maintenanceWindows.first.id}')
    expect(stdout).toContain('description: known once maintenanceWindows.first is applied, in the same run')
  })

  it('to several ids names all of them', async () => {
    const both = windowNamed('both', 4, '${maintenanceWindows.first.id}, ${maintenanceWindows.second.id}')
    await started(`${CHAIN}\n${both}\n`)
    expect(at((await here.json('plan')).document, 'maintenanceWindows.both').notes).toEqual([
      'description: known once maintenanceWindows.first and maintenanceWindows.second are applied, in the same run',
    ])
  })

  it('leaves undone what refers to a creation that failed, and a second apply does the rest', async () => {
    await started(CHAIN)
    await failing(here, 'POST', '/maintenanceWindows/$', { fault: 'status', status: 400, count: 1 })
    const { code, document } = await here.json('apply', '--auto-approve')
    expect({ code, document }).toMatchObject({ code: 1, document: { byStatus: { failed: 1, skipped: 2 } } })
    expect(document.problems.map(({ notes }: any) => notes[0]).filter(Boolean)).toEqual([
      'refers to maintenanceWindows.first, which was not applied',
      'refers to maintenanceWindows.second, which was not applied',
    ])
    expect(await held()).toEqual([])
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await held()).toHaveLength(3)
  })

  it('of two names only the one that was not applied', async () => {
    await started(
      windows(
        windowNamed('failing', 1, 'the first'),
        windowNamed('good', 2, 'the second'),
        windowNamed('third', 3, 'after ${maintenanceWindows.good.id} and ${maintenanceWindows.failing.id}'),
      ),
    )
    await failing(here, 'POST', '/maintenanceWindows/$', { fault: 'status', status: 400, count: 1 })
    const { document } = await here.json('apply', '--auto-approve', '--concurrency', '1')
    expect(document.byStatus).toMatchObject({ failed: 1, skipped: 1 })
    expect(at({ changes: document.problems }, 'maintenanceWindows.third').notes).toEqual([
      'refers to maintenanceWindows.failing, which was not applied',
    ])
  })

  it.each([
    {
      to: 'what is outside the target',
      text: CHAIN,
      target: ['--target', 'maintenanceWindows.second'],
      reason:
        'description refers to maintenanceWindows.first, which is not recorded and not applied by this plan',
      byHand: 'Apply maintenanceWindows.first first, or write the value itself.',
    },
    {
      to: 'what refers to it in turn',
      text: windows(
        windowNamed('second', 1, 'after ${maintenanceWindows.first.id}'),
        windowNamed('first', 2, 'after ${maintenanceWindows.second.id}'),
      ),
      target: [],
      reason:
        'description refers to maintenanceWindows.first, which refers to maintenanceWindows.second, in a circle',
      byHand: 'Remove one of these references, or write the value itself.',
    },
    {
      to: 'itself',
      text: windows(windowNamed('second', 1, 'this is ${maintenanceWindows.second.id}')),
      target: [],
      reason: 'description refers to maintenanceWindows.second, in a circle',
      byHand: 'Remove one of these references, or write the value itself.',
    },
  ])('to $to is blocked, and nothing is sent', async ({ text, target, reason, byHand }) => {
    await started(text)
    const { code, document } = await here.json('apply', '--auto-approve', ...target)
    expect(code).toBe(2)
    expect(document.blocked.find((each: any) => each.address === 'maintenanceWindows.second')).toMatchObject({
      reason,
      byHand,
    })
    expect(await writesIn(here)).toEqual([])
  })

  it('to an entry that stands for several asks which one, before and after they are there', async () => {
    const several = `  first: { projectIds: [${PROJECT}, ${OTHER_PROJECT}], alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`
    here = await begin({
      fixture: twoProjects(),
      manifest: windows(several, windowNamed('second', 2, 'after ${maintenanceWindows.first.id}')),
    })
    for (const when of ['before', 'after']) {
      const { code, document } = await here.json('apply', '--auto-approve')
      expect({ when, code }).toEqual({ when, code: 2 })
      expect(document.blocked).toMatchObject([
        {
          address: 'maintenanceWindows.second',
          reason: 'description refers to the id of maintenanceWindows.first, which stands for several things',
          byHand: 'Say which one, by the address that a plan shows: ${maintenanceWindows.first[KEY].id}.',
        },
      ])
    }
    await here.manifest(
      windows(several, windowNamed('second', 2, `after \${maintenanceWindows.first[${PROJECT}].id}`)),
    )
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  })

  it('does not hinder what is in the target beside it', async () => {
    await started(CHAIN)
    expect(await here.run('apply', '--auto-approve', '--target', 'maintenanceWindows.first')).toMatchObject({
      code: 0,
    })
    expect((await held()).map(({ description }) => description)).toEqual(['the first'])
    expect(await here.json('drift')).toMatchObject({
      code: 0,
      document: { summary: { pending: 2, drifted: 0 } },
    })
  })

  it('in an identity is an error of the manifest, at its place', async () => {
    await started(
      only(
        'maintenanceWindows',
        windowNamed('first', 1, 'the first'),
        'alertConfigurations:\n  noisy: { alertConfigId: "${maintenanceWindows.first.id}", enabled: false }\n',
      ),
    )
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /deploymgmt\.yaml:\d+:\d+ +alertConfigurations\.noisy\.alertConfigId: maintenanceWindows\.first is not recorded yet/,
    )
    expect(await writesIn(here)).toEqual([])
  })

  it('is filled in where a recorded thing is changed to refer to a new one', async () => {
    await started(windows(windowNamed('second', 2, 'alone')))
    await here.run('apply', '--auto-approve')
    await here.manifest(
      windows(
        windowNamed('second', 2, 'after ${maintenanceWindows.first.id}'),
        windowNamed('first', 1, 'the first'),
      ),
    )
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { resources } = await here.state()
    expect((await held()).map(({ description }) => description)).toContain(
      `after ${resources['maintenanceWindows.first'].identity.id}`,
    )
    expect(await here.json('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('is resolved from the manifests as they were read, whatever becomes of the files', async () => {
    await started(CHAIN)
    await failing(here, 'POST', '/maintenanceWindows/$', { fault: 'latency', ms: 1000, count: 1 })
    const applied = here.json('apply', '--auto-approve')
    // By the first request, the manifests have been read.
    while ((await here.requests()).log.length === 0) await new Promise(setImmediate)
    await writeFile(join(here.folder, 'deploymgmt.yaml'), windows(windowNamed('first', 1, 'the first')))
    expect(await applied).toMatchObject({ code: 0 })
    expect(await held()).toHaveLength(3)
  })

  it('waits for what a failed one is blocked by, in whatever order they are declared', async () => {
    const over = `  over: { alertTypeNames: [HOST], startDate: 2020-01-01T00:00:00Z, endDate: 2020-01-02T00:00:00Z }`
    await started(
      windows(
        windowNamed('third', 3, 'after ${maintenanceWindows.second.id}'),
        windowNamed('second', 2, 'after ${maintenanceWindows.over.id}'),
        over,
      ),
    )
    const { code, document } = await here.json('apply', '--auto-approve')
    expect(code).toBe(2)
    expect(document.blocked.map(({ address }: any) => address).toSorted()).toEqual([
      'maintenanceWindows.second',
      'maintenanceWindows.third',
    ])
    expect(await writesIn(here)).toEqual([])
  })
})

const both = (month: number): string =>
  windows(
    windowNamed('first', month, 'the first'),
    windowNamed('second', 5, 'after ${maintenanceWindows.first.id}'),
  )

const AFTER_FIRST = windowNamed('second', 2, 'after ${maintenanceWindows.first.id}')
const RULE = 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0'

const foundOf = ({ file, line, column, path, message, reasonCode }: any) => ({
  address: path,
  declaredAt: `${file}:${line}:${column}`,
  reasonCode,
  says: message,
})

const inCircle = (index: number): string => `w${index % 12}`
const tenInCircle = (from: number): string =>
  Array.from({ length: 10 }, (_, index) => `maintenanceWindows.${inCircle(from + index)}`).join(
    ', which refers to ',
  )

describe('references in a circle are a warning offline, for ids that are recorded resolve them', () => {
  it.each([
    ['of two', [windowNamed('first', 1, 'before ${maintenanceWindows.second.id}'), AFTER_FIRST]],
    ['of one', [windowNamed('second', 2, 'this is ${maintenanceWindows.second.id}')]],
  ])('%s', async (_, circle) => {
    here = await begin({ manifest: windows(...circle) })
    const { document: plan } = await here.json('plan')
    expect(plan.changes.map(({ action }: any) => action)).toEqual(circle.map(() => 'blocked'))
    await here.forgetRequests()
    const { code, document } = await here.json('validate')
    expect([code, document.valid, (await here.requests()).log]).toEqual([0, true, []])
    expect(document.warnings.map(foundOf)).toEqual(
      plan.changes.map(({ address, declaredAt, reasonCode, reason, byHand }: any) => ({
        address,
        declaredAt,
        reasonCode,
        says: `${reason}: it can be applied only while the ids are recorded. ${byHand.replace(/\.$/, '')}`,
      })),
    )
    const said = await here.run('validate')
    expect(said).toMatchObject({ code: 0, stderr: expect.stringContaining('in a circle: it can be applied') })

    await here.manifest(windows(windowNamed('first', 1, 'the first'), windowNamed('second', 2, 'the second')))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.manifest(windows(...circle))
    expect(await here.run('validate')).toMatchObject({ code: 0 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  })

  it('a long one names its beginning, and what leads into one is not in it', async () => {
    const circle = Array.from({ length: 12 }, (_, index) =>
      windowNamed(inCircle(index), 1, `\${maintenanceWindows.${inCircle(index + 1)}.id}`),
    )
    const into = windowNamed('into', 2, 'after ${maintenanceWindows.w0.id}')
    here = await begin({ manifest: windows(...circle, into) })
    const { document: plan } = await here.json('plan')
    for (const index of [0, 7])
      expect(at(plan, `maintenanceWindows.${inCircle(index)}`).reason).toBe(
        `description refers to ${tenInCircle(index + 1)}, and so on to 2 more, in a circle`,
      )
    expect(at(plan, 'maintenanceWindows.into')).toMatchObject({
      action: 'blocked',
      reasonCode: 'reference-not-recorded',
    })
    const { document } = await here.json('validate')
    expect(document.warnings.map(({ path }: any) => path)).not.toContain('maintenanceWindows.into')
    expect(document.warnings).toHaveLength(circle.length)
  })

  it('hides no reference to several things', async () => {
    const several = `  several: { projectIds: [${PROJECT}, ${OTHER_PROJECT}], alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`
    const second = windowNamed(
      'second',
      2,
      'of ${maintenanceWindows.second.id}, ${maintenanceWindows.several.id}',
    )
    here = await begin({ fixture: twoProjects(), manifest: windows(several, second) })
    const { code, document } = await here.json('validate')
    expect([code, document.error.findings]).toMatchObject([1, [{ reasonCode: 'reference-to-several' }]])
  })
})

describe('a reference to several things is told', () => {
  const several = `  several: { projectIds: [${PROJECT}, ${OTHER_PROJECT}], alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`
  const second = windowNamed('second', 2, 'of ${maintenanceWindows.several.id}')
  it.each([
    ['elsewhere', several, second, 'alertConfigurations:\n  x: { enabled: maybe }\n'],
    ['in what refers', several, second.replace('[HOST]', '[1]'), ''],
    ['in what is referred to', several.replace('[HOST]', '[1]'), second, ''],
  ])('beside what is wrong %s', async (_, one, other, more) => {
    here = await begin({
      fixture: twoProjects(),
      manifest: `${windows(one, other)}${more}`,
    })
    const { document } = await here.json('validate')
    const found = document.error.findings.map(({ reasonCode }: any) => reasonCode)
    expect(found).toContain('reference-to-several')
    expect(found.length).toBeGreaterThan(1)
  })
})

describe('a reference that no apply could ever resolve is found offline, as a plan finds it', () => {
  it.each([
    [
      'to what is declared for several projects',
      windows(
        `  first: { projectIds: [${PROJECT}, ${OTHER_PROJECT}], alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`,
        AFTER_FIRST,
      ),
      1,
    ],
    [
      'to a schedule',
      windows(
        `  first: { alertTypeNames: [HOST], schedule: { rrule: "${RULE}", timezone: UTC, duration: PT2H } }`,
        AFTER_FIRST,
      ),
      1,
    ],
    [
      'to what a selector matches',
      only(
        'maintenanceWindows',
        windowNamed('second', 2, 'about ${alertConfigurations.down.alertConfigId}'),
        'alertConfigurations:\n  down: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n',
      ),
      1,
    ],
  ])('%s', async (_, manifest, count) => {
    here = await begin({ fixture: twoProjects(), manifest })
    const { document: plan } = await here.json('plan')
    const blocked = plan.changes.filter(({ action }: any) => action === 'blocked')
    expect(blocked).toHaveLength(count)
    await here.forgetRequests()
    const { code, document } = await here.json('validate')
    expect([code, (await here.requests()).log]).toEqual([1, []])
    expect(document.error.findings.map(foundOf)).toEqual(
      blocked.map(({ address, declaredAt, reasonCode, reason, byHand }: any) => ({
        address,
        declaredAt,
        reasonCode,
        says: `${reason}. ${byHand.replace(/\.$/, '')}`,
      })),
    )
  })

  it('and nothing else is: not a chain, and not one of several that is named', async () => {
    here = await begin({ fixture: twoProjects(), manifest: CHAIN })
    expect(await here.run('validate')).toMatchObject({ code: 0 })
    await here.manifest(
      windows(
        `  first: { projectIds: [${PROJECT}, ${OTHER_PROJECT}], alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`,
        windowNamed('second', 2, `after \${maintenanceWindows.first[${PROJECT}].id}`),
      ),
    )
    expect(await here.run('validate')).toMatchObject({ code: 0 })
  })
})

describe('a reference to a recorded id', () => {
  it('waits for the new one where its thing is made anew, and the next plan is in sync', async () => {
    await started(both(1))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.control('POST', 'clock', { now: '2035-01-07T00:00:00Z' })
    await here.manifest(both(2))
    const { document } = await here.json('plan')
    expect(at(document, 'maintenanceWindows.second')).toMatchObject({
      action: 'update',
      waitsFor: ['maintenanceWindows.first'],
    })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { resources } = await here.state()
    expect((await held()).map(({ description }) => description)).toContain(
      `after ${resources['maintenanceWindows.first'].identity.id}`,
    )
    expect(await here.json('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('knows what has got a new name: the renaming sends nothing', async () => {
    await started(both(1))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const sent = await writesIn(here)
    await here.manifest(
      windows(
        windowNamed('new', 1, 'the first'),
        windowNamed('second', 5, 'after ${maintenanceWindows.new.id}'),
      ),
    )
    expect(await here.json('plan')).toMatchObject({
      code: 0,
      document: { summary: { moved: 1, update: 0, blocked: 0 } },
    })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await writesIn(here)).toEqual(sent)
    expect(await here.json('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('is the one of the window that an entry names now', async () => {
    await started(windows())
    const ids: string[] = []
    for (const description of ['one', 'two']) {
      const dates = { startDate: '2035-01-06T02:00:00Z', endDate: '2035-01-06T04:00:00Z' }
      const body = { alertTypeNames: ['HOST'], ...dates, description }
      ids.push((await here.outside('POST', WINDOWS, body)).id)
    }
    await here.control('POST', 'clock', { advance: 'PT10S' })
    for (const id of ids) {
      const named = windowNamed('first', 1, 'named').replace('{ ', `{ windowId: "${id}", `)
      await here.manifest(windows(named, windowNamed('second', 2, 'after ${maintenanceWindows.first.id}')))
      expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
      expect((await held()).map(({ description }) => description)).toContain(`after ${id}`)
    }
    expect(await here.json('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('of which the service never told the field is blocked, and says so', async () => {
    await started(
      only(
        'maintenanceWindows',
        windowNamed('first', 1, 'of ${apiKeys.reporting.publicKey}'),
        'apiKeys:\n  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, accessList: [192.0.2.0/24, 198.51.100.7] }\n',
      ),
    )
    for (const when of ['before', 'after']) {
      const { code, document } = await here.json('apply', '--auto-approve')
      expect({ when, code }).toEqual({ when, code: 2 })
      expect(document.blocked).toMatchObject([
        {
          address: 'maintenanceWindows.first',
          reason: expect.stringContaining(
            when === 'before' ? 'refers to apiKeys.reporting' : 'has not returned',
          ),
        },
      ])
    }
  })
})
