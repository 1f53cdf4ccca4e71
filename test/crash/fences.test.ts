import { expect, it } from 'vitest'
import { ONCALL, PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { at, begin, beginApplied, only, writesIn, type Scene } from '../support/scene.ts'
import { expectConverged, expectStuck } from './support/unknown.ts'

/** Fences: to show that no event is late, an apply writes a value again that a window already has. */

let here: Scene

const line = (name: string, month: string, more = ''): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-${month}-06T02:00:00Z, endDate: 2035-${month}-06T04:00:00Z, description: ${name}${more} }`
const A = line('a', '01')
const B = line('b', '02')
const C = line('c', '03')
const windows = (...lines: string[]): string => only('maintenanceWindows', lines.join('\n'))
const later = (advance: string): Promise<void> => here.control('POST', 'clock', { advance })
const window = async (index: number): Promise<any> => (await windowsAt(here))[index]
const fault = (method: string, name: string, more: object = {}): Promise<void> =>
  here.control('POST', 'faults', { method, path: 'maintenanceWindows', count: 1, fault: name, ...more })
const target = (...names: string[]): string[] =>
  names.flatMap((name) => ['--target', `maintenanceWindows.${name}`])

const change = async (values: object): Promise<void> => {
  const { id } = await window(0)
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, values)
}

/** The creation of one more window never reaches the service, and can no longer take effect. */
const loseCreation = async (manifest: string, ...words: string[]): Promise<void> => {
  await here.manifest(manifest)
  await fault('POST', 'reset-before')
  expect(await here.run('apply', '--auto-approve', ...words)).toMatchObject({ code: 3 })
  await later('PT1M')
  await here.forgetRequests()
}

it('goes to nothing that somebody changed before the time whose events were read', async () => {
  here = await beginApplied(windows(A))
  await later('PT1M')
  await change({ alertTypeNames: ['BACKUP'], description: 'theirs' })
  await later('PT1H')
  await here.manifest(windows(A, B))
  expect(await here.run('apply', '--auto-approve', ...target('b'))).toMatchObject({ code: 0 })
  await later('PT1H')
  await loseCreation(windows(A, B, C), ...target('c'))
  const applied = await here.run('apply', '--auto-approve', ...target('b', 'c'))
  expect(applied).toMatchObject({ code: 0 })
  expect(await window(0)).toMatchObject({ alertTypeNames: ['BACKUP'], description: 'theirs' })
  const { code, document } = await here.json('drift')
  expect({ code, verdict: at(document, 'maintenanceWindows.a').verdict }).toEqual({
    code: 2,
    verdict: 'drifted',
  })
})

it('goes to a window whose own creation was lost, and that its answer to one write has shown', async () => {
  here = await begin()
  await here.manifest(windows(A))
  await fault('POST', 'reset-after')
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  await later('PT1M')
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect((await here.state()).resources['maintenanceWindows.a'].lastWrite.sent).toEqual([['description']])
  await later('PT1H')
  await loseCreation(windows(A, B))
  await expectConverged(here)
  expect((await writesIn(here)).map((write) => write.split(' ')[0])).toEqual(['PATCH', 'POST'])
})

it('goes to nothing outside of the target', async () => {
  here = await beginApplied(windows(A))
  await loseCreation(windows(A, B))
  const words = ['apply', '--auto-approve', ...target('b')]
  await expectStuck(here, ['maintenanceWindows.b'], words)
  await expectStuck(here, ['maintenanceWindows.b'], ['plan', ...target('b')])
  await expectConverged(here)
  expect((await writesIn(here)).map((write) => write.split(' ')[0])).toEqual(['PATCH', 'POST'])
})

it('goes to nothing of which an answer has shown that somebody else changed it', async () => {
  here = await beginApplied(windows(A))
  await fault('PATCH', 'lose-events')
  await change({ description: 'theirs' })
  const longer = A.replace('T04', 'T05')
  await here.manifest(windows(longer))
  await here.run('apply', '--auto-approve')
  expect((await here.state()).resources['maintenanceWindows.a'].overridden).toEqual({ description: 'a' })
  await later('PT1M')
  await loseCreation(windows(longer, B), ...target('b'))
  await expectStuck(here, ['maintenanceWindows.b'])
})

it('writes no field that the manifest leaves to others', async () => {
  const ignoring = line('a', '01', ', ignoreChanges: [description]')
  here = await beginApplied(windows(ignoring))
  await fault('PATCH', 'lose-events')
  await change({ description: 'theirs' })
  await loseCreation(windows(ignoring, B))
  await expectConverged(here)
  expect((await writesIn(here)).map((write) => write.split(' ')[0])).toEqual(['PATCH', 'POST'])
  expect(await window(0)).toMatchObject({ description: 'theirs' })
})

it('hides no change of others whose event comes late', async () => {
  here = await beginApplied(windows(A))
  await later('PT1M')
  await fault('PATCH', 'late-events', { ms: 600_000 })
  await change({ description: 'theirs' })
  await later('PT1M')
  await loseCreation(windows(A, B))
  await expectConverged(here)
  await later('PT10M')
  const shown = at((await here.json('drift')).document, 'maintenanceWindows.a')
  expect(shown).toMatchObject({
    verdict: 'drifted',
    evidence: { level: 'suspect', events: [{ publicKey: ONCALL.publicKey }] },
  })
})

it('leaves what its answer shows to the plan that follows', async () => {
  here = await beginApplied(windows(A))
  await fault('PATCH', 'lose-events')
  await change({ alertTypeNames: ['BACKUP'] })
  await loseCreation(windows(A, B))
  const { code, stdout } = await here.run('apply', '--auto-approve')
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('BACKUP → HOST') })
  expect(await window(0)).toMatchObject({ alertTypeNames: ['HOST'] })
})

it('is sent only once if it leaves no event', async () => {
  here = await begin({ settings: { 'open.events': 'some' }, manifest: windows(A) })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await loseCreation(windows(A, B))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  expect(await writesIn(here)).toHaveLength(1)
  await later('PT1M')
  await expectStuck(here, ['maintenanceWindows.b'])
})

it('is not sent with another key than the one that sent the creation, which is said', async () => {
  here = await beginApplied(windows(A))
  await loseCreation(windows(A, B))
  here.env['DEPLOYMGMT_PUBLIC_KEY'] = ONCALL.publicKey
  here.env['DEPLOYMGMT_PRIVATE_KEY'] = ONCALL.privateKey
  const said = await expectStuck(here, ['maintenanceWindows.b'])
  expect(said).toContain('it was sent with the key ciadmin, and no write with another key shows whether')
})

it('goes to nothing that another key wrote last', async () => {
  here = await begin({ manifest: windows(A) })
  const own = { ...here.env }
  here.env['DEPLOYMGMT_PUBLIC_KEY'] = ONCALL.publicKey
  here.env['DEPLOYMGMT_PRIVATE_KEY'] = ONCALL.privateKey
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  Object.assign(here.env, own)
  await loseCreation(windows(A, B))
  await expectStuck(here, ['maintenanceWindows.b'])
  expect(await writesIn(here)).toEqual([])
})
