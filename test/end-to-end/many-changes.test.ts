import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureWith, PROJECT } from '../support/installation.ts'
import { begin, only, type Scene } from '../support/scene.ts'
import { asOnTerminal } from '../support/terminal.ts'

const MANY = 120
const ids = Array.from(
  { length: MANY },
  (_, index) => `5d1113b25a115342acc2${index.toString(16).padStart(4, '0')}`,
)

const manifest = only(
  'alertConfigurations',
  ids.map((id, index) => `  p${index}: { alertConfigId: ${id}, enabled: true }`).join('\n'),
)

/** 120 configurations that are off and are declared to be on. */
const started = (): Promise<Scene> =>
  begin({
    manifest,
    fixture: fixtureWith({
      alertConfigs: ids.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: false })),
    }),
  })

/** The number of different addresses in a text. */
const named = (text: string): number => new Set(text.match(/alertConfigurations\.p\d+(?!\d)/g)).size

const APPLY = ['apply', '--auto-approve', '--allow-mass-change']

describe('a reading that takes longer than a moment', () => {
  it.each(['plan', 'drift'])(
    'of a %s has a live line on a terminal, which is gone at the end',
    async (word) => {
      const here = await started()
      await here.control('POST', 'faults', {
        method: 'GET',
        path: 'alertConfigs',
        fault: 'latency',
        ms: 1600,
        count: 1,
      })
      const terminal = asOnTerminal(here, word)
      await terminal.waitFor('requests · reading')
      const { shown } = await terminal.ended
      const after = shown.slice(shown.lastIndexOf('requests · reading') + 'requests · reading'.length)
      expect(after.startsWith('\r\u001B[Kdeploymgmt')).toBe(true)
    },
  )

  it('says nothing with --quiet', async () => {
    const here = await started()
    const latency = { method: 'GET', path: 'alertConfigs', fault: 'latency', ms: 1600, count: 1 }
    await here.control('POST', 'faults', latency)
    const { code, shown } = await asOnTerminal(here, 'plan', '--quiet').ended
    expect(code).toBe(0)
    expect(shown).not.toContain('reading')
  })
})

describe('an apply of many changes that do the same', () => {
  it('is told in few lines on a terminal, with how many are not named', async () => {
    const here = await started()
    const { code, shown } = await asOnTerminal(here, ...APPLY).ended
    expect(code).toBe(0)
    expect(shown).toContain('120 alert configurations to adopt and change')
    expect(shown).toContain('… 100 more like it, --all shows them')
    expect(shown).toContain(
      'alertConfigurations, adopted and changed: 100 more; deploymgmt state list names what is recorded\n',
    )
    const { stdout: recorded } = await here.run('state', 'list')
    expect(named(recorded)).toBe(MANY)
    expect(shown.match(/^.*adopted .*alertConfigurations\.p\d+ and changed$/gm)).toHaveLength(20)
    expect(shown).toContain('120 adopted and changed')
  })

  it('is told whole on a terminal that asks for it', async () => {
    const here = await started()
    const { code, shown } = await asOnTerminal(here, ...APPLY, '--all').ended
    expect(code).toBe(0)
    expect(shown).not.toContain('more like it')
    expect(shown.match(/^.*adopted .*alertConfigurations\.p\d+ and changed$/gm)).toHaveLength(MANY)
  })

  it('is told whole where a log or a program reads it', async () => {
    const here = await started()
    const { stdout: plan } = await here.run('plan')
    expect(named(plan)).toBe(MANY)
    const { stdout } = await here.run('plan', '--format', 'json')
    expect(named(stdout)).toBe(MANY)
    const { stdout: shown, stderr } = await here.run(...APPLY)
    expect(named(shown)).toBe(MANY)
    expect(named(stderr)).toBe(MANY)
  })

  it('has an event of each as JSON', async () => {
    const here = await started()
    const { stdout } = await here.run(...APPLY, '--format', 'json')
    const finished = stdout.split('\n').filter((line) => line.includes('"type":"finished"'))
    expect(named(finished.join('\n'))).toBe(MANY)
  })
})

it('a baseline of many drifts is told in few lines on a terminal, unless it asks for all', async () => {
  const here = await started()
  expect(await here.run(...APPLY)).toMatchObject({ code: 0 })
  for (const id of ids)
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled: false })
  const accept = ['drift', 'accept', '--baseline', '--reason', 'for now']
  const { shown } = await asOnTerminal(here, ...accept).ended
  expect(named(shown)).toBe(20)
  expect(shown).toContain('… 100 more like it, --all shows them\nCommit deploymgmt.accepted.yaml. ')
  await rm(join(here.folder, 'deploymgmt.accepted.yaml'))
  expect(named((await asOnTerminal(here, ...accept, '--all').ended).shown)).toBe(MANY)
  await rm(join(here.folder, 'deploymgmt.accepted.yaml'))
  expect(named((await here.run(...accept)).stdout)).toBe(MANY)
})
