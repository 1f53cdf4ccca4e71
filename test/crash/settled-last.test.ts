import { describe, expect, it } from 'vitest'
import { manifestWith, PROJECT } from '../support/installation.ts'
import { begin, beginApplied, readsIn, writesIn, type Scene } from '../support/scene.ts'
import { pass } from '../support/proxy.ts'
import { asOnTerminal } from '../support/terminal.ts'
import { catching, lostAfter, lostBefore } from './support/kill.ts'
import { descriptionsAt, line, windows } from './support/two-windows.ts'
import { expectConverged, unknownIn } from './support/unknown.ts'

let here: Scene

const QUESTION = 'Only "yes" is accepted: '
const LOST = 'maintenanceWindows.lost'
const NOISY = `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`

const KEPT = line('kept', '01')
const WINDOW = line('lost', '02')
const later = (advance: string): Promise<void> => here.control('POST', 'clock', { advance })

/** A manifest of windows with one more section. */
const beside = (section: string, ...lines: string[]): string => {
  const others = ['apiKeys', 'users', 'alertConfigurations', 'integrations'].filter(
    (name) => name !== section,
  )
  const left = Object.fromEntries(others.map((name) => [name, '']))
  return manifestWith({ ...left, maintenanceWindows: lines.join('\n') })
}

/** The same manifest with a change that apply refuses without a flag. */
const guarded = (manifest: string): string =>
  manifest.replace('maintenanceWindows:', 'integrations:\n  none: { only: [WEBHOOK] }\nmaintenanceWindows:')

/** The creation of a window loses its answer, with or without an effect; afterwards it can no longer take effect. */
const lose = async (fault: string, manifest: string): Promise<void> => {
  await here.manifest(manifest)
  await here.control('POST', 'faults', { method: 'POST', path: 'maintenanceWindows', count: 1, fault })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  await here.control('DELETE', 'faults')
  await later('PT1M')
  await here.forgetRequests()
}

/** Somebody else changes the window that a fence writes to. */
const changeKept = async (): Promise<void> => {
  const { id } = (await here.state()).resources['maintenanceWindows.kept'].identity
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { alertTypeNames: ['BACKUP'] })
}

/** One window was made; the creation of the other may still take effect. */
const loseBoth = async (): Promise<string> => {
  here = await begin({ proxied: true })
  const both = windows(KEPT, WINDOW)
  await here.manifest(both)
  const fates = [lostAfter, lostBefore]
  here.proxy.steer((passing, forward) => (fates[passing.write - 1] ?? pass)(passing, forward))
  expect(await here.run('apply', '--auto-approve', '--concurrency', '1')).toMatchObject({ code: 3 })
  here.proxy.steer(pass)
  await here.forgetRequests()
  return both
}

/** The two ways to settle a lost creation by a write: asking its candidate, and sending a fence. */
const WAYS: [string, () => Promise<void>][] = [
  [
    'asking',
    async () => {
      here = await begin()
      await lose('reset-after', windows(WINDOW))
    },
  ],
  [
    'a fence',
    async () => {
      here = await beginApplied(windows(KEPT))
      await lose('reset-before', windows(KEPT, WINDOW))
    },
  ],
]

/** Expects that nothing was written, and that the outcome is still unknown. */
const expectUntouched = async (): Promise<void> => {
  expect(await writesIn(here)).toEqual([])
  expect(await unknownIn(here)).toEqual([LOST])
}

describe.each(WAYS)('what is lost, and needs %s, is left alone by an apply that is refused', (_, begun) => {
  it('by a guard', async () => {
    await begun()
    await here.manifest(guarded(windows(KEPT, WINDOW)))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--allow-delete'),
    })
    await expectUntouched()
  })

  it('since a secret is missing', async () => {
    await begun()
    delete here.env['DANA_INITIAL_PASSWORD']
    await here.manifest(beside('users', KEPT, WINDOW))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DM-SECRET'),
    })
    await expectUntouched()
  })

  it('since its target is empty', async () => {
    await begun()
    expect(await here.run('apply', '--auto-approve', '--target', 'users.nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('names nothing that is declared or recorded'),
    })
    await expectUntouched()
  })

  it('since what was saved is not what is planned now', async () => {
    await begun()
    await here.manifest(beside('alertConfigurations', KEPT, WINDOW))
    expect(await here.run('plan', '--out', 'saved')).toMatchObject({ code: 0 })
    await here.outside('PATCH', NOISY, { enabled: false })
    await here.forgetRequests()
    expect(await here.run('apply', 'saved', '--auto-approve')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('what the plan file shows is not what would be planned now'),
    })
    await expectUntouched()
  })

  it('by a person, who has seen the plan and what is sent first', async () => {
    await begun()
    const terminal = asOnTerminal(here, 'apply')
    await terminal.waitFor(QUESTION)
    terminal.type('no\n')
    const { code, shown } = await terminal.ended
    expect(code).toBe(1)
    const [before = ''] = shown.split(QUESTION)
    expect(before).toContain(`to be settled by apply: ${LOST}: `)
    expect(before).toMatch(/\d to (create|change)/)
    await expectUntouched()
  })

  it('since nobody is there to agree', async () => {
    await begun()
    expect(await here.run('apply')).toMatchObject({ code: 1 })
    await expectUntouched()
  })

  it('and settled by one that is agreed to, with one question', async () => {
    await begun()
    const terminal = asOnTerminal(here, 'apply')
    await terminal.waitFor(QUESTION)
    terminal.type('yes\n')
    const { code, shown } = await terminal.ended
    expect({ code, shown }).toMatchObject({ code: 0 })
    expect(shown.split(QUESTION)).toHaveLength(2)
    expect(shown).toContain(`Settled: ${LOST}: `)
    await expectConverged(here)
    expect(await descriptionsAt(here)).toContain('lost')
  })
})

it('what is lost and nothing else is settled by an apply that nobody is asked about', async () => {
  here = await begin()
  await lose('reset-after', windows(WINDOW))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await writesIn(here)).toHaveLength(1)
  expect(await unknownIn(here)).toEqual([])
})

it('reads only events again, besides what settling may have changed', async () => {
  here = await begin()
  await lose('reset-after', beside('alertConfigurations', WINDOW))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const reads = await readsIn(here)
  expect(reads.filter((path) => !path.endsWith('/events'))).toEqual([`/groups/${PROJECT}/alertConfigs`])
  expect(reads.filter((path) => path.endsWith('/events'))).toHaveLength(3)
})

describe('what turns out differently in settling than a plan has shown', () => {
  it('is not carried out where a person has agreed to less', async () => {
    here = await beginApplied(windows(KEPT))
    await lose('reset-before', windows(KEPT, WINDOW))
    const terminal = asOnTerminal(here, 'apply')
    await terminal.waitFor(QUESTION)
    await changeKept()
    terminal.type('yes\n')
    const { code, shown } = await terminal.ended
    expect(code).toBe(1)
    expect(shown).toContain(
      'DM-PLAN-STALE: since the plan was shown, something else has to be done that nobody has seen: maintenanceWindows.kept',
    )
    expect(await descriptionsAt(here)).toEqual(['kept'])
    expect(await unknownIn(here)).toEqual([])
  })

  it('is shown before it is carried out where nobody is asked', async () => {
    here = await beginApplied(windows(KEPT), { proxied: true })
    await lose('reset-before', windows(KEPT, WINDOW))
    const { steer, caught } = catching(
      ({ method }) => method === 'PATCH',
      async (_, forward) => {
        await changeKept()
        return forward()
      },
    )
    here.proxy.steer(steer)
    const { code, stdout } = await here.run('apply', '--auto-approve')
    await caught
    expect({ code, stdout }).toMatchObject({ code: 0 })
    const [, first = '', second = ''] = stdout.split('deploymgmt apply')
    expect(first).not.toContain('~ maintenanceWindows.kept')
    expect(second).toContain('~ maintenanceWindows.kept')
    await expectConverged(here)
  })
})

describe('beside what is left to a person, what a write can settle', () => {
  it('is settled', async () => {
    await loseBoth()
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    expect(await unknownIn(here)).toEqual([LOST])
  })

  it('is left alone where a guard refuses the apply', async () => {
    const both = await loseBoth()
    await here.manifest(guarded(both))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 1 })
    expect(await writesIn(here)).toEqual([])
    expect(await unknownIn(here)).toHaveLength(2)
  })

  it('is asked about by itself, since nothing else is done', async () => {
    await loseBoth()
    const terminal = asOnTerminal(here, 'apply')
    await terminal.waitFor(QUESTION)
    expect(terminal.shown()).toContain('Settle an earlier request at ')
    expect(terminal.shown()).not.toContain('to create')
    terminal.type('no\n')
    expect(await terminal.ended).toMatchObject({ code: 1 })
    expect(await writesIn(here)).toEqual([])
  })
})
